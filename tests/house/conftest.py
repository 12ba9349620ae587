"""What the house's tests share: engines that stores run on, houses over them, a clock that ticks and entropy that repeats.

An engine opens stores on one database, and reaches around them with SQL, as an attacker or an accident would. The contract's tests take the
`engine` fixture and nothing of any particular database; another engine joins in ENGINES.
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from threading import Lock

import pytest

from provably_fair_baccarat.house import House, SqliteStore, Vault

from .postgres_engine import PostgresEngine

KEYS = {"k1": b"1" * 32, "k2": b"2" * 32}


class SqliteEngine:
    name = "sqlite"

    def __init__(self, folder):
        self.path = folder / "house.db"
        self.stores = []

    def open(self, **options):
        store = SqliteStore(self.path, **options)
        self.stores.append(store)
        return store

    def tamper(self, statement, values=()):
        """Run SQL behind the house's back, with every trigger out of the way."""
        database = sqlite3.connect(self.path, isolation_level=None)
        try:
            for (trigger,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                database.execute(f"DROP TRIGGER {trigger}")
            return database.execute(statement, values).rowcount
        finally:
            database.close()

    def query(self, statement, values=()):
        database = sqlite3.connect(self.path)
        try:
            return database.execute(statement, values).fetchall()
        finally:
            database.close()

    def attempt(self, statement, values=()):
        """Run SQL as anybody could, triggers and all; returns the refusal."""
        database = sqlite3.connect(self.path, isolation_level=None)
        try:
            with pytest.raises(sqlite3.Error) as caught:
                database.execute(statement, values)
            return str(caught.value)
        finally:
            database.close()

    def close(self):
        for store in self.stores:
            store.close()


ENGINES = {"sqlite": SqliteEngine, "postgres": PostgresEngine}

ON_FILES = ("test_in_no_byte_of_the_database_until_it_is_revealed[postgres]",)
"""Tests that look at a database's file; for PostgreSQL the same is in test_postgres.py."""


def pytest_collection_modifyitems(config, items):
    config.hook.pytest_deselected(items=[item for item in items if item.name in ON_FILES])
    items[:] = [item for item in items if item.name not in ON_FILES]


class Clock:
    """A clock that is one second later whenever it is asked."""

    def __init__(self):
        self.now = datetime(2026, 11, 29, 12, tzinfo=UTC)
        self.lock = Lock()

    def __call__(self):
        with self.lock:
            self.now += timedelta(seconds=1, microseconds=7)
            return self.now


def repeating_entropy(seed="tests"):
    """Bytes that look random and are the same in every run."""
    counter = count()
    return lambda size: sha256(f"{seed}:{next(counter)}".encode()).digest()[:size]


def make_vault(key_id="k1", keys=KEYS):
    return Vault(keys.__getitem__, key_id)


@pytest.fixture(params=list(ENGINES))
def engine(request, tmp_path):
    engine = ENGINES[request.param](tmp_path)
    yield engine
    engine.close()


@pytest.fixture
def open_house(engine):
    """Opens houses on the engine, one after another: each closes the one before."""
    clock, entropy = Clock(), repeating_entropy()

    def open_(**options):
        for store in engine.stores:
            store.close()
        options = {"clock": clock, "entropy": entropy, "vault": make_vault(), "currency": ("USD", 2), **options}
        return House(engine.open(), options.pop("vault"), **options)

    return open_


@pytest.fixture
def house(open_house):
    return open_house()


@pytest.fixture
def pair(house):
    """An active pair of a bettor with money."""
    house.deposit("ann", 1_000_000, "first deposit")
    return house.choose_client_seed(house.commit("ann"), "lucky 8s")
