"""Fragments: the facts of a part of the input in one file, whole or not there at all.

Payloads lie one behind the other; an index behind them says which is where, so that the facts of one bucket can be read without the others.
A file has its name only once everything in it is on the disk, and payloads and index have checksums: what a disk spoiled is never taken up.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from ..durable import sync_folder
from ..errors import AuditError, Slip
from .facts import NO_BUCKET, facts_batch, read_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pyarrow import RecordBatch


_MAGIC: Final = b"PFBFACT3"
_TAIL: Final = 12 + len(_MAGIC)


class Entry(NamedTuple):
    """Where a payload lies."""

    kind: str
    bucket: int
    offset: int
    size: int
    checksum: int


def write_fragment(path: Path, facts: Iterable[RecordBatch], *, is_durable: bool = True) -> None:
    """Write facts to a file that is there as a whole or not at all; if it is to be durable, even if the power fails.

    Findings become lines of one payload.
    """
    partial = path.with_suffix(".partial")
    index: list[Entry] = []
    findings: list[bytes] = []
    with partial.open("wb") as file:
        for kind, bucket, payload in read_facts(facts):
            if kind == "finding":
                findings.append(payload)
            else:
                index.append(Entry(kind, bucket, file.tell(), len(payload), crc32(payload)))
                file.write(payload)
        if findings:
            lines = b"\n".join(findings)
            index.append(Entry("findings", NO_BUCKET, file.tell(), len(lines), crc32(lines)))
            file.write(lines)
        written = json.dumps(index).encode()
        file.write(written + crc32(written).to_bytes(4, "little") + len(written).to_bytes(8, "little") + _MAGIC)
        if is_durable:
            file.flush()
            os.fsync(file.fileno())
    partial.replace(path)
    if is_durable:
        sync_folder(path.parent)


class Fragment:
    """A file of facts, to read from."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - _TAIL))
            tail = file.read()
            size = int.from_bytes(tail[4:12], "little")
            if tail[12:] != _MAGIC or size > end - _TAIL:
                raise AuditError(f"fragment {path}", "a file that an audit wrote", "another one")
            file.seek(end - _TAIL - size)
            index = file.read(size)
            if crc32(index) != int.from_bytes(tail[:4], "little"):
                raise self._spoiled()
            self.index = [Entry(*each) for each in json.loads(index)]

    def _spoiled(self) -> AuditError:
        slip = Slip("spoiled", "Remove it, and the bucket-*.facts beside it: the same command line makes them again.")
        return AuditError(f"fragment {self._path}", "what an audit wrote there", "something else: its checksum differs", (slip,))

    def payloads(self, *kinds: str, bucket: int | None = None) -> Iterator[tuple[Entry, bytes]]:
        """The payloads of these kinds, in order; of one bucket only if told."""
        with self._path.open("rb") as file:
            for entry in self.index:
                if entry.kind in kinds and bucket in (None, entry.bucket):
                    file.seek(entry.offset)
                    payload = file.read(entry.size)
                    if crc32(payload) != entry.checksum:
                        raise self._spoiled()
                    yield entry, payload

    def require_whole(self) -> None:
        """Read all of it once. Raises AuditError if it is not what was written."""
        for _ in self.payloads(*{entry.kind for entry in self.index}):
            pass

    def facts(self, bucket: int) -> Iterator[RecordBatch]:
        """The facts of a bucket."""
        for entry, payload in self.payloads("rounds", "runs", "pairs", bucket=bucket):
            yield facts_batch([(entry.kind, entry.bucket, payload)])

    def findings(self) -> Iterator[bytes]:
        """Every finding as a line of JSON, without its end."""
        for _, lines in self.payloads("findings"):
            yield from lines.split(b"\n")
