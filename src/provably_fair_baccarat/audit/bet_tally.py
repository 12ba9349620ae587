"""What was staked and returned, summed exactly: by bet, pay table and decks, and in the course of time.

A return is `stake x multiplier` rounded down, so what a stake should return on average depends on more than its size. Stakes are therefore
summed by what is left of them in division by a `step` at which the table rounds nothing (`stake_step` of one bet). From number, sum and
sum of squares for each remainder, the exact expectation and variance of all of them together follow.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import gcd, lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..rules.multiplier import UNIT
from .dealt import UNKNOWN_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ..canonical import Json
    from ..rules.pay_table import PayTable
    from .dealt import Dealt

BUCKETS: Final = 128
"""A curve has at most so many points, and at least half as many where there are so many moments."""

TIME: Final = "time"
NONCE: Final = "nonce"

_LINES: Final = 1 << 16  # lines at a time: what one step writes is still in the cache when the next one reads it
_LIMB: Final = 36  # bits of numbers of which a float adds so many exactly: 2^16 x 2^36 = 2^52
_DENSE: Final = 1 << 20  # more codes than that are numbered anew, those that occur


class BetKey(NamedTuple):
    """A bet by its name, the digest of its pay table and the decks of its shoe: lines that have the same odds."""

    bet: str
    pay_table: str
    decks: int


class Sums(NamedTuple):
    """Lines summed: how many, their stakes, the squares of these, what came back, how many returned anything, and the largest stake."""

    lines: int = 0
    staked: int = 0
    squared: int = 0
    returned: int = 0
    hits: int = 0
    largest: int = 0

    def plus(self, other: Sums) -> Sums:
        """Both."""
        return Sums(
            self.lines + other.lines,
            self.staked + other.staked,
            self.squared + other.squared,
            self.returned + other.returned,
            self.hits + other.hits,
            max(self.largest, other.largest),
        )

    def to_list(self) -> list[Json]:
        """The sums as JSON: amounts are texts of digits."""
        return [self.lines, str(self.staked), str(self.squared), str(self.returned), self.hits, str(self.largest)]

    @classmethod
    def from_list(cls, form: list[Any]) -> Sums:
        """What `to_list` made."""
        return cls(*map(int, form))


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
        merged: defaultdict[int, Sums] = defaultdict(Sums)
        for tally in (self, other):
            for remainder, sums in tally.sums.items():
                merged[remainder % step] = merged[remainder % step].plus(sums)
        return BetTally(step, MappingProxyType(dict(sorted(merged.items()))))

    def to_dict(self) -> dict[str, Json]:
        """The tally as JSON."""
        return {"step": self.step, "sums": {str(remainder): sums.to_list() for remainder, sums in self.sums.items()}}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> BetTally:
        """What `to_dict` made."""
        sums = {int(remainder): Sums.from_list(each) for remainder, each in form["sums"].items()}
        return cls(form["step"], MappingProxyType(sums))


@dataclass(frozen=True, slots=True)
class Curve:
    """Sums in the course of something that grows: microseconds since 1970, or nonces.

    `first` and `last` are the ends. A bucket is 2^level moments wide, where the level is the smallest that makes at most `BUCKETS` of them:
    it depends on the ends alone, and not on what was merged when. `points` are sums by bucket and key.
    """

    first: int
    last: int
    points: Mapping[tuple[int, BetKey], Sums]

    @property
    def level(self) -> int:
        """How many binary digits of a moment a bucket leaves out."""
        return level_of(self.first, self.last)

    def plus(self, other: Curve) -> Curve:
        """Both."""
        first, last = min(self.first, other.first), max(self.last, other.last)
        level = level_of(first, last)
        merged: defaultdict[tuple[int, BetKey], Sums] = defaultdict(Sums)
        for curve in (self, other):
            shift = level - curve.level
            for (bucket, key), sums in curve.points.items():
                place = bucket >> shift, key
                merged[place] = merged[place].plus(sums)
        return Curve(first, last, MappingProxyType(dict(sorted(merged.items()))))

    def to_dict(self) -> dict[str, Json]:
        """The curve as JSON."""
        points: list[Json] = [[bucket, *key, *sums.to_list()] for (bucket, key), sums in self.points.items()]
        return {"first": self.first, "last": self.last, "points": points}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Curve:
        """What `to_dict` made."""
        points = {(bucket, BetKey(bet, table, decks)): Sums.from_list(sums) for bucket, bet, table, decks, *sums in form["points"]}
        return cls(form["first"], form["last"], MappingProxyType(points))


class LineTally(NamedTuple):
    """What the lines of a batch came to."""

    bets: Mapping[BetKey, BetTally]
    curves: Mapping[str, Curve]


def level_of(first: int, last: int) -> int:
    """The smallest level at which the buckets from first to last are at most `BUCKETS`."""
    level = max(0, (last - first).bit_length() - BUCKETS.bit_length())
    while (last >> level) - (first >> level) >= BUCKETS:
        level += 1
    return level


def bet_step(bet: str, pay_table: PayTable | None) -> int:
    """The smallest step of stakes at which no return of this bet is rounded; a million, which is one for any bet, where that is unknown."""
    if pay_table is None or bet not in pay_table.offers:
        return UNIT
    return lcm(*(UNIT // gcd(UNIT, payment.multiplier) for payment in pay_table.offers[bet].payments.values()))


def tally_lines(dealt: Dealt, pay_tables: Mapping[str, PayTable]) -> LineTally:
    """Sum the bet lines of sound rounds."""
    grid = _Grid(dealt, pay_tables)
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
    """Sums by bucket, decks, bet, pay table and remainder. Their code is one number, and a line adds to the sums of its code."""

    def __init__(self, dealt: Dealt, pay_tables: Mapping[str, PayTable]) -> None:
        self._dealt = dealt
        self._keys = [(bet, table) for bet in dealt.bets for table in dealt.pay_tables]
        self._steps = [bet_step(bet, pay_tables.get(table)) for bet, table in self._keys]
        self._offsets = np.cumsum([0, *self._steps])
        self._decks = np.flatnonzero(np.bincount(dealt.decks, minlength=1))
        self._bets: defaultdict[BetKey, defaultdict[int, Sums]] = defaultdict(lambda: defaultdict(Sums))
        self._curves: dict[str, Curve] = {}

    def add(self, name: str, places: slice | NDArray[np.int64], moments: NDArray[np.int64]) -> None:
        """Add lines, whose moments of this kind are told."""
        dealt = self._dealt
        first, last = int(moments.min()), int(moments.max())
        level = level_of(first, last)
        stakes = dealt.line_stake[places]
        codes = np.empty(len(stakes), np.int64)
        for start in range(0, len(codes), _LINES):
            part = slice(start, start + _LINES)
            lines: Any = part if isinstance(places, slice) else places[part]
            codes[part] = self._codes(lines, (moments[part] >> level) - (first >> level))
        size = ((last >> level) - (first >> level) + 1) * len(self._decks) * int(self._offsets[-1])
        summed = sum_lines(codes, size, stakes, dealt.line_returned[places])
        slots = len(self._decks) * int(self._offsets[-1])
        for code, sums in summed.grouped(summed.codes % slots):
            _, key, remainder = self._read(code)
            self._bets[key][remainder] = self._bets[key][remainder].plus(sums)
        points: dict[tuple[int, BetKey], Sums] = {}
        firsts = self._offsets[np.searchsorted(self._offsets, summed.codes % self._offsets[-1], side="right") - 1]
        for code, sums in summed.grouped(summed.codes - summed.codes % self._offsets[-1] + firsts):  # whatever the remainder
            bucket, key, _ = self._read(code)
            points[bucket + (first >> level), key] = sums
        self._curves[name] = Curve(first, last, MappingProxyType(dict(sorted(points.items()))))

    def _codes(self, lines: Any, buckets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The codes of some lines that lie in these buckets."""
        dealt = self._dealt
        groups = dealt.line_bet[lines] * len(dealt.pay_tables) + dealt.line_pay_table[lines]
        codes: NDArray[np.int64] = buckets
        if len(self._decks) > 1:
            codes = codes * len(self._decks) + np.searchsorted(self._decks, dealt.decks[dealt.line_row[lines]])
        codes = codes * self._offsets[-1] + self._offsets[groups]
        if max(self._steps) > 1:
            stakes = dealt.line_stake[lines]
            is_short = stakes.dtype != object and int(stakes.max()) < 1 << 32  # numbers of 32 bits are divided in a quarter of the time
            stakes = stakes.astype(np.uint32) if is_short else stakes
            codes += (stakes % np.array(self._steps, np.uint32)[groups]).astype(np.int64)
        return codes

    def _read(self, code: int) -> tuple[int, BetKey, int]:
        """Bucket, key and remainder of a code."""
        rest, slot = divmod(code, int(self._offsets[-1]))
        bucket, decks = divmod(rest, len(self._decks))
        group = int(np.searchsorted(self._offsets, slot, side="right")) - 1
        return bucket, BetKey(*self._keys[group], int(self._decks[decks])), slot - int(self._offsets[group])

    def tally(self) -> LineTally:
        """What was added."""
        step_of = dict(zip(self._keys, self._steps, strict=True))
        bets = {
            key: BetTally(step_of[key.bet, key.pay_table], MappingProxyType(dict(sorted(sums.items()))))
            for key, sums in sorted(self._bets.items())
        }
        return LineTally(MappingProxyType(bets), MappingProxyType(dict(sorted(self._curves.items()))))


class Summed(NamedTuple):
    """Lines summed by code: every code that occurs, and for each of them what `Sums` has."""

    codes: NDArray[np.int64]
    columns: tuple[NDArray[Any], ...]

    def grouped(self, names: NDArray[np.int64]) -> list[tuple[int, Sums]]:
        """The sums of codes that have the same name, by name."""
        if not len(names):
            return []
        order = np.argsort(names, kind="stable")
        names = names[order]
        starts = np.flatnonzero(np.diff(names, prepend=names[0] - 1))
        *added, largest = (column[order] for column in self.columns)
        columns = (*(np.add.reduceat(column, starts) for column in added), np.maximum.reduceat(largest, starts))
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [(name, Sums(*row)) for name, row in zip(names[starts].tolist(), rows, strict=True)]


def sum_lines(codes: NDArray[np.int64], size: int, stakes: NDArray[Any], returned: NDArray[Any]) -> Summed:
    """The sums of lines by their code, 0 to size - 1; exact, whatever the amounts."""
    if size > _DENSE:
        names, codes = np.unique(codes, return_inverse=True)
        size = len(names)
    else:
        names = np.arange(size)
    lines, hits = np.zeros(size, np.int64), np.zeros(size, np.int64)
    largest = np.zeros(size, stakes.dtype)
    columns = [_Column(size, stakes), _Column(size, stakes, power=2), _Column(size, returned)]
    for start in range(0, len(codes), _LINES):
        part = slice(start, start + _LINES)
        chosen = codes[part]
        lines += np.bincount(chosen, minlength=size)
        hits += np.bincount(chosen, weights=returned[part] > 0, minlength=size).astype(np.int64)
        np.maximum.at(largest, chosen, stakes[part])
        for column in columns:
            column.add(chosen, part)
    met = np.flatnonzero(lines)
    sums = (lines, *(column.sums() for column in columns), hits, largest)
    return Summed(names[met], tuple(column[met] for column in sums))


class _Column:
    """Exact sums by code of whole numbers from 0, or of their squares.

    Where all of them have less than 63 bits, floats add them in limbs of 36 bits; else Python's whole numbers are added one by one.
    """

    def __init__(self, size: int, values: NDArray[Any], power: int = 1) -> None:
        self._values, self._power, self._size = values, power, size
        bits = power * int(values.max()).bit_length()
        self._limbs = None if bits > 62 else [np.zeros(size, np.int64) for _ in range(0, max(bits, 1), _LIMB)]
        self._whole = np.zeros(size, object)

    def add(self, codes: NDArray[np.int64], part: slice) -> None:
        """Add a part of the values, at most 2^16 of them."""
        values = self._values[part]
        if self._limbs is None:
            np.add.at(self._whole, codes, values.astype(object) ** self._power)
            return
        values = values.astype(np.int64, copy=False) ** self._power
        for place in range(len(self._limbs)):
            weights = values if len(self._limbs) == 1 else (values >> (_LIMB * place)) & ((1 << _LIMB) - 1)
            self._limbs[place] += np.bincount(codes, weights=weights, minlength=self._size).astype(np.int64)

    def sums(self) -> NDArray[Any]:
        """What was added."""
        if self._limbs is None:
            return self._whole
        return sum((limb.astype(object) << (_LIMB * place) for place, limb in enumerate(self._limbs)), self._whole)
