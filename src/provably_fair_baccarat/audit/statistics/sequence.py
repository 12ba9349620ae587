"""Sequence: whether coups know of each other.

Every coup of pfb1 has a fresh shoe, so its winner is independent of all others. Two things are asked. *Runs*, as bettors see them on the
big road: given how often each side won, any order is equally likely, and the number of streaks has a mean and a variance that are exact.
*Serial*: the winners of two coups that lie 1 to 5 apart, as a table of three by three, are independent of each other.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from scipy.stats import chi2, norm

from .comparison import Cell, Comparison, Omission
from .frequencies import LEAST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..serial import SerialTally

SIDES: Final = ("player", "banker", "tie")
LEAST_WINS: Final = 20
"""The fewest wins of either side with which the number of runs is about normally distributed."""


class Moments(NamedTuple):
    """A mean and a variance, exactly."""

    mean: Fraction
    variance: Fraction


def compare_sequence(serial: SerialTally) -> Iterator[Comparison | Omission]:
    """Every comparison of the order of winners."""
    yield compare_runs(serial)
    for lag, counts in enumerate(serial.lags, start=1):
        yield independence(f"{lag} coup{'s' if lag > 1 else ''} apart", counts)


def compare_runs(serial: SerialTally) -> Comparison | Omission:
    """The test of Wald and Wolfowitz, over all stretches together."""
    if min(serial.player, serial.banker) < LEAST_WINS:
        return Omission("runs", "player and banker", f"Too few rounds: less than {LEAST_WINS} wins of a side.")
    mean, variance = runs_moments(serial)
    if not variance:
        return Omission("runs", "player and banker", "No coup follows another.")
    z = float(serial.runs - mean) / sqrt(variance)
    cells = (Cell("runs", serial.runs, mean),)
    return Comparison("runs", "player and banker", "normal", z, None, float(2 * norm.sf(abs(z))), serial.player + serial.banker, cells)


def runs_moments(serial: SerialTally) -> Moments:
    """Mean and variance of the number of runs, given the wins of both sides and the lengths of the stretches.

    A run begins with a stretch, and wherever neighbours differ. Every order of the wins being equally likely, two places differ with
    probability 2ab / (n (n - 1)); three in a row differ twice with ab / (n (n - 1)); and two pairs of neighbours without a common place
    both differ with 4a(a - 1)b(b - 1) / (n (n - 1) (n - 2) (n - 3)). With one stretch this is the formula of the textbooks.
    """
    a, b = serial.player, serial.banker
    n = a + b
    neighbours = n - serial.stretches
    touching = 2 * (n - 2 * serial.stretches + serial.singles)  # ordered pairs of neighbours with a common place
    apart = neighbours * (neighbours - 1) - touching
    differ = Fraction(2 * a * b, n * (n - 1))
    both = Fraction(4 * a * (a - 1) * b * (b - 1), n * (n - 1) * (n - 2) * (n - 3)) if n > 3 else Fraction(0)
    mean = neighbours * differ
    variance = mean + touching * differ / 2 + apart * both - mean**2
    return Moments(serial.stretches + mean, variance)


def expected_streaks(serial: SerialTally) -> tuple[float, ...]:
    """How many streaks of 1, 2, ... 24, 25 or more wins there should be, going by how often each side won.

    A streak of at least L begins with a stretch with probability p^L + q^L, and behind another win with q p^L + p q^L, if the stretch has
    room for it.
    """
    wins = serial.player + serial.banker
    if not wins:
        return (0.0,) * len(serial.streaks)
    p, q = serial.player / wins, serial.banker / wins
    room, at_least = wins, list[float]()
    for length, reaching in enumerate(serial.reaching, start=1):
        room -= reaching
        at_least.append(reaching * (p**length + q**length) + room * (q * p**length + p * q**length))
    return tuple(more - less for more, less in zip(at_least, [*at_least[1:], 0.0], strict=True))


def independence(subject: str, counts: Sequence[int]) -> Comparison | Omission:
    """Pearson's test of independence, on winners and later winners: 4 degrees of freedom."""
    total = sum(counts)
    rows = [sum(counts[3 * row : 3 * row + 3]) for row in range(3)]
    columns = [sum(counts[column::3]) for column in range(3)]
    if not total or min(rows) * min(columns) < LEAST * total:
        return Omission("serial", subject, f"Too few rounds: a cell with less than {LEAST} expected.")
    cells = [
        Cell(f"{SIDES[place // 3]}, then {SIDES[place % 3]}", count, Fraction(rows[place // 3] * columns[place % 3], total))
        for place, count in enumerate(counts)
    ]
    statistic = float(sum((cell.observed - cell.expected) ** 2 / cell.expected for cell in cells))
    return Comparison("serial", subject, "chi-square", statistic, 4, float(chi2.sf(statistic, 4)), total, tuple(cells))
