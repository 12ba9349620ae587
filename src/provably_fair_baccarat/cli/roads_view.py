"""Scoreboards drawn in a terminal, in colours, or in plain letters where there are none.

`B` and `P` are wins of the banker and the player, `T` a tie. The derived roads have two marks, and neither stands for a hand: `r` where the
big road repeats itself (red), `b` where it does not (blue).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rich.text import Text

from ..rules.coup import Outcome
from ..rules.roads import ROWS, Mark
from .coup_view import STYLES
from .screen import OUT, shows_colours, spells_symbols

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..rules.roads import BeadCell, BigRoadCell, MarkCell, Scoreboard

    _Part: TypeAlias = tuple[str, str]
    """Letters and their style."""
    _Cell: TypeAlias = tuple[_Part, ...]

_LETTERS = {Outcome.PLAYER: "P", Outcome.BANKER: "B", Outcome.TIE: "T"}
_MARK_STYLES = {Mark.RED: "bright_red", Mark.BLUE: "bright_blue"}
_CELL = 3
"""How many columns of the terminal a cell takes."""


def big_road_view(board: Scoreboard, room: int) -> Text:
    """The big road: a column for each streak, and behind a win the number of ties that followed it; `room` is how wide it may be."""
    road = board.big_road
    text = _board({(cell.column, cell.row): _win(cell) for cell in road.cells}, room)
    if road.leading_ties:
        text.append(f"\n{road.leading_ties} {'tie' if road.leading_ties == 1 else 'ties'} before the first win", "dim")
    return text


def boards_view(board: Scoreboard) -> Text:
    """All five scoreboards, one below the other, with what their letters mean."""
    room = OUT.width if OUT.is_terminal else max(OUT.width, _CELL * len(board.entries))
    boards = {
        "Bead plate": _board({(cell.column, cell.row): _bead(cell) for cell in board.bead_plate}, room),
        "Big road": big_road_view(board, room),
        "Big eye boy": _board(_marks("○", board.big_eye_boy), room),
        "Small road": _board(_marks("●", board.small_road), room),
        "Cockroach road": _board(_marks("/", board.cockroach), room),
    }
    drawn = [Text.assemble((name, "bold"), "\n", text) for name, text in boards.items()]
    return Text("\n\n").join([*drawn, big_road_legend().append("\n").append_text(_derived_legend())])


def big_road_legend() -> Text:
    """What is on the big road."""
    return Text.assemble(_letter(Outcome.BANKER), " banker, ", _letter(Outcome.PLAYER), " player; a number counts the ties after a win.")


def _derived_legend() -> Text:
    red, blue = (Text(mark.value if _has_symbols() else mark.value[0], _MARK_STYLES[mark]) for mark in Mark)
    return Text.assemble("Derived roads: ", red, " where the big road repeats itself, ", blue, " where it does not.")


def _letter(winner: Outcome) -> _Part:
    return _LETTERS[winner], f"bold {STYLES[winner]}"


def _bead(cell: BeadCell) -> _Cell:
    return (_letter(cell.entry.winner),)


def _win(cell: BigRoadCell) -> _Cell:
    letter = _letter(cell.entry.winner)
    return (letter, (str(cell.ties), STYLES[Outcome.TIE])) if cell.ties else (letter,)


def _has_symbols() -> bool:
    """Whether a derived road is drawn with its usual symbol in two colours; else it needs letters."""
    return shows_colours() and spells_symbols()


def _marks(symbol: str, cells: Iterable[MarkCell]) -> dict[tuple[int, int], _Cell]:
    has_symbols = _has_symbols()
    return {
        (cell.column, cell.row): ((symbol if has_symbols else cell.mark.value[0], f"bold {_MARK_STYLES[cell.mark]}"),) for cell in cells
    }


def _board(cells: Mapping[tuple[int, int], _Cell], room: int) -> Text:
    """One display: six rows, and as many of the newest columns as there is room for."""
    if not cells:
        return Text("nothing yet", "dim")
    columns = 1 + max(column for column, _ in cells)
    first = max(0, columns - room // _CELL)
    empty: _Cell = (("·" if spells_symbols() else ".", "dim"),)
    parts: list[_Part] = []
    for row in range(ROWS):
        for column in range(first, columns):
            cell = cells.get((column, row), empty)
            width = sum(len(letters) for letters, _ in cell)
            parts += [*cell, (" " * (_CELL - width) if column < columns - 1 else "\n" if row < ROWS - 1 else "", "")]
    if first:
        parts.append((f"\n{first} older columns are not shown", "dim"))
    return Text.assemble(*parts)
