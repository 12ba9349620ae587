"""An audit on Apache Spark, started and ended by one command."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .failures import misused
from .screen import at_work

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..audit import AuditResult
    from ..rules.bets import Bet
    from ..rules.pay_table import PayTable


_NOT_WITH_SPARK: Final = {
    "refusals": "refused bets meet the rounds of their nonces on one machine: audit these rounds without --spark",
    "work": "Spark keeps what is finished in places of its own, and nothing of it when the command ends",
    "workers": "the master says how many tasks run at once, like local[4]",
}


_OTHER_FORMS: Final = frozenset((".csv", ".json", ".jsonl", ".ndjson", ".arrow", ".arrows", ".feather", ".ipc"))


def refuse_with_spark(paths: list[str], seeds: str | None, **options: object) -> None:
    """Raise a usage error, which says why, for what does not go with an audit on Spark."""
    for name, why in _NOT_WITH_SPARK.items():
        if options[name] is not None:
            raise misused(f"--{name} does not go with --spark: {why}.")
    if any(re.match(r"(?i)[a-z+]*sql(ite)?:|postgres:", given) for given in (*paths, seeds or "")):
        raise misused("A house's database does not go with --spark, which reads Parquet: audit it without --spark, or its exports.")
    for given in paths:
        suffix = Path(given).suffix.lower()
        if suffix in _OTHER_FORMS:
            raise misused(f"--spark reads Parquet only; found {given}: audit it without --spark, or write it as Parquet.")


def audit_on(
    master: str,
    paths: list[str],
    *,
    seeds: str | None,
    pay_tables: Iterable[PayTable],
    bets: Iterable[Bet],
    findings: str | None,
    command: str,
) -> AuditResult:
    """Audit Parquet on a Spark of its own, which is stopped in the end. Raises AuditError, and OSError for the findings file."""
    try:
        from ..audit.running import new_file  # noqa: PLC0415 (likewise)
        from ..audit.spark import SparkFailure, audit_on_spark, spark_session  # noqa: PLC0415 (an extra, needed here alone)
    except ImportError as missing:
        raise misused(str(missing)) from None
    with ExitStack() as stack:
        lines = None if findings is None else stack.enter_context(new_file(findings))

        def tell(line: bytes) -> None:
            if lines is not None:
                lines.write(line + b"\n")

        stack.enter_context(at_work("auditing on Spark"))
        session = stack.enter_context(spark_session(master))
        try:
            return audit_on_spark(paths, spark=session, seeds=seeds, pay_tables=pay_tables, bets=bets, tell=tell, command=command)
        except SparkFailure as failure:
            first, *_ = str(failure).splitlines() or [type(failure).__name__]
            raise misused(f"Spark: {first[:300]}") from None
