"""The coup: both hands, dealt by the tableau from cards in order.

This module takes cards and never learns where they came from: a shoe, a seed or a person at a real table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from ..cards import Card
from ..errors import DealError, Slip, describe
from ..frozen import open_twin
from .tableau import banker_draws, player_draws

if TYPE_CHECKING:
    from collections.abc import Iterable


class Outcome(StrEnum):
    """Who wins a coup; the value, and the text, is the name of the bet on it."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


_PLAYER, _BANKER, _TIE = Outcome  # a look-up in an Enum is slow enough to be seen in a coup


@dataclass(frozen=True, slots=True)
class Hand:
    """The two or three cards of the player or the banker, in the order they were dealt.

    Raises DealError for anything else.
    """

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        try:
            cards = tuple(self.cards)
        except TypeError:
            raise DealError("hand", "2 or 3 cards", describe(self.cards)) from None
        if not all(type(card) is Card for card in cards):
            raise _not_a_card(*cards)
        if not 2 <= len(cards) <= 3:
            raise DealError("hand", "2 or 3 cards", f"{len(cards)}")
        object.__setattr__(self, "cards", cards)

    @property
    def score(self) -> int:
        """The sum of the cards' points mod 10, 0 to 9."""
        points = 0
        for card in self.cards:
            points += card.points
        return points % 10

    @property
    def is_natural(self) -> bool:
        """Whether the hand is two cards that score 8 or 9, which ends the coup (protocol step 6.1)."""
        return len(self.cards) == 2 and self.score >= 8

    @property
    def is_pair(self) -> bool:
        """Whether the first two cards are equal in rank, whatever follows; a king and a queen are no pair."""
        return self.cards[0].rank is self.cards[1].rank


@dataclass(frozen=True, slots=True)
class Coup:
    """One deal: the player's and the banker's hand. Everything else about a coup follows from these.

    Raises DealError for hands that the tableau does not deal.
    """

    player: Hand
    banker: Hand

    def __post_init__(self) -> None:
        if not (isinstance(self.player, Hand) and isinstance(self.banker, Hand)):
            raise DealError("coup", "two hands", f"{describe(self.player)} and {describe(self.banker)}")
        try:
            dealt = deal_coup(self.cards)
        except DealError as error:
            raise DealError("coup", "hands that the tableau deals", f"hands that it would deal on ({error})") from None
        if dealt != self:
            hands = f"player {_text(self.player.cards)}, banker {_text(self.banker.cards)}"
            raise DealError("coup", f"hands that the tableau deals, {_text(dealt.cards)}", hands)

    @property
    def winner(self) -> Outcome:
        """The hand with the higher score, or a tie (protocol step 6.5)."""
        player, banker = self.player.score, self.banker.score
        if player > banker:
            return _PLAYER
        return _BANKER if banker > player else _TIE

    @property
    def natural(self) -> bool:
        """Whether either hand is a natural, so that nobody drew."""
        return self.player.is_natural or self.banker.is_natural

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the coup in the order they left the shoe: player, banker, player, banker, then the third cards."""
        player, banker = self.player.cards, self.banker.cards
        return (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])

    @property
    def cards_used(self) -> int:
        """How many cards the coup took from the shoe: 4, 5 or 6."""
        return len(self.player.cards) + len(self.banker.cards)


_OpenHand = open_twin(Hand)
_OpenCoup = open_twin(Coup)


def deal_coup(cards: Iterable[Card]) -> Coup:
    """Deal one coup from cards in the order of positions 1, 2, ... (protocol step 6).

    Takes as many cards as the coup needs, 4 to 6, and leaves the rest: an iterator over a shoe stands at the next coup's first card
    afterwards. Raises DealError if the cards run out or something else than a card is among those needed.
    """
    try:
        shoe = iter(cards)
    except TypeError:
        raise DealError(_SUBJECT, "an iterable of cards", describe(cards)) from None
    try:
        player_1, banker_1, player_2, banker_2 = islice(shoe, 4)
    except ValueError:
        raise DealError(_SUBJECT, "at least 4 cards", "fewer") from None
    if not type(player_1) is type(banker_1) is type(player_2) is type(banker_2) is Card:
        raise _not_a_card(player_1, banker_1, player_2, banker_2)
    player_score = (player_1.points + player_2.points) % 10
    banker_score = (banker_1.points + banker_2.points) % 10
    player: tuple[Card, ...] = (player_1, player_2)
    banker: tuple[Card, ...] = (banker_1, banker_2)
    if player_score < 8 and banker_score < 8:
        player_third = None
        if player_draws(player_score):
            card = next(shoe, None)
            if type(card) is not Card:
                raise _not_a_card(card)
            player_third = card.points
            player = (player_1, player_2, card)
        if banker_draws(banker_score, player_third):
            card = next(shoe, None)
            if type(card) is not Card:
                raise _not_a_card(card)
            banker = (banker_1, banker_2, card)
    coup = _OpenCoup()
    coup.player = hand = _OpenHand()
    hand.cards = player
    hand.__class__ = Hand
    coup.banker = hand = _OpenHand()
    hand.cards = banker
    hand.__class__ = Hand
    coup.__class__ = Coup
    return coup  # type: ignore[no-any-return]  # it is a Coup since the line before


_SUBJECT = "cards of a coup"


def _not_a_card(*cards: object) -> DealError:
    """The refusal of the first of these that is no card; None stands for a third card that is not there."""
    found = next(card for card in cards if type(card) is not Card)
    if found is None:
        return DealError(_SUBJECT, "a third card, as the tableau says", "no more cards")
    slips = (Slip("card_text", "Card.parse reads a card's text."),) if isinstance(found, str) else ()
    return DealError(_SUBJECT, "Card values", describe(found), slips)


def _text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))
