"""Numbered migrations in plain SQL: applied once, in order, under a lock, and recognised by their checksums ever after."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from ...errors import SchemaError
from ..migrations import Migration, MigrationStatus, require_all, require_known, shipped_migrations, status_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..clock import Clock

_CREATE_LOG = """
CREATE TABLE IF NOT EXISTS schema_migration (
    number     INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,  -- SHA-256 of the file
    applied_at TEXT NOT NULL
) STRICT
"""
_HAS_LOG = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration')"
_HAS_TABLES = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)"
_READ_LOG = "SELECT number, name, checksum FROM schema_migration ORDER BY number"
_LOG = "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)"

MIGRATIONS: Final = shipped_migrations(__name__.rpartition(".")[0])


def apply_migrations(
    database: sqlite3.Connection, path: object, clock: Clock, migrations: Sequence[Migration] = MIGRATIONS
) -> tuple[MigrationStatus, ...]:
    """Bring a database up to date in one transaction. Raises SchemaError for one that is newer, changed or somebody else's."""
    database.execute("BEGIN IMMEDIATE")
    try:
        applied = _applied(database, path, migrations)
        database.execute(_CREATE_LOG)
        for migration in migrations[len(applied) :]:
            for statement in _statements(migration.sql):
                database.execute(statement)
            database.execute(_LOG, (migration.number, migration.name, migration.checksum, clock().isoformat()))
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
    return status(database, path, migrations)


def status(database: sqlite3.Connection, path: object, migrations: Sequence[Migration] = MIGRATIONS) -> tuple[MigrationStatus, ...]:
    """Which migrations a database has. Raises SchemaError for one that is newer, changed or somebody else's."""
    return status_of(len(_applied(database, path, migrations)), migrations)


def require_current(database: sqlite3.Connection, path: object, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Raise SchemaError unless a database has exactly these migrations."""
    require_all(len(_applied(database, path, migrations)), migrations, path)


def is_empty(database: sqlite3.Connection) -> bool:
    """Whether there are no tables at all yet."""
    return not database.execute(_HAS_TABLES).fetchone()[0]


def _applied(database: sqlite3.Connection, path: object, migrations: Sequence[Migration]) -> list[tuple[int, str, str]]:
    if not database.execute(_HAS_LOG).fetchone()[0]:
        if is_empty(database):
            return []
        raise SchemaError(f"schema of {path}", "an empty database, or a house's", "tables of something else")
    applied: list[tuple[int, str, str]] = database.execute(_READ_LOG).fetchall()
    require_known(applied, migrations, path)
    return applied


def _statements(sql: str) -> Iterator[str]:
    """The statements of a script one by one; SQLite's own `complete_statement` knows where a trigger ends."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        if not statement and (not line.strip() or line.startswith("--")):
            continue
        statement += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
