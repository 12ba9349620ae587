"""Bets of a specimen: which, how much, and what comes back (protocol step 7), settled by tables of this file alone.

Only bets that look at scores and numbers of cards, and those on pairs, are made here: what they come to stands in a small table, filled by
asking each bet's own event once for every class of coups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...rules.multiplier import UNIT
from ...rules.odds import Shoe
from ...rules.odds.figures import classes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...rules.pay_table import PayTable

    Array = NDArray[Any]

STATUSES: Final = ("won", "pushed", "lost")
MAIN: Final = ("player", "banker", "tie")
ON_PAIRS: Final = {"player_pair": (True, False), "banker_pair": (False, True), "either_pair": (True, True)}
CHIPS: Final = (100, 500, 1000, 2500, 10_000, 333, 50)

_CLASSES: Final = 400
_PAIRS: Final = 4  # neither hand a pair, the player's, the banker's, both
_MAIN_SHARES: Final = (0.44, 0.86)  # of rounds with a bet on the player, on the player or the banker


@dataclass(frozen=True, slots=True, eq=False)
class Coups:
    """What bets see of some coups: their classes, (player's score x 10 + banker's) x 4 + who drew, and which hands are pairs."""

    classes: Array
    pairs: Array

    @classmethod
    def of(cls, records: Array) -> Coups:
        """Read the kernel's records."""
        classes = (records["player_score"].astype(np.int32) * 10 + records["banker_score"]) * 4 + (records["flags"] & 3)
        ranks = records["cards"][:, :4] % 13
        return cls(classes, (ranks[:, 0] == ranks[:, 2]) + 2 * (ranks[:, 1] == ranks[:, 3]))


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Bets by rounds: how many each round has, then for each line its bet, stake, status and return."""

    sizes: Array
    bet: Array
    stake: Array
    status: Array
    returned: Array


class Counter:
    """Where bets are made and settled: for a few pay tables, by their places."""

    def __init__(self, pay_tables: tuple[PayTable, ...]) -> None:
        makeable = [[name for name, offer in table.offers.items() if _can_make(name, offer.bet.needs)] for table in pay_tables]
        self.names = tuple(dict.fromkeys((*MAIN, *(name for names in makeable for name in names))))
        self._sides = [np.asarray([self.names.index(name) for name in names if name not in MAIN] or [-1], np.int32) for names in makeable]
        kinds = _CLASSES * _PAIRS
        self._status = np.full((len(pay_tables), len(self.names), kinds), 2, np.uint8)
        self._multiplier = np.zeros((len(pay_tables), len(self.names), kinds), np.int64)
        for place, (table, names) in enumerate(zip(pay_tables, makeable, strict=True)):
            for name in names:
                self._status[place, self.names.index(name)], self._multiplier[place, self.names.index(name)] = _payments(table, name)

    def make(self, chance: np.random.Generator, tables: Array, coups: Coups) -> Lines:
        """Bets on some coups: a main bet on each, at times another one, at times a side bet where the table has any."""
        count = len(tables)
        first = np.searchsorted(_MAIN_SHARES, chance.random(count), side="right").astype(np.int32)
        second = (first + chance.integers(1, 3, count, dtype=np.int32)) % 3
        side = np.full(count, -1, np.int32)
        for place, sides in enumerate(self._sides):
            of_table = np.flatnonzero(tables == place)
            side[of_table] = sides[chance.integers(0, len(sides), len(of_table))]
        is_made = np.ones((count, 3), np.bool_)
        is_made[:, 1] = chance.random(count) < 0.25
        is_made[:, 2] = (chance.random(count) < 0.3) & (side >= 0)
        bet = np.stack([first, second, side], axis=1)[is_made]
        stake = np.asarray(CHIPS, np.int64)[chance.integers(0, len(CHIPS), len(bet))] * chance.integers(1, 21, len(bet))
        sizes = is_made.sum(1)
        status, multiplier = self._settle(np.repeat(tables, sizes), bet, np.repeat(coups.classes * _PAIRS + coups.pairs, sizes))
        return Lines(sizes, bet, stake, status, stake * multiplier // UNIT)

    def _settle(self, tables: Array, bet: Array, kinds: Array) -> tuple[Array, Array]:
        return self._status[tables, bet, kinds], self._multiplier[tables, bet, kinds]


def _can_make(name: str, needs: str) -> bool:
    return needs == "scores" or name in ON_PAIRS


def _payments(table: PayTable, name: str) -> tuple[Array, Array]:
    """Status and multiplier in millionths of a bet for each class of coups, and each way that hands can be pairs."""
    offer = table.offers[name]
    status, multiplier = np.full((_CLASSES, _PAIRS), 2, np.uint8), np.zeros((_CLASSES, _PAIRS), np.int64)
    if name in ON_PAIRS:
        player, banker = ON_PAIRS[name]
        for pairs in range(_PAIRS):
            won = bool((player and pairs & 1) or (banker and pairs & 2))
            payment = offer.payments[offer.bet.read(won)]
            status[:, pairs], multiplier[:, pairs] = STATUSES.index(payment.status), payment.multiplier
        return status.reshape(-1), multiplier.reshape(-1)
    for coup, counted in classes_of(Shoe.of_decks(8)).items():
        drew = (coup.player_cards == 3) + 2 * (coup.banker_cards == 3)
        place = (coup.player_score * 10 + coup.banker_score) * 4 + drew
        payment = offer.payments[offer.bet.result(counted.example)]
        status[place], multiplier[place] = STATUSES.index(payment.status), payment.multiplier
    return status.reshape(-1), multiplier.reshape(-1)
