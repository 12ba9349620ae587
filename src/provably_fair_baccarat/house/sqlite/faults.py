"""SQLite's own errors in this package's words."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ...errors import Slip, StoreBusyError, StoreError, StoreFullError, StoreReadOnlyError

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping


def translate(error: sqlite3.Error, path: object) -> StoreError:
    """The error of ours that says what SQLite's means. No answer was given for whatever it interrupted: the same key may be tried again."""
    kind, expected, found = _MEANINGS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, _UNKNOWN)
    slips = {"a sound SQLite database": (_OTHER_FILE,), "a file that can be opened": ()}.get(expected, (_AGAIN,))
    return kind(f"database {path}", expected, found or str(error), () if kind is StoreReadOnlyError else slips)


_AGAIN: Final = Slip("try_again", "Nothing was acknowledged: the same request with the same key is safe to repeat.")

_OTHER_FILE: Final = Slip("other_file", "Is the path right? If it is, the file is damaged: restore it from a backup.")

_UNKNOWN: Final = (StoreError, "a database that works", "")

_MEANINGS: Final[Mapping[int, tuple[type[StoreError], str, str]]] = {
    sqlite3.SQLITE_FULL: (StoreFullError, "room to grow", "a full disk or a size limit"),
    sqlite3.SQLITE_BUSY: (StoreBusyError, "nobody else writing to it", "a lock of another connection"),
    sqlite3.SQLITE_LOCKED: (StoreBusyError, "nobody else writing to it", "a lock of another connection"),
    sqlite3.SQLITE_READONLY: (StoreReadOnlyError, "a database that can be written", "one that can only be read"),
    sqlite3.SQLITE_CANTOPEN: (StoreError, "a file that can be opened", ""),
    sqlite3.SQLITE_CORRUPT: (StoreError, "a sound SQLite database", ""),
    sqlite3.SQLITE_NOTADB: (StoreError, "a sound SQLite database", ""),
    sqlite3.SQLITE_CONSTRAINT: (StoreError, "rows that its tables accept", ""),
}
"""What SQLite's result codes mean: our error, what was expected, and what was found, empty for SQLite's own words."""


@contextmanager
def translated(path: object) -> Generator[None]:
    """A block in which SQLite's errors become ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate(error, path) from None
