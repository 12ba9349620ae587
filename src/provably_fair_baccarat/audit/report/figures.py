"""The pictures of coups, and of all comparisons: what was counted beside what a fair game gives, so that one look is enough."""

from __future__ import annotations

from math import log10, sqrt
from typing import TYPE_CHECKING, Final

from matplotlib.patches import Rectangle
from scipy.stats import norm

from ..statistics.comparison import FINE, POOLED, QUESTIONS
from ..statistics.expected import cell_probabilities
from ..statistics.frequencies import LEAST, POSITIONS, RANKS, SUITS
from ..statistics.returns import CONFIDENCE
from ..statistics.sequence import expected_streaks
from .drawing import COLOURS, WIDTH, Picture, new_figure, signed, ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..serial import SerialTally
    from ..statistics import Comparison, Statistics
    from ..tally import ShoeTally
    from .drawing import Axes

# A picture of how far counts are off is drawn where the rarest of them is expected `LEAST` times: below that, a single coup looks odd.

QUANTILE: Final = float(norm.isf((1 - CONFIDENCE) / 2))
SMALLEST_P: Final = 1e-12


def draw_shares(decks: int, outcomes: Comparison | None, used: Comparison | None) -> Picture | None:
    """Outcomes and numbers of cards: how often they came, and how often they should."""
    if outcomes is None or used is None:
        return None
    figure = new_figure(WIDTH, 2.1)
    left, right = figure.subplots(1, 2)
    for axes, comparison, roles, title in (
        (left, outcomes, ("player", "banker", "tie"), "who won"),
        (right, used, ("actual", "actual", "actual"), "cards used"),
    ):
        total = comparison.count
        for place, (cell, role) in enumerate(zip(comparison.cells, roles, strict=True)):
            share, expected = 100 * cell.observed / total, 100 * float(cell.expected) / total
            axes.barh(place, share, height=0.55, color=COLOURS[role])
            axes.plot([expected, expected], [place - 0.42, place + 0.42], color=COLOURS["ink"], linewidth=2, solid_capstyle="butt")
            axes.text(max(share, expected) + 1.5, place, f"{share:.2f} %", va="center", fontsize=8)
        axes.set_yticks(range(3), [cell.label for cell in comparison.cells])
        axes.set_ylim(2.6, -0.6)
        axes.set_xlim(0, 62)
        axes.set_title(title)
        axes.tick_params(axis="both", length=0, labelbottom=False)
        axes.spines[:].set_visible(False)
    caption = "Bars are what was dealt; the strokes across them are the exact shares of a fair game."
    return Picture(f"shares-{decks}", "Outcomes and cards", caption, figure)


def draw_positions(decks: int, shoe: ShoeTally) -> Picture | None:
    """Ranks and suits at the six positions, each by how far it is off."""
    told = _told(shoe)
    if not told or shoe.rounds < 13 * LEAST:
        return None
    figure = new_figure(WIDTH, 0.75 + 0.3 * len(told))
    left, right = figure.subplots(1, 2, width_ratios=(13, 4))
    ranks = [[_z(count, shoe.rounds, 1 / 13) for count in shoe.ranks_at(position)] for position in told]
    suits = [[_z(count, shoe.rounds, 1 / 4) for count in shoe.suits_at(position)] for position in told]
    _draw_map(left, ranks, RANKS, [str(position) for position in told])
    _draw_map(right, suits, SUITS, [""] * len(told))
    left.set_ylabel("position")
    caption = f"Every rank and every suit should lie at each position equally often. {_COLOURING}"
    return Picture(f"positions-{decks}", "Ranks and suits by position", caption, figure, is_map=True)


def draw_cards(decks: int, shoe: ShoeTally) -> Picture | None:
    """The 52 cards over all positions, each by how far it is off."""
    told = _told(shoe)
    if shoe.rounds * len(told) < 52 * LEAST:
        return None
    size, drawn = 52 * decks, len(told)
    totals = [sum(shoe.cards_at(position)[card] for position in told) for card in range(52)]
    # of `drawn` cards without replacement, `decks` of `size` being the card: a hypergeometric number
    mean = shoe.rounds * drawn / 52
    deviation = sqrt(shoe.rounds * drawn / 52 * (51 / 52) * (size - drawn) / (size - 1))
    figure = new_figure(WIDTH, 2.0)
    axes: Axes = figure.subplots()
    values = [[(totals[13 * suit + rank] - mean) / deviation for rank in range(13)] for suit in range(4)]
    _draw_map(axes, values, RANKS, SUITS)
    caption = f"How often each card was drawn, over positions {told[0]} to {told[-1]}; {mean:,.0f} of each are expected. {_COLOURING}"
    return Picture(f"cards-{decks}", "Cards", caption, figure, is_map=True)


def draw_tableau(decks: int, shoe: ShoeTally) -> Picture | None:
    """The tableau as it is printed: how often each cell was met, and how far that is off."""
    odds, met = cell_probabilities(decks), shoe.tableau
    if shoe.rounds * min(odds.values()) < LEAST:
        return None
    columns = (None, *range(10))
    figure = new_figure(WIDTH, 3.5)
    axes: Axes = figure.subplots()
    values = [[_z(met[score, third], shoe.rounds, float(odds[score, third])) for third in columns] for score in range(8)]
    texts = [[f"{_short(met[score, third])}\n{signed(values[score][place])}" for place, third in enumerate(columns)] for score in range(8)]
    _draw_map(axes, values, ["stood", *map(str, range(10))], [str(score) for score in range(8)], texts)
    axes.set_xlabel("the player's third card, in points")
    axes.set_ylabel("the banker's score")
    caption = (
        "The third-card rule as it is printed on the table. In each cell: how often coups met it, and below that by how many standard "
        f"deviations more or less than they should. {_COLOURING}"
    )
    return Picture(f"tableau-{decks}", "The tableau's 88 cells", caption, figure, is_map=True)


def draw_cuts(decks: int, shoe: ShoeTally) -> Picture | None:
    """How often the shoe was cut at each place."""
    total, places = sum(shoe.cuts), len(shoe.cuts)
    if total < places * LEAST:
        return None
    figure = new_figure(WIDTH, 1.9)
    axes: Axes = figure.subplots()
    mean = total / places
    deviation = sqrt(mean * (1 - 1 / places))
    axes.axhspan(mean - QUANTILE * deviation, mean + QUANTILE * deviation, color=COLOURS["band"], alpha=0.55, linewidth=0)
    axes.axhline(mean, color=COLOURS["exact"], linewidth=1)
    axes.plot(range(places), shoe.cuts, linestyle="none", marker=".", markersize=3, color=COLOURS["actual"])
    axes.set_xlim(-2, places + 1)
    axes.set_xlabel("cut")
    axes.set_ylabel("times")
    axes.yaxis.set_major_formatter(ticks(lambda value: f"{value:,.0f}"))
    caption = "Each dot is a place at which the shoe can be cut. Of a fair game, 99 of 100 dots lie in the band, without a pattern."
    return Picture(f"cuts-{decks}", "Cuts", caption, figure)


def draw_streaks(serial: SerialTally) -> Picture | None:
    """How long streaks of one side were, ties left out."""
    if not serial.runs:
        return None
    expected = expected_streaks(serial)
    longest = max(place for place, count in enumerate(serial.streaks, start=1) if count)
    shown = range(1, max(3, longest) + 1)
    figure = new_figure(WIDTH, 2.3)
    axes: Axes = figure.subplots()
    axes.set_yscale("log")
    axes.bar(
        [length for length in shown if serial.streaks[length - 1]],
        [count for count in serial.streaks[: shown[-1]] if count],
        width=0.7,
        color=COLOURS["actual"],
    )
    means = [expected[length - 1] for length in shown]
    for length, mean in zip(shown, means, strict=True):
        if mean:
            axes.plot([length - 0.45, length + 0.45], [mean, mean], color=COLOURS["ink"], linewidth=2, solid_capstyle="butt")
    axes.set_ylim(bottom=max(0.1, min([mean for mean in means if mean] or [0.1]) / 2))
    axes.set_xticks([length for length in shown if length % 2 or shown[-1] < 12])
    axes.yaxis.set_major_formatter(ticks(lambda value: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
    axes.set_xlabel("wins in a row, ties left out")
    axes.set_ylabel("streaks")
    caption = "Bars are streaks as they came; the strokes are how many there should be, going by how often each side won. Each step up is tenfold."
    return Picture("streaks", "Streaks", caption, figure)


def draw_p_values(statistics: Statistics) -> Picture | None:
    """All p-values at one look, by what was asked, the pooled comparisons above the fine ones."""
    made = {(each.level, each.name) for each in statistics.comparisons}
    rows = [(level, name) for level in (POOLED, FINE) for name in QUESTIONS if (level, name) in made]
    if not rows:
        return None
    figure = new_figure(WIDTH, 0.9 + 0.26 * len(rows))
    axes: Axes = figure.subplots()
    least = min(statistics.limit(level) for level, _ in rows)
    for each in statistics.comparisons:
        p_value = max(each.p_value, SMALLEST_P)
        least = min(least, p_value)
        is_flagged = each.corrected < statistics.alpha
        marker, colour = ("D", "flag") if is_flagged else ("o", "actual")
        axes.plot(
            [p_value], [rows.index((each.level, each.name))], marker=marker, markersize=5, color=COLOURS[colour], alpha=0.75, clip_on=False
        )
    for row, (level, _) in enumerate(rows):
        axes.plot([statistics.limit(level)] * 2, [row - 0.5, row + 0.5], color=COLOURS["flag"], linewidth=1.2, linestyle=(0, (4, 3)))
    axes.set_xscale("log")
    axes.set_xlim(1, 10 ** (int(log10(least)) - 1))
    axes.set_yticks(range(len(rows)), [QUESTIONS[name].title + (", in part" if level == FINE else "") for level, name in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0, pad=7)
    axes.xaxis.set_major_formatter(ticks(lambda value: f"{value:g}"))
    axes.set_xlabel("p-value: how often a fair game looks at least as odd")
    axes.grid(axis="x")
    caption = (
        f"Each dot is one of {statistics.family} comparisons. The further right, the odder. Beyond the dashed line a single one would be flagged "
        f"however well the others do. What is below {SMALLEST_P:g} is drawn there."
    )
    return Picture("p-values", "All comparisons at one look", caption, figure)


_COLOURING: Final = "Colour tells how far it is off: nothing within one standard deviation, full at four; orange is more often than expected, blue less often."


def _told(shoe: ShoeTally) -> list[int]:
    """The positions whose card every coup tells."""
    return [position for position in POSITIONS if sum(shoe.cards_at(position)) == shoe.rounds]


def _z(count: int, total: int, probability: float) -> float:
    """By how many standard deviations a count is off."""
    return (count - total * probability) / sqrt(total * probability * (1 - probability))


def _draw_map(
    axes: Axes, values: list[list[float]], columns: Sequence[str], rows: Sequence[str], texts: list[list[str]] | None = None
) -> None:
    """A map of values in standard deviations, row by row; each cell says its own, or its text."""
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            strength = min(1.0, max(0.0, abs(value) - 1) / 3)
            axes.add_patch(Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, facecolor=COLOURS["grid"], alpha=0.45, linewidth=0))
            if strength:
                colour = COLOURS["over" if value > 0 else "under"]
                axes.add_patch(
                    Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, facecolor=colour, alpha=0.15 + 0.85 * strength, linewidth=0)
                )
            text = signed(value) if texts is None else texts[row][column]
            axes.text(column, row, text, ha="center", va="center", fontsize=7, linespacing=1.2)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _short(count: int) -> str:
    """A count in at most four characters or so."""
    for unit, name in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= 10 * unit:
            return f"{count / unit:.0f}{name}"
        if count >= unit:
            return f"{count / unit:.1f}{name}"
    return str(count)
