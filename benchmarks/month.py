"""A month of a large house: many rounds made, audited in any order of rows, and how fast and in how much memory.

Run it with the package on the path and its extra `audit`: `python benchmarks/month.py --rounds 5_000_000`. A hundred million rounds over a
million seed pairs, which is what it does unless told, take some 20 GB of disk below `--folder` and some minutes on two cores. The files hold
rows in a random order, a piece at a time: no file holds a pair in one place. Every `--fault-every`-th pair has a fault, and the audit must find
exactly what these faults must give.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from provably_fair_baccarat.audit import audit
from provably_fair_baccarat.audit.specimens import FAULTS, Plan, specimen_batches, write_specimen
from provably_fair_baccarat.audit.specimens.faults import of_chains
from provably_fair_baccarat.audit.specimens.specimen import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provably_fair_baccarat.audit.specimens import Planted

PIECE = 1 << 20


def plan_of(rounds: int, pairs: int, faults: int) -> Plan:
    kinds = [kind for kind in FAULTS if not of_chains(kind)]
    return Plan(rounds, bytes(range(32)), pairs=pairs, faults={kind: -(-faults // len(kinds)) for kind in kinds} if faults else {})


def pieces(plan: Plan, planted: list[Planted]) -> Iterator[Any]:
    """Tables of about a million rounds in a random order."""
    chance, held, size = np.random.default_rng(1), [], 0
    for batch in specimen_batches(plan, planted):
        held.append(batch)
        size += batch.num_rows
        if size >= PIECE:
            yield shuffled(held, chance)
            held, size = [], 0
    if held:
        yield shuffled(held, chance)


def shuffled(batches: list[Any], chance: np.random.Generator) -> Any:
    table = pa.Table.from_batches(batches, SCHEMA)
    return table.take(pa.array(chance.permutation(table.num_rows)))


def write_month(plan: Plan, folder: Path, files: int) -> list[Planted]:
    """Write so many files at once, each with a part of every piece, so that rows of a pair lie in many files."""
    planted: list[Planted] = []
    for number, table in enumerate(pieces(plan, planted)):
        step = -(-table.num_rows // files)
        for place in range(files):
            part = table.slice(place * step, step)
            if part.num_rows:
                write_specimen(part.to_batches(), folder / f"{place:02}-{number:04}.parquet")
    return planted


def audit_alone(folder: Path, workers: int | None) -> tuple[int, Counter[str], float, float]:
    """The rounds, the findings of each kind, the seconds and the peak memory: of a process that has made nothing."""
    start = perf_counter()
    result = audit(folder, workers=workers, findings=folder.with_suffix(".jsonl"))
    return result.rounds, Counter(result.finding_counts), perf_counter() - start, peak()


def peak() -> float:
    """The most memory that this program has had, in MB.

    Linux's `getrusage` remembers what the program that began this one had, so the kernel's account of this one is read where there is one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = (line.split() for line in status.read_text().splitlines())
        return next(int(words[1]) for words in lines if words[0] == "VmHWM:") * 1024 / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most / 1e3


def main() -> int:
    """Make and audit; 1 where the audit did not find exactly what was planted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000_000)
    parser.add_argument("--pairs", type=int, help="a hundredth of the rounds unless told")
    parser.add_argument("--faults", type=int, default=230, help="how many faults are planted, about")
    parser.add_argument("--files", type=int, default=4, help="over how many files each million of rounds is spread")
    parser.add_argument("--workers", type=int, help="threads of the audit")
    parser.add_argument("--folder", type=Path, help="where the files go; a temporary folder unless told")
    arguments = parser.parse_args()
    pairs = arguments.pairs or max(1, arguments.rounds // 100)
    folder = Path(tempfile.mkdtemp(prefix="pfb-month-", dir=arguments.folder))
    try:
        start = perf_counter()
        planted = write_month(plan_of(arguments.rounds, pairs, arguments.faults), folder, arguments.files)
        seconds = perf_counter() - start
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(
            f"made and written  {arguments.rounds:,} rounds, {pairs:,} pairs, {size / 1e9:.2f} GB: {arguments.rounds / seconds:,.0f} rounds/s"
        )
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
            rounds, found, seconds, memory = alone.submit(audit_alone, folder, arguments.workers).result()
        print(f"audited  {rounds:,} rounds: {rounds / seconds:,.0f} rounds/s, peak memory {memory:,.0f} MB")
        expected = Counter(finding.code for fault in planted for finding in fault.expected)
        print(f"findings  {found.total():,}, planted {expected.total():,}")
        return int(expected != found)
    finally:
        shutil.rmtree(folder)
        folder.with_suffix(".jsonl").unlink(missing_ok=True)


if __name__ == "__main__":
    raise SystemExit(main())
