"""What an input is, by how it begins: so that whoever names the wrong file is told what it is, and which command takes it.

A beginning proves nothing. Whatever reads the input finds out whether it is what it begins like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BufferedReader
from typing import IO, Final

_LOOKED_AT: Final = 512
"""How many bytes are looked at."""

_HISTORY: Final = b'{"bettor":'  # as `receipts.history` knows it, which loads signatures
_ROUNDS: Final = re.compile(
    rb'\s*\{\s*(?:"bettor"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*)?"(?:next|rounds)"\s*:'  # a page of them, as the router and `pfb house` tell it
    rb'|\s*\{\s*"accepted_at"\s*:\s*"[^"]*"\s*,\s*"balance_after"'  # one of them by itself
)


@dataclass(frozen=True, slots=True)
class Foreign:
    """Something that holds no records as lines: what it is, and what to do with it."""

    name: str
    hint: str


_AUDITED: Final = "pfb audit takes it."
_FOREIGN: Final = tuple(
    (re.compile(start, re.DOTALL), Foreign(name, hint))
    for start, name, hint in (
        (rb"PAR1", "a Parquet file", _AUDITED),
        (rb"ARROW1|\xff\xff\xff\xff", "an Arrow file", _AUDITED),
        (rb"[A-Za-z_]+(?:[,;\t][A-Za-z_]+){3,}\r?\n", "a table in CSV", _AUDITED),
        (rb"SQLite format 3\0", "a SQLite database", "pfb audit takes a house's, and pfb house export writes the rounds of it."),
        (rb"\x1f\x8b", "a gzip file", "Unpack it: gzip -dc FILE | pfb verify -"),
        (rb"PK\x03\x04", "a ZIP file", "Unpack it first."),
        (rb"\xff\xfe|\xfe\xff", "text in UTF-16", "Save it as UTF-8."),
        (rb"\xef\xbb\xbf", "text behind a byte order mark", "Save it as UTF-8 without one."),
        (rb"\s*<", "HTML or XML", "This is a page: get the records that it shows, or that it links to."),
        (rb"eyJ[\w-]+\.[\w-]+\.", "signed statements", "They are held against a history file: pfb verify FILE --kept takes them."),
        (rb'\s*\{\s*"keys"\s*:', "a key set", "A history file is verified with it: pfb verify FILE --keys takes it."),
        (rb'\s*\{\s*"(?:\w+_multiplier|banker_exceptions)"\s*:', "a pay table", "Records are held against it: --pay-table takes it."),
        (rb".*\0", "bytes that are no text", "Records are text, a JSON object on each line."),
    )
)


def start_of(stream: IO[bytes]) -> bytes:
    """How an input begins. Nothing of it is taken: a pipe gives what it holds only once."""
    return stream.peek(_LOOKED_AT)[:_LOOKED_AT] if isinstance(stream, BufferedReader) else b""


def holds_history(start: bytes) -> bool:
    """Whether it begins like a history file."""
    return start.startswith(_HISTORY) and not holds_rounds(start)


def holds_rounds(start: bytes) -> bool:
    """Whether it begins like rounds as a house keeps them, with a record in each."""
    return _ROUNDS.match(start) is not None


def foreign_kind(start: bytes) -> Foreign | None:
    """What it is, if no record is written so."""
    return next((kind for form, kind in _FOREIGN if form.match(start)), None)
