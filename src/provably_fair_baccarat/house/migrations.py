"""Numbered migrations in plain SQL, as every engine has them: what one is, which a database has, and what is wrong if it has others."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING

from ..errors import SchemaError, Slip

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILE_NAME = re.compile(r"([0-9]{4})_([a-z0-9_]+)\.sql", re.ASCII)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number from 1, its name and its SQL."""

    number: int
    name: str
    sql: str = field(repr=False)

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


def shipped_migrations(engine: str) -> tuple[Migration, ...]:
    """The migrations that came with this version for an engine, by its package's name, in order."""
    folder = resources.files(engine) / "migrations"
    named = ((_FILE_NAME.fullmatch(file.name), file) for file in folder.iterdir())
    found = [Migration(int(name[1]), name[2], file.read_text(encoding="utf-8")) for name, file in named if name]
    return tuple(sorted(found, key=lambda migration: migration.number))


def require_known(applied: Sequence[tuple[int, str, str]], migrations: Sequence[Migration], database: object) -> None:
    """Raise SchemaError unless what a database has, by number, name and checksum, is the beginning of these migrations."""
    if len(applied) > len(migrations):
        slip = Slip("newer_schema", "Use the version of the program that wrote it, or a later one.")
        raise SchemaError(f"schema of {database}", f"version {len(migrations)}", f"version {len(applied)}, which is newer", (slip,))
    for (number, name, checksum), migration in zip(applied, migrations, strict=False):
        if (number, name, checksum) != (migration.number, migration.name, migration.checksum):
            expected = f"migration {migration.number} {migration.name} with checksum {migration.checksum[:16]}..."
            raise SchemaError(f"schema of {database}", expected, f"{number} {name} with {checksum[:16]}...")


def require_all(applied: int, migrations: Sequence[Migration], database: object) -> None:
    """Raise SchemaError unless a database has all of these migrations."""
    if not applied and migrations:
        slip = Slip(
            "not_migrated", "There is no house in this database: if it is the right one, run `pfb db migrate --database ...` as its owner."
        )
        raise SchemaError(f"schema of {database}", f"version {len(migrations)}", "no tables of a house", (slip,))
    if applied < len(migrations):
        slip = Slip("older_schema", "Back it up, and run `pfb db migrate --database ...` as its owner.")
        raise SchemaError(f"schema of {database}", f"version {len(migrations)}", f"version {applied}, which is older", (slip,))


def status_of(applied: int, migrations: Sequence[Migration]) -> tuple[MigrationStatus, ...]:
    """Each of these migrations, of which a database has the first so many."""
    return tuple(MigrationStatus(step.number, step.name, place < applied) for place, step in enumerate(migrations))
