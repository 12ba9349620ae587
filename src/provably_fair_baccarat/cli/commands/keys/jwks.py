"""`pfb keys jwks`: the public keys of a key file, to be published."""

from typing import Annotated

import typer

from ...failures import OK
from ...options import Json
from ...screen import write_line

EXAMPLES = """\b
Examples:
  pfb keys jwks signing.keys > jwks.json
  pfb keys jwks signing.keys --json
  pfb keys jwks signing.keys > jwks.json && pfb prove ann --keys jwks.json --out ann.jsonl
"""


def jwks(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The key file.", show_default=False)],
    json: Json = False,
) -> int:
    """Print the public keys of a file as a JWK set.

    Each has the time in which it signs. There is no private key in it.
    """
    from ....receipts import Signer  # noqa: PLC0415 (signatures are loaded by those who make one)

    del json  # it is JSON always
    write_line(Signer.from_key_file(file).key_set.to_jwks())
    return OK
