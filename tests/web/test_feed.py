"""The live feed: a bettor's own rounds as they happen, in order, and none lost between two connections."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

import pytest

from .conftest import make_house


@dataclass
class Event:
    id: str | None = None
    event: str | None = None
    data: str | None = None
    comments: list[str] = field(default_factory=list)

    @property
    def round(self):
        return json.loads(self.data)


def events_of(answer):
    event = Event()
    for line in answer.iter_lines():
        if not line:
            yield event
            event = Event()
        elif line.startswith(":"):
            event.comments.append(line[1:].strip())
        else:
            name, _, value = line.partition(": ")
            setattr(event, name, value)


@contextmanager
def following(bettor, last=None, **query):
    headers = {"X-Bettor": bettor.name} | ({} if last is None else {"Last-Event-ID": str(last)})
    with bettor.client.stream("GET", "/baccarat/events", headers=headers, params=query, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        yield events_of(answer)


def rounds(events, count):
    """The next rounds, with the id of the last event; roads and heartbeats are passed over."""
    found, last, beats = [], None, 0
    for event in events:
        last = event.id or last
        beats = beats + 1 if event.comments else 0
        assert beats < 100, "nothing but heartbeats"
        if event.event == "round":
            found.append(event)
        if len(found) == count:
            return found, last
    raise AssertionError("the feed ended")


@pytest.fixture
def feed():
    pytest.importorskip("fastapi", reason="the feed needs the extra web")
    from provably_fair_baccarat.web import Feed

    return Feed(poll=0.05, heartbeat=0.2)


@pytest.fixture
def ann(start, house, feed):
    return start(house, feed=feed)("ann")


def test_rounds_come_with_their_roads(ann):
    pair = ann.open()
    with following(ann) as events:
        assert next(events).id == "0"
        played = ann.play(pair, {"player": "500"}, "1").json()
        told = next(event for event in events if event.event)
        assert (told.event, told.id) == ("round", "1")
        assert told.round == ann.get("/rounds").json()["rounds"][0]
        assert told.round["record"] == played
        roads = next(events)
        assert (roads.event, roads.id) == ("roads", None)
        assert json.loads(roads.data) == ann.get("/roads").json()


def test_nothing_is_lost_between_two_connections(ann):
    pair = ann.open()
    with following(ann) as events:
        for number in range(3):
            ann.play(pair, {"player": "5"}, f"{number}")
        _, last = rounds(events, 3)
    for number in range(3, 8):
        ann.play(pair, {"player": "5"}, f"{number}")
    with following(ann, last) as events:
        missed, last = rounds(events, 5)
    assert [event.round["nonce"] for event in missed] == [3, 4, 5, 6, 7]
    assert last == str(missed[-1].round["id"])


def test_a_first_connection_may_say_what_it_knows(ann):
    pair = ann.open()
    for number in range(4):
        ann.play(pair, {"player": "5"}, f"{number}")
    known = ann.get(f"/pairs/{pair}/rounds/1").json()["id"]
    with following(ann, after=known) as events:
        assert [event.round["nonce"] for event in rounds(events, 2)[0]] == [2, 3]
    with following(ann, after=0) as events:
        assert [event.round["nonce"] for event in rounds(events, 4)[0]] == [0, 1, 2, 3]


def test_more_than_a_page_was_missed(ann, house):
    pair = ann.open()
    from provably_fair_baccarat.house import BetRequest

    house.play_many([BetRequest(pair, {"player": 5}, f"{number}") for number in range(450)])
    with following(ann, after=0) as events:
        assert [event.round["nonce"] for event in rounds(events, 450)[0]] == list(range(450))


def test_rounds_that_nobody_announced_come_too(ann, house):
    pair = ann.open()
    with following(ann) as events:
        next(events)
        house.play(pair, {"player": 5}, "by the backend itself")
        assert rounds(events, 1)[0][0].round["key"] == "by the backend itself"


def test_a_round_that_is_not_dealt_yet_holds_the_id_back(ann):
    pair = ann.open()
    ann.ask("POST", f"/pairs/{pair}/acceptances", json={"bets": {"player": "5"}}, headers={"Idempotency-Key": "a"})
    with following(ann) as events:
        ann.play(pair, {"player": "5"}, "b")
        (second,), last = rounds(events, 1)
        assert (second.round["nonce"], last) == (1, "0")
    with following(ann, last) as events:
        assert rounds(events, 1)[0][0].round["nonce"] == 1, "it is told a second time"
        ann.ask("POST", f"/pairs/{pair}/rounds/0/deal")
        (first,), last = rounds(events, 1)
        assert (first.round["nonce"], last) == (0, "2")
    with following(ann, last) as events:
        ann.play(pair, {"player": "5"}, "c")
        assert rounds(events, 1)[0][0].round["nonce"] == 2


def test_nobody_else_s_rounds_come(start, house, feed):
    bettor = start(house, feed=feed)
    ann, bob = bettor("ann"), bettor("bob")
    house.deposit("bob", 1000, "deposit")
    theirs, his = ann.open(), bob.open()
    with following(bob) as events:
        next(events)
        ann.play(theirs, {"player": "5"}, "1")
        bob.play(his, {"player": "5"}, "1")
        (only,), _ = rounds(events, 1)
        assert only.round["pair"] == his


def test_a_heart_beats_where_there_is_no_news(ann):
    with following(ann) as events:
        next(events)
        assert next(events).comments == ["heartbeat"]


def test_connections_of_a_bettor_are_counted_and_let_go(start, house):
    pytest.importorskip("fastapi", reason="the feed needs the extra web")
    from provably_fair_baccarat.web import Feed

    bettor = start(house, feed=Feed(per_bettor=2, in_all=3, poll=0.05, heartbeat=0.05))
    ann, bob = bettor("ann"), bettor("bob")
    with following(ann) as one, following(ann) as two:
        next(one), next(two)
        refused = ann.get("/events")
        assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "web.streams", "5")
        with following(bob) as three:
            next(three)
            assert bettor("eve").get("/events").status_code == 429
    end = monotonic() + 60
    while True:  # the server notices soon that they have gone
        with ann.client.stream("GET", "/baccarat/events", headers={"X-Bettor": "ann"}) as again:
            if again.status_code == 200:
                break
        assert monotonic() < end


def test_a_feed_ends_after_its_time_and_when_it_is_closed(start, house):
    pytest.importorskip("fastapi", reason="the feed needs the extra web")
    from provably_fair_baccarat.web import Feed

    feed = Feed(poll=0.05, lifetime=0.2)
    ann = start(house, feed=feed)("ann")
    with following(ann) as events:
        assert [event.id for event in events] == ["0"]
    endless = Feed(poll=5)
    bob = start(house, feed=endless)("bob")
    with following(bob) as events:
        next(events)
        endless.close()
        assert list(events) == []


@pytest.mark.parametrize("last", ["-1", "x", "1.5", str(2**63)])
def test_an_id_that_cannot_be_one_is_refused(ann, last):
    refused = ann.ask("GET", "/events", headers={"Last-Event-ID": last})
    assert (refused.status_code, refused.json()["code"]) == (422, "house.request")


def test_many_threads_play_while_readers_come_and_go(start, tmp_path, feed):
    """Every round of the bettor is read, whichever thread played it, however often the reader's connection breaks."""
    house = make_house(tmp_path)
    house.deposit("ann", 10**9, "deposit")
    ann = start(house, feed=feed)("ann")
    pairs = [house.choose_client_seed(house.commit("ann"), f"seed {number}") for number in range(4)]
    threads, of_each = 8, 25

    def play(thread):
        for number in range(of_each):
            house.play(pairs[thread % 4], {"player": 5}, f"{thread} {number}")
            feed.announce("ann")

    seen, last, breaks = [], 0, 0
    with ThreadPoolExecutor(threads) as pool:
        playing = [pool.submit(play, thread) for thread in range(threads)]
        while len(set(seen)) < threads * of_each:
            with following(ann, last) as events:
                for event in events:
                    last = event.id or last
                    if event.event == "round":
                        seen.append(event.round["id"])
                        if len(seen) % 7 == 0:
                            breaks += 1
                            break
                    if len(set(seen)) == threads * of_each:
                        break
        for each in playing:
            each.result()
    assert sorted(seen) == list(range(1, threads * of_each + 1)), "each once: nothing was left undealt"
    assert breaks > 10
