"""`pfb db status`: which migrations a database has."""

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from ....canonical import Json as JsonValue
from ...failures import OK
from ...options import DatabaseOption, Json
from ...screen import OUT, show, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....house.sqlite import MigrationStatus

EXAMPLES = """\b
Examples:
  pfb db status --database sqlite:///house.db
  pfb db status --database postgresql://owner@db.example/house
  pfb db status --json
"""


def status(*, database: DatabaseOption, json: Json = False) -> int:
    """Show which migrations a database has. Changes nothing.

    A database that is newer than this program, whose migrations have other checksums, or that is somebody else's, is an error.
    """
    database.require_file()
    steps = database.store_type().migration_status(database.where)
    missing = sum(not step.is_applied for step in steps)
    if json:
        write_json({"is_current": not missing, "migrations": migrations_json(steps)})
        return OK
    show(migrations_view(steps), "")
    OUT.print(f"{missing} to apply: pfb db migrate does that." if missing else "It is up to date.")
    return OK


def migrations_view(steps: "Sequence[MigrationStatus]") -> Table:
    """Migrations, a line for each."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("number", justify="right")
    for name in ("migration", "state"):
        table.add_column(name, no_wrap=True)
    for step in steps:
        table.add_row(str(step.number), step.name, Text("applied", "green") if step.is_applied else Text("missing", "bold red"))
    return table


def migrations_json(steps: "Sequence[MigrationStatus]") -> list[JsonValue]:
    """Migrations as JSON."""
    return [{"number": step.number, "name": step.name, "is_applied": step.is_applied} for step in steps]
