"""What a fair game deals, exactly: in how many of all ordered deals of six cards something comes up.

Positions are alike: at each of them every card of a shoe is as likely as any other, and so is every cut (protocol step 5). What depends on
the course of a coup is counted by `rules.odds`, with the tableau that deals.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...rules.odds import Shoe, coup_odds
from ...rules.odds.counting import point_deals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...rules.coup import Outcome

Cell = tuple[int, int | None]
"""A cell of the tableau: the banker's two-card score, 0 to 7, and the points of the player's third card, or None if the player stood."""


@lru_cache(maxsize=16)
def tableau_cells(shoe: Shoe) -> Mapping[Cell, int]:
    """In how many ordered six-card deals of a shoe each of the tableau's 88 cells is met (protocol steps 6.3 and 6.4).

    They sum to the deals without a natural. Every way that a coup goes by its points is looked at once: its third card of the player is
    what the final score has more than the first two cards.
    """
    cells: dict[Cell, int] = {(score, third): 0 for score in range(8) for third in (None, *range(10))}
    for player, banker, ways in point_deals(shoe):
        player_score, banker_score = sum(player.first) % 10, sum(banker.first) % 10
        if player_score < 8 and banker_score < 8:
            third = (player.score - player_score) % 10 if player.size == 3 else None
            cells[banker_score, third] += ways
    return MappingProxyType(cells)


@lru_cache(maxsize=16)
def cell_probabilities(decks: int) -> Mapping[Cell, Fraction]:
    """The probability that a coup meets each cell of the tableau."""
    shoe = Shoe.of_decks(decks)
    return MappingProxyType({cell: Fraction(ways, shoe.deals) for cell, ways in tableau_cells(shoe).items()})


@lru_cache(maxsize=16)
def outcome_probabilities(decks: int) -> Mapping[Outcome, Fraction]:
    """The probability that each side wins."""
    odds = coup_odds(decks)
    return MappingProxyType({outcome: odds.probability(ways) for outcome, ways in odds.outcomes.items()})


@lru_cache(maxsize=16)
def used_probabilities(decks: int) -> Mapping[int, Fraction]:
    """The probability that a coup uses 4, 5 and 6 cards."""
    odds = coup_odds(decks)
    return MappingProxyType({used: odds.probability(ways) for used, ways in odds.cards_used.items()})


def natural_probability(decks: int) -> Fraction:
    """The probability of a natural, of either hand or of both."""
    odds = coup_odds(decks)
    return odds.probability(odds.natural)
