"""The scoreboards of a table: bead plate, big road, the three roads derived from it, and what they would mark next.

This module takes who won, coup after coup, and never learns from which cards or at what stakes. A road tells what happened and nothing
about what will: the next coup does not know it.

A *streak* is a run of wins of one hand, ties aside: what players call a column of the big road. `column` and `row` are always places on a
display, counted from 0, where a long streak is bent to the right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from ..errors import RoadError, Slip, describe
from .coup import Coup, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..canonical import Json

ROWS: Final = 6
"""How many rows each display has; to the right it has no end."""


class Mark(Enum):
    """What a derived road marks: red where the big road repeats itself, blue where it does not. Neither stands for a hand."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Entry:
    """What one coup puts on the scoreboards: its winner, and the marks that go with it.

    Raises RoadError for a winner that is no Outcome or a mark that is no bool.
    """

    winner: Outcome
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.winner, Outcome):
            raise RoadError("winner", "an Outcome", describe(self.winner))
        for name in ("player_pair", "banker_pair", "natural"):
            if not isinstance(getattr(self, name), bool):
                raise RoadError(name, "True or False", describe(getattr(self, name)))

    @classmethod
    def from_coup(cls, coup: Coup) -> Entry:
        """The entry of a coup that was dealt. A pair is of a hand's first two cards, whatever follows. Raises RoadError."""
        if not isinstance(coup, Coup):
            raise RoadError("coup", "a Coup", describe(coup))
        return cls(coup.winner, coup.player.is_pair, coup.banker.is_pair, coup.natural)


@dataclass(frozen=True, slots=True)
class BeadCell:
    """A cell of the bead plate: one coup."""

    column: int
    row: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class BigRoadCell:
    """A cell of the big road: one win, and the number of ties between it and the next one.

    The pair marks are the win's own. A pair in one of the ties is on the bead plate, where each coup has its own cell: here it would
    tell of a win with a pair that never was.
    """

    column: int
    row: int
    entry: Entry
    ties: int = 0


@dataclass(frozen=True, slots=True)
class MarkCell:
    """A cell of a derived road: one mark."""

    column: int
    row: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class BigRoad:
    """The big road at one moment: its streaks, oldest first, and the number of ties before the first win, which are on no cell."""

    streaks: tuple[tuple[BigRoadCell, ...], ...]
    leading_ties: int

    @property
    def cells(self) -> tuple[BigRoadCell, ...]:
        """The cells of all streaks, oldest first."""
        return tuple(cell for streak in self.streaks for cell in streak)


class DerivedMarks(NamedTuple):
    """What one coup marks on each derived road: None where the road has not started, and for a tie."""

    big_eye_boy: Mark | None
    small_road: Mark | None
    cockroach: Mark | None


class Scoreboard:
    """The scoreboards of one shoe. `add` puts a coup on them; what they show is read as values that later coups do not change.

    Adding takes the same time however long the shoe is.
    """

    __slots__ = ("_big_road", "_derived_roads", "_entries", "_leading_ties", "_streaks")

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._leading_ties = 0
        self._streaks: list[list[BigRoadCell]] = []
        self._big_road = _Display()
        self._derived_roads = {name: _DerivedRoad(distance) for name, distance in _DISTANCES.items()}

    @classmethod
    def of(cls, coups: Iterable[Coup | Entry | Outcome]) -> Scoreboard:
        """The scoreboards after these coups, oldest first. Raises RoadError, as `add` does."""
        if not isinstance(coups, Iterable):
            raise RoadError("coups", "an iterable of Coup, Entry or Outcome values", describe(coups))
        board = cls()
        for coup in coups:
            board.add(coup)
        return board

    @classmethod
    def parse(cls, text: str) -> Scoreboard:
        """Read winners, oldest first: `B` for the banker, `P` for the player, `T` for a tie, like BPTPB. Raises RoadError."""
        if not isinstance(text, str):
            raise RoadError("winners", "text of the letters B, P and T", describe(text))
        for place, letter in enumerate(text, start=1):
            if letter not in _WINNERS:
                raise RoadError("winners", "the letters B, P and T, like BPTPB", f"{describe(letter)} at place {place}")
        return cls.of(_WINNERS[letter] for letter in text)

    def add(self, coup: Coup | Entry | Outcome) -> None:
        """Put the next coup on the scoreboards; an Outcome alone has no pairs and no natural.

        Raises RoadError for anything else, and then nothing has changed.
        """
        entry = _read_entry(coup)
        self._entries.append(entry)
        if entry.winner is not Outcome.TIE:
            self._add_win(entry)
        elif self._streaks:
            latest = self._streaks[-1]
            latest[-1] = replace(latest[-1], ties=latest[-1].ties + 1)
        else:
            self._leading_ties += 1

    def _add_win(self, entry: Entry) -> None:
        for road in self._derived_roads.values():
            road.add(self._streaks, entry.winner)
        if not self._streaks or self._streaks[-1][0].entry.winner is not entry.winner:
            self._streaks.append([])
        column, row = self._big_road.place(entry.winner)
        self._streaks[-1].append(BigRoadCell(column, row, entry))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was added, oldest first."""
        return tuple(self._entries)

    @property
    def bead_plate(self) -> tuple[BeadCell, ...]:
        """Every coup, oldest first, ties too: down each column, then on to the next."""
        return tuple(BeadCell(*divmod(index, ROWS), entry) for index, entry in enumerate(self._entries))

    @property
    def big_road(self) -> BigRoad:
        """Every win, streak beside streak, with the ties that followed it."""
        return BigRoad(tuple(map(tuple, self._streaks)), self._leading_ties)

    @property
    def big_eye_boy(self) -> tuple[MarkCell, ...]:
        """The marks of the big eye boy, oldest first, which compares with the streak before."""
        return tuple(self._derived_roads["big_eye_boy"].cells)

    @property
    def small_road(self) -> tuple[MarkCell, ...]:
        """The marks of the small road, oldest first, which compares with the second streak before."""
        return tuple(self._derived_roads["small_road"].cells)

    @property
    def cockroach(self) -> tuple[MarkCell, ...]:
        """The marks of the cockroach road, oldest first, which compares with the third streak before."""
        return tuple(self._derived_roads["cockroach"].cells)

    def ask(self, winner: Outcome) -> DerivedMarks:
        """Ask the road: what each derived road would mark if the next coup were won so.

        On a road that has started, the answers for the banker and for the player are opposite. Raises RoadError for anything but an
        Outcome.
        """
        if not isinstance(winner, Outcome):
            raise RoadError("winner", "an Outcome", describe(winner))
        return DerivedMarks(**{name: road.ask(self._streaks, winner) for name, road in self._derived_roads.items()})

    def to_dict(self) -> dict[str, Json]:
        """Everything that the scoreboards show, as JSON for a page that draws them; every key is always there."""
        return {
            "rows": ROWS,
            "bead_plate": [{"column": cell.column, "row": cell.row, **_entry_json(cell.entry)} for cell in self.bead_plate],
            "big_road": {
                "leading_ties": self._leading_ties,
                "streaks": [
                    [{"column": cell.column, "row": cell.row, **_entry_json(cell.entry), "ties": cell.ties} for cell in streak]
                    for streak in self._streaks
                ],
            },
            **{
                name: [{"column": cell.column, "row": cell.row, "mark": cell.mark.value} for cell in road.cells]
                for name, road in self._derived_roads.items()
            },
            "ask": {
                winner.value: {name: mark and mark.value for name, mark in self.ask(winner)._asdict().items()}
                for winner in (Outcome.PLAYER, Outcome.BANKER)
            },
        }


class _Display:
    """Lays streaks out: each down from the first row of a column of its own, and to the right once the cell below is outside or taken.

    Every row is filled from left to right, and a tail has no gaps. So from the newest streak's first column on, a cell is taken exactly
    if its row is filled that far, and the rightmost taken column of each row is all there is to remember.
    """

    __slots__ = ("_column", "_filled", "_row", "_shown", "_turned")

    def __init__(self) -> None:
        self._filled = [-1] * ROWS
        self._column = self._row = 0
        self._shown: object = None
        self._turned = False

    def place(self, shown: object) -> tuple[int, int]:
        """The column and row of the next cell: it goes on with the newest streak if it shows the same."""
        if shown is not self._shown:
            # beside the start of the streak before, or past its tail if that is in the first row
            self._column, self._row, self._turned = self._filled[0] + 1, 0, False
        elif not self._turned and self._row + 1 < ROWS and self._filled[self._row + 1] < self._column:
            self._row += 1
        else:
            self._column += 1
            self._turned = True
        self._shown = shown
        self._filled[self._row] = self._column
        return self._column, self._row


class _DerivedRoad:
    """A road that compares a streak of the big road with the one `distance` before it: their lengths, never their shape on a display."""

    __slots__ = ("_display", "_distance", "cells")

    def __init__(self, distance: int) -> None:
        self.cells: list[MarkCell] = []
        self._distance = distance
        self._display = _Display()

    def ask(self, streaks: Sequence[Sequence[BigRoadCell]], winner: Outcome) -> Mark | None:
        """What a win, or a tie, after these streaks is marked with.

        A win that opens a streak is red if the streak it ends is as long as the one it is compared with. A win that goes on with a streak
        is blue if that one has just been outrun, by one entry; before that, and further on (the straight drop), it is red.
        """
        if winner is Outcome.TIE or len(streaks) <= self._distance:
            return None
        level = len(streaks[-1]) == len(streaks[-1 - self._distance])
        opens = streaks[-1][0].entry.winner is not winner
        return Mark.RED if level == opens else Mark.BLUE

    def add(self, streaks: Sequence[Sequence[BigRoadCell]], winner: Outcome) -> None:
        """Mark a win after these streaks, if the road has started."""
        mark = self.ask(streaks, winner)
        if mark is not None:
            column, row = self._display.place(mark)
            self.cells.append(MarkCell(column, row, mark))


_DISTANCES = {"big_eye_boy": 1, "small_road": 2, "cockroach": 3}
"""How many streaks back each derived road compares."""

_WINNERS = {"B": Outcome.BANKER, "P": Outcome.PLAYER, "T": Outcome.TIE}


def _read_entry(coup: object) -> Entry:
    if isinstance(coup, Entry):
        return coup
    if isinstance(coup, Coup):
        return Entry.from_coup(coup)
    if isinstance(coup, Outcome):
        return Entry(coup)
    slips = (Slip("winners_text", "Scoreboard.parse reads winners from text like BPTPB."),) if isinstance(coup, str) else ()
    raise RoadError("coup", "a Coup, an Entry or an Outcome", describe(coup), slips)


def _entry_json(entry: Entry) -> dict[str, Json]:
    return {
        "winner": entry.winner.value,
        "player_pair": entry.player_pair,
        "banker_pair": entry.banker_pair,
        "natural": entry.natural,
    }
