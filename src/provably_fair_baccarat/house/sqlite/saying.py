"""Signed statements in SQLite: kept with what they state, listed to be logged, given their places, and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..columns import statement_row

if TYPE_CHECKING:
    import sqlite3

    from ...receipts.jws import Kind
    from ..rows import StatementRow

_ADD: Final = "INSERT INTO statement (pair, kind, nonce, text) VALUES (?, ?, ?, ?)"
_LIST: Final = "INSERT INTO unlogged (statement) VALUES (?)"

_OPENED: Final = """
SELECT pair.commitment, count(*) OVER ()
FROM pair
JOIN statement ON statement.pair = pair.number AND coalesce(statement.nonce, -1) = -1 AND statement.kind = 'opening'
WHERE pair.account = ?
ORDER BY pair.number DESC
LIMIT 1
"""

_SELECT: Final = """
SELECT statement.kind, pair.commitment, statement.nonce, statement.text, log_place.place
FROM statement
JOIN pair ON pair.number = statement.pair
LEFT JOIN log_place ON log_place.statement = statement.id
"""
_ABOUT: Final = (
    f"{_SELECT} WHERE statement.pair = ? AND coalesce(statement.nonce, -1) BETWEEN ? AND ? ORDER BY coalesce(nonce, -1), statement.id"
)
_PLACED: Final = """
SELECT statement.kind, pair.commitment, statement.nonce, statement.text, log_place.place
FROM log_place
JOIN statement ON statement.id = log_place.statement
JOIN pair ON pair.number = statement.pair
WHERE log_place.place >= ?
ORDER BY log_place.place
LIMIT ?
"""

_NEXT_PLACE: Final = "SELECT coalesce(max(place) + 1, 0) FROM log_place"
_PLACE: Final = """
INSERT INTO log_place (place, statement)
SELECT ?1 + row_number() OVER (ORDER BY statement) - 1, statement FROM unlogged ORDER BY statement LIMIT ?2
"""
_DONE: Final = "DELETE FROM unlogged WHERE statement IN (SELECT statement FROM log_place WHERE place >= ?)"


def add_statement(database: sqlite3.Connection, kind: Kind, pair: int, nonce: int | None, text: str) -> None:
    """Keep a statement, and list it to be logged."""
    statement = database.execute(_ADD, (pair, kind, nonce, text)).lastrowid
    database.execute(_LIST, (statement,))


def openings_of(database: sqlite3.Connection, account: int) -> tuple[int, bytes | None]:
    """How many openings an account has, and the commitment of the latest."""
    columns = database.execute(_OPENED, (account,)).fetchone()
    return (0, None) if columns is None else (columns[1], columns[0])


def statements(database: sqlite3.Connection, pair: int, first: int, last: int) -> list[StatementRow]:
    """Statements about a pair's nonces from the first to the last, in order; those about the pair itself have -1."""
    return [statement_row(columns) for columns in database.execute(_ABOUT, (pair, first, last))]


def placed(database: sqlite3.Connection, place: int, limit: int) -> list[StatementRow]:
    """Statements in the order of their places, from one on."""
    return [statement_row(columns) for columns in database.execute(_PLACED, (place, limit))]


def next_place(database: sqlite3.Connection) -> int:
    """The place that is given next: how many were given."""
    place: int = database.execute(_NEXT_PLACE).fetchone()[0]
    return place


def give_places(database: sqlite3.Connection, limit: int) -> int:
    """Give the next places to statements that have none, at most so many, in the order they were made. Returns how many."""
    place = next_place(database)
    given = database.execute(_PLACE, (place, limit)).rowcount
    database.execute(_DONE, (place,))
    return given
