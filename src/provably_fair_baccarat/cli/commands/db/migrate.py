"""`pfb db migrate`: a house's tables, made or brought up to date."""

from pathlib import Path

from ...failures import OK
from ...options import DatabaseOption, Json
from ...screen import OUT, show, write_json
from .status import migrations_json, migrations_view

EXAMPLES = """\b
Examples:
  pfb db migrate --database sqlite:///house.db
  pfb db migrate --database postgresql://owner@db.example/house
  pfb db migrate --json
"""


def migrate(*, database: DatabaseOption, json: Json = False) -> int:
    """Make a house's tables in a database, or bring them up to date.

    Applies the numbered migrations that are missing, in order and under a lock: all of them or none. Back up a database that is in use.
    """
    stores = database.store_type()
    is_new = database.is_file and not Path(database.where).exists()
    if not is_new:
        database.require_file()
    before = 0 if is_new else sum(step.is_applied for step in stores.migration_status(database.where))
    after = stores.migrate(database.where)
    if json:
        write_json({"applied_now": len(after) - before, "migrations": migrations_json(after)})
        return OK
    show(migrations_view(after), "")
    applied = len(after) - before
    OUT.print(f"{applied} migration{'s' * (applied != 1)} applied." if applied else "It was up to date.")
    return OK
