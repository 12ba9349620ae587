"""The lock that lets one store write to a database, in whatever process: on a file beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...durable import FileLock
from ...errors import Slip, StoreBusyError, StoreReadOnlyError

if TYPE_CHECKING:
    from pathlib import Path


class WriterLock(FileLock):
    """The right to write to a database, held until `release`. Raises StoreBusyError while another store has it."""

    def __init__(self, path: Path) -> None:
        try:
            super().__init__(path.with_name(f"{path.name}.writer"))
        except BlockingIOError:
            slip = Slip("second_writer", "One process writes; others can read, or ask that one.")
            raise StoreBusyError(f"database {path}", "one store that writes", "another one that is open already", (slip,)) from None
        except OSError as error:
            raise StoreReadOnlyError(f"database {path}", "a folder that can be written", error.strerror or "an error") from None
