"""Files of a log: written as a whole or not at all, and on the disk when a call returns; and the lock of the one who writes."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ...durable import FileLock, sync_folder
from ...errors import LogStoreError, Slip

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SYNCING_THREADS: Final = 16
"""How many files are waited for at once: the waits share the disk's one commit."""


class AppendLock(FileLock):
    """The right to append to a log, held until `release`. Raises LogStoreError while another process has it."""

    def __init__(self, folder: Path) -> None:
        try:
            _make_folders(folder)
            super().__init__(folder / ".writer")
        except BlockingIOError:
            slip = Slip("second_writer", "One process appends; others can read, or wait for that one.")
            raise LogStoreError(f"log {folder}", "one process that appends", "another one that does already", (slip,)) from None
        except OSError as error:
            raise LogStoreError(f"log {folder}", "a folder that can be written", error.strerror or "an error") from None
        self._folder = folder
        self._is_held = True

    def release(self) -> None:
        """Let others append. Releasing again does nothing."""
        self._is_held = False
        super().release()

    def require(self) -> None:
        """Raise LogStoreError where the right was given up."""
        if not self._is_held:
            raise LogStoreError(f"log {self._folder}", "one that is open for appending", "one that was closed")


def write_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files below a folder, each as a whole or not at all; all of them are on the disk when this returns. Raises OSError.

    All are written before any is waited for, and all are waited for at once, so that the disk can do it in one go.
    """
    moves: list[tuple[Path, Path]] = []
    folders: set[Path] = set()
    for path, data in files:
        target = folder / path
        if target.parent not in folders:
            _make_folders(target.parent)
            folders.add(target.parent)
        beside = target.with_name(f".{target.name}.new")
        beside.write_bytes(data)
        moves.append((beside, target))
    with ThreadPoolExecutor(SYNCING_THREADS) as threads:
        list(threads.map(_sync_file, (beside for beside, _ in moves)))
        for beside, target in moves:
            beside.replace(target)
        list(threads.map(sync_folder, folders))


def remove_partial(folder: Path, full: str) -> None:
    """Remove the partial tiles of one that is full now. What can't be removed stays, and does no harm."""
    partial = folder / f"{full}.p"
    with suppress(OSError):
        for path in list(partial.iterdir()):
            path.unlink()
        partial.rmdir()


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_folders(folder: Path) -> None:
    """Make a folder, and those above it that are not there; their names are on the disk when this returns."""
    if not folder.is_dir():
        _make_folders(folder.parent)
        with suppress(FileExistsError):
            folder.mkdir()
        sync_folder(folder.parent)
