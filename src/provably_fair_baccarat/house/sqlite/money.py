"""Accounts and transfers: every movement takes from one account what it gives to another, and leaves the bettor's balance in its row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from ...errors import AmountError, StoreError
from ...rules.settlement import MAX_AMOUNT
from ..refusals import require_funds, require_same_cash
from ..rows import CashRow
from .rows import read_time, write_time

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from ..store import CashOrder

TransferKind: TypeAlias = Literal["deposit", "withdrawal", "stake", "return"]

_ADD_ACCOUNT = "INSERT INTO account (kind, bettor, currency, balance) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

_FIND_ACCOUNT = """
SELECT bettor.number, bettor.balance, house.number, outside.number
FROM account AS bettor
JOIN account AS house ON house.kind = 'house' AND house.currency = bettor.currency AND house.bettor = ''
JOIN account AS outside ON outside.kind = 'outside' AND outside.currency = bettor.currency AND outside.bettor = ''
WHERE bettor.kind = 'bettor' AND bettor.currency = ? AND bettor.bettor = ?
"""

_SET_BALANCE = "UPDATE account SET balance = ? WHERE number = ? AND balance = ?"

_ADD_TRANSFER = "INSERT INTO transfer (kind, payer, payee, amount, balance) VALUES (?, ?, ?, ?, ?)"

_FIND_CASH = """
SELECT transfer.kind, transfer.amount, transfer.balance, cash.at
FROM cash
JOIN transfer ON transfer.id = cash.transfer
WHERE cash.account = ? AND cash.key = ?
"""

_ADD_CASH = "INSERT INTO cash (transfer, account, key, at) VALUES (?, ?, ?, ?)"

# What rounds that are accepted and not dealt yet may still return: room for that is kept below the largest amount.
_OPEN_EXPOSURE = """
SELECT coalesce(amount_sum(round.exposure), '0')
FROM open_round
JOIN round ON round.id = open_round.round
WHERE open_round.account = ?
"""


class Purse(NamedTuple):
    """A bettor's account in a transaction: its number and balance, and the numbers of the two accounts on the other side."""

    account: int
    balance: int
    house: int
    outside: int


def open_purse(database: sqlite3.Connection, bettor: str, currency: str) -> Purse:
    """The account of a bettor, made where it is new; the house and the outside world get theirs with a currency's first bettor."""
    key = (currency, bettor)
    columns = database.execute(_FIND_ACCOUNT, key).fetchone()
    if columns is None:
        for kind, name, balance in (("house", "", None), ("outside", "", None), ("bettor", bettor, "0")):
            database.execute(_ADD_ACCOUNT, (kind, name, currency, balance))
        columns = database.execute(_FIND_ACCOUNT, key).fetchone()
    account, balance, house, outside = columns
    return Purse(account, int(balance), house, outside)


def set_balance(database: sqlite3.Connection, purse: Purse, balance: int) -> None:
    """Change a bettor's balance from what the purse says."""
    changed = database.execute(_SET_BALANCE, (str(balance), purse.account, str(purse.balance)))
    if changed.rowcount != 1:
        raise StoreError("balance", f"{purse.balance}, as this transaction read it", "another one")


def add_transfer(database: sqlite3.Connection, kind: TransferKind, purse: Purse, amount: int, balance: int) -> int:
    """Note a movement that left the bettor with this balance; returns the transfer's id."""
    other = purse.outside if kind in _WITH_OUTSIDE else purse.house
    payer, payee = (other, purse.account) if kind in _TO_BETTOR else (purse.account, other)
    return database.execute(_ADD_TRANSFER, (kind, payer, payee, str(amount), str(balance))).lastrowid or 0


_WITH_OUTSIDE: Final = ("deposit", "withdrawal")
_TO_BETTOR: Final = ("deposit", "return")


def require_room(database: sqlite3.Connection, account: int, balance: int, more: int, *, has_open_rounds: bool = True) -> None:
    """Raise AmountError unless the balance stays below 10^38 whatever `more` and the open rounds bring. They never fail to be paid."""
    exposure = int(database.execute(_OPEN_EXPOSURE, (account,)).fetchone()[0]) if has_open_rounds else 0
    if balance + more + exposure > MAX_AMOUNT:
        raise AmountError("balance", "at most 10^38 - 1, whatever open rounds return", f"up to {balance + more + exposure}")


def move_cash(database: sqlite3.Connection, order: CashOrder) -> CashRow:
    """Deposit or withdraw once for each key."""
    purse = open_purse(database, order.bettor, order.currency)
    if known := database.execute(_FIND_CASH, (purse.account, order.key)).fetchone():
        kind, amount, balance, at = known
        require_same_cash(order, kind, int(amount))
        return CashRow(kind, order.bettor, order.amount, order.key, int(balance), read_time(at))
    balance = move_purse(database, purse, order.kind, order.amount, key=order.key, at=order.at)
    return CashRow(order.kind, order.bettor, order.amount, order.key, balance, order.at)


def move_purse(
    database: sqlite3.Connection, purse: Purse, kind: Literal["deposit", "withdrawal"], amount: int, *, key: str, at: datetime
) -> int:
    """Move money between a bettor and the outside world; returns the new balance."""
    if kind == "deposit":
        require_room(database, purse.account, purse.balance, amount)
        balance = purse.balance + amount
    else:
        require_funds(purse.balance, amount)
        balance = purse.balance - amount
    set_balance(database, purse, balance)
    transfer = add_transfer(database, kind, purse, amount, balance)
    database.execute(_ADD_CASH, (transfer, purse.account, key, write_time(at)))
    return balance
