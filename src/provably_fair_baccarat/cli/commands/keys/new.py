"""`pfb keys new`: a new key file to sign with."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from ....durable import refuse_existing
from ...failures import OK
from ...options import Json, SigningTime
from ...screen import show_fields, write_json

EXAMPLES = """\b
Examples:
  pfb keys new signing.keys
  pfb keys new log.key
  pfb keys new signing.keys --at 2027-01-01T00:00:00Z

\b
Who has the file can sign in your name: keep it where the backups are not, and let only the house's process read it.
"""


def new(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The new file, which only you can read.", show_default=False)],
    at: SigningTime = None,
    json: Json = False,
) -> int:
    """Make a key file with one Ed25519 key.

    It signs statements, or a log. The private key goes to the new file and nowhere else.
    """
    from ....receipts import new_key_file  # noqa: PLC0415 (signatures are loaded by those who make one)

    refuse_existing(file)
    key = new_key_file(file, datetime.now(UTC) if at is None else at).public
    if json:
        write_json({"key_file": file, "kid": key.kid, "nbf": key.not_before})
    else:
        show_fields({"key file": file, "key id": key.kid})
    return OK
