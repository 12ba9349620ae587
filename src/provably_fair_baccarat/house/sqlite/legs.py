"""The transactions of an operator's own wallet: noted before they are asked for, so that a crash in between leaves a trace.

A debit that is `begun` pays for one bet: taking that bet makes it `done`. Giving it up makes it `voiding`, after which no bet can be taken
with it, and `void` once the wallet has rolled it back. A credit is `begun` with the coup that it pays, and `done` when the wallet says so.
Meanwhile the money is in the bettor's account here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..refusals import given_up, no_leg, require_debit
from .money import move_purse, open_purse
from .rows import SELECT_LEG, leg_row, write_time

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from ..rows import LegRow, RoundRow
    from ..store import BetOrder
    from .money import Purse

_BY_ID: Final = f"{SELECT_LEG} WHERE leg.id = ?"
_BY_KEY: Final = f"{SELECT_LEG} WHERE leg.account = ? AND leg.key = ? AND leg.kind = 'debit'"
_ADD: Final = """
INSERT INTO leg (id, kind, pair, account, key, bets, amount, state, at) VALUES (?, ?, ?, ?, ?, ?, ?, 'begun', ?)
"""
_MOVE: Final = "UPDATE leg SET state = ?, reason = ? WHERE id = ? AND state = ?"


def find_leg(database: sqlite3.Connection, leg: str) -> LegRow:
    """A wallet's transaction by its id."""
    columns = database.execute(_BY_ID, (leg,)).fetchone()
    if columns is None:
        raise no_leg()
    return leg_row(columns)


def known_debit(database: sqlite3.Connection, account: int, order: BetOrder) -> LegRow | None:
    """The debit that was begun for this request. Raises KeyConflictError for another request, WalletGivenUpError for one given up."""
    columns = database.execute(_BY_KEY, (account, order.key)).fetchone()
    if columns is None:
        return None
    leg = leg_row(columns)
    require_debit(leg, order)
    return leg


def note_debit(database: sqlite3.Connection, account: int, order: BetOrder, leg: str) -> LegRow:
    """Note that a wallet is about to be debited."""
    database.execute(_ADD, (leg, "debit", order.pair, account, order.key, order.bets, str(order.staked), write_time(order.at)))
    return find_leg(database, leg)


def use_debit(database: sqlite3.Connection, leg: str, purse: Purse, order: BetOrder) -> Purse:
    """Bring a debit's money into the bettor's account to pay for the bet with. Raises WalletGivenUpError if it was given up meanwhile."""
    if database.execute(_MOVE, ("done", "", leg, "begun")).rowcount != 1:
        raise given_up(order.key)
    return move_purse(database, purse, "deposit", order.staked, key=leg, at=order.at)


def void_debit(database: sqlite3.Connection, leg: str, reason: str, *, is_final: bool) -> LegRow:
    """Give up a debit that paid for nothing, in two steps."""
    before, after = ("voiding", "void") if is_final else ("begun", "voiding")
    database.execute(_MOVE, (after, reason, leg, before))
    return find_leg(database, leg)


def add_credit(database: sqlite3.Connection, leg: str, purse: Purse, row: RoundRow, *, amount: int, at: datetime) -> None:
    """Note that a wallet is to be credited with what a coup returned."""
    database.execute(_ADD, (leg, "credit", row.pair, purse.account, row.key, row.bets, str(amount), write_time(at)))


def end_credit(database: sqlite3.Connection, leg: str, at: datetime) -> None:
    """The wallet has the money: it leaves the account here."""
    row = find_leg(database, leg)
    if database.execute(_MOVE, ("done", "", leg, "begun")).rowcount == 1:
        move_purse(database, open_purse(database, row.bettor, row.currency), "withdrawal", row.amount, key=leg, at=at, is_owed=True)
