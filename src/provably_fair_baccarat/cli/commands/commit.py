"""`pfb commit`: a new server seed, kept in a file, and the commitment that may be published."""

from typing import Annotated

import typer

from ...fairness.schemes import scheme_named
from ...fairness.seed_pair import commit as commitment_to
from ...fairness.seeds import ServerSeed
from ..failures import OK
from ..files import write_seed_file
from ..options import Decks, Json, Scheme
from ..screen import OUT, printable, write_json

EXAMPLES = """\b
Examples:
  pfb commit --seed-file seed.txt
  pfb commit --decks 6 --scheme pfb1-shoe --seed-file tonight.txt
  pfb commit --seed-file seed.txt --json
"""


def commit(
    *,
    seed_file: Annotated[str, typer.Option(metavar="FILE", help="The new file for the server seed, which only you can read.")],
    decks: Decks = 8,
    scheme: Scheme = "pfb1",
    json: Json = False,
) -> int:
    """Make a server seed and show its commitment.

    The server seed goes to a new file and nowhere else. Publish the commitment before the bettor chooses a client seed, and reveal the
    server seed when no coup can be dealt from it any more.
    """
    server_seed = ServerSeed.generate()
    commitment, label = str(commitment_to(server_seed, decks, scheme=scheme)), scheme_named(scheme).label(decks)
    write_seed_file(seed_file, server_seed)
    if json:
        write_json({"commitment": commitment, "label": label, "seed_file": seed_file})
    else:
        OUT.print(f"commitment  {commitment}\nlabel       {label}\nseed file   {printable(seed_file)}", soft_wrap=True)
    return OK
