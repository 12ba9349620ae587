"""`pfb house` for the operator's days: withdrawals, pairs that wait for their reveal, books, events and seals."""

from __future__ import annotations

import json
import sqlite3

import pytest

from provably_fair_baccarat.cli.house_view import amount_text
from provably_fair_baccarat.house import House, SqliteStore, Vault


@pytest.fixture
def house(call, monkeypatch):
    """Call `pfb house` on a database with tables and a vault with a key."""
    monkeypatch.setenv("PFB_DATABASE", "sqlite:///house.db")
    monkeypatch.setenv("PFB_KEY_FILE", "house.keys")
    monkeypatch.setenv("PFB_CURRENCY", "USD/2")
    assert call("db", "migrate").code == 0
    assert call("house", "key", "house.keys").code == 0

    def run(*arguments, code=0):
        ran = call("house", *arguments)
        assert ran.code == code, ran
        return json.loads(ran.out) if "--json" in arguments and ran.out.count("\n") == 1 else ran.out

    return run


@pytest.fixture
def pair(house):
    """An active pair of a bettor with money."""
    house("deposit", "ann", "100000", "--key", "deposit 1")
    pair = house("commit", "ann", "--json")["pair"]
    house("choose", pair, "--client-seed", "lucky 8s")
    return pair


def test_a_withdrawal_is_made_once_and_only_of_what_is_there(house, pair):
    for _ in range(2):
        told = house("withdraw", "ann", "40000", "--key", "w 1", "--json")
        assert (told["amount"], told["balance"], told["currency"]) == ("40000", "60000", {"code": "USD", "decimals": 2})
    lines = house("withdraw", "ann", "40000", "--key", "w 1").splitlines()
    assert "withdrawal  40000 (400.00 USD)" in lines
    assert "balance     60000 (600.00 USD)" in lines
    assert house("withdraw", "ann", "60001", "--key", "w 2", "--json", code=2)["error"]["code"] == "house.funds"
    assert house("withdraw", "ann", "1", "--key", "w 1", "--json", code=2)["error"]["code"] == "house.key_conflict"
    assert house("balance", "ann", "--json")["balance"] == "60000"


def test_a_pair_is_closed_without_a_key_and_tells_nothing(house, pair, monkeypatch):
    monkeypatch.delenv("PFB_KEY_FILE")
    told = house("close", pair, "--json")
    assert (told["state"], told["server_seed"]) == ("closing", None)
    assert "state        closing" in house("close", pair).splitlines()
    monkeypatch.setenv("PFB_KEY_FILE", "house.keys")
    assert house("play", pair, "--bet", "player=5", "--key", "1", "--json", code=2)["error"]["code"] == "house.pair.state"


def test_the_pairs_that_wait_for_their_reveal_come_page_by_page(house, pair):
    others = [
        house("commit", bettor, *currency, "--json")["pair"] for bettor, *currency in (["ben"], ["ann", "--currency", "EUR/2"], ["cat"])
    ]
    following = house("rotate", others[0], "--json")["next_pair"]["pair"]
    expected = [pair, others[1], others[2], following]
    seen, after = [], []
    while True:
        page = house("pairs", "-n", "3", *after, "--json")
        seen += [told["pair"] for told in page["pairs"]]
        if page["next"] is None:
            break
        after = ["--after", page["next"]]
    assert seen == expected
    out = house("pairs", "-n", "3")
    assert out.endswith(f"3 pairs.\nThere are more: --after {others[2]}\n")
    assert [line.split()[1] for line in out.splitlines() if line.startswith("pair ")] == expected[:3]
    assert house("pairs", "-n", "1", "--after", others[2]).endswith("1 pair.\n")
    assert [told["state"] for told in house("pairs", "--bettor", "ben", "--json")["pairs"]] == ["revealed", "committed"]
    assert house("pairs", "--bettor", "ann", "--currency", "EUR/2").count("\npair") + 1 == 1
    assert house("pairs", "--bettor", "ben", "--after", pair, "--json", code=2)["error"]["code"] == "usage"
    assert house("pairs", "--after", "0" * 32, "--json", code=2)["error"]["code"] == "house.pair"


def test_the_books_are_shown_in_every_currency_and_a_wrong_one_is_found(house, pair, tmp_path):
    assert house("books", "--json") == {
        "verified": True,
        "books": [{"currency": {"code": "USD", "decimals": 2}, "bettors": "100000", "house": "0", "outside": "100000"}],
    }
    house("deposit", "ben", "7", "--key", "1", "--currency", "EUR/0")
    house("play", pair, "--bet", "player=500", "--key", "1")
    out = house("books")
    assert out.endswith("The books add up.\n")
    assert [line.split()[0] for line in out.splitlines()[2:4]] == ["USD", "EUR"]
    assert "100000 (1000.00 USD)" in out
    database = sqlite3.connect(tmp_path / "house.db", isolation_level=None)
    database.execute("DROP TRIGGER account_identity")
    database.execute("UPDATE account SET balance = '1' WHERE bettor = 'ann'")
    database.close()
    assert house("books", "--json", code=1)["error"]["code"] == "verification.ledger"


def test_no_books_yet(house):
    assert house("books") == "There are no accounts yet.\n"


def test_events_are_told_with_what_was_refused(house, pair):
    house("play", pair, "--bet", "player=100001", "--key", "big\u202e", code=2)
    refused = house("events", "--kind", "refused", "--json")["events"]
    assert [(event["pair"], event["nonce"], event["bets"], event["key"]) for event in refused] == [(pair, 0, "player:100001", "big\u202e")]
    assert refused[0]["reason"].startswith("house.funds: ")
    out = house("events", "--pair", pair)
    assert [line.split()[4].rstrip(",:") for line in out.splitlines()[:-1]] == ["committed", "chosen", "refused"]
    assert "key big\\u202e" in out
    page = house("events", "-n", "2", "--json")
    assert (len(page["events"]), page["next"]) == (2, page["events"][-1]["id"])
    assert house("events", "-n", "2").endswith(f"2 events.\nThere are more: --after {page['next']}\n")
    assert house("events", "--after", str(page["next"]), "--json") == {"events": refused, "next": None}
    assert house("events", "--kind", "nothing") == "0 events.\n"
    assert house("events", "--pair", "0" * 32, "--json", code=2)["error"]["code"] == "house.pair"


def test_a_key_is_added_to_a_key_file_that_is_there_only(house, tmp_path):
    error = house("key", str(tmp_path / "none.keys"), "--append", "--json", code=2)["error"]
    assert (error["code"], error["hint"]) == ("house.vault.key", "pfb house key makes one, and add_key does.")
    assert not (tmp_path / "none.keys").exists()
    before = (tmp_path / "house.keys").read_text()
    house("key", str(tmp_path / "house.keys"), "--id", "key-2", code=2)
    assert (tmp_path / "house.keys").read_text() == before


def test_what_a_house_lost_is_told_with_its_sign():
    assert amount_text(-33, ("EUR", 2)) == "-33 (-0.33 EUR)"
    assert amount_text(-1267, ("EUR", 2)) == "-1267 (-12.67 EUR)"
    assert amount_text(1950, ("USD", 2)) == "1950 (19.50 USD)"
    assert amount_text(-5, ("JPY", 0)) == "-5 (-5 JPY)"
    assert amount_text(-5, None) == "-5"


def test_seals_are_renewed_and_the_old_key_can_go(house, pair, tmp_path):
    house("commit", "ben")
    house("key", str(tmp_path / "house.keys"), "--id", "key-2", "--append")
    assert house("reseal", "key-1", "--json") == {"resealed": 2, "from": "key-1", "to": "key-2"}
    assert house("reseal", "key-1") == "0 seals renewed, from key-1 to key-2.\n"
    new = tmp_path / "new.keys"
    new.write_text((tmp_path / "house.keys").read_text().splitlines()[-1] + "\n")
    with SqliteStore(tmp_path / "house.db") as store:
        assert House(store, Vault.from_key_file(new)).play(pair, {"player": 5}, "1").nonce == 0
    assert house("reseal", "no key", "--json", code=2)["error"]["code"] == "house.vault.key"
