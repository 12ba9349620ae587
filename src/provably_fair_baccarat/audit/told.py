"""The findings of a batch, as they are made: each with its place, and so many of a code that memory holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .columns import places_of
from .findings import Finding
from .origins import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .dealt import Flags
    from .origins import Origins
    from .rows import Rows

TOLD: Final = 10_000
"""How many findings of a batch are told one by one for each code; the rest are counted."""


class Told:
    """Findings as they are made. Each row is told of one thing at most once."""

    def __init__(self, rows: Rows, origins: Origins) -> None:
        self.rows = rows
        self.origins = origins
        self.findings: list[Finding] = []
        self.counts: dict[str, int] = {}
        self.is_sound: Flags = np.ones(len(rows), np.bool_)
        self.is_readable: Flags = origins.state != UNREADABLE

    def tell(self, code: str, where: Flags, expected: Callable[[int], str] | str, found: Callable[[int], str] | str) -> None:
        """Tell of every row where something is so."""
        places = places_of(where)
        if not places:
            return
        self.is_sound[places] = False
        self.counts[code] = self.counts.get(code, 0) + len(places)
        for row in places[: max(0, TOLD + len(places) - self.counts[code])]:
            self.findings.append(
                self.at(
                    code, row, expected if isinstance(expected, str) else expected(row), found if isinstance(found, str) else found(row)
                )
            )

    def at(self, code: str, row: int, expected: str, found: str) -> Finding:
        """A finding of a row."""
        rows = self.rows
        source = rows.source if isinstance(rows.source, str | None) else rows.source[row].as_py()
        place = max(0, int(rows.place[row])) or None
        if self.origins.state[row] == UNREADABLE:
            return Finding(code, expected, found, source, place)
        index = int(rows.index[row])
        commitment = rows.commitments[rows.pair[row]].tobytes().hex()
        return Finding(code, expected, found, source, place, commitment, int(rows.nonce[row]), None if index < 0 else index)
