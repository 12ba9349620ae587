"""A shoe dealt through: burn, coup after coup, and the cut card that ends it.

It is fed by any ordered cards and never learns what put them in that order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

from ..cards import Card
from ..errors import DealError, describe
from .coup import deal_coup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .coup import Coup

CUT_CARD: Final = 14
"""How many cards lie behind the cut card, by the protocol and by custom."""

MIN_CUT_CARD: Final = 11
"""With fewer cards behind the cut card, the last coup could run out of them."""

_TEN = 10


class ShoeSession:
    """The coups of one shoe, one by one: an iterator that ends after the last coup (protocol step 10).

    `cards` is the shoe in order. Its first card is exposed, and as many more are burnt as it says: one for an ace, ten for a ten or a
    picture. The cut card lies `cut_card` cards from the end, at least 11: a coup that begins behind it is the last, and after a coup that
    meets it one more follows. Raises DealError if that leaves no coup to deal.
    """

    __slots__ = ("_cards", "_coups_left", "_cut_slot", "_slot", "burnt")

    def __init__(self, cards: Iterable[Card], *, cut_card: int = CUT_CARD) -> None:
        try:
            self._cards = tuple(cards)
        except TypeError:
            raise DealError("shoe", "an iterable of cards", describe(cards)) from None
        for card in self._cards:
            if type(card) is not Card:
                raise DealError("shoe", "Card values", describe(card))
        if type(cut_card) is not int or cut_card < MIN_CUT_CARD:
            raise DealError("cut_card", f"a whole number of cards from {MIN_CUT_CARD}", describe(cut_card))
        self.burnt = self._cards[: 1 + (self._cards[0].points or _TEN)] if self._cards else ()
        """The cards that are out before the first coup: the exposed one, then the burnt ones."""
        self._slot = len(self.burnt)
        if len(self._cards) - self._slot < 6:
            raise DealError("shoe", "at least 6 cards behind the burnt ones", f"{len(self._cards)} cards")
        self._cut_slot = len(self._cards) - cut_card
        self._coups_left: int | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Coup:
        """Deal the next coup, or raise StopIteration after the last."""
        first = self._slot
        if first >= self._cut_slot and self._coups_left is None:
            self._coups_left = 1
        if self._coups_left == 0:
            raise StopIteration
        coup = deal_coup(self._cards[first : first + 6])
        self._slot += coup.cards_used
        if self._coups_left is not None:
            self._coups_left -= 1
        elif self._slot > self._cut_slot:
            self._coups_left = 1
        return coup

    @property
    def is_over(self) -> bool:
        """Whether the last coup has been dealt."""
        return self._coups_left == 0

    @property
    def cards_dealt(self) -> int:
        """How many cards have left the shoe, the burnt ones among them."""
        return self._slot

    @property
    def cards_left(self) -> tuple[Card, ...]:
        """The cards still in the shoe, in order."""
        return self._cards[self._slot :]
