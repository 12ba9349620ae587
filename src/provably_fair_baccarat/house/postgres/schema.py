"""Numbered migrations in plain SQL: applied once, in order, under an advisory lock, and recognised by their checksums ever after."""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, LiteralString

from ...errors import SchemaError, Slip
from ..sqlite.schema import Migration, MigrationStatus
from .database import Database

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg import Connection

    from ..clock import Clock

# "pfb house" as a number: whoever migrates waits for whoever is migrating.
_LOCK: Final[LiteralString] = "SELECT pg_advisory_xact_lock(8098928867283792741)"
_CREATE_LOG: Final[LiteralString] = """
CREATE TABLE IF NOT EXISTS house.schema_migration (
    number     integer PRIMARY KEY,
    name       text NOT NULL,
    checksum   text NOT NULL,  -- SHA-256 of the file
    applied_at timestamptz NOT NULL
)
"""
_CREATE_SCHEMA: Final[LiteralString] = "CREATE SCHEMA IF NOT EXISTS house"
_HAS_LOG: Final[LiteralString] = "SELECT to_regclass('house.schema_migration') IS NOT NULL"
_HAS_TABLES: Final[LiteralString] = """
SELECT EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'house')
"""
_READ_LOG: Final[LiteralString] = "SELECT number, name, checksum FROM house.schema_migration ORDER BY number"
_LOG: Final[LiteralString] = "INSERT INTO house.schema_migration (number, name, checksum, applied_at) VALUES (%s, %s, %s, %s)"
_ENCODING: Final[LiteralString] = "SELECT current_setting('server_encoding')"

_FILE_NAME = re.compile(r"([0-9]{4})_([a-z0-9_]+)\.sql", re.ASCII)


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations that came with this version, in order."""
    folder = resources.files(__name__.rpartition(".")[0]) / "migrations"
    named = ((_FILE_NAME.fullmatch(file.name), file) for file in folder.iterdir())
    found = [Migration(int(name[1]), name[2], file.read_text(encoding="utf-8")) for name, file in named if name]
    return tuple(sorted(found, key=lambda migration: migration.number))


MIGRATIONS: Final = shipped_migrations()


def apply_migrations(
    connection: Connection[Any], name: str, clock: Clock, migrations: Sequence[Migration] = MIGRATIONS
) -> tuple[MigrationStatus, ...]:
    """Bring a database up to date in one transaction. Raises SchemaError for one that is newer, changed or somebody else's."""
    database = Database(connection)
    with connection.transaction():
        database.run(_LOCK)
        encoding = database.row(_ENCODING)
        if encoding != ("UTF8",):
            raise SchemaError(f"encoding of {name}", "UTF8", "another one")
        applied = _applied(database, name, migrations)
        database.run(_CREATE_SCHEMA)
        database.run(_CREATE_LOG)
        for migration in migrations[len(applied) :]:
            connection.execute(migration.sql.encode())  # many statements at once, and no values
            database.run(_LOG, (migration.number, migration.name, migration.checksum, clock()))
    return status(connection, name, migrations)


def status(connection: Connection[Any], name: str, migrations: Sequence[Migration] = MIGRATIONS) -> tuple[MigrationStatus, ...]:
    """Which migrations a database has. Raises SchemaError for one that is newer, changed or somebody else's."""
    applied = len(_applied(Database(connection), name, migrations))
    return tuple(MigrationStatus(step.number, step.name, place < applied) for place, step in enumerate(migrations))


def require_current(connection: Connection[Any], name: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Raise SchemaError unless a database has exactly these migrations."""
    applied = len(_applied(Database(connection), name, migrations))
    if applied < len(migrations):
        slip = Slip("older_schema", "Back it up and apply the migrations.")
        raise SchemaError(f"schema of {name}", f"version {len(migrations)}", f"version {applied}, which is older", (slip,))


def is_empty(connection: Connection[Any]) -> bool:
    """Whether the house has no tables at all yet."""
    return Database(connection).row(_HAS_TABLES) == (False,)


def _applied(database: Database, name: str, migrations: Sequence[Migration]) -> list[tuple[Any, ...]]:
    if database.row(_HAS_LOG) != (True,):
        if database.row(_HAS_TABLES) == (False,):
            return []
        raise SchemaError(f"schema of {name}", "no schema named house, or a house's", "tables of something else in it")
    applied = database.rows(_READ_LOG)
    if len(applied) > len(migrations):
        slip = Slip("newer_schema", "Use the version of the program that wrote it, or a later one.")
        raise SchemaError(f"schema of {name}", f"version {len(migrations)}", f"version {len(applied)}, which is newer", (slip,))
    for (number, known_name, checksum), migration in zip(applied, migrations, strict=False):
        if (number, known_name, checksum) != (migration.number, migration.name, migration.checksum):
            expected = f"migration {migration.number} {migration.name} with checksum {migration.checksum[:16]}..."
            raise SchemaError(f"schema of {name}", expected, f"{number} {known_name} with {checksum[:16]}...")
    return applied
