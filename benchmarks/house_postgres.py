"""How many durable rounds a House plays per second on PostgreSQL: one caller, 32 threads, a thousand at a time; and what a round takes on disk.

Every round is the whole path: limits, nonce, ledger, dealing, settling, COMMIT on the disk, record. Beside each figure stands its ratio to
the floor, a bare one-row commit of one caller on the same server, measured between the runs. Medians of several runs.

    python benchmarks/house_postgres.py [URL]

Without a URL it starts a server of its own as the tests do, and measures over loopback TCP. With one, the database must be empty.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import psycopg
from playing import MANY, THREADS, Table, show_rates

from provably_fair_baccarat.house import House, Vault
from provably_fair_baccarat.house.postgres import PostgresStore

RUNS = 5
COMMITS = 1_500
ONE_CALLER = 1_500
OF_EACH = 100


def floor(bare: psycopg.Connection[Any]) -> float:
    """Bare one-row commits per second, durable like the house's."""
    start = perf_counter()
    for number in range(COMMITS):
        bare.execute("INSERT INTO bare VALUES (%s)", (number,), prepare=True)
    return COMMITS / (perf_counter() - start)


def size(bare: psycopg.Connection[Any]) -> int:
    """Bytes of the house's tables and indexes."""
    ((found,),) = bare.execute(
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'house'::regnamespace AND relkind = 'r'"
    ).fetchall()
    return int(found)


def measure(url: str) -> None:
    """Measure in turns, so that whatever slows the machine down slows everything down."""
    table = Table(House(PostgresStore(url), Vault(lambda _: b"k" * 32, "key"), currency=("USD", 2), cap=10**7))
    with psycopg.connect(url, autocommit=True) as bare:
        bare.execute("CREATE TABLE IF NOT EXISTS bare (n integer)")
        table.one_caller(ONE_CALLER)
        table.threads(OF_EACH)
        empty, before = size(bare), table.played
        floors, ones, threads, latencies, many = [], [], [], [], []
        for _ in range(RUNS):
            floors.append(floor(bare))
            ones.append(table.one_caller(ONE_CALLER))
            rate, latency = table.threads(OF_EACH)
            threads.append(rate)
            latencies.append(latency)
            many.append(median(table.many() for _ in range(3)))
        show_rates(
            {
                "bare one-row commits (the floor)": floors,
                "rounds, one caller": ones,
                f"rounds, {THREADS} threads": threads,
                f"rounds, play_many({MANY})": many,
            }
        )
        print(f"{f'99 of 100 answers to {THREADS} threads within, ms':44}{median(latencies):12.1f}")
        print(f"{'bytes for a round, tables and indexes':44}{(size(bare) - empty) / (table.played - before):12.0f}")
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
