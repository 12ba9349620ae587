"""`pfb house withdraw`: money out of a bettor's account."""

from typing import Annotated

import typer

from ...database import empty_vault, open_store
from ...failures import OK
from ...house_view import cash_json, show_cash
from ...options import Bettor, Currency, DatabaseOption, Json, Key, read_amount
from ...screen import write_json

EXAMPLES = """\b
Examples:
  pfb house withdraw ann 5000 --key "withdrawal 1"
  pfb house withdraw ann 5000 --key "withdrawal 1" --currency USD/2
  pfb house withdraw ann 5000 --key "withdrawal 1" --json
"""


def withdraw(
    *,
    bettor: Bettor,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="In smallest currency units.", show_default=False)],
    key: Key,
    currency: Currency = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Pay money out of a bettor's account, once for each key. There must be so much in it."""
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    with open_store(database) as store:
        made = House(store, empty_vault(), currency=currency).withdraw(bettor, read_amount(amount), key)
    if json:
        write_json(cash_json(made, currency))
    else:
        show_cash(made, currency)
    return OK
