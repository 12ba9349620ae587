"""What is under way in a house and not finished, and what a recovery has finished of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from .rows import LegRow, RoundRow


@dataclass(frozen=True, slots=True)
class Pending:
    """What is not finished: by bets that are just being taken, or because a crash or a time-out cut it off. Times are UTC."""

    rounds: int
    """Rounds that are accepted and not dealt."""
    debits: int
    """Debits that the wallet has not answered, and whose bet is not given up."""
    roll_backs: int
    """Debits that are given up, and that the wallet has not rolled back."""
    credits: int
    """Credits that the wallet has not got."""
    since: datetime | None
    """When the oldest of them all was begun; None where there is none."""

    @classmethod
    def of(cls, rounds: Sequence[RoundRow], legs: Sequence[LegRow]) -> Pending:
        """What these rounds and transactions of the wallet, which are not finished, come to."""
        roll_backs = sum(leg.state == "voiding" for leg in legs)
        credits_ = sum(leg.kind == "credit" for leg in legs)
        begun = [*(row.accepted_at for row in rounds), *(leg.begun_at for leg in legs)]
        return cls(len(rounds), len(legs) - roll_backs - credits_, roll_backs, credits_, min(begun, default=None))

    @property
    def total(self) -> int:
        """How many there are in all."""
        return self.rounds + self.debits + self.roll_backs + self.credits


@dataclass(frozen=True, slots=True)
class Recovery:
    """What `recover()` finished: coups that it dealt, credits that it brought to the wallet, debits that it rolled back; and what is left."""

    dealt: int
    credited: int
    rolled_back: int
    pending: Pending
