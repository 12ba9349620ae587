"""Schemes: the ways from seeds to cards, our own and, to verify, those that other houses publish."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ...errors import SchemeError, describe, nearest
from .bcgame import BCGAME_SINGLE, BCGAME_TABLE
from .pfb1 import PFB1, PFB1_CHAIN, PFB1_SHOE
from .scheme import AnyServerSeed, Derived, Scheme, Source
from .stake import STAKE

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SCHEMES", "AnyServerSeed", "Derived", "Scheme", "Source", "scheme_named"]

SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {scheme.name: scheme for scheme in (PFB1, PFB1_CHAIN, PFB1_SHOE, STAKE, BCGAME_SINGLE, BCGAME_TABLE)}
)
"""Every scheme of this package by its name."""


def scheme_named(name: object) -> Scheme:
    """The scheme of that name, or SchemeError with the nearest known one."""
    scheme = SCHEMES.get(name) if isinstance(name, str) else None
    if scheme is None:
        raise SchemeError("scheme", f"one of {', '.join(SCHEMES)}", describe(name), nearest(name, SCHEMES))
    return scheme
