"""One thread that writes, and commits many callers' transactions at once.

Each call is a function of the connection and runs in a savepoint of its own: what it refuses is undone and spoils nothing else. Its answer
is given out after the COMMIT that makes it durable. Under load several calls share a COMMIT, and so the one wait for the disk.
"""

from __future__ import annotations

import sqlite3
import threading
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

from ...errors import BaccaratError, StoreError
from .faults import translate

if TYPE_CHECKING:
    from collections.abc import Callable

_Answer = TypeVar("_Answer")

Work: TypeAlias = "Callable[[sqlite3.Connection], _Answer]"


class NoteRefusal(Protocol):
    """Keeps a note of a refusal."""

    def __call__(self, database: sqlite3.Connection, /, *, refusal: BaccaratError) -> None:
        """Write it down."""
        ...


MAX_GROUP: Final = 128
"""How many calls share one COMMIT at most."""


class _Call(Generic[_Answer]):
    """Work on its way through the writer, and its answer on the way back."""

    __slots__ = ("answer", "done", "error", "refused", "work")

    def __init__(self, work: Work[_Answer], refused: NoteRefusal | None) -> None:
        self.work = work
        self.refused = refused
        self.answer: _Answer | None = None
        self.error: BaseException | None = None
        self.done = threading.Lock()
        self.done.acquire()


class _TransactionLostError(Exception):
    """The whole transaction is rolled back, or must be: what one call did can't be undone alone."""


class Writer:
    """Runs calls on one connection in one thread. `refused` keeps a note of a refusal, in the same COMMIT, after the call is undone."""

    def __init__(self, connection: sqlite3.Connection, path: object) -> None:
        self._connection = connection
        self._path = path
        self._calls: SimpleQueue[_Call[Any] | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._is_open = True
        self._thread = threading.Thread(target=self._loop, name="house-sqlite-writer", daemon=True)
        self._thread.start()

    def run(self, work: Work[_Answer], refused: NoteRefusal | None = None) -> _Answer:
        """Run a call and wait until it is durable. Raises what the call raises, or StoreError."""
        if threading.get_ident() == self._thread.ident:
            raise StoreError("transaction", "a guard that only asks what it is given", "a call of the store from inside it")
        call = _Call(work, refused)
        with self._gate:
            if not self._is_open:
                raise closed(self._path)
            self._calls.put(call)
        call.done.acquire()
        if call.error is not None:
            try:
                raise call.error
            finally:
                del call  # the error's traceback holds this frame, and the call holds the error
        return call.answer  # type: ignore[return-value]  # without an error there is an answer

    def close(self) -> None:
        """Finish what was asked for, then stop. Closing again does nothing."""
        with self._gate:
            was_open, self._is_open = self._is_open, False
            if was_open:
                self._calls.put(None)
        self._thread.join()
        self._connection.close()

    def _loop(self) -> None:
        while (call := self._calls.get()) is not None:
            group = [call]
            try:
                self._commit(group)
            except Exception as fault:  # noqa: BLE001 (whatever it was, nobody may wait for ever: all of the group is undone)
                self._undo()
                for lost in group:
                    lost.error = self._lost(fault)
            for answered in group:
                answered.done.release()
            del call, group

    def _commit(self, group: list[_Call[Any]]) -> None:
        """Run the first call of the group and whatever else is waiting, and commit."""
        database = self._connection
        database.execute("BEGIN IMMEDIATE")
        self._attempt(group[0])
        while len(group) < MAX_GROUP:
            try:
                call = self._calls.get_nowait()
            except Empty:
                break
            if call is None:
                self._calls.put(None)  # nothing comes behind it, so the loop finds it next, whatever becomes of this COMMIT
                break
            group.append(call)
            self._attempt(call)
        database.execute("COMMIT")

    def _attempt(self, call: _Call[Any]) -> None:
        try:
            call.answer = self._run(call)
        except _TransactionLostError:
            raise
        except sqlite3.Error as error:
            if not self._connection.in_transaction:
                raise _TransactionLostError from error
            call.error = translate(error, self._path)
        except BaseException as error:  # noqa: BLE001 (a fault in one caller's function is that caller's, and must not stop the thread)
            call.error = error

    def _run(self, call: _Call[_Answer]) -> _Answer:
        """Run a call's work; what it refuses is undone, and noted."""
        try:
            return in_savepoint(self._connection, call.work)
        except BaccaratError as error:
            if call.refused is not None and not isinstance(error, StoreError):
                in_savepoint(self._connection, partial(call.refused, refusal=error))
            raise

    def _lost(self, fault: Exception) -> BaseException:
        cause = fault.__cause__ if isinstance(fault, _TransactionLostError) else fault
        return translate(cause, self._path) if isinstance(cause, sqlite3.Error) else fault

    def _undo(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            pass


def in_savepoint(database: sqlite3.Connection, work: Work[_Answer]) -> _Answer:
    """Run work so that all of it or nothing happens inside the transaction."""
    database.execute("SAVEPOINT call")
    try:
        answer = work(database)
    except BaseException:
        if database.in_transaction:
            try:
                database.execute("ROLLBACK TO call")
                database.execute("RELEASE call")
            except sqlite3.Error as fault:
                raise _TransactionLostError from fault
        raise
    database.execute("RELEASE call")
    return answer


def closed(path: object) -> StoreError:
    """The error of a store that was closed."""
    return StoreError(f"database {path}", "an open store", "one that was closed")
