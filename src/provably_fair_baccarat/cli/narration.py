"""A story told in numbered steps: headings, paragraphs, and lines that stay whole so that they can be copied."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from rich.text import Text

from .screen import OUT, show

if TYPE_CHECKING:
    from rich.console import RenderableType

INDENT: Final = 3
"""How far everything below a heading is indented, in columns."""


class Narration:
    """Prints to standard output, step after step; what is not right below a heading has an empty line above it."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._is_below_heading = False

    def step(self, title: str) -> None:
        """Begin the next step."""
        OUT.print(Text.assemble("\n", (f"{next(self._numbers)}", "bold cyan"), "  ", (title, "bold")))
        self._is_below_heading = True

    def show(self, *parts: RenderableType) -> None:
        """Show paragraphs, tables or boards, one below the other, wrapped between words."""
        self._leave_room()
        show(*parts, indent=INDENT)

    def quote(self, line: str, style: str = "cyan") -> None:
        """Show a line that is never broken."""
        self._leave_room()
        OUT.print(Text.assemble(" " * INDENT, (line, style)), soft_wrap=True)

    def _leave_room(self) -> None:
        if not self._is_below_heading:
            OUT.print()
        self._is_below_heading = False
