"""What is killed on PostgreSQL besides the playing program: single connections, and the server. Nothing that was acknowledged is lost.

HOUSE_KILLS in the environment says how often; the short version kills a few times.
"""

from __future__ import annotations

import os
import threading
import time

import pytest

psycopg = pytest.importorskip("psycopg")

from provably_fair_baccarat.errors import BaccaratError, StoreError  # noqa: E402
from provably_fair_baccarat.house import BetRequest, House  # noqa: E402
from provably_fair_baccarat.house.postgres import PostgresStore  # noqa: E402

from .conftest import make_vault  # noqa: E402
from .postgres_engine import PostgresEngine  # noqa: E402
from .postgres_server import PostgresServer, require_binaries  # noqa: E402
from .until_killed import all_rounds  # noqa: E402

KILLS = int(os.environ.get("HOUSE_KILLS", "8"))


@pytest.fixture
def engine():
    engine = PostgresEngine()
    yield engine
    engine.close()


def everything_adds_up(house, acknowledged):
    """`acknowledged` has the key and what was said of it by (pair, nonce)."""
    rounds = {(kept.acceptance.pair, kept.acceptance.nonce): kept for kept in all_rounds(house, "ann")}
    for place, (key, what) in acknowledged.items():
        assert rounds[place].acceptance.key == key
        assert rounds[place].record is not None or what == "accepted"
    house.verify_books()
    assert house.recover().dealt == sum(kept.record is None for kept in rounds.values())
    assert house.recover().dealt == 0
    house.verify_books()
    for pair in house.pairs("ann"):
        assert pair.settled == pair.settled_in_order == pair.next_nonce == sum(place[0] == pair.id for place in rounds)
        if pair.chain is not None:
            assert house.verify_history(pair).rounds == pair.next_nonce


class Players:
    """Threads that play until they are told to stop, each with keys of its own; what got no answer is asked again with its key."""

    def __init__(self, house, pair, threads=6):
        self.house, self.pair = house, pair
        self.acknowledged = {}
        self.failures = []
        self.faults = []
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=self.play, args=(number,)) for number in range(threads)]
        for thread in self.threads:
            thread.start()

    def play(self, thread):
        number = 0
        while not self.stop.is_set():
            key = f"{thread} {number}"
            try:
                if number % 3 == 0:
                    acceptance = self.house.accept(self.pair, {"player": 5}, key)
                    self.acknowledged[self.pair.id, acceptance.nonce] = (key, "accepted")
                    record = self.house.deal(acceptance)
                elif number % 3 == 1:
                    (record,) = self.house.play_many([BetRequest(self.pair, {"tie": 5}, key)])
                    if isinstance(record, BaccaratError):
                        raise record  # noqa: TRY301 (handled below like the others)
                else:
                    record = self.house.play(self.pair, {"banker": 20}, key)
            except StoreError as error:
                self.failures.append(error)
                time.sleep(0.01)
            except BaseException as fault:
                self.faults.append(fault)
                raise
            else:
                self.acknowledged[self.pair.id, record.nonce] = (key, "dealt")
                number += 1

    def finish(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        assert self.faults == []


def wait_for_rounds(players, more):
    enough = len(players.acknowledged) + more
    deadline = time.monotonic() + 60
    while len(players.acknowledged) < enough:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_connections_that_are_killed_while_many_play(engine):
    house = House(engine.open(), make_vault())
    house.deposit("ann", 10**12, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    players = Players(house, pair)
    try:
        for _ in range(3 * KILLS):
            wait_for_rounds(players, 5)
            engine.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    finally:
        players.finish()
    assert players.failures == []  # whatever a key names is asked again by the store itself, and happens once
    assert len({key for key, _ in players.acknowledged.values()}) == len(players.acknowledged)
    everything_adds_up(house, players.acknowledged)
    house.rotate(pair)
    assert house.verify_history(pair).rounds >= len(players.acknowledged)


def test_what_could_happen_twice_is_told_and_not_repeated(engine):
    """A commit is named by nothing that the caller knows, so nobody repeats it: it has happened once, or not at all."""
    store = engine.open()
    house = House(store, make_vault())
    house.commit("ann")
    killing = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    engine.query(killing)
    with pytest.raises(StoreError, match="a connection that lasts"):
        house.commit("ann")
    assert len(house.pairs("ann")) == 1
    house.commit("ann")
    engine.query(killing)
    assert len(house.pairs("ann")) == 2


@pytest.fixture(scope="module")
def fragile():
    """A server to be treated badly."""
    server = PostgresServer(require_binaries())
    yield server
    server.remove()


@pytest.mark.parametrize("mode", ["immediate", "fast"])
def test_a_server_that_goes_down_while_many_play(fragile, mode):
    """`immediate` is what a power cut leaves: no checkpoint, and the log has to be replayed."""
    engine = PostgresEngine(server=fragile)
    house = House(engine.open(patience=0.5), make_vault())
    house.deposit("ann", 10**12, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    players = Players(house, pair)
    try:
        for _ in range(max(2, KILLS // 4)):
            wait_for_rounds(players, 30)
            fragile.stop(mode)
            deadline = time.monotonic() + 20
            while not players.failures and time.monotonic() < deadline:
                time.sleep(0.05)
            fragile.start()
        wait_for_rounds(players, 30)
    finally:
        players.finish()
    assert players.failures
    assert all("safe to repeat" in str(failure) for failure in players.failures)
    everything_adds_up(house, players.acknowledged)
    house.rotate(pair)
    assert house.verify_history(pair).rounds >= len(players.acknowledged)
    engine.close()


def test_a_restart_is_sat_out_by_those_who_are_patient(fragile):
    engine = PostgresEngine(server=fragile)
    house = House(engine.open(patience=30), make_vault())
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "a")
    fragile.stop("immediate")
    restart = threading.Thread(target=fragile.start)
    restart.start()
    assert house.play(pair, {"player": 5}, "b").nonce == 1
    restart.join()
    engine.close()


def test_an_open_store_of_a_server_that_is_gone(fragile):
    engine = PostgresEngine(server=fragile)
    house = House(engine.open(patience=0.3), make_vault())
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    fragile.stop()
    try:
        for call in (lambda: house.balance("ann"), lambda: house.play(pair, {"player": 5}, "a"), lambda: house.commit("ann")):
            with pytest.raises(StoreError):
                call()
        with pytest.raises(StoreError):
            PostgresStore(engine.url)
    finally:
        fragile.start()
    assert house.balance("ann") == 0
    engine.close()
