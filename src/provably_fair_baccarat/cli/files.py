"""The files that `pfb` reads and writes: server seeds, pay tables, records. Nothing that exists is overwritten, unless somebody says so."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from ..canonical import MAX_BYTES
from ..errors import BaccaratError, PayTableError, describe, nearest
from ..fairness.seeds import ServerSeed
from ..rules.pay_table import PayTable
from ..rules.ready_tables import PAY_TABLES

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from ..records import RoundRecord

STANDARD_INPUT: Final = "-"
"""The name under which a command reads standard input in place of a file."""


@contextmanager
def open_input(name: str) -> Generator[IO[bytes], None, None]:
    """Open a file for reading bytes, or take standard input for `-`. A refusal of what is in it gets the file's name as its note."""
    try:
        if name == STANDARD_INPUT:
            yield sys.stdin.buffer
        else:
            with Path(name).open("rb") as stream:
                yield stream
    except BaccaratError as error:
        error.add_note(input_name(name))
        raise


def input_name(name: str) -> str:
    """What to call an input in a text."""
    return "standard input" if name == STANDARD_INPUT else name


def read_seed_file(name: str) -> ServerSeed:
    """Read a server seed: 64 lower-case hex digits and at most one line end.

    Raises ServerSeedError, which never repeats what it found, and OSError.
    """
    with open_input(name) as stream:
        return ServerSeed.parse(stream.read(MAX_BYTES).removesuffix(b"\n").decode(errors="replace"))


def write_seed_file(name: str, server_seed: ServerSeed) -> None:
    """Write a server seed to a new file that only its owner may read, and wait until it is on the disk. Raises OSError."""
    with open(name, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as stream:
        stream.write(f"{server_seed.reveal()}\n".encode())
        stream.flush()
        os.fsync(stream.fileno())


def read_pay_table(name: str) -> PayTable:
    """The pay table of that name, or the one in a file that ends in .toml or .json. Raises PayTableError and OSError."""
    if name in PAY_TABLES:
        return PAY_TABLES[name]
    suffix = Path(name).suffix.lower()
    if suffix not in (".toml", ".json"):
        expected = f"one of {', '.join(PAY_TABLES)}, or a file that ends in .toml or .json"
        raise PayTableError("pay table", expected, describe(name), nearest(name, PAY_TABLES))
    with open_input(name) as stream:
        text = stream.read(MAX_BYTES + 1)
        if suffix == ".json":
            return PayTable.parse_json(text)
        if len(text) > MAX_BYTES:
            raise PayTableError("pay table", f"at most {MAX_BYTES:,} bytes", "more")
        try:
            return PayTable.parse_toml(text.decode())
        except UnicodeDecodeError as fault:
            raise PayTableError("pay table", "UTF-8", f"{fault.reason} at place {fault.start}") from None


def refuse_existing(name: str) -> None:
    """Raise FileExistsError if there is such a file already: sooner than writing it would."""
    if os.path.lexists(name):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)


def write_records(name: str, records: Iterable[RoundRecord]) -> None:
    """Write records to a new file, one canonical JSON line each. Raises OSError."""
    with Path(name).open("xb") as stream:
        stream.writelines(record.to_json() + b"\n" for record in records)


def write_whole(name: str, content: bytes, *, replace: bool) -> None:
    """Write a file that is there whole or not at all; with `replace` in place of the one that is there. Raises OSError."""
    if not replace:
        refuse_existing(name)
    part = Path(f"{name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(name)
    finally:
        part.unlink(missing_ok=True)


def copy_new(source: Path, name: str) -> None:
    """Copy a file to a new one. Raises OSError."""
    with source.open("rb") as taken, Path(name).open("xb") as made:
        shutil.copyfileobj(taken, made)


def record_texts(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The texts of records: each line with its number from 1, or the whole input, if it is one JSON object laid out over several lines.

    Lines end at U+000A only. What is longer than any record is cut, to be refused; an empty last line is left out.
    """
    lines = iter(partial(_read_line, stream), b"")
    first, second = next(lines, b""), next(lines, b"")
    if _is_opened(first) and second and not second.lstrip().startswith(b"{"):
        yield 1, first + second + stream.read(MAX_BYTES)
        return
    empty: int | None = None
    for number, line in enumerate(chain(filter(None, (first, second)), lines), start=1):
        if empty is not None:
            yield empty, b""
        empty = None if line.strip() else number
        if empty is None:
            yield number, line


def _read_line(stream: IO[bytes]) -> bytes:
    line = part = stream.readline(MAX_BYTES + 2)
    while part and not part.endswith(b"\n"):
        part = stream.readline(MAX_BYTES)
    return line


def _is_opened(line: bytes) -> bool:
    """Whether a line begins an object and does not end it."""
    try:
        json.loads(line)
    except ValueError:
        return line.lstrip().startswith(b"{")
    return False
