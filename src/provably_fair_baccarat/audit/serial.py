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
        begins = np.ones(len(pair), np.bool_)  # a stretch: another pair, or a gap between the nonces
        begins[1:] = (pair[1:] != pair[:-1]) | (nonce[1:] != nonce[:-1] + 1)
        return cls.of_stretches(np.flatnonzero(begins), winner)

    @classmethod
    def of_stretches(cls, starts: NDArray[np.int64], winner: NDArray[Any]) -> SerialTally:
        """Count the winners of stretches that begin at these places."""
        lags = _lagged(starts, winner)
        decided = np.flatnonzero(winner != TIE)
        if not len(decided):
            return cls(lags)
        wins = winner[decided]
        begins = np.zeros(len(decided) + 1, np.bool_)
        begins[np.searchsorted(decided, starts)] = True  # the first decided coup of a stretch, or of the next one that has any
        begins = begins[:-1]
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


_NOBODY: Final = 3  # behind the end of a stretch
_WINDOW: Final = (4,) * (LAGS + 1)


def _lagged(starts: NDArray[np.int64], winner: NDArray[Any]) -> tuple[tuple[int, ...], ...]:
    """How often each two winners were 1, 2, ... `LAGS` coups apart, in one stretch.

    Every window of one more winner than that is counted at once, a base 4 digit for each; behind a stretch nobody wins for a while.
    """
    stretch = np.zeros(len(winner), np.int64)
    stretch[starts[1:]] = LAGS
    spread = np.full(len(winner) + LAGS * (len(starts) + 1), _NOBODY, np.uint16)
    spread[np.arange(len(winner)) + np.cumsum(stretch)] = winner
    windows = np.zeros(len(spread) - LAGS, np.uint16)
    for place in range(LAGS + 1):
        windows = windows * np.uint16(4) + spread[place : place + len(windows)]
    counts = np.bincount(windows, minlength=4 ** len(_WINDOW)).reshape(_WINDOW)
    others = range(1, LAGS + 1)
    return tuple(tuple(counts.sum(axis=tuple(one for one in others if one != lag))[:3, :3].ravel().tolist()) for lag in others)


def _lengths(begins: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many parts are 1, 2, ... 24, 25 or more long, where it is told which of all places begin a part."""
    lengths = np.minimum(np.diff(np.flatnonzero(begins), append=len(begins)), LONGEST)
    return np.bincount(lengths, minlength=LONGEST + 1)[1:]


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(mine + theirs for mine, theirs in zip(one, other, strict=True))
