"""How many durable rounds a House plays per second: one caller, 32 threads, and a thousand at a time; and what a round takes on disk.

Every round is the whole path: limits, nonce, ledger, dealing, settling, COMMIT on the disk, record. Beside each figure stands its ratio to
the floor, a bare one-row commit of the same database engine in the same folder, measured between the runs. Medians of several runs.

Run it with the package on the path: `python benchmarks/house.py [FOLDER]`; the folder should be on the disk in question.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from playing import BETS, MANY, THREADS, Table, key, show_rates

from provably_fair_baccarat.house import House, SqliteStore, Vault

RUNS = 5
COMMITS = 2_000
ONE_CALLER = 2_000
OF_EACH = 150


def floor(folder: Path) -> float:
    """Bare one-row commits per second, durable like the house's."""
    database = sqlite3.connect(folder / "floor.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE IF NOT EXISTS row (n INTEGER) STRICT")
    start = perf_counter()
    for number in range(COMMITS):
        database.execute("INSERT INTO row VALUES (?)", (number,))
    rate = COMMITS / (perf_counter() - start)
    database.close()
    return rate


def size(path: Path) -> int:
    """Bytes of the database, with nothing left in the log."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return path.stat().st_size


def measure(folder: Path) -> None:
    """Measure in turns, so that whatever slows the machine down slows everything down."""
    store, vault = SqliteStore(folder / "house.db"), Vault(lambda _: b"k" * 32, "key")
    table = Table(House(store, vault, currency=("USD", 2), cap=10**7))
    start = perf_counter()
    chained = House(store, vault, currency=("USD", 2), chain_length=1_000_000).commit("bettor 0")
    commit_time = perf_counter() - start
    chained = table.house.choose_client_seed(chained, "lucky 8s")
    table.house.play(chained, BETS, key())
    empty = size(folder / "house.db")
    floors, ones, chains, threads, latencies, many = [], [], [], [], [], []
    for _ in range(RUNS):
        floors.append(floor(folder))
        ones.append(table.one_caller(ONE_CALLER))
        chains.append(table.one_caller(ONE_CALLER, chained))
        rate, latency = table.threads(OF_EACH)
        threads.append(rate)
        latencies.append(latency)
        many.append(table.many())
    show_rates(
        {
            "bare one-row commits (the floor)": floors,
            "rounds, one caller": ones,
            "rounds, one caller, a million links": chains,
            f"rounds, {THREADS} threads": threads,
            f"rounds, play_many({MANY})": many,
        }
    )
    print(f"{f'99 of 100 answers to {THREADS} threads within, ms':44}{median(latencies):12.1f}")
    print(f"{'bytes for a round, in the file':44}{(size(folder / 'house.db') - empty) / table.played:12.0f}")
    print(f"{'a commit to a million links, s':44}{commit_time:12.2f}")
    table.house.close()


def main() -> None:
    """Measure in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        measure(Path(name))


if __name__ == "__main__":
    main()
