"""`pfb odds`: the exact odds of every bet of a pay table."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from ...rules.ready_tables import PUNTO_BANCO
from ..failures import OK, misused
from ..options import Json, PayTableOption, read_decks
from ..screen import show, with_progress, write_json

if TYPE_CHECKING:
    from ...rules.odds import BetOdds, Shoe

EXAMPLES = """\b
Examples:
  pfb odds
  pfb odds --decks 6 --pay-table super_six
  pfb odds --pay-table all_bets --bet dragon7 --bet panda8
  pfb odds --infinite --json
"""


def odds(
    *,
    decks: Annotated[
        int | None, typer.Option(parser=read_decks, metavar="1-8", help="The decks of the shoe, 8 if none are given.", show_default=False)
    ] = None,
    infinite: Annotated[bool, typer.Option("--infinite", help="Infinitely many decks in place of a shoe.")] = False,
    pay_table: PayTableOption = None,
    bet: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this bet; may be repeated.")] = None,
    json: Json = False,
) -> int:
    """Show the exact odds of every bet of a pay table.

    They are counted over a fresh shoe and never sampled. Won and pushed are how often that happens. The return is what comes back on average
    of what is staked, and the house edge is the rest; a push counts as staked. The standard deviation is of one coup, in stakes. JSON has
    every figure as an exact fraction too.
    """
    if infinite and decks is not None:
        raise misused("Infinitely many decks have no number: give --decks or --infinite.")
    from ...rules.odds import Shoe  # noqa: PLC0415 (loaded by nobody else here)
    from ...rules.odds import odds as odds_of  # noqa: PLC0415 (loaded by nobody else here)

    table = pay_table or PUNTO_BANCO
    shoe = Shoe.infinite() if infinite else Shoe.of_decks(8 if decks is None else decks)
    names = list(dict.fromkeys(bet or table.offers))
    figures = [odds_of(name, table, shoe) for name in with_progress(names, "counting")]
    if json:
        write_json({"decks": None if infinite else shoe.cards // 52, "bets": {figure.bet: figure.to_dict() for figure in figures}})
    else:
        show(_view(figures, "infinitely many decks" if infinite else _decks(shoe)))
    return OK


def _decks(shoe: "Shoe") -> str:
    decks = shoe.cards // 52
    return f"{decks} deck{'s' * (decks > 1)}"


def _view(figures: "list[BetOdds]", shoe: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(shoe, no_wrap=True)
    for name in ("won %", "pushed %", "return %", "house edge %", "st. dev."):
        table.add_column(name, justify="right", no_wrap=True)
    for figure in figures:
        edge = figure.house_edge
        table.add_row(
            figure.bet,
            _percent(figure.hit_frequency),
            _percent(figure.statuses["pushed"]),
            _percent(figure.expected_return),
            Text(_percent(edge), "bold" if edge >= 0 else "bold red"),
            f"{figure.standard_deviation:.4f}",
        )
    return table


def _percent(value: Fraction) -> str:
    return f"{float(100 * value):.4f}"
