"""A log on disk: a folder that a web server can publish as it is, and one process appends to.

The checkpoint is written last. What lies beyond it was left by a crash, is in no tree, and is written over.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from ...errors import CheckpointError, LogStoreError, SigningKeyError, describe
from ..key_file import read_key_file
from .files import AppendLock, remove_partial, write_files
from .merkle import EMPTY_ROOT, hash_leaf
from .note import MAX_NOTE_BYTES, Checkpoint, NoteKey, read_checkpoint, sign_checkpoint
from .tiles import MAX_ENTRY_BYTES, WIDTH, Tile, TiledTree, edge_of, read_bundle, tile_root, write_bundle

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from ..signing import PrivateKey

CHECKPOINT: Final = "checkpoint"


class TileLog:
    """A log that is read: its checkpoint as it was when this was opened, its entries, and proofs about them.

    Raises CheckpointError for a checkpoint that the log's key has not signed, LogStoreError for files that are not there.
    """

    def __init__(self, folder: str | os.PathLike[str], key: NoteKey, witnesses: Iterable[NoteKey] = ()) -> None:
        self.folder = Path(folder)
        self.key = key
        self.witnesses = tuple(witnesses)
        self.checkpoint = self.read_checkpoint()
        self.tree = TiledTree(self.checkpoint.size, self.read_tile)

    def read_checkpoint(self) -> Checkpoint:
        """The checkpoint as it is on the disk now."""
        return read_checkpoint(_decode(self._read(CHECKPOINT)), self.key, self.witnesses)

    def read_tile(self, tile: Tile) -> bytes:
        """A tile's bytes, or those of the full tile where the partial one has made way for it. Raises LogStoreError."""
        try:
            return self._read(tile.path)
        except LogStoreError:
            if tile.width == WIDTH:
                raise
            return self._read(tile._replace(width=WIDTH).path)

    def entries(self, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The entries from `begin` to before `end`, or to the checkpoint's. Raises LogStoreError."""
        size = self.checkpoint.size
        end = size if end is None else min(end, size)
        while begin < end:
            index = begin // WIDTH
            width = min(WIDTH, size - index * WIDTH)
            bundle = read_bundle(self.read_tile(Tile(-1, index, width)), width)
            stop = min(end - index * WIDTH, width)
            yield from bundle[begin - index * WIDTH : stop]
            begin = index * WIDTH + stop

    def verify(self) -> None:
        """Read every entry and compute the tree anew. Raises LogStoreError where tiles, entries and checkpoint don't fit together."""
        leaves = [hash_leaf(entry) for entry in self.entries()]
        level, row = 0, leaves
        while row:
            for index in range(0, len(row), WIDTH):
                hashes = row[index : index + WIDTH]
                tile = Tile(level, index // WIDTH, len(hashes))
                if self.read_tile(tile)[: 32 * len(hashes)] != b"".join(hashes):
                    raise LogStoreError(f"tile {tile.path}", "the hashes that the entries give", "others")
            row = [tile_root(row[index : index + WIDTH]) for index in range(0, len(row) - WIDTH + 1, WIDTH)]
            level += 1
        root = self.tree.root()
        if root != self.checkpoint.root:
            raise LogStoreError(f"root of {self.key.name}", root.hex(), f"{self.checkpoint.root.hex()} in the checkpoint")

    def _read(self, path: str) -> bytes:
        try:
            return (self.folder / path).read_bytes()
        except OSError as error:
            raise LogStoreError(f"log {self.folder}", f"a file {path}", error.strerror or "an error") from None


class LogWriter:
    """The one who appends to a log on disk, from when it is made until it is closed.

    Everything that `append` is given is on the disk, in the tree and under a signed checkpoint when it returns; if the process ends before,
    none of it is. Raises LogStoreError where another process appends, and for a folder that is damaged.
    """

    def __init__(self, folder: str | os.PathLike[str], key: NoteKey, secret: PrivateKey) -> None:
        if secret.public.raw != key.raw or key.role != "log":
            raise SigningKeyError(f"key of log {key.name}", str(key), "the secret of another one")
        self.key = key
        self._secret = secret
        self._folder = Path(folder)
        self._size = 0
        self._edge: dict[int, list[bytes]] = {}
        self._open: list[bytes] = []
        self._lock = AppendLock(self._folder)
        try:
            self.checkpoint = self._resume()
        except BaseException:
            self._lock.release()
            raise

    @classmethod
    def from_key_file(cls, folder: str | os.PathLike[str], origin: str, key_file: str | os.PathLike[str]) -> Self:
        """A writer whose key is the first one of a key file. A log keeps its key for ever: who wants another one begins another log.

        `origin` is the log's name. Raises SigningKeyError for another file, and LogStoreError as the class does.
        """
        secret = read_key_file(key_file)[0]
        return cls(folder, NoteKey(origin, secret.public.raw), secret)

    @property
    def size(self) -> int:
        """How many entries are in the log."""
        return self._size

    def entry(self, index: int) -> bytes:
        """An entry of the log, by its index. Raises LogStoreError."""
        if not 0 <= index < self._size:
            raise LogStoreError("index in the log", f"one below its size {self._size}", f"{index}")
        return next(iter(TileLog(self._folder, self.key).entries(index, index + 1)))

    def append(self, entries: Sequence[bytes], *, at: int | None = None) -> Checkpoint:
        """Append entries, and sign a checkpoint that has them. `at` is the size that the caller expects before.

        Raises LogStoreError for another size, for an entry of more than 65,535 bytes, behind `close`, and where the disk fails; then
        nothing is appended.
        """
        self._lock.require()
        if at is not None and at != self._size:
            raise LogStoreError(f"size of log {self.key.name}", f"{at}", f"{self._size}")
        for entry in entries:
            if len(entry) > MAX_ENTRY_BYTES:
                raise LogStoreError("entry of a log", f"at most {MAX_ENTRY_BYTES:,} bytes", f"{len(entry):,}")
        if not entries:
            return self.checkpoint
        size = self._size + len(entries)
        try:
            files = [*self._bundles(entries), *self._tiles(entries)]
            root = self._root(size)
            text = sign_checkpoint(size, root, self.key, self._secret)
            self._write(files)
            self._write([(CHECKPOINT, text.encode())])
        except BaseException:
            self.checkpoint = self._resume()
            raise
        self._size = size
        self.checkpoint = Checkpoint(self.key.name, size, root, text)
        for path, _ in files:
            if ".p/" not in path:
                remove_partial(self._folder, path)
        return self.checkpoint

    def add_cosignatures(self, text: str, witnesses: Iterable[NoteKey]) -> Checkpoint:
        """Put a checkpoint of this log's, cosigned by witnesses, in place of its present one.

        Raises CheckpointError for one of another size or root, or without a cosignature of these witnesses, and LogStoreError as `append`.
        """
        self._lock.require()
        cosigned = read_checkpoint(text, self.key, witnesses)
        if (cosigned.size, cosigned.root) != (self.checkpoint.size, self.checkpoint.root):
            raise CheckpointError("cosigned checkpoint", f"the one of size {self.checkpoint.size}", f"one of size {cosigned.size}")
        if not cosigned.cosignatures:
            raise CheckpointError("cosigned checkpoint", "a cosignature of a known witness", "none")
        self._write([(CHECKPOINT, text.encode())])
        self.checkpoint = cosigned
        return cosigned

    def close(self) -> None:
        """Let others append. Closing again does nothing."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _resume(self) -> Checkpoint:
        """Take up the log where its checkpoint says that it is, or begin it with an empty one."""
        if not (self._folder / CHECKPOINT).exists():
            if (self._folder / "tile").exists():
                raise LogStoreError(f"log {self._folder}", "a checkpoint", "tiles without one")
            text = sign_checkpoint(0, EMPTY_ROOT, self.key, self._secret)
            self._write([(CHECKPOINT, text.encode())])
        log = TileLog(self._folder, self.key)
        self._size = log.checkpoint.size
        self._edge = {}
        for tile in edge_of(self._size):
            data = log.read_tile(tile)[: 32 * tile.width]
            self._edge[tile.level] = [data[place : place + 32] for place in range(0, len(data), 32)]
        width = self._size % WIDTH
        self._open = read_bundle(log.read_tile(Tile(-1, self._size // WIDTH, width)), width) if width else []
        if self._root(self._size) != log.checkpoint.root:
            raise LogStoreError(f"root of {self.key.name}", log.checkpoint.root.hex(), f"{self._root(self._size).hex()} of its tiles")
        return log.checkpoint

    def _write(self, files: Iterable[tuple[str, bytes]]) -> None:
        try:
            write_files(self._folder, files)
        except OSError as error:
            raise LogStoreError(f"log {self._folder}", "files that can be written", error.strerror or "an error") from None

    def _bundles(self, entries: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
        """The bundles that change, full and partial."""
        index = self._size // WIDTH
        waiting = [*self._open, *entries]
        for begin in range(0, len(waiting), WIDTH):
            bundle = waiting[begin : begin + WIDTH]
            yield Tile(-1, index, len(bundle)).path, write_bundle(bundle)
            index += 1
        self._open = waiting[len(waiting) - len(waiting) % WIDTH :]

    def _tiles(self, entries: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
        """The tiles that change, full and partial, on every level."""
        new = [hash_leaf(entry) for entry in entries]
        level, size = 0, self._size
        while new:
            row = [*self._edge.get(level, ()), *new]
            index, above = size // WIDTH, list[bytes]()
            for begin in range(0, len(row), WIDTH):
                hashes = row[begin : begin + WIDTH]
                yield Tile(level, index, len(hashes)).path, b"".join(hashes)
                index += 1
                if len(hashes) == WIDTH:
                    above.append(tile_root(hashes))
            self._edge[level] = row[len(row) - len(row) % WIDTH :]
            new, level, size = above, level + 1, size // WIDTH

    def _root(self, size: int) -> bytes:
        """The root, from the edge alone."""
        edge = {tile.level: tile for tile in edge_of(size)}

        def read(tile: Tile) -> bytes:
            if tile != edge.get(tile.level):
                raise LogStoreError("root of a log", "its right edge alone", tile.path)
            return b"".join(self._edge[tile.level])

        return TiledTree(size, read).root()


def _decode(data: bytes) -> str:
    if len(data) > MAX_NOTE_BYTES:
        raise CheckpointError("checkpoint", f"at most {MAX_NOTE_BYTES:,} bytes", f"{len(data):,}")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CheckpointError("checkpoint", "UTF-8", describe(data[:80])) from None
