"""Bet lines tallied: what was staked and returned, summed exactly by bet, pay table and decks, and in the course of time.

A return is `stake x multiplier` rounded down, so what a stake should return on average depends on more than its size. Stakes are therefore
summed by what is left of them in division by a `step` at which the table rounds nothing (`stake_step` of one bet). From number, sum and
sum of squares for each remainder, the exact expectation and variance of all of them together follow.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import gcd, lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..rules.multiplier import UNIT
from .curve import NONCE, TIME, Curve, level_of
from .dealt import UNKNOWN_TIME
from .sums import BetKey, Sums, sum_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ..canonical import Json
    from ..rules.pay_table import PayTable
    from .dealt import Dealt


@dataclass(frozen=True, slots=True)
class BetTally:
    """All lines of one key: sums by the remainder of the stake in division by `step`.

    `step` is a multiple of the bet's stake step. Of two tallies with different ones, the merged one has the greatest common divisor.
    """

    step: int
    sums: Mapping[int, Sums]

    @property
    def total(self) -> Sums:
        """All remainders together."""
        total = Sums()
        for sums in self.sums.values():
            total = total.plus(sums)
        return total

    def plus(self, other: BetTally) -> BetTally:
        """Both."""
        step = gcd(self.step, other.step)
        merged: dict[int, Sums] = {}
        for tally in (self, other):
            for remainder, sums in tally.sums.items():
                place = remainder % step
                merged[place] = merged[place].plus(sums) if place in merged else sums
        return BetTally(step, MappingProxyType(dict(sorted(merged.items()))))

    def to_dict(self) -> dict[str, Json]:
        """The tally as JSON."""
        return {"step": self.step, "sums": {str(remainder): sums.to_list() for remainder, sums in self.sums.items()}}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> BetTally:
        """What `to_dict` made."""
        sums = {int(remainder): Sums.from_list(each) for remainder, each in form["sums"].items()}
        return cls(form["step"], MappingProxyType(sums))


class LineTally(NamedTuple):
    """What the lines of a batch came to."""

    bets: Mapping[BetKey, BetTally]
    curves: Mapping[str, Curve]


def bet_step(bet: str, pay_table: PayTable | None) -> int:
    """The smallest step of stakes at which no return of this bet is rounded; a million, which is one for any bet, where that is unknown."""
    if pay_table is None or bet not in pay_table.offers:
        return UNIT
    return lcm(*(UNIT // gcd(UNIT, payment.multiplier) for payment in pay_table.offers[bet].payments.values()))


def tally_lines(dealt: Dealt, pay_tables: Mapping[str, PayTable], path: str | None = None) -> LineTally:
    """Sum the bet lines of sound rounds."""
    grid = _Grid(dealt, pay_tables, path)
    rows = dealt.line_row
    chosen = None if dealt.is_sound.all() else dealt.is_sound[rows]
    moments = dealt.accepted_at[rows]
    is_timed = moments != UNKNOWN_TIME
    for name, is_so in ((TIME, is_timed), (NONCE, ~is_timed)):
        mask = is_so if chosen is None else is_so & chosen
        if mask.all() and len(mask):
            grid.add(name, slice(None), moments if name == TIME else dealt.nonce[rows])
        elif mask.any():
            places = np.flatnonzero(mask)
            grid.add(name, places, moments[places] if name == TIME else dealt.nonce[rows[places]])
    return grid.tally()


class _Grid:
    """Sums by key and remainder, and by bucket and key. A key's code is a number, and a line adds to the sums of its code."""

    def __init__(self, dealt: Dealt, pay_tables: Mapping[str, PayTable], path: str | None) -> None:
        self._dealt, self._path = dealt, path
        self._decks = np.flatnonzero(np.bincount(dealt.decks, minlength=1))
        bets = [(bet, table) for bet in dealt.bets for table in dealt.pay_tables]
        of_rounds = [(int(decks), currency) for currency in dealt.currencies or ("",) for decks in self._decks]
        self._keys = tuple(BetKey(*bet, *of_round) for of_round in of_rounds for bet in bets)
        self._steps = np.asarray([bet_step(bet, pay_tables.get(table)) for bet, table in bets] * len(of_rounds), np.int64)
        self._bets: defaultdict[BetKey, dict[int, Sums]] = defaultdict(dict)
        self._curves: dict[str, Curve] = {}

    def add(self, name: str, places: slice | NDArray[np.int64], moments: NDArray[np.int64]) -> None:
        """Add lines, whose moments of this kind are told."""
        dealt = self._dealt
        stakes, returned = dealt.line_stake[places], dealt.line_returned[places]
        keys = self._codes(places)
        occurring = np.flatnonzero(np.bincount(keys, minlength=len(self._keys)))
        starts = np.zeros(len(self._keys), np.int64)
        starts[occurring] = np.cumsum(self._steps[occurring]) - self._steps[occurring]
        slots = int(self._steps[occurring].sum())
        summed = sum_lines(starts[keys] + self._remainders(keys, stakes), slots, stakes, returned, self._path)
        key_of = occurring[np.searchsorted(starts[occurring], summed.codes, side="right") - 1]
        rows = zip(*(column.tolist() for column in (key_of, summed.codes - starts[key_of], *summed.columns)), strict=True)
        for key, remainder, *sums in rows:
            of_key = self._bets[self._keys[key]]
            of_key[remainder] = of_key[remainder].plus(Sums(*sums)) if remainder in of_key else Sums(*sums)
        first, last = int(moments.min()), int(moments.max())
        level = level_of(first, last)
        buckets = (moments >> level) - (first >> level)
        points = sum_lines(buckets * len(self._keys) + keys, (int(buckets.max()) + 1) * len(self._keys), stakes, returned, self._path)
        self._curves[name] = Curve.of(first, last, self._keys, points)

    def _codes(self, places: slice | NDArray[np.int64]) -> NDArray[np.int64]:
        """The codes of the keys of some lines."""
        dealt = self._dealt
        codes: NDArray[np.int64] = dealt.line_bet[places].astype(np.int64) * len(dealt.pay_tables) + dealt.line_pay_table[places]
        if len(self._decks) > 1:
            of_decks = np.zeros(256, np.int64)
            of_decks[self._decks] = np.arange(len(self._decks)) * (len(dealt.bets) * len(dealt.pay_tables))
            codes += of_decks[dealt.decks][dealt.line_row[places]]
        if dealt.currency is not None and len(dealt.currencies) > 1:
            codes += dealt.currency[dealt.line_row[places]].astype(np.int64) * (len(self._keys) // len(dealt.currencies))
        return codes

    def _remainders(self, keys: NDArray[np.int64], stakes: NDArray[Any]) -> Any:
        """What is left of each stake in division by its step."""
        if int(self._steps.max(initial=1)) == 1:
            return 0
        if stakes.dtype != object and int(stakes.max()) < 1 << 32:  # numbers of 32 bits are divided in a quarter of the time
            return stakes.astype(np.uint32) % self._steps.astype(np.uint32)[keys]
        return (stakes % self._steps[keys]).astype(np.int64)

    def tally(self) -> LineTally:
        """What was added."""
        step_of = dict(zip(self._keys, self._steps.tolist(), strict=True))
        bets = {key: BetTally(step_of[key], MappingProxyType(dict(sorted(sums.items())))) for key, sums in sorted(self._bets.items())}
        return LineTally(MappingProxyType(bets), MappingProxyType(dict(sorted(self._curves.items()))))
