"""Accounts and transfers: every movement takes from one account what it gives to another, and leaves the bettor's balance in its row.

Whoever moves a bettor's money or spends a nonce of one of its pairs has locked the bettor's account first, and holds that until COMMIT. It is
the only lock that anything here waits for, and where there are several they are taken in the order of their numbers: no circle can close.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, LiteralString, NamedTuple

from ...errors import StoreError
from ..refusals import require_funds, require_room, require_same_cash
from ..rows import CashRow
from .rows import read_time

if TYPE_CHECKING:
    from datetime import datetime

    from ..rows import CashKind
    from ..store import CashOrder
    from .database import Database

_ADD_ACCOUNT: Final[LiteralString] = """
INSERT INTO house.account (kind, bettor, currency, balance)
SELECT %(kind)s, %(bettor)s, %(currency)s, %(balance)s::text::numeric
WHERE NOT EXISTS (
    SELECT FROM house.account WHERE kind = %(kind)s AND currency = %(currency)s AND bettor = %(bettor)s
)
ON CONFLICT DO NOTHING
"""

_LOCK_ACCOUNT: Final[LiteralString] = """
SELECT bettor.number, bettor.balance::text, bettor.exposed::text, bettor.owed::text, house.number, outside.number
FROM house.account AS bettor
JOIN house.account AS house ON house.kind = 'house' AND house.currency = bettor.currency AND house.bettor = ''
JOIN house.account AS outside ON outside.kind = 'outside' AND outside.currency = bettor.currency AND outside.bettor = ''
WHERE bettor.kind = 'bettor' AND bettor.currency = %s AND bettor.bettor = %s
FOR NO KEY UPDATE OF bettor
"""

_FIND_CASH: Final[LiteralString] = """
SELECT transfer.kind, transfer.amount::text, transfer.balance::text, cash.at
FROM house.cash
JOIN house.transfer ON transfer.id = cash.transfer
WHERE cash.account = %s AND cash.key = %s
"""

# Lock and check that the balance is still what it was read as; then change it and note why, or else do nothing.
_MOVE_CASH: Final[LiteralString] = """
WITH changed AS (
    UPDATE house.account SET balance = %(after)s::text::numeric, owed = owed - %(paid)s::text::numeric
    WHERE number = %(account)s AND balance = %(before)s::text::numeric
    RETURNING number
), moved AS (
    INSERT INTO house.transfer (kind, payer, payee, amount, balance)
    SELECT %(kind)s, %(payer)s::bigint, %(payee)s::bigint, %(amount)s::text::numeric, %(after)s::text::numeric
    FROM changed
    RETURNING id
)
INSERT INTO house.cash (transfer, account, key, at)
SELECT moved.id, %(account)s, %(key)s, %(at)s
FROM moved
RETURNING transfer
"""


class Purse(NamedTuple):
    """A bettor's locked account: its number, what is in it, and the two accounts on the other side."""

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


def open_purse(database: Database, bettor: str, currency: str) -> Purse:
    """Lock a bettor's account, made where it is new; the house and the outside world get theirs with a currency's first bettor."""
    columns = database.row(_LOCK_ACCOUNT, (currency, bettor))
    if columns is None:
        for kind, name, balance in (("house", "", None), ("outside", "", None), ("bettor", bettor, "0")):
            database.run(_ADD_ACCOUNT, {"kind": kind, "bettor": name, "currency": currency, "balance": balance})
        columns = database.row(_LOCK_ACCOUNT, (currency, bettor))
    if columns is None:
        raise StoreError("account", "one that was made just now", "none")
    account, balance, exposed, owed, house, outside = columns
    return Purse(account, int(balance), int(exposed), int(owed), house, outside)


def move_cash(database: Database, order: CashOrder) -> CashRow:
    """Deposit or withdraw once for each key."""
    purse = open_purse(database, order.bettor, order.currency)
    if known := database.row(_FIND_CASH, (purse.account, order.key)):
        kind, amount, balance, at = known
        require_same_cash(order, kind, int(amount))
        return CashRow(kind, order.bettor, order.amount, order.key, int(balance), read_time(at))
    after = move_purse(database, purse, order.kind, order.amount, key=order.key, at=order.at)
    return CashRow(order.kind, order.bettor, order.amount, order.key, after, order.at)


def move_purse(database: Database, purse: Purse, kind: CashKind, amount: int, *, key: str, at: datetime, is_owed: bool = False) -> int:
    """Move money between a bettor and the outside world; `is_owed` if it is what was on its way to the wallet. Returns the new balance."""
    if kind == "deposit":
        require_room(purse.balance, purse.exposed, amount)
        after, payer, payee = purse.balance + amount, purse.outside, purse.account
    else:
        require_funds(purse.owed if is_owed else purse.free, amount)
        after, payer, payee = purse.balance - amount, purse.account, purse.outside
    moved = database.row(
        _MOVE_CASH,
        {
            "account": purse.account,
            "before": str(purse.balance),
            "after": str(after),
            "paid": str(amount if is_owed else 0),
            "kind": kind,
            "payer": payer,
            "payee": payee,
            "amount": str(amount),
            "key": key,
            "at": at,
        },
    )
    if moved is None:
        raise interfered("balance", f"{purse.balance}, as this transaction read it")
    return after


def interfered(what: str, expected: str) -> StoreError:
    """The error of a row that changed under this transaction's lock: somebody writes to the tables without taking it."""
    return StoreError(what, expected, "another one")
