"""What happens to a file on its way: a mail programme changes its line ends, an editor its spaces. Nobody is to be blamed for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ...canonical import canonical_json, parse_json
from ...errors import BaccaratError, HistoryFileError, Slip

if TYPE_CHECKING:
    from collections.abc import Callable

_Read = TypeVar("_Read")


def read_as_written(read: Callable[[bytes], _Read], line: bytes) -> _Read:
    """Read a line. Raises what `read` raises, and where it would be right in canonical JSON, a HistoryFileError that says so."""
    try:
        return read(line)
    except HistoryFileError:
        if not _reads_in_canonical_form(read, line):
            raise
    slip = Slip("reformatted", "A program has changed its spaces or line ends: fetch the file again as it was.")
    raise HistoryFileError("line of a history file", "RFC 8785 canonical JSON", "the same in another form", (slip,))


def changed_end(line: bytes) -> HistoryFileError:
    """The error of a line that doesn't end with U+000A alone."""
    if line.endswith(b"\n"):
        slip = Slip("line_ends", "A mail programme or an editor has changed its line ends: fetch the file again as it was.")
        return HistoryFileError("end of a line", "U+000A alone", "U+000D before it", (slip,))
    slip = Slip("line_ends", "The last line end was lost, or more than that: fetch the whole file again.")
    return HistoryFileError("end of the file", "U+000A behind the last line", "none", (slip,))


def _reads_in_canonical_form(read: Callable[[bytes], object], line: bytes) -> bool:
    try:
        mended = canonical_json(parse_json(line, error=HistoryFileError)) + b"\n"  # type: ignore[arg-type]  # what is parsed is Json
        read(mended)
    except (BaccaratError, UnicodeEncodeError):  # half a character may be escaped, and is in no canonical form
        return False
    return mended != line
