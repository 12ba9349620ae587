"""Numbered migrations in plain SQL: applied once, in order, under an advisory lock, and recognised by their checksums ever after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, LiteralString

from ...errors import SchemaError
from ..migrations import Migration, MigrationStatus, require_all, require_known, shipped_migrations, status_of
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

MIGRATIONS: Final = shipped_migrations(__name__.rpartition(".")[0])


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
    return status_of(len(_applied(Database(connection), name, migrations)), migrations)


def require_current(connection: Connection[Any], name: str, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Raise SchemaError unless a database has exactly these migrations."""
    require_all(len(_applied(Database(connection), name, migrations)), migrations, name)


def is_empty(connection: Connection[Any]) -> bool:
    """Whether the house has no tables at all yet."""
    return Database(connection).row(_HAS_TABLES) == (False,)


def _applied(database: Database, name: str, migrations: Sequence[Migration]) -> list[tuple[int, str, str]]:
    if database.row(_HAS_LOG) != (True,):
        if database.row(_HAS_TABLES) == (False,):
            return []
        raise SchemaError(f"schema of {name}", "no schema named house, or a house's", "tables of something else in it")
    applied: list[tuple[int, str, str]] = database.rows(_READ_LOG)
    require_known(applied, migrations, name)
    return applied
