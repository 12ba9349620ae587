"""Money that goes into a bettor's account or out of it: what `pfb house deposit` and `pfb house withdraw` have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..errors import WalletError
from .database import empty_vault, is_in_wallet, open_store
from .failures import OK
from .house_view import cash_json, show_cash
from .screen import write_json

if TYPE_CHECKING:
    from ..house.pairs import Currency
    from .database import Database


def move_cash(
    kind: Literal["deposit", "withdraw"],
    bettor: str,
    amount: int,
    key: str,
    *,
    currency: Currency | None,
    database: Database,
    as_json: bool,
) -> int:
    """Move an amount, once for each key, and tell what that left.

    Raises WalletError for a deposit where the bettor's money is in the operator's own wallet: no bet would be paid from it. What is left in
    the house's own ledger from before goes out all the same.
    """
    from ..house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    with open_store(database) as store:
        if kind == "deposit" and is_in_wallet(store, bettor, currency):
            raise WalletError("deposit", "a bettor whose money is in the house's own ledger", "one whose bets an operator's wallet pays")
        house = House(store, empty_vault(), currency=currency)
        made = house.deposit(bettor, amount, key) if kind == "deposit" else house.withdraw(bettor, amount, key)
    if as_json:
        write_json(cash_json(made, currency))
    else:
        show_cash(made, currency)
    return OK
