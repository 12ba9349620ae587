"""`pfb house balance`: what a bettor has."""

from ....records.spelling import currency_form
from ...database import reading_house
from ...failures import OK
from ...house_view import amount_text
from ...options import Bettor, Currency, DatabaseOption, Json
from ...screen import show_fields, write_json

EXAMPLES = """\b
Examples:
  pfb house balance ann
  pfb house balance ann --currency USD/2
  pfb house balance ann --json
"""


def balance(
    *,
    bettor: Bettor,
    currency: Currency = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Show what a bettor has.

    That is 0 where there is no account. A bettor has an account for each currency.
    """
    with reading_house(database, currency) as house:
        amount = house.balance(bettor)
    if json:
        write_json({"bettor": bettor, "balance": str(amount), "currency": currency_form(currency)})
    else:
        show_fields({"bettor": bettor, "balance": amount_text(amount, currency)})
    return OK
