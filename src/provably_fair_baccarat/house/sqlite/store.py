"""The store in one SQLite file: WAL, every COMMIT on the disk before it is answered, one writer and any number of readers."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from ...errors import BaccaratError, Slip, StoreError, StoreReadOnlyError
from ..clock import utc_now
from ..process import OpeningProcess
from ..refusals import reason_of
from . import betting, legs, money, pairing, reads, saying, schema
from .faults import translated
from .lock import WriterLock
from .rows import register_functions
from .writer import Writer, closed, in_savepoint

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from datetime import datetime

    from ...records import MadeBy
    from ..clock import Clock
    from ..migrations import Migration, MigrationStatus
    from ..rows import AccountRow, CashRow, EventRow, LegRow, PairRow, RoundQuery, RoundRow, StatementRow, TransferRow
    from ..store import BetOrder, CashOrder, CoupOrder, NewPair, Signs, Store
    from ..vault import Sealed
    from .writer import NoteRefusal, Work

_Answer = TypeVar("_Answer")

BATCH: Final = 250
"""How many bets of one `take_bets` share a transaction: other callers get their turn in between."""

_WAIT_MILLISECONDS = 5000
"""How long a foreign connection's lock is waited for."""

_ON_WRITER = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cache_size = -65536",  # 64 MiB
    "PRAGMA temp_store = MEMORY",  # where savepoints keep what they may have to undo
    "PRAGMA wal_autocheckpoint = 4000",  # pages: the log is copied into the file every 16 MB
    f"PRAGMA busy_timeout = {_WAIT_MILLISECONDS}",
)
_ON_READER = ("PRAGMA query_only = ON", "PRAGMA trusted_schema = OFF", f"PRAGMA busy_timeout = {_WAIT_MILLISECONDS}")


class SqliteStore:
    """A house's tables in a SQLite file, made where there is none. It implements `Store`.

    One store at a time writes to a file, in whatever process; others may read with `is_read_only`. Raises StoreBusyError while another one
    writes, SchemaError for tables of another version, StoreError for a file that can't be opened.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        is_read_only: bool = False,
        migrations: Sequence[Migration] = schema.MIGRATIONS,
        clock: Clock = utc_now,
    ) -> None:
        if isinstance(path, str) and "://" in path:
            slip = Slip("url_for_path", "It takes the path of a file; only pfb takes URLs.")
            raise StoreError("database", "a path", "a URL", (slip,))
        self.path = Path(path).absolute()
        self._process = OpeningProcess(f"database {self.path}")
        self._idle: list[sqlite3.Connection] = []
        self._gate = threading.Lock()
        self._is_open = True
        self._writer: Writer | None = None
        self._lock: WriterLock | None = None
        with translated(self.path):
            if is_read_only:
                with self._reading() as database:
                    schema.require_current(database, self.path, migrations)
                return
            self._lock = WriterLock(self.path)
            try:
                self._writer = Writer(_open_writer(self.path, clock, migrations), self.path)
            except BaseException:
                self._lock.release()
                raise

    @classmethod
    def migrate(
        cls,
        path: str | os.PathLike[str],
        *,
        migrations: Sequence[Migration] = schema.MIGRATIONS,
        clock: Clock = utc_now,
    ) -> tuple[MigrationStatus, ...]:
        """Bring a file's tables up to date while no store writes to it; one that is up to date stays as it is. Raises like the store."""
        file = Path(path).absolute()
        lock = WriterLock(file)
        try:
            with translated(file):
                database = _connect(file, "rwc", _ON_WRITER)
                try:
                    return schema.apply_migrations(database, file, clock, migrations)
                finally:
                    database.close()
        finally:
            lock.release()

    @classmethod
    def migration_status(
        cls, path: str | os.PathLike[str], *, migrations: Sequence[Migration] = schema.MIGRATIONS
    ) -> tuple[MigrationStatus, ...]:
        """Which migrations a file has. Raises SchemaError for one that is newer, changed or somebody else's."""
        file = Path(path).absolute()
        with translated(file):
            database = _connect(file, "ro", _ON_READER)
            try:
                return schema.status(database, file, migrations)
            finally:
                database.close()

    # The life of a pair

    def add_pair(self, new: NewPair, at: datetime) -> PairRow:
        """Store a pair as committed."""
        return self._write(lambda database: pairing.add_pair(database, new, at))

    def choose_client_seed(self, pair: int, client_seed: bytes, made_by: MadeBy, at: datetime) -> PairRow:
        """Fix the client seed and open the pair to bets."""
        return self._write(lambda database: pairing.choose_client_seed(database, pair, client_seed, made_by, at))

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
        return self._write(lambda database: betting.take_bet(database, order), _note_refusal(order))

    def take_bets(self, orders: Sequence[BetOrder]) -> list[RoundRow | BaccaratError]:
        """Take many bets, some at a time in one transaction; each changes all that it stands for, or nothing."""
        answers: list[RoundRow | BaccaratError] = []
        for start in range(0, len(orders), BATCH):
            answers += self._write(partial(_take_batch, orders=orders[start : start + BATCH]))
        return answers

    def settle_round(self, order: CoupOrder) -> RoundRow:
        """Deal an accepted round and pay its return."""
        return self._write(lambda database: betting.settle_round(database, order))

    def record_event(self, kind: str, pair: int | None, at: datetime, *, bets: str = "", key: str = "", reason: str = "") -> None:
        """Keep an event."""
        self._write(lambda database: pairing.add_event(database, kind, pair, at, bets=bets, key=key, reason=reason))

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
        return self._write(lambda database: betting.begin_debit(database, order, leg), _note_refusal(order))

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
        return self._read(lambda database: betting.round_at(database, pair, nonce))

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
        """Finish what was asked for, and let go of the file. Closing again does nothing, and neither does closing in a forked process."""
        if not self._process.is_here:
            return
        with self._gate:
            self._is_open = False
            idle, self._idle = self._idle, []
        for database in idle:
            database.close()
        if self._writer is not None:
            self._writer.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SqliteStore({str(self.path)!r})"

    def _write(self, work: Work[_Answer], refused: NoteRefusal | None = None) -> _Answer:
        self._process.require_here()
        if self._writer is None:
            raise StoreReadOnlyError(f"database {self.path}", "a store that is open for writing", "one that is open for reading only")
        return self._writer.run(work, refused)

    def _read(self, work: Work[_Answer]) -> _Answer:
        with translated(self.path), self._reading() as database:
            database.execute("BEGIN")
            try:
                return work(database)
            finally:
                database.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        """A reader's connection that is nobody else's meanwhile."""
        self._process.require_here()
        with self._gate:
            if not self._is_open:
                raise closed(self.path)
            database = self._idle.pop() if self._idle else None
        if database is None:
            database = _connect(self.path, "ro", _ON_READER)
        try:
            yield database
        except BaseException:
            database.close()
            raise
        with self._gate:
            if self._is_open:
                self._idle.append(database)
                return
        database.close()


def _note_refusal(order: BetOrder) -> NoteRefusal:
    """How a refused bet is kept (protocol step 9): with its pair and so its commitment, the nonce it would have had, bets and reason."""

    def note(database: sqlite3.Connection, /, *, refusal: BaccaratError) -> None:
        pairing.add_event(database, "refused", order.pair, order.at, bets=order.bets, key=order.key, reason=reason_of(refusal))

    return note


def _take_batch(database: sqlite3.Connection, orders: Sequence[BetOrder]) -> list[RoundRow | BaccaratError]:
    """Take bets one after another. Undoing one alone takes a savepoint, so an order that is refused before it changes anything has none."""
    answers: list[RoundRow | BaccaratError] = []
    for order in orders:
        changes = database.total_changes
        try:
            if betting.is_refused_first(order):
                answers.append(betting.take_bet(database, order))
            else:
                answers.append(in_savepoint(database, partial(betting.take_bet, order=order)))
        except BaccaratError as error:
            if betting.is_refused_first(order) and database.total_changes != changes:
                raise  # what can't be undone alone is undone with the rest
            _note_refusal(order)(database, refusal=error)
            answers.append(error)
    return answers


def _connect(path: Path, mode: str, pragmas: Sequence[str]) -> sqlite3.Connection:
    if mode == "rwc":
        with suppress(OSError):  # SQLite says better why a file cannot be made
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # a new file is its owner's alone: it holds balances and sealed seeds
    database: Any = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False, cached_statements=256
    )
    try:
        for pragma in pragmas:
            database.execute(pragma)
        register_functions(database)
    except BaseException:
        database.close()
        raise
    return database  # type: ignore[no-any-return]  # it is a connection


def _open_writer(path: Path, clock: Clock, migrations: Sequence[Migration]) -> sqlite3.Connection:
    database = _connect(path, "rwc", _ON_WRITER)
    try:
        if schema.is_empty(database):
            schema.apply_migrations(database, path, clock, migrations)
        schema.require_current(database, path, migrations)
    except BaseException:
        database.close()
        raise
    return database


if TYPE_CHECKING:
    _IMPLEMENTS: type[Store] = SqliteStore  # a type checker compares every method with the protocol here
