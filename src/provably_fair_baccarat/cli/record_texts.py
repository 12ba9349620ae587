"""The records in an input: a line each, one laid out over many lines, or those of rounds as a house keeps them.

A text is not read here: it is cut out of the input, and whoever verifies it says what is wrong about it.
"""

from __future__ import annotations

import json
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from ..canonical import MAX_BYTES, canonical_json, parse_json
from ..errors import RecordError, Slip, describe
from .kinds import foreign_kind, holds_rounds, start_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..canonical import Json

_MOST_PARTS: Final = 256
"""How often as much as a record may have is passed over of one line."""

_MAX_PAGE_BYTES: Final = 200 * MAX_BYTES
"""The longest page of rounds: as many as the router puts on one, each as long as a record may be."""


def record_texts(stream: IO[bytes]) -> Iterator[tuple[str, bytes | RecordError]]:
    """The texts of records, each with its place: every line, or the one JSON object that is laid out over several of them.

    Lines end at U+000A only. What is longer than any record is cut, to be refused; an empty last line is left out. Rounds as a house keeps
    them, as the router answers them, have their records in them; one that is not dealt has the error that says so. Raises RecordError for
    what holds no records as lines, and says what it is.
    """
    start = start_of(stream)
    if (kind := foreign_kind(start)) is not None:
        raise RecordError("records", "JSON records, one on each line", kind.name, (Slip("file_kind", kind.hint),))
    return _kept_records(stream) if holds_rounds(start) else _lines(stream)


def _lines(stream: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    lines = iter(partial(_read_line, stream), b"")
    first, second = next(lines, b""), next(lines, b"")
    if _is_opened(first) and second and not second.lstrip().startswith(b"{"):
        yield "line 1", first + second + stream.read(MAX_BYTES)
        return
    empty: int | None = None
    for number, line in enumerate(chain(filter(None, (first, second)), lines), start=1):
        if empty is not None:
            yield f"line {empty}", b""
        empty = None if line.strip() else number
        if empty is None:
            yield f"line {number}", line


class _Kept(NamedTuple):
    """What counts here of a round as a house keeps it."""

    id: int
    record: Json


def _kept_records(stream: IO[bytes]) -> Iterator[tuple[str, bytes | RecordError]]:
    """The records of a page of kept rounds, or of one alone, in the order in which the bets were accepted."""
    for kept in sorted(_kept_rounds(stream), key=itemgetter(0)):
        place, record = f"round {kept.id}", kept.record
        if record is None:
            yield (
                place,
                RecordError("record", "one of a round that is dealt", "none: the house has not dealt this round, or does not tell it"),
            )
        else:
            yield place, canonical_json(record)


def _kept_rounds(stream: IO[bytes]) -> list[_Kept]:
    page = parse_json(stream.read(_MAX_PAGE_BYTES + 1), subject="rounds", max_bytes=_MAX_PAGE_BYTES)
    rounds = _members(page).get("rounds", [cast("Json", page)])
    if not isinstance(rounds, list):
        raise RecordError("rounds", "a list of rounds", describe(rounds))
    return [_read_kept(each) for each in rounds]


def _read_kept(value: Json) -> _Kept:
    kept = _members(value)
    number = kept.get("id")
    if type(number) is not int or "record" not in kept:
        raise RecordError("round", "an object with an id and a record", describe(value))
    return _Kept(number, kept["record"])


def _members(value: object) -> dict[str, Json]:
    """The members of a JSON object; none of anything else, in which nothing is found."""
    return cast("dict[str, Json]", value) if isinstance(value, dict) else {}


def _read_line(stream: IO[bytes]) -> bytes:
    """A line, cut where it is longer than any record. Of one without an end so much is passed over, and what follows is the next line."""
    line = part = stream.readline(MAX_BYTES + 2)
    for _ in range(_MOST_PARTS):
        if not part or part.endswith(b"\n"):
            break
        part = stream.readline(MAX_BYTES)
    return line


def _is_opened(line: bytes) -> bool:
    """Whether a line begins an object and does not end it."""
    try:
        json.loads(line)
    except ValueError:
        return line.lstrip().startswith(b"{")
    return False
