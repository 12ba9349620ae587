"""Cards: their suits, ranks, points and two ways of writing them.

A card's text is its rank and its suit in ASCII, `Kh` or `Ts`; its symbol is for people, `K♥` or `10♠`. There are 52 cards and one object
for each, whatever the number of decks: two equal cards are the same object.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn, final

from .errors import CardError, Slip, describe

if TYPE_CHECKING:
    from collections.abc import Mapping


class Suit(Enum):
    """The four suits, in the order of protocol step 5.1; the value is the letter of the card's text."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"

    @property
    def symbol(self) -> str:
        """The printed pip: ♠, ♥, ♦ or ♣."""
        return {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[self.value]


class Rank(Enum):
    """The thirteen ranks, in the order of protocol step 5.1; the value is the letter or digit of the card's text."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    @property
    def points(self) -> int:
        """What the rank counts at baccarat: ace 1, two to nine as printed, ten, jack, queen and king 0 (protocol step 6)."""
        return "TA23456789".find(self.value) if self.value not in "JQK" else 0


@final
class Card:
    """One of the 52 cards. `Card(Rank.KING, Suit.HEARTS) is Card.parse("Kh")`.

    `points` is what the card counts at baccarat, 0 to 9.
    """

    __slots__ = ("_text", "points", "rank", "suit")

    rank: Rank
    suit: Suit
    points: int
    _text: str

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        """The card of this rank and suit: always the same object."""
        if not (isinstance(rank, Rank) and isinstance(suit, Suit)):
            raise CardError("card", "a Rank and a Suit", f"{describe(rank)} and {describe(suit)}")
        return _BY_TEXT[rank.value + suit.value]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card's text: one of `A23456789TJQK`, then one of `shdc`.

        Raises CardError for any other spelling.
        """
        card = _BY_TEXT.get(text) if isinstance(text, str) else None
        if card is None:
            raise CardError("card", "a rank of A23456789TJQK and a suit of shdc, like Kh", describe(text), _slips(text))
        return card

    @property
    def symbol(self) -> str:
        """The card as people print it: `K♥`, `10♠`."""
        rank = "10" if self.rank is Rank.TEN else self.rank.value
        return rank + self.suit.symbol

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card.parse({self._text!r})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card never changes: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a card never changes: cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Card.parse, (self._text,)


def _print_deck() -> tuple[Card, ...]:
    deck: list[Card] = []
    for suit in Suit:
        for rank in Rank:
            card = object.__new__(Card)
            for name, value in (("rank", rank), ("suit", suit), ("points", rank.points), ("_text", rank.value + suit.value)):
                object.__setattr__(card, name, value)
            deck.append(card)
    return tuple(deck)


def _slips(text: object) -> tuple[Slip, ...]:
    if not isinstance(text, str):
        return ()
    plain = text.strip().replace("10", "T").translate(str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc"))
    spelling = plain[:1].upper() + plain[1:].lower()
    return (Slip("card_spelling", f"Its text would be {spelling!r}."),) if spelling in _BY_TEXT else ()


DECK: tuple[Card, ...] = _print_deck()
"""The 52 cards in the factory order of protocol step 5.1: ace to king of spades, then hearts, diamonds and clubs."""

_BY_TEXT: Mapping[str, Card] = MappingProxyType({str(card): card for card in DECK})
