"""What is proved: the part of a page that tells findings, and whether everything is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .markup import MOST_ROWS, Column, Html, cut, paragraph, section, table

if TYPE_CHECKING:
    from ..findings import Finding
    from .report import Report


def tell_findings(report: Report) -> str:
    """The findings by kind, and the first of each."""
    if not report.findings:
        told = "None: every card, score, winner, payment and sum that was claimed is the one that follows from the seeds."
        return section("findings", "Findings", paragraph(told if report.rounds else "None, since there was nothing to look at."))
    kinds = table(
        "Findings by kind",
        (Column("kind", "code"), Column("how many", "number"), Column("meaning")),
        [(kind.code, f"{kind.count:,}", kind.meaning) for kind in report.findings],
    )
    first = [finding for kind in report.findings for finding in kind.first]
    columns = (Column("kind", "code"), Column("where"), Column("expected", "code"), Column("found", "code"), Column("likely slip"))
    width = len(columns) if any(finding.hint for finding in first) else len(columns) - 1
    places = table(
        "The first findings of each kind",
        columns[:width],
        [(each.code, _place(each), each.expected, each.found, each.hint or "")[:width] for each in first[:MOST_ROWS]],
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


def tell_completeness(report: Report) -> str:
    """How many seed pairs have all of their rounds, and what is wrong with single ones."""
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
    return section("completeness", "Completeness", told, counts, title, listed_faults, cut(len(faults)))
