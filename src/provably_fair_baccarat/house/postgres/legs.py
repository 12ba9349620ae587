"""The transactions of an operator's own wallet: noted before they are asked for, so that a crash in between leaves a trace.

A debit that is `begun` pays for one bet: taking that bet makes it `done`. Giving it up makes it `voiding`, after which no bet can be taken
with it, and `void` once the wallet has rolled it back. A credit is `begun` with the coup that it pays, and `done` when the wallet says so.
Meanwhile the money is in the bettor's account here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, LiteralString

from ..refusals import given_up, no_leg, require_debit
from .money import move_purse, open_purse
from .rows import SELECT_LEG, leg_row

if TYPE_CHECKING:
    from datetime import datetime

    from ..rows import LegRow, RoundRow
    from ..store import BetOrder
    from .database import Database
    from .money import Purse

_BY_ID: Final[LiteralString] = f"{SELECT_LEG} WHERE leg.id = %s"
_BY_KEY: Final[LiteralString] = f"{SELECT_LEG} WHERE leg.account = %s AND leg.key = %s AND leg.kind = 'debit'"
_ADD: Final[LiteralString] = """
INSERT INTO house.leg (id, kind, pair, account, key, bets, amount, state, at)
VALUES (%s, %s, %s, %s, %s, %s, %s::text::numeric, 'begun', %s)
"""
_MOVE: Final[LiteralString] = "UPDATE house.leg SET state = %s, reason = %s WHERE id = %s AND state = %s RETURNING id"


def find_leg(database: Database, leg: str) -> LegRow:
    """A wallet's transaction by its id."""
    columns = database.row(_BY_ID, (leg,))
    if columns is None:
        raise no_leg()
    return leg_row(columns)


def known_debit(database: Database, account: int, order: BetOrder) -> LegRow | None:
    """The debit that was begun for this request. Raises KeyConflictError for another request, WalletGivenUpError for one given up."""
    columns = database.row(_BY_KEY, (account, order.key))
    if columns is None:
        return None
    leg = leg_row(columns)
    require_debit(leg, order)
    return leg


def note_debit(database: Database, account: int, order: BetOrder, leg: str) -> LegRow:
    """Note that a wallet is about to be debited."""
    database.run(_ADD, (leg, "debit", order.pair, account, order.key, order.bets, str(order.staked), order.at))
    return find_leg(database, leg)


def use_debit(database: Database, leg: str, purse: Purse, order: BetOrder) -> int:
    """Bring a debit's money into the bettor's account to pay for the bet with. Raises WalletGivenUpError if it was given up meanwhile."""
    if database.row(_MOVE, ("done", "", leg, "begun")) is None:
        raise given_up(order.key)
    return move_purse(database, purse, "deposit", order.staked, key=leg, at=order.at)


def void_debit(database: Database, leg: str, reason: str, *, is_final: bool) -> LegRow:
    """Give up a debit that paid for nothing, in two steps."""
    before, after = ("voiding", "void") if is_final else ("begun", "voiding")
    database.run(_MOVE, (after, reason, leg, before))
    return find_leg(database, leg)


def add_credit(database: Database, leg: str, order: BetOrder | RoundRow, *, account: int, amount: int, at: datetime) -> None:
    """Note that a wallet is to be credited with what a coup returned."""
    database.run(_ADD, (leg, "credit", order.pair, account, order.key, order.bets, str(amount), at))


def end_credit(database: Database, leg: str, at: datetime) -> None:
    """The wallet has the money: it leaves the account here."""
    row = find_leg(database, leg)
    purse = open_purse(database, row.bettor, row.currency)
    if database.row(_MOVE, ("done", "", leg, "begun")) is not None:
        move_purse(database, purse, "withdrawal", row.amount, key=leg, at=at, is_owed=True)
