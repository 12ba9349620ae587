"""The schemes `bcgame-single` and `bcgame-table`: a fixed list of 52 cards, sorted by rotations of a hash."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from ...cards import Card, Rank, Suit
from ...errors import NonceError, ServerSeedError, describe
from ..hex_form import read_hex
from ..seeds import Commitment, TextServerSeed
from ..shoe import POSITIONS
from .text_seeds import TextSeedScheme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..seeds import ClientSeed
    from .scheme import AnyServerSeed, Derived, Source

_CODES = (
    "161 180 199 218 162 205 181 200 219 163 182 220 201 177 196 215 170 178 221 197 216 171 179 198 172 217 193 212 167 186 194 173 213 168 "
    "187 195 214 188 169 209 164 183 202 210 189 165 184 203 211 166 204 185"
)
_SUITS = {0xA: Suit.SPADES, 0xB: Suit.HEARTS, 0xC: Suit.CLUBS, 0xD: Suit.DIAMONDS}

LIST: Final = tuple(Card(tuple(Rank)[(int(code) & 0xF) - 1], _SUITS[int(code) >> 4]) for code in _CODES.split())
"""The house's list: of each code the high half is the suit and the low half the rank, ace to king."""


def _rotations(digest: str, cards: Sequence[Card]) -> list[tuple[str, Card]]:
    """Each card of a list with its sort key: the hash's hex digits, rotated left by the card's place."""
    return [(digest[i % 64 :] + digest[: i % 64], card) for i, card in enumerate(cards)]


def _by_key(entry: tuple[str, Card]) -> str:
    return entry[0]


def _sha256_of_text(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class BcGameSingle(TextSeedScheme):
    """Two decks in one: the list twice, with the rotations of two hashes, sorted together."""

    def source(self, server_seed: AnyServerSeed, client_seed: ClientSeed, decks: int | None) -> Source:
        """The first six cards of a nonce's shoe; there is no cut."""
        del decks
        key = server_seed.reveal_bytes()

        def cards(nonce: int) -> Derived:
            first = _sha256_of_text(hmac.digest(key, b"%b:%d" % (client_seed.utf8, nonce), "sha256").hex())
            shoe = sorted(_rotations(first, LIST) + _rotations(_sha256_of_text(first), LIST), key=_by_key)
            return None, tuple(card for _, card in shoe[:POSITIONS])

        return cards


@dataclass(frozen=True, slots=True)
class BcGameTable(TextSeedScheme):
    """One deck: the list, sorted by the rotations of one hash, and then again by those of another.

    The server seed is the round's hash and the client seed the salt, a public block hash. Rounds are a chain of SHA-256 over lower-case
    hex text, published backwards: the hash of a later round's hash is that of the round before, which is what is committed to.
    """

    def read_server_seed(self, text: str) -> TextServerSeed:
        """A round's hash: 64 lower-case hex digits."""
        digest = read_hex(text, "round hash", ServerSeedError)
        if isinstance(digest, ServerSeedError):
            del text
            raise digest
        return TextServerSeed(text)

    def commit(self, server_seed: AnyServerSeed, decks: int | None) -> Commitment:
        """The hash of the round before: SHA-256 of this round's hash as text."""
        del decks
        return Commitment(sha256(server_seed.reveal_bytes()).digest())

    def source(self, server_seed: AnyServerSeed, client_seed: ClientSeed, decks: int | None) -> Source:
        """The first six cards of the round; there is neither a cut nor a nonce."""
        del decks
        seed = hmac.digest(client_seed.utf8, bytes.fromhex(server_seed.reveal()), "sha256").hex()

        def cards(nonce: int) -> Derived:
            if nonce != 0:
                raise NonceError("nonce", "0 or None, since every round has its own hash", describe(nonce))
            first = _sha256_of_text(seed)
            once = [card for _, card in sorted(_rotations(first, LIST), key=_by_key)]
            twice = sorted(_rotations(_sha256_of_text(first), once), key=_by_key)
            return None, tuple(card for _, card in twice[:POSITIONS])

        return cards


BCGAME_SINGLE: Final = BcGameSingle(
    "bcgame-single",
    2,
    "The cards can be recomputed from both seeds, but the drawing is biased: the second card is the one that follows the first in the "
    "house's list in 7.1 % of rounds, against 1.9 % in a fair shoe of two decks, and the third follows the second in 6.8 %.",
)
BCGAME_TABLE: Final = BcGameTable(
    "bcgame-table",
    1,
    "The cards can be recomputed from the round's hash and the salt. The list is sorted by rotations of a hash, which are not independent of "
    "each other, so that nobody has shown that the drawing is without bias.",
    has_nonces=False,
)
