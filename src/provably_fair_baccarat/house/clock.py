"""The clock that is used where no other is given."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Tells the time, with its zone."""


def utc_now() -> datetime:
    """The time of the machine, in UTC."""
    return datetime.now(UTC)
