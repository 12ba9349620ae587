"""Killed while it signs and logs: no statement that was handed out is lost, none is in the log twice, and the log never forgets.

What is killed is the program, on either database, and with PostgreSQL its connections and the server too.
"""

from __future__ import annotations

import io
import os
import random
import threading
import time
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from provably_fair_baccarat.errors import StoreError
from provably_fair_baccarat.house import House, Vault, add_key
from provably_fair_baccarat.receipts import LogPromise, Signer, new_key_file, read_statement
from provably_fair_baccarat.receipts.history import verify_history_file
from provably_fair_baccarat.receipts.log import LogEntry, LogWriter, NoteKey, TileLog
from provably_fair_baccarat.receipts.log.merkle import hash_leaf, root_of

from .postgres_engine import PostgresEngine
from .postgres_server import PostgresServer, require_binaries
from .until_killed import lines_until_killed

PROGRAM = Path(__file__).parent / "sign_until_killed.py"
KILLS = int(os.environ.get("HOUSE_KILLS", "10"))
ORIGIN = "casino.example/log"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")


class Operator:
    """The keys and the log of an operator, and what bettors were given and everybody saw."""

    def __init__(self, folder):
        begin = datetime(2025, 1, 1, tzinfo=UTC)
        self.folder = folder
        add_key(folder / "vault.keys", "k1")
        new_key_file(folder / "signing.keys", begin)
        self.log_key = NoteKey(ORIGIN, new_key_file(folder / "log.key", begin).public.raw)
        self.signer = Signer.from_key_file(folder / "signing.keys")
        self.accepted = {}
        self.checkpoints = {}

    def open_house(self, store):
        promise = LogPromise(key=str(self.log_key), maximum_delay=3600)
        return House(store, Vault.from_key_file(self.folder / "vault.keys"), signer=self.signer, log_promise=promise)

    def open_log(self):
        return LogWriter.from_key_file(self.folder / "log", ORIGIN, self.folder / "log.key")

    def require_nothing_forgotten(self):
        """Every checkpoint that was told is one of the log as it is now."""
        log = TileLog(self.folder / "log", self.log_key)
        log.verify()
        leaves = [hash_leaf(entry) for entry in log.entries()]
        assert all(size <= len(leaves) and root_of(leaves[:size]).hex() == root for size, root in self.checkpoints.items())

    def require_each_logged_once(self, house):
        """End what was cut off; then everything that was signed is in the log once, and proves the whole history."""
        house.recover()
        for pair in house.pairs("ann"):
            house.rotate(pair)
        with self.open_log() as log:
            house.sequence(log)
        self.require_nothing_forgotten()
        log = TileLog(self.folder / "log", self.log_key)
        entries = [LogEntry.parse(entry) for entry in log.entries()]
        assert len({entry.digest for entry in entries}) == len({(e.kind, e.commitment, e.nonce) for e in entries}) == len(entries)
        digests = {entry.digest for entry in entries}
        for (pair, nonce), text in self.accepted.items():
            assert house.statements(pair, nonce)[0] == text
            assert read_statement(text, self.signer.key_set).digest in digests
        data = b"".join(house.prove("ann", log=log))
        history = verify_history_file(io.BytesIO(data), keys=self.signer.key_set, log=self.log_key)
        assert history.logged == history.statements == len(entries)
        assert history.open_coups == 0
        assert history.coups >= len(self.accepted) > 0


@pytest.fixture
def operator(tmp_path):
    return Operator(tmp_path)


def test_a_program_killed_while_it_signs_and_logs(engine, operator):
    chance = random.Random(5)
    for _ in range(KILLS):
        lines = lines_until_killed(chance.uniform(0.02, 0.25), PROGRAM, operator.folder, engine.path)
        assert lines[0] == "begun"
        for line in lines:
            what, *told = line.split(" ")
            if what == "accepted":
                operator.accepted[told[0], int(told[1])] = told[2]
            elif what == "logged":
                operator.checkpoints[int(told[0])] = told[1]
        operator.require_nothing_forgotten()
    with operator.open_house(engine.open()) as house:
        operator.require_each_logged_once(house)


class Cut(BaseException):
    """Where a program stops for good."""


class CutOff:
    """A store or a log whose calls are counted, and stop before or after the one that is the last."""

    def __init__(self, whole, steps, last):
        self._whole, self._steps, self._last = whole, steps, last

    def __getattr__(self, name):
        part = getattr(self._whole, name)
        if not callable(part):
            return part

        def call(*given, **named):
            self._step()
            answer = part(*given, **named)
            self._step()
            return answer

        return call

    def _step(self):
        if next(self._steps) == self._last:
            raise Cut


def test_a_sequencer_cut_off_at_any_step_goes_on(engine, operator):
    """Before and after everything that it asks of the database and the log, one after the other, and so is whoever takes over."""
    house = operator.open_house(engine.open())
    house.deposit("ann", 10**6, "money")
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    store = house._store

    def is_cut_off(last):
        steps = count()
        house._store = CutOff(store, steps, last)
        try:
            with operator.open_log() as log:
                house.sequence(CutOff(log, steps, last))
        except Cut:
            return True
        finally:
            house._store = store
            with operator.open_log() as log:
                operator.checkpoints[log.size] = log.checkpoint.root.hex()
        return False

    for last in count():
        for item in range(2):
            acceptance = house.accept(pair, {"player": 5}, f"{last} {item}")
            operator.accepted[pair.id, acceptance.nonce] = acceptance.statement
            house.deal(acceptance)
        if not is_cut_off(last):
            break
        is_cut_off(last // 2)
        with operator.open_log() as log:
            house.sequence(log)
    assert last >= 8  # before and after each of: what has a place, giving places, what has one now, appending
    operator.require_each_logged_once(house)


class AtWork:
    """Threads that play and one that logs until they are told to stop; what got no answer is asked again."""

    def __init__(self, house, pair, operator):
        self.house, self.pair, self.operator = house, pair, operator
        self.failures = []
        self.faults = []
        self.logged = 0
        self.stop = threading.Event()

    def __enter__(self):
        self.log = self.operator.open_log()
        self.threads = [threading.Thread(target=self.work, args=(task,)) for task in (self.player("a"), self.player("b"), self.sequence)]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        self.log.close()
        assert self.faults == []

    def work(self, task):
        while not self.stop.is_set():
            try:
                task()
            except StoreError as error:
                self.failures.append(error)
                time.sleep(0.01)
            except BaseException as fault:
                self.faults.append(fault)
                raise

    def player(self, name):
        number = 0

        def play():
            nonlocal number
            acceptance = self.house.accept(self.pair, {"player": 5}, f"{name} {number}")
            self.operator.accepted[self.pair.id, acceptance.nonce] = acceptance.statement
            self.house.deal(acceptance)
            number += 1

        return play

    def sequence(self):
        self.logged += self.house.sequence(self.log)
        self.operator.checkpoints[self.log.size] = self.log.checkpoint.root.hex()

    def wait_for(self, statements):
        enough, deadline = self.logged + statements, time.monotonic() + 60
        while self.logged < enough:
            assert self.faults == []
            assert time.monotonic() < deadline, f"{self.logged} statements are logged, {enough} were to be; failures: {self.failures}"
            time.sleep(0.005)


@pytest.fixture(scope="module")
def fragile():
    """A server to be treated badly."""
    pytest.importorskip("psycopg", reason="the extra postgres isn't installed")
    server = PostgresServer(require_binaries())
    yield server
    server.remove()


@pytest.fixture
def postgres(fragile):
    engine = PostgresEngine(server=fragile)
    yield engine
    engine.close()


def begin(operator, store):
    house = operator.open_house(store)
    house.deposit("ann", 10**12, "money")
    return house, house.choose_client_seed(house.commit("ann"), "lucky 8s")


def test_connections_killed_while_they_sign_and_log(postgres, operator):
    house, pair = begin(operator, postgres.open())
    with AtWork(house, pair, operator) as work:
        for _ in range(max(2, KILLS // 2)):
            work.wait_for(5)
            postgres.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        work.wait_for(5)
    assert work.failures == []  # the store asks again itself
    operator.require_each_logged_once(house)


def test_a_server_that_goes_down_while_it_signs_and_logs(fragile, postgres, operator):
    """`immediate` is what a power cut leaves: no checkpoint, and the log of the database has to be replayed."""
    house, pair = begin(operator, postgres.open(patience=0.5))
    with AtWork(house, pair, operator) as work:
        for _ in range(max(2, KILLS // 4)):
            work.wait_for(30)
            fragile.stop("immediate")
            failed, deadline = len(work.failures), time.monotonic() + 20
            while len(work.failures) == failed and time.monotonic() < deadline:
                time.sleep(0.05)
            fragile.start()
        work.wait_for(30)
    assert work.failures
    operator.require_nothing_forgotten()
    operator.require_each_logged_once(house)
