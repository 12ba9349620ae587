"""Bet lines summed exactly, whatever the amounts, by a code that each line has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..canonical import Json

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


class Summed(NamedTuple):
    """Lines summed by code: every code that occurs, and for each of them what `Sums` has."""

    codes: NDArray[np.int64]
    columns: tuple[NDArray[Any], ...]


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
        """What was added: int64 where that holds all of it."""
        if self._limbs is None:
            return self._whole
        low, *high = self._limbs
        if not high:
            return low
        exact: NDArray[Any] = low.astype(object) + (high[0].astype(object) << _LIMB)
        return exact if int(high[0].max()) >> (62 - _LIMB) else low + (high[0] << _LIMB)
