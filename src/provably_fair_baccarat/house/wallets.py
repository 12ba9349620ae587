"""Wallets for tests: one that keeps the contract, and one that puts a bad network in front of it."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import WalletConflictError, WalletRefusedError, WalletTimeoutError

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from .wallet import Wallet, WalletTransaction


class MemoryWallet:
    """A wallet in memory that keeps its contract: the same id and body once, whatever the order in which requests arrive."""

    def __init__(self, balances: dict[str, int]) -> None:
        self.balances = dict(balances)
        self.done: dict[str, tuple[str, WalletTransaction]] = {}
        self.refused: dict[str, WalletTransaction] = {}
        self.rolled_back: dict[str, WalletTransaction] = {}
        self._gate = threading.Lock()

    def debit(self, transaction: WalletTransaction) -> None:
        """Take the amount once. Refused where the balance is too low or the debit is rolled back already."""
        with self._gate:
            if transaction.id in self.rolled_back:
                self._same(self.rolled_back[transaction.id], transaction)
                raise WalletRefusedError("debit", "one that was not rolled back", "one that was")
            if transaction.id in self.refused:
                self._same(self.refused[transaction.id], transaction)
                raise WalletRefusedError("debit", "the same answer as before", "a refusal")
            if self._is_done("debit", transaction):
                return
            if self.balances.get(transaction.bettor, 0) < transaction.amount:
                self.refused[transaction.id] = transaction
                raise WalletRefusedError("balance", f"at least {transaction.amount}", f"{self.balances.get(transaction.bettor, 0)}")
            self.balances[transaction.bettor] -= transaction.amount
            self.done[transaction.id] = ("debit", transaction)

    def credit(self, transaction: WalletTransaction) -> None:
        """Give the amount once."""
        with self._gate:
            if not self._is_done("credit", transaction):
                self.balances[transaction.bettor] = self.balances.get(transaction.bettor, 0) + transaction.amount
                self.done[transaction.id] = ("credit", transaction)

    def roll_back(self, transaction: WalletTransaction) -> None:
        """Undo a debit once, or leave a tombstone where it hasn't arrived."""
        with self._gate:
            if transaction.id in self.rolled_back:
                self._same(self.rolled_back[transaction.id], transaction)
                return
            if self._is_done("debit", transaction):
                self.balances[transaction.bettor] += transaction.amount
            self.rolled_back[transaction.id] = transaction

    def _is_done(self, kind: str, transaction: WalletTransaction) -> bool:
        if transaction.id not in self.done:
            return False
        known_kind, known = self.done[transaction.id]
        if kind != known_kind:
            raise WalletConflictError("transaction id", f"the {known_kind} that it stands for", f"a {kind}")
        self._same(known, transaction)
        return True

    @staticmethod
    def _same(known: WalletTransaction, transaction: WalletTransaction) -> None:
        if known != transaction:
            raise WalletConflictError("transaction id", "the body that it stands for", "another one")


class UnreliableWallet:
    """A wallet behind a bad network: requests and answers get lost, and requests arrive twice, late, and in another order.

    `random` decides; `badness` is how many of 100 requests meet with something. Nothing that arrives is changed, so what the wallet behind
    it ends up with must be what a perfect network would have left.
    """

    def __init__(self, wallet: Wallet, random: Random, badness: int = 60) -> None:
        self._wallet = wallet
        self._random = random
        self._badness = badness
        self._late: list[Callable[[], None]] = []
        self._gate = threading.Lock()

    def debit(self, transaction: WalletTransaction) -> None:
        """Take the amount, if the network lets it."""
        self._send(lambda: self._wallet.debit(transaction))

    def credit(self, transaction: WalletTransaction) -> None:
        """Give the amount, if the network lets it."""
        self._send(lambda: self._wallet.credit(transaction))

    def roll_back(self, transaction: WalletTransaction) -> None:
        """Undo a debit, if the network lets it."""
        self._send(lambda: self._wallet.roll_back(transaction))

    def deliver(self) -> None:
        """Let everything arrive that is still on its way, in any order."""
        with self._gate:
            late, self._late = self._late, []
        self._random.shuffle(late)
        for request in late:
            _unheard(request)

    def _send(self, request: Callable[[], None]) -> None:
        luck = self._random.randrange(100)
        if self._random.randrange(3) == 0:
            self.deliver()
        if luck >= self._badness:
            return request()
        fault = luck % 4
        if fault == 0:
            pass  # the request is lost
        elif fault == 1:
            _unheard(request)  # its answer is
        elif fault == 2:
            _unheard(request)
            return request()
        else:
            with self._gate:
                self._late.append(request)
        raise WalletTimeoutError("wallet", "an answer", "none in time")


def _unheard(request: Callable[[], None]) -> None:
    with suppress(WalletRefusedError, WalletConflictError):
        request()
