"""Many tests at once: the correction of Holm, which keeps the chance that a fair game is accused at all below one level."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The corrected p-values of a family of tests, in the order of the given ones.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none is less than one before it, and none more than 1. A test is
    flagged where its corrected p-value is below the level. It holds whatever the tests have to do with each other.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return tuple(corrected)
