"""What is compared: the part of a page that tells how to read statistics, how coups went, and every comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..statistics.comparison import FINE, QUESTIONS
from .drawing import gallery, signed
from .figures import draw_cards, draw_cuts, draw_p_values, draw_positions, draw_shares, draw_streaks, draw_tableau
from .markup import MOST_ROWS, Column, Html, cut, listed, mark, paragraph, section, table
from .report import number
from .words import METHODS, told_p_value

if TYPE_CHECKING:
    from ..statistics import Comparison, Statistics
    from .drawing import Sheet
    from .report import Report


def tell_reading(statistics: Statistics) -> str:
    """How to read the statistics."""
    percent = f"{100 * statistics.alpha:g} %"
    often = f"{1 / statistics.alpha:,.0f}"
    return section(
        "statistics",
        "How to read the statistics",
        paragraph(
            "Proofs come first. A round that follows from its seeds is right, whatever statistics say of it. Statistics answer what no single round "
            "can: whether seeds were picked, bets refused by what they would have won, or cards drawn with a bias."
        ),
        paragraph(
            "A p-value says how often a fair game would look at least as odd as this one, by chance alone. A p-value of 0.5 is as ordinary as it can "
            "be; one of 0.001 comes once in a thousand fair games. Where the method is Bennett's or binomial, it is an upper bound: it comes so "
            "often at most. It is not the probability that somebody cheated, and a large one proves nothing: of each bet, the table below says how "
            "large a bias this audit would have found."
        ),
        paragraph(
            f"Here {statistics.family:,} questions are asked at once, and of so many answers the oddest is odd by chance. So every p-value is "
            f"corrected for the whole family by the method of Holm, and flagged if it is below {percent} then. Of {often} audits of fair games, "
            f"about one is flagged at all, or fewer. Nine tenths of that chance belong to comparisons of everything there is, one tenth to those "
            "of single pay tables and decks."
        ),
        paragraph(
            "All expectations are exact: they are counted from the rules of the game and the cards of the shoe. None is a sample or an estimate."
        ),
    )


def tell_coups(report: Report, sheet: Sheet) -> str:
    """How coups went, as pictures."""
    parts: list[str] = []
    for decks, shoe in report.result.tally.shoes.items():
        found = {each.name: each for each in report.statistics.comparisons if each.subject == f"{decks} deck{'s' if decks > 1 else ''}"}
        pictures = [
            draw_shares(decks, found.get("outcomes"), found.get("cards_used")),
            draw_tableau(decks, shoe),
            draw_positions(decks, shoe),
            draw_cards(decks, shoe),
            draw_cuts(decks, shoe),
        ]
        if len(report.result.tally.shoes) == 1:
            pictures.append(draw_streaks(report.result.serial))
        parts += [
            Html(f"<h3>{number(shoe.rounds, 'coup')} from shoes of {number(decks, 'deck')}</h3>\n"),
            gallery(pictures, sheet) or paragraph("They are too few for pictures."),
        ]
    if len(report.result.tally.shoes) > 1:
        parts += [Html("<h3>Coups in their order</h3>\n"), gallery([draw_streaks(report.result.serial)], sheet)]
    return section("coups", "Coups", *(parts or [paragraph("There are no sound rounds.")]))


def tell_comparisons(statistics: Statistics, sheet: Sheet) -> str:
    """Every comparison, the oddest first, what was asked, and what could not be compared."""
    if not statistics.family:
        return section(
            "comparisons", "All comparisons", paragraph("There were too few rounds to compare anything."), _omissions(statistics)
        )
    asked = [name for name in QUESTIONS if any(each.name == name for each in statistics.comparisons)]
    questions = table(
        "What is asked", (Column("question"), Column("what is asked")), [(QUESTIONS[name].title, QUESTIONS[name].asks) for name in asked]
    )
    by_oddness = sorted(statistics.comparisons, key=lambda each: (each.corrected, each.p_value, each.name, each.subject))
    columns = (
        Column("question"),
        Column("of what"),
        Column("method"),
        Column("statistic", "number"),
        Column("how many", "number"),
        Column("p-value", "number"),
        Column("corrected", "number"),
        Column("verdict"),
    )
    rows = [
        (
            QUESTIONS[each.name].title + (", in part" if each.level == FINE else ""),
            each.subject,
            method_of(each),
            signed(each.statistic, 2) if each.degrees is None else f"{each.statistic:,.2f}",
            f"{each.count:,}",
            told_p_value(each.p_value),
            told_p_value(each.corrected),
            mark("odd", "bad") if each.corrected < statistics.alpha else mark("ordinary", "good"),
        )
        for each in by_oddness[:MOST_ROWS]
    ]
    odd = {name: [each.subject for each in statistics.flagged if each.name == name] for name in asked}
    warnings = listed(f"{QUESTIONS[name].title} ({'; '.join(of)}): {QUESTIONS[name].warns}" for name, of in odd.items() if of)
    return section(
        "comparisons",
        "All comparisons",
        paragraph(f"One family of {statistics.family:,}, corrected by Holm, the oddest first. Flagged below {statistics.alpha:g}."),
        warnings if statistics.flagged else "",
        gallery([draw_p_values(statistics)], sheet),
        table("All comparisons", columns, rows),
        cut(statistics.family),
        Html("<h3>What is asked</h3>\n"),
        questions,
        _omissions(statistics),
    )


def method_of(comparison: Comparison) -> str:
    """By what a comparison's p-value is told."""
    pooled = f", {comparison.pooled} rare cells as one" if comparison.pooled else ""
    if comparison.method == "chi-square":
        return f"chi-square, {comparison.degrees} degrees of freedom{pooled}"
    return METHODS[comparison.method]


def _omissions(statistics: Statistics) -> str:
    if not statistics.omissions:
        return ""
    rows = [(QUESTIONS[each.name].title, each.subject, each.reason) for each in statistics.omissions[:MOST_ROWS]]
    columns = (Column("question"), Column("of what"), Column("why not"))
    return Html("<h3>What was not compared</h3>\n") + table("What was not compared", columns, rows)
