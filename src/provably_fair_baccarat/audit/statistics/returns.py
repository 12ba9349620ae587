"""Returns: what bets returned, against what they should have, with the stakes that were really placed.

Expectation and variance are exact, each return rounded down as the pay table says (protocol step 7). Lines of one bet are of different coups,
so their sums are added over pay tables, decks and stakes, each with its own mean and variance: a bias that is in all of them is seen once,
in full, and not many times in part. Lines of different bets may be of one coup: `house` counts with that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from ...rules.multiplier import UNIT
from ...rules.odds import BetOdds, odds
from .comparison import Cell, Comparison, Omission
from .scope import Scope
from .spread import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...rules.pay_table import PayTable
    from ..bet_tally import BetTally
    from ..sums import BetKey, Sums

CONFIDENCE: Final = 0.99
"""How often an interval around the actual return holds the exact one at least, if the game is fair."""

NINE_IN_TEN: Final = 1.2815515655446004
"""How many standard deviations below its mean nine in ten normally distributed numbers begin."""


@dataclass(frozen=True, slots=True)
class Return:
    """What the lines of a scope returned, and what they should have.

    `expected` is what should come back in all, in smallest currency units, `spread` how far luck takes it from there, and `expected_hits` how
    many lines should return anything.
    """

    scope: Scope
    sums: Sums
    expected: Fraction
    spread: Spread
    expected_hits: Fraction

    @classmethod
    def of(cls, key: BetKey, tally: BetTally, pay_table: PayTable) -> Return:
        """Compare a bet's lines with its exact odds."""
        bet = odds(key.bet, pay_table, key.decks)
        expected, variance = moments(bet, tally)
        total = tally.total
        return cls(Scope.of(key), total, expected, _spread(bet, total, variance, tally), total.lines * (1 - bet.statuses["lost"]))

    def plus(self, other: Return, scope: Scope) -> Return:
        """Both, whose lines are of different coups."""
        return Return(
            scope,
            self.sums.plus(other.sums),
            self.expected + other.expected,
            self.spread.plus(other.spread),
            self.expected_hits + other.expected_hits,
        )

    def part(self, sums: Sums) -> Return:
        """What some of the lines should have returned: their share of the whole, by stakes and by the squares of these."""
        share, square, largest = (
            float(Fraction(part, whole))
            for part, whole in (
                (sums.staked, self.sums.staked),
                (sums.squared, self.sums.squared),
                (sums.largest, self.sums.largest),
            )
        )
        spread = Spread(
            Fraction(float(self.spread.variance) * square),
            self.spread.third * square * largest,
            self.spread.heaviest * largest**2,
            self.spread.up * largest,
            self.spread.down * largest,
        )
        hits = self.expected_hits * Fraction(sums.lines, self.sums.lines)
        return Return(self.scope, sums, Fraction(float(self.expected) * share), spread, hits)

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
        return self.spread.deviation / self.sums.staked

    @property
    def off(self) -> float:
        """How much more came back than should have, in smallest currency units."""
        return float(self.sums.returned - self.expected)

    @property
    def z(self) -> float:
        """By how many standard deviations more came back than should have."""
        return self.off / self.spread.deviation if self.spread.variance else 0.0

    @property
    def p_value(self) -> float:
        """How often a fair game would be off at least so far, either way; or, by Bennett's inequality, an upper bound of it."""
        return self.spread.p_value(self.off)

    @property
    def interval(self) -> tuple[float, float]:
        """What a fair return per unit staked can be, going by the actual one, with a confidence of at least 99 %."""
        down, up = self.spread.limits(1 - CONFIDENCE)
        return self.rate - up / self.sums.staked, self.rate + down / self.sums.staked

    def smallest_bias(self, p_value: float) -> tuple[float, float]:
        """How much less or more must come back per unit staked on average, so that nine times in ten the p-value is below this one."""
        down, up = self.spread.limits(p_value)
        more = NINE_IN_TEN * self.spread.deviation
        return (down + more) / self.sums.staked, (up + more) / self.sums.staked

    def compare(self, name: str, level: int) -> Comparison:
        """The comparison of amounts."""
        cells = (Cell("returned", self.sums.returned, self.expected),)
        return Comparison(name, str(self.scope), self.spread.method, self.z, None, self.p_value, self.sums.lines, cells, level=level)

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON: amounts are texts of digits, exact figures are fractions, the rest are numbers."""
        low, high = self.interval
        return {
            **{name: value or None for name, value in self.scope._asdict().items()},
            "lines": self.sums.lines,
            "staked": str(self.sums.staked),
            "returned": str(self.sums.returned),
            "expected": str(self.expected),
            "variance": str(self.spread.variance),
            "rate": self.rate,
            "expected_rate": self.expected_rate,
            "deviation": self.deviation,
            "interval": [low, high],
            "z": self.z,
            "method": self.spread.method,
            "is_normal": self.spread.is_normal,
            "hits": self.sums.hits,
            "expected_hits": str(self.expected_hits),
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


def pool(returns: Iterable[Return]) -> list[Return]:
    """Returns of each bet over all pay tables and decks, for each currency."""
    pooled: dict[Scope, Return] = {}
    for each in returns:
        scope = Scope(each.scope.bet, currency=each.scope.currency)
        pooled[scope] = pooled[scope].plus(each, scope) if scope in pooled else replace(each, scope=scope)
    return [pooled[scope] for scope in sorted(pooled)]


def _spread(bet: BetOdds, sums: Sums, variance: Fraction, tally: BetTally) -> Spread:
    """How far luck takes the sum of a bet's lines, none of which has a larger stake than the largest."""
    mean, multipliers = bet.expected_return, {answer: Fraction(payment.multiplier, UNIT) for answer, payment in bet.payments.items()}
    met = [multipliers[answer] for answer, ways in bet.ways.items() if ways]
    third = sum(probability * (multipliers[answer] - mean) ** 3 for answer, probability in bet.probabilities.items())
    rounding = int(any(tally.sums.keys() - {0}))  # a unit at most, where a stake is no whole number of steps
    return Spread(
        variance,
        abs(float(third))
        * float(sums.largest)
        * float(sums.squared),  # the sum of cubes is at most the largest stake times that of squares
        float(bet.variance * sums.largest**2),
        float(sums.largest * (max(met) - mean)) + rounding,
        float(sums.largest * (mean - min(met))) + rounding,
    )
