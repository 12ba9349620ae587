"""The report as one page of HTML: no script, nothing fetched, equal bytes for equal reports.

Its one style sheet is named by its hash in the page's own content security policy, which allows nothing else.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from ..statistics.comparison import QUESTIONS
from ..statistics.returns import CONFIDENCE
from .drawing import Sheet, drawing, to_svg
from .figures import (
    Picture,
    draw_cards,
    draw_courses,
    draw_cuts,
    draw_p_values,
    draw_positions,
    draw_returns,
    draw_shares,
    draw_streaks,
    draw_tableau,
    signed,
)
from .markup import Column, Html, described, listed, paragraph, section, shown, table
from .report import Grade, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..findings import Finding
    from ..statistics import Comparison, Return, Statistics
    from .report import Report

MOST_ROWS: Final = 200
"""A longer table is cut; the JSON has all of it."""

_PARTS: Final = (
    ("findings", "Findings"),
    ("completeness", "Completeness"),
    ("statistics", "How to read the statistics"),
    ("bets", "Bets"),
    ("coups", "Coups"),
    ("comparisons", "All comparisons"),
    ("refusals", "Refused bets"),
    ("manifest", "Manifest"),
)

_MARKS: Final = {Grade.CLEAN: "✓", Grade.CONSPICUOUS: "!", Grade.FAILED: "✗", Grade.EMPTY: "?"}


def write_page(report: Report) -> str:
    """The whole page."""
    sheet = Sheet()
    with drawing():
        body = "".join(
            (
                _head(report),
                _findings(report),
                _completeness(report),
                _statistics(report.statistics),
                _bets(report, sheet),
                _coups(report, sheet),
                _comparisons(report.statistics, sheet),
                _refusals(report, sheet),
                _manifest(report),
            )
        )
    package, _, _ = __name__.rpartition(".")
    style = f"\n{files(package).joinpath('page.css').read_text(encoding='utf-8')}{sheet}"
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>Audit: {shown(report.verdict.headline)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _head(report: Report) -> str:
    verdict, result = report.verdict, report.result
    reasons = "".join(paragraph(reason) for reason in verdict.reasons)
    numbers = (
        (report.rounds, "round", ""),
        (result.lines, "bet", ""),
        (result.pairs.pairs, "seed pair", ""),
        (sum(result.finding_counts.values()), "finding", ""),
        (len(report.statistics.flagged), "odd comparison", f" of {report.statistics.family:,}"),
    )
    told = "".join(
        f"<li><strong>{count:,}</strong><span>{name}{'' if count == 1 else 's'}{more}</span></li>" for count, name, more in numbers
    )
    contents = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in _PARTS)
    return (
        f"<h1>Audit of {number(report.rounds, 'round')} of punto banco</h1>\n"
        f'<div class="verdict {verdict.grade.value}">\n<h2>{_MARKS[verdict.grade]} {shown(verdict.headline)}</h2>\n{reasons}</div>\n'
        f'<ul class="numbers">{told}</ul>\n<nav aria-label="Contents"><ul>{contents}</ul></nav>\n'
    )


def _findings(report: Report) -> str:
    if not report.findings:
        told = "None: every card, score, winner, payment and sum that was claimed is the one that follows from the seeds."
        return section("findings", "Findings", paragraph(told if report.rounds else "None, since there was nothing to look at."))
    kinds = table(
        "Findings by kind",
        (Column("kind", "code"), Column("meaning"), Column("how many", "number")),
        [(kind.code, kind.meaning, f"{kind.count:,}") for kind in report.findings],
    )
    first = [finding for kind in report.findings for finding in kind.first]
    places = table(
        "The first findings of each kind",
        (Column("kind", "code"), Column("where"), Column("expected", "code"), Column("found", "code"), Column("likely slip")),
        [(finding.code, _place(finding), finding.expected, finding.found, finding.hint or "") for finding in first[:MOST_ROWS]],
    )
    return section("findings", "Findings", kinds, Html("<h3>The first of each kind</h3>\n"), places)


def _place(finding: Finding) -> str:
    """Where a finding is, in words."""
    told = {
        "": finding.source,
        "row ": finding.row,
        "commitment ": finding.commitment and f"{finding.commitment[:16]}...",
        "nonce ": finding.nonce,
        "coup ": finding.index,
    }
    return ", ".join(f"{name}{value}" for name, value in told.items() if value is not None)


def _completeness(report: Report) -> str:
    pairs = report.result.pairs
    if not pairs.pairs:
        return section("completeness", "Completeness", paragraph("There is no seed pair."))
    told = paragraph(
        "Under each commitment every nonce from 0 must have its round, once, in order, whatever was won. Where nobody said how many nonces were "
        "spent, rounds at the end may have been left out unseen: such a pair is complete as far as it goes."
    )
    rows = (
        ("Seed pairs with rounds", pairs.pairs),
        ("complete: every nonce once, in order", pairs.complete),
        ("of a known number of coups", pairs.counted),
        ("complete, and right in every round", pairs.sound),
        ("without a revealed server seed", pairs.not_revealed),
    )
    counts = table("Completeness", (Column("seed pairs"), Column("how many", "number")), [(name, f"{count:,}") for name, count in rows])
    faults = [each for each in report.result.findings if each.commitment is not None and each.row is None]
    if not faults:
        return section("completeness", "Completeness", told, counts)
    columns = (Column("commitment", "code"), Column("kind", "code"), Column("expected"), Column("found"))
    listed_faults = table(
        "Pairs that are not complete",
        columns,
        [(each.commitment or "", each.code, each.expected, each.found) for each in faults[:MOST_ROWS]],
    )
    title = Html("<h3>What is wrong with single pairs</h3>\n")
    return section("completeness", "Completeness", told, counts, title, listed_faults, _cut(len(faults)))


def _cut(count: int) -> str:
    return paragraph(f"The first {MOST_ROWS:,} of {count:,}; report.json has all of them.", "quiet") if count > MOST_ROWS else ""


def _mark(text: str, kind: str) -> Html:
    return Html(f'<span class="mark {kind}">{shown(text)}</span>')


def _statistics(statistics: Statistics) -> str:
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
            "be; one of 0.001 comes once in a thousand fair games. It is not the probability that somebody cheated, and a large one proves nothing."
        ),
        paragraph(
            f"Here {statistics.family:,} questions are asked at once, and of so many answers the oddest is odd by chance. So every p-value is "
            f"corrected for the whole family by the method of Holm, and flagged if it is below {percent} then. Of {often} audits of fair games, "
            "about one is flagged at all."
        ),
        paragraph(
            "All expectations are exact: they are counted from the rules of the game and the cards of the shoe. None is a sample or an estimate."
        ),
    )


def _bets(report: Report, sheet: Sheet) -> str:
    returns = report.statistics.returns
    if not returns:
        return section("bets", "Bets", paragraph("There are no bets of sound rounds whose pay table is known."))
    pictures = [
        draw_returns(returns),
        *(draw_courses(curve, name, returns) for name, curve in sorted(report.result.tally.curves.items(), reverse=True)),
    ]
    return section(
        "bets",
        "Bets",
        paragraph(
            "What bets returned of what was staked on them, stakes included, against the exact return with these very stakes, each return rounded "
            "down. Amounts are smallest currency units; where there are several currencies, they are added as if they were one."
        ),
        _pictures(pictures, sheet),
        _returns_table(returns, "Returns of bets"),
        _cut(len(returns)),
    )


def _returns_table(returns: Sequence[Return], label: str) -> str:
    columns = (
        Column("bet"),
        Column("decks", "number"),
        Column("pay table", "code"),
        Column("bets", "number"),
        Column("staked", "number"),
        Column("returned", "number"),
        Column("actual", "number"),
        Column("exact", "number"),
        Column(f"{CONFIDENCE:.0%} interval", "number"),
        Column("deviations off", "number"),
    )
    rows = [
        (
            each.key.bet,
            each.key.decks,
            each.key.pay_table[:8],
            f"{each.sums.lines:,}",
            f"{each.sums.staked:,}",
            f"{each.sums.returned:,}",
            f"{100 * each.rate:.3f} %",
            f"{100 * each.expected_rate:.3f} %",
            f"{100 * each.interval[0]:.3f} to {100 * each.interval[1]:.3f} %",
            signed(each.z, 2),
        )
        for each in returns[:MOST_ROWS]
    ]
    return table(label, columns, rows)


def _coups(report: Report, sheet: Sheet) -> str:
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
            Html(f"<h3>{shoe.rounds:,} coups from shoes of {decks} deck{'s' if decks > 1 else ''}</h3>\n"),
            _pictures(pictures, sheet),
        ]
    if len(report.result.tally.shoes) > 1:
        parts += [Html("<h3>Coups in their order</h3>\n"), _pictures([draw_streaks(report.result.serial)], sheet)]
    return section("coups", "Coups", *(parts or [paragraph("There are no sound rounds.")]))


def _comparisons(statistics: Statistics, sheet: Sheet) -> str:
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
            QUESTIONS[each.name].title,
            each.subject,
            _method(each),
            signed(each.statistic, 2) if each.degrees is None else f"{each.statistic:,.2f}",
            f"{each.count:,}",
            _probability(each.p_value),
            _probability(each.corrected),
            _mark("odd", "bad") if each.corrected < statistics.alpha else _mark("ordinary", "good"),
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
        _pictures([draw_p_values(statistics)], sheet),
        table("All comparisons", columns, rows),
        _cut(statistics.family),
        Html("<h3>What is asked</h3>\n"),
        questions,
        _omissions(statistics),
    )


def _method(comparison: Comparison) -> str:
    pooled = f", {comparison.pooled} rare cells as one" if comparison.pooled else ""
    if comparison.method == "chi-square":
        return f"chi-square, {comparison.degrees} degrees of freedom{pooled}"
    return {"normal": "normal", "chebyshev": "Chebyshev (an upper bound)", "binomial": "binomial, exact"}[comparison.method]


def _probability(value: float) -> str:
    """A p-value with three digits or so; below one in a million as a power of ten."""
    if value >= 1e-4:
        return f"{value:.4f}"
    if value == 0:
        return "below 1e-300"
    return f"{value:.1e}"


def _omissions(statistics: Statistics) -> str:
    if not statistics.omissions:
        return ""
    rows = [(QUESTIONS[each.name].title, each.subject, each.reason) for each in statistics.omissions[:MOST_ROWS]]
    columns = (Column("question"), Column("of what"), Column("why not"))
    return Html("<h3>What was not compared</h3>\n") + table("What was not compared", columns, rows)


def _refusals(report: Report, sheet: Sheet) -> str:
    refusals = report.result.refusals
    if refusals is None:
        return section("refusals", "Refused bets", paragraph("None were told."))
    by_reason: Any = refusals["by_reason"]
    names = ("won", "pushed", "lost", "unknown")
    reasons = table(
        "Refused bets by reason",
        (Column("reason"), *(Column(name, "number") for name in names)),
        [(reason or "none given", *(f"{counts[name]:,}" for name in names)) for reason, counts in sorted(by_reason.items())[:MOST_ROWS]],
    )
    told = paragraph(
        "A refused bet spends no nonce, so the next round has it, and with it the coup that the refused bet would have had. An operator who knows "
        "the coups to come, and refuses what would win, shows here: refused bets would have returned more than bets do."
    )
    held = report.statistics.refused_returns
    if not held:
        return section("refusals", "Refused bets", told, reasons)
    pictures = _pictures(
        [draw_returns(held, "refused-returns", "What refused bets would have returned, against their exact returns")], sheet
    )
    return section("refusals", "Refused bets", told, reasons, pictures, _returns_table(held, "What refused bets would have returned"))


def _manifest(report: Report) -> str:
    return section(
        "manifest",
        "Manifest",
        paragraph(
            "What this report was made from, by what, and how. The same inputs give the same report; only what stands here may differ."
        ),
        described((name, Html(f'<span class="code">{shown(value)}</span>')) for name, value in _flat(report.result.manifest)),
    )


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The leaves of JSON, each with the way to it."""
    parts: list[tuple[Any, Any]]
    if isinstance(value, Mapping):
        parts = list(cast("Mapping[str, Any]", value).items())
    elif isinstance(value, (list, tuple)):
        parts = list(enumerate(cast("Sequence[Any]", value), start=1))
    else:
        yield name, value if isinstance(value, str) else "none" if value is None else str(value)
        return
    for key, part in parts:
        yield from _flat(part, f"{name} {key}".strip().replace("_", " "))


def _pictures(pictures: Sequence[Picture | None], sheet: Sheet) -> Html:
    """Pictures beside or below each other."""
    drawn = [
        f'<figure>\n<h3>{shown(each.title)}</h3>\n<div class="{"drawn map" if each.is_map else "drawn"}">\n'
        f"{to_svg(each.figure, each.name, each.title, sheet)}\n</div>\n<figcaption>{shown(each.caption)}</figcaption>\n</figure>\n"
        for each in pictures
        if each is not None
    ]
    kind = "pictures one" if len(drawn) == 1 else "pictures"
    return Html(f'<div class="{kind}">\n{"".join(drawn)}</div>\n' if drawn else "")
