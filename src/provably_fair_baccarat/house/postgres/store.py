"""The store in PostgreSQL: a pool of connections, row locks, and every COMMIT durable before it is answered."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import psycopg
from psycopg.errors import InsufficientPrivilege

from ...errors import BaccaratError
from ..clock import utc_now
from . import betting, legs, money, pairing, reads, saying, schema, settling, single
from .faults import no_connection, translate
from .sessions import ON_CONNECT, Borrowed, Pooled, Sessions
from .url import database_name

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from datetime import datetime

    from psycopg import Connection

    from ...records import MadeBy
    from ..clock import Clock
    from ..migrations import Migration, MigrationStatus
    from ..rows import AccountRow, CashRow, EventRow, LegRow, PairRow, RoundQuery, RoundRow, StatementRow, TransferRow
    from ..store import BetOrder, CashOrder, CoupOrder, NewPair, Signs
    from ..vault import Sealed
    from .database import Database

_Answer = TypeVar("_Answer")

BATCH: Final = 250
"""How many bets of one `take_bets` share a transaction: others who wait for the same bettors get their turn in between."""


class PostgresStore:
    """A house's tables in the schema `house` of a PostgreSQL database, made where there are none. It implements `Store`.

    `url` is like `postgresql://user:password@host:5432/database`, or whatever else libpq reads. Any number of stores, in any number of
    processes, may use one database at once. `connections` is how many this one holds at most, `patience` how many seconds it waits for a
    connection, and how long it tries again after one was lost. Raises SchemaError for tables of another version, StoreError for a database
    that can't be reached.

    What is asked for is durable when it is answered, if the server writes to its disk what it says it writes (`fsync`). A transaction that
    PostgreSQL rolled back for another's sake is run again. After a lost connection everything is run again that is named by its request (by
    key, nonce, leg, or the pair's own state), so that it can't happen twice; a commit, a client seed and an event are not: then StoreError
    says that nobody knows.
    """

    def __init__(
        self,
        url: str,
        *,
        is_read_only: bool = False,
        connections: int = 32,
        patience: float = 10.0,
        migrations: Sequence[Migration] = schema.MIGRATIONS,
        clock: Clock = utc_now,
    ) -> None:
        name = database_name(url)
        with _connected(url, name) as connection:
            if not is_read_only and schema.is_empty(connection):
                with suppress(InsufficientPrivilege):  # then there are no tables, and that is what is told
                    schema.apply_migrations(connection, name, clock, migrations)
            schema.require_current(connection, name, migrations)
        self._begin(name, Pooled(url, name, connections=connections, patience=patience, is_read_only=is_read_only))

    @classmethod
    def on(cls, connection: Connection[Any]) -> Self:
        """A store inside the transaction that a connection of the operator's is in, or begins with the first call if it isn't in one.

        Every call is a savepoint in it: nothing is committed or rolled back here, and nothing is durable before the operator commits. The
        connection's locks are held until then. Nothing is run again. The tables must be there; raises SchemaError for another version.
        """
        name = f"{connection.info.host}:{connection.info.port}/{connection.info.dbname}"
        sessions = Borrowed(connection, name)
        sessions.read(lambda _: schema.require_current(connection, name))
        store = cls.__new__(cls)
        store._begin(name, sessions)  # noqa: SLF001 (it is one of these)
        return store

    @classmethod
    def migrate(
        cls, url: str, *, migrations: Sequence[Migration] = schema.MIGRATIONS, clock: Clock = utc_now
    ) -> tuple[MigrationStatus, ...]:
        """Bring a database's tables up to date; one that is up to date stays as it is. Raises like the store."""
        name = database_name(url)
        with _connected(url, name) as connection:
            return schema.apply_migrations(connection, name, clock, migrations)

    @classmethod
    def migration_status(cls, url: str, *, migrations: Sequence[Migration] = schema.MIGRATIONS) -> tuple[MigrationStatus, ...]:
        """Which migrations a database has. Raises SchemaError for one that is newer, changed or somebody else's."""
        name = database_name(url)
        with _connected(url, name) as connection:
            return schema.status(connection, name, migrations)

    # The life of a pair

    def add_pair(self, new: NewPair, at: datetime) -> PairRow:
        """Store a pair as committed."""
        return self._write(lambda database: pairing.add_pair(database, new, at), is_repeatable=False)

    def choose_client_seed(self, pair: int, client_seed: bytes, made_by: MadeBy, at: datetime) -> PairRow:
        """Fix the client seed and open the pair to bets."""
        return self._write(lambda database: pairing.choose_client_seed(database, pair, client_seed, made_by, at), is_repeatable=False)

    def close_pair(self, pair: int, at: datetime, signs: Signs | None = None) -> PairRow:
        """Close a pair to bets."""
        return self._write(lambda database: pairing.close_pair(database, pair, at, signs))

    def reveal_pair(self, pair: int, server_seed: bytes, successor: NewPair | None, at: datetime) -> PairRow:
        """Reveal a closing pair, and store its successor."""
        return self._write(lambda database: pairing.reveal_pair(database, pair, server_seed, successor, at))

    def reseal_pair(self, pair: int, old: Sealed, new: Sealed, at: datetime) -> None:
        """Put a new seal in place of an old one."""
        self._write(lambda database: pairing.reseal_pair(database, pair, old, new, at))

    # Bets

    def take_bet(self, order: BetOrder) -> RoundRow:
        """Take a bet, or return the round that its key already stands for."""
        nonce = self._guesses.next_nonce(order)
        if nonce is not None and single.permits(order, nonce):
            row = self._sessions.write_at_once(lambda database: single.take_at(database, order, nonce))
            if row is not None:
                self._guesses.note(row)
                return row
        answer = self._write(lambda database: betting.take_bet(database, order))
        if isinstance(answer, BaccaratError):  # it is kept by now
            raise answer
        self._guesses.note(answer)
        return answer

    def take_bets(self, orders: Sequence[BetOrder]) -> list[RoundRow | BaccaratError]:
        """Take many bets, some at a time in one transaction."""
        answers: list[RoundRow | BaccaratError] = []
        for start in range(0, len(orders), BATCH):
            answers += self._write(partial(betting.take_bets, orders=orders[start : start + BATCH]))
        for answer in answers:
            if not isinstance(answer, BaccaratError):
                self._guesses.note(answer)
        return answers

    def settle_round(self, order: CoupOrder) -> RoundRow:
        """Deal an accepted round and pay its return."""
        return self._write(lambda database: settling.settle_round(database, order))

    def record_event(self, kind: str, pair: int | None, at: datetime, *, bets: str = "", key: str = "", reason: str = "") -> None:
        """Keep an event."""
        self._write(lambda database: pairing.add_event(database, kind, pair, at, bets=bets, key=key, reason=reason), is_repeatable=False)

    # Signed statements, and their places in the log

    def give_places(self, limit: int) -> int:
        """Give the next places to statements that have none."""
        return self._write(lambda database: saying.give_places(database, limit))

    def next_place(self) -> int:
        """The place that is given next."""
        return self._read(saying.next_place)

    def placed_statements(self, place: int, limit: int) -> list[StatementRow]:
        """Statements in the order of their places."""
        return self._read(lambda database: saying.placed(database, place, limit))

    def signed_statements(self, pair: int, first: int, last: int) -> list[StatementRow]:
        """Statements about a pair's nonces, in order."""
        return self._read(lambda database: saying.statements(database, pair, first, last))

    # Money

    def move_cash(self, order: CashOrder) -> CashRow:
        """Deposit or withdraw, once for each key."""
        return self._write(lambda database: money.move_cash(database, order))

    def begin_debit(self, order: BetOrder, leg: str) -> RoundRow | LegRow:
        """Note that a wallet is about to be debited for a bet that would be taken now."""
        answer = self._write(lambda database: betting.begin_debit(database, order, leg))
        if isinstance(answer, BaccaratError):
            raise answer
        return answer

    def void_debit(self, leg: str, reason: str, *, is_final: bool) -> LegRow:
        """Give up a debit that no round was accepted for."""
        return self._write(lambda database: legs.void_debit(database, leg, reason, is_final=is_final))

    def end_credit(self, leg: str, at: datetime) -> None:
        """Note that the wallet was credited."""
        self._write(lambda database: legs.end_credit(database, leg, at))

    # Reads

    def pair(self, pair_id: str) -> PairRow | None:
        """A pair by its id."""
        return self._read(lambda database: reads.pair(database, pair_id))

    def pairs(self, bettor: str, currency: str) -> list[PairRow]:
        """A bettor's pairs in the order they were committed."""
        return self._read(lambda database: reads.pairs(database, bettor, currency))

    def pairs_to_reveal(self, after: int, limit: int) -> list[PairRow]:
        """Pairs that aren't revealed, behind a number."""
        return self._read(lambda database: reads.pairs_to_reveal(database, after, limit))

    def pairs_sealed_under(self, key_id: str, limit: int) -> list[PairRow]:
        """Pairs that aren't revealed and whose seal is of that key."""
        return self._read(lambda database: reads.pairs_sealed_under(database, key_id, limit))

    def round_at(self, pair: int, nonce: int) -> RoundRow | None:
        """The round of this nonce."""
        return self._read(lambda database: settling.round_at(database, pair, nonce))

    def rounds(self, query: RoundQuery) -> list[RoundRow]:
        """Rounds in the order they were accepted."""
        return self._read(lambda database: reads.rounds(database, query))

    def open_rounds(self, pair: int | None = None) -> list[RoundRow]:
        """Rounds that are accepted and not dealt."""
        return self._read(lambda database: reads.open_rounds(database, pair))

    def unfinished_legs(self, leg: str | None = None) -> list[LegRow]:
        """Transactions of the wallet without a definite end: all, or the one of that id."""
        return self._read(lambda database: reads.unfinished_legs(database, leg))

    def statement(self, bettor: str, currency: str) -> tuple[int | None, list[TransferRow]]:
        """A bettor's balance and the transfers that it follows from."""
        return self._read(lambda database: reads.statement(database, bettor, currency))

    def transfers_of_pair(self, pair: int) -> dict[int, tuple[TransferRow | None, TransferRow | None]]:
        """Of each round of a pair by its nonce: the transfers of the stake and of the return."""
        return self._read(lambda database: reads.transfers_of_pair(database, pair))

    def balance(self, bettor: str, currency: str) -> int | None:
        """A bettor's balance."""
        return self._read(lambda database: reads.balance(database, bettor, currency))

    def currencies(self, bettor: str) -> list[str]:
        """The currencies of a bettor's accounts."""
        return self._read(lambda database: reads.currencies(database, bettor))

    def accounts(self) -> list[AccountRow]:
        """Every account with the sums of its transfers."""
        return self._read(reads.accounts)

    def events(self, pair: int | None = None, *, after: int = 0, limit: int = 1000) -> list[EventRow]:
        """Events in order."""
        return self._read(lambda database: reads.events(database, pair, after, limit))

    def close(self) -> None:
        """Let go of the connections. Closing again does nothing."""
        self._sessions.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"PostgresStore({self.name!r})"

    def _begin(self, name: str, sessions: Sessions) -> None:
        self.name = name
        self._sessions = sessions
        self._guesses = single.Guesses()

    def _write(self, work: Callable[[Database], _Answer], *, is_repeatable: bool = True) -> _Answer:
        return self._sessions.write(work, is_repeatable=is_repeatable)

    def _read(self, work: Callable[[Database], _Answer]) -> _Answer:
        return self._sessions.read(work)


@contextmanager
def _connected(url: str, name: str) -> Generator[Connection[Any]]:
    """A connection for the moment, beside the pool."""
    try:
        connection = psycopg.connect(url, autocommit=True)
    except psycopg.Error as error:
        raise no_connection(error, name) from None
    try:
        with connection:
            connection.execute(ON_CONNECT)
            yield connection
    except psycopg.Error as error:
        raise translate(error, name) from None
