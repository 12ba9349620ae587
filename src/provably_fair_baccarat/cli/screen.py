"""The terminal: where text and JSON go, what can be shown there, and how a bettor is asked.

Colours, symbols and progress bars are for people at a terminal. A pipe gets plain text, and a stream that cannot spell a card's symbol gets
its letters.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from operator import length_hint
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.table import Column, Table

from ..canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from rich.console import ConsoleOptions, RenderableType, RenderResult
    from rich.text import Text

    from ..canonical import Json

_Item = TypeVar("_Item")


class _Console(Console):
    """A console that leaves a broken pipe to its caller."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise it again: exiting with 1, as rich would, means a failed verification here."""
        raise BrokenPipeError


OUT = _Console(markup=False, highlight=False, emoji=False)
"""Where answers go."""

ERR = _Console(markup=False, highlight=False, emoji=False, stderr=True)
"""Where errors and progress go."""


def prepare_streams() -> None:
    """Let no stream stop the program: one that is closed is empty, and no text is too much for one.

    What an output cannot spell is escaped; what an input cannot be read as is refused by whoever reads it.
    """
    for name, mode, errors in (("stdout", "w", "backslashreplace"), ("stderr", "w", "backslashreplace"), ("stdin", "r", "surrogateescape")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (it stays open to the end)
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def silence_output() -> None:
    """Write nothing more to a standard output that takes nothing more, not even when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(value: Json) -> None:
    """Write a value to standard output as one line of canonical JSON."""
    write_line(canonical_json(value))


def write_line(line: bytes) -> None:
    """Write a line of UTF-8 to standard output, whatever the encoding of the terminal is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def write_lines(lines: Iterable[bytes]) -> None:
    """Write lines, each with its end, to standard output as they are."""
    sys.stdout.flush()
    for line in lines:
        sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


_ANY_WIDTH: Final = 10_000
"""More columns than any table here needs."""


class Trimmed:
    """Something to print, indented by so many columns, without the spaces that rich fills its lines up with.

    No figure of a table is cut off: on a terminal that is too narrow for one, its lines go over the end.
    """

    def __init__(self, part: RenderableType, indent: int = 0) -> None:
        self._part = part
        self._indent = indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines of the part, shorter by the indent, each cut after its last mark."""
        width = options.max_width - self._indent
        if isinstance(self._part, Table):
            least, most = Measurement.get(console, options.update_width(_ANY_WIDTH), self._part)
            width = max(width, most if all(column.no_wrap for column in self._part.columns) else least)
        for line in console.render_lines(self._part, options.update_width(width), pad=False):
            while line and not line[-1].text.strip():
                line.pop()
            yield Segment(" " * self._indent if line else "")
            yield from line[:-1]
            yield from (Segment(last.text.rstrip(), last.style) for last in line[-1:])
            yield Segment.line()


def show(*parts: RenderableType, indent: int = 0) -> None:
    """Print texts and tables to standard output, one below the other, wrapped between words."""
    for part in parts:
        OUT.print(Trimmed(part, indent), end="", crop=False)


def show_line(text: Text) -> None:
    """Print a text to standard output in one line, however long it is."""
    OUT.print(text, soft_wrap=True)


def show_fields(fields: Mapping[str, str | None]) -> None:
    """Print names and their values, a line each that is never broken; None is left out."""
    width = max(map(len, fields), default=0)
    for name, value in fields.items():
        if value is not None:
            OUT.print(f"{name:<{width}}  {printable(value)}", soft_wrap=True)


def printable(text: str) -> str:
    """A text from outside with everything escaped that a terminal could obey, or that nobody could see."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def spells_symbols() -> bool:
    """Whether standard output can spell ♠ and ✓."""
    return OUT.encoding.lower().startswith("utf")


def shows_colours() -> bool:
    """Whether colours can be told apart on standard output."""
    return OUT.is_terminal and OUT.color_system is not None and not OUT.no_color


def asks_people() -> bool:
    """Whether somebody sits at standard input."""
    return sys.stdin.isatty()


def own_name() -> str:
    """How to start this program again: as it was started, where the shell does not find it by its name."""
    started = sys.argv[0]
    return shlex.quote(started) if Path(started).name == "pfb" and shutil.which("pfb") is None else "pfb"


def ask(prompt: str) -> str | None:
    """Ask for a line and take it exactly as it was typed, without its end; None at the end of the input."""
    OUT.print(prompt, end="", style="bold", soft_wrap=True)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n") or not asks_people():
        OUT.print()
    return line.removesuffix("\n") if line else None


def with_progress(items: Iterable[_Item], what: str, *, shown: bool = True, total: int | None = None) -> Iterable[_Item]:
    """The same items, with a progress bar while they last if it is to be shown and errors go to a terminal."""
    return _counted(items, what, total or length_hint(items) or None) if shown and ERR.is_terminal else items


def _counted(items: Iterable[_Item], what: str, total: int | None) -> Iterator[_Item]:
    with progress_bar(what, total) as show_done:
        for done, item in enumerate(items):
            show_done(done)
            yield item


_PARTS: Final = (("{task.fields[counted]}", 72), ("{task.fields[rate]}", 48))
"""What stands behind a progress bar, each where a terminal has so many columns or more; less is told where it would not fit."""


@contextmanager
def progress_bar(what: str, total: int | None = None) -> Generator[Callable[..., object], None, None]:
    """A progress bar with how much is done, the rate and the time left, if errors go to a terminal. It is one line, and gone in the end.

    Call it with how much is done, and with the total where that is only known by then; None has no end.
    """
    if not ERR.is_terminal:
        yield lambda *_: None
        return
    whole = Column(no_wrap=True, overflow="ellipsis")
    columns: list[ProgressColumn] = [TextColumn("{task.description}", table_column=whole), BarColumn()]
    columns += [TextColumn(form, table_column=whole.copy()) for form, width in _PARTS if ERR.width >= width]
    columns += [TimeRemainingColumn(table_column=whole.copy())] if ERR.width >= 24 else []
    with Progress(*columns, console=ERR, transient=True) as progress:
        task = progress.add_task(what, total=total, counted="", rate="")

        def show_done(done: int, of: int | None = total) -> None:
            progress.update(task, completed=done, total=of)
            speed = progress.tasks[0].speed
            counted = f"{done:,}" if of is None else f"{done:,} of {of:,}"
            progress.update(task, counted=counted, rate="" if speed is None else f"{speed:,.0f}/s")

        yield show_done


def at_work(what: str) -> AbstractContextManager[object]:
    """Show that something goes on whose end nobody can tell, if errors go to a terminal."""
    return ERR.status(what) if ERR.is_terminal else nullcontext()
