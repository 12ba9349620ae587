"""The endpoints, in groups: each function adds a group to a router.

Their annotations are values, as FastAPI reads them, so these modules don't postpone them.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..feed import Feed
from ..teller import Teller

CurrentBettor: TypeAlias = Callable[..., str | Awaitable[str] | Any]
"""A dependency of the backend's: the name of the bettor who is logged in, or an HTTPException that says that nobody is."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What endpoints of a bettor's work with."""

    teller: Teller
    current_bettor: CurrentBettor
    feed: Feed
