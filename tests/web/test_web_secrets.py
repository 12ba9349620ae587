"""A server seed that isn't revealed is in no answer, no event, no header and no log, whatever is asked and whatever goes wrong."""

from __future__ import annotations

import base64
import logging
import threading

import pytest

from provably_fair_baccarat.errors import StoreError
from provably_fair_baccarat.house import Vault

from .conftest import KEYS, make_house

CANARY = "c0ffee" * 10 + "beef"
RAW = bytes.fromhex(CANARY)
SPELLINGS = (CANARY, CANARY.upper(), repr(RAW), base64.b64encode(RAW).decode(), str(int(CANARY, 16)))


@pytest.fixture
def house(tmp_path):
    counter = iter(range(1000))

    def entropy(size):
        """Server seeds begin with the canary; none is used twice."""
        return RAW[:30] + next(counter).to_bytes(2, "big") if size == 32 else next(counter).to_bytes(size, "big")

    house = make_house(tmp_path, entropy=entropy)
    house.deposit("ann", 1_000_000, "deposit")
    return house


def assert_clean(text):
    for spelling in SPELLINGS:
        assert spelling[:40] not in text


def test_in_nothing_that_is_said(start, house, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    bettor = start(house)
    ann, eve = bettor("ann"), bettor("eve")
    pair = ann.open()
    heard = []

    def listen():
        with ann.client.stream("GET", "/baccarat/events?after=0", headers={"X-Bettor": "ann"}) as feed:
            heard.extend(line for _, line in zip(range(12), feed.iter_lines(), strict=False))

    listening = threading.Thread(target=listen)
    listening.start()
    for number in range(3):
        ann.play(pair, {"player": "500"}, f"{number}")
    listening.join(10)
    assert len(heard) == 12
    for path in (
        "/pairs",
        f"/pairs/{pair}",
        "/rounds",
        f"/pairs/{pair}/rounds",
        f"/pairs/{pair}/rounds/0",
        "/roads",
        "/balance",
        "/offer",
        "/odds",
    ):
        ann.get(path)
        eve.get(path)
    ann.play(pair, {"player": "501"}, "0")
    ann.play(pair, {"plyer": "501"}, "x")
    ann.play(pair, {"player": "9" * 30}, "y")
    ann.ask("POST", f"/pairs/{pair}/close")
    ann.play(pair, {"player": "5"}, "z")
    record = ann.get(f"/pairs/{pair}/rounds/0").json()["record"]
    ann.ask("POST", "/verify", json={"record": record})
    monkeypatch.setattr(house._store, "round_at", lambda *_: (_ for _ in ()).throw(StoreError("database", "one that answers", "none")))
    ann.get(f"/pairs/{pair}/rounds/0")
    monkeypatch.setattr(house._store, "balance", lambda *_: 1 // 0)
    ann.get("/balance")
    asked = [*ann.seen, *eve.seen]
    assert {answer.status_code for answer in asked} >= {200, 201, 402, 404, 409, 422, 500, 503}
    for answer in asked:
        assert_clean(answer.text + str(answer.headers))
    assert_clean("\n".join(heard) + caplog.text)
    monkeypatch.undo()
    revealed = ann.ask("POST", f"/pairs/{pair}/rotation").json()
    assert CANARY[:40] in revealed["revealed"]["server_seed"], "the scan sees a seed when there is one"
    assert revealed["next_pair"]["server_seed"] is None


def test_not_where_the_vault_is_wrong(start, house, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    pair = house.choose_client_seed(house.commit("ann"), "x").id
    house.close()
    wrong = make_house(tmp_path, vault=Vault({"k1": KEYS["k2"]}.__getitem__, "k1"))
    ann = start(wrong)("ann")
    assert ann.play(pair, {"player": "5"}, "k").status_code == 500
    assert ann.ask("POST", f"/pairs/{pair}/rotation").status_code == 500
    assert_clean("".join(answer.text for answer in ann.seen) + caplog.text)


def test_a_seed_that_is_sent_in_is_never_repeated(start, house, caplog):
    """Whoever sends a secret to the wrong place doesn't get it back in a problem."""
    caplog.set_level(logging.DEBUG)
    ann = start(house)("ann")
    for body in (
        {"server_seed": CANARY.upper(), "client_seed": "x", "commitment": "ab" * 32, "nonce": 0},
        {"server_seed": CANARY, "client_seed": "x", "commitment": "ab" * 32, "nonce": 0},
        {"server_seed": [CANARY]},
        {"record": {"server_seed": CANARY.upper()}},
        {"record": {"server_seed": CANARY}},
    ):
        told = ann.ask("POST", "/verify", json=body).text
        assert_clean(told)
        assert "c0ffee" not in told.lower(), "not even a part of it"
    assert_clean(caplog.text)
