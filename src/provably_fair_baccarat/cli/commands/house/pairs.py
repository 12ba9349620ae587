"""`pfb house pairs`: the pairs that are not revealed yet, or all of a bettor."""

from typing import Annotated

import typer

from ...database import reading_house
from ...failures import OK, misused
from ...house_view import pair_json, show_pair
from ...options import Currency, DatabaseOption, Json
from ...screen import OUT, write_json

EXAMPLES = """\b
Examples:
  pfb house pairs
  pfb house pairs -n 50 --after 5e6f...
  pfb house pairs --bettor ann --currency USD/2
  pfb house pairs --json
"""


def pairs(
    *,
    bettor: Annotated[
        str | None, typer.Option(metavar="NAME", help="All pairs of this bettor, in --currency, revealed or not.", show_default=False)
    ] = None,
    after: Annotated[str | None, typer.Option(metavar="PAIR", help="Begin behind this pair.", show_default=False)] = None,
    number: Annotated[int, typer.Option("-n", "--number", min=1, max=1000, metavar="N", help="How many pairs, at most 1,000.")] = 100,
    currency: Currency = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Show the pairs that are not revealed yet.

    They come in the order they were committed, all bettors' and in every currency; with --bettor all pairs of one. Where there are more,
    the last line says how to go on.
    """
    if bettor is not None and after is not None:
        raise misused("A bettor's pairs come all at once: give --bettor or --after.")
    with reading_house(database, currency) as house:
        if bettor is None:
            page = house.open_pairs(after=after, limit=number)
            found, following = page.pairs, page.next
        else:
            found, following = house.pairs(bettor), None
    if json:
        write_json({"pairs": [pair_json(pair) for pair in found], "next": following})
        return OK
    for pair in found:
        show_pair(pair)
        OUT.print()
    OUT.print(f"{len(found)} pair{'s' * (len(found) != 1)}.")
    if following is not None:
        OUT.print(f"There are more: --after {following}", soft_wrap=True)
    return OK
