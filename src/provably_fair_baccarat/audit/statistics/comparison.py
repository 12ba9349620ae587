"""One comparison: what was counted, what a fair game gives, and how surprised one should be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .holm import holm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction


POOLED: Final = 1
"""The level of comparisons of all there is."""

FINE: Final = 2
"""The level of comparisons of a part, by pay table and decks, of what a comparison of the other level has as a whole."""

POOLED_SHARE: Final = 0.9
"""The share of pooled comparisons in the family's level: the many fine ones must not make them blind."""


class Question(NamedTuple):
    """What a kind of comparison asks, and what it would mean if the answer were no; in words for people."""

    title: str
    asks: str
    warns: str


QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType(
    {
        "outcomes": Question(
            "Outcomes",
            "Do the player, the banker and ties win as often as they should?",
            "One side wins more often than a fair shoe lets it.",
        ),
        "ranks": Question(
            "Ranks",
            "Does every rank, ace to king, lie at this position equally often?",
            "Some ranks come too often or too seldom, as with a draw that favours them.",
        ),
        "suits": Question(
            "Suits",
            "Does every suit lie at this position equally often?",
            "Some suits come too often or too seldom.",
        ),
        "cut": Question(
            "Cut",
            "Is the shoe cut at every place equally often?",
            "Some places are preferred: the draw is biased, or the cuts are made up.",
        ),
        "cards_used": Question(
            "Cards used",
            "Do coups take four, five and six cards as often as they should?",
            "Coups end sooner or later than the rules make them.",
        ),
        "tableau": Question(
            "Tableau",
            "Is each of the 88 cells of the third-card rule met as often as it should be?",
            "Some situations come up too often or too seldom, so the cards that lead to them do.",
        ),
        "runs": Question(
            "Runs",
            "Are streaks of player and banker wins, ties left out, as many as they should be?",
            "Wins of one side stick together or avoid each other.",
        ),
        "serial": Question(
            "Serial",
            "Does the winner of a coup tell nothing about the winner some coups later?",
            "Coups depend on earlier coups.",
        ),
        "return": Question(
            "Return",
            "Does the bet return what it should, with the stakes that were really placed?",
            "The bet returned more or less than luck explains.",
        ),
        "hits": Question(
            "Hits",
            "Does the bet return anything as often as it should, whatever the stakes?",
            "The bet hit more or less often than luck explains.",
        ),
        "house_win": Question(
            "House",
            "Did the house win what it should have, over all bets together?",
            "The house won more or less than luck explains.",
        ),
        "refused_return": Question(
            "Refused bets",
            "Would refused bets have returned what any bet does?",
            "Bets were refused that would have won more, or less, than luck explains: whoever refused them may have known the coup.",
        ),
    }
)
"""Every kind of comparison by its stable name."""


class Cell(NamedTuple):
    """One of the things that were counted: its label, how often it came, and how often it should on average."""

    label: str
    observed: int
    expected: Fraction


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison and its p-value: how often a fair game would look at least as odd as this one, by chance alone.

    `name` is a key of `QUESTIONS`, `subject` what of that is asked about. `method` is "chi-square", "normal", "bennett" or "binomial";
    the p-value of the last two is an upper bound of that. `degrees` are those of a chi-square. `count` is how many coups or bets there are. `pooled` says how many cells were too rare to stand
    alone and were compared as one. `level` is `POOLED` or `FINE`. `corrected` is the p-value after the correction of Holm for all
    comparisons of its level, and for the level's share, once the family is known.
    """

    name: str
    subject: str
    method: str
    statistic: float
    degrees: int | None
    p_value: float
    count: int
    cells: tuple[Cell, ...] = ()
    pooled: int = 0
    level: int = POOLED
    corrected: float = 1.0

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON, its cells too."""
        return {
            "name": self.name,
            "subject": self.subject,
            "method": self.method,
            "statistic": self.statistic,
            "degrees": self.degrees,
            "p_value": self.p_value,
            "corrected": self.corrected,
            "count": self.count,
            "pooled": self.pooled,
            "level": self.level,
            "cells": [[cell.label, cell.observed, float(cell.expected)] for cell in self.cells],
        }


@dataclass(frozen=True, slots=True)
class Omission:
    """A comparison that was not made, and why."""

    name: str
    subject: str
    reason: str


def correct(comparisons: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """The same comparisons as one family, the pooled ones first, with corrected p-values."""
    family = tuple(comparisons)
    return tuple(
        replace(comparison, corrected=min(1.0, corrected / share))
        for level, share in shares(family).items()
        if (of_level := [comparison for comparison in family if comparison.level == level])
        for comparison, corrected in zip(of_level, holm([comparison.p_value for comparison in of_level]), strict=True)
    )


def shares(family: Iterable[Comparison]) -> Mapping[int, float]:
    """The share of each level in the family's one level of significance: all of it for one that is alone."""
    levels = {comparison.level for comparison in family}
    return {POOLED: POOLED_SHARE, FINE: 1 - POOLED_SHARE} if len(levels) > 1 else dict.fromkeys(levels, 1.0)
