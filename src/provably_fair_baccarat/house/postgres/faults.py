"""PostgreSQL's and psycopg's own errors in this package's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import errors as sql
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from ...errors import SchemaError, Slip, StoreBusyError, StoreError, StoreFullError, StoreReadOnlyError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_AGAIN: Final = Slip("try_again", "Nothing was acknowledged: the same request with the same key is safe to repeat.")

_NO_RIGHTS: Final = Slip("no_rights", "Give this role the rights that it needs, as the owner of the tables: GRANT.")
_NO_CONNECTION: Final = Slip(
    "no_connection", "Nothing was asked yet: does the server run, and are address, database, role and password right?"
)

_MEANINGS: Final[Sequence[tuple[tuple[type[psycopg.Error], ...], type[StoreError], str, str]]] = (
    ((PoolClosed,), StoreError, "an open store", "one that was closed"),
    ((PoolTimeout, TooManyRequests), StoreBusyError, "a connection within the time-out", "none: all are in use, or the server isn't there"),
    ((sql.DiskFull,), StoreFullError, "room to grow", "a full disk or a size limit"),
    ((sql.ReadOnlySqlTransaction,), StoreReadOnlyError, "a database that can be written", "one that can only be read"),
    ((sql.LockNotAvailable,), StoreBusyError, "its turn within the time-out", "a lock that another transaction holds"),
    ((sql.SerializationFailure, sql.DeadlockDetected), StoreBusyError, "its turn", "other transactions that came in between each time"),
    ((sql.TooManyConnections,), StoreBusyError, "room for one more connection", ""),
    ((sql.UndefinedTable, sql.UndefinedColumn, sql.UndefinedFunction, sql.InvalidSchemaName), SchemaError, "the house's tables", ""),
    ((sql.IntegrityError, sql.RaiseException, sql.DataError), StoreError, "rows that its tables accept", ""),
    ((sql.InsufficientPrivilege,), StoreError, "a role that may do this", ""),
)
"""Errors of PostgreSQL and the pool: ours, what was expected, and what was found, empty for PostgreSQL's own words."""


_NO_SLIPS: Final[Mapping[type[StoreError], tuple[Slip, ...]]] = {StoreReadOnlyError: (), SchemaError: ()}


def translate(error: psycopg.Error, name: str) -> StoreError:
    """The error of ours that says what PostgreSQL's means."""
    for kinds, kind, expected, found in _MEANINGS:
        if isinstance(error, kinds):
            slips = _NO_SLIPS.get(kind, (_NO_RIGHTS,) if kinds == (sql.InsufficientPrivilege,) else (_AGAIN,))
            return kind(f"database {name}", expected, found or _words(error), slips)
    expected = "a connection that lasts" if is_connection_lost(error) else "a database that works"
    return StoreError(f"database {name}", expected, _words(error), (_AGAIN,))


def no_connection(error: psycopg.Error, name: str) -> StoreError:
    """What a first connection that does not come about is told with."""
    return StoreError(f"database {name}", "a connection", _words(error), (_NO_CONNECTION,))


def is_connection_lost(error: psycopg.Error) -> bool:
    """Whether there is no connection any more, so that nobody knows whether a COMMIT on its way arrived."""
    if error.sqlstate is None:
        return isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)) and not isinstance(error, (PoolClosed, PoolTimeout))
    return error.sqlstate.startswith("08") or error.sqlstate in _SHUTDOWN


_SHUTDOWN: Final = ("57P01", "57P02", "57P03", "25P03", "57P05")
"""Shut down by an administrator, after a crash, not started yet; a session that waited in a transaction, or at all, for too long."""


def is_worth_repeating(error: psycopg.Error) -> bool:
    """Whether the transaction was rolled back for the sake of another one that is through by now."""
    return isinstance(error, (sql.SerializationFailure, sql.DeadlockDetected))


def _words(error: psycopg.Error) -> str:
    """PostgreSQL's main message, without the detail that may repeat what was stored; or the first line of what the driver says."""
    return error.diag.message_primary or next(iter(str(error).splitlines()), type(error).__name__)
