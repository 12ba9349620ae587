"""`pfb house balance`: what a bettor has."""

from ....errors import WalletElsewhereError
from ....records.spelling import currency_form
from ...database import empty_vault, is_in_wallet, open_store
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
    """Show what a bettor has in the house's own ledger.

    That is 0 where there is no account. A bettor has an account for each currency. Where an operator's own wallet has the money, it alone
    knows how much: that is an error, unless there is something in the ledger too.
    """
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    with open_store(database, is_read_only=True) as store:
        house = House(store, empty_vault(), currency=currency)
        amount = house.balance(bettor)
        others = [each for each in house.currencies(bettor) if each != currency] if amount == 0 else []
        is_elsewhere = is_in_wallet(store, bettor, currency)
    if is_elsewhere and amount == 0:
        raise WalletElsewhereError(
            f"balance of {printable(bettor)}", "one in the house's own ledger", "one that the operator's own wallet has"
        )
    if json:
        write_json({"bettor": bettor, "balance": str(amount), "currency": currency_form(currency)})
    else:
        show_fields({"bettor": bettor, "balance": amount_text(amount, currency)})
    if is_elsewhere:
        ERR.print(
            "That is in the house's own ledger. Bets are paid from the operator's own wallet, which alone knows what it has.",
            soft_wrap=True,
        )
    if others:
        named = ", ".join("a currency without a name" if each is None else f"{each[0]}/{each[1]}" for each in others)
        ERR.print(f"{printable(bettor)} has accounts in {named}: --currency or PFB_CURRENCY says which is meant.", soft_wrap=True)
    return OK
