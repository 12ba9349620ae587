"""Clocks: where a House has the time from. What it gets it reads in UTC, and a time without a zone is none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

from ..errors import RequestError, describe

Clock: TypeAlias = Callable[[], datetime]
"""Tells the time, with its zone."""


def utc_now() -> datetime:
    """The time of the machine, in UTC."""
    return datetime.now(UTC)


def in_utc(clock: Clock) -> Clock:
    """The clock, read in UTC. A time that has no zone raises RequestError: nobody could say which one it is."""

    def tell() -> datetime:
        time = clock()
        if not isinstance(time, datetime) or time.utcoffset() is None:
            raise RequestError("clock", "one that tells a datetime with a time zone", describe(time))
        return time.astimezone(UTC)

    return tell
