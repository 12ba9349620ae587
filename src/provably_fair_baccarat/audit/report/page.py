"""The report as one page of HTML: no script, nothing fetched, equal bytes for equal reports.

Its one style sheet is named by its hash in the page's own content security policy, which allows nothing else.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from .bets import tell_bets, tell_pay_tables, tell_refusals
from .compared import tell_comparisons, tell_coups, tell_reading
from .drawing import Sheet, drawing
from .markup import Html, described, paragraph, section, shown
from .proved import tell_completeness, tell_findings
from .report import Grade, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .report import Report

_PARTS: Final = (
    ("findings", "Findings"),
    ("completeness", "Completeness"),
    ("statistics", "How to read the statistics"),
    ("bets", "Bets"),
    ("coups", "Coups"),
    ("comparisons", "All comparisons"),
    ("refusals", "Refused bets"),
    ("tables", "Pay tables"),
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
                tell_findings(report),
                tell_completeness(report),
                tell_reading(report.statistics),
                tell_bets(report, sheet),
                tell_coups(report, sheet),
                tell_comparisons(report.statistics, sheet),
                tell_refusals(report, sheet),
                tell_pay_tables(report),
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
