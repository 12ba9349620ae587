"""SQLite's own: migrations, triggers, the one writer, and a disk, file or lock that says no."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count

import pytest

from provably_fair_baccarat.errors import (
    PairStateError,
    SchemaError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from provably_fair_baccarat.house import BetRequest, House, SqliteStore
from provably_fair_baccarat.house.sqlite import Migration, betting, money
from provably_fair_baccarat.house.sqlite.schema import MIGRATIONS
from provably_fair_baccarat.house.sqlite.writer import Writer

from .before_chains import before_chains
from .conftest import SqliteEngine, make_vault


@pytest.fixture
def engine(tmp_path):
    engine = SqliteEngine(tmp_path)
    yield engine
    engine.close()


LATER = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "later", "-- a comment; with a semicolon\nCREATE TABLE later (a TEXT) STRICT;"))


# Migrations


def test_a_new_file_has_every_migration(engine):
    engine.open()
    assert [step.is_applied for step in SqliteStore.migration_status(engine.path)] == [True] * len(MIGRATIONS)
    logged = engine.query("SELECT number, name, checksum FROM schema_migration")
    assert logged == [(step.number, step.name, step.checksum) for step in MIGRATIONS]
    assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_an_older_file_asks_to_be_migrated_and_keeps_its_rows(engine):
    house = House(engine.open(), make_vault())
    house.deposit("ann", 5, "key")
    house.close()
    with pytest.raises(SchemaError, match=r"older\. Back it up"):
        engine.open(migrations=LATER)
    with pytest.raises(SchemaError, match="older"):
        engine.open(migrations=LATER, is_read_only=True)
    assert [step.is_applied for step in SqliteStore.migration_status(engine.path, migrations=LATER)] == [True] * len(MIGRATIONS) + [False]
    for _ in range(2):
        assert all(step.is_applied for step in SqliteStore.migrate(engine.path, migrations=LATER))
    assert House(engine.open(migrations=LATER), make_vault()).balance("ann") == 5


def test_pairs_of_before_there_were_chains_go_on(engine):
    """How far their coups are settled in order is counted when the column is added; what is open and what is owed is added up."""
    SqliteStore.migrate(engine.path, migrations=MIGRATIONS[:1])
    with closing(sqlite3.connect(engine.path)) as database, database:
        for statement in before_chains("0"):
            database.execute(statement)
        for nonce in (1, 3):
            database.execute("INSERT INTO open_round (round, account) VALUES (?, 3)", (nonce + 1,))
    SqliteStore.migrate(engine.path)
    rows = {row.number: row for row in engine.open().pairs("ann", "")}
    assert {number: (row.settled_in_order, row.chain_anchor, row.newest_link) for number, row in rows.items()} == {
        1: (1, None, None),
        2: (7, None, None),
    }
    assert engine.query("SELECT number, exposed, owed FROM account") == [(1, "0", "0"), (3, "20", "30")]


def test_a_newer_file_is_left_alone(engine):
    engine.open(migrations=LATER).close()
    before = engine.path.read_bytes()
    for call in (engine.open, lambda: SqliteStore.migrate(engine.path), lambda: SqliteStore.migration_status(engine.path)):
        with pytest.raises(SchemaError, match="newer"):
            call()
    assert engine.path.read_bytes() == before


def test_a_changed_migration_is_noticed(engine):
    engine.open().close()
    changed = (MIGRATIONS[0], Migration(2, MIGRATIONS[1].name, MIGRATIONS[1].sql + "\n"), *MIGRATIONS[2:])
    with pytest.raises(SchemaError, match="checksum"):
        engine.open(migrations=changed)


def test_somebody_elses_file_is_left_alone(engine):
    with closing(sqlite3.connect(engine.path)) as database:
        database.execute("CREATE TABLE theirs (a)")
    with pytest.raises(SchemaError, match="something else"):
        engine.open()


def test_a_migration_that_fails_changes_nothing(engine):
    broken = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "broken", "CREATE TABLE half (a TEXT) STRICT;\nCREATE NONSENSE;"))
    with pytest.raises(StoreError):
        engine.open(migrations=broken)
    assert engine.query("SELECT count(*) FROM sqlite_schema") == [(0,)]
    engine.open()


def test_what_is_no_database(engine, tmp_path):
    engine.path.write_bytes(b"not a database, " * 100)
    with pytest.raises(StoreError, match="sound SQLite database"):
        engine.open()
    with pytest.raises(StoreReadOnlyError):
        SqliteStore(tmp_path / "nowhere" / "house.db")
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "nothing.db", is_read_only=True)


# Triggers and constraints


@pytest.fixture
def played(engine):
    house = House(engine.open(), make_vault())
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "key")
    house.rotate(pair)
    house.accept(house.choose_client_seed(house.commit("ann"), "lucky"), {"player": 5}, "open")
    return house


APPEND_ONLY = {
    "pay_table": "form = ''",
    "transfer": "amount = '1'",
    "cash": "key = ''",
    "round": "bets = ''",
    "coup": "cards = ''",
    "event": "kind = ''",
}


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_what_is_written_stays(played, engine, table):
    assert engine.attempt(f"UPDATE {table} SET {APPEND_ONLY[table]}") == f"{table} is append-only"
    assert engine.attempt(f"DELETE FROM {table}") == f"{table} is append-only"


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pair",
        "DELETE FROM account",
        "UPDATE account SET bettor = 'ben' WHERE bettor = 'ann'",
        "UPDATE pair SET commitment = zeroblob(32)",
        "UPDATE pair SET decks = 1",
        "UPDATE pair SET cap = 5",
        "UPDATE pair SET state = 'active' WHERE state = 'revealed'",
        "UPDATE pair SET state = 'closing' WHERE state = 'revealed'",
        "UPDATE pair SET state = 'committed' WHERE state = 'active'",
        "UPDATE pair SET state = 'revealed' WHERE state = 'active'",
        "UPDATE pair SET client_seed = x'41' WHERE state = 'active'",
        "UPDATE pair SET server_seed = zeroblob(32) WHERE state = 'revealed'",
        "UPDATE pair SET server_seed = zeroblob(32) WHERE state = 'active'",
        "UPDATE pair SET next_nonce = next_nonce + 1 WHERE state = 'revealed'",
        "UPDATE pair SET next_nonce = 0",
        "UPDATE pair SET next_nonce = next_nonce + 2 WHERE state = 'active'",
        "UPDATE pair SET settled = settled + 1 WHERE state = 'revealed'",
        "UPDATE pair SET settled = settled + 2 WHERE state = 'active'",
        "DELETE FROM open_round",
        "UPDATE open_round SET round = 1",
        "INSERT INTO open_round (round, account) VALUES (1, 3)",
        "UPDATE account SET balance = '-1' WHERE kind = 'bettor'",
        "UPDATE account SET balance = '01' WHERE kind = 'bettor'",
        "UPDATE account SET balance = '1.0' WHERE kind = 'bettor'",
        "UPDATE account SET balance = '1e3' WHERE kind = 'bettor'",
        "UPDATE account SET balance = '100000000000000000000000000000000000000' WHERE kind = 'bettor'",
        "UPDATE account SET balance = '1' WHERE kind = 'house'",
        "INSERT INTO transfer (kind, payer, payee, amount, balance) VALUES ('stake', 3, 1, '0', '0')",
        "INSERT INTO transfer (kind, payer, payee, amount, balance) VALUES ('stake', 3, 3, '1', '0')",
        "INSERT INTO round (pair, nonce, account, key, bets, exposure, transfer, accepted_at) VALUES (1, 0, 3, 'x', '', '1', 1, 0)",
        "INSERT INTO round (pair, nonce, account, key, bets, exposure, transfer, accepted_at) VALUES (1, 5, 3, 'x', '', '1', 1, 0)",
        "INSERT INTO round (pair, nonce, account, key, bets, exposure, transfer, accepted_at) VALUES (1, 0, 3, 'key', '', '1', 1, 0)",
    ],
)
def test_the_tables_hold_by_themselves(played, engine, statement):
    assert engine.attempt(statement)


def test_an_amount_never_becomes_a_float(played, engine):
    large = 10**38 - 1
    played.deposit("big", large, "key")
    assert engine.query("SELECT typeof(balance), balance FROM account WHERE bettor = 'big'") == [("text", str(large))]
    assert played.balance("big") == large


# Many bets in one transaction


def orders_of(house, pair, number):
    opened = house._dealer.open(pair.id)
    asked = [BetRequest(pair, {"player": 5}, f"many {item}") for item in range(number)]
    return [house._desk._order(opened, request, is_dealt=True) for request in asked]


def test_bets_that_change_something_and_are_refused_then_are_undone_together(engine, monkeypatch):
    """Nothing in the house does that without a savepoint of its own. If anything did, no half of a bet would stay."""
    house = House(engine.open(), make_vault())
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    places = count()

    def fails_late(*given):
        if next(places) == 3:
            raise StoreError("transfer", "one", "none")
        return money.add_transfer(*given)

    monkeypatch.setattr(betting, "add_transfer", fails_late)
    with pytest.raises(StoreError, match="transfer"):
        house._store.take_bets(orders_of(house, pair, 5))
    assert (house.balance("ann"), house.pair(pair).next_nonce, house.history(bettor="ann").rounds) == (1000, 0, ())
    assert [event.kind for event in house.events(pair)] == ["committed", "chosen"]
    assert len(house.play_many(BetRequest(pair, {"player": 5}, f"many {item}") for item in range(5))) == 5


# How much work a round is


@pytest.fixture
def work(engine):
    """How much a bet is, in steps of SQLite's machine."""
    store, steps = engine.open(), count()
    store._writer._connection.set_progress_handler(lambda: next(steps) < 0, 1)

    def count_steps(bet):
        before = next(steps)
        bet()
        return next(steps) - before

    count_steps.house = House(store, make_vault())
    count_steps.house.deposit("ann", 10**6, "deposit")
    return count_steps


def bets_of(house, pair):
    """A bet that is dealt at once, one that is accepted, and one that is accepted and dealt; each time with a key of its own."""
    keys = (f"{pair.id} {number}" for number in count())
    return (
        lambda: house.play(pair, {"player": 5}, next(keys)),
        lambda: house.accept(pair, {"player": 5}, next(keys)),
        lambda: house.deal(house.accept(pair, {"player": 5}, next(keys))),
    )


def test_a_round_is_as_much_work_however_many_there_were(work):
    """In an old pair as in a new one, if it is dealt in order."""
    pair = work.house.choose_client_seed(work.house.commit("ann"), "lucky")
    play, _, deal = bets_of(work.house, pair)
    young = [max(work(bet) for _ in range(10)) for bet in (play, deal)]
    work.house.play_many(BetRequest(pair, {"player": 5}, f"{number}") for number in range(2000))
    old = [max(work(bet) for _ in range(10)) for bet in (play, deal)]
    assert all(then > 100 and now < 1.2 * then for then, now in zip(young, old, strict=True))


def test_a_round_is_as_much_work_however_many_are_open(work):
    """Under its own pair, and under another one of its bettor."""
    house = work.house
    pair, other = (house.choose_client_seed(house.commit("ann"), "lucky") for _ in range(2))
    bets = bets_of(house, pair) + bets_of(house, house.choose_client_seed(house.commit("ann"), "lucky"))
    few = [max(work(bet) for _ in range(10)) for bet in bets]
    for number in range(500):
        house.accept((pair, other)[number % 2], {"player": 5}, f"open {number}")
    many = [max(work(bet) for _ in range(10)) for bet in bets]
    assert all(then > 100 and now < 1.2 * then for then, now in zip(few, many, strict=True))


def test_what_is_open_is_exposed(engine):
    house = House(engine.open(), make_vault())
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    for number in range(3):
        house.accept(pair, {"tie": 10}, f"{number}")
    house.play(pair, {"player": 5}, "played")
    assert engine.query("SELECT bettor, exposed FROM account") == [("", "0"), ("", "0"), ("ann", "270")]
    house.recover()
    assert engine.query("SELECT exposed FROM account WHERE bettor = 'ann'") == [("0",)]


# One writer, many readers


def test_a_second_writer_is_told(engine):
    engine.open()
    with pytest.raises(StoreBusyError, match="One process writes"):
        engine.open()
    program = "import sys; from provably_fair_baccarat.house import SqliteStore; SqliteStore(sys.argv[1])"
    result = subprocess.run([sys.executable, "-c", program, str(engine.path)], capture_output=True, text=True, check=False)
    assert "StoreBusyError" in result.stderr
    with pytest.raises(StoreBusyError):
        SqliteStore.migrate(engine.path)


def test_readers_read_while_a_house_writes(played, engine):
    with House(engine.open(is_read_only=True), make_vault()) as reader:
        assert len(reader.recall("ann")) == 2
        for call in (lambda: reader.deposit("ann", 1, "k"), lambda: reader.commit("ann")):
            with pytest.raises(StoreReadOnlyError, match="reading only"):
                call()


def test_a_lock_of_somebody_else_is_waited_for_and_then_told(played, engine):
    played._store._writer._connection.execute("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(engine.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="the same key is safe"):
            played.deposit("ann", 5, "locked")
        other.execute("ROLLBACK")
    assert played.deposit("ann", 5, "locked").amount == 5


def test_a_full_disk_loses_nothing_that_was_acknowledged(engine):
    house = House(engine.open(), make_vault())
    house.deposit("ann", 100_000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    writer = house._store._writer._connection
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages + 3}")
    records = []

    def play_on():
        while True:
            records.append(house.play(pair, {"player": 5}, f"key {len(records)}"))

    with pytest.raises(StoreFullError, match="room to grow"):
        play_on()
    assert records
    assert house.pair(pair).next_nonce == len(records)
    house.verify_books()
    writer.execute(f"PRAGMA max_page_count = {pages + 1000}")
    assert house.play(pair, {"player": 5}, f"key {len(records)}").nonce == len(records)
    assert [kept.record for kept in house.history(pair=pair, limit=1000).rounds][:-1] == records


def test_a_full_disk_fails_the_whole_group_and_no_more(engine):
    house = House(engine.open(), make_vault())
    house.deposit("ann", 100_000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    writer = house._store._writer._connection
    (pages,) = writer.execute("PRAGMA page_count").fetchone()
    writer.execute(f"PRAGMA max_page_count = {pages + 4}")
    acknowledged, failures = [], []

    def play(thread):
        for number in range(100):
            try:
                acknowledged.append(house.play(pair, {"player": 5}, f"{thread} {number}"))
            except StoreFullError as error:
                failures.append(error)
                return

    threads = [threading.Thread(target=play, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(failures) == 8
    assert sorted(record.nonce for record in acknowledged) == list(range(house.pair(pair).next_nonce))
    house.verify_books()


def test_a_database_that_can_only_be_read(played, engine):
    played.close()
    with closing(sqlite3.connect(engine.path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    read_only = sqlite3.connect(f"{engine.path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
    writer = Writer(read_only, engine.path)
    with pytest.raises(StoreReadOnlyError):
        writer.run(lambda database: database.execute("INSERT INTO event (kind, at) VALUES ('x', 0)"))
    writer.close()


def test_a_broken_page_is_told(played, engine):
    played.close()
    content = bytearray(engine.path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    engine.path.write_bytes(content)
    with pytest.raises(StoreError):
        House(engine.open(), make_vault()).recall("ann")


def test_a_closed_store_refuses(played):
    played.close()
    played.close()
    for call in (lambda: played.balance("ann"), lambda: played.deposit("ann", 1, "k")):
        with pytest.raises(StoreError, match="closed"):
            call()


def test_every_commit_waits_for_the_disk(engine):
    """No killed process shows this: only the power cord would."""
    writer = engine.open()._writer._connection
    assert writer.execute("PRAGMA synchronous").fetchone() == (2,)
    assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert writer.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_fault_of_one_caller_stops_nobody(engine):
    store = engine.open()
    with pytest.raises(ZeroDivisionError):
        store._write(lambda database: 1 // 0)
    assert store._write(lambda database: 7) == 7
    assert repr(store).startswith("SqliteStore(")
    with store:
        pass


def failing_on(*statements):
    """A kind of connection on which these statements fail, as on a disk that breaks."""

    class Failing(sqlite3.Connection):
        def execute(self, sql, *values):
            if sql in statements:
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(sql, *values)

    return Failing


def writer_on(path, *statements):
    return Writer(
        sqlite3.connect(path, factory=failing_on(*statements), isolation_level=None, check_same_thread=False),
        path,
    )


def test_what_cannot_be_undone_alone_is_undone_with_its_group(engine):
    engine.open().close()
    writer = writer_on(engine.path, "ROLLBACK TO call")

    def write_half(database):
        database.execute("INSERT INTO event (kind, at) VALUES ('half', 0)")
        raise StoreError("the other half", "one", "none")

    with pytest.raises(StoreError, match="disk I/O error"):
        writer.run(write_half)
    writer.run(lambda database: database.execute("INSERT INTO event (kind, at) VALUES ('whole', 0)"))
    writer.close()
    assert engine.query("SELECT kind FROM event") == [("whole",)]


def test_a_refusal_that_cannot_be_noted_is_its_callers_alone(engine):
    def refuse(database):
        raise PairStateError("pair", "another", "this")

    def note(database, *, refusal):
        raise ZeroDivisionError

    def work(database):
        begun.wait()  # until both are in one group
        return database.execute("SELECT 7").fetchone()

    engine.open().close()
    writer, begun = writer_on(engine.path), threading.Event()
    with ThreadPoolExecutor(2) as pool:
        answer = pool.submit(writer.run, work)
        refused = pool.submit(writer.run, refuse, note)
        begun.set()
        assert answer.result() == (7,)
        with pytest.raises(ZeroDivisionError):
            refused.result()
    writer.close()


def test_a_commit_that_fails_while_the_store_is_closed_stops_the_writer(engine):
    engine.open().close()
    writer, is_running, may_end = writer_on(engine.path, "COMMIT"), threading.Event(), threading.Event()

    def work(database):
        is_running.set()
        may_end.wait()

    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(writer.run, work)
        is_running.wait()
        closing_thread = threading.Thread(target=writer.close, daemon=True)
        closing_thread.start()
        while writer._calls.empty():
            pass
        may_end.set()
        with pytest.raises(StoreError, match="disk I/O error"):
            answer.result()
    closing_thread.join(10)
    assert not closing_thread.is_alive()


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_a_new_database_is_its_owners_alone(tmp_path):
    with SqliteStore(tmp_path / "new.db"):
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
            ("new.db", "new.db-shm", "new.db-wal", "new.db.writer"), 0o600
        )
