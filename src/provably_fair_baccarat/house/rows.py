"""What a store gives back: its rows as values, in the units and types of the package and not of a database.

Amounts are whole smallest currency units, times are UTC. `number` is the store's own name for a row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

    from ..receipts.jws import Kind
    from ..records import MadeBy
    from .store import DealtCoup
    from .vault import Sealed

CashKind: TypeAlias = Literal["deposit", "withdrawal"]
LegKind: TypeAlias = Literal["debit", "credit"]
LegState: TypeAlias = Literal["begun", "done", "voiding", "void"]


@dataclass(frozen=True, slots=True)
class PairRow:
    """A stored pair. `number` is the store's own name for it; `settled` counts the coups that are dealt."""

    number: int
    id: str
    bettor: str
    currency: str
    scheme: str
    decks: int
    commitment: bytes
    pay_table_digest: str
    pay_table_form: str
    cap: int
    is_remote: bool
    state: str
    sealed: Sealed
    server_seed: bytes | None
    client_seed: bytes | None
    made_by: MadeBy | None
    next_nonce: int
    settled: int
    settled_in_order: int
    """Every coup with a nonce below this one is settled."""
    committed_at: datetime
    chosen_at: datetime | None
    closed_at: datetime | None
    revealed_at: datetime | None
    successor: str | None
    """The id of the pair that followed in a rotation."""
    chain_anchor: bytes | None
    chain_length: int | None
    newest_link: bytes | None
    """Of a seed chain: the link of the last coup that is settled in order, link(settled_in_order), as everyone may know it."""
    is_signed: bool
    """Whether its opening is signed, and so everything that is said about it."""
    latest_at: datetime
    """The latest time that anything of it was said to have happened at."""


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A signed statement: what kind it is of, which commitment (in hex) and nonce it is about, and its place in the log if it has one."""

    kind: Kind
    commitment: str
    nonce: int | None
    text: str
    place: int | None


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A stored round; what follows `balance_before` is None until it is dealt. Amounts are smallest currency units."""

    id: int
    pair: int
    pair_id: str
    nonce: int
    place: int
    key: str
    bets: str
    staked: int
    exposure: int
    accepted_at: datetime
    balance_before: int
    cut: int | None = None
    cards: str | None = None
    returned: int | None = None
    balance_after: int | None = None
    settled_at: datetime | None = None
    settled_in_order: int = 0
    """Every coup of the pair with a nonce below this one was settled when this row was read or written."""


def settled_row(row: RoundRow, dealt: DealtCoup, balance: int, settled_in_order: int) -> RoundRow:
    """An accepted round once it is dealt, which left this balance; where nothing came back, its stake had left what the round left."""
    return replace(
        row,
        cut=dealt.cut,
        cards=dealt.cards,
        returned=dealt.returned,
        balance_after=balance if dealt.returned else row.balance_before - row.staked,
        settled_at=dealt.at,
        settled_in_order=settled_in_order,
    )


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """Which rounds to read, in the order they were accepted: of a pair or a bettor or all, accepted in [since, until), behind an id.

    With `is_latest_first` the order is turned round, and `after` is the id to go back from.
    """

    limit: int
    pair: int | None = None
    bettor: str | None = None
    currency: str = ""
    since: datetime | None = None
    until: datetime | None = None
    after: int | None = None
    is_latest_first: bool = False


@dataclass(frozen=True, slots=True)
class CashRow:
    """A deposit or withdrawal that was made, and the balance that it left."""

    kind: CashKind
    bettor: str
    amount: int
    key: str
    balance: int
    at: datetime


@dataclass(frozen=True, slots=True)
class TransferRow:
    """One transfer: so much from payer to payee (account numbers), and the balance that it left the bettor with."""

    id: int
    kind: str
    payer: int
    payee: int
    amount: int
    balance: int


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account and the sums of its transfers. `balance` is None for the house and the outside world, which keep none."""

    number: int
    kind: Literal["bettor", "house", "outside"]
    bettor: str
    currency: str
    balance: int | None
    credits: int
    debits: int


@dataclass(frozen=True, slots=True)
class LegRow:
    """A transaction of the operator's own wallet: what is asked of it, and how far that got."""

    id: str
    kind: LegKind
    pair: int
    pair_id: str
    bettor: str
    currency: str
    key: str
    bets: str
    amount: int
    state: LegState
    reason: str
    begun_at: datetime


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that happened besides rounds: a refused bet with the nonce that it would have spent, a commit, a rotation, a reveal."""

    id: int
    kind: str
    pair_id: str | None
    nonce: int | None
    bets: str
    key: str
    reason: str
    at: datetime
