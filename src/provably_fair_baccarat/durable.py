"""What a file system is asked to promise: that a file has one writer, and that a name is on the disk.

Whoever calls says in errors of its own what could not be had.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":  # pragma: no cover (another system's way)
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """An advisory lock of the operating system on a file of its own, held until `release`; the file stays.

    The system takes it back when the process ends, however it ends, so a crash leaves nothing to clean up. Raises BlockingIOError while
    somebody else has it, and another OSError where there can be no such file.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._descriptor)
        except OSError as error:
            self.release()
            raise BlockingIOError(error.errno, error.strerror) from None

    def release(self) -> None:
        """Let others have it. Releasing again does nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can be asked for that."""
    if sys.platform == "win32":  # pragma: no cover (it can't be asked)
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
