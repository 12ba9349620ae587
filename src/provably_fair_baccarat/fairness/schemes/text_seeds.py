"""What the schemes of other houses have in common: seeds that are text, and a commitment that may be missing."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from ...errors import DecksError, Slip, describe
from ..inputs import MAX_DECKS, parse_decks
from ..seeds import Commitment, TextServerSeed

if TYPE_CHECKING:
    from .scheme import AnyServerSeed

_DEFAULT_DECKS: Final = MAX_DECKS


@dataclass(frozen=True, slots=True)
class TextSeedScheme:
    """A scheme that uses the server seed's text as it is shown, and deals from a shoe of its own: so many decks, None for an infinite one."""

    name: str
    decks: int | None
    drawing: str
    has_nonces: bool = True
    deals_shoes: bool = False
    deals_from_chains: bool = False
    needs_commitment: bool = False
    is_unbiased: bool = False

    def read_decks(self, decks: int) -> int | None:
        """The scheme's own number of decks: the default, which is what anyone passes who passes none, stands for it."""
        if decks is self.decks is None or parse_decks(decks) not in (self.decks, _DEFAULT_DECKS):
            shoe = "an infinite deck" if self.decks is None else f"{self.decks}"
            slips = (Slip("decks_of_scheme", f"The scheme {self.name} has a shoe of its own: leave the decks out."),)
            raise DecksError("decks", shoe, describe(decks), slips)
        return self.decks

    def read_server_seed(self, text: str) -> TextServerSeed:
        """A server seed from its text, which is not decoded."""
        return TextServerSeed(text)

    def label(self, decks: int | None) -> str:
        """The scheme's name, which other houses do not hash."""
        del decks
        return self.name

    def commit(self, server_seed: AnyServerSeed, decks: int | None) -> Commitment:
        """SHA-256 of the server seed's text."""
        del decks
        return Commitment(sha256(server_seed.reveal_bytes()).digest())
