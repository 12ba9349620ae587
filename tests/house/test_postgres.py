"""PostgreSQL's own: migrations, triggers, exact amounts, the operator's own transaction, and servers and tables that say no."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count

import pytest

psycopg = pytest.importorskip("psycopg")

from psycopg.rows import dict_row  # noqa: E402
from psycopg.types.numeric import FloatLoader  # noqa: E402

from provably_fair_baccarat.errors import (  # noqa: E402
    AmountError,
    BaccaratError,
    FundsError,
    GuardError,
    KeyConflictError,
    PairNonceError,
    PairStateError,
    SchemaError,
    StoreBusyError,
    StoreError,
    StoreReadOnlyError,
)
from provably_fair_baccarat.house import BetRequest, House, LossLimit, MinimumInterval  # noqa: E402
from provably_fair_baccarat.house.migrations import Migration  # noqa: E402
from provably_fair_baccarat.house.postgres import PostgresStore  # noqa: E402
from provably_fair_baccarat.house.postgres.database import Database  # noqa: E402
from provably_fair_baccarat.house.postgres.schema import MIGRATIONS  # noqa: E402

from .before_chains import before_chains  # noqa: E402
from .conftest import make_vault, repeating_entropy  # noqa: E402
from .postgres_engine import PostgresEngine  # noqa: E402

LATER = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "later", "-- a comment; with a semicolon\nCREATE TABLE house.later (a text);"))


@pytest.fixture
def engine():
    engine = PostgresEngine()
    yield engine
    engine.close()


houses = count()


def open_house(engine, **options):
    """A house whose seeds are the same in every run, and others than those of the houses opened before."""
    return House(engine.open(), make_vault(), **{"entropy": repeating_entropy(f"house {next(houses)}"), **options})


@pytest.fixture
def house(engine):
    house = open_house(engine)
    house.deposit("ann", 1_000_000, "first deposit")
    return house


@pytest.fixture
def pair(house):
    return house.choose_client_seed(house.commit("ann"), "lucky 8s")


@pytest.fixture
def own(engine, house):
    """A connection of the operator's, set up as we would never do it."""
    with psycopg.connect(engine.url, row_factory=dict_row) as connection:
        connection.adapters.register_loader("numeric", FloatLoader)
        connection.execute("SET TimeZone = 'America/St_Johns'")
        connection.commit()
        yield connection


# Migrations


def test_a_new_database_has_every_migration(engine):
    assert [step.is_applied for step in PostgresStore.migration_status(engine.url)] == [False] * len(MIGRATIONS)
    engine.open()
    assert [step.is_applied for step in PostgresStore.migration_status(engine.url)] == [True] * len(MIGRATIONS)
    logged = engine.query("SELECT number, name, checksum FROM schema_migration ORDER BY number")
    assert logged == [(step.number, step.name, step.checksum) for step in MIGRATIONS]
    assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_what_is_wrong_before_anything_was_asked_is_not_to_be_asked_again(engine):
    """A role that may make no tables, one that may not read them, and no database."""
    role = f"stranger_{os.getpid()}"
    theirs = psycopg.conninfo.make_conninfo(engine.url, user=role, password="x")
    with psycopg.connect(engine.url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'x'")
        try:
            with pytest.raises(SchemaError, match="run `pfb db migrate --database") as error:
                PostgresStore(theirs)
            assert [slip.code for slip in error.value.slips] == ["not_migrated"]
            PostgresStore.migrate(engine.url)
            with pytest.raises(StoreError, match="GRANT") as error:
                PostgresStore(theirs)
            assert [slip.code for slip in error.value.slips] == ["no_rights"]
        finally:
            owner.execute(f"DROP ROLE {role}")
    with pytest.raises(StoreError) as error:
        PostgresStore(psycopg.conninfo.make_conninfo(engine.url, dbname="nothing_here"))
    assert [slip.code for slip in error.value.slips] == ["no_connection"]


def test_many_who_open_a_new_database_at_once_make_it_once(engine):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: engine.open(), range(8)))
    assert engine.query("SELECT count(*) FROM schema_migration") == [(len(MIGRATIONS),)]


def test_an_older_database_asks_to_be_migrated_and_keeps_its_rows(engine, house):
    house.close()
    for options in ({}, {"is_read_only": True}):
        with pytest.raises(SchemaError, match="Back it up"):
            engine.open(migrations=LATER, **options)
    assert [step.is_applied for step in PostgresStore.migration_status(engine.url, migrations=LATER)] == [True] * len(MIGRATIONS) + [False]
    for _ in range(2):
        assert all(step.is_applied for step in PostgresStore.migrate(engine.url, migrations=LATER))
    assert House(engine.open(migrations=LATER), make_vault()).balance("ann") == 1_000_000


def test_pairs_of_before_there_were_chains_go_on(engine):
    """How far their coups are settled in order is counted when the column is added; what is owed is added up."""
    PostgresStore.migrate(engine.url, migrations=MIGRATIONS[:1])
    for statement in before_chains("now()"):
        engine.tamper(statement)
    PostgresStore.migrate(engine.url)
    rows = {row.number: row for row in engine.open().pairs("ann", "")}
    assert {number: (row.settled_in_order, row.chain_anchor, row.newest_link) for number, row in rows.items()} == {
        1: (1, None, None),
        2: (7, None, None),
    }
    assert engine.query("SELECT number, owed FROM account ORDER BY number") == [(1, 0), (3, 30)]


def test_a_newer_database_is_left_alone(engine):
    engine.open(migrations=LATER).close()
    for call in (engine.open, lambda: PostgresStore.migrate(engine.url), lambda: PostgresStore.migration_status(engine.url)):
        with pytest.raises(SchemaError, match="newer"):
            call()
    with psycopg.connect(engine.url) as connection, pytest.raises(SchemaError, match="newer"):
        PostgresStore.on(connection)


def test_a_changed_migration_is_noticed(engine):
    engine.open().close()
    changed = (MIGRATIONS[0], Migration(2, MIGRATIONS[1].name, MIGRATIONS[1].sql + "\n"), *MIGRATIONS[2:])
    with pytest.raises(SchemaError, match="checksum"):
        engine.open(migrations=changed)


def test_tables_of_somebody_else_are_left_alone(engine):
    with engine.connect() as connection:
        connection.execute("CREATE TABLE public.account (theirs text)")
        engine.open().close()
        assert connection.execute("SELECT count(*) FROM public.account").fetchall() == [(0,)]
        connection.execute("DROP SCHEMA house CASCADE")
        connection.execute("CREATE SCHEMA house")
        connection.execute("CREATE TABLE house.theirs (a text)")
    with pytest.raises(SchemaError, match="something else"):
        engine.open()


def test_a_migration_that_fails_changes_nothing(engine):
    broken = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "broken", "CREATE TABLE house.half (a text);\nCREATE NONSENSE;"))
    with pytest.raises(StoreError):
        engine.open(migrations=broken)
    assert engine.query("SELECT count(*) FROM pg_namespace WHERE nspname = 'house'") == [(0,)]
    engine.open()


# Triggers and constraints


@pytest.fixture
def played(house, pair):
    house.play(pair, {"player": 5}, "key")
    house.rotate(pair)
    house.choose_client_seed(house.commit("ann"), "lucky")
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
    for statement in (f"UPDATE {table} SET {APPEND_ONLY[table]}", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
        assert engine.attempt(statement).endswith("is append-only")


INTO_ROUND = "INSERT INTO round (pair, nonce, account, key, bets, exposure, transfer, accepted_at) VALUES"
INTO_TRANSFER = "INSERT INTO transfer (kind, payer, payee, amount, balance) VALUES"


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pair",
        "DELETE FROM account",
        "DELETE FROM leg",
        "TRUNCATE account CASCADE",
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
        "UPDATE pair SET next_nonce = next_nonce + 1 WHERE state = 'active'",
        "UPDATE pair SET next_nonce = next_nonce + 2 WHERE state = 'active'",
        "UPDATE pair SET settled = settled + 1 WHERE state = 'revealed'",
        "UPDATE pair SET settled = settled + 1 WHERE state = 'active'",
        "UPDATE account SET balance = '-1' WHERE kind = 'bettor'",
        "UPDATE account SET balance = '1.0' WHERE kind = 'bettor'",
        "UPDATE account SET balance = 1.5 WHERE kind = 'bettor'",
        "UPDATE account SET balance = 'NaN' WHERE kind = 'bettor'",
        "UPDATE account SET balance = 'Infinity' WHERE kind = 'bettor'",
        "UPDATE account SET balance = 1e38 WHERE kind = 'bettor'",
        "UPDATE account SET exposed = 1e38 - 1 WHERE kind = 'bettor'",
        "UPDATE account SET balance = '1' WHERE kind = 'house'",
        f"{INTO_TRANSFER} ('stake', 3, 1, 0, 0)",
        f"{INTO_TRANSFER} ('stake', 3, 3, 1, 0)",
        f"{INTO_TRANSFER} ('stake', 3, 2, 1, 0)",
        f"{INTO_TRANSFER} ('stake', 1, 3, 1, 0)",
        f"{INTO_TRANSFER} ('stake', 99, 1, 1, 0)",
        f"{INTO_TRANSFER} ('return', 3, 1, 1, 0)",
        f"{INTO_ROUND} (1, 0, 3, 'x', '', '1', 1, now())",
        f"{INTO_ROUND} (1, 1, 3, 'x', '', '1', 1, now())",
        f"{INTO_ROUND} (1, 5, 3, 'x', '', '1', 1, now())",
        f"{INTO_ROUND} (2, 0, 3, 'x', '', '1', 1, now())",
        f"{INTO_ROUND} (1, 0, 3, 'key', '', '1', 1, now())",
    ],
)
def test_the_tables_hold_by_themselves(played, engine, statement):
    assert engine.attempt(statement)


def test_an_amount_never_becomes_a_float(house, engine, own):
    large = 10**38 - 1
    house.deposit("big", large, "key")
    assert engine.query("SELECT balance FROM account WHERE bettor = 'big'") == [(Decimal(large),)]
    assert house.balance("big") == large
    store = PostgresStore.on(own)
    assert store.balance("big", "") == large
    (transfer,) = store.statement("big", "")[1]
    assert (transfer.amount, transfer.balance) == (large, large)
    assert {account.credits for account in store.accounts()} == {0, 1_000_000, large}
    assert {account.balance for account in store.accounts()} == {None, 1_000_000, large}
    pair = house.choose_client_seed(house.commit("big"), "lucky")
    inside = House(store, make_vault())
    house.withdraw("big", 10**37, "out")
    stake = 5 * 10**36 - 1
    for number in range(2):
        before = house.balance("big")
        record = inside.play(pair, {"player": stake}, f"{number}")
        own.commit()
        assert house.balance("big") == before - stake + record.totals.returned
    house.verify_books()


# The operator's own transaction


def test_nothing_is_kept_of_a_transaction_that_is_rolled_back(engine, house, pair, own):
    before = (house.pair(pair), house.balance("ann"), house.events(), house.history().rounds)
    inside = House(PostgresStore.on(own), make_vault())
    record = inside.play(pair, {"player": 500}, "a")
    for number in range(3):
        assert inside.play(pair, {"player": 500}, f"b{number}").nonce == record.nonce + 1 + number
    inside.play_many([BetRequest(pair, {"player": 5}, "c"), BetRequest(pair, {"player": 10**9}, "d")])
    inside.deal(inside.accept(pair, {"player": 5}, "e"))
    inside.deposit("ann", 5, "f")
    rotation = inside.rotate(pair)
    assert inside.verify_history(pair).rounds == 6
    assert house.pair(pair) == before[0]
    own.rollback()
    with pytest.raises(BaccaratError):
        house.pair(rotation.next_pair)
    assert (house.pair(pair), house.balance("ann"), house.events(), house.history().rounds) == before
    assert house.play(pair, {"player": 500}, "a").cards == record.cards


def test_everything_is_kept_of_a_transaction_that_is_committed(house, pair, own):
    own.execute("CREATE TABLE public.bonus (who text)")
    inside = House(PostgresStore.on(own), make_vault())
    record = inside.play(pair, {"player": 500}, "a")
    own.execute("INSERT INTO public.bonus VALUES ('ann')")
    assert house.recall("ann") == ()
    own.commit()
    assert house.play(pair, {"player": 500}, "a") == record
    assert record.accepted_at.utcoffset() == timedelta(0)
    assert inside.recall("ann", 1)[0].record == record
    inside.close()
    assert own.execute("SELECT who FROM public.bonus").fetchall() == [{"who": "ann"}]


def test_a_refusal_leaves_their_transaction_usable(house, pair, own):
    inside = House(PostgresStore.on(own), make_vault())
    inside.play(pair, {"player": 5}, "a")
    for call, error in (
        (lambda: inside.play(pair, {"player": 10**9}, "b"), FundsError),
        (lambda: inside.play(pair, {"player": 6}, "a"), KeyConflictError),
        (lambda: inside.play(pair, {"player": 6}, "c", nonce=7), PairNonceError),
        (lambda: inside.withdraw("ann", 10**9, "d"), FundsError),
        (lambda: inside.choose_client_seed(pair, "again"), PairStateError),
    ):
        with pytest.raises(error):
            call()
    assert inside.play(pair, {"player": 5}, "e").nonce == 1
    own.commit()
    assert [event.kind for event in house.events(pair)].count("refused") == 3


def test_a_connection_without_a_transaction_is_refused(engine, house, pair):
    with engine.connect() as connection:
        store = PostgresStore.on(connection)
        inside = House(store, make_vault())
        assert inside.balance("ann") == 1_000_000
        with pytest.raises(StoreError, match="autocommit"):
            inside.deposit("ann", 5, "a")
        with connection.transaction():
            inside.deposit("ann", 5, "a")
            inside.play(pair, {"player": 5}, "a")
        with connection.transaction(force_rollback=True):
            inside.deposit("ann", 5, "b")
    assert [kept.acceptance.key for kept in house.recall("ann")] == ["a"]
    assert house.deposit("ann", 6, "b").amount == 6


def test_a_stricter_isolation_is_told_that_others_were_first(engine, house, pair, own):
    own.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    inside = House(PostgresStore.on(own), make_vault())
    assert inside.balance("ann") == 1_000_000
    house.play(pair, {"player": 500}, "theirs")
    with pytest.raises(StoreBusyError):
        inside.play(pair, {"player": 500}, "ours")
    own.rollback()
    assert inside.play(pair, {"player": 500}, "ours").nonce == 1
    own.commit()
    assert len(house.recall("ann")) == 2


def test_their_lock_is_waited_for(engine, house, pair, own):
    inside = House(PostgresStore.on(own), make_vault())
    inside.play(pair, {"player": 500}, "inside")
    with ThreadPoolExecutor(1) as pool:
        outside = pool.submit(house.play, pair, {"player": 500}, "outside")
        with pytest.raises(TimeoutError):
            outside.result(0.2)
        own.commit()
        assert outside.result(5).nonce == 1


# Guards


class Counting:
    def __init__(self):
        self.nonces = []

    def objection(self, bet, past):
        self.nonces.append(bet.nonce)


def test_a_guard_is_asked_once_for_each_bet(engine):
    guard = Counting()
    house = open_house(engine, guards=[guard])
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    for number in range(4):
        house.play(pair, {"player": 5}, f"{number}")
    assert guard.nonces == [0, 1, 2, 3]
    house.play_many(BetRequest(pair, {"player": 5}, f"many {number}") for number in range(3))
    house.accept(pair, {"player": 5}, "accepted")
    assert guard.nonces == list(range(8))
    assert house.play(pair, {"player": 5}, "0").nonce == 0


@pytest.mark.parametrize("stores", [1, 2])
def test_no_bet_comes_between_a_guard_and_its_bet(engine, stores):
    """Whoever asks about the past is answered under the bettor's lock, however many stores and pairs there are."""
    houses = [open_house(engine, guards=[LossLimit(50, timedelta(days=1))]) for _ in range(stores)]
    houses[0].deposit("ann", 1000, "deposit")
    pairs = [houses[0].choose_client_seed(houses[0].commit("ann"), "lucky") for _ in range(2)]

    def accept(number):
        try:
            return houses[number % stores].accept(pairs[number // 2 % 2], {"player": 10}, f"{number}")
        except GuardError as error:
            return error

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(accept, range(24)))
    assert sum(isinstance(answer, GuardError) for answer in answers) == 24 - 5
    assert houses[0].balance("ann") == 950


def test_a_batch_knows_its_own_past(engine):
    guards = [LossLimit(20, timedelta(days=1)), MinimumInterval(timedelta(0))]
    house = open_house(engine, guards=guards, entropy=repeating_entropy("no tie among the first"))
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    answers = house.play_many(BetRequest(pair, {"tie": 10}, f"{number}") for number in range(30))
    lost = 0
    for answer in answers:
        assert isinstance(answer, GuardError) == (lost + 10 > 20)
        if not isinstance(answer, GuardError):
            lost -= answer.totals.net
    assert lost >= 20


def test_a_refusal_is_kept_whichever_way_it_is_found(house):
    committed = house.commit("ann")
    for nonce in (None, 0, 3):
        with pytest.raises(PairStateError):
            house.play(committed, {"player": 5}, "key", nonce=nonce)
    assert [event.kind for event in house.events(committed)] == ["committed"] + ["refused"] * 3


# What says no


def test_a_server_that_is_not_there(tmp_path):
    with pytest.raises(StoreError) as caught:
        PostgresStore(f"postgresql://me:geheim@/house?host={tmp_path}")
    assert "geheim" not in str(caught.value)
    for url in ("nonsense", "postgresql://a:b:c@d:e:f/"):
        with pytest.raises(StoreError):
            PostgresStore(url)


def test_no_password_is_told(engine):
    store = PostgresStore(engine.server.url(engine.database, over_tcp=True))
    assert engine.server.password not in repr(store)
    store.close()
    with pytest.raises(StoreError, match="password authentication failed") as caught:
        PostgresStore(engine.server.url(engine.database, over_tcp=True).replace(engine.server.password, "wr0ng"))
    assert "wr0ng" not in str(caught.value)


def test_readers_read_and_never_write(engine, house, pair):
    house.play(pair, {"player": 5}, "key")
    with House(engine.open(is_read_only=True), make_vault()) as reader:
        assert len(reader.recall("ann")) == 1
        for call in (lambda: reader.deposit("ann", 1, "k"), lambda: reader.commit("ann"), lambda: reader.play(pair, {"player": 5}, "k")):
            with pytest.raises(StoreReadOnlyError, match="reading only"):
                call()
    with engine.connect() as connection:
        connection.execute(f"ALTER DATABASE {engine.database} SET default_transaction_read_only = on")
    with House(engine.open(), make_vault()) as later, pytest.raises(StoreReadOnlyError):
        later._store._read(lambda database: database.run("INSERT INTO house.event (kind, at) VALUES ('x', now())"))


def test_a_lock_of_somebody_else_is_waited_for_and_then_told(engine, house, pair):
    house.play(pair, {"player": 5}, "before")
    with psycopg.connect(engine.url) as other:
        other.execute("SELECT FROM house.account WHERE bettor = 'ann' FOR UPDATE")
        for call in (lambda: house.play(pair, {"player": 5}, "locked"), lambda: house.deposit("ann", 5, "locked")):
            with pytest.raises(StoreBusyError, match="the same key is safe"):
                call()
    assert house.play(pair, {"player": 5}, "locked").nonce == 1


def test_a_deadlock_with_somebody_else_is_tried_again(engine, house, pair):
    house.play(pair, {"player": 5}, "before")
    with psycopg.connect(engine.url) as other, ThreadPoolExecutor(1) as pool:
        other.execute("SET deadlock_timeout = '10s'")  # so that the other one notices it
        other.execute("SELECT FROM house.pair FOR UPDATE")
        playing = pool.submit(house.play, pair, {"player": 5}, "key")
        while not engine.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"):
            pass
        other.execute("SELECT FROM house.account FOR UPDATE")
        other.commit()
        assert playing.result().nonce == 1
    house.verify_books()


def test_somebody_who_takes_no_lock_spoils_nothing(engine, house, pair):
    """What was read under the lock is compared once more in the statement that changes it."""

    class Meddler:
        def objection(self, bet, past):
            past.last_accepted_at()
            if bet.nonce == 1:
                engine.tamper("UPDATE pair SET settled = 0, settled_in_order = 0 WHERE number = 1")
                engine.tamper("UPDATE pair SET state = 'closing' WHERE number = 1")

    meddled = open_house(engine, guards=[Meddler()])
    meddled.play(pair, {"player": 5}, "a")
    balance = house.balance("ann")
    with pytest.raises(StoreError, match="another one"):
        meddled.play(pair, {"player": 5}, "b")
    assert (house.balance("ann"), house.pair(pair).next_nonce, len(house.recall("ann"))) == (balance, 1, 1)


def test_a_closed_store_refuses(house):
    house.close()
    house.close()
    for call in (lambda: house.balance("ann"), lambda: house.deposit("ann", 1, "k")):
        with pytest.raises(StoreError, match="closed"):
            call()


def test_a_fault_of_one_caller_stops_nobody(engine):
    store = engine.open()
    with pytest.raises(ZeroDivisionError):
        store._write(lambda database: 1 // 0)
    assert store._write(lambda database: 7) == 7
    assert repr(store).startswith("PostgresStore(")
    with store:
        pass


def test_a_table_that_is_gone(engine, house):
    with engine.connect() as connection:
        connection.execute("DROP TABLE house.coup CASCADE")
    with pytest.raises(SchemaError):
        house.recall("ann")


NASTY = [
    "'; DROP TABLE house.round; --",
    "%s %(pair)s %%",
    'a"b\\c{}',
    "\\x00 \\u0000",
    "$1 ${x} ?1",
    "1;2",
    "ｆｕｌｌ",
    "🂡",
    "null",
    "{1,2}",
]


@pytest.mark.parametrize("text", NASTY)
def test_any_text_is_only_text(engine, text):
    house = open_house(engine)
    house.deposit(text, 1000, text)
    pair = house.choose_client_seed(house.commit(text), "lucky")
    first = house.play(pair, {"player": 5}, text)
    second = house.play(pair, {"player": 5}, f"{text}2")
    (third,) = house.play_many([BetRequest(pair, {"player": 5}, f"{text}3")])
    with pytest.raises(FundsError):
        house.play(pair, {"player": 5000}, f"{text}4")
    assert [kept.record for kept in house.history(bettor=text).rounds] == [first, second, third]
    assert [kept.acceptance.key for kept in house.history(bettor=text).rounds] == [text, f"{text}2", f"{text}3"]
    assert house.events()[-1].key == f"{text}4"
    assert house.play(pair, {"player": 5}, text) == first


def test_times_are_what_they_were(engine, house, pair):
    at = datetime(2048, 3, 29, 0, 59, 59, 999_999, tzinfo=UTC)
    later = open_house(engine, clock=lambda: at)
    record = later.play(pair, {"player": 5}, "a")
    assert (record.accepted_at, record.settled_at) == (at, at)
    assert [kept.record for kept in house.history(since=at, until=at + timedelta(microseconds=1)).rounds] == [record]
    assert house.history(until=at).rounds == ()


def test_the_largest_exposure_is_kept_in_the_account(engine, house, pair):
    with pytest.raises(AmountError):
        house.deposit("ann", 10**38 - 1, "too much")
    acceptance = house.accept(pair, {"tie": 100}, "a")
    assert engine.query("SELECT exposed FROM account WHERE bettor = 'ann'") == [(Decimal(acceptance.exposure),)]
    assert house.accept(pair, {"tie": 100}, "b").exposure == acceptance.exposure
    house.deal(acceptance)
    assert engine.query("SELECT exposed FROM account WHERE bettor = 'ann'") == [(Decimal(acceptance.exposure),)]
    house.rotate(pair)
    assert engine.query("SELECT exposed FROM account WHERE bettor = 'ann'") == [(Decimal(0),)]


# Secrets

CANARY = "c0ffee" * 10 + "beef"


def test_an_unrevealed_seed_is_in_no_byte_of_the_database_and_the_log(engine):
    raw = bytes.fromhex(CANARY)
    house = open_house(engine, entropy=lambda size: raw if size == 32 else b"\1" * size)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "key")
    with pytest.raises(StoreError, match="rows that its tables accept") as caught:
        house.commit("ann")  # the same server seed again
    house.close()
    content = engine.content()
    assert pair.commitment.digest in content
    for spelling in (raw, CANARY.encode(), CANARY.upper().encode(), repr(raw).encode()):
        assert spelling not in content
        assert spelling.decode("latin-1") not in repr(caught.value)


# The package


def test_only_those_who_ask_for_it_need_psycopg():
    program = """
import sys
sys.modules["psycopg"] = None
import provably_fair_baccarat.house
try:
    from provably_fair_baccarat.house import PostgresStore
except ImportError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert "provably-fair-baccarat[postgres]" in told.stdout
    loaded = "import sys, provably_fair_baccarat.house; print('psycopg' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert told.stdout.strip() == "False"


@pytest.mark.parametrize("at_once", [1, 1000])
def test_a_round_takes_at_most_900_bytes(engine, at_once):
    house = open_house(engine)
    house.deposit("ann", 10**20, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")

    def size():
        every_relation = (
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'house'::regnamespace AND relkind = 'r'"
        )
        return int(engine.query(every_relation)[0][0])

    rounds = 2000 if at_once == 1 else 6000
    empty = size()
    keys = [f"018f3a5e-7b1c-7def-{number * 7919 % rounds:04d}-{number:012d}" for number in range(rounds)]
    for start in range(0, rounds, at_once):
        requests = [BetRequest(pair, {"player": 12_500, "tie": 1_000}, key) for key in keys[start : start + at_once]]
        for request in requests if at_once == 1 else ():
            house.play(pair, request.bets, request.key)
        if at_once > 1:
            house.play_many(requests)
    assert (size() - empty) / rounds <= 900


def test_no_link_is_sent_before_its_bet_is_known_to_be_taken(engine, monkeypatch):
    """Not even as a value of a statement that changes nothing: a server may log those."""
    house = open_house(engine, chain_length=20)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "a")
    sent = []
    send = Database.send
    monkeypatch.setattr(Database, "send", lambda self, statement, values=None: sent.append(repr(values)) or send(self, statement, values))
    for bets, nonce in (({"player": 5000}, None), ({"player": 5}, 7)):
        for call in (house.play, house.accept):
            with pytest.raises(BaccaratError):
                call(pair, bets, "b", nonce=nonce)
    house.accept(pair, {"player": 5}, "open")
    house.play(pair, {"player": 5}, "c")
    chain = house._dealer.open(pair.id).chain
    links = [chain.link(nonce).server_seed.reveal_bytes() for nonce in range(1, 20)]
    assert len(sent) > 10
    assert not [link for link in links if link.hex() in "".join(sent) or repr(link)[2:-1] in "".join(sent)]
