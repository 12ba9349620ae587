"""A bet of the operator's own behind HTTP: verified while the house knows it, and told as far as it goes when it doesn't any more."""

from __future__ import annotations

import logging

import pytest

from provably_fair_baccarat import Bet, PayTable

from .conftest import make_house


def both_draw(coup):
    return coup.cards_used == 6


OWN = Bet("both_draw", both_draw, needs="scores")
TABLE = PayTable(side_bets={"both_draw": "3.0"}, bets=[OWN])


@pytest.fixture
def played(start, tmp_path):
    """A bettor who has bet on it, and on the banker; the pair, and a house that was opened with its table."""
    house = make_house(tmp_path, pay_table=TABLE)
    house.deposit("ann", 1000, "deposit")
    ann = start(house)("ann")
    pair = ann.open()
    for bet in ("banker", "both_draw"):
        assert ann.play(pair, {bet: "10"}, bet).status_code == 201
    return ann, pair, house


def verdict(bettor, record, **claim):
    answer = bettor.ask("POST", "/verify", json={"record": record, **claim})
    return answer.status_code, answer.json().get("verified")


def test_the_house_verifies_its_own_bets(played):
    ann, pair, _ = played
    assert ann.ask("POST", f"/pairs/{pair}/rotation").status_code == 200
    for kept in ann.get("/rounds").json()["rounds"]:
        assert verdict(ann, kept["record"]) == (200, True)
        assert verdict(ann, kept["record"], pay_table=TABLE.to_dict()) == (200, True)
        kept["record"]["totals"]["net"] = "999"
        assert verdict(ann, kept["record"]) == (200, False)


def test_a_house_that_does_not_know_a_bet_any_more(played, start, tmp_path, caplog):
    ann, pair, house = played
    ann.ask("POST", f"/pairs/{pair}/rotation")
    records = {kept["nonce"]: kept["record"] for kept in ann.get("/rounds").json()["rounds"]}
    house.close()
    ann = start(make_house(tmp_path))("ann")
    assert [told["id"] for told in ann.get("/pairs").json()["pairs"]][-1] == pair
    assert ann.get(f"/pairs/{pair}").json()["pay_table"] == TABLE.to_dict()
    assert ann.get(f"/pairs/{pair}/rounds/0").json()["record"] == records[0]
    assert ann.ask("POST", "/pairs").status_code == 201
    with caplog.at_level(logging.ERROR, logger="provably_fair_baccarat.web"):
        told = ann.get(f"/pairs/{pair}/rounds/1")
        assert (told.status_code, told.json()["code"], told.json()["hint"]) == (500, "house.own_bet", None)
        assert "pass it in `own_bets`" in caplog.messages[-1]
    told = ann.ask("POST", "/verify", json={"record": records[0]})
    assert (told.status_code, told.json()["code"]) == (422, "money.bet.unknown")


def test_one_round_with_a_bet_that_is_not_known_hides_no_other(played, start, tmp_path, caplog):
    """The page, the scoreboards and the feed go on: what was dealt is known, only what it paid is not told."""
    ann, pair, house = played
    whole, roads = ann.get("/rounds").json()["rounds"], ann.get("/roads").json()
    house.close()
    ann = start(make_house(tmp_path))("ann")
    with caplog.at_level(logging.ERROR, logger="provably_fair_baccarat.web"):
        for path, told in (("/rounds", whole), (f"/pairs/{pair}/rounds", whole[::-1])):
            page = ann.get(path)
            assert page.status_code == 200
            assert page.json()["rounds"] == [kept if "banker" in kept["bets"] else {**kept, "record": None} for kept in told]
            assert caplog.messages[-1] == (
                f"house.own_bet: rounds told without their records: 1, like nonce 1 of pair {pair}. "
                "Pass the bets of its pay table in `own_bets`."
            )
    assert ann.get("/roads").json() == ann.get(f"/roads?pair={pair}").json() == roads
    with ann.client.stream("GET", "/baccarat/events?after=0", headers={"X-Bettor": "ann"}) as stream:
        lines = stream.iter_lines()
        ids = [next(line for line in lines if line.startswith("id: ")) for _ in range(3)]
    assert ids[1:] == [f"id: {kept['id']}" for kept in whole[::-1]]
