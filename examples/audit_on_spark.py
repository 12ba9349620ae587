"""A month of rounds, audited on Apache Spark: each partition by itself, then what only shows when the rounds of a seed pair come together.

`audit_on_spark` does all of this in one call; here it is step by step, for engines and pipelines of your own. Without a folder, the program
makes its own month of 20,000 rounds, some of them wrong.

    pip install 'provably-fair-baccarat[spark]'
    python examples/audit_on_spark.py [FOLDER OF PARQUET]
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from provably_fair_baccarat.audit import Collector, audit_batches, reduce_facts
from provably_fair_baccarat.audit.spark import spark_session
from provably_fair_baccarat.audit.specimens import Plan, specimen_batches, write_specimen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch
    from pyspark.sql import SparkSession

    from provably_fair_baccarat.audit import AuditResult
    from provably_fair_baccarat.audit.specimens import Planted

BUCKETS = 8
FACTS = "kind string, bucket int, payload binary"


def audit_partition(batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
    """Deal and settle every round of a partition again. What comes out is small: findings, counts, and facts about nonces."""
    return audit_batches(batches, buckets=BUCKETS)


def audit_folder(spark: SparkSession, folder: Path) -> AuditResult:
    """Audit all Parquet of a folder. The rounds stay where they are; only facts travel, so that those of a pair meet in one bucket."""
    rounds = spark.read.parquet(str(folder))
    facts = rounds.mapInArrow(audit_partition, FACTS)
    reduced = facts.repartition(BUCKETS, "bucket").mapInArrow(reduce_facts, FACTS)
    collector = Collector()
    for fact in reduced.toLocalIterator():
        collector.add(fact["kind"], bytes(fact["payload"]))
    return collector.finish(manifest={})


def make_month(folder: Path) -> list[Planted]:
    """A month over 200 seed pairs, with three faults in it; returns which."""
    planted: list[Planted] = []
    plan = Plan(20_000, pairs=200, chains=10, faults={"card": 1, "payment": 1, "missing": 1})
    write_specimen(specimen_batches(plan, planted), folder / "month.parquet")
    return planted


def tell(result: AuditResult) -> None:
    """The summary, as a backend would log it."""
    print(f"{result.rounds:,} rounds, {result.lines:,} bets, {result.pairs.pairs:,} seed pairs, {result.pairs.sound:,} of them sound.")
    for code, count in sorted(result.finding_counts.items()):
        print(f"{count:6,} {code}")
    for finding in sorted(map(str, result.findings)):
        print(finding)
    print("Every card, every payment and every nonce is right." if result.is_clean else "This audit failed.")


def main() -> int:
    """Audit the folder of the command line, or a month of this program's own. Returns 0 if all is right or as it was planted, else 1."""
    with TemporaryDirectory() as scratch, spark_session("local[2]") as spark:
        planted = [] if sys.argv[1:] else make_month(Path(scratch))
        result = audit_folder(spark, Path(sys.argv[1] if sys.argv[1:] else scratch))
    tell(result)
    expected = sorted((finding.code, finding.nonce) for fault in planted for finding in fault.expected)
    return 0 if sorted((finding.code, finding.nonce) for finding in result.findings) == expected else 1


if __name__ == "__main__":
    sys.exit(main())
