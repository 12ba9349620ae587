"""`pfb house reseal`: secrets under an old key of the vault, sealed anew under the newest."""

from typing import Annotated

import typer

from ...database import open_store, open_vault
from ...failures import OK
from ...options import DatabaseOption, Json, KeyFile
from ...screen import OUT, at_work, printable, write_json

EXAMPLES = """\b
Examples:
  pfb house reseal key-1
  pfb house reseal key-1 --json
  pfb house reseal 2026-11 --key-file house.keys
"""


def reseal(
    *,
    key_id: Annotated[str, typer.Argument(metavar="ID", help="The old key's id; the file must still have it.", show_default=False)],
    database: DatabaseOption,
    key_file: KeyFile,
    json: Json = False,
) -> int:
    """Seal anew what is under an old key of the vault.

    It is sealed under the last key of the file. Nothing else about a pair changes. When this says 0, the old key opens nothing any more but backups.
    """
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    vault = open_vault(key_file)
    resealed = 0
    with open_store(database) as store, at_work("resealing"):
        house = House(store, vault)
        while some := house.reseal(key_id):
            resealed += some
    if json:
        write_json({"resealed": resealed, "from": key_id, "to": vault.key_id})
    else:
        OUT.print(f"{resealed} seal{'s' * (resealed != 1)} renewed, from {printable(key_id)} to {printable(vault.key_id)}.", soft_wrap=True)
    return OK
