"""How many durable rounds a House plays per second on PostgreSQL: one caller, 32 threads, a thousand at a time; and what a round takes on disk.

Every round is the whole path: limits, nonce, ledger, dealing, settling, COMMIT on the disk, record. Beside each figure stands its ratio to
the floor, a bare one-row commit of one caller on the same server, measured between the runs. Medians of several runs.

    python benchmarks/house_postgres.py [URL]

Without a URL it starts a server of its own as the tests do, and measures over loopback TCP. With one, the database must be empty.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import psycopg

from provably_fair_baccarat.house import BetRequest, House, Vault
from provably_fair_baccarat.house.postgres import PostgresStore

RUNS = 5
COMMITS = 1_500
ONE_CALLER = 1_500
THREADS, OF_EACH = 32, 100
MANY = 1_000
BETS = {"player": 500, "tie": 20}

_keys = count()


def key() -> str:
    """A key like those that backends make: 36 characters."""
    return f"018f3a5e-7b1c-7def-8a90-{next(_keys):012d}"


class Table:
    """A house with a pair for each of its bettors."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.house = House(PostgresStore(url), Vault(lambda _: b"k" * 32, "key"), currency=("USD", 2), cap=10**7)
        self.pairs = []
        for number in range(THREADS):
            bettor = f"bettor {number}"
            self.house.deposit(bettor, 10**12, "deposit")
            self.pairs.append(self.house.choose_client_seed(self.house.commit(bettor), "lucky 8s"))
        self.bare = psycopg.connect(url, autocommit=True)
        self.bare.execute("CREATE TABLE IF NOT EXISTS bare (n integer)")

    def floor(self) -> float:
        """Bare one-row commits per second, durable like the house's."""
        start = perf_counter()
        for number in range(COMMITS):
            self.bare.execute("INSERT INTO bare VALUES (%s)", (number,), prepare=True)
        return COMMITS / (perf_counter() - start)

    def one_caller(self) -> float:
        """Rounds per second of one caller."""
        pair = self.pairs[0]
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
        """Bytes of the house's tables and indexes."""
        ((size,),) = self.bare.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'house'::regnamespace AND relkind = 'r'"
        ).fetchall()
        return int(size)


def measure(url: str) -> None:
    """Measure in turns, so that whatever slows the machine down slows everything down."""
    table = Table(url)
    table.one_caller()
    table.threads()
    empty, before = table.size(), next(_keys)
    floors, ones, threads, latencies, many = [], [], [], [], []
    for _ in range(RUNS):
        floors.append(table.floor())
        ones.append(table.one_caller())
        rate, latency = table.threads()
        threads.append(rate)
        latencies.append(latency)
        many.append(median(table.many() for _ in range(3)))
    rounds = next(_keys) - before - 1
    bare = median(floors)
    print(f"{'':44}{'per second':>12}{'x floor':>10}")
    for what, rates in (
        ("bare one-row commits (the floor)", floors),
        ("rounds, one caller", ones),
        (f"rounds, {THREADS} threads", threads),
        (f"rounds, play_many({MANY})", many),
    ):
        print(f"{what:44}{median(rates):12,.0f}{median(rates) / bare:10.2f}")
    print(f"{f'99 of 100 answers to {THREADS} threads within, ms':44}{median(latencies):12.1f}")
    print(f"{'bytes for a round, tables and indexes':44}{(table.size() - empty) / rounds:12.0f}")
    table.bare.close()
    table.house.close()


def main() -> None:
    """Measure on the given database, or on a server that lives as long as this program."""
    if len(sys.argv) > 1:
        return measure(sys.argv[1])
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "house"))
    from postgres_server import shared_server  # noqa: PLC0415 (where the tests are)

    return measure(shared_server().url(over_tcp=True))


if __name__ == "__main__":
    main()
