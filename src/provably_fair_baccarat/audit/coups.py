"""Coups as arrays: what the tableau makes of many cards at once (protocol step 6), and which coups are alike to a bet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ..cards import DECK
from ..rules.tableau import banker_draws, player_draws
from .dealt import BANKER, PLAYER, TIE, UNUSED

if TYPE_CHECKING:
    from .dealt import Bytes, Codes, Flags

_POINTS: Final = np.asarray([card.points for card in DECK] + [0] * (256 - len(DECK)), np.uint8)
_PLAYER_DRAWS: Final = np.asarray([score < 8 and player_draws(score) for score in range(10)], np.bool_)
_STOOD: Final = 10
_BANKER_DRAWS: Final = np.asarray(
    [[score < 8 and banker_draws(score, None if third == _STOOD else third) for score in range(10)] for third in range(11)], np.bool_
)


@dataclass(frozen=True, slots=True, eq=False)
class Coups:
    """Coups by their cards, in order and 255 where there are none; scores, who won, and which third cards were drawn."""

    cards: Bytes
    player_score: Bytes
    banker_score: Bytes
    winner: Bytes
    player_drew: Flags
    banker_drew: Flags
    natural: Flags

    def taken(self, places: list[int]) -> Coups:
        """Some of them."""
        return Coups(*(getattr(self, name)[places] for name in self.__slots__))

    def replaced(self, places: list[int], others: Coups) -> Coups:
        """The same, with others in these places."""
        columns = [getattr(self, name).copy() for name in self.__slots__]
        for name, column in zip(self.__slots__, columns, strict=True):
            column[places] = getattr(others, name)
        return Coups(*columns)

    @property
    def used(self) -> Bytes:
        """How many cards each coup used."""
        return 4 + self.player_drew.view(np.uint8) + self.banker_drew.view(np.uint8)

    def hands(self) -> tuple[Bytes, Bytes]:
        """The cards of both hands, 255 where there is no third one."""
        hands = np.empty((2, len(self.cards), 3), np.uint8)
        for hand, place, third in zip(hands, (0, 1), self.third_cards(), strict=True):
            hand[:, 0], hand[:, 1], hand[:, 2] = self.cards[:, place], self.cards[:, place + 2], third
        return hands[0], hands[1]

    def third_cards(self) -> tuple[Bytes, Bytes]:
        """The third card of each hand, 255 where there is none.

        By masks, since nobody can guess who draws: a choice row by row takes ten times as long.
        """
        fifth, sixth = self.cards[:, 4], self.cards[:, 5]
        player_stood, banker_stood = (~drew * np.uint8(UNUSED) for drew in (self.player_drew, self.banker_drew))
        return fifth | player_stood, fifth & player_stood | sixth & ~player_stood | banker_stood

    def classes(self) -> Codes:
        """Coups with the same scores and numbers of cards have the same class, 0 to 399."""
        draws = self.player_drew.astype(np.int32) + 2 * self.banker_drew
        classes: Codes = self.player_score.astype(np.int32) * 10 + self.banker_score + 100 * draws
        return classes


def deal_coups(cards: Bytes) -> Coups:
    """Deal from six cards each, or from as many as are there (protocol step 6)."""
    points = _POINTS[cards]
    player, banker = (points[:, 0] + points[:, 2]) % 10, (points[:, 1] + points[:, 3]) % 10
    natural = (player >= 8) | (banker >= 8)
    player_drew = _PLAYER_DRAWS[player] & ~natural
    third = np.where(player_drew, points[:, 4], _STOOD)
    banker_drew = _BANKER_DRAWS[third, banker] & ~natural
    player = (player + player_drew * points[:, 4]) % 10
    banker = (banker + banker_drew * np.where(player_drew, points[:, 5], points[:, 4])) % 10
    winner = np.where(player > banker, PLAYER, np.where(banker > player, BANKER, TIE)).astype(np.uint8)
    return Coups(cards, player, banker, winner, player_drew, banker_drew, natural)
