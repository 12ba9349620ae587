"""What a house signs, over HTTP: each bettor gets what is signed for them, when it counts, and in the end one file that proves it all."""

from __future__ import annotations

import base64
import io
import logging
import re

import pytest

from provably_fair_baccarat import Grade, RoundRecord
from provably_fair_baccarat.errors import LogStoreError
from provably_fair_baccarat.receipts import LogPromise, new_key_file, read_statement
from provably_fair_baccarat.receipts.history import verify_history_file
from provably_fair_baccarat.receipts.log import LogWriter, TileLog

from .conftest import make_house, make_signer

CANARY = "c0ffee" * 10 + "beef"
RAW = bytes.fromhex(CANARY)


@pytest.fixture
def writer(tmp_path):
    from datetime import UTC, datetime

    new_key_file(tmp_path / "log.key", datetime(2026, 1, 1, tzinfo=UTC))
    with LogWriter.from_key_file(tmp_path / "log", "casino.example/log", tmp_path / "log.key") as writer:
        yield writer


@pytest.fixture
def house(tmp_path, writer):
    """It signs, promises to log, and all of its server seeds begin with the canary."""
    counter = iter(range(1000))

    def entropy(size):
        return RAW[:30] + next(counter).to_bytes(2, "big") if size == 32 else next(counter).to_bytes(size, "big")

    promise = LogPromise(key=str(writer.key), maximum_delay=3600)
    house = make_house(tmp_path, signer=make_signer(), log_promise=promise, entropy=entropy)
    for bettor in ("ann", "bob"):
        house.deposit(bettor, 1_000_000, "deposit")
    yield house
    house.close()


@pytest.fixture
def bettor(start, house, writer, tmp_path):
    return start(house, keys=lambda: house.key_set, log=TileLog(tmp_path / "log", writer.key))


def accept(ann, pair, key="bet"):
    return ann.ask("POST", f"/pairs/{pair}/acceptances", json={"bets": {"player": "5"}}, headers={"Idempotency-Key": key}).json()


def read(text, house, kind=None):
    return read_statement(text, house.key_set, kind).statement


def test_the_opening_comes_with_the_commitment(bettor, house):
    ann = bettor("ann")
    opened = ann.ask("POST", "/pairs").json()
    said = read(opened["statement"], house, "opening")
    assert (said.bettor, str(said.commitment), said.pay_table_digest) == ("ann", opened["commitment"], opened["pay_table_digest"])
    assert ann.ask("POST", "/pairs").json() == opened, "shown again, with its opening"
    assert ann.get(f"/pairs/{opened['id']}").json() == opened
    ann.ask("PUT", f"/pairs/{opened['id']}/client-seed", json={"client_seed": "x"})
    assert ann.get(f"/pairs/{opened['id']}").json()["statement"] == opened["statement"]
    following = ann.ask("POST", f"/pairs/{opened['id']}/rotation").json()["next_pair"]
    said = read(following["statement"], house, "opening")
    assert (str(said.commitment), said.number, str(said.previous)) == (following["commitment"], 1, opened["commitment"])


def test_the_acceptance_comes_before_the_deal_and_the_receipt_after_it(bettor, house):
    ann = bettor("ann")
    pair = ann.open()
    accepted = accept(ann, pair)
    said = read(accepted["statement"], house, "acceptance")
    assert (said.nonce, said.key, dict(said.bets), said.dealt) == (0, "bet", {"player": 5}, False)
    assert accept(ann, pair) == accepted
    assert ann.get(f"/pairs/{pair}/rounds/0").json()["statement"] == accepted["statement"]
    dealt = ann.ask("POST", f"/pairs/{pair}/rounds/0/deal").content
    receipt = read(ann.get(f"/pairs/{pair}/rounds/0").json()["statement"], house, "receipt")
    assert receipt.record.to_json() == dealt, "the very bytes of the answer"
    played = ann.play(pair, {"tie": "7"}, "next")
    told = ann.client.get(played.headers["location"], headers={"X-Bettor": "ann"}).json()
    assert read(told["statement"], house, "receipt").record == RoundRecord.parse_json(played.content)


def test_statements_come_in_pages_in_the_order_of_their_nonces(bettor, house, writer):
    ann = bettor("ann")
    pair = ann.open()
    assert [each["kind"] for each in ann.get(f"/pairs/{pair}/statements").json()["statements"]] == ["opening"]
    for number in range(5):
        ann.play(pair, {"banker": "100"}, f"{number}")
    house.sequence(writer)
    accept(ann, pair)
    ann.ask("POST", f"/pairs/{pair}/close")
    pages, after = [], {}
    for _ in range(4):
        page = ann.get(f"/pairs/{pair}/statements", limit=2, **after).json()
        pages.append([(each["kind"], each["nonce"]) for each in page["statements"]])
        for each in page["statements"]:
            said = read(each["statement"], house, each["kind"])
            assert (said.coup, said.commitment_text) == (each["nonce"], str(house.pair(pair).commitment))
            assert each["statement"] in house.statements(pair, each["nonce"])
            assert (each["place"] is None) == ((each["kind"], each["nonce"]) in {("closing", None), ("acceptance", 5)})
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    both = [[("acceptance", nonce), ("receipt", nonce)] for nonce in range(5)]
    assert pages == [[("opening", None), ("closing", None), *both[0], *both[1]], [*both[2], *both[3]], [*both[4], ("acceptance", 5)]]
    assert ann.get(f"/pairs/{pair}/statements", after=5).json() == {"statements": [], "next": None}
    assert ann.get(f"/pairs/{pair}/statements", after=2**60).json()["code"] == "house.request"


def test_the_history_file_proves_everything(bettor, house, writer, tmp_path):
    ann = bettor("ann")
    pair = ann.open()
    accept(ann, pair)
    for number in range(150):
        ann.play(pair, {"banker": "100"}, f"{number}")
    ann.ask("POST", f"/pairs/{pair}/rotation")
    house.sequence(writer)
    answer = ann.get("/history-file")
    assert answer.headers["content-type"] == "application/jsonl"
    assert answer.headers["content-disposition"] == 'attachment; filename="history.jsonl"'
    assert answer.headers["cache-control"] == "no-store"
    history = verify_history_file(io.BytesIO(answer.content), keys=house.key_set, log=writer.key)
    assert (history.coups, history.open_coups, history.bettor) == (151, 0, "ann")
    assert history.logged == history.statements == 304 + 1
    assert history.guarantees["accepted_before_deal"].counts[Grade.PROVED] == 1
    ann.ask("POST", f"/pairs/{pair}/rotation")
    assert ann.get("/history-file").status_code == 200, "there is room again"


def test_without_a_log_the_file_has_no_proofs_and_without_keys_there_is_none(start, house):
    ann = start(house, keys=house.key_set)("ann")
    ann.open()
    history = verify_history_file(io.BytesIO(ann.get("/history-file").content), keys=house.key_set)
    assert (history.statements, history.logged, history.checkpoint) == (1, 0, None)
    assert start(house)("ann").get("/history-file").status_code == 404


def test_a_bettor_gets_nothing_that_is_signed_for_another(bettor, house):
    ann, bob, nobody = bettor("ann"), bettor("bob"), bettor("")
    pair = ann.open("ann's own seed")
    accept(ann, pair, "ann's key")
    theirs = bob.open("bob's own seed")
    accept(bob, theirs, "bob's key")
    refused = bob.get(f"/pairs/{pair}/statements")
    assert (refused.status_code, refused.json()["code"]) == (404, "house.pair")
    history = verify_history_file(io.BytesIO(bob.get("/history-file").content), keys=house.key_set)
    assert [each.commitment for each in history.commitments] == [str(house.pair(theirs).commitment)]
    for answer in bob.seen:
        for text in ("ann's", str(house.pair(pair).commitment)):
            assert text not in answer.text
            assert text not in _payloads(answer.text)
    for path in (f"/pairs/{pair}/statements", "/history-file"):
        assert nobody.get(path).status_code == 401


@pytest.mark.parametrize("chain_length", [None, 20])
def test_no_statement_and_no_file_has_a_seed_that_is_not_revealed(start, tmp_path, chain_length, caplog):
    caplog.set_level(logging.DEBUG)
    house = make_house(
        tmp_path, signer=make_signer(), chain_length=chain_length, entropy=lambda size: RAW if size == 32 else bytes([7]) * size
    )
    house.deposit("ann", 10_000, "deposit")
    ann = start(house, keys=house.key_set)("ann")
    pair = ann.open()
    accept(ann, pair)
    ann.play(pair, {"tie": "5"}, "played")
    ann.ask("POST", f"/pairs/{pair}/rounds/0/deal")
    ann.ask("POST", f"/pairs/{pair}/close")
    told = [ann.get(path).text for path in (f"/pairs/{pair}", f"/pairs/{pair}/statements", f"/pairs/{pair}/rounds/1", "/history-file")]
    for text in (*told, *map(_payloads, told), caplog.text):
        assert CANARY not in text
        assert base64.urlsafe_b64encode(RAW).decode().rstrip("=") not in text
    assert "lucky 8s" in _payloads(told[1]), "the scan looks into statements"


def _payloads(text):
    """What is inside all signed texts of an answer."""
    parts = (part for found in re.findall(r'"([\w-]+)\.([\w-]+)\.[\w-]{86}"', text, re.ASCII) for part in found)
    return "\n".join(base64.urlsafe_b64decode(part + "===").decode(errors="replace") for part in parts)


def test_one_file_at_a_time(bettor, house, monkeypatch):
    import threading

    ann, bob = bettor("ann"), bettor("bob")
    ann.open()
    begun, go_on = threading.Event(), threading.Event()
    prove = house.prove

    def slow(name, **options):
        if name == "ann":
            begun.set()
            assert go_on.wait(60)
        return prove(name, **options)

    monkeypatch.setattr(house, "prove", slow)
    answers = []
    first = threading.Thread(target=lambda: answers.append(ann.get("/history-file")))
    first.start()
    assert begun.wait(60)
    refused = bettor("ann").get("/history-file")
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "web.streams", "5")
    assert bob.get("/history-file").status_code == 200
    go_on.set()
    first.join(20)
    assert answers[0].status_code == 200
    assert ann.get("/history-file").status_code == 200


def test_what_goes_wrong_is_a_problem_and_takes_no_place(bettor, house, monkeypatch):
    ann = bettor("ann")

    def fail(*_, **__):
        raise LogStoreError("log", "a file", "none")

    monkeypatch.setattr(house, "prove", fail)
    for _ in range(6):
        answer = ann.get("/history-file")
        assert (answer.status_code, answer.json()["found"]) == (500, None)
    monkeypatch.undo()
    assert ann.get("/history-file").status_code == 200


def test_a_house_that_does_not_sign_says_null(start, tmp_path):
    house = make_house(tmp_path)
    house.deposit("ann", 10_000, "deposit")
    ann = start(house)("ann")
    assert ann.ask("POST", "/pairs").json()["statement"] is None
    pair = ann.open()
    assert accept(ann, pair)["statement"] is None
    for path in (f"/pairs/{pair}", f"/pairs/{pair}/rounds/0"):
        assert ann.get(path).json()["statement"] is None
    assert ann.get(f"/pairs/{pair}/statements").json() == {"statements": [], "next": None}
    assert ann.ask("POST", f"/pairs/{pair}/rotation").json()["next_pair"]["statement"] is None
