"""The audit on Apache Spark: the same two functions as everywhere, over the partitions of a DataFrame.

    rounds -- audit_batches --> facts -- by bucket --> reduce_facts --> the driver

Rounds stay where they are. Only facts are shuffled, so that those of a pair come together and completeness is exact, and only what
`reduce_facts` leaves comes to the driver, partition after partition. Every machine needs this package and its extra `audit`.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

try:
    from pyspark import StorageLevel
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import functions as sql
except ImportError as error:  # pragma: no cover (only where the extra is absent)
    raise ImportError("Audits on Spark need an extra: pip install 'provably-fair-baccarat[spark]'") from error

from .. import __version__
from ..errors import AuditError, describe
from ..house.clock import utc_now
from ..records.spelling import write_time
from .arrow import pa
from .batches import BUCKETS, MAX_BUCKETS, audit_batches
from .completeness import reduce_facts
from .databases import shown_command
from .facts import FACTS
from .result import Collector
from .schema import ROUNDS, VERSION, require_kinds, require_names
from .seed_book import SeedBook
from .settling import Settler
from .tables_of import read_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from pyarrow import RecordBatch

    from ..canonical import Json
    from ..house.clock import Clock
    from ..rules.bets import Bet
    from ..rules.pay_table import PayTable
    from .result import AuditResult

_FACTS: Final = ", ".join(f"{name} {kind}" for name, kind in zip(FACTS.names, ("string", "int", "binary"), strict=True))
"""The schema of facts as Spark spells it."""

SparkFailure: Final[type[Exception]] = PySparkException
"""What Spark raises where it refuses or fails."""

_FEWEST: Final = 8

_LOG: Final = """
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c{1}: %m%n
"""
"""What Spark logs on this machine: errors, to standard error."""


def audit_on_spark(
    rounds: DataFrame | str | Path | Iterable[str | Path],
    *,
    spark: SparkSession | None = None,
    seeds: Any = None,
    pay_tables: Iterable[PayTable] = (),
    bets: Iterable[Bet] = (),
    buckets: int | None = None,
    tell: Callable[[bytes], object] | None = None,
    clock: Clock = utc_now,
    command: str | None = None,
) -> AuditResult:
    """Audit rounds on Spark: every card, every payment, every nonce.

    `rounds` is a DataFrame with the columns of `ROUNDS`, or Parquet files by their names, which findings then name with their rows. `spark`
    is the session, the active one unless told. `seeds`, `pay_tables` and `bets` are those of `audit`; the operator's own bets travel to the
    machines. `buckets` is into how many partitions the facts are shuffled, four for each task that runs at once unless told; `tell` gets
    every finding as a line of JSON. The result is that of `audit`, its findings in an order of their own.

    Raises AuditError for input that no audit can begin with, and what Spark raises where it fails.
    """
    if buckets is not None and (type(buckets) is not int or not 1 <= buckets <= MAX_BUCKETS):
        raise AuditError("buckets", f"a whole number from 1 to {MAX_BUCKETS}", describe(buckets))
    started = write_time(clock())
    table = read_seeds(seeds, [])
    book = None if table is None else SeedBook.of(table)
    inputs, frame = _frame(rounds, spark)
    parts = _parts(frame) if buckets is None else buckets
    audit, reduce = _auditor(tuple(pay_tables), tuple(bets), book, parts), _reducer(book)
    facts = frame.mapInArrow(audit, _FACTS).repartition(parts, "bucket").mapInArrow(reduce, _FACTS)
    collector = Collector(tell)
    for row in _rows(facts.select("kind", "payload")):
        collector.add(row["kind"], bytes(row["payload"]))
    manifest: dict[str, Json] = {
        "package": __version__,
        "schema_version": VERSION,
        "command": None if command is None else shown_command(command),
        "inputs": [{"name": name, "form": "spark", "bytes": None, "sha256": None} for name in inputs],
        "seeds": None if book is None else book.digest,
        "started_at": started,
        "ended_at": write_time(clock()),
    }
    return collector.finish(manifest, book)


@contextmanager
def spark_session(master: str) -> Generator[SparkSession, None, None]:
    """A session that is stopped in the end; one that is active already is taken, and left as it is. Raises AuditError where there is no Java.

    One on this machine (`local[4]`) is quiet, its Python is this one, nothing listens to the outside, and no folders are left behind.
    """
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise AuditError("Java for Spark", "java on the path, or JAVA_HOME", "neither")
    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    builder: Any = SparkSession.builder
    builder = builder.master(master).appName("pfb audit")
    with tempfile.TemporaryDirectory(prefix="pfb-spark-") as folder:
        if master.startswith("local"):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            for name, value in _local_options(Path(folder)).items():
                builder = builder.config(name, value)
        session: SparkSession = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()


def _local_options(folder: Path) -> dict[str, str]:
    log = folder / "log4j2.properties"
    log.write_text(_LOG, encoding="utf-8")
    return {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={log.as_uri()}",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder),
    }


def _frame(rounds: DataFrame | str | Path | Iterable[str | Path], spark: SparkSession | None) -> tuple[list[str], DataFrame]:
    """The rounds with the columns that an audit reads, with source and row where they are known, and the names of what was read."""
    if isinstance(rounds, DataFrame):
        return ["DataFrame"], _with_places(rounds, sql.lit(None).cast("string"), sql.lit(None).cast("long"))
    session = SparkSession.getActiveSession() if spark is None else spark
    if session is None:
        raise AuditError("Spark session", "an active one, or one that is handed over", "none")
    names = [str(name) for name in ([rounds] if isinstance(rounds, (str, Path)) else rounds)]
    frame = session.read.parquet(*names)
    return names, _with_places(frame, sql.col("_metadata.file_path"), sql.col("_metadata.row_index") + 1)


def _parts(frame: DataFrame) -> int:
    """Into how many parts the facts go where nobody says it."""
    try:
        at_once = frame.sparkSession.sparkContext.defaultParallelism
    except PySparkException:  # a session of Spark Connect does not tell
        return BUCKETS
    return min(max(4 * at_once, _FEWEST), MAX_BUCKETS)


def _rows(frame: DataFrame) -> Iterator[Any]:
    """The rows of a frame, computed side by side and fetched partition after partition."""
    kept = frame.persist(StorageLevel.DISK_ONLY)
    try:
        kept.count()
        yield from kept.toLocalIterator()
    finally:
        kept.unpersist()


def _with_places(frame: DataFrame, source: Any, row: Any) -> DataFrame:
    require_names(frame.columns, ROUNDS)
    require_kinds(pa.schema([(each.name, _kind(each.dataType)) for each in frame.schema if each.name in ROUNDS.names]), ROUNDS)
    columns: list[Any] = [name for name in frame.columns if name in ROUNDS.names]
    for name, place in (("source", source), ("row", row)):
        if name not in frame.columns:
            columns.append(place.alias(name))
    return frame.select(*columns)


def _kind(given: Any) -> Any:
    """A type of Spark as far as `require_kinds` looks at it; any other is as good as a whole number."""
    name = given.typeName()
    if name == "array":
        return pa.list_(_kind(given.elementType))
    if name == "struct":
        return pa.struct([(part.name, _kind(part.dataType)) for part in given])
    return _KINDS.get(name, pa.int64())


_KINDS: Final[dict[str, Any]] = {
    "double": pa.float64(),
    "float": pa.float32(),
    "string": pa.string(),
    "timestamp": pa.timestamp("us", "UTC"),
    "timestamp_ntz": pa.timestamp("us"),
    "void": pa.null(),
}


def _auditor(
    pay_tables: tuple[PayTable, ...], bets: tuple[Bet, ...], book: SeedBook | None, buckets: int
) -> Callable[[Iterable[RecordBatch]], Iterator[RecordBatch]]:
    """What each partition of the rounds goes through. It travels with all that it needs."""

    def audit(batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
        return audit_batches(batches, settler=Settler(pay_tables, bets), seeds=book, buckets=buckets)

    return audit


def _reducer(book: SeedBook | None) -> Callable[[Iterable[RecordBatch]], Iterator[RecordBatch]]:
    """What each partition of the facts goes through, which has all those of its buckets."""

    def reduce(batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
        return reduce_facts(batches, seeds=book)

    return reduce


__all__ = ["SparkFailure", "audit_on_spark", "spark_session"]
