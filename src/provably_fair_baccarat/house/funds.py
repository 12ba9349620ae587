"""What is said besides to somebody who has not enough: in which other currencies there is money of that bettor.

A House that was opened with another currency than yesterday, or with none, finds everybody's account empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import FundsError, Slip
from .history import write_currency

if TYPE_CHECKING:
    from .pairs import Currency
    from .store import Store


def with_other_currencies(store: Store, refusal: FundsError, bettor: str, currency: Currency | None) -> FundsError:
    """The same refusal; with a slip, where the store's ledger has money of this bettor in other currencies than this one."""
    wanted = write_currency(currency)
    held = [each for each in store.currencies(bettor) if each != wanted and store.balance(bettor, each)]
    if not held:
        return refusal
    told = ", ".join(each or "a currency without a name" for each in held)
    slip = Slip("other_currency", f"There is money of this bettor in {told}: bet under a pair of it, or open the House with that currency.")
    return FundsError(refusal.subject, refusal.expected, refusal.found, (slip,))
