"""Many clients at once on a real server: no nonce is lost or dealt twice, the money adds up, and one key at one time plays one round."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from provably_fair_baccarat.errors import StoreBusyError

from .conftest import make_house

CLIENTS, OF_EACH = 32, 12


@pytest.fixture
def busy(start, tmp_path):
    house = make_house(tmp_path)
    for number in range(8):
        house.deposit(f"bettor {number}", 1_000_000, "deposit")
    return house, start(house)


def test_thirty_two_clients_play_at_once(busy):
    house, bettor = busy
    pairs = [bettor(f"bettor {number}").open(f"seed {number}") for number in range(8)]
    together = Barrier(CLIENTS)

    def play(client):
        """Four clients share each bettor and pair."""
        one = bettor(f"bettor {client % 8}")
        together.wait()
        return [one.play(pairs[client % 8], {"player": "500", "tie": "20"}, f"{client} {number}") for number in range(OF_EACH)]

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = [answer for played in pool.map(play, range(CLIENTS)) for answer in played]
    assert Counter(answer.status_code for answer in answers) == {201: CLIENTS * OF_EACH}
    records = [answer.json() for answer in answers]
    of_each_pair = CLIENTS * OF_EACH // 8
    for number, pair in enumerate(pairs):
        mine = [record for record in records if record["client_seed"] == f"seed {number}"]
        assert sorted(record["nonce"] for record in mine) == list(range(of_each_pair))
        net = sum(int(record["totals"]["net"]) for record in mine)
        assert house.balance(f"bettor {number}") == 1_000_000 + net
        kept = {str(each.record.nonce): each.record.to_json() for each in house.history(pair=pair).rounds}
        assert kept == {str(record["nonce"]): json.dumps(record, separators=(",", ":"), sort_keys=True).encode() for record in mine}
    for pair in pairs:
        house.rotate(pair)
        assert house.verify_history(pair).rounds == of_each_pair
    (books,) = house.verify_books()
    assert books.bettors + books.house == books.outside


def test_one_key_at_one_time_plays_one_round(busy):
    house, bettor = busy
    pair = bettor("bettor 0").open()
    together = Barrier(CLIENTS)

    def play(client):
        together.wait()
        return bettor("bettor 0").play(pair, {"player": "500"}, "the same key")

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(play, range(CLIENTS)))
    played = [answer for answer in answers if answer.status_code == 201]
    others = [answer.json()["code"] for answer in answers if answer.status_code != 201]
    assert len({answer.content for answer in played}) == 1
    assert set(others) <= {"web.key_in_flight"}
    assert house.pair(pair).next_nonce == 1
    assert house.balance("bettor 0") == 1_000_000 + int(played[0].json()["totals"]["net"])


def test_a_refusal_spoils_nobody_else_s_bet(busy):
    house, bettor = busy
    pair = bettor("bettor 0").open()
    together = Barrier(CLIENTS)

    def play(client):
        together.wait()
        stake = "500" if client % 2 else "0"
        name = "player" if client % 3 else "plyer"
        return (client, bettor("bettor 0").play(pair, {name: stake}, f"{client}").status_code)

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(play, range(CLIENTS)))
    for client, status in answers:
        assert status == (201 if client % 2 and client % 3 else 422), client
    assert house.pair(pair).next_nonce == sum(client % 2 and client % 3 > 0 for client in range(CLIENTS))


def test_bets_that_come_together_share_a_commit(busy, monkeypatch):
    """What waits while a handful is being played makes the next one."""
    house, bettor = busy
    handfuls, play_many = [], house.play_many

    def counted(requests):
        handfuls.append(len(requests))
        return play_many(requests)

    monkeypatch.setattr(house, "play_many", counted)
    pairs = [bettor(f"bettor {number}").open() for number in range(8)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        asked = [
            pool.submit(bettor(f"bettor {client % 8}").play, pairs[client % 8], {"player": "5"}, f"{client} {number}")
            for number in range(6)
            for client in range(CLIENTS)
        ]
        assert {each.result().status_code for each in asked} == {201}
    assert sum(handfuls) == 6 * CLIENTS
    assert len(handfuls) < sum(handfuls)
    assert max(handfuls) > 1


def test_a_handful_that_is_held_up_holds_nobody_up_for_long():
    """One that waits for the database's lock: the next ones are played beside it."""
    pytest.importorskip("fastapi", reason="the croupier belongs to the router, which needs the extra web")
    from provably_fair_baccarat.web.croupier import AT_ONCE, Croupier

    async def evening():
        lock, running, most = asyncio.Event(), 0, 0

        async def play_many(requests):
            nonlocal running, most
            running += 1
            most = max(most, running)
            if "slow" in requests:
                await lock.wait()
            running -= 1
            return requests

        croupier = Croupier(play_many)
        slow = asyncio.create_task(croupier.play("slow"))
        await asyncio.sleep(0)
        others = asyncio.gather(*(croupier.play(number) for number in range(200)))
        assert await asyncio.wait_for(others, 20) == list(range(200))
        assert not slow.done()
        stuck = [asyncio.create_task(croupier.play("slow")) for _ in range(3 * AT_ONCE)]
        await asyncio.sleep(1)
        lock.set()
        assert await slow == "slow"
        assert await asyncio.gather(*stuck) == ["slow"] * len(stuck)
        return most

    assert 2 <= asyncio.run(evening()) <= AT_ONCE


def test_a_fault_reaches_everybody_in_the_handful_and_nobody_else():
    pytest.importorskip("fastapi", reason="the croupier belongs to the router, which needs the extra web")
    from provably_fair_baccarat.web.croupier import Croupier

    async def evening():
        async def play_many(requests):
            await asyncio.sleep(0)
            if "bad" in requests:
                raise StoreBusyError("database", "a turn", "none")
            return requests

        croupier = Croupier(play_many)
        first = asyncio.create_task(croupier.play("good"))
        await asyncio.sleep(0)
        together = await asyncio.gather(croupier.play("bad"), croupier.play("with it"), return_exceptions=True)
        assert [type(answer) for answer in together] == [StoreBusyError, StoreBusyError]
        assert await first == "good"
        assert await croupier.play("later") == "later"

    asyncio.run(evening())


def test_a_bet_that_comes_when_the_last_one_goes_is_played(monkeypatch):
    """Just when a handful has been answered and nothing waits any more, the next bet comes: at every step of the loop there may be one."""
    pytest.importorskip("fastapi", reason="the croupier belongs to the router, which needs the extra web")
    from provably_fair_baccarat.web import croupier as module

    monkeypatch.setattr(module, "PATIENCE", 1000)

    async def play_many(requests):
        await asyncio.sleep(0)
        return requests

    async def evening():
        for steps in range(12):
            croupier = module.Croupier(play_many)
            first = asyncio.create_task(croupier.play("first"))
            for _ in range(steps):
                await asyncio.sleep(0)
            second = asyncio.create_task(croupier.play("second"))
            assert await asyncio.wait_for(asyncio.gather(first, second), 10) == ["first", "second"], steps

    asyncio.run(evening())
