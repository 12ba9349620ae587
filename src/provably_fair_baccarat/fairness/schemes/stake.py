"""The scheme `stake`: one HMAC stream, an infinite deck, and the player's two cards before the banker's."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ...cards import Card, Rank, Suit
from ..stream import unpack_words
from .text_seeds import TextSeedScheme

if TYPE_CHECKING:
    from ..seeds import ClientSeed
    from .scheme import AnyServerSeed, Derived, Source

_RANKS = (*tuple(Rank)[1:], Rank.ACE)
_SUITS = (Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES, Suit.CLUBS)

INDEX: Final = tuple(Card(rank, suit) for rank in _RANKS for suit in _SUITS)
"""Cards by the number that is drawn: 2 to ace, and of each rank diamonds, hearts, spades, clubs."""

_POSITIONS = (0, 2, 1, 3, 4, 5)
"""Which card of the stream comes to each position: it deals player, player, banker, banker."""


@dataclass(frozen=True, slots=True)
class Stake(TextSeedScheme):
    """Each four bytes, big-endian, give one of 52 cards, whatever was dealt before."""

    def source(self, server_seed: AnyServerSeed, client_seed: ClientSeed, decks: int | None) -> Source:
        """The six cards of a nonce, in the order of their positions; there is no cut."""
        del decks
        key = server_seed.reveal_bytes()

        def cards(nonce: int) -> Derived:
            words = unpack_words(hmac.digest(key, b"%b:%d:0" % (client_seed.utf8, nonce), "sha256"))
            stream = [INDEX[word * 52 >> 32] for word in words]
            return None, tuple(stream[place] for place in _POSITIONS)

        return cards


STAKE: Final = Stake(
    "stake",
    None,
    "The cards can be recomputed from both seeds, but they come from an infinite deck: each is any of the 52 whatever was dealt before, so "
    "that the odds are not those of a real shoe. The drawing rounds, which favours some cards by about one part in 80 million.",
)
