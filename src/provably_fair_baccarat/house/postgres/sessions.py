"""Where transactions run: on a pool's connections, or inside a transaction of the operator's own.

On the pool each transaction is ours from BEGIN to COMMIT, and what it is asked for is answered after that. One that PostgreSQL rolled back
for another's sake is run again. One whose connection was lost is run again where that is safe even if its COMMIT had arrived unheard.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, LiteralString, Protocol, TypeVar

import psycopg
from psycopg.errors import UniqueViolation
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

from ...errors import StoreError, StoreReadOnlyError
from ..process import OpeningProcess
from .database import Database
from .faults import is_connection_lost, is_worth_repeating, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from psycopg import Connection

_Answer = TypeVar("_Answer")

REPEATS: Final = 5
"""How often a transaction is run again that others came in between of."""

ON_CONNECT: Final[LiteralString] = """
SET TimeZone = 'UTC';
SET client_encoding = 'UTF8';
SET default_transaction_isolation = 'read committed';
SET lock_timeout = '5s';  -- the longest that anybody waits for a bettor's turn
SET idle_in_transaction_session_timeout = '30s';  -- a program that hangs gives its locks back
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
"""


class Sessions(Protocol):
    """Runs transactions."""

    def write(self, work: Callable[[Database], _Answer], *, is_repeatable: bool) -> _Answer:
        """Run work in a transaction of its own, all of it or nothing."""
        ...

    def write_at_once(self, work: Callable[[Database], _Answer]) -> _Answer | None:
        """Run work that is one statement and so a transaction, and one that may be repeated; None where a row is there already."""
        ...

    def read(self, work: Callable[[Database], _Answer]) -> _Answer:
        """Run work that only reads; each of its statements sees one snapshot."""
        ...

    def close(self) -> None:
        """Let go of what is held."""
        ...


class _Inside(threading.local):
    """Whether this thread is inside a transaction here: what a transaction calls, a guard above all, must not begin another."""

    is_inside = False

    def __enter__(self) -> None:
        if self.is_inside:
            raise StoreError("transaction", "a guard that only asks what it is given", "a call of the store from inside it")
        self.is_inside = True

    def __exit__(self, *_: object) -> None:
        self.is_inside = False


class Pooled:
    """Transactions on connections of a pool. `patience` is how many seconds a lost connection or a full pool is waited for."""

    def __init__(self, url: str, name: str, *, connections: int, patience: float, is_read_only: bool) -> None:
        self._name = name
        self._process = OpeningProcess(f"database {name}")
        self._patience = patience
        self._is_read_only = is_read_only
        self._inside = _Inside()
        self._pool = ConnectionPool(
            url,
            kwargs={"autocommit": True},
            min_size=0,
            max_size=connections,
            timeout=patience,
            configure=self._configure,
            open=False,
            name=f"house of {name}",
            reconnect_timeout=patience,
        )
        self._pool.open()

    def write(self, work: Callable[[Database], _Answer], *, is_repeatable: bool) -> _Answer:
        """Run work from BEGIN to COMMIT. If `is_repeatable`, also once more when the connection was lost and nobody knows how far it came."""
        self._require_writing()
        return self._run(lambda connection: _transact(connection, work), is_repeatable=is_repeatable)

    def write_at_once(self, work: Callable[[Database], _Answer]) -> _Answer | None:
        """Run work that is one statement: PostgreSQL commits it by itself before it answers."""
        self._require_writing()

        def run(connection: Connection[Any]) -> _Answer | None:
            try:
                return work(Database(connection))
            except UniqueViolation:
                return None

        return self._run(run, is_repeatable=True)

    def read(self, work: Callable[[Database], _Answer]) -> _Answer:
        """Run work that only reads."""
        return self._run(lambda connection: work(Database(connection)), is_repeatable=True)

    def close(self) -> None:
        """Close every connection. Closing again does nothing, and neither does closing in a forked process."""
        if self._process.is_here:
            self._pool.close()

    def _require_writing(self) -> None:
        if self._is_read_only:
            raise StoreReadOnlyError(f"database {self._name}", "a store that is open for writing", "one that is open for reading only")

    def _run(self, work: Callable[[Connection[Any]], _Answer], *, is_repeatable: bool) -> _Answer:
        self._process.require_here()
        deadline = monotonic() + self._patience
        attempt = 0
        while True:
            attempt += 1
            try:
                with self._inside, self._pool.connection() as connection:
                    return work(connection)
            except psycopg.Error as error:
                is_lost = is_connection_lost(error)
                if not (attempt <= REPEATS and is_worth_repeating(error)) and not (is_lost and is_repeatable and monotonic() < deadline):
                    raise translate(error, self._name) from None
                if is_lost:
                    self._renew()
                    sleep(0.01 * attempt)

    def _renew(self) -> None:
        """Throw away idle connections that the server has closed too."""
        with suppress(psycopg.Error):
            self._pool.check()

    def _configure(self, connection: Connection[Any]) -> None:
        connection.execute(ON_CONNECT)
        if self._is_read_only:
            connection.execute("SET default_transaction_read_only = on")


class Borrowed:
    """Savepoints in a transaction that somebody else began, and commits or rolls back, on a connection that stays theirs."""

    def __init__(self, connection: Connection[Any], name: str) -> None:
        self._connection = connection
        self._name = name
        self._process = OpeningProcess(f"database {name}")
        self._inside = _Inside()

    def write(self, work: Callable[[Database], _Answer], *, is_repeatable: bool) -> _Answer:  # noqa: ARG002 (whether to repeat is theirs to say)
        """Run work in a savepoint."""
        with self._inside, self._translated():
            self._require_transaction()
            with self._connection.transaction():
                return work(Database(self._connection))

    def write_at_once(self, work: Callable[[Database], _Answer]) -> _Answer | None:
        """Run work in a savepoint, as ever: a statement that fails would spoil their transaction."""
        with self._inside, self._translated():
            self._require_transaction()
            try:
                with self._connection.transaction():
                    return work(Database(self._connection))
            except UniqueViolation:
                return None

    def read(self, work: Callable[[Database], _Answer]) -> _Answer:
        """Run work that only reads, and sees what their transaction has done."""
        with self._inside, self._translated():
            return work(Database(self._connection))

    def close(self) -> None:
        """Do nothing: the connection is theirs."""

    def _require_transaction(self) -> None:
        is_idle = self._connection.info.transaction_status == TransactionStatus.IDLE
        if self._connection.autocommit and is_idle:
            raise StoreError(f"connection to {self._name}", "one inside a transaction", "one in autocommit mode outside of any")
        if is_idle:
            self._connection.execute("SELECT")  # psycopg begins their transaction with it, so that ours is a savepoint in it

    @contextmanager
    def _translated(self) -> Generator[None]:
        self._process.require_here()
        try:
            yield
        except psycopg.Error as error:
            raise translate(error, self._name) from None


def _transact(connection: Connection[Any], work: Callable[[Database], _Answer]) -> _Answer:
    """From BEGIN to COMMIT in one pipeline: statements that don't wait for each other's rows share a way to the server."""
    try:
        with connection.pipeline():
            database = Database(connection)
            database.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            answer = work(database)
            database.run("COMMIT")
    except BaseException:
        if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
            with suppress(psycopg.Error):
                connection.execute("ROLLBACK")
        raise
    return answer
