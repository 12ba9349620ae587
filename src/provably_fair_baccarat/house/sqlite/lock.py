"""The lock that lets one store write to a file, in whatever process: an advisory lock of the operating system on a file beside it.

The system takes it back when the process ends, however it ends, so a crash leaves nothing to clean up. The file itself stays.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ...errors import Slip, StoreBusyError, StoreReadOnlyError

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class WriterLock:
    """The right to write to a database, held until `release`. Raises StoreBusyError while another store has it."""

    def __init__(self, path: Path) -> None:
        beside = path.with_name(f"{path.name}.writer")
        try:
            self._descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreReadOnlyError(f"database {path}", "a folder that can be written", error.strerror or "an error") from None
        try:
            _lock(self._descriptor)
        except OSError:
            os.close(self._descriptor)
            slip = Slip("second_writer", "One process writes; others can read, or ask that one.")
            raise StoreBusyError(f"database {path}", "one store that writes", "another one that is open already", (slip,)) from None

    def release(self) -> None:
        """Let others write. Releasing again does nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
