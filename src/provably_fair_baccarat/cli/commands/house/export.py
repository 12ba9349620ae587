"""`pfb house export`: dealt rounds as JSON lines or CSV."""

from typing import Annotated, Literal

import typer

from ...database import reading_house
from ...failures import OK, misused
from ...options import BetsOption, Currency, DatabaseOption, Json
from ...own_bets import named_bets
from ...screen import OUT, with_progress, write_lines

EXAMPLES = """\b
Examples:
  pfb house export > rounds.jsonl
  pfb house export --pair 5e6f... > rounds.jsonl && pfb verify rounds.jsonl
  pfb house export --bettor ann --currency USD/2 --form csv > ann.csv
"""


def export(
    *,
    pair: Annotated[str | None, typer.Option(metavar="PAIR", help="Only rounds of this pair.", show_default=False)] = None,
    bettor: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only rounds of this bettor, in --currency.", show_default=False)
    ] = None,
    form: Annotated[Literal["jsonl", "csv"], typer.Option(help="A JSON record a line, or a table for spreadsheets.")] = "jsonl",
    currency: Currency = None,
    database: DatabaseOption,
    bets: BetsOption = None,
    json: Json = False,
) -> int:
    """Write dealt rounds to standard output.

    They come in the order they were accepted. jsonl has the records that `pfb verify` reads. csv has names and balances too; a cell that
    a spreadsheet could take for a formula gets an apostrophe in front.
    """
    if json and form == "csv":
        raise misused("CSV is no JSON: give --form csv or --json.")
    with reading_house(database, currency, own_bets=named_bets(bets)) as house:
        total = None if pair is None else house.pair(pair).settled + (form == "csv")
        lines = house.export(form, pair=pair, bettor=bettor)
        write_lines(with_progress(lines, "exporting", shown=not OUT.is_terminal, total=total))
    return OK
