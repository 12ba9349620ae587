"""`pfb house commit`: a new seed pair of a bettor."""

from typing import Annotated

import typer

from ....rules.ready_tables import PUNTO_BANCO
from ...database import house_signing, open_store, open_vault
from ...failures import OK
from ...house_view import pair_json, show_pair
from ...options import Bettor, Currency, DatabaseOption, Decks, Json, KeyFile, PayTableOption, read_chain_length
from ...screen import write_json

EXAMPLES = """\b
Examples:
  pfb house commit ann
  pfb house commit ann --currency USD/2 --decks 6
  pfb house commit ann --chain 100000                 every round is proved when it is settled
  pfb house commit ann --database sqlite:///house.db --key-file house.keys --json
"""


def commit(
    *,
    bettor: Bettor,
    decks: Decks = 8,
    chain: Annotated[
        int | None,
        typer.Option(
            parser=read_chain_length,
            metavar="LENGTH",
            help="Commit to a seed chain for so many coups, up to a million.",
            show_default=False,
        ),
    ] = None,
    pay_table: PayTableOption = None,
    currency: Currency = None,
    database: DatabaseOption,
    key_file: KeyFile,
    json: Json = False,
) -> int:
    """Make a server seed for a bettor and show its commitment.

    The server seed is sealed and stored; only its commitment leaves. The pair keeps the decks, the pay table and the currency that it is committed with.

    With --chain, every round has a server seed of its own, a link of the chain, which is told as soon as the round is settled.
    """
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    vault = open_vault(key_file)
    with open_store(database) as store:
        house = House(
            store, vault, pay_table=pay_table or PUNTO_BANCO, decks=decks, currency=currency, chain_length=chain, **house_signing()
        )
        pair = house.commit(bettor)
    if json:
        write_json(pair_json(pair))
    else:
        show_pair(pair)
    return OK
