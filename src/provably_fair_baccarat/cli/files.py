"""The files that `pfb` reads and writes: server seeds, pay tables, records. Nothing that exists is overwritten, unless somebody says so."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from ..canonical import MAX_BYTES
from ..durable import private_file, whole_file
from ..errors import BaccaratError, PayTableError, describe, nearest
from ..fairness.seeds import ServerSeed
from ..rules.pay_table import PayTable
from ..rules.ready_tables import PAY_TABLES

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from ..records import RoundRecord

STANDARD_INPUT: Final = "-"
"""The name under which a command reads standard input in place of a file."""


@contextmanager
def open_input(name: str) -> Generator[IO[bytes], None, None]:
    """Open a file for reading bytes, or take standard input for `-`. A refusal of what is in it gets the file's name as its note."""
    with naming(name):
        if name == STANDARD_INPUT:
            yield sys.stdin.buffer
        else:
            with Path(name).open("rb") as stream:
                yield stream


@contextmanager
def naming(name: str) -> Generator[None, None, None]:
    """Give a refusal of what is in an input the input's name as its note."""
    try:
        yield
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
    with private_file(name) as stream:
        stream.write(f"{server_seed.reveal()}\n".encode())


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


def write_lines_to(name: str, lines: Iterable[bytes]) -> int:
    """Write lines, each with its end, to a new file that is there whole or not at all; how many there were. Raises OSError."""
    count = 0
    with whole_file(name) as stream:
        for count, line in enumerate(lines, start=1):  # noqa: B007 (the last count is told)
            stream.write(line)
    return count


def write_records(name: str, records: Iterable[RoundRecord]) -> None:
    """Write records to a new file, one canonical JSON line each. Raises OSError."""
    write_lines_to(name, (record.to_json() + b"\n" for record in records))


def copy_new(source: Path, name: str) -> None:
    """Copy a file to a new one. Raises OSError."""
    with source.open("rb") as taken, whole_file(name) as made:
        shutil.copyfileobj(taken, made)
