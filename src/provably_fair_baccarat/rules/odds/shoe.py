"""What a coup is dealt from, as far as its odds go: how many of each card there are, and whether a dealt card comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ...cards import DECK, Card, Rank
from ...errors import DealError, DecksError, Slip, describe

MIN_CARDS: Final = 6
"""The fewest cards that a coup may start from: it may need all six."""

MAX_DECKS: Final = 8

MAX_COUNT: Final = 10**6
"""The most cards of one kind: more than any shoe has, and few enough to count with."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """The cards that a coup is dealt from, whatever their order: every order is as likely as any other.

    Make one with `Shoe.of_decks(8)`, `Shoe.infinite()` or `Shoe.remaining({card: number left})`. `counts` is how many there are of each
    card, in the order of `DECK`; equal counts are equal shoes. With `replaced`, each dealt card comes back before the next: the model of
    an infinite deck. Raises DealError for anything else than 52 whole numbers from 0 that sum to 6 or more.
    """

    counts: tuple[int, ...]
    replaced: bool = False

    def __post_init__(self) -> None:
        counts = self.counts
        if not isinstance(counts, tuple) or len(counts) != len(DECK):
            raise DealError("counts of a shoe", "a tuple of 52 whole numbers", describe(counts))
        for card, count in zip(DECK, counts, strict=True):
            if type(count) is not int or not 0 <= count <= MAX_COUNT:
                raise DealError(f"number of {card} in a shoe", f"a whole number from 0 to {MAX_COUNT:,}", describe(count))
        if type(self.replaced) is not bool:
            raise DealError("replaced", "True or False", describe(self.replaced))
        if sum(counts) < MIN_CARDS:
            raise DealError("cards of a shoe", f"{MIN_CARDS} or more, since a coup may need so many", f"{sum(counts)}")

    @classmethod
    def of_decks(cls, decks: int) -> Shoe:
        """A fresh shoe of 1 to 8 decks of 52 cards. Raises DecksError for any other number."""
        if type(decks) is not int or not 1 <= decks <= MAX_DECKS:
            raise DecksError("decks", f"a whole number from 1 to {MAX_DECKS}", describe(decks))
        return cls((decks,) * len(DECK))

    @classmethod
    def infinite(cls) -> Shoe:
        """Infinitely many decks: each card is any of the 52 with the same probability, whatever was dealt before."""
        return cls((1,) * len(DECK), replaced=True)

    @classmethod
    def remaining(cls, cards: Mapping[Card, int]) -> Shoe:
        """What is left of a shoe: how many there still are of each card; a card that isn't named is gone.

        `Shoe.remaining(Counter(cards_left))` counts a list of cards. Raises DealError for anything else than cards and whole numbers from
        0, and for fewer than 6 cards.
        """
        if not isinstance(cards, Mapping):
            raise DealError("remaining cards", "a mapping from card to how many are left", describe(cards))
        for card in cards:
            if type(card) is not Card:
                slips = (Slip("card_text", "Card.parse reads a card's text."),) if isinstance(card, str) else ()
                raise DealError("remaining cards", "Card values", describe(card), slips)
        return cls(tuple(cards.get(card, 0) for card in DECK))

    @property
    def cards(self) -> int:
        """How many cards there are: 52 times the decks of a fresh shoe, and 52 for the infinite deck, whose cards all come back."""
        return sum(self.counts)

    @property
    def deals(self) -> int:
        """In how many ways six cards can be dealt in order: the number that all counts are out of.

        Six, although a coup may use four or five: all six positions exist, whatever the coup needs.
        """
        deals = 1
        for dealt in range(MIN_CARDS):
            deals *= self.cards - (0 if self.replaced else dealt)
        return deals

    @property
    def points(self) -> tuple[int, ...]:
        """How many cards there are of each number of points, 0 to 9."""
        counts = [0] * 10
        for card, count in zip(DECK, self.counts, strict=True):
            counts[card.points] += count
        return tuple(counts)

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many cards there are of each rank, ace to king."""
        return tuple(sum(self.counts[rank :: len(Rank)]) for rank in range(len(Rank)))


def read_shoe(shoe: Shoe | int) -> Shoe:
    """A shoe as it is; a whole number as that many fresh decks. Raises DecksError for anything else."""
    return shoe if isinstance(shoe, Shoe) else Shoe.of_decks(shoe)
