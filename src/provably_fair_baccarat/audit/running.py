"""The audit of everything at once: pieces of the input on threads, their facts on the disk, then bucket by bucket what only shows together.

Memory holds some pieces and some buckets, never all rounds. What is finished lies in the work directory, and is not done again.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np

from .. import __version__
from ..durable import refuse_existing
from ..errors import AuditError, BaccaratError, describe
from ..house.clock import utc_now
from ..records.spelling import write_time
from .arrow import ArrowException, pa
from .batches import BUCKETS, audit_batches
from .completeness import reduce_facts
from .databases import shown_command
from .facts import facts_batch, finding_fact, json_fact
from .findings import Finding
from .fragments import Fragment, write_fragment
from .pieces import Counted
from .readers import Input, inputs_of, pieces_of, stream_pieces
from .refusal_tally import digest_of_refused
from .refusals import gather_refusals, weigh_refusals
from .result import Collector
from .schema import ROUNDS, VERSION, require_columns
from .seed_book import SeedBook
from .settling import Settler
from .tables_of import read_refusals, read_seeds
from .work import plan_of, require_unchanged, work_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future

    from pyarrow import RecordBatch

    from ..canonical import Json
    from ..house.clock import Clock
    from ..rules.bets import Bet
    from ..rules.pay_table import PayTable
    from .pieces import Piece
    from .refusal_tally import Refused
    from .result import AuditResult

    Progress: TypeAlias = Callable[[int, "int | None"], object]

_ROWS_OF_BUCKET: Final = 1 << 20
_MOST_BUCKETS: Final = 1024
_BYTES_OF_ROW: Final = 32  # at least so much does a row take in a file
MAX_WORKERS: Final = 64
_KEPT: Final = 31 << 20


@runtime_checkable
class ArrowStream(Protocol):
    """Any table that speaks Arrow: of Polars, DuckDB, pandas, pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The PyCapsule of an Arrow stream."""
        ...


Source: TypeAlias = "str | Path | ArrowStream | Iterable[str | Path]"
"""What can be audited: a file, a folder, a house's database by its URL, several of them, or a table in memory."""


def audit(
    source: Source,
    *,
    seeds: str | Path | ArrowStream | None = None,
    refusals: str | Path | ArrowStream | None = None,
    pay_tables: Iterable[PayTable] = (),
    bets: Iterable[Bet] = (),
    work: str | Path | None = None,
    findings: str | Path | None = None,
    workers: int | None = None,
    path: str | None = None,
    progress: Progress | None = None,
    clock: Clock = utc_now,
    command: str | None = None,
) -> AuditResult:
    """Audit rounds: every card, every payment, every nonce.

    `seeds` and `refusals` are tables of these schemas, or files of them; a house's database brings its own. `pay_tables` are those of the
    operator that rounds name by their digest alone, `bets` the operator's own bets. `work` is a directory for what is finished: the same
    call again goes on from there. `findings` is a new file that gets every finding, a JSON line each, and has its name once all are in it. `workers` are threads, one for each
    processor unless told; `path` forces one of `kernel_info().paths`; `progress` is called with the rounds that are done, and how many
    there are where that is known.

    Raises AuditError for input that no audit can begin with, and OSError for files. What is wrong in the rounds is never raised: it is in
    the result.
    """
    started = write_time(clock())
    if workers is not None and not (type(workers) is int and 1 <= workers <= MAX_WORKERS):
        raise AuditError("workers", f"a whole number from 1 to {MAX_WORKERS}", describe(workers))
    pay_tables, bets = tuple(pay_tables), tuple(bets)
    inputs, pieces = _opened(source, (*bets, *(bet for table in pay_tables for bet in table.bets)))
    if work is not None and isinstance(source, ArrowStream):
        raise AuditError("work directory", "files to audit, which can be read again", "a table in memory")
    book = _book(seeds, inputs)
    refused = read_refusals(refusals, inputs)
    buckets = _buckets_for(inputs)
    _keep_memory()
    with ExitStack() as stack:
        told = None if findings is None else stack.enter_context(new_file(findings))
        gathered = None if refused is None else gather_refusals(refused)
        if work is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pfb-audit-")))
        else:
            plan = plan_of(inputs, buckets, book, _digest_of(pay_tables, bets), None if gathered is None else digest_of_refused(gathered))
            folder = stack.enter_context(work_folder(Path(work), plan))
        settler = Settler(pay_tables, bets)
        run = _Run(folder, buckets, book, gathered, settler, path, progress, _rows_of(inputs), is_durable=work is not None)
        pool = stack.enter_context(_threads(workers or os.cpu_count() or 1))
        digests = [pool.submit(given.digest) for given in inputs]
        collector = Collector(None if told is None else lambda line: told.write(line + b"\n"))
        fragments: list[Fragment] = []
        for fragment in run.audit_pieces(pool, pieces, 2 * (workers or os.cpu_count() or 1)):
            collector.add_fragment(fragment)
            fragments.append(fragment)
        for fragment in run.reduce_buckets(pool, fragments):
            collector.add_fragment(fragment)
        require_unchanged(inputs)
        manifest: dict[str, Json] = {
            "package": __version__,
            "schema_version": VERSION,
            "command": None if command is None else shown_command(command),
            "inputs": [
                {"name": given.name, "form": given.form, "bytes": given.size, "sha256": digest.result()}
                for given, digest in zip(inputs, digests, strict=True)
            ],
            "seeds": None if book is None else book.digest,
            "started_at": started,
            "ended_at": write_time(clock()),
        }
        return collector.finish(manifest, book, None if refused is None else weigh_refusals(refused, fragments, book))


def _keep_memory() -> None:
    """Have glibc keep memory that is freed, up to twice as much, and not give it back to the system for every array of a batch.

    It learns that from one large block; else a sixth of the time is spent on getting and clearing the same pages again and again.
    """
    np.empty(_KEPT, np.uint8)


def _opened(source: Source, own_bets: tuple[Bet, ...]) -> tuple[list[Input], Iterator[Piece]]:
    """What there is to audit, and its pieces."""
    if isinstance(source, ArrowStream):
        try:
            reader: Any = pa.RecordBatchReader.from_stream(source)
        except ArrowException as error:
            raise AuditError("table of rounds", "a stream of record batches", " ".join(str(error).split())[:200]) from None
        require_columns(reader.schema, ROUNDS)
        rows = getattr(source, "num_rows", None)
        return [Input("table", "table", count=rows if type(rows) is int else None)], stream_pieces(reader, "table")
    inputs = inputs_of([source] if isinstance(source, (str, Path)) else source)
    return inputs, (piece for given in inputs for piece in pieces_of(given, own_bets))


def _buckets_for(inputs: list[Input]) -> int:
    """So many buckets that each holds about a million rounds, as far as sizes tell."""
    known = [given.count if given.size is None else given.size // _BYTES_OF_ROW for given in inputs]
    counts = [count for count in known if count is not None]
    if len(counts) < len(known):
        return BUCKETS
    rows = sum(counts)
    return min(_MOST_BUCKETS, 1 << (rows // _ROWS_OF_BUCKET).bit_length())


@contextmanager
def _threads(count: int) -> Generator[ThreadPoolExecutor]:
    """Threads that stop at once where something fails."""
    pool = ThreadPoolExecutor(count, "audit")
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


def _digest_of(pay_tables: tuple[PayTable, ...], bets: tuple[Bet, ...]) -> str:
    names = [table.digest for table in pay_tables] + [bet.name for bet in bets]
    return sha256(" ".join(sorted(names)).encode()).hexdigest()


def _book(seeds: Any, inputs: list[Input]) -> SeedBook | None:
    table = read_seeds(seeds, inputs)
    return None if table is None else SeedBook.of(table)


def _rows_of(inputs: list[Input]) -> int | None:
    """How many rows there are, where all files tell it at once."""
    rows = [given.rows() for given in inputs]
    known = [count for count in rows if count is not None]
    return sum(known) if len(known) == len(rows) else None


@contextmanager
def new_file(name: str | Path) -> Generator[IO[bytes]]:
    """A file that was not there before, and gets its name only in the end: what a stopped audit leaves is overwritten by the next."""
    refuse_existing(name)
    path = Path(name)
    partial = path.with_name(f"{path.name}.partial")
    with partial.open("wb") as file:
        yield file
    partial.replace(path)


@dataclass(slots=True)
class _Run:
    """One audit at work in its directory."""

    folder: Path
    buckets: int
    book: SeedBook | None
    refused: Refused | None
    settler: Settler
    path: str | None
    progress: Progress | None
    total: int | None
    is_durable: bool
    done: int = 0

    def audit_pieces(self, pool: ThreadPoolExecutor, pieces: Iterator[Piece], most: int) -> Iterator[Fragment]:
        """The fragments of all pieces, in order, each as soon as it is there; at most so many pieces are held at a time."""
        waiting: deque[tuple[Path, Future[int | None]]] = deque()
        for number, piece in enumerate(pieces):
            if len(waiting) >= most:
                yield self._finished(*waiting.popleft())
            file = self.folder / f"piece-{number:06}.facts"
            waiting.append((file, pool.submit(self._audit_piece, piece, file)))
        while waiting:
            yield self._finished(*waiting.popleft())

    def _finished(self, file: Path, rows: Future[int | None]) -> Fragment:
        self.done += rows.result() or 0
        if self.progress is not None:
            self.progress(self.done, self.total)
        return Fragment(file)

    def _audit_piece(self, piece: Piece, file: Path) -> int | None:
        if file.exists():
            Fragment(file).require_whole()
        else:
            write_fragment(file, self._facts(piece), is_durable=self.is_durable)
        return piece.rows

    def _facts(self, piece: Piece) -> Iterator[RecordBatch]:
        """The facts of a piece: of its rows, and of what is no row."""
        others: list[Finding] = []
        counted = [0, 0]

        def rows() -> Iterator[RecordBatch]:
            try:
                for read in piece.read():
                    if isinstance(read, Finding):
                        others.append(read)
                    elif isinstance(read, Counted):
                        counted[0] += read.rounds
                        counted[1] += read.lines
                    else:
                        yield read
            except (OSError, ArrowException) as error:
                others.append(Finding("file", "a table of rounds", " ".join(str(error).split())[:200], piece.source))

        try:
            yield from audit_batches(
                rows(),
                settler=self.settler,
                seeds=self.book,
                refused=self.refused,
                buckets=self.buckets,
                source=piece.source,
                first_row=piece.first_row,
                path=self.path,
            )
        except BaccaratError as error:
            others.append(Finding("file", error.expected, error.found, piece.source, hint=error.hint))
        counts = Counter(finding.code for finding in others)
        last = json_fact("counts", {"rounds": counted[0], "lines": counted[1], "findings": dict(counts)})
        yield facts_batch([last, *map(finding_fact, others)])

    def reduce_buckets(self, pool: ThreadPoolExecutor, fragments: list[Fragment]) -> list[Fragment]:
        """The fragments of all buckets, in order."""

        def reduce(bucket: int, file: Path) -> None:
            facts = (batch for fragment in fragments for batch in fragment.facts(bucket))
            write_fragment(file, reduce_facts(facts, seeds=self.book), is_durable=self.is_durable)

        files = [self.folder / f"bucket-{bucket:04}.facts" for bucket in range(self.buckets)]
        for each in [pool.submit(reduce, bucket, file) for bucket, file in enumerate(files) if not file.exists()]:
            each.result()
        return list(map(Fragment, files))
