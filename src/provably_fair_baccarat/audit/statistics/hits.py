"""Hits: how often a bet returned anything, whatever the stakes.

Bets of different shoes hit with slightly different probabilities. By a theorem of Hoeffding (1956) the number of hits then has tails no
longer than those of as many bets that all hit with the mean probability; so one binomial tail does for all of a bet's lines, and is exact
where they are alike. Either way may be odd, so the tail of the way that it went is doubled.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from scipy.stats import binom

from .comparison import FINE, POOLED, Cell, Comparison
from .scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .returns import Return


class Hits(NamedTuple):
    """So many lines, how many of them hit, and how many should on average."""

    lines: int = 0
    hits: int = 0
    expected: Fraction = Fraction(0)

    def plus(self, other: Hits) -> Hits:
        """Both."""
        return Hits(self.lines + other.lines, self.hits + other.hits, self.expected + other.expected)

    @property
    def p_value(self) -> float:
        """How often a fair game has so few hits or so many, or no less than that."""
        off, probability = self.hits - self.expected, float(self.expected / self.lines)
        if abs(off) < 1:
            return 1.0
        tail = binom.cdf(self.hits, self.lines, probability) if off < 0 else binom.sf(self.hits - 1, self.lines, probability)
        return min(1.0, 2 * float(tail))

    def compare(self, subject: str, level: int) -> Comparison:
        """The comparison."""
        z = float(self.hits - self.expected) / sqrt(self.expected * (1 - self.expected / self.lines) or 1)
        cells = (Cell("hits", self.hits, self.expected),)
        return Comparison("hits", subject, "binomial", z, None, self.p_value, self.lines, cells, level=level)


def compare_hits(returns: Sequence[Return]) -> Iterator[Comparison]:
    """The comparison of each bet's hits over all pay tables, decks and currencies; and where there are several, by pay table and decks."""
    by_bet: defaultdict[str, defaultdict[Scope, Hits]] = defaultdict(lambda: defaultdict(Hits))
    for each in returns:
        kind = each.scope._replace(currency="")
        found = Hits(each.sums.lines, each.sums.hits, each.expected_hits)
        by_bet[each.scope.bet][kind] = by_bet[each.scope.bet][kind].plus(found)
    for bet, kinds in by_bet.items():
        total = Hits()
        for hits in kinds.values():
            total = total.plus(hits)
        yield total.compare(str(Scope(bet)), POOLED)
        if len(kinds) > 1:
            for kind, hits in kinds.items():
                yield hits.compare(str(kind), FINE)
