"""Returns: what bets returned, against what they should have, with the stakes that were really placed.

Expectation and variance are exact, each return rounded down as the pay table says (protocol step 7). Where many bets of like size are
summed, the sum is about normally distributed. Where one stake, or one rare payout, can move it far, that is not so: then the inequality of
Chebyshev takes its place, which holds for every distribution and is in no hurry to accuse.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from scipy.stats import binomtest, norm

from ...rules.multiplier import UNIT
from ...rules.odds import BetOdds, odds
from .comparison import Cell, Comparison, Omission

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...rules.pay_table import PayTable
    from ..bet_tally import BetTally
    from ..sums import BetKey, Sums

CONFIDENCE: Final = 0.99
"""How often an interval around the actual return holds the exact one, if the game is fair."""

MOST_SKEWED: Final = 0.05
"""The largest skewness of a sum that still counts as normally distributed."""

FEWEST: Final = 100
"""The fewest stakes of the largest size that a sum must be worth, to count so."""


@dataclass(frozen=True, slots=True)
class Return:
    """What the lines of one key returned, and what they should have.

    `expected` and `variance` are those of what comes back in all, in smallest currency units and their squares. `is_normal` says whether
    the sum can be taken as normally distributed. `hit_probability` is that of a line to return anything.
    """

    key: BetKey
    sums: Sums
    expected: Fraction
    variance: Fraction
    is_normal: bool
    hit_probability: Fraction

    @classmethod
    def of(cls, key: BetKey, tally: BetTally, pay_table: PayTable) -> Return:
        """Compare a bet's lines with its exact odds."""
        bet = odds(key.bet, pay_table, key.decks)
        expected, variance = moments(bet, tally)
        total = tally.total
        hit = 1 - bet.statuses["lost"]
        return cls(key, total, expected, variance, _is_normal(bet, total), hit)

    @property
    def rate(self) -> float:
        """What came back per unit staked."""
        return float(Fraction(self.sums.returned, self.sums.staked))

    @property
    def expected_rate(self) -> float:
        """What should come back per unit staked, with these stakes."""
        return float(self.expected / self.sums.staked)

    @property
    def deviation(self) -> float:
        """The standard deviation of what comes back per unit staked."""
        return sqrt(self.variance) / self.sums.staked

    @property
    def z(self) -> float:
        """By how many standard deviations more came back than should have."""
        return float(self.sums.returned - self.expected) / sqrt(self.variance) if self.variance else 0.0

    @property
    def p_value(self) -> float:
        """How often a fair game would be off at least so far, either way; or, by Chebyshev, an upper bound of it."""
        z = abs(self.z)
        return float(2 * norm.sf(z)) if self.is_normal else min(1.0, 1 / z**2) if z else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """What a fair return per unit staked can be, going by the actual one, with a confidence of 99 %."""
        width = (float(norm.isf((1 - CONFIDENCE) / 2)) if self.is_normal else 1 / sqrt(1 - CONFIDENCE)) * self.deviation
        return self.rate - width, self.rate + width

    def comparisons(self, name: str = "return") -> Iterator[Comparison]:
        """The comparison of amounts, and where it is about bets that were taken, that of hits."""
        key, sums = self.key, self.sums
        subject = f"{key.bet}, {key.decks} decks, table {key.pay_table[:8]}"
        method = "normal" if self.is_normal else "chebyshev"
        cells = (Cell("returned", sums.returned, self.expected),)
        yield Comparison(name, subject, method, self.z, None, self.p_value, sums.lines, cells)
        if name == "return":
            exact = float(binomtest(sums.hits, sums.lines, float(self.hit_probability)).pvalue)
            expected = sums.lines * self.hit_probability
            z = float(sums.hits - expected) / sqrt(expected * (1 - self.hit_probability) or 1)
            yield Comparison("hits", subject, "binomial", z, None, exact, sums.lines, (Cell("hits", sums.hits, expected),))

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON: amounts are texts of digits, exact figures are fractions, the rest are numbers."""
        low, high = self.interval
        return {
            **self.key._asdict(),
            "lines": self.sums.lines,
            "staked": str(self.sums.staked),
            "returned": str(self.sums.returned),
            "expected": str(self.expected),
            "variance": str(self.variance),
            "rate": self.rate,
            "expected_rate": self.expected_rate,
            "deviation": self.deviation,
            "interval": [low, high],
            "z": self.z,
            "is_normal": self.is_normal,
            "hits": self.sums.hits,
            "expected_hits": str(self.sums.lines * self.hit_probability),
            "p_value": self.p_value,
        }


def moments(bet: BetOdds, tally: BetTally) -> tuple[Fraction, Fraction]:
    """Expectation and variance of what comes back of all lines together, which are of different coups; exactly.

    A stake is q steps and a remainder r. At a multiplier M it returns k q + c, where k is what a step returns and c what r does, rounded
    down; so sums of q and of its square are all that is needed.
    """
    step, deals = tally.step, bet.deals
    payments = [(ways, bet.payments[answer].multiplier) for answer, ways in bet.ways.items() if ways]
    expected = square = mean_square = Fraction(0)
    for remainder, sums in tally.sums.items():
        steps = (sums.staked - sums.lines * remainder) // step
        squares = (sums.squared - 2 * remainder * sums.staked + sums.lines * remainder**2) // step**2
        k_mean = c_mean = Fraction(0)
        for ways, multiplier in payments:
            k, c = step * multiplier // UNIT, remainder * multiplier // UNIT
            probability = Fraction(ways, deals)
            k_mean += probability * k
            c_mean += probability * c
            square += probability * (k * k * squares + 2 * k * c * steps + c * c * sums.lines)
        expected += k_mean * steps + c_mean * sums.lines
        mean_square += k_mean**2 * squares + 2 * k_mean * c_mean * steps + c_mean**2 * sums.lines
    return expected, square - mean_square


def compare_returns(
    bets: Mapping[BetKey, BetTally], pay_tables: Mapping[str, PayTable], name: str = "return"
) -> tuple[list[Return], list[Omission]]:
    """The returns of every key whose pay table is known."""
    known: list[Return] = []
    unknown: list[Omission] = []
    for key, tally in bets.items():
        table = pay_tables.get(key.pay_table)
        if table is None or key.bet not in table.offers:
            unknown.append(Omission(name, f"{key.bet}, table {key.pay_table[:8]}", "The pay table is not known."))
        else:
            known.append(Return.of(key, tally, table))
    return known, unknown


def _is_normal(bet: BetOdds, sums: Sums) -> bool:
    """Whether the skewness of the sum is small for sure, and no stake weighs too much in it."""
    mean, variance = bet.expected_return, bet.variance
    third = sum(
        probability * (Fraction(bet.payments[answer].multiplier, UNIT) - mean) ** 3 for answer, probability in bet.probabilities.items()
    )
    if not variance:
        return False
    skewness = abs(float(third)) / float(variance) ** 1.5
    share = sums.largest / sqrt(sums.squared)  # the sum of cubes is at most the largest stake times the sum of squares
    return skewness * share <= MOST_SKEWED and share**2 * FEWEST <= 1
