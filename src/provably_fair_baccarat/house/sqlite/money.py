"""Accounts and transfers: every movement takes from one account what it gives to another, and leaves the bettor's balance in its row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from ...errors import StoreError
from ..refusals import require_funds, require_room, require_same_cash
from ..rows import CashRow
from .rows import read_time, write_time

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime

    from ..rows import CashKind
    from ..store import CashOrder

TransferKind: TypeAlias = Literal["deposit", "withdrawal", "stake", "return"]

_ADD_ACCOUNT = "INSERT INTO account (kind, bettor, currency, balance) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

_FIND_ACCOUNT = """
SELECT bettor.number, bettor.balance, bettor.exposed, bettor.owed, house.number, outside.number
FROM account AS bettor
JOIN account AS house ON house.kind = 'house' AND house.currency = bettor.currency AND house.bettor = ''
JOIN account AS outside ON outside.kind = 'outside' AND outside.currency = bettor.currency AND outside.bettor = ''
WHERE bettor.kind = 'bettor' AND bettor.currency = ? AND bettor.bettor = ?
"""

_SET_BALANCE = "UPDATE account SET balance = ? WHERE number = ? AND balance = ?"
_SET_ALL = "UPDATE account SET balance = ?, exposed = ?, owed = ? WHERE number = ? AND balance = ?"

_ADD_TRANSFER = "INSERT INTO transfer (kind, payer, payee, amount, balance) VALUES (?, ?, ?, ?, ?)"

_FIND_CASH = """
SELECT transfer.kind, transfer.amount, transfer.balance, cash.at
FROM cash
JOIN transfer ON transfer.id = cash.transfer
WHERE cash.account = ? AND cash.key = ?
"""

_ADD_CASH = "INSERT INTO cash (transfer, account, key, at) VALUES (?, ?, ?, ?)"


class Purse(NamedTuple):
    """A bettor's account in a transaction: its number, what is in it, and the two accounts on the other side."""

    account: int
    balance: int
    exposed: int
    """What its open rounds may return."""
    owed: int
    """What of the balance is on its way to the operator's own wallet: nothing to bet with, or to pay out here."""
    house: int
    outside: int

    @property
    def free(self) -> int:
        """What there is to bet with, and to pay out."""
        return self.balance - self.owed

    def holding(self, balance: int, exposed: int, owed: int) -> Purse:
        """The same account with this in it."""
        return Purse(self.account, balance, exposed, owed, self.house, self.outside)


def open_purse(database: sqlite3.Connection, bettor: str, currency: str) -> Purse:
    """The account of a bettor, made where it is new; the house and the outside world get theirs with a currency's first bettor."""
    key = (currency, bettor)
    columns = database.execute(_FIND_ACCOUNT, key).fetchone()
    if columns is None:
        for kind, name, balance in (("house", "", None), ("outside", "", None), ("bettor", bettor, "0")):
            database.execute(_ADD_ACCOUNT, (kind, name, currency, balance))
        columns = database.execute(_FIND_ACCOUNT, key).fetchone()
    return read_purse(columns)


def read_purse(columns: Sequence[Any]) -> Purse:
    """A purse from its columns."""
    account, balance, exposed, owed, house, outside = columns
    return Purse(account, int(balance), int(exposed), int(owed), house, outside)


def change_purse(database: sqlite3.Connection, before: Purse, after: Purse) -> None:
    """Change what is in a bettor's account."""
    which = (before.account, str(before.balance))
    if (after.exposed, after.owed) == (before.exposed, before.owed):
        changed = database.execute(_SET_BALANCE, (str(after.balance), *which))
    else:
        changed = database.execute(_SET_ALL, (str(after.balance), str(after.exposed), str(after.owed), *which))
    if changed.rowcount != 1:
        raise StoreError("balance", f"{before.balance}, as this transaction read it", "another one")


def add_transfer(database: sqlite3.Connection, kind: TransferKind, purse: Purse, amount: int, balance: int) -> int:
    """Note a movement that left the bettor with this balance; returns the transfer's id."""
    other = purse.outside if kind in _WITH_OUTSIDE else purse.house
    payer, payee = (other, purse.account) if kind in _TO_BETTOR else (purse.account, other)
    return database.execute(_ADD_TRANSFER, (kind, payer, payee, str(amount), str(balance))).lastrowid or 0


_WITH_OUTSIDE: Final = ("deposit", "withdrawal")
_TO_BETTOR: Final = ("deposit", "return")


def move_cash(database: sqlite3.Connection, order: CashOrder) -> CashRow:
    """Deposit or withdraw once for each key."""
    purse = open_purse(database, order.bettor, order.currency)
    if known := database.execute(_FIND_CASH, (purse.account, order.key)).fetchone():
        kind, amount, balance, at = known
        require_same_cash(order, kind, int(amount))
        return CashRow(kind, order.bettor, order.amount, order.key, int(balance), read_time(at))
    after = move_purse(database, purse, order.kind, order.amount, key=order.key, at=order.at)
    return CashRow(order.kind, order.bettor, order.amount, order.key, after.balance, order.at)


def move_purse(
    database: sqlite3.Connection, purse: Purse, kind: CashKind, amount: int, *, key: str, at: datetime, is_owed: bool = False
) -> Purse:
    """Move money between a bettor and the outside world; `is_owed` if it is what was on its way to the wallet. Returns what is left."""
    if kind == "deposit":
        require_room(purse.balance, purse.exposed, amount)
        after = purse.holding(purse.balance + amount, purse.exposed, purse.owed)
    else:
        require_funds(purse.owed if is_owed else purse.free, amount)
        after = purse.holding(purse.balance - amount, purse.exposed, purse.owed - amount if is_owed else purse.owed)
    change_purse(database, purse, after)
    transfer = add_transfer(database, kind, purse, amount, after.balance)
    database.execute(_ADD_CASH, (transfer, purse.account, key, write_time(at)))
    return after
