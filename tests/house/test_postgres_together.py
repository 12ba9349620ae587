"""Transactions of PostgreSQL side by side: every interleaving of two steps, and many threads of several stores on the same rows."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from itertools import product

import pytest

psycopg = pytest.importorskip("psycopg")

from provably_fair_baccarat.errors import BaccaratError, FundsError, PairStateError  # noqa: E402
from provably_fair_baccarat.house import BetRequest, House  # noqa: E402
from provably_fair_baccarat.house.postgres import PostgresStore  # noqa: E402

from .conftest import make_vault  # noqa: E402
from .postgres_engine import PostgresEngine  # noqa: E402


@pytest.fixture
def engine():
    engine = PostgresEngine()
    yield engine
    engine.close()


STEPS = {
    "play": lambda house, pair: house.play(pair, {"player": 5}, "play"),
    "the same play": lambda house, pair: house.play(pair, {"player": 5}, "same"),
    "play a known nonce": lambda house, pair: house.play(pair, {"player": 5}, "known", nonce=2),
    "play many": lambda house, pair: house.play_many([BetRequest(pair, {"player": 5}, f"many {number}") for number in range(3)]),
    "accept": lambda house, pair: house.accept(pair, {"player": 5}, "accept"),
    "deal": lambda house, pair: house.play(pair, {"player": 5}, "open"),
    "close": lambda house, pair: house.close_pair(pair),
    "rotate": lambda house, pair: house.rotate(pair),
    "withdraw": lambda house, pair: house.withdraw(pair.bettor, house.balance(pair.bettor), "all of it"),
}


@pytest.fixture(scope="module")
def table():
    """A database with a house for all interleavings, a bettor for each."""
    engine = PostgresEngine()
    yield engine, House(engine.open(), make_vault())
    engine.close()


@pytest.mark.parametrize("ends", ["commit", "rollback"])
@pytest.mark.parametrize(("first", "second"), list(product(STEPS, STEPS)))
def test_a_step_while_another_is_not_committed(table, first, second, ends):
    """The second begins while the first is done and not committed. It ends as if the first had come before it, or had never been."""
    engine, house = table
    bettor = f"{first}, {second}, {ends}"
    house.deposit(bettor, 100, "deposit")
    pair = house.choose_client_seed(house.commit(bettor), "lucky")
    house.play(pair, {"player": 5}, "earlier")
    house.accept(pair, {"player": 5}, "open")
    with psycopg.connect(engine.url) as connection, ThreadPoolExecutor(1) as pool:
        inside = House(PostgresStore.on(connection), make_vault())
        done = STEPS[first](inside, pair)
        waiting = pool.submit(STEPS[second], house, pair)
        try:
            answer = waiting.result(0.03)
        except NotYetError:
            answer = None
        except BaccaratError as error:
            answer = error
        getattr(connection, ends)()
        if answer is None:
            try:
                answer = waiting.result(10)
            except BaccaratError as error:
                answer = error
    if isinstance(answer, BaccaratError):
        assert isinstance(answer, (PairStateError, FundsError)) or answer.code == "house.pair.nonce"
        assert ends == "commit"
    if ends == "commit" and first in ("close", "rotate") and second in ("play", "the same play", "accept", "play a known nonce"):
        assert isinstance(answer, PairStateError)
    if ends == "commit" and first == second and first not in ("rotate", "close", "withdraw", "play many"):
        assert answer == done
    after = house.rotate(pair).revealed
    assert after.settled == after.next_nonce == house.verify_history(pair).rounds
    house.verify_books()


def test_many_threads_of_two_stores_on_the_same_rows(engine):  # noqa: C901 (what the threads do stays in one place)
    """Two programs guess each other's nonces wrong all the time; singles, batches and deposits collide by bettor, pair and key."""
    houses = [House(engine.open(), make_vault(), cap=10_000) for _ in range(2)]
    bettors = ("ann", "ben", "cat", "dan")
    pairs = {}
    for bettor in bettors:
        houses[0].deposit(bettor, 3_000, "deposit")
        pairs[bettor] = [houses[0].choose_client_seed(houses[0].commit(bettor), "lucky") for _ in range(2)]
    records = {}
    gate = threading.Lock()

    def note(bettor, key, record):
        with gate:
            assert records.setdefault((bettor, key), record) == record

    def play(number):
        choice = random.Random(number)
        house = houses[number % 2]
        for _ in range(20):
            bettor = choice.choice(bettors)
            key = choice.randrange(150)
            pair = pairs[bettor][key % 2]
            bets = {"player": 50 + 5 * (key % 3)}
            kind = choice.randrange(6)
            try:
                if kind == 0:
                    keys = [choice.randrange(150) for _ in range(5)]
                    requests = [
                        BetRequest(pairs[who][key % 2], {"player": 50 + 5 * (key % 3)}, f"{key}") for key in keys for who in bettors
                    ]
                    for request, answer in zip(requests, house.play_many(requests), strict=True):
                        assert not isinstance(answer, BaccaratError) or isinstance(answer, FundsError)
                        if not isinstance(answer, FundsError):
                            note(request.pair.bettor, int(request.key), answer)
                elif kind == 1:
                    note(bettor, key, house.deal(house.accept(pair, bets, f"{key}")))
                elif kind == 2:
                    house.deposit(bettor, 100, f"{choice.randrange(1000)}")
                else:
                    note(bettor, key, house.play(pair, bets, f"{key}"))
            except FundsError:
                house.deposit(bettor, 500, f"{number} {choice.random()}")

    with ThreadPoolExecutor(32) as pool:
        list(pool.map(play, range(32)))
    houses[0].verify_books()
    for bettor in bettors:
        played = [record for (who, _), record in records.items() if who == bettor]
        stored = 0
        for pair in pairs[bettor]:
            after = houses[0].rotate(pair).revealed
            assert houses[1].verify_history(pair).rounds == after.next_nonce == after.settled
            stored += after.next_nonce
        assert stored >= len(played)
        assert len({(record.commitment, record.nonce) for record in played}) == len(played)


def test_one_key_of_many_threads_and_stores_and_pairs(engine):
    """A key is the bettor's: with two pairs one of them has it, and the other's is a conflict, however they meet."""
    houses = [House(engine.open(), make_vault()) for _ in range(2)]
    houses[0].deposit("ann", 1_000_000, "deposit")
    pairs = [houses[0].choose_client_seed(houses[0].commit("ann"), "lucky") for _ in range(2)]
    for house in houses:
        for pair in pairs:
            house.play(pair, {"player": 5}, f"before {pair.id}")
    for attempt in range(10):
        barrier = threading.Barrier(8)

        def play(number, attempt=attempt, barrier=barrier):
            barrier.wait()
            try:
                return houses[number % 2].play(pairs[number // 2 % 2], {"player": 5}, f"key {attempt}")
            except BaccaratError as error:
                return error

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(play, range(8)))
        codes = [answer.code for answer in answers if isinstance(answer, BaccaratError)]
        assert codes == ["house.key_conflict"] * 4
        assert len({answer.to_json() for answer in answers if not isinstance(answer, BaccaratError)}) == 1
    assert sum(house.pair(pair).next_nonce for pair in pairs) == 2 + 10
