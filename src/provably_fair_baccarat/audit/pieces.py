"""What readers give: the input in pieces, and of each piece rows, or what is not one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pyarrow import RecordBatch

from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Counted(NamedTuple):
    """Rounds that were verified without becoming rows of a table, and their bet lines."""

    rounds: int
    lines: int


Read: TypeAlias = RecordBatch | Finding | Counted
"""Rows, something that cannot be read, or rounds that were verified without becoming rows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the input: where its rows come from, the first one's number, how many there are if that is known, and how to read them."""

    source: str
    first_row: int
    rows: int | None
    read: Callable[[], Iterable[Read]]
