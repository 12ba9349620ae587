"""How `pfb` fails: every error as text for people, as JSON for programs, and as an exit code.

0 is fine, 1 a verification that failed, 2 a command or an input that is wrong, or a defect of this program, 130 an interrupt, 141 a pipe
that nobody reads any more.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.text import Text

from .. import __version__
from ..errors import BaccaratError, SeedTextError, VerificationError
from .screen import ERR, printable, write_json

if TYPE_CHECKING:
    from ..canonical import Json

OK: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

UsageError: Final[type[Exception]] = typer.BadParameter.__mro__[1]
"""What typer raises for a wrong command line, wherever this version of it keeps that class."""

_FRAMES: Final = 3
_HERE: Final = __name__.partition(".")[0]
_UNNAMED: Final = ("expected", "found")
_UNDECIDED: Final = frozenset(("line_ends", "reformatted", "other_size"))
"""The slips of what could not be compared, like a file that was changed on its way: it is no failure of whoever wrote it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One error, told: what was wrong, what was expected and found, what to try, and the exit code.

    `expected` is None where the found says it all; `place` is the file, and its line, where it was found, or None; `sources` name for
    people whose values were expected and found.
    """

    code: str
    subject: str
    expected: str | None
    found: str
    hint: str | None
    exit_code: int
    place: str | None = None
    sources: tuple[str, str] = _UNNAMED

    @classmethod
    def of(
        cls, error: BaccaratError, *, place: str | None = None, exit_code: int | None = None, sources: tuple[str, str] | None = None
    ) -> Failure:
        """Tell an error of this package. Where no place is given, its notes are the place; where no exit code is, its class says it."""
        if exit_code is None:
            is_mismatch = (
                isinstance(error, VerificationError)
                and not isinstance(error, SeedTextError)
                and not _UNDECIDED & {slip.code for slip in error.slips}
            )
            exit_code = FAILED if is_mismatch else BAD_INPUT
        noted = ", ".join(getattr(error, "__notes__", ())) or None
        told = (error.code, error.subject, error.expected, error.found, error.hint)
        return cls(*told, exit_code, place or noted, sources or _UNNAMED)

    @classmethod
    def of_file(cls, error: OSError) -> Failure:
        """Tell that a file cannot be read or written."""
        name = None if error.filename is None else str(error.filename)
        reason = error.strerror or str(error)
        hint = "Nothing is overwritten: choose another name." if isinstance(error, FileExistsError) else None
        return cls("file", name or "file", None, reason if name is None else f"{name}: {reason}", hint, BAD_INPUT)

    @classmethod
    def of_usage(cls, error: Exception, command: str | None) -> Failure:
        """Tell that the command line is wrong; `command` is the one it was for, if it got so far."""
        message: str = getattr(error, "format_message", error.__str__)()
        asked = f"pfb {command}" if command else "pfb"
        return cls("usage", "command line", None, message, f"{asked} --help tells how, with examples.", BAD_INPUT)

    @classmethod
    def of_defect(cls, error: Exception) -> Failure:
        """Tell that this program is wrong itself: where, and by which kind of error, but not by its text, which may hold what is secret."""
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _HERE in frame.filename]
        places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-_FRAMES:]]
        found = f"{type(error).__name__} at {' > '.join(places)}, version {__version__}"
        hint = "Nothing is said about what you asked. Please report this line, and the command, to those who make this program."
        return cls("internal", "pfb", None, f"an error of this program itself: {found}", hint, BAD_INPUT)

    def to_dict(self) -> dict[str, Json]:
        """The error as JSON; every key is always there."""
        return {
            "code": self.code,
            "subject": self.subject,
            "expected": self.expected,
            "found": self.found,
            "hint": self.hint,
            "place": self.place,
        }

    def to_text(self) -> Text:
        """The error for people: a line that says what was wrong, then what was expected, what was found and what to try."""
        headline = self.found if self.expected is None else self.subject
        text = Text.assemble(("pfb: ", "bold red"), (printable(headline), "bold"))
        details = {
            "in": self.place,
            "code": self.code if self.expected is not None else None,
            self.sources[0]: self.expected,
            self.sources[1]: self.found if self.expected is not None else None,
            "hint": self.hint,
        }
        width = max(9, *map(len, self.sources))
        for name, detail in details.items():
            if detail is not None:
                text.append(f"\n  {name:<{width}} ", "dim").append(printable(detail))
        return text

    def to_line(self) -> Text:
        """The error in one line, for where there may be many."""
        place = () if self.place is None else ((printable(f"{self.place}: "), "bold"),)
        if self.expected is None:
            return Text.assemble(*place, printable(self.found))
        hint = "" if self.hint is None else f" {self.hint}"
        expected, found = self.sources
        told = f"{self.subject}: {expected} {self.expected}, {found} {self.found}.{hint}"
        return Text.assemble(*place, (f"{self.code}: ", "bold red"), printable(told))

    def report(self, *, as_json: bool) -> int:
        """Write the error to standard error, and with `as_json` to standard output as well; the exit code."""
        ERR.print(self.to_text(), soft_wrap=True)
        if as_json:
            write_json({"error": self.to_dict()})
        return self.exit_code


class Failures:
    """The failures of many texts: each kind is told where it first occurs, and in the end how many more there were like it."""

    def __init__(self) -> None:
        self._first: dict[Failure, Failure] = {}
        self._more: dict[Failure, tuple[int, str | None]] = {}

    def tell(self, failure: Failure) -> None:
        """Write a failure to standard error, unless one like it was."""
        kind = replace(failure, place=None)
        if kind in self._first:
            count, _ = self._more.get(kind, (0, None))
            self._more[kind] = count + 1, failure.place
        else:
            self._first[kind] = failure
            ERR.print(failure.to_line(), soft_wrap=True)

    def tell_more(self) -> None:
        """Write how many more there were of each kind."""
        for kind, (count, latest) in self._more.items():
            ERR.print(printable(f"{self._first[kind].place}: and {count} more like it, the last in {latest}."), soft_wrap=True)


def misused(message: str) -> Exception:
    """The error of a command line whose parts do not go together."""
    return UsageError(message)
