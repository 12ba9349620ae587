"""Numbered migrations in plain SQL: applied once, in order, under a lock, and recognised by their checksums ever after."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Final

from ...errors import SchemaError, Slip

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

_FILE_NAME = re.compile(r"([0-9]{4})_([a-z0-9_]+)\.sql", re.ASCII)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number from 1, its name and its SQL."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the SQL, as 64 hex digits."""
        return sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MigrationStatus:
    """A migration, and whether the database has it."""

    number: int
    name: str
    is_applied: bool


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations that came with this version, in order."""
    folder = resources.files(__name__.rpartition(".")[0]) / "migrations"
    named = ((_FILE_NAME.fullmatch(file.name), file) for file in folder.iterdir())
    found = [Migration(int(name[1]), name[2], file.read_text(encoding="utf-8")) for name, file in named if name]
    return tuple(sorted(found, key=lambda migration: migration.number))


MIGRATIONS: Final = shipped_migrations()


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
    applied = len(_applied(database, path, migrations))
    return tuple(MigrationStatus(step.number, step.name, place < applied) for place, step in enumerate(migrations))


def require_current(database: sqlite3.Connection, path: object, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Raise SchemaError unless a database has exactly these migrations."""
    applied = len(_applied(database, path, migrations))
    if applied < len(migrations):
        slip = Slip("older_schema", "Back it up and apply the migrations.")
        raise SchemaError(f"schema of {path}", f"version {len(migrations)}", f"version {applied}, which is older", (slip,))


def is_empty(database: sqlite3.Connection) -> bool:
    """Whether there are no tables at all yet."""
    return not database.execute(_HAS_TABLES).fetchone()[0]


def _applied(database: sqlite3.Connection, path: object, migrations: Sequence[Migration]) -> list[tuple[int, str, str]]:
    if not database.execute(_HAS_LOG).fetchone()[0]:
        if is_empty(database):
            return []
        raise SchemaError(f"schema of {path}", "an empty database, or a house's", "tables of something else")
    applied: list[tuple[int, str, str]] = database.execute(_READ_LOG).fetchall()
    if len(applied) > len(migrations):
        slip = Slip("newer_schema", "Use the version of the program that wrote it, or a later one.")
        raise SchemaError(f"schema of {path}", f"version {len(migrations)}", f"version {len(applied)}, which is newer", (slip,))
    for (number, name, checksum), migration in zip(applied, migrations, strict=False):
        if (number, name, checksum) != (migration.number, migration.name, migration.checksum):
            expected = f"migration {migration.number} {migration.name} with checksum {migration.checksum[:16]}..."
            raise SchemaError(f"schema of {path}", expected, f"{number} {name} with {checksum[:16]}...")
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
