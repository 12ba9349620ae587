"""`pfb house books`: whether the books add up, and what they come to."""

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from ....records.spelling import currency_form
from ...database import reading_house
from ...failures import OK
from ...house_view import amount_text
from ...options import DatabaseOption
from ...options import Json as AsJson
from ...screen import OUT, at_work, show, write_json

if TYPE_CHECKING:
    from ....canonical import Json
    from ....house import BalanceSheet
    from ....house.pairs import Currency

EXAMPLES = """\b
Examples:
  pfb house books
  pfb house books --json
  pfb house books --database postgresql://auditor@db.example/house

\b
Exit codes: 0 the books add up, 1 they do not, 2 there is no database.
"""


def books(*, database: DatabaseOption, json: AsJson = False) -> int:
    """Add up every transfer and every balance.

    There is a line for each currency. What the bettors have and what the house won is what came from outside: always. No bettor has another balance than follows from the
    transfers. The first difference is an error. Needs no key.
    """
    from ....house.history import read_currency  # noqa: PLC0415 (the house is loaded by those who open one)

    with reading_house(database) as house, at_work("adding up"):
        sheets = [(read_currency(sheet.currency), sheet) for sheet in house.verify_books()]
    if json:
        write_json({"verified": True, "books": [_json(currency, sheet) for currency, sheet in sheets]})
        return OK
    if sheets:
        show(_table(sheets), "")
    OUT.print("The books add up." if sheets else "There are no accounts yet.")
    return OK


def _json(currency: "Currency | None", sheet: "BalanceSheet") -> "dict[str, Json]":
    amounts = {name: str(getattr(sheet, name)) for name in ("bettors", "house", "outside")}
    return {"currency": currency_form(currency), **amounts}


def _table(sheets: "list[tuple[Currency | None, BalanceSheet]]") -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("currency")
    for name in ("bettors", "house", "outside"):
        table.add_column(name, justify="right")
    for currency, sheet in sheets:
        amounts = (sheet.bettors, sheet.house, sheet.outside)
        table.add_row("-" if currency is None else currency[0], *(amount_text(amount, currency) for amount in amounts))
    return table
