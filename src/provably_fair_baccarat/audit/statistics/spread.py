"""Spread: how far a sum of amounts may stray from its mean by luck.

Many amounts of like size make a sum that is about normally distributed. Where one stake, or one rare payout, can move it far, that is not
so. Then Bennett's inequality takes its place: for independent amounts of mean 0, none of them above b, and of the variance V together,

    P(sum >= t) <= exp(-V/b^2 h(b t/V)),  h(u) = (1 + u) ln(1 + u) - u.

It holds for every such sum, however few amounts there are, and while b t is small beside V it is hardly worse than the normal tail. What a
sum may gain and what it may lose have bounds of their own: bets that lose go down by little each, so a shortfall is judged sharply even where
payouts are huge. Either way may be odd, so the bound of the way that it went is doubled.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import e, exp, expm1, log, log1p, sqrt
from typing import TYPE_CHECKING, Final

from scipy.special import lambertw
from scipy.stats import norm

if TYPE_CHECKING:
    from fractions import Fraction

MOST_SKEWED: Final = 0.05
"""The largest skewness of a sum that still counts as normally distributed."""

FEWEST: Final = 100
"""A sum counts so if no amount has more than one in so many parts of its variance."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What is known of a sum of independent amounts beside its mean.

    `variance` is that of the sum, or no less. `third` is no less than the size of the sum's third central moment, and infinite where
    nobody knows; `heaviest` is the largest variance of one amount; `up` and `down` are how far one can lie above and below its mean.
    """

    variance: Fraction
    third: float
    heaviest: float
    up: float
    down: float

    def plus(self, other: Spread) -> Spread:
        """That of both sums together, which are independent."""
        return Spread(
            self.variance + other.variance,
            self.third + other.third,
            max(self.heaviest, other.heaviest),
            max(self.up, other.up),
            max(self.down, other.down),
        )

    @property
    def deviation(self) -> float:
        """The standard deviation of the sum, or no less."""
        return sqrt(self.variance)

    @property
    def is_normal(self) -> bool:
        """Whether the skewness of the sum is small for sure, and no amount weighs too much in it."""
        return self.variance > 0 and self.third <= MOST_SKEWED * self.deviation**3 and self.heaviest * FEWEST <= self.variance

    @property
    def method(self) -> str:
        """By what p-values are told: "normal" or "bennett"."""
        return "normal" if self.is_normal else "bennett"

    def p_value(self, off: float) -> float:
        """How often luck takes the sum at least so far from its mean, either way; by Bennett's inequality no less than that."""
        if not off or not self.variance:
            return 1.0
        if self.is_normal:
            return float(2 * norm.sf(abs(off) / self.deviation))
        most, variance = self.up if off > 0 else self.down, float(self.variance)
        u = most * abs(off) / variance
        return min(1.0, 2 * exp(-variance / most**2 * ((1 + u) * log1p(u) - u)))

    def limits(self, p_value: float, *, as_normal: bool | None = None) -> tuple[float, float]:
        """How far below and above the mean a sum lies that has this p-value; taken as normal or not, as told, else as it is."""
        if not self.variance:
            return 0.0, 0.0
        if self.is_normal if as_normal is None else as_normal:
            width = float(norm.isf(p_value / 2)) * self.deviation
            return width, width
        variance, size = float(self.variance), log(2 / p_value)
        down, up = (variance / most * _root(size * most**2 / variance) for most in (self.down, self.up))
        return down, up


def _root(h: float) -> float:
    """The u from 0 on with (1 + u) ln(1 + u) - u = h."""
    if h < 1e-6:
        return sqrt(2 * h) + h / 3
    return expm1(1 + float(lambertw((h - 1) / e).real))
