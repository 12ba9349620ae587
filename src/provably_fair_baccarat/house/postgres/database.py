"""One connection as the statements here use it: tuples out, whatever the connection's own row factory, and prepared once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, LiteralString

from psycopg import Cursor
from psycopg.rows import tuple_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from psycopg import Connection


class Database:
    """Runs statements on a connection, inside whatever transaction that is in."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection

    def send(self, statement: LiteralString, values: Sequence[Any] | Mapping[str, Any] | None = None) -> Cursor[tuple[Any, ...]]:
        """Run a statement; in a pipeline it may be on its way still. Its rows are fetched from what is returned."""
        return Cursor(self._connection, row_factory=tuple_row).execute(statement, values, prepare=True)

    def run(self, statement: LiteralString, values: Sequence[Any] | Mapping[str, Any] | None = None) -> None:
        """Run a statement for what it does."""
        self.send(statement, values)

    def rows(self, statement: LiteralString, values: Sequence[Any] | Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """All rows of a statement."""
        return self.send(statement, values).fetchall()

    def row(self, statement: LiteralString, values: Sequence[Any] | Mapping[str, Any] | None = None) -> tuple[Any, ...] | None:
        """The first row of a statement, or None."""
        return self.send(statement, values).fetchone()
