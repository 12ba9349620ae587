"""Bets in PostgreSQL: each call is one sitting, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import BaccaratError
from .decided import Taken
from .sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..rows import LegRow, RoundRow
    from ..store import BetOrder
    from .database import Database


def take_bet(database: Database, order: BetOrder) -> RoundRow | BaccaratError:
    """Take a bet, deal it where the order says so, or return the round of its key; or return what refuses it."""
    return take_bets(database, [order])[0]


def take_bets(database: Database, orders: Sequence[BetOrder]) -> list[RoundRow | BaccaratError]:
    """Take bets one after the other: an answer for each, a round or what refuses it."""
    sitting = Sitting(database, orders)
    answers: list[RoundRow | Taken | BaccaratError] = []
    for order in orders:
        try:
            answers.append(sitting.take(order))
        except BaccaratError as refusal:
            sitting.refuse(order, refusal)
            answers.append(refusal)
    sitting.write()
    return [sitting.row(answer) if isinstance(answer, Taken) else answer for answer in answers]


def begin_debit(database: Database, order: BetOrder, leg: str) -> RoundRow | LegRow | BaccaratError:
    """Note that a wallet is about to be debited for a bet that would be taken now, or find what its key already stands for."""
    sitting = Sitting(database, [order])
    try:
        return sitting.begin_debit(order, leg)
    except BaccaratError as refusal:
        sitting.refuse(order, refusal)
        sitting.write()
        return refusal
