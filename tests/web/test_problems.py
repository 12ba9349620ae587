"""Every error of the table is caused for real, and answered with its status, its code and nothing that is not the bettor's business."""

from __future__ import annotations

import logging
from threading import Event, Thread

import pytest

from provably_fair_baccarat import errors
from provably_fair_baccarat.errors import StoreBusyError, WalletRefusedError, WalletTimeoutError
from provably_fair_baccarat.house import Limits, Vault

from .conftest import KEYS, make_house

KEYS_OF_A_PROBLEM = {"type", "title", "status", "detail", "code", "subject", "expected", "found", "hint", "slips"}
INVALID = {"server_seed": "ab" * 32, "commitment": "ab" * 32, "client_seed": "x", "nonce": 0}


class Guard:
    """Objects to some bettors, and fails for others."""

    def objection(self, bet, past):
        if bet.staked == 666:
            return "This bettor is excluded."
        if bet.staked == 667:
            raise RuntimeError("the password is hunter2")
        return None


@pytest.fixture
def casino(start, tmp_path):
    house = make_house(tmp_path, limits=Limits(max_stake=10_000), guards=[Guard()], cap=2)
    house.deposit("ann", 20_000, "deposit")
    house.deposit("poor", 100, "deposit")
    return start(house)


def check(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told.keys() == KEYS_OF_A_PROBLEM
    assert (told["status"], told["type"]) == (status, "about:blank")
    assert ("retry-after" in answer.headers) is (status in (429, 503) or code == "web.key_in_flight")
    return told


def hidden(told):
    assert (told["subject"], told["expected"], told["found"], told["slips"]) == (None, None, None, [])
    return told


def test_what_a_bettor_may_do_wrong(casino):
    ann, poor = casino("ann"), casino("poor")
    pair, key = ann.open(), {"Idempotency-Key": "k"}
    bets = f"/pairs/{pair}/rounds"
    told = check(ann.ask("POST", bets, json={"bets": {"player": "5"}}), 400, "web.key_missing")
    assert "Idempotency-Key" in told["expected"]
    check(poor.play(poor.open(), {"player": "500"}, "k"), 402, "house.funds")
    check(ann.play(pair, {"player": "10001"}, "k"), 403, "house.limit")
    assert "excluded" in check(ann.play(pair, {"player": "666"}, "k"), 403, "house.guard")["detail"]
    check(ann.get("/pairs/unknown"), 404, "house.pair")
    check(ann.get(f"/pairs/{pair}/rounds/7"), 404, "web.not_found")
    check(ann.play(pair, {"player": "5"}, "k", nonce=3), 409, "house.pair.nonce")
    check(ann.play(ann.ask("POST", "/pairs").json()["id"], {"player": "5"}, "k"), 409, "house.pair.state")
    check(
        ann.ask("POST", bets, content=b'{"bets": "' + b"5" * 70_000 + b'"}', headers={**key, "Content-Type": "application/json"}),
        413,
        "web.body.size",
    )
    check(ann.ask("POST", bets, data={"bets": "player"}, headers=key), 415, "web.body.type")
    told = check(ann.play(pair, {"player": 5}, "k"), 422, "web.body")
    assert told["slips"] == [{"code": "amount_as_number", "sentence": 'Amounts are text: "500".'}]
    for body in (
        {},
        [],
        {"bets": {}},
        {"bets": {"player": "05"}},
        {"bets": {"player": "5"}, "stake": 1},
        {"bets": {"player": "5"}, "nonce": "0"},
    ):
        check(ann.ask("POST", bets, json=body, headers=key), 422, "web.body")
    for text in (b"", b"{", b'{"bets": {"player": "5"}, "bets": {}}', b'{"bets": 1.0}', b"\xff", b"[" * 100):
        check(ann.ask("POST", bets, content=text, headers={**key, "Content-Type": "application/json"}), 422, "web.body")
    check(ann.play(pair, {"player": "5"}, "k" * 129), 422, "house.request")
    assert check(ann.play(pair, {"plyer": "5"}, "k"), 422, "money.bet.unknown")["hint"] == "Did you mean 'player'?"
    check(ann.play(pair, {"player": "9" * 38, "tie": "9" * 38}, "k"), 422, "money.amount")
    second = ann.ask("POST", "/pairs").json()["id"]
    check(ann.ask("PUT", f"/pairs/{second}/client-seed", json={"client_seed": " lucky"}), 422, "seed.client_seed")
    check(ann.ask("POST", "/verify", json={"record": {}}), 422, "record")
    check(ann.ask("POST", "/verify", json={"server_seed": "x"}), 422, "web.body")
    check(ann.ask("POST", "/verify", json={**INVALID, "scheme": "none"}), 422, "seed.scheme")
    check(
        ann.ask(
            "POST", "/verify", json={**INVALID, "nonce": 20_001, "scheme": "pfb1-chain", "chain": {"anchor": "ab" * 32, "length": 30_000}}
        ),
        422,
        "web.body",
    )
    assert ann.play(pair, {"player": "5"}, "1").status_code == ann.play(pair, {"player": "5"}, "2").status_code == 201
    check(ann.play(pair, {"player": "6"}, "1"), 422, "house.key_conflict")
    check(ann.play(pair, {"player": "5"}, "3"), 409, "house.pair.cap")


def test_what_differs_is_an_answer_and_no_problem(ann):
    pair = ann.open()
    ann.play(pair, {"player": "500"}, "bet")
    record = ann.get(f"/pairs/{pair}/rounds/0").json()["record"]
    verdict = ann.ask("POST", "/verify", json={"record": record})
    assert (verdict.status_code, verdict.json()["error"]["code"]) == (200, "verification.not_revealed")
    seed = ann.ask("POST", f"/pairs/{pair}/rotation").json()["revealed"]["server_seed"]
    seeds = {"server_seed": seed, "client_seed": "lucky 8s", "commitment": record["commitment"], "nonce": 0}
    alone = ann.ask("POST", "/verify", json=seeds).json()
    assert (alone["verified"], alone["round"]["cards"]) == (True, record["cards"])
    both = ann.ask("POST", "/verify", json={**seeds, "record": record}).json()
    grades = {code: guarantee["grade"] for code, guarantee in both["guarantees"].items()}
    assert grades == {
        **dict.fromkeys(("seed_fixed", "unbiased_cards", "settlement_exact"), "proved"),
        "client_seed_after_commitment": "claimed",
    }
    wrong = ann.ask("POST", "/verify", json={**seeds, "nonce": 1, "record": record}).json()
    assert (wrong["verified"], wrong["error"]["code"], wrong["error"]["slips"][0]["code"]) == (False, "verification.nonce", "nonce")
    swapped = ann.ask("POST", "/verify", json={**seeds, "server_seed": "lucky 8s", "client_seed": seed}).json()
    assert (swapped["error"]["code"], swapped["error"]["slips"][0]["code"]) == ("verification.seed_text", "seeds_swapped")
    other = {**record["pay_table"], "tie_multiplier": "8.0"}
    offered = ann.ask("POST", "/verify", json={**seeds, "record": record, "pay_table": other}).json()
    assert offered["error"]["code"] == "verification.pay_table"


def test_the_same_key_at_the_same_time_is_asked_once(start, tmp_path):
    reached, going_on = Event(), Event()

    class Slow:
        def objection(self, bet, past):
            reached.set()
            going_on.wait(60)

    house = make_house(tmp_path, guards=[Slow()])
    house.deposit("ann", 1000, "deposit")
    bettor = start(house)
    ann = bettor("ann")
    pair, answers = ann.open(), []
    asking = Thread(target=lambda: answers.append(ann.play(pair, {"player": "5"}, "k")))
    asking.start()
    assert reached.wait(60)
    try:
        check(bettor("ann").play(pair, {"player": "5"}, "k"), 409, "web.key_in_flight")
    finally:
        going_on.set()
        asking.join()
    assert answers[0].status_code == 201
    assert ann.play(pair, {"player": "5"}, "k").content == answers[0].content
    assert house.pair(pair).next_nonce == 1


class Wallet:
    """An operator's wallet in a bad mood."""

    def __init__(self):
        self.refuse, self.silent = False, False

    def debit(self, transaction):
        if self.refuse:
            raise WalletRefusedError("balance", "more", "less")
        if self.silent:
            raise WalletTimeoutError("wallet", "an answer", "none in time")

    def credit(self, transaction):
        pass

    def roll_back(self, transaction):
        if self.silent:
            raise WalletTimeoutError("wallet", "an answer", "none in time")


def test_the_operator_s_own_wallet(start, tmp_path):
    wallet = Wallet()
    ann = start(make_house(tmp_path, wallet=wallet, pause=lambda _: None))("ann")
    pair = ann.open()
    assert ann.play(pair, {"player": "5"}, "1").status_code == 201
    told = check(ann.get("/balance"), 404, "house.wallet.elsewhere")
    assert "a wallet that tells it" in told["detail"]
    (kept,) = ann.get("/rounds").json()["rounds"]
    assert (kept["balance_before"], kept["balance_after"]) == (None, None)
    wallet.balance = lambda bettor, currency: {("ann", "USD/2"): 10**20}[bettor, currency]
    assert ann.get("/balance").json()["balance"] == str(10**20)
    wallet.refuse = True
    check(ann.play(pair, {"player": "5"}, "2"), 402, "house.wallet.refused")
    wallet.refuse, wallet.silent = False, True
    told = check(ann.play(pair, {"player": "5"}, "3"), 503, "house.wallet.timeout")
    assert told["hint"] == told["detail"] == "Its stake is not taken, or is given back: make the bet again with a new key."
    wallet.balance = lambda *_: wallet.roll_back(None)
    asked = hidden(check(ann.get("/balance"), 503, "house.wallet.timeout"))
    assert asked["hint"] == "Ask again, a bet with the same key: nothing is done twice."
    wallet.silent = False
    again = ann.play(pair, {"player": "5"}, "3")
    assert check(again, 409, "house.wallet.given_up")["hint"] == told["hint"]
    assert "retry-after" not in again.headers
    assert ann.play(pair, {"player": "5"}, "4").status_code == 201


def test_what_goes_wrong_on_the_operator_s_side_is_logged_and_not_told(start, casino, tmp_path, caplog, monkeypatch):
    ann = casino("ann")
    pair = ann.open()
    with caplog.at_level(logging.ERROR, logger="provably_fair_baccarat.web"):
        told = check(ann.play(pair, {"player": "667"}, "g"), 503, "house.guard.failed")
        assert "hunter2" not in str(hidden(told))
        assert "hunter2" in caplog.messages[-1], "a guard's fault is the operator's to mend"

        other = tmp_path / "other"
        other.mkdir()
        house = make_house(other)
        lost = start(house)("ann")
        house.deposit("ann", 1000, "deposit")
        theirs = lost.open()
        monkeypatch.setattr(
            house, "play_many", lambda requests: (_ for _ in ()).throw(StoreBusyError(f"database {other}", "a turn", "none"))
        )
        hidden(check(lost.play(theirs, {"player": "5"}, "k"), 503, "house.store.busy"))
        monkeypatch.setattr(house, "balance", lambda bettor: 1 // 0)
        told = hidden(check(lost.get("/balance"), 500, "internal"))
        assert told["detail"] == "The house could not do this."
        assert caplog.messages[-1].startswith("ZeroDivisionError at ")
        assert str(other) not in "".join(answer.text for answer in lost.seen)


def test_a_changed_seal_is_told_by_its_code_alone(start, tmp_path, caplog):
    house = make_house(tmp_path)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "x")
    house.close()
    house = make_house(tmp_path, vault=Vault({"k1": KEYS["k2"]}.__getitem__, "k1"))
    ann = start(house)("ann")
    with caplog.at_level(logging.ERROR, logger="provably_fair_baccarat.web"):
        hidden(check(ann.play(pair.id, {"player": "5"}, "k"), 500, "house.vault.seal"))
        hidden(check(ann.ask("POST", f"/pairs/{pair.id}/rotation"), 500, "house.vault.seal"))
    assert caplog.messages[0].startswith("house.vault.seal: seal of pair")


def test_a_problem_s_type_may_lead_to_the_operator_s_own_page(start, house):
    ann = start(house, problem_types="https://casino.example/problems#")("ann")
    assert ann.get("/pairs/x").json()["type"] == "https://casino.example/problems#house.pair"


def test_every_class_in_the_table_is_the_package_s_own():
    pytest.importorskip("fastapi", reason="the table is the router's, which needs the extra web")
    from provably_fair_baccarat.web.problems import STATUSES, status_of

    assert all(issubclass(cls, errors.BaccaratError) for cls in STATUSES)
    assert status_of(errors.AmountError("a", "b", "c")) == 422
    assert status_of(errors.LedgerMismatchError("a", "b", "c")) == 500
    assert status_of(errors.SecretError("a", "b", "c")) == 500
