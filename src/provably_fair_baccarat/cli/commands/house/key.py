"""`pfb house key`: a new key file for the vault."""

from typing import Annotated

import typer

from ....durable import refuse_existing
from ...failures import OK
from ...options import Json
from ...screen import show_fields, write_json

EXAMPLES = """\b
Examples:
  pfb house key house.keys
  pfb house key house.keys --id 2026-11
  pfb house key house.keys --id 2027-11 --append    the first step of an exchange; then pfb house reseal
  export PFB_KEY_FILE=house.keys    so that pfb house finds it

\b
Without its key nobody can deal from a pair or reveal it: keep a copy where the database's backups are not.
"""


def key(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The key file, which only you can read.", show_default=False)],
    id_: Annotated[str, typer.Option("--id", metavar="ID", help="What the key is called.")] = "key-1",
    append: Annotated[bool, typer.Option("--append", help="Add the key to a file that is there; from then on it seals.")] = False,
    json: Json = False,
) -> int:
    """Make a key for the vault that seals the server seeds.

    The key goes to the file and nowhere else. A new file is made, unless --append says that there is one.
    """
    from ....house import Vault, add_key  # noqa: PLC0415 (the house is loaded by those who open one)

    if append:
        Vault.from_key_file(file)
    else:
        refuse_existing(file)
    add_key(file, id_)
    if json:
        write_json({"key_file": file, "key_id": id_})
    else:
        show_fields({"key file": file, "key id": id_})
    return OK
