"""`pfb keys rotate`: let a key end, and a new one begin."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from ...failures import OK
from ...options import Json, SigningTime
from ...screen import show_fields, write_json

EXAMPLES = """\b
Examples:
  pfb keys rotate signing.keys
  pfb keys rotate signing.keys --at 2027-01-01T00:00:00Z
  pfb keys rotate signing.keys --json

\b
Publish the new set with pfb keys jwks, and start the house anew before the time comes. The old key stays: it is checked with for ever.
"""


def rotate(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The key file.", show_default=False)],
    at: SigningTime = None,
    json: Json = False,
) -> int:
    """Let the key of a file end, and a new one begin.

    Both happen at one time, now unless given. The file is replaced as a whole or not at all.
    """
    from ....receipts import rotate_key_file  # noqa: PLC0415 (signatures are loaded by those who make one)

    key = rotate_key_file(file, datetime.now(UTC) if at is None else at).public
    if json:
        write_json({"key_file": file, "kid": key.kid, "nbf": key.not_before})
    else:
        show_fields({"key file": file, "key id": key.kid})
    return OK
