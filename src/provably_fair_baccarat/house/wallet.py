"""The operator's own wallet: the one thing outside the database that a bet may depend on, so it may fail at any moment.

The order is fixed, and it is what makes an operator honest that can see its own outcomes. The debit gets a definite answer *before* a nonce
is spent; once one is spent, the coup is always dealt and its credit asked for until the wallet has it, and nothing is ever voided. A debit
whose bet wasn't accepted is rolled back. Every step is written down before it is asked for, so that `recover()` can finish what a crash cut
off.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from time import sleep
from typing import TYPE_CHECKING, Final, Protocol

from ..errors import (
    BaccaratError,
    WalletConflictError,
    WalletElsewhereError,
    WalletError,
    WalletRefusedError,
    WalletTimeoutError,
)
from .refusals import NEW_KEY, reason_of
from .rows import LegRow, RoundRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from .clock import Clock
    from .rows import LegState
    from .store import BetOrder, Store


@dataclass(frozen=True, slots=True)
class WalletTransaction:
    """What a wallet is asked to move: whole smallest currency units of one bettor.

    `id` follows from the pair, the key and the leg, so a repeated request has the same id and the same body. `round` is the same for the
    debit and the credit of one round.
    """

    id: str
    round: str
    bettor: str
    currency: str
    amount: int


class Wallet(Protocol):
    """An operator's wallet. Each method returns when the wallet has definitely done it, however often it was asked with the same id.

    Raises WalletRefusedError for a definite no, WalletConflictError where the id stands for another body; WalletTimeoutError, or anything
    else, where nobody knows, and then the same request comes again.

    A wallet may have one more, `balance(bettor: str, currency: str) -> int`: what the bettor has, in whole smallest currency units.
    """

    def debit(self, transaction: WalletTransaction) -> None:
        """Take a stake from the bettor."""
        ...

    def credit(self, transaction: WalletTransaction) -> None:
        """Give a return to the bettor. It can't be refused for good: a refusal is asked again later."""
        ...

    def roll_back(self, transaction: WalletTransaction) -> None:
        """Undo the debit of this id; if it has not arrived yet, refuse it when it does."""
        ...


def pause_longer(attempt: int) -> None:
    """Wait between attempts: 50 ms, then twice as long each time, at most 2 s."""
    sleep(min(0.05 * 2**attempt, 2.0))


ATTEMPTS: Final = 5
"""How often a wallet is asked in one go before it is left to `recover()`."""

GIVE_UP_AFTER: Final = timedelta(minutes=5)
"""How old a debit without an answer is when `recover()` gives it up, unless told: older than five requests of a wallet of any patience."""

_LOG: Final = logging.getLogger("provably_fair_baccarat.house")


class RemoteMoney:
    """Bets paid from an operator's wallet: debit, take, deal, credit."""

    def __init__(self, store: Store, wallet: Wallet, clock: Clock, pause: Callable[[int], None], attempts: int = ATTEMPTS) -> None:
        self._store = store
        self._wallet = wallet
        self._clock = clock
        self._pause = pause
        self._attempts = attempts

    def take_bet(self, order: BetOrder, pair_id: str) -> RoundRow:
        """Debit the stake, then take the bet with it.

        Raises WalletRefusedError where the wallet says no and WalletTimeoutError where it says nothing; then no nonce is spent, and what
        may have been debited is rolled back, by `recover()` at the latest. From then on the same key raises WalletGivenUpError. Where the
        same request, made twice at once, got its answer the other time, that bet is taken, and this is its answer too.
        """
        begun = self._store.begin_debit(order, leg_id(pair_id, order.key, "debit"))
        if isinstance(begun, RoundRow):
            return begun if begun.cards is not None else self._finish(begun, order)
        paid = replace(order, leg=begun.id, credit=leg_id(pair_id, order.key, "credit"))
        silences: list[Exception] = []
        try:
            self._ask(self._wallet.debit, begun, silences)
        except WalletError as error:
            # A no says nothing about a request before it that got no answer: that may be on its way still.
            if self._give_up(begun, error, was_refused=isinstance(error, WalletRefusedError) and not silences) == "done":
                return self._store.take_bet(paid)
            self._store.record_event("refused", order.pair, order.at, bets=order.bets, key=order.key, reason=reason_of(error))
            raise
        try:
            return self._store.take_bet(paid)
        except BaccaratError as error:
            self._give_up(begun, error)
            raise

    def pay(self, row: RoundRow) -> None:
        """Credit the wallet with what a dealt round returned, or leave it to `recover()`."""
        for leg in self._store.unfinished_legs(self.credit_of(row)):
            self._finish_leg(leg)

    def recover(self, after: timedelta) -> tuple[int, int]:
        """Bring every transaction to an end that a crash or a time-out left without one: pay credits, roll debits back; how many of each.

        A debit that was begun less than `after` ago may be one that somebody is asking for at this moment, here or in another process: it
        stays. A roll-back and a credit may be asked for by any number at once.
        """
        now = self._clock()
        finished = {"credit": 0, "debit": 0}
        for leg in self._store.unfinished_legs():
            if leg.state == "voiding" or leg.kind == "credit" or now - leg.begun_at >= after:
                finished[leg.kind] += self._finish_leg(leg)
        return finished["credit"], finished["debit"]

    def balance(self, bettor: str, currency: str) -> int:
        """What the wallet says that a bettor has. Raises WalletElsewhereError, and WalletTimeoutError where it gives no answer."""
        ask: Callable[[str, str], object] | None = getattr(self._wallet, "balance", None)
        if ask is None:
            raise WalletElsewhereError("balance", "a wallet that tells it", "one without a method `balance`")
        try:
            told = ask(bettor, currency)
        except Exception as fault:  # noqa: BLE001 (whatever went wrong on the way, there is no answer)
            _LOG.debug("balance: %s", type(fault).__name__)
            raise WalletTimeoutError("wallet, balance", "a definite answer", "none") from None
        if type(told) is not int:
            raise WalletError(
                "balance in the wallet", "a whole number of smallest currency units", f"a value of type {type(told).__name__}"
            )
        return told

    def credit_of(self, row: RoundRow) -> str:
        """The transaction id under which the wallet is credited with a round's return."""
        return leg_id(row.pair_id, row.key, "credit")

    def _finish(self, row: RoundRow, order: BetOrder) -> RoundRow:
        coup = replace(order, credit=self.credit_of(row)).coup(row.nonce)
        return row if coup is None else self._store.settle_round(coup)

    def _finish_leg(self, leg: LegRow) -> bool:
        """Pay a credit or roll a debit back; whether that is done now. What the wallet didn't do is recorded, and logged."""
        try:
            if leg.kind == "debit":
                return self._give_up(leg, None) == "void"
            self._ask(self._wallet.credit, leg)
            self._store.end_credit(leg.id, self._clock())
        except WalletError as error:
            _log_unfinished(leg, error)
            reason = f"{leg.kind} {leg.id}: {reason_of(error)}"
            self._store.record_event("error", leg.pair, self._clock(), bets=leg.bets, key=leg.key, reason=reason)
            return False
        return True

    def _give_up(self, leg: LegRow, error: BaccaratError | None, *, was_refused: bool = False) -> LegState:
        """No round will be accepted with this debit: say so first, so that none is, then undo it at the wallet. How far that got.

        A debit that has paid for a round already stays `done`; one that somebody else has undone meanwhile is `void`.
        """
        reason = leg.reason if error is None else reason_of(error)
        leg = self._store.void_debit(leg.id, reason or "cut off before the wallet answered", is_final=False)
        if leg.state != "voiding":
            return leg.state
        try:
            if not was_refused:
                self._ask(self._wallet.roll_back, leg)
        except WalletError as silence:
            if error is None:
                raise
            _log_unfinished(leg, silence)
            return leg.state  # it stays `voiding`, and recover() asks again
        return self._store.void_debit(leg.id, leg.reason, is_final=True).state

    def _ask(self, method: Callable[[WalletTransaction], None], leg: LegRow, silences: list[Exception] | None = None) -> None:
        """Ask until the wallet answers, as often as it is reasonable to wait for. `silences` gets what came in place of an answer."""
        transaction = WalletTransaction(leg.id, round_id(leg.pair_id, leg.key), leg.bettor, leg.currency, leg.amount)
        for attempt in range(self._attempts):
            try:
                return method(transaction)
            except (WalletRefusedError, WalletConflictError):
                raise
            except Exception as fault:  # noqa: BLE001 (whatever went wrong on the way, nobody knows what the wallet did: ask again)
                _LOG.debug("request %d for %s: %s", attempt + 1, leg.id, type(fault).__name__)
                if silences is not None:
                    silences.append(fault)
                self._pause(attempt)
        slips = (NEW_KEY,) if leg.kind == "debit" else ()
        raise WalletTimeoutError(f"wallet, {leg.kind} of {leg.amount}", "a definite answer", f"none to {self._attempts} requests", slips)


def _log_unfinished(leg: LegRow, error: WalletError) -> None:
    """Say that the wallet owes or is owed something. An error's text is a wallet's own, and may have anything in it: the event keeps it."""
    what = "credit" if leg.kind == "credit" else "roll-back of the debit"
    _LOG.warning("%s: the %s %s of pair %s is not done; recover() asks again", error.code, what, leg.id, leg.pair_id)


def leg_id(pair_id: str, key: str, kind: str) -> str:
    """The transaction id of a round's debit or credit: always the same, and as hard to guess as the pair's id."""
    return f"{round_id(pair_id, key)}-{kind}"


def round_id(pair_id: str, key: str) -> str:
    """What the debit and the credit of one round have in common."""
    return sha256(f"provably-fair-baccarat round:{pair_id}:{key}".encode()).hexdigest()[:40]
