"""Guards: what an operator's own rules say about a bet before any money moves.

A guard is asked inside the transaction that takes the bet, so that no other bet can come between its question and its answer. It sees who
bets how much on what, and the bettor's past; it never sees a seed or an outcome, and it can only object. A guard that fails has objected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..errors import BaccaratError, GuardError, GuardFailedError, RequestError, describe
from .arguments import read_duration
from .parts import read_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime, timedelta

    from .store import Past


@dataclass(frozen=True, slots=True)
class IntendedBet:
    """A bet as guards see it: stakes in whole smallest currency units, the time in UTC, and the nonce that it would spend."""

    bettor: str
    pair: str
    nonce: int
    bets: Mapping[str, int]
    staked: int
    at: datetime


class BetGuard(Protocol):
    """One rule about bets."""

    def objection(self, bet: IntendedBet, past: Past) -> str | None:
        """Why this bet may not be taken, in a sentence for the bettor; or None. It must not call the House or its store."""
        ...


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Nobody bets whom `is_excluded` names."""

    is_excluded: Callable[[str], bool]

    def __post_init__(self) -> None:
        read_function(self.is_excluded, "is_excluded of a guard")

    def objection(self, bet: IntendedBet, past: Past) -> str | None:  # noqa: ARG002 (every guard is given both)
        """Whether the bettor is excluded."""
        return "This bettor is excluded." if self.is_excluded(bet.bettor) else None


@dataclass(frozen=True, slots=True)
class LossLimit:
    """Nobody can lose more than `amount` smallest units in the rounds of the last `window`, this bet included."""

    amount: int
    window: timedelta

    def __post_init__(self) -> None:
        if type(self.amount) is not int or self.amount < 0:
            raise RequestError("loss limit", "a whole number of smallest currency units", describe(self.amount))
        read_duration(self.window, "window of a guard")

    def objection(self, bet: IntendedBet, past: Past) -> str | None:
        """Whether losing this bet would go beyond the limit."""
        lost = -past.net_since(bet.at - self.window)
        return f"This could lose more than {self.amount} within {self.window}." if lost + bet.staked > self.amount else None


@dataclass(frozen=True, slots=True)
class MinimumInterval:
    """There is at least so much time between a bettor's rounds."""

    interval: timedelta

    def __post_init__(self) -> None:
        read_duration(self.interval, "interval of a guard")

    def objection(self, bet: IntendedBet, past: Past) -> str | None:
        """Whether the last round is too near."""
        last = past.last_accepted_at()
        return f"There must be {self.interval} between rounds." if last is not None and bet.at - last < self.interval else None


@dataclass(frozen=True, slots=True)
class SessionTime:
    """Nobody bets in a session that is older than `limit`; `started_at` tells when a bettor's began, None where there is none."""

    limit: timedelta
    started_at: Callable[[str], datetime | None]

    def __post_init__(self) -> None:
        read_duration(self.limit, "limit of a guard")
        read_function(self.started_at, "started_at of a guard")

    def objection(self, bet: IntendedBet, past: Past) -> str | None:  # noqa: ARG002 (every guard is given both)
        """Whether the session has gone on for too long."""
        start = self.started_at(bet.bettor)
        if start is None:
            return "There is no session."
        return f"The session is longer than {self.limit}." if bet.at - start > self.limit else None


def ask_guards(guards: Iterable[BetGuard], bet: IntendedBet, past: Past) -> None:
    """Raise GuardError for the first objection, GuardFailedError for a guard that has no answer."""
    for guard in guards:
        name = type(guard).__name__
        try:
            objection = guard.objection(bet, past)
        except BaccaratError as error:
            raise GuardFailedError(f"guard {name}", "an answer", f"{error.code}: {error}") from None
        except Exception as error:  # noqa: BLE001 (a guard that fails, however it does, lets no bet pass)
            raise GuardFailedError(f"guard {name}", "an answer", describe(error)) from None
        if objection is not None:
            raise GuardError(f"bet of {describe(bet.bettor)}", f"one that {name} lets pass", str(objection))
