"""Frequencies: how often outcomes, cards, cuts and cells of the tableau came, against how often they should.

Pearson's chi-square, with expectations that were counted and not sampled. It needs about 5 expected in every cell; rarer cells are pooled
into one, and where less than two are left, nothing is compared.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from scipy.stats import chi2

from ...cards import Rank, Suit
from .comparison import Cell, Comparison, Omission
from .expected import cell_probabilities, natural_probability, outcome_probabilities, used_probabilities

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..tally import ShoeTally

LEAST: Final = 5
"""The least expectation of a cell that stands alone."""

POSITIONS: Final = range(1, 7)
RANKS: Final = tuple("10" if rank is Rank.TEN else rank.value for rank in Rank)
SUITS: Final = tuple(suit.symbol for suit in Suit)


def compare_shoe(decks: int, shoe: ShoeTally) -> Iterator[Comparison | Omission]:
    """Every comparison of the coups of shoes of so many decks."""
    of_decks = f"{decks} deck{'s' if decks > 1 else ''}"
    rounds = shoe.rounds
    outcomes = [Cell(side.value, shoe.outcomes[side], rounds * odds) for side, odds in outcome_probabilities(decks).items()]
    yield chi_square("outcomes", of_decks, outcomes)
    used = [Cell(str(cards), shoe.used[cards], rounds * odds) for cards, odds in used_probabilities(decks).items()]
    yield chi_square("cards_used", of_decks, used)
    yield chi_square("tableau", of_decks, tableau_comparison_cells(decks, shoe))
    for position in POSITIONS:
        subject = f"position {position}, {of_decks}"
        if sum(shoe.cards_at(position)) < rounds:
            reason = "Some rounds do not tell the card at this position, and which ones depends on the other cards."
            yield from (Omission(name, subject, reason) for name in ("ranks", "suits"))
        else:
            yield chi_square("ranks", subject, evenly(RANKS, shoe.ranks_at(position)))
            yield chi_square("suits", subject, evenly(SUITS, shoe.suits_at(position)))
    if any(shoe.cuts):
        yield chi_square("cut", of_decks, evenly([str(cut) for cut in range(len(shoe.cuts))], shoe.cuts))


def tableau_comparison_cells(decks: int, shoe: ShoeTally) -> list[Cell]:
    """The 88 cells, and all coups that ended with a natural and met none of them."""
    met = shoe.tableau
    cells = [
        Cell(f"{score} / {'stood' if third is None else third}", met[score, third], shoe.rounds * odds)
        for (score, third), odds in cell_probabilities(decks).items()
    ]
    others = shoe.rounds - sum(cell.observed for cell in cells)
    return [*cells, Cell("natural", others, shoe.rounds * natural_probability(decks))]


def evenly(labels: Sequence[str], counts: Sequence[int]) -> list[Cell]:
    """Cells that should all come equally often."""
    expected = Fraction(sum(counts), len(counts))
    return [Cell(label, count, expected) for label, count in zip(labels, counts, strict=True)]


def chi_square(name: str, subject: str, cells: Sequence[Cell]) -> Comparison | Omission:
    """Compare counts with their expectations, which have the same sum."""
    kept, pool = pool_rare(cells)
    compared = [*kept, pool] if pool else kept
    if len(compared) < 2:
        return Omission(name, subject, f"Too few rounds: less than two cells with {LEAST} expected.")
    statistic = float(sum((cell.observed - cell.expected) ** 2 / cell.expected for cell in compared))
    degrees = len(compared) - 1
    pooled = len(cells) - len(kept) if pool else 0
    count = sum(cell.observed for cell in cells)
    return Comparison(name, subject, "chi-square", statistic, degrees, float(chi2.sf(statistic, degrees)), count, tuple(cells), pooled)


def pool_rare(cells: Sequence[Cell]) -> tuple[list[Cell], Cell | None]:
    """The cells that can stand alone, and the one made of all others: the rarest, until they are enough together."""
    by_rarity = sorted(cells, key=lambda cell: cell.expected)
    observed, expected, number = 0, Fraction(0), 0
    for cell in by_rarity:
        if cell.expected >= LEAST and (number == 0 or expected >= LEAST):
            break
        observed, expected, number = observed + cell.observed, expected + cell.expected, number + 1
    pool = Cell("others", observed, expected) if number else None
    return by_rarity[number:], pool
