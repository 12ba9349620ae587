"""Many threads at once: no gap, no nonce twice, sums of zero in every snapshot, and one answer for one key."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from provably_fair_baccarat import RoundRecord
from provably_fair_baccarat.errors import BaccaratError, FundsError, KeyConflictError, PairStateError
from provably_fair_baccarat.house import BetRequest

ACCOUNTS = ("ann", "ben", "cat", "dan")


def together(threads, work):
    """Run `work(number)` in so many threads that start at the same moment; returns their answers or errors."""
    barrier = threading.Barrier(threads)

    def start(number):
        barrier.wait()
        try:
            return work(number)
        except BaccaratError as error:
            return error

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(start, range(threads)))


def test_one_key_of_100_threads_is_one_round(house, pair):
    answers = together(100, lambda _: house.play(pair, {"player": 500}, "key"))
    assert {type(answer) for answer in answers} == {RoundRecord}
    assert len({answer.to_json() for answer in answers}) == 1
    assert house.pair(pair).next_nonce == 1
    assert len({answer.balance for answer in together(20, lambda _: house.deposit("ann", 5, "one key"))}) == 1


def test_32_threads_on_4_accounts_with_colliding_keys(house):
    pairs = {}
    for bettor in ACCOUNTS:
        house.deposit(bettor, 3_000, "deposit")
        pairs[bettor] = house.choose_client_seed(house.commit(bettor), "lucky")
    stop = threading.Event()

    def watch():
        sheets = 0
        while not stop.is_set():
            (sheet,) = house.verify_books()
            assert sheet.bettors + sheet.house == sheet.outside
            sheets += 1
        return sheets

    def play(number):
        choice = random.Random(number)
        answers = []
        for _ in range(25):
            bettor = choice.choice(ACCOUNTS)
            key = f"{choice.randrange(120)}"
            stake = 100 + 5 * (int(key) % 3)
            call = choice.choice([house.play, house.play, lambda *bet: house.deal(house.accept(*bet))])
            try:
                answers.append((bettor, key, call(pairs[bettor], {"player": stake}, key)))
            except FundsError:
                house.deposit(bettor, 500, f"{number} {choice.random()}")
            except KeyConflictError:
                pytest.fail("the same request twice is no conflict")
        return answers

    with ThreadPoolExecutor(1) as watcher:
        watching = watcher.submit(watch)
        try:
            answers = [answer for answered in together(32, play) for answer in answered]
        finally:
            stop.set()
        assert watching.result() > 0
    records = {}
    for bettor, key, record in answers:
        assert records.setdefault((bettor, key), record) == record
    for bettor in ACCOUNTS:
        nonces = sorted(record.nonce for (name, _), record in records.items() if name == bettor)
        assert nonces == list(range(house.pair(pairs[bettor]).next_nonce))
        house.rotate(pairs[bettor])
        assert house.verify_history(pairs[bettor]).rounds == len(nonces)


def test_bets_and_a_rotation_at_the_same_time(house):
    """However they meet: a coup is accepted before the close or refused, and nothing accepted is open after the reveal."""
    house.deposit("ann", 1_000_000, "deposit")
    for attempt in range(8):
        pair = house.choose_client_seed(house.commit("ann"), "lucky")

        def work(number, pair=pair, attempt=attempt):
            if number == 0:
                return house.rotate(pair)
            if number % 3:
                return house.play(pair, {"player": 5}, f"{attempt} {number}")
            return house.accept(pair, {"player": 5}, f"{attempt} {number}")

        rotation, *answers = together(8, work)
        accepted = [answer for answer in answers if not isinstance(answer, BaccaratError)]
        assert {type(answer) for answer in answers if isinstance(answer, BaccaratError)} <= {PairStateError}
        assert rotation.revealed.next_nonce == rotation.revealed.settled == len(accepted)
        assert house.verify_history(pair).rounds == len(accepted)


STEPS = {
    "play": lambda house, pair: house.play(pair, {"player": 5}, "play"),
    "accept": lambda house, pair: house.accept(pair, {"player": 5}, "accept"),
    "close": lambda house, pair: house.close_pair(pair),
    "rotate": lambda house, pair: house.rotate(pair),
}


@pytest.mark.parametrize(("first", "second"), list(product(STEPS, STEPS)))
def test_any_two_steps_in_either_order_keep_the_promises(house, pair, first, second):
    for step in (first, second):
        before = house.pair(pair)
        try:
            STEPS[step](house, pair)
        except PairStateError:
            assert before.state.value in ("closing", "revealed")
            assert house.pair(pair) == before
    after = house.rotate(pair).revealed
    assert after.settled == after.next_nonce == house.verify_history(pair).rounds


def test_many_and_single_bets_at_the_same_time(house, pair):
    def work(number):
        if number % 2:
            return house.play_many([BetRequest(pair, {"player": 1}, f"{number} {item}") for item in range(120)])
        return [house.play(pair, {"player": 1}, f"{number} {item}") for item in range(20)]

    records = [record for answers in together(6, work) for record in answers]
    assert sorted(record.nonce for record in records) == list(range(3 * 140))
