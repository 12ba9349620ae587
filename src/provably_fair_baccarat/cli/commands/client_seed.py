"""`pfb client-seed`: the bettor's own step, a client seed that shows by itself that it came after the commitment."""

from typing import Annotated

import typer

from ...fairness.seeds import ClientSeed, Commitment
from ..failures import OK
from ..options import Json
from ..screen import show_fields, write_json

EXAMPLES = """\b
Examples:
  pfb client-seed 3e2d8157faae5379e90c5d6823c04f90989da344d47c312f910bee3aac8792e4
  pfb client-seed 3e2d8157... --json

\b
The same without this program, with the first 16 digits of the commitment:
  echo $(openssl rand -hex 8)-3e2d8157faae5379
"""


def client_seed(
    *,
    commitment: Annotated[
        Commitment,
        typer.Argument(
            parser=lambda given: given if isinstance(given, Commitment) else Commitment.parse(given),
            metavar="COMMITMENT",
            help="The commitment that you were shown, 64 hex digits.",
        ),
    ],
    json: Json = False,
) -> int:
    """Make a client seed of your own.

    For bettors: 16 random hex digits, a hyphen, and the first 16 digits of the commitment. Nobody can foresee it, and anybody can see that it
    was made after the commitment. Make it on your own device, once you have seen the commitment and before you bet.
    """
    seed = ClientSeed.generate(commitment)
    told = {"client_seed": seed.text, "commitment": str(commitment)}
    if json:
        write_json({**told})
    else:
        show_fields({name.replace("_", " "): value for name, value in told.items()})
    return OK
