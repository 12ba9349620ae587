"""`pfb audit`: many rounds at once, and whether every card, every payment and every nonce is right."""

import sys
from json import loads as parse
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ..failures import BAD_INPUT, FAILED, OK, misused
from ..options import BetsOption, Json, PayTableOption
from ..own_bets import named_bets
from ..refused_view import refused_fields, refused_remark
from ..screen import ERR, OUT, printable, progress_bar, show, show_fields, write_json
from ..spark import audit_on, refuse_with_spark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...audit import AuditResult
    from ...rules.bets import Bet

EXAMPLES = """\b
Examples:
  pfb audit november/ --seeds seeds.parquet
  pfb audit rounds.parquet more.csv --findings findings.jsonl
  pfb audit november/ --work /var/tmp/november      stopped? the same line goes on from there
  pfb audit sqlite:///house.db --report november    a page to read, and JSON
  pfb audit sqlite:///house.db --bets casino_bets:OWN    bets of the operator's own, in casino_bets.py
  pfb audit postgresql://reader@db.example/house    a house in PostgreSQL

\b
Exit codes: 0 nothing was found, 1 something was, 2 there was nothing to audit: no such input, no table of rounds, or no round in it.
"""

_SHOWN = 10


def audit(
    *,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files, folders, or a house's database by its URL.", show_default=False)
    ],
    seeds: Annotated[
        str | None, typer.Option(metavar="FILE", help="A table of revealed seeds, or a house's database.", show_default=False)
    ] = None,
    refusals: Annotated[
        str | None, typer.Option(metavar="FILE", help="A table of refused bets, or a house's database.", show_default=False)
    ] = None,
    pay_table: PayTableOption = None,
    bets: BetsOption = None,
    findings: Annotated[str | None, typer.Option(metavar="FILE", help="A new file for every finding, a JSON line each.")] = None,
    work: Annotated[str | None, typer.Option(metavar="DIR", help="Where to keep what is finished, to go on from there.")] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Threads; one for each processor unless given.", show_default=False)
    ] = None,
    spark: Annotated[
        str | None, typer.Option(metavar="MASTER", help="Audit Parquet on Apache Spark: local[4], or a cluster.", show_default=False)
    ] = None,
    report: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where to write report.html and report.json, with statistics.", show_default=False)
    ] = None,
    json: Json = False,
) -> int:
    """Audit many rounds: tables of them, or a house's database.

    A table is Parquet, Arrow, CSV or JSON lines. Each round is dealt again from its revealed seeds: commitment, cut, cards, hands, scores, winner, and every bet to the last unit. Each
    seed pair must have every nonce from 0, once. What is wrong is a finding, and never stops the audit.
    """
    named = {"--seeds": seeds, "--refusals": refusals, "--findings": findings, "--work": work, "--report": report}
    if empty := [name for name, given in (*(("PATH", path) for path in paths), *named.items()) if given == ""]:
        raise misused(f"{empty[0]} is an empty text, which names nothing.")
    try:
        from ...audit import audit as audit_all  # noqa: PLC0415 (an extra, needed here alone)

        if report is not None:
            from ...audit.report import write_report  # noqa: PLC0415 (likewise)

            Path(report).mkdir(parents=True, exist_ok=True)  # before the audit, which may take its time
    except ImportError as missing:
        raise misused(str(missing)) from None
    pay_tables, own_bets = () if pay_table is None else (pay_table,), named_bets(bets)
    command = " ".join(["pfb", *sys.argv[1:]])
    if spark is not None:
        refuse_with_spark(paths, seeds, refusals=refusals, work=work, workers=workers)
        result = audit_on(spark, paths, seeds=seeds, pay_tables=pay_tables, bets=own_bets, findings=findings, command=command)
    else:
        try:
            with progress_bar("auditing") as progress:
                result = audit_all(
                    paths,
                    seeds=seeds,
                    refusals=refusals,
                    pay_tables=pay_tables,
                    bets=own_bets,
                    work=work,
                    findings=findings,
                    workers=workers,
                    progress=progress,
                    command=command,
                )
        except ImportError as missing:  # that of a database
            raise misused(str(missing)) from None
    if report is not None:
        write_report(result, report, bets=own_bets)  # pyright: ignore[reportPossiblyUnboundVariable] (imported above, where there is a report)
    if json:
        write_json(result.to_dict())
    else:
        _show(result)
        _close(result, report, own_bets)
    if result.is_empty:
        return BAD_INPUT
    return OK if result.is_clean else FAILED


def _close(result: "AuditResult", report: str | None, own_bets: "Iterable[Bet]") -> None:
    """What the report concludes; without one, what statistics say of refused bets."""
    if report is not None:
        headline = parse(Path(report, "report.json").read_bytes())["verdict"]["headline"]
        OUT.print(f"{headline}. The report is {printable(str(Path(report, 'report.html')))}.", soft_wrap=True)
    elif (remark := refused_remark(result, own_bets)) is not None:
        OUT.print(f"\n{printable(remark)}", soft_wrap=True)


def _show(result: "AuditResult") -> None:
    pairs = result.pairs
    show_fields(
        {
            "rounds": f"{result.rounds:,}",
            "bets": f"{result.lines:,}",
            "seed pairs": f"{pairs.pairs:,}",
            "complete": f"{pairs.complete:,}",
            "pairs not revealed": f"{pairs.not_revealed:,}",
            "findings": f"{sum(result.finding_counts.values()):,}",
        }
    )
    if result.refusals is not None:
        show_fields(refused_fields(result.refusals))
    if result.is_empty:
        show("", "There was nothing to audit: no round could be read.")
    elif result.is_clean:
        show("", "Every card, every payment and every nonce is right.")
    if result.is_clean:
        return
    table = Table("finding", "rounds or pairs", box=None, pad_edge=False)
    for code, count in result.finding_counts.items():
        table.add_row(code, f"{count:,}")
    show("", table, "")
    for finding in result.findings[:_SHOWN]:
        ERR.print(printable(str(finding)), soft_wrap=True)
    if sum(result.finding_counts.values()) > _SHOWN:
        show(f"The first {_SHOWN} are told; --findings FILE gets all of them.")
