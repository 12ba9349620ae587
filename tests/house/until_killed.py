"""What programs that are killed have in common, and how the tests kill them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from provably_fair_baccarat.house import SqliteStore


def open_store(database):
    """The store of a file, or of PostgreSQL by its URL."""
    if database.startswith("postgresql:"):
        from provably_fair_baccarat.house import PostgresStore

        return PostgresStore(database)
    return SqliteStore(database)


def tell(*words):
    """Write a line in one piece: what was acknowledged is told whole or not at all."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def lines_until_killed(seconds, program, *arguments):
    """Run a program, kill it so long after its first line, and return what it told."""
    with subprocess.Popen([sys.executable, program, *map(str, arguments)], stdout=subprocess.PIPE) as process:
        first = process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        lines = (first + process.stdout.read()).decode().splitlines()
    assert process.returncode == -signal.SIGKILL
    return lines


def all_rounds(house, bettor):
    """Every round of a bettor, page by page."""
    after = None
    while True:
        page = house.history(bettor=bettor, after=after, limit=1000)
        yield from page.rounds
        after = page.next
        if after is None:
            return
