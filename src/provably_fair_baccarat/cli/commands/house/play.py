"""`pfb house play`: a bet, dealt and settled in one transaction."""

from typing import Annotated

import typer

from ...database import open_store, open_vault, pair_house
from ...failures import OK
from ...house_view import amount_text, show_round
from ...options import BetsOption, DatabaseOption, Json, Key, KeyFile, Pair, read_bets, read_nonce
from ...own_bets import named_bets
from ...screen import write_line

EXAMPLES = """\b
Examples:
  pfb house play 5e6f... --bet player=100 --key "bet 1"
  pfb house play 5e6f... --bet banker=500 --bet tie=100 --key "bet 2" --nonce 1
  pfb house play 5e6f... --bet player=100 --key "bet 1" --json    the same round again
"""


def play(
    *,
    pair: Pair,
    bet: Annotated[list[str], typer.Option(metavar="NAME=STAKE", help="A bet, in smallest currency units; may be repeated.")],
    key: Key,
    nonce: Annotated[
        int | None, typer.Option(parser=read_nonce, metavar="N", help="Refuse the bet unless this nonce is next.", show_default=False)
    ] = None,
    database: DatabaseOption,
    key_file: KeyFile,
    bets: BetsOption = None,
    json: Json = False,
) -> int:
    """Take a bet, deal the coup and settle it: all of it or nothing.

    With --json, prints the round's record as one line of canonical JSON. The limits and guards of your own program are not known here, and
    do not hold.
    """
    stakes = read_bets(bet)
    vault = open_vault(key_file)
    with open_store(database) as store:
        house, known = pair_house(store, vault, pair, named_bets(bets))
        record = house.play(known, stakes, key, nonce=nonce)
        left = house.balance(known.bettor)
    if json:
        write_line(record.to_json())
    else:
        show_round(record, amount_text(left, known.currency))
    return OK
