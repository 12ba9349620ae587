"""`pfb house deposit`: money for a bettor's account."""

from typing import Annotated

import typer

from ...database import empty_vault, open_store
from ...failures import OK
from ...house_view import amount_text, currency_json, time_json, time_text
from ...options import Bettor, Currency, DatabaseOption, Json, Key, read_amount
from ...screen import show_fields, write_json

EXAMPLES = """\b
Examples:
  pfb house deposit ann 100000 --key "deposit 1"
  pfb house deposit ann 100000 --key "deposit 1" --currency USD/2
  pfb house deposit ann 100000 --key "deposit 1" --json
"""


def deposit(
    *,
    bettor: Bettor,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="In smallest currency units.", show_default=False)],
    key: Key,
    currency: Currency = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Put money into a bettor's account, once for each key."""
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    with open_store(database) as store:
        made = House(store, empty_vault(), currency=currency).deposit(bettor, read_amount(amount), key)
    if json:
        write_json(
            {
                "bettor": made.bettor,
                "amount": str(made.amount),
                "key": made.key,
                "balance": str(made.balance),
                "currency": currency_json(currency),
                "at": time_json(made.at),
            }
        )
    else:
        amounts = {"deposit": amount_text(made.amount, currency), "balance": amount_text(made.balance, currency)}
        show_fields({"bettor": made.bettor, **amounts, "key": made.key, "at": time_text(made.at)})
    return OK
