"""Bet lines summed exactly, whatever the amounts: by a code that each line has, or round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..kernel import native_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ..canonical import Json

_LINES: Final = 1 << 16  # lines at a time: what one step writes is still in the cache when the next one reads it
_LIMB: Final = 36  # bits of numbers of which a float adds so many exactly: 2^16 x 2^36 = 2^52
_INT64: Final = np.iinfo(np.int64).max
_WORDS: Final = 9  # lines, hits, the largest stake; stakes, their squares and returns, of two words each
_NATIVE_LINES: Final = 1 << 24  # of so many lines with stakes up to 2^52, the squares fit two words
_NATIVE_STAKE: Final = 1 << 52
_DENSE: Final = 1 << 20  # more codes than that are numbered anew, those that occur


class BetKey(NamedTuple):
    """A bet by its name, the digest of its pay table, the decks of its shoe and its currency, "" where nobody told it.

    Its lines have the same odds, and amounts that can be added.
    """

    bet: str
    pay_table: str
    decks: int
    currency: str = ""


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


def sum_lines(codes: NDArray[np.int64], size: int, stakes: NDArray[Any], returned: NDArray[Any], path: str | None = None) -> Summed:
    """The sums of lines by their code, 0 to size - 1; exact, whatever the amounts. `path` is one of `kernel_info().paths`."""
    native = native_columns(path)
    if (
        native is not None
        and size <= _DENSE
        and len(codes) <= _NATIVE_LINES
        and _is_below(stakes, _NATIVE_STAKE)
        and returned.dtype == np.int64
    ):
        return _sum_natively(native, codes, size, stakes, returned)
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


def _is_below(amounts: NDArray[Any], bound: int) -> bool:
    return amounts.dtype == np.int64 and int(amounts.max(initial=0)) <= bound


def _sum_natively(native: Any, codes: NDArray[np.int64], size: int, stakes: NDArray[np.int64], returned: NDArray[np.int64]) -> Summed:
    """The same in C."""
    sums = np.zeros((size, _WORDS), np.uint64)
    native.sum_lines(*map(np.ascontiguousarray, (codes, stakes, returned)), sums)
    met = np.flatnonzero(sums[:, 0])
    lines, hits, largest, *words = sums[met].T
    staked, squared, back = (_whole(low, high) for low, high in zip(words[::2], words[1::2], strict=True))
    return Summed(met, (lines.astype(np.int64), staked, squared, back, hits.astype(np.int64), largest.astype(np.int64)))


def _whole(low: NDArray[np.uint64], high: NDArray[np.uint64]) -> NDArray[Any]:
    """Numbers of two words: int64 where that holds all of them."""
    if not high.any() and int(low.max(initial=0)) <= _INT64:
        return low.astype(np.int64)
    exact: NDArray[Any] = low.astype(object) + (high.astype(object) << 64)
    return exact


def sum_rounds(
    row: NDArray[np.int32], amounts: NDArray[np.int64], large: Mapping[int, int], count: int, path: str | None = None
) -> NDArray[Any]:
    """The sum of the amounts of each of so many rounds, given the rounds of the lines in ascending order.

    `large` has, by line, the amounts that an int64 does not hold; the sums are whole numbers of Python where an int64 might not hold one. `path` is one of
    `kernel_info().paths`.
    """
    native = native_columns(path)
    totals: NDArray[Any] = np.zeros(count, np.int64)
    if native is not None and not large:
        try:
            native.add_amounts(row, np.ascontiguousarray(amounts), totals)
        except ValueError:  # a sum that an int64 does not hold
            totals[:] = 0
        else:
            return totals
    if large or int(amounts.max(initial=0)) > _INT64 // max(1, len(amounts)):
        totals = totals.astype(object)
        exact = amounts.astype(object)
        for line, amount in large.items():
            exact[line] = amount
        np.add.at(totals, row, exact)
    elif len(amounts):
        starts = np.flatnonzero(np.diff(row, prepend=-1))
        totals[row[starts]] = np.add.reduceat(amounts, starts)
    return totals


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
