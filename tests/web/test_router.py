"""The router: a bettor's evening over HTTP, from the commitment to the proof, with keys, pages and nobody else's pairs."""

from __future__ import annotations

import json

from provably_fair_baccarat import RoundRecord, verify_record
from provably_fair_baccarat.house import Limits
from provably_fair_baccarat.rules.odds import odds
from provably_fair_baccarat.rules.roads import Scoreboard

from .conftest import make_house


def test_an_evening(ann, house):
    opened = ann.ask("POST", "/pairs")
    assert opened.status_code == 201
    pair = opened.json()
    assert opened.headers["location"] == f"/baccarat/pairs/{pair['id']}"
    assert (pair["state"], pair["client_seed"], pair["server_seed"]) == ("committed", None, None)
    chosen = ann.ask("PUT", f"/pairs/{pair['id']}/client-seed", json={"client_seed": "lucky 8s"}).json()
    assert (chosen["state"], chosen["client_seed_made_by"]) == ("active", "bettor")

    played = ann.play(pair["id"], {"player": "500", "tie": "20"}, "bet 1")
    assert played.status_code == 201
    assert played.headers["location"] == f"/baccarat/pairs/{pair['id']}/rounds/0"
    record = RoundRecord.parse_json(played.content)
    assert played.content == record.to_json(), "the bytes that one digests"
    assert (record.nonce, str(record.commitment), record.server_seed) == (0, pair["commitment"], None)
    left = str(1_000_000 - 520 + record.totals.returned)
    assert ann.get("/balance").json() == {"balance": left, "currency": {"code": "USD", "decimals": 2}}

    rotation = ann.ask("POST", f"/pairs/{pair['id']}/rotation").json()
    assert rotation["revealed"]["server_seed"] is not None
    assert rotation["next_pair"]["state"] == "committed"
    kept = ann.get(f"/pairs/{pair['id']}/rounds/0").json()
    assert kept["balance_after"] == left
    assert kept["record"] == {**record.to_dict(), "server_seed": rotation["revealed"]["server_seed"]}
    verdict = ann.ask("POST", "/verify", json={"record": kept["record"]}).json()
    proved = verify_record(RoundRecord.model_validate(kept["record"]))
    assert verdict["verified"] is True
    assert [check["code"] for check in verdict["checks"]] == [check.code for check in proved.checks]
    assert house.verify_history(pair["id"]).rounds == 1


def test_a_pair_that_waits_is_shown_again(ann):
    first = ann.ask("POST", "/pairs")
    again = ann.ask("POST", "/pairs")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    ann.ask("PUT", f"/pairs/{first.json()['id']}/client-seed", json={"client_seed": "x"})
    assert ann.ask("POST", "/pairs").status_code == 201


def test_a_client_seed_is_chosen_once_and_may_be_sent_again(ann):
    pair = ann.open("Zoë ♥")
    path = f"/pairs/{pair}/client-seed"
    assert ann.ask("PUT", path, json={"client_seed": "Zoë ♥"}).json()["client_seed"] == "Zoë ♥"
    other = ann.ask("PUT", path, json={"client_seed": "another"})
    assert (other.status_code, other.json()["code"]) == (409, "house.pair.state")
    assert ann.ask("PUT", path, json={"client_seed": None}).status_code == 409
    second = ann.ask("POST", "/pairs").json()["id"]
    made = ann.ask("PUT", f"/pairs/{second}/client-seed", json={"client_seed": None})
    assert made.json()["client_seed_made_by"] == "operator"
    assert ann.ask("PUT", f"/pairs/{second}/client-seed", json={"client_seed": None}).content == made.content


def test_the_same_key_has_the_same_answer(ann, house):
    pair = ann.open()
    first = ann.play(pair, {"player": "500"}, "bet")
    assert ann.play(pair, {"player": "500"}, "bet").content == first.content
    assert house.pair(pair).next_nonce == 1
    other = ann.play(pair, {"player": "501"}, "bet")
    assert (other.status_code, other.json()["code"]) == (422, "house.key_conflict")
    assert other.json()["slips"] == [{"code": "key_reused", "sentence": "A new bet needs a new key."}]


def test_accept_now_and_deal_later(ann, house):
    pair = ann.open()
    accepted = ann.ask("POST", f"/pairs/{pair}/acceptances", json={"bets": {"tie": "5"}}, headers={"Idempotency-Key": "a"})
    assert accepted.status_code == 201
    assert accepted.json()["bets"] == {"tie": "5"}
    assert ann.get(f"/pairs/{pair}/rounds/0").json()["record"] is None
    assert house.balance("ann") == 999_995
    dealt = ann.ask("POST", f"/pairs/{pair}/rounds/0/deal")
    assert dealt.status_code == 200
    assert ann.ask("POST", f"/pairs/{pair}/rounds/0/deal").content == dealt.content
    assert ann.play(pair, {"tie": "5"}, "a").content == dealt.content, "the key stands for this round"
    assert ann.ask("POST", f"/pairs/{pair}/rounds/1/deal").json()["code"] == "web.not_found"


def test_a_closed_pair_takes_no_bets_and_reveals_nothing(ann):
    pair = ann.open()
    assert ann.ask("POST", f"/pairs/{pair}/close").json()["state"] == "closing"
    assert ann.ask("POST", f"/pairs/{pair}/close").json()["server_seed"] is None
    assert ann.play(pair, {"tie": "5"}, "a").json()["code"] == "house.pair.state"


def test_history_comes_in_pages(ann):
    pair = ann.open()
    for number in range(7):
        assert ann.play(pair, {"banker": "100"}, f"{number}").status_code == 201
    nonces, after = [], None
    while True:
        page = ann.get("/rounds", limit=3, order="oldest", **({} if after is None else {"after": after})).json()
        nonces += [kept["nonce"] for kept in page["rounds"]]
        after = page["next"]
        if after is None:
            break
    assert nonces == list(range(7))
    assert [kept["nonce"] for kept in ann.get("/rounds", limit=2).json()["rounds"]] == [6, 5]
    assert [kept["nonce"] for kept in ann.get(f"/pairs/{pair}/rounds", limit=2).json()["rounds"]] == [0, 1]
    assert [kept["nonce"] for kept in ann.get(f"/pairs/{pair}/rounds", limit=2, order="latest").json()["rounds"]] == [6, 5]
    second = ann.get(f"/pairs/{pair}/rounds/1").json()["accepted_at"]
    assert [kept["nonce"] for kept in ann.get("/rounds", since=second, order="oldest").json()["rounds"]] == list(range(1, 7))
    assert [kept["nonce"] for kept in ann.get("/rounds", until=second).json()["rounds"]] == [0]
    for query in (
        {"limit": 201},
        {"limit": 0},
        {"after": 0},
        {"since": "yesterday"},
        {"since": "2026-11-29T12:00:00"},
        {"since": "0"},
        {"until": "2026-13-29T12:00:00Z"},
        {"order": "random"},
    ):
        refused = ann.get("/rounds", **query)
        assert (refused.status_code, refused.json()["code"]) == (422, "house.request"), query


def test_pairs_come_in_pages(ann):
    opened = [ann.open(f"seed {number}") for number in range(5)]
    first = ann.get("/pairs", limit=2).json()
    assert [pair["id"] for pair in first["pairs"]] == opened[:2:-1]
    second = ann.get("/pairs", limit=3, after=first["next"]).json()
    assert [pair["id"] for pair in second["pairs"]] == opened[2::-1]
    assert second["next"] is None


def test_the_roads_are_those_of_the_rounds(ann, house):
    pair = ann.open()
    assert ann.get("/roads").json()["coups"] == 0
    for number in range(30):
        ann.play(pair, {"banker": "100"}, f"{number}")
    told = ann.get("/roads").json()
    board = Scoreboard.of([kept.record.winner for kept in house.history(pair=pair).rounds])
    assert (told["pair"], told["coups"]) == (pair, 30)
    assert [(cell["column"], cell["row"], cell["winner"]) for cell in told["bead_plate"]] == [
        (cell.column, cell.row, cell.entry.winner) for cell in board.bead_plate
    ]
    assert told["cockroach"] == board.to_dict()["cockroach"]
    assert ann.get("/roads", coups=4).json()["coups"] == 4
    assert ann.get("/roads", pair=pair).json() == told


def test_the_offer_and_its_odds_are_for_everybody(start, house):
    nobody = start(house)("")
    offer = nobody.get("/offer").json()
    assert (offer["decks"], offer["bets"], offer["pay_table_digest"]) == (8, ["player", "banker", "tie"], house.pay_table.digest)
    told = nobody.get("/odds").json()["bets"]
    assert {name: figures["house_edge"]["fraction"] for name, figures in told.items()} == {
        name: str(odds(name).house_edge) for name in ("player", "banker", "tie")
    }
    assert told["banker"]["house_edge"]["decimal"].startswith("0.010579")
    assert "max-age" in nobody.get("/odds").headers["cache-control"]


def test_the_offer_has_the_limits(start, tmp_path):
    limits = Limits(min_stake=100, max_stake=50_000, per_bet={"tie": (10, 500)})
    told = start(make_house(tmp_path, limits=limits))("").get("/offer").json()["limits"]
    assert (told["min_stake"], told["max_stake"], told["stake_step"]) == ("100", "50000", "1")
    assert told["max_payout"] == "9" * 38
    assert told["per_bet"] == {"tie": {"min_stake": "10", "max_stake": "500"}}


def test_an_amount_with_decimals_is_told_how(ann):
    pair = ann.open()
    for stake in ("5.00", "5,0"):
        refused = ann.play(pair, {"player": stake}, "k")
        assert (refused.status_code, [slip["code"] for slip in refused.json()["slips"]]) == (422, ["amount_decimals"])


def test_a_pair_without_client_seed_says_what_to_ask_first(ann):
    pair = ann.ask("POST", "/pairs").json()["id"]
    assert "PUT /pairs/{pair}/client-seed" in ann.play(pair, {"player": "5"}, "k").json()["hint"]


def test_who_is_not_logged_in_is_told_by_the_backend(start, house):
    nobody = start(house)("")
    for method, path in (
        ("GET", "/pairs"),
        ("POST", "/pairs"),
        ("GET", "/rounds"),
        ("GET", "/balance"),
        ("GET", "/events"),
        ("GET", "/roads"),
    ):
        refused = nobody.ask(method, path)
        assert (refused.status_code, refused.json()) == (401, {"detail": "log in first"})
        assert refused.headers["www-authenticate"] == "Bettor"


def test_nobody_else_s_pair_is_there(start, house):
    bettor = start(house)
    ann, bob = bettor("ann"), bettor("bob")
    pair = ann.open()
    ann.play(pair, {"player": "500"}, "bet")
    bet = {"json": {"bets": {"player": "500"}}, "headers": {"Idempotency-Key": "bet"}}
    asked = [
        ("GET", "/pairs/{}", {}),
        ("PUT", "/pairs/{}/client-seed", {"json": {"client_seed": "mine"}}),
        ("POST", "/pairs/{}/close", {}),
        ("POST", "/pairs/{}/rotation", {}),
        ("POST", "/pairs/{}/rounds", bet),
        ("POST", "/pairs/{}/acceptances", bet),
        ("POST", "/pairs/{}/rounds/0/deal", {}),
        ("GET", "/pairs/{}/rounds", {}),
        ("GET", "/pairs/{}/rounds/0", {}),
        ("GET", "/pairs/{}/statements", {}),
        ("GET", "/roads?pair={}", {}),
        ("GET", "/pairs?after={}", {}),
    ]
    unknown = "0" * 32
    for method, path, options in asked:
        theirs, nobodys = (bob.ask(method, path.format(which), **options) for which in (pair, unknown))
        assert theirs.status_code == nobodys.status_code == 404, path
        assert theirs.text.replace(pair, unknown) == nobodys.text, "the same words"
        assert theirs.headers.keys() == nobodys.headers.keys()
    assert bob.get("/pairs").json() == {"pairs": [], "next": None}
    assert bob.get("/rounds").json() == {"rounds": [], "next": None}
    assert bob.get("/roads").json()["coups"] == 0
    assert bob.get("/balance").json()["balance"] == "0"
    assert house.pair(pair).state.value == "active"
    assert house.pair(pair).next_nonce == 1


def test_answers_stay_out_of_caches_and_frames(ann):
    pair = ann.open()
    ann.play(pair, {"player": "500"}, "bet")
    ann.play(pair, {"player": "0"}, "bet")
    ann.get("/pairs/none")
    for answer in ann.seen:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "access-control-allow-origin" not in answer.headers


def test_amounts_are_text_everywhere(ann):
    """No answer has a JSON number but counts, columns, rows, scores, nonces and ids."""
    pair = ann.open()
    ann.play(pair, {"player": "500"}, "bet")
    for path in (f"/pairs/{pair}", "/pairs", "/rounds", f"/pairs/{pair}/rounds/0", "/roads", "/balance", "/offer", "/odds"):
        ann.get(path)
    numbers = set()

    def look(name, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                look(key, inner)
        elif isinstance(value, list):
            for inner in value:
                look(name, inner)
        elif isinstance(value, int) and not isinstance(value, bool):
            numbers.add(name)
        assert not isinstance(value, float)

    for answer in ann.seen:
        look("", json.loads(answer.content))
    assert numbers <= {
        *("cap", "column", "coups", "decimals", "decks", "format_version", "id", "leading_ties", "next", "next_nonce", "nonce", "cut"),
        *("row", "rows", "score", "settled", "settled_in_order", "ties"),
    }
