"""`pfb house` with seed chains: a round is proved when it is answered, and so is a pair that is in play."""

from __future__ import annotations

import json

import pytest

from provably_fair_baccarat import RoundRecord, verify_record
from provably_fair_baccarat.house import House, SqliteStore, Vault


@pytest.fixture
def house(call, monkeypatch):
    """Call `pfb house` on a database with tables and a vault with a key."""
    monkeypatch.setenv("PFB_DATABASE", "sqlite:///house.db")
    monkeypatch.setenv("PFB_KEY_FILE", "house.keys")
    assert call("db", "migrate").code == 0
    assert call("house", "key", "house.keys").code == 0

    def run(*arguments, code=0):
        ran = call("house", *arguments)
        assert ran.code == code, ran
        return json.loads(ran.out) if "--json" in arguments and ran.out.count("\n") == 1 else ran.out

    return run


@pytest.fixture
def pair(house):
    """An active pair with a seed chain of a bettor with money."""
    house("deposit", "ann", "100000", "--key", "deposit 1")
    pair = house("commit", "ann", "--chain", "50", "--json")["pair"]
    house("choose", pair, "--client-seed", "lucky 8s")
    return pair


@pytest.fixture
def one_open(house, pair, tmp_path):
    """A round that was accepted and not dealt."""
    with SqliteStore(tmp_path / "house.db") as store:
        House(store, Vault.from_key_file(tmp_path / "house.keys")).accept(pair, {"tie": 5}, "open")


def test_the_chain_is_published_with_the_commitment(house):
    told = house("commit", "ann", "--chain", "1000", "--decks", "6", "--json")
    assert (told["scheme"], told["label"], told["cap"], told["chain"]["length"]) == ("pfb1-chain", "pfb1-chain:6", 1000, 1000)
    assert (told["newest_link"], told["server_seed"], told["settled_in_order"]) == (None, None, 0)
    lines = house("commit", "ann", "--chain", "1000").splitlines()
    assert "length       1000" in lines
    assert sum(line.startswith("anchor       ") for line in lines) == 1


def test_a_round_is_proved_when_it_is_answered(house, pair, call, tmp_path):
    out = house("play", pair, "--bet", "player=500", "--key", "1")
    assert "It leads to the anchor in 1 hash: this round can be verified now.\n" in out
    record = RoundRecord.parse_json(json.dumps(house("play", pair, "--bet", "player=500", "--key", "2", "--json")))
    assert verify_record(record).round.nonce == 1
    assert f"link  {record.server_seed}\n" in house("play", pair, "--bet", "player=500", "--key", "2")
    (tmp_path / "rounds.jsonl").write_text(house("export"), encoding="utf-8")
    assert call("verify", "rounds.jsonl").out.endswith("2 rounds verified, 0 failed.\n")


def test_a_pair_in_play_is_verified(house, pair):
    assert "No round was accepted under it." in house("verify", pair)
    for key in "ab":
        house("play", pair, "--bet", "player=500", "--key", key)
    out = " ".join(house("verify", pair).split())
    assert "The newest link leads in 2 hashes to" in out
    assert "All 2 rounds that were accepted are there, with every nonce from 0 to 1." in out
    assert out.endswith("2 rounds verified, 0 failed.")


def test_an_open_round_holds_the_proof_back(house, pair, one_open):
    assert "The first is not settled" not in house("verify", pair)
    assert "None can be dealt again yet: the first is not settled." in house("verify", pair)
    out = house("play", pair, "--bet", "player=500", "--key", "1")
    assert "An earlier round is open still; this one is proved when that is settled.\n" in out
    assert house("verify", pair, "--json")["rounds"] == 0
    assert house("recover") == "1 accepted coup dealt.\n"
    assert "can be verified now" in house("play", pair, "--bet", "player=500", "--key", "1")
    assert house("verify", pair, "--json")["rounds"] == 2


def test_the_open_round_behind_is_told(house, pair, tmp_path):
    house("play", pair, "--bet", "player=500", "--key", "1")
    with SqliteStore(tmp_path / "house.db") as store:
        House(store, Vault.from_key_file(tmp_path / "house.keys")).accept(pair, {"tie": 5}, "open")
    out = " ".join(house("verify", pair).split())
    assert "All 2 rounds that were accepted are there, with every nonce from 0 to 1." in out
    assert "Dealt again from both seeds, each up to nonce 0 has the same cut, cards and return." in out
    assert out.endswith("1 round verified, 0 failed.")


def test_the_next_pair_has_a_chain_as_long(house, pair):
    house("play", pair, "--bet", "player=500", "--key", "1")
    rotated = house("rotate", pair, "--json")
    assert rotated["next_pair"]["chain"]["length"] == 50
    assert rotated["next_pair"]["chain"]["anchor"] != rotated["revealed"]["chain"]["anchor"]
    assert rotated["revealed"]["server_seed"] != rotated["revealed"]["newest_link"] is not None
    assert house("verify", pair, "--json")["rounds"] == 1


@pytest.mark.parametrize("length", ["0", "1000001", "x", "1.5", "-1"])
def test_what_is_no_length(house, length):
    assert house("commit", "ann", "--chain", length, "--json", code=2)["error"]["code"] == "seed.chain"
