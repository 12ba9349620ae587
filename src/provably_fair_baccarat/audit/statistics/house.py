"""The house: what it won over all bets together.

Bets on one coup depend on each other, and nobody counts which stakes met on one coup. But of two bets with stakes a and b and the covariance
c of what a unit of each returns, all that their coups add to the variance is at most 2 max(0, c) root(sum a^2 sum b^2), by the inequality
of Cauchy and Schwarz. Covariances of bets on scores are counted exactly, from all ways that a coup can go. With any other bet the deviations
are added, as if both always went the same way. So the variance is no less than the true one, and a p-value never too small.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import ceil, inf, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from ...rules.multiplier import UNIT
from ...rules.odds import Shoe
from ...rules.odds.figures import classes_of
from .returns import Return
from .scope import Scope
from .spread import Spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ...rules.pay_table import PayTable

_ROUNDED: Final = 1 + 1e-9  # what the bound is made larger by, since floats are rounded


def pool_house(returns: Sequence[Return], pay_tables: Mapping[str, PayTable]) -> list[Return]:
    """All bets together, for each currency that has several."""
    by_currency: defaultdict[str, defaultdict[tuple[str, int], list[Return]]] = defaultdict(lambda: defaultdict(list))
    for each in returns:
        by_currency[each.scope.currency][each.scope.pay_table, each.scope.decks].append(each)
    pooled: list[Return] = []
    for currency, kinds in by_currency.items():
        if len({each.scope.bet for parts in kinds.values() for each in parts}) > 1:
            scope = Scope(currency=currency)
            first, *others = (together(parts, pay_tables[digest], decks) for (digest, decks), parts in kinds.items())
            for other in others:
                first = first.plus(other, scope)
            pooled.append(first)
    return pooled


def together(parts: Sequence[Return], pay_table: PayTable, decks: int) -> Return:
    """Several bets of one pay table and shoe, whose lines may be of the same coups."""
    scope = Scope(currency=parts[0].scope.currency)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.plus(part, scope)
    on_scores = [part for part in parts if pay_table.offers[part.scope.bet].bet.needs == "scores"]
    others = [part for part in parts if part not in on_scores]
    covariances = returned_covariances([part.scope.bet for part in on_scores], pay_table, decks)
    roots = [sqrt(part.sums.squared) for part in on_scores]
    square = sum(max(0.0, float(covariances[i, j])) * one * other for i, one in enumerate(roots) for j, other in enumerate(roots))
    rounded = [
        part.sums.lines for place, part in enumerate(on_scores) if part.spread.variance != covariances[place, place] * part.sums.squared
    ]
    deviation = sqrt(square) + sum(part.spread.deviation for part in others)
    deviation += sum(sqrt(lines) / 2 for lines in rounded)  # rounding takes less than a unit, so it has no deviation above half of one
    spread = Spread(
        Fraction(ceil(deviation**2 * _ROUNDED)), inf, inf, sum(part.spread.up for part in parts), sum(part.spread.down for part in parts)
    )
    return Return(scope, whole.sums, whole.expected, spread, whole.expected_hits)


def returned_covariances(bets: Sequence[str], pay_table: PayTable, decks: int) -> NDArray[np.object_]:
    """The covariances of what a unit on each of these bets returns, all of them on one coup; they look at scores alone."""
    shoe = Shoe.of_decks(decks)
    classes = classes_of(shoe).values()
    ways = np.array([counted.ways for counted in classes], object)
    offers = [pay_table.offers[bet] for bet in bets]
    returned = np.array([[offer.payments[offer.bet.result(counted.example)].multiplier for offer in offers] for counted in classes], object)
    unit = Fraction(1, shoe.deals * UNIT)
    means = ways @ returned * unit
    covariances: NDArray[np.object_] = returned.T @ (ways[:, None] * returned) * (unit / UNIT) - np.outer(means, means)
    return covariances
