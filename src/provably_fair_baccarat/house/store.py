"""What a House needs of a database: a handful of transactions, one method each, and reads that each see one snapshot.

A store keeps and moves; it decides nothing about seeds and draws no card. Where a transaction depends on something that only the House
knows, the order brings a function along: `examine` says whether a bet may be taken, `deal` what its coup returned once its nonce is known.
Both run inside the transaction, `examine` before any money moves, and neither may call the store.

A store may be called from many threads at once. Every method is atomic and durable when it returns, raises errors of this package only,
and leaves nothing half done when it raises.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from ..errors import BaccaratError
    from ..records import MadeBy
    from .rows import AccountRow, CashKind, CashRow, EventRow, LegRow, PairRow, RoundQuery, RoundRow, StatementRow, TransferRow
    from .vault import Sealed


Say: TypeAlias = "Callable[[int, bytes | None, datetime], str]"
"""From how many openings of the bettor are signed already, the commitment of the last of them, and the time, to a pair's signed opening."""


class Signs(Protocol):
    """Signs what is said about one pair. A store asks in the transaction that makes it true, and keeps the answer with that.

    Neither may call the store. What is signed depends on the row alone, so a store may ask again.
    """

    def accepted(self, row: RoundRow) -> str:
        """The signed acceptance of a round, which may be dealt already."""
        ...

    def settled(self, row: RoundRow) -> str:
        """The signed receipt of a dealt round."""
        ...

    def closed(self, coups: int, at: datetime) -> str:
        """The signed closing of the pair, which has accepted so many coups by then."""
        ...


@dataclass(frozen=True, slots=True)
class NewPair:
    """A pair to be stored. `seed_mark` is a hash of the server seed, unique, so that no server seed serves twice."""

    id: str
    bettor: str
    currency: str
    scheme: str
    decks: int
    commitment: bytes
    seed_mark: bytes
    sealed: Sealed
    pay_table_digest: str
    pay_table_form: str
    cap: int
    is_remote: bool
    chain_anchor: bytes | None = None
    chain_length: int | None = None
    say: Say | None = None
    """Signs the opening, where the house has a signer."""


class Past(Protocol):
    """What a guard may ask about one bettor, in the transaction that takes the bet; times are UTC, amounts smallest currency units."""

    def last_accepted_at(self) -> datetime | None:
        """When the bettor's last round was accepted."""
        ...

    def net_since(self, time: datetime) -> int:
        """What the bettor gained, or lost if negative, in the rounds accepted since then; a round not dealt yet counts as lost."""
        ...

    def rounds_since(self, time: datetime) -> int:
        """How many rounds of the bettor were accepted since then."""
        ...


@dataclass(frozen=True, slots=True)
class DealtCoup:
    """A dealt coup as a store keeps it: the cut, the six cards' texts in one, and what came back in smallest currency units."""

    cut: int
    cards: str
    returned: int
    at: datetime

    def not_before(self, time: datetime) -> DealtCoup:
        """The same coup, dealt at this time if a clock says that it was earlier."""
        return self if self.at >= time else replace(self, at=time)


Deal: TypeAlias = "Callable[[int, str], DealtCoup]"
"""From a nonce and the stored bets to the coup. It depends on nothing else, so a store may call it again."""

Tell: TypeAlias = "Callable[[int], bytes]"
"""From how many coups of a pair are settled in order, 1 or more, to the link that proves them: link(so many). It is public from then on.

A store asks for it in the transaction that settles the last of them, keeps it with that, and asks for no other.
"""


@dataclass(frozen=True, slots=True)
class CoupOrder:
    """An accepted round to deal and settle: what it returns is paid, or everything stays as it is."""

    pair: int
    nonce: int
    deal: Deal
    at: datetime
    credit: str | None = None
    """The transaction id under which the operator's own wallet is to be credited with what comes back, None where there is none."""
    tell: Tell | None = None
    """The links of the pair's seed chain, where it has one."""
    signs: Signs | None = None
    """Signs the receipt, where the pair's opening is signed."""


@dataclass(frozen=True, slots=True)
class BetOrder:
    """A bet to take: spend the pair's next nonce and take the stake, or leave everything as it is.

    `key`, `bets` and `nonce` name the request: the same key with another pair, other bets or another nonce is a conflict. `deal`, where
    given, is dealt and settled in the same transaction. `leg` is the wallet's debit that pays for the stake, and `credit` the transaction
    id under which the wallet is to be credited with what a coup dealt at once returns.
    """

    pair: int
    key: str
    bets: str
    nonce: int | None
    """The nonce that the caller expects, or None for whichever comes next."""
    staked: int
    exposure: int
    """The most that this coup may return."""
    at: datetime
    examine: Callable[[int, Past], None]
    """Called with the nonce that would be spent; raises whatever refuses the bet."""
    deal: Deal | None = None
    leg: str | None = None
    credit: str | None = None
    is_guarded: bool = False
    """Whether `examine` asks guards: then it is called in the transaction that takes the bet, and may ask about the past."""
    tell: Tell | None = None
    """The links of the pair's seed chain, where it has one."""
    signs: Signs | None = None
    """Signs the acceptance and the receipt, where the pair's opening is signed."""

    def coup(self, nonce: int) -> CoupOrder | None:
        """How the round that the key stands for already, at this nonce, is dealt; None where the bet is only to be accepted."""
        return None if self.deal is None else CoupOrder(self.pair, nonce, self.deal, self.at, self.credit, self.tell, self.signs)


@dataclass(frozen=True, slots=True)
class CashOrder:
    """A deposit or withdrawal to make, once for each of the bettor's keys."""

    kind: CashKind
    bettor: str
    currency: str
    amount: int
    key: str
    at: datetime


class Store(Protocol):
    """The transactions and reads of a House. Each pair is named by its id where it comes from outside, by its number after that.

    Clocks go back: they are set, and another host's is behind. What a store keeps of a pair never does: a time that it is given is put off
    to the latest that it has of the pair.
    """

    # The life of a pair

    def add_pair(self, new: NewPair, at: datetime) -> PairRow:
        """Store a pair as committed, with its bettor's account if that is new. Raises StoreError if anything unique occurs twice."""
        ...

    def choose_client_seed(self, pair: int, client_seed: bytes, made_by: MadeBy, at: datetime) -> PairRow:
        """Fix the client seed and open the pair to bets. Raises PairStateError unless it is committed."""
        ...

    def close_pair(self, pair: int, at: datetime, signs: Signs | None = None) -> PairRow:
        """Close a pair to bets; one that is closing or revealed stays as it is. `signs` signs the closing."""
        ...

    def reveal_pair(self, pair: int, server_seed: bytes, successor: NewPair | None, at: datetime) -> PairRow:
        """Reveal a closing pair, and store its successor in the same transaction.

        Raises PairStateError unless the pair is closing and every accepted coup is settled; a revealed pair is returned as it is.
        """
        ...

    def reseal_pair(self, pair: int, old: Sealed, new: Sealed, at: datetime) -> None:
        """Put a new seal in place of an old one, unless somebody else has done so."""
        ...

    # Bets

    def take_bet(self, order: BetOrder) -> RoundRow:
        """Take a bet, or return the round that its key already stands for.

        Raises KeyConflictError, PairStateError, PairCapError, PairNonceError, FundsError, AmountError, WalletError, or what `examine`
        raises; then nothing has changed but that the refusal is recorded.
        """
        ...

    def take_bets(self, orders: Sequence[BetOrder]) -> list[RoundRow | BaccaratError]:
        """Take many bets, each as `take_bet` does, in order; a refusal is returned in its place."""
        ...

    def settle_round(self, order: CoupOrder) -> RoundRow:
        """Deal an accepted round and pay its return; a round that is dealt is returned as it is. Raises PairNonceError if there is none."""
        ...

    def record_event(self, kind: str, pair: int | None, at: datetime, *, bets: str = "", key: str = "", reason: str = "") -> None:
        """Keep an event; of a pair, with the nonce that would come next."""
        ...

    # Signed statements, and their places in the log

    def give_places(self, limit: int) -> int:
        """Give the next places to statements that have none, at most so many, in the order they were made. Returns how many."""
        ...

    def next_place(self) -> int:
        """The place that is given next, and so how many were given."""
        ...

    def placed_statements(self, place: int, limit: int) -> list[StatementRow]:
        """Statements in the order of their places, from one on, at most so many."""
        ...

    def signed_statements(self, pair: int, first: int, last: int) -> list[StatementRow]:
        """Statements about a pair's nonces from the first to the last, in order; those about the pair itself are under -1."""
        ...

    # Money

    def move_cash(self, order: CashOrder) -> CashRow:
        """Deposit or withdraw, or return what the key already stands for. Raises KeyConflictError, FundsError or AmountError."""
        ...

    def begin_debit(self, order: BetOrder, leg: str) -> RoundRow | LegRow:
        """Note that a wallet is about to be debited for a bet that would be taken now; or return what its key already stands for."""
        ...

    def void_debit(self, leg: str, reason: str, *, is_final: bool) -> LegRow:
        """Give up a debit that no round was accepted for: first `voiding`, so that none will be, and finally `void`.

        A debit that paid for a round stays done.
        """
        ...

    def end_credit(self, leg: str, at: datetime) -> None:
        """Note that the wallet was credited."""
        ...

    # Reads, each in one snapshot

    def pair(self, pair_id: str) -> PairRow | None:
        """A pair by its id."""
        ...

    def pairs(self, bettor: str, currency: str) -> list[PairRow]:
        """A bettor's pairs in the order they were committed."""
        ...

    def pairs_to_reveal(self, after: int, limit: int) -> list[PairRow]:
        """Pairs that aren't revealed, of all bettors, in the order they were committed, behind a number."""
        ...

    def pairs_sealed_under(self, key_id: str, limit: int) -> list[PairRow]:
        """Pairs that aren't revealed and whose seal is of that key."""
        ...

    def round_at(self, pair: int, nonce: int) -> RoundRow | None:
        """The round of this nonce."""
        ...

    def rounds(self, query: RoundQuery) -> list[RoundRow]:
        """Rounds, at most `query.limit` of them."""
        ...

    def open_rounds(self, pair: int | None = None) -> list[RoundRow]:
        """Rounds that are accepted and not dealt, in order; of a pair or of all."""
        ...

    def unfinished_legs(self, leg: str | None = None) -> list[LegRow]:
        """Transactions of the wallet without a definite end: all, or the one of that id."""
        ...

    def statement(self, bettor: str, currency: str) -> tuple[int | None, list[TransferRow]]:
        """A bettor's balance, None where there is no such account, and the transfers that it follows from, in order."""
        ...

    def transfers_of_pair(self, pair: int) -> dict[int, tuple[TransferRow | None, TransferRow | None]]:
        """Of each round of a pair by its nonce: the transfers that it names, of the stake and of the return."""
        ...

    def balance(self, bettor: str, currency: str) -> int | None:
        """A bettor's balance, or None where there is no such account."""
        ...

    def currencies(self, bettor: str) -> list[str]:
        """The currencies of a bettor's accounts, in order, as `balance` takes them."""
        ...

    def accounts(self) -> list[AccountRow]:
        """Every account with the sums of its transfers."""
        ...

    def events(self, pair: int | None = None, *, after: int = 0, limit: int = 1000) -> list[EventRow]:
        """Events in order, of a pair or of all, behind an id."""
        ...

    def close(self) -> None:
        """Let go of the database. What was answered is durable; what comes later is refused."""
        ...
