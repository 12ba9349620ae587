"""What both engines refuse, in the same words, once they have read what it depends on; and how an event keeps a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ..errors import (
    AmountError,
    FundsError,
    KeyConflictError,
    PairCapError,
    PairError,
    PairNonceError,
    PairStateError,
    Slip,
    StoreError,
    WalletGivenUpError,
)
from ..rules.settlement import MAX_AMOUNT
from .amounts import storable

if TYPE_CHECKING:
    from ..errors import BaccaratError
    from .rows import LegRow, PairRow
    from .store import BetOrder, CashOrder


NEW_KEY: Final = Slip("given_up", "Its stake is not taken, or is given back: make the bet again with a new key.")
"""What a bettor does about a debit that is given up."""


class TakenBet(Protocol):
    """A bet that a key stands for already: a stored round, or one that is about to be."""

    @property
    def pair(self) -> int:
        """The number of its pair."""
        ...

    @property
    def bets(self) -> str:
        """The bets as stored."""
        ...

    @property
    def nonce(self) -> int:
        """The nonce that it spent."""
        ...


def require_same(order: BetOrder, known: TakenBet) -> None:
    """Raise KeyConflictError if a key stands for another request."""
    if (known.pair, known.bets) != (order.pair, order.bets) or order.nonce not in (None, known.nonce):
        slip = Slip("key_reused", "A new bet needs a new key.")
        found = "another pair, other bets or another nonce"
        raise KeyConflictError(f"key {order.key!r}", "the bet that it stands for already", found, (slip,))


def require_open(pair_id: str, state: str, next_nonce: int, cap: int, expected: int | None) -> None:
    """Raise unless a pair takes a bet now, at the nonce that the caller expects."""
    if state != "active":
        raise PairStateError(f"pair {pair_id}", "one that is active", f"one that is {state}", (_instead_of(state),))
    if next_nonce >= cap:
        slip = Slip("rotate", "Rotate it: the next pair takes the bet.")
        raise PairCapError(f"pair {pair_id}", f"fewer than {cap} coups", f"all {cap} accepted", (slip,))
    if expected not in (None, next_nonce):
        raise PairNonceError(f"next nonce of pair {pair_id}", f"{next_nonce}", f"{expected}")


def _instead_of(state: str) -> Slip:
    """What to do where a pair takes no bets."""
    if state == "committed":
        return Slip("not_chosen", "Choose its client seed first; over HTTP that is PUT /pairs/{pair}/client-seed.")
    if state == "closing":
        return Slip("pair_closing", "It takes no more bets: rotate it, and bet on the next pair.")
    return Slip("pair_revealed", "It is over, as its server seed is told: bet on the next pair.")


def require_funds(balance: int, amount: int) -> None:
    """Raise FundsError unless there is this much."""
    if amount > balance:
        raise FundsError("balance", f"at least {amount}", f"{balance}")


def require_room(balance: int, exposed: int, more: int) -> None:
    """Raise AmountError unless the balance stays below 10^38 whatever `more` and the open rounds bring. They never fail to be paid."""
    if balance + exposed + more > MAX_AMOUNT:
        raise AmountError("balance", "at most 10^38 - 1, whatever open rounds return", f"up to {balance + exposed + more}")


def require_same_cash(order: CashOrder, kind: str, amount: int) -> None:
    """Raise KeyConflictError if a key stands for another deposit or withdrawal."""
    if (kind, amount) != (order.kind, order.amount):
        raise KeyConflictError(f"key {order.key!r}", f"the {kind} of {amount} that it stands for", f"a {order.kind} of {order.amount}")


def require_debit(leg: LegRow, order: BetOrder) -> None:
    """Raise KeyConflictError if a debit was begun for another request, WalletGivenUpError if it was given up."""
    if (leg.pair, leg.bets) != (order.pair, order.bets):
        raise KeyConflictError(f"key {order.key!r}", "the bet that it stands for already", "another pair or other bets")
    if leg.state != "begun":
        raise given_up(order.key)


def given_up(key: str) -> WalletGivenUpError:
    """What a bet is refused with whose debit was given up."""
    return WalletGivenUpError(f"debit for key {key!r}", "one to pay for the bet with", "one that was given up", (NEW_KEY,))


def require_settled(pair: PairRow) -> None:
    """Raise PairStateError unless a pair is closing, with every coup settled, so that it may be revealed."""
    if pair.state != "closing":
        raise PairStateError(f"pair {pair.id}", "one that is closing", f"one that is {pair.state}")
    if pair.settled != pair.next_nonce:
        found = f"{pair.next_nonce - pair.settled} that are not"
        slip = Slip("open_rounds", "Deal its accepted rounds first: recover() does.")
        raise PairStateError(f"pair {pair.id}", f"all of its {pair.next_nonce} accepted coups settled", found, (slip,))


def chosen_already(pair: PairRow) -> PairStateError:
    """What a second client seed is refused with."""
    slip = Slip("chosen_once", "A client seed is chosen once for each pair; rotate to choose another.")
    return PairStateError(f"pair {pair.id}", "one that waits for its client seed", f"one that is {pair.state}", (slip,))


def no_pair() -> PairError:
    """What a number that no pair has is refused with."""
    return PairError("seed pair", "one that is stored", "none")


def no_nonce(nonce: int) -> PairNonceError:
    """What settling a nonce that no bet has spent is refused with."""
    return PairNonceError("nonce", "one that an accepted bet has spent", f"{nonce}")


def no_leg() -> StoreError:
    """What a wallet's transaction that nobody began is refused with."""
    return StoreError("transaction of a wallet", "one that was begun here", "none")


def reason_of(error: BaccaratError) -> str:
    """Why something was refused or failed, as an event keeps it: the error's code and its text, whoever worded that."""
    return storable(f"{error.code}: {error}")
