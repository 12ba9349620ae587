"""`pfb house recall`: a bettor's last rounds, shown again."""

from typing import Annotated

import typer

from ...database import reading_house
from ...failures import OK
from ...house_view import show_recalled
from ...options import BetsOption, Bettor, Currency, DatabaseOption, Json
from ...own_bets import named_bets
from ...screen import OUT, printable, write_json

EXAMPLES = """\b
Examples:
  pfb house recall ann
  pfb house recall ann -n 50 --currency USD/2
  pfb house recall ann --json
"""


def recall(
    *,
    bettor: Bettor,
    number: Annotated[int, typer.Option("-n", "--number", min=1, max=1000, metavar="N", help="How many rounds, at most 1,000.")] = 10,
    currency: Currency = None,
    database: DatabaseOption,
    bets: BetsOption = None,
    json: Json = False,
) -> int:
    """Show a bettor's last rounds again, the latest first."""
    with reading_house(database, currency, own_bets=named_bets(bets)) as house:
        rounds = house.recall(bettor, number)
    if json:
        write_json({"bettor": bettor, "rounds": [kept.to_dict() for kept in rounds]})
        return OK
    if not rounds:
        money = f"in {currency[0]}" if currency else "without a currency"
        OUT.print(f"{printable(bettor)} has played no round {money}.", soft_wrap=True)
    for place, kept in enumerate(rounds):
        if place:
            OUT.print()
        show_recalled(kept)
    return OK
