"""Signed statements in PostgreSQL: kept with what they state, listed to be logged, given their places, and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, LiteralString

from ..columns import statement_row
from .rows import write_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...receipts.jws import Kind
    from ..rows import StatementRow
    from .database import Database

_ADD: Final[LiteralString] = """
WITH made AS (
    INSERT INTO house.statement (pair, kind, nonce, text)
    SELECT pair, kind, nonce, text
    FROM json_to_recordset(%s) AS made (pair bigint, kind text, nonce bigint, text text, place bigint)
    ORDER BY place
    RETURNING id
)
INSERT INTO house.unlogged (statement) SELECT id FROM made
"""

_OPENED: Final[LiteralString] = """
SELECT pair.commitment, count(*) OVER ()
FROM house.pair
JOIN house.statement ON statement.pair = pair.number AND coalesce(statement.nonce, -1) = -1 AND statement.kind = 'opening'
WHERE pair.account = %s
ORDER BY pair.number DESC
LIMIT 1
"""

_SELECT: Final[LiteralString] = """
SELECT statement.kind, pair.commitment, statement.nonce, statement.text, log_place.place
FROM house.statement
JOIN house.pair ON pair.number = statement.pair
LEFT JOIN house.log_place ON log_place.statement = statement.id
"""
_ABOUT: Final[LiteralString] = f"""
{_SELECT} WHERE statement.pair = %s AND coalesce(statement.nonce, -1) BETWEEN %s AND %s ORDER BY coalesce(nonce, -1), statement.id
"""
_PLACED: Final[LiteralString] = f"{_SELECT} WHERE log_place.place >= %s ORDER BY log_place.place LIMIT %s"

# "pfb log" as a number: one sequencer gives places at a time.
_LOCK: Final[LiteralString] = "SELECT pg_advisory_xact_lock(31639429466975079)"
_NEXT_PLACE: Final[LiteralString] = "SELECT coalesce(max(place) + 1, 0) FROM house.log_place"
_PLACE: Final[LiteralString] = """
WITH waiting AS (
    SELECT statement FROM house.unlogged ORDER BY statement LIMIT %(limit)s
), given AS (
    INSERT INTO house.log_place (place, statement)
    SELECT %(place)s::bigint + row_number() OVER (ORDER BY statement) - 1, statement FROM waiting ORDER BY statement
    RETURNING statement
)
SELECT count(*) FROM given
"""
_DONE: Final[LiteralString] = "DELETE FROM house.unlogged WHERE statement IN (SELECT statement FROM house.log_place WHERE place >= %s)"


def add_statements(database: Database, made: Sequence[tuple[Kind, int, int | None, str]]) -> None:
    """Keep statements by kind, pair, nonce and text, in order, and list them to be logged."""
    if made:
        rows = [
            {"place": place, "kind": kind, "pair": pair, "nonce": nonce, "text": text}
            for place, (kind, pair, nonce, text) in enumerate(made)
        ]
        database.run(_ADD, (write_rows(rows),))


def openings_of(database: Database, account: int) -> tuple[int, bytes | None]:
    """How many openings an account has, and the commitment of the latest."""
    columns = database.row(_OPENED, (account,))
    return (0, None) if columns is None else (columns[1], columns[0])


def statements(database: Database, pair: int, first: int, last: int) -> list[StatementRow]:
    """Statements about a pair's nonces from the first to the last, in order; those about the pair itself have -1."""
    return [statement_row(columns) for columns in database.rows(_ABOUT, (pair, first, last))]


def placed(database: Database, place: int, limit: int) -> list[StatementRow]:
    """Statements in the order of their places, from one on."""
    return [statement_row(columns) for columns in database.rows(_PLACED, (place, limit))]


def next_place(database: Database) -> int:
    """The place that is given next: how many were given."""
    columns = database.row(_NEXT_PLACE)
    return 0 if columns is None else columns[0]


def give_places(database: Database, limit: int) -> int:
    """Give the next places to statements that have none, at most so many, in the order they were made. Returns how many."""
    database.run(_LOCK)
    place = next_place(database)
    given = database.row(_PLACE, {"place": place, "limit": limit})
    database.run(_DONE, (place,))
    return 0 if given is None else given[0]
