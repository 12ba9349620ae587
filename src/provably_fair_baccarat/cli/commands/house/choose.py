"""`pfb house choose`: the client seed of a pair."""

from typing import Annotated

import typer

from ....fairness.seeds import ClientSeed
from ...database import empty_vault, open_store
from ...failures import OK
from ...house_view import pair_json, show_pair
from ...options import DatabaseOption, Json, Pair
from ...screen import write_json

EXAMPLES = """\b
Examples:
  pfb house choose 5e6f... --client-seed "lucky 8s"
  pfb house choose 5e6f...
  pfb house choose 5e6f... --client-seed "lucky 8s" --json
"""


def choose(
    *,
    pair: Pair,
    client_seed: Annotated[
        ClientSeed | None,
        typer.Option(parser=ClientSeed, metavar="TEXT", help="The bettor's seed, used exactly as it is. Else the house makes one."),
    ] = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Fix the client seed of a pair, once; then bets are taken.

    Show the commitment to the bettor first. A client seed that the house makes is recorded as made by the operator, and proves less.
    """
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    with open_store(database) as store:
        chosen = House(store, empty_vault()).choose_client_seed(pair, client_seed)
    if json:
        write_json(pair_json(chosen))
    else:
        show_pair(chosen)
    return OK
