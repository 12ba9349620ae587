"""The operator's side: seed pairs, bets and money that survive anything.

    vault = Vault.from_key_file("house.keys")
    with House(SqliteStore("house.db"), vault, currency=("USD", 2)) as house:
        house.recover()
        pair = house.choose_client_seed(house.commit("Zoë"), "lucky 8s")
        house.deposit("Zoë", 100_000, key="deposit 1")
        record = house.play(pair, {"player": 500}, key="bet 1")

Everything is durable when a call returns. A call that got no answer is made again with the same key.
"""

from typing import TYPE_CHECKING, Any

from .desk import BetRequest
from .facade import AsyncHouse
from .guards import BetGuard, Exclusion, IntendedBet, LossLimit, MinimumInterval, SessionTime
from .history import HistoryPage, RecalledRound
from .house import House
from .limits import Limits
from .pairs import Acceptance, PairPage, PairState, Rotation, SeedPair
from .proving import BalanceSheet, VerifiedHistory
from .recovery import Pending, Recovery
from .rows import CashRow, EventRow
from .sqlite import SqliteStore
from .store import Past, Store
from .telling import KeptStatement, StatementPage
from .vault import Vault, add_key
from .wallet import Wallet, WalletTransaction

if TYPE_CHECKING:
    from .postgres import PostgresStore

__all__ = [
    "Acceptance",
    "AsyncHouse",
    "BalanceSheet",
    "BetGuard",
    "BetRequest",
    "CashRow",
    "EventRow",
    "Exclusion",
    "HistoryPage",
    "House",
    "IntendedBet",
    "KeptStatement",
    "Limits",
    "LossLimit",
    "MinimumInterval",
    "PairPage",
    "PairState",
    "Past",
    "Pending",
    "PostgresStore",
    "RecalledRound",
    "Recovery",
    "Rotation",
    "SeedPair",
    "SessionTime",
    "SqliteStore",
    "StatementPage",
    "Store",
    "Vault",
    "VerifiedHistory",
    "Wallet",
    "WalletTransaction",
    "add_key",
]


def __getattr__(name: str) -> Any:
    """PostgresStore, which is loaded when it is asked for: it needs the extra `postgres`."""
    if name != "PostgresStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .postgres import PostgresStore  # noqa: PLC0415 (its driver is an extra)

    return PostgresStore
