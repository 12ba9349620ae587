"""`pfb house balance`: what a bettor has."""

from ....records.spelling import currency_form
from ...database import reading_house
from ...failures import OK
from ...house_view import amount_text
from ...options import Bettor, Currency, DatabaseOption, Json
from ...screen import ERR, printable, show_fields, write_json

EXAMPLES = """\b
Examples:
  PFB_CURRENCY=USD/2 pfb house balance ann
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
        others = [each for each in house.currencies(bettor) if each != currency] if amount == 0 else []
    if json:
        write_json({"bettor": bettor, "balance": str(amount), "currency": currency_form(currency)})
    else:
        show_fields({"bettor": bettor, "balance": amount_text(amount, currency)})
    if others:
        named = ", ".join("a currency without a name" if each is None else f"{each[0]}/{each[1]}" for each in others)
        ERR.print(f"{printable(bettor)} has accounts in {named}: --currency or PFB_CURRENCY says which is meant.", soft_wrap=True)
    return OK
