"""Words and numbers that several parts of a page tell alike."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

METHODS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "normal": "normal",
        "bennett": "Bennett's inequality, an upper bound",
        "binomial": "binomial tail",
    }
)
"""Methods that need no more to be said, by their stable names."""


def told_p_value(value: float) -> str:
    """A p-value with four digits; a small one as a power of ten."""
    if value >= 1e-4:
        return f"{value:.4f}"
    if value == 0:
        return "below 1e-300"
    return f"{value:.1e}"
