"""How many durable rounds a House plays per second: one caller, 32 threads, and a thousand at a time; and what a round takes on disk.

Every round is the whole path: limits, nonce, ledger, dealing, settling, COMMIT on the disk, record. Beside each figure stands its ratio to
the floor, a bare one-row commit of the same database engine in the same folder, measured between the runs. Medians of several runs.

Run it with the package on the path: `python benchmarks/house.py [FOLDER]`; the folder should be on the disk in question.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from provably_fair_baccarat.house import BetRequest, House, SeedPair, SqliteStore, Vault

RUNS = 5
COMMITS = 2_000
ONE_CALLER = 2_000
THREADS, OF_EACH = 32, 150
MANY = 1_000
BETS = {"player": 500, "tie": 20}

_keys = count()


def key() -> str:
    """A key like those that backends make: 36 characters."""
    return f"018f3a5e-7b1c-7def-8a90-{next(_keys):012d}"


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


class Table:
    """A house with a pair for each of its bettors."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "house.db"
        store, vault = SqliteStore(self.path), Vault(lambda _: b"k" * 32, "key")
        self.house = House(store, vault, currency=("USD", 2), cap=10**7)
        self.pairs = []
        for number in range(THREADS):
            bettor = f"bettor {number}"
            self.house.deposit(bettor, 10**12, "deposit")
            self.pairs.append(self.house.choose_client_seed(self.house.commit(bettor), "lucky 8s"))
        start = perf_counter()
        chained = House(store, vault, currency=("USD", 2), chain_length=1_000_000).commit("bettor 0")
        self.commit_time = perf_counter() - start
        self.chained = self.house.choose_client_seed(chained, "lucky 8s")
        self.house.play(self.chained, BETS, key())

    def one_caller(self, pair: SeedPair) -> float:
        """Rounds per second of one caller."""
        start = perf_counter()
        for _ in range(ONE_CALLER):
            self.house.play(pair, BETS, key())
        return ONE_CALLER / (perf_counter() - start)

    def threads(self) -> tuple[float, float]:
        """Rounds per second of 32 threads, and the milliseconds within which 99 of 100 were answered."""

        def play(thread: int) -> list[float]:
            times = []
            for _ in range(OF_EACH):
                start = perf_counter()
                self.house.play(self.pairs[thread], BETS, key())
                times.append(perf_counter() - start)
            return times

        with ThreadPoolExecutor(THREADS) as pool:
            start = perf_counter()
            times = [time for thread in pool.map(play, range(THREADS)) for time in thread]
            rate = len(times) / (perf_counter() - start)
        return rate, 1000 * quantiles(times, n=100)[98]

    def many(self) -> float:
        """Rounds per second of one caller that plays a thousand at a time."""
        requests = [BetRequest(self.pairs[number % THREADS], BETS, key()) for number in range(MANY)]
        start = perf_counter()
        self.house.play_many(requests)
        return MANY / (perf_counter() - start)

    def size(self) -> int:
        """Bytes of the database, with nothing left in the log."""
        database = sqlite3.connect(self.path)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        return self.path.stat().st_size


def main() -> None:
    """Measure in turns, so that whatever slows the machine down slows everything down."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        folder = Path(name)
        table = Table(folder)
        empty = table.size()
        floors, ones, chained, threads, latencies, many = [], [], [], [], [], []
        for _ in range(RUNS):
            floors.append(floor(folder))
            ones.append(table.one_caller(table.pairs[0]))
            chained.append(table.one_caller(table.chained))
            rate, latency = table.threads()
            threads.append(rate)
            latencies.append(latency)
            many.append(table.many())
        rounds = RUNS * (2 * ONE_CALLER + THREADS * OF_EACH + MANY)
        bare = median(floors)
        print(f"{'':44}{'per second':>12}{'x floor':>10}")
        for what, rates in (
            ("bare one-row commits (the floor)", floors),
            ("rounds, one caller", ones),
            ("rounds, one caller, a million links", chained),
            (f"rounds, {THREADS} threads", threads),
            (f"rounds, play_many({MANY})", many),
        ):
            print(f"{what:44}{median(rates):12,.0f}{median(rates) / bare:10.2f}")
        print(f"{f'99 of 100 answers to {THREADS} threads within, ms':44}{median(latencies):12.1f}")
        print(f"{'bytes for a round, in the file':44}{(table.size() - empty) / rounds:12.0f}")
        print(f"{'a commit to a million links, s':44}{table.commit_time:12.2f}")
        table.house.close()


if __name__ == "__main__":
    main()
