"""The schemes of our own protocol.

`pfb1` deals every coup from a fresh shoe, `pfb1-chain` does the same from a seed chain, and `pfb1-shoe` deals a shoe through.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeAlias

from ...errors import ServerSeedError
from ..hex_form import describe_secret
from ..inputs import parse_decks
from ..seeds import Commitment, ServerSeed
from ..shoe import cut_and_draw, six_from_block
from ..stream import hmac_blocks, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..seeds import ClientSeed
    from ..shoe import CutAndCards
    from .scheme import AnyServerSeed, Source


@dataclass(frozen=True, slots=True)
class Pfb1:
    """A way of dealing by the pfb1 protocol; its name begins its label, so that the commitment fixes it."""

    name: str
    deals_shoes: bool = False
    deals_from_chains: bool = False
    has_nonces: bool = True
    needs_commitment: bool = True
    is_unbiased: bool = True
    drawing: str = "The cut and the cards were drawn from the hash of both seeds without bias: the way of drawing favours no card."

    def read_decks(self, decks: int) -> int:
        """A number of decks, 1 to 8 (protocol step 1)."""
        return parse_decks(decks)

    def read_server_seed(self, text: str) -> ServerSeed:
        """A server seed from 64 lower-case hex digits (protocol step 1)."""
        return ServerSeed.parse(text)

    def label(self, decks: int | None) -> str:
        """`pfb1:8` (protocol step 1), `pfb1-chain:8` (step 8) or `pfb1-shoe:8` (step 10)."""
        return f"{self.name}:{decks}"

    def commit(self, server_seed: AnyServerSeed, decks: int | None) -> Commitment:
        """SHA-256 of the label, a colon and the server seed's hex digits (protocol step 2)."""
        return Commitment(sha256(f"{self.label(decks)}:{server_seed.reveal()}".encode()).digest())

    def source(self, server_seed: AnyServerSeed, client_seed: ClientSeed, decks: int | None) -> Source:
        """Cut and six cards of a coup (protocol step 5), or cut and whole order of a shoe (step 10)."""
        decks = parse_decks(decks)
        if not isinstance(server_seed, ServerSeed):
            raise ServerSeedError("server seed", "a ServerSeed", describe_secret(server_seed))
        if self.deals_shoes:
            return _shoe_source(server_seed, self.label(decks), client_seed, decks)
        return FASTER_SOURCES.get("coup", python_coup_source)(server_seed, self.label(decks), client_seed, decks)


def python_coup_source(server_seed: ServerSeed, label: str, client_seed: ClientSeed, decks: int) -> Source:
    """From a nonce to the cut and the six cards of its coup (protocol steps 3 to 5): the reference."""
    blocks = hmac_blocks(server_seed, label, client_seed)

    def coup(nonce: int) -> CutAndCards:
        return six_from_block(blocks(nonce, 0), decks) or cut_and_draw(words_of(blocks, nonce), decks)

    return coup


def _shoe_source(server_seed: ServerSeed, label: str, client_seed: ClientSeed, decks: int) -> Source:
    """From a nonce to the cut and the whole order of its shoe (protocol step 10)."""
    blocks = hmac_blocks(server_seed, label, client_seed)

    def shoe(nonce: int) -> CutAndCards:
        return cut_and_draw(words_of(blocks, nonce), decks, count=52 * decks)

    return shoe


SourceFactory: TypeAlias = "Callable[[ServerSeed, str, ClientSeed, int], Source]"

FASTER_SOURCES: Final[dict[str, SourceFactory]] = {}
"""Faster ways to the same cards: the kernel, which is on a higher floor, puts its `coup` source here if it has passed its test."""


PFB1: Final = Pfb1("pfb1")
PFB1_CHAIN: Final = Pfb1("pfb1-chain", deals_from_chains=True)
PFB1_SHOE: Final = Pfb1("pfb1-shoe", deals_shoes=True)
