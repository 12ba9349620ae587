"""What a file system is asked to promise: that a file has one writer, is there whole or not at all, and that a name is on the disk.

Whoever calls says in errors of its own what could not be had.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Generator

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


def refuse_existing(name: str | Path) -> None:
    """Raise FileExistsError if there is such a file already: sooner than writing it would. Raises FileNotFoundError for no name at all."""
    if not str(name):
        raise FileNotFoundError(errno.ENOENT, "a new file needs a name", str(name))
    if os.path.lexists(name):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(name))


@contextmanager
def whole_file(name: str | Path, *, replaces: bool = False) -> Generator[IO[bytes], None, None]:
    """A file to write that is there whole in the end or, if anything goes wrong, not at all; with `replaces` in place of the one that is there.

    Until then it stands beside its place, under a name that ends in .part, which is all that a process leaves that is killed. Raises OSError.
    """
    if not replaces:
        refuse_existing(name)
    part = Path(f"{name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if not replaces:
            refuse_existing(name)
        part.replace(name)
    except OSError as error:
        if str(error.filename) == str(part):
            error.filename = str(name)  # which is the one that somebody gave
        raise
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def private_file(name: str | Path) -> Generator[IO[bytes], None, None]:
    """A new file to write that only its owner may read, which is there whole and on the disk in the end or, if anything goes wrong, not at all.

    Nobody takes its name away meanwhile: of two that make one file, one is refused. Raises OSError.
    """
    stream = open(name, "xb", opener=lambda path, flags: os.open(path, flags, 0o600))  # noqa: SIM115 (a Path has no opener)
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(Path(name).parent)
