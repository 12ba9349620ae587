"""The order of winners: what a bettor sees on the scoreboards, counted.

Coups of one commitment follow each other by nonce; a stretch is as many of them as have no gap. A stretch is counted whole, so the rounds of
a commitment must not be parted; the tallies of different commitments are added in any order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .dealt import PLAYER, TIE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ..canonical import Json

LAGS: Final = 5
"""Winners are compared with those of up to so many coups before."""

LONGEST: Final = 25
"""Streaks of so many coups, and longer ones, are counted together."""

_NO_LAGS: Final = ((0,) * 9,) * LAGS


@dataclass(frozen=True, slots=True)
class SerialTally:
    """How winners followed each other.

    `lags` counts, for coups 1 to 5 before, pairs of winners: the earlier one's code (player 0, banker 1, tie 2) times 3 plus the later
    one's. The rest leaves ties out, as the big road does: `player` and `banker` are their wins, `reaching` is how many stretches have 1, 2,
    ... 25 wins or more, and `streaks` how often a streak of 1, 2, ... 24, 25 or more wins of one side came.
    """

    lags: tuple[tuple[int, ...], ...] = _NO_LAGS
    player: int = 0
    banker: int = 0
    reaching: tuple[int, ...] = (0,) * LONGEST
    streaks: tuple[int, ...] = (0,) * LONGEST

    @classmethod
    def of(cls, pair: NDArray[Any], nonce: NDArray[Any], winner: NDArray[Any]) -> SerialTally:
        """Count the winners of coups that are sorted by pair and, inside it, by nonce; no nonce occurs twice in a pair."""
        lags = tuple(tuple(_lagged(pair, nonce, winner, lag)) for lag in range(1, LAGS + 1))
        decided = np.flatnonzero(winner != TIE)
        if not len(decided):
            return cls(lags)
        wins = winner[decided]
        begins = np.ones(len(decided), np.bool_)  # a stretch: another pair, or a gap between the nonces
        steady = nonce[decided] - decided
        begins[1:] = (pair[decided][1:] != pair[decided][:-1]) | (steady[1:] != steady[:-1])
        turns = begins.copy()
        turns[1:] |= wins[1:] != wins[:-1]
        return cls(
            lags,
            int(np.count_nonzero(wins == PLAYER)),
            int(np.count_nonzero(wins != PLAYER)),
            tuple(np.cumsum(_lengths(begins)[::-1])[::-1].tolist()),
            tuple(_lengths(turns).tolist()),
        )

    def merge(self, other: SerialTally) -> SerialTally:
        """What both counted, of different commitments."""
        return SerialTally(
            tuple(_sum(mine, theirs) for mine, theirs in zip(self.lags, other.lags, strict=True)),
            self.player + other.player,
            self.banker + other.banker,
            _sum(self.reaching, other.reaching),
            _sum(self.streaks, other.streaks),
        )

    @property
    def stretches(self) -> int:
        """How many stretches have a win."""
        return self.reaching[0]

    @property
    def singles(self) -> int:
        """How many stretches have one win only."""
        return self.reaching[0] - self.reaching[1]

    @property
    def runs(self) -> int:
        """How many streaks there were."""
        return sum(self.streaks)

    def to_dict(self) -> dict[str, Json]:
        """The tally as JSON, from which `from_dict` makes it again."""
        return {
            "lags": [list(counts) for counts in self.lags],
            "player": self.player,
            "banker": self.banker,
            "reaching": list(self.reaching),
            "streaks": list(self.streaks),
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> SerialTally:
        """What `to_dict` made."""
        lags = tuple(tuple(counts) for counts in form["lags"])
        return cls(lags, form["player"], form["banker"], tuple(form["reaching"]), tuple(form["streaks"]))


def _lagged(pair: NDArray[Any], nonce: NDArray[Any], winner: NDArray[Any], lag: int) -> list[int]:
    """How often each two winners were so many coups apart, in one stretch."""
    if len(winner) <= lag:
        return [0] * 9
    together = (pair[lag:] == pair[:-lag]) & (nonce[lag:] - nonce[:-lag] == lag)
    codes = winner[:-lag].astype(np.uint8) * np.uint8(3) + winner[lag:].astype(np.uint8)
    counts: list[int] = np.bincount(codes if together.all() else codes[together], minlength=9).tolist()
    return counts


def _lengths(begins: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many parts are 1, 2, ... 24, 25 or more long, where it is told which of all places begin a part."""
    lengths = np.minimum(np.diff(np.flatnonzero(begins), append=len(begins)), LONGEST)
    return np.bincount(lengths, minlength=LONGEST + 1)[1:]


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(mine + theirs for mine, theirs in zip(one, other, strict=True))
