"""What is read from PostgreSQL, each in one statement and so in one snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, LiteralString

from ..columns import account_row, transfer_row, transfer_rows_of_pair
from .rows import SELECT_LEG, SELECT_PAIR, SELECT_ROUND, event_row, leg_row, pair_row, round_row

if TYPE_CHECKING:
    from ..rows import AccountRow, EventRow, LegRow, PairRow, RoundQuery, RoundRow, TransferRow
    from .database import Database

_PAIR_BY_ID: Final[LiteralString] = f"{SELECT_PAIR} WHERE pair.id = %s"
_PAIRS_OF: Final[LiteralString] = f"""
{SELECT_PAIR} WHERE account.kind = 'bettor' AND account.currency = %s AND account.bettor = %s ORDER BY pair.number
"""
_PAIRS_TO_REVEAL: Final[LiteralString] = f"""
{SELECT_PAIR} WHERE pair.state <> 'revealed' AND pair.number > %s ORDER BY pair.number LIMIT %s
"""
_PAIRS_UNDER_KEY: Final[LiteralString] = f"""
{SELECT_PAIR} WHERE pair.key_id = %s AND pair.state <> 'revealed' ORDER BY pair.number LIMIT %s
"""

_OPEN_ROUNDS: Final[LiteralString] = f"""
{SELECT_ROUND}
WHERE pair.state IN ('active', 'closing') AND pair.settled < pair.next_nonce AND coup.round IS NULL
    AND (%(pair)s::bigint IS NULL OR pair.number = %(pair)s)
ORDER BY round.id
"""

_UNFINISHED_LEGS: Final[LiteralString] = f"""
{SELECT_LEG} WHERE leg.state IN ('begun', 'voiding') AND (%(leg)s::text IS NULL OR leg.id = %(leg)s) ORDER BY leg.at, leg.id
"""

_BALANCE: Final[LiteralString] = """
SELECT balance::text FROM house.account WHERE kind = 'bettor' AND currency = %s AND bettor = %s
"""

# Each currency has one account of the house, and each bettor one at most beside it: so none but this bettor's are read.
_CURRENCIES: Final[LiteralString] = """
SELECT bettor.currency
FROM house.account AS house
JOIN house.account AS bettor ON bettor.kind = 'bettor' AND bettor.currency = house.currency AND bettor.bettor = %s
WHERE house.kind = 'house'
"""

# The balance comes first, as if it were the transfer 0.
_STATEMENT: Final[LiteralString] = """
WITH bettor AS (SELECT number, balance FROM house.account WHERE kind = 'bettor' AND currency = %s AND bettor = %s)
SELECT 0 AS id, '' AS kind, number AS payer, number AS payee, '0' AS amount, balance::text FROM bettor
UNION ALL
SELECT id, kind, payer, payee, amount::text, balance::text
FROM house.transfer
WHERE id IN (
    SELECT cash.transfer FROM bettor JOIN house.cash ON cash.account = bettor.number
    UNION ALL
    SELECT round.transfer FROM bettor JOIN house.round ON round.account = bettor.number
    UNION ALL
    SELECT coup.transfer FROM bettor JOIN house.round ON round.account = bettor.number JOIN house.coup ON coup.round = round.id
)
ORDER BY id
"""

_TRANSFERS_OF_PAIR: Final[LiteralString] = """
SELECT round.nonce,
    stake.id, stake.kind, stake.payer, stake.payee, stake.amount::text, stake.balance::text,
    paid.id, paid.kind, paid.payer, paid.payee, paid.amount::text, paid.balance::text
FROM house.round
LEFT JOIN house.transfer AS stake ON stake.id = round.transfer
LEFT JOIN house.coup ON coup.round = round.id
LEFT JOIN house.transfer AS paid ON paid.id = coup.transfer
WHERE round.pair = %s
"""

_ACCOUNTS: Final[LiteralString] = """
WITH credit AS (SELECT payee AS account, sum(amount) AS total FROM house.transfer GROUP BY payee),
    debit AS (SELECT payer AS account, sum(amount) AS total FROM house.transfer GROUP BY payer)
SELECT account.number, account.kind, account.bettor, account.currency, account.balance::text,
    coalesce(credit.total, 0)::text, coalesce(debit.total, 0)::text
FROM house.account
LEFT JOIN credit ON credit.account = account.number
LEFT JOIN debit ON debit.account = account.number
ORDER BY account.number
"""

_EVENTS: Final[LiteralString] = """
SELECT event.id, event.kind, pair.id, event.nonce, event.bets, event.key, event.reason, event.at
FROM house.event
LEFT JOIN house.pair ON pair.number = event.pair
WHERE event.id > %(after)s AND (%(pair)s::bigint IS NULL OR event.pair = %(pair)s)
ORDER BY event.id
LIMIT %(limit)s
"""


def pair(database: Database, pair_id: str) -> PairRow | None:
    """A pair by its id."""
    columns = database.row(_PAIR_BY_ID, (pair_id,))
    return None if columns is None else pair_row(columns)


def pairs(database: Database, bettor: str, currency: str) -> list[PairRow]:
    """A bettor's pairs."""
    return [pair_row(columns) for columns in database.rows(_PAIRS_OF, (currency, bettor))]


def pairs_to_reveal(database: Database, after: int, limit: int) -> list[PairRow]:
    """Pairs that aren't revealed."""
    return [pair_row(columns) for columns in database.rows(_PAIRS_TO_REVEAL, (after, limit))]


def pairs_sealed_under(database: Database, key_id: str, limit: int) -> list[PairRow]:
    """Pairs that aren't revealed and whose seal is of that key."""
    return [pair_row(columns) for columns in database.rows(_PAIRS_UNDER_KEY, (key_id, limit))]


def rounds(database: Database, query: RoundQuery) -> list[RoundRow]:
    """Rounds in the order they were accepted, or back from the latest."""
    conditions: list[LiteralString] = []
    values: list[Any] = []
    behind = "round.id < %s" if query.is_latest_first else "round.id > %s"
    of_bettor = "round.account = (SELECT number FROM house.account WHERE kind = 'bettor' AND currency = %s AND bettor = %s)"
    asked: tuple[tuple[LiteralString, tuple[Any, ...] | None], ...] = (
        ("round.pair = %s", None if query.pair is None else (query.pair,)),
        (of_bettor, None if query.bettor is None else (query.currency, query.bettor)),
        ("round.accepted_at >= %s", None if query.since is None else (query.since,)),
        ("round.accepted_at < %s", None if query.until is None else (query.until,)),
        (behind, None if query.after is None else (query.after,)),
    )
    for condition, given in asked:
        if given is not None:
            conditions.append(condition)
            values += given
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    order = "round.id" if query.pair is None else "round.nonce"  # the same order, each with an index to follow
    statement = f"{SELECT_ROUND} {where} ORDER BY {order} {'DESC' if query.is_latest_first else 'ASC'} LIMIT %s"
    return [round_row(columns) for columns in database.rows(statement, (*values, query.limit))]


def open_rounds(database: Database, number: int | None) -> list[RoundRow]:
    """Rounds that are accepted and not dealt."""
    return [round_row(columns) for columns in database.rows(_OPEN_ROUNDS, {"pair": number})]


def unfinished_legs(database: Database, leg: str | None) -> list[LegRow]:
    """Transactions of the wallet without a definite end."""
    return [leg_row(columns) for columns in database.rows(_UNFINISHED_LEGS, {"leg": leg})]


def balance(database: Database, bettor: str, currency: str) -> int | None:
    """A bettor's balance."""
    columns = database.row(_BALANCE, (currency, bettor))
    return None if columns is None else int(columns[0])


def currencies(database: Database, bettor: str) -> list[str]:
    """The currencies of a bettor's accounts."""
    return sorted(currency for (currency,) in database.rows(_CURRENCIES, (bettor,)))


def statement(database: Database, bettor: str, currency: str) -> tuple[int | None, list[TransferRow]]:
    """A bettor's balance and transfers."""
    balance_and_transfers = [transfer_row(columns) for columns in database.rows(_STATEMENT, (currency, bettor))]
    return (balance_and_transfers[0].balance, balance_and_transfers[1:]) if balance_and_transfers else (None, [])


def transfers_of_pair(database: Database, number: int) -> dict[int, tuple[TransferRow | None, TransferRow | None]]:
    """Of each round: its stake's transfer and its return's."""
    return transfer_rows_of_pair(database.rows(_TRANSFERS_OF_PAIR, (number,)))


def accounts(database: Database) -> list[AccountRow]:
    """Every account and the sums of its postings."""
    return [account_row(columns) for columns in database.rows(_ACCOUNTS)]


def events(database: Database, number: int | None, after: int, limit: int) -> list[EventRow]:
    """Events in order."""
    return [event_row(columns) for columns in database.rows(_EVENTS, {"after": after, "pair": number, "limit": limit})]
