"""What is read from SQLite, each in one snapshot of a reader's own connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..columns import account_row, transfer_row, transfer_rows_of_pair
from .rows import SELECT_LEG, SELECT_PAIR, SELECT_ROUND, event_row, leg_row, pair_row, round_row, write_time

if TYPE_CHECKING:
    import sqlite3

    from ..rows import AccountRow, EventRow, LegRow, PairRow, RoundQuery, RoundRow, TransferRow

_PAIR_BY_ID: Final = f"{SELECT_PAIR} WHERE pair.id = ?"
_PAIRS_OF: Final = f"{SELECT_PAIR} WHERE account.kind = 'bettor' AND account.currency = ? AND account.bettor = ? ORDER BY pair.number"
_PAIRS_TO_REVEAL: Final = f"{SELECT_PAIR} WHERE pair.state <> 'revealed' AND pair.number > ? ORDER BY pair.number LIMIT ?"
_PAIRS_UNDER_KEY: Final = f"{SELECT_PAIR} WHERE pair.key_id = ? AND pair.state <> 'revealed' ORDER BY pair.number LIMIT ?"

_OPEN_ROUNDS: Final = (
    SELECT_ROUND  # noqa: S608 (all parts are constants of this module)
    + """
WHERE round.id IN (SELECT round FROM open_round) AND (?1 IS NULL OR pair.number = ?1)
ORDER BY round.id
"""
)

_UNFINISHED_LEGS: Final = f"""
{SELECT_LEG} WHERE leg.state IN ('begun', 'voiding') AND (?1 IS NULL OR leg.id = ?1) ORDER BY leg.at, leg.id
"""

_BALANCE: Final = "SELECT balance FROM account WHERE kind = 'bettor' AND currency = ? AND bettor = ?"

# Each currency has one account of the house, and each bettor one at most beside it: so none but this bettor's are read.
_CURRENCIES: Final = """
SELECT bettor.currency
FROM account AS house
JOIN account AS bettor ON bettor.kind = 'bettor' AND bettor.currency = house.currency AND bettor.bettor = ?
WHERE house.kind = 'house'
ORDER BY bettor.currency
"""

_TRANSFERS_OF: Final = """
WITH bettor AS (SELECT number FROM account WHERE kind = 'bettor' AND currency = ? AND bettor = ?)
SELECT id, kind, payer, payee, amount, balance
FROM transfer
WHERE id IN (
    SELECT cash.transfer FROM bettor JOIN cash ON cash.account = bettor.number
    UNION ALL
    SELECT round.transfer FROM bettor JOIN round ON round.account = bettor.number
    UNION ALL
    SELECT coup.transfer FROM bettor JOIN round ON round.account = bettor.number JOIN coup ON coup.round = round.id
)
ORDER BY id
"""

_TRANSFERS_OF_PAIR: Final = """
SELECT round.nonce,
    stake.id, stake.kind, stake.payer, stake.payee, stake.amount, stake.balance,
    paid.id, paid.kind, paid.payer, paid.payee, paid.amount, paid.balance
FROM round
LEFT JOIN transfer AS stake ON stake.id = round.transfer
LEFT JOIN coup ON coup.round = round.id
LEFT JOIN transfer AS paid ON paid.id = coup.transfer
WHERE round.pair = ?
"""

_ACCOUNTS: Final = """
WITH credit AS (SELECT payee AS account, amount_sum(amount) AS total FROM transfer GROUP BY payee),
    debit AS (SELECT payer AS account, amount_sum(amount) AS total FROM transfer GROUP BY payer)
SELECT account.number, account.kind, account.bettor, account.currency, account.balance,
    coalesce(credit.total, '0'), coalesce(debit.total, '0')
FROM account
LEFT JOIN credit ON credit.account = account.number
LEFT JOIN debit ON debit.account = account.number
ORDER BY account.number
"""

_EVENTS: Final = """
SELECT event.id, event.kind, pair.id, event.nonce, event.bets, event.key, event.reason, event.at
FROM event
LEFT JOIN pair ON pair.number = event.pair
WHERE event.id > ?1 AND (?2 IS NULL OR event.pair = ?2)
ORDER BY event.id
LIMIT ?3
"""


def pair(database: sqlite3.Connection, pair_id: str) -> PairRow | None:
    """A pair by its id."""
    columns = database.execute(_PAIR_BY_ID, (pair_id,)).fetchone()
    return None if columns is None else pair_row(columns)


def pairs(database: sqlite3.Connection, bettor: str, currency: str) -> list[PairRow]:
    """A bettor's pairs."""
    return [pair_row(columns) for columns in database.execute(_PAIRS_OF, (currency, bettor))]


def pairs_to_reveal(database: sqlite3.Connection, after: int, limit: int) -> list[PairRow]:
    """Pairs that aren't revealed."""
    return [pair_row(columns) for columns in database.execute(_PAIRS_TO_REVEAL, (after, limit))]


def pairs_sealed_under(database: sqlite3.Connection, key_id: str, limit: int) -> list[PairRow]:
    """Pairs that aren't revealed and whose seal is of that key."""
    return [pair_row(columns) for columns in database.execute(_PAIRS_UNDER_KEY, (key_id, limit))]


def rounds(database: sqlite3.Connection, query: RoundQuery) -> list[RoundRow]:
    """Rounds in the order they were accepted, or back from the latest."""
    conditions: list[str] = []
    values: list[Any] = []
    behind = "round.id < ?" if query.is_latest_first else "round.id > ?"
    of_bettor = "round.account = (SELECT number FROM account WHERE kind = 'bettor' AND currency = ? AND bettor = ?)"
    for condition, given in (
        ("round.pair = ?", None if query.pair is None else (query.pair,)),
        (of_bettor, None if query.bettor is None else (query.currency, query.bettor)),
        ("round.accepted_at >= ?", None if query.since is None else (write_time(query.since),)),
        ("round.accepted_at < ?", None if query.until is None else (write_time(query.until),)),
        (behind, None if query.after is None else (query.after,)),
    ):
        if given is not None:
            conditions.append(condition)
            values += given
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    order = "round.id" if query.pair is None else "round.nonce"  # the same order, each with an index to follow
    statement = f"{SELECT_ROUND} {where} ORDER BY {order} {'DESC' if query.is_latest_first else 'ASC'} LIMIT ?"
    return [round_row(columns) for columns in database.execute(statement, (*values, query.limit))]


def open_rounds(database: sqlite3.Connection, number: int | None) -> list[RoundRow]:
    """Rounds that are accepted and not dealt."""
    return [round_row(columns) for columns in database.execute(_OPEN_ROUNDS, (number,))]


def unfinished_legs(database: sqlite3.Connection, leg: str | None) -> list[LegRow]:
    """Transactions of the wallet without a definite end."""
    return [leg_row(columns) for columns in database.execute(_UNFINISHED_LEGS, (leg,))]


def balance(database: sqlite3.Connection, bettor: str, currency: str) -> int | None:
    """A bettor's balance."""
    columns = database.execute(_BALANCE, (currency, bettor)).fetchone()
    return None if columns is None else int(columns[0])


def currencies(database: sqlite3.Connection, bettor: str) -> list[str]:
    """The currencies of a bettor's accounts."""
    return [currency for (currency,) in database.execute(_CURRENCIES, (bettor,))]


def statement(database: sqlite3.Connection, bettor: str, currency: str) -> tuple[int | None, list[TransferRow]]:
    """A bettor's balance and transfers."""
    transfers = [transfer_row(columns) for columns in database.execute(_TRANSFERS_OF, (currency, bettor))]
    return balance(database, bettor, currency), transfers


def transfers_of_pair(database: sqlite3.Connection, number: int) -> dict[int, tuple[TransferRow | None, TransferRow | None]]:
    """Of each round: its stake's transfer and its return's."""
    return transfer_rows_of_pair(database.execute(_TRANSFERS_OF_PAIR, (number,)))


def accounts(database: sqlite3.Connection) -> list[AccountRow]:
    """Every account and the sums of its postings."""
    return [account_row(columns) for columns in database.execute(_ACCOUNTS)]


def events(database: sqlite3.Connection, number: int | None, after: int, limit: int) -> list[EventRow]:
    """Events in order."""
    return [event_row(columns) for columns in database.execute(_EVENTS, (after, number, limit))]
