"""The page on signed statements and history files: the published vectors, and what the package says of honest and cheating operators."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random

import pytest

from provably_fair_baccarat import EZ_BACCARAT, ServerSeed, commit
from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.errors import BaccaratError
from provably_fair_baccarat.receipts import BeaconValue, ClosingStatement, KeySet, ReceiptStatement, read_statement
from provably_fair_baccarat.receipts.log import NoteKey, cosign_checkpoint


@pytest.fixture
def house(make_operator):
    one = make_operator()
    pair = one.open()
    for _ in range(3):
        one.play(pair)
    return one


def page_history(node_page, lines):
    told = node_page.ask("history", base64=base64.b64encode(b"".join(lines)).decode())
    assert told is not None
    return told


def verified(one, lines, **known):
    """What the package proves of a file, or the code of its refusal."""
    try:
        return one.verify(lines, **known), None
    except BaccaratError as error:
        return None, error.code


def assert_same(node_page, one, lines=None, **known):
    """Both take the file, or both refuse it with one code; what the page says."""
    lines = one.history() if lines is None else lines
    told = page_history(node_page, lines)
    history, code = verified(one, lines, **known)
    assert (told["error"] and told["error"]["code"]) == code, told["error"]
    if history is None:
        return told
    assert (told["bettor"], told["statements"]) == (history.bettor, history.statements)
    assert sum(each["coups"] for each in told["openings"]) == history.coups
    assert told["proved"] == sum(each.verified for each in history.commitments)
    if all(each.settled == each.verified for each in history.commitments):
        assert int(told["staked"]) == sum(each.staked for each in history.commitments)
    assert told["isSignedHere"]
    return told


# The vectors


def test_statements_that_are_valid_and_that_are_not(node_page, vectors):
    known = vectors("receipts")
    told = node_page.ask("statements", jwks=known["jwks"], statements=[each["statement"] for each in known["valid"]])
    assert told == [{name: each[name] for name in ("kind", "digest", "entry")} for each in known["valid"]]
    told = node_page.ask("statements", jwks=known["jwks"], statements=[each["statement"] for each in known["invalid"]])
    assert dict(zip([each["name"] for each in known["invalid"]], told, strict=True)) == {
        each["name"]: each["error"] for each in known["invalid"]
    }


def test_keys_that_are_none(node_page, vectors):
    known = vectors("receipts")
    assert node_page.ask("keys", jwks=known["jwks"]["keys"]) == [[jwk["kid"]] for jwk in known["jwks"]["keys"]]
    told = node_page.ask("keys", jwks=[each["jwk"] for each in known["invalid_keys"]])
    assert [(each["name"], code) for each, code in zip(known["invalid_keys"], told, strict=True) if code != "signing_key"] == []


def test_checkpoints(node_page, vectors):
    known = vectors("log")
    mine = known["checkpoint"]
    (told,) = node_page.ask("checkpoints", log=mine["log"], witnesses=[mine["witness"]], texts=[mine["text"]])
    assert told == {"origin": "casino.example/log", "size": 8, "root": known["roots"][7]}
    rekor = known["rekor"]
    (told,) = node_page.ask("checkpoints", log=rekor["log"], witnesses=rekor["witnesses"], texts=[rekor["checkpoint"]])
    assert told["size"] == 114068855
    told = node_page.ask(
        "checkpoints", log=mine["log"], witnesses=[mine["witness"]], texts=[each["text"] for each in known["invalid_checkpoints"]]
    )
    taken = [each["name"] for each, code in zip(known["invalid_checkpoints"], told, strict=True) if code != "verification.log.checkpoint"]
    assert taken == []


def test_inclusion_proofs(node_page, vectors):
    known = vectors("log")
    for each in known["inclusion"]:
        leaf = sha256(b"\0" + bytes.fromhex(known["leaves"][each["index"]])).hexdigest()
        assert node_page.ask("inclusion", leaf=leaf, **each) == known["roots"][each["size"] - 1]
        for change in ({"index": each["index"] + 1}, {"proof": [*each["proof"], leaf]}, {"index": each["size"]}):
            assert node_page.ask("inclusion", leaf=leaf, **{**each, **change}) != known["roots"][each["size"] - 1]


def test_known_history_files(node_page, vectors):
    """The page knows the file alone: neither the operator's published keys, nor that its log has a key that was published."""
    known = vectors("history")
    files = {case["id"]: case["lines"] for case in known["valid"]}
    for case in known["valid"]:
        told = page_history(node_page, [f"{line}\n".encode() for line in case["lines"]])
        assert (told["error"], told["statements"], told["proved"]) == (
            None,
            case["statements"],
            sum(each["verified"] for each in case["commitments"]),
        )
    for case in known["invalid"]:
        lines = list(files[case["of"]])
        lines[case["line"] : case["line"] + case["removed"]] = case["put"]
        error = page_history(node_page, [f"{line}\n".encode() for line in lines])["error"]
        assert error is not None, case["id"]
        if case["error"] == "verification.history":
            assert error["code"] in ("verification.history", "verification.history_file"), case["id"]


# Honest histories


def test_an_honest_history_is_proved(node_page, make_operator):
    for options in ({}, {"has_log": False}, {"has_witness": True}):
        one = make_operator(**options)
        first = one.open()
        for _ in range(3):
            one.play(first)
        one.close(first)
        second = one.open("chosen freely")
        one.play(second, {"player": 100})
        one.play(second, {"player": 100}, dealt=True)
        one.play(second, is_settled=False)
        told = assert_same(node_page, one)
        assert [(each["coups"], each["proved"], each["isClosed"], each["isMarked"]) for each in told["openings"]] == [
            (3, 3, True, True),
            (3, 0, False, False),
        ]
        assert (told["log"] is None) is not options.get("has_log", True)


def test_a_commitment_without_a_coup(node_page, make_operator):
    one = make_operator()
    one.close(one.open())
    one.open()
    assert_same(node_page, one)


def test_a_seed_chain(node_page, make_operator):
    """The links that are revealed prove their coups, with or without a closing."""
    for revealed, is_closed, is_refused in ((1, False, False), (2, True, False), (3, True, False), (1, True, True), (3, False, True)):
        one = make_operator()
        pair = one.open_chain()
        for _ in range(3):
            one.play(pair)
        if is_closed:
            one.close(pair)
        pair.revealed = revealed
        assert (assert_same(node_page, one)["error"] is not None) is is_refused
    one = make_operator()
    pair = one.open_chain()
    for nonce in range(3):
        one.play(pair, is_settled=nonce != 1)
    for pair.revealed in (0, 1, 2):
        assert (assert_same(node_page, one)["error"] is not None) is (pair.revealed > 0)


def test_known_histories_are_taken_and_known_faults_refused(node_page, vectors):
    """Some faults the page finds on another step than the package, and tells by another code."""
    known = vectors("history")
    files = {case["id"]: case["lines"] for case in known["valid"]}
    for lines in files.values():
        assert page_history(node_page, [f"{line}\n".encode() for line in lines])["error"] is None
    for case in known["invalid"]:
        lines = list(files[case["of"]])
        lines[case["line"] : case["line"] + case["removed"]] = case["put"]
        assert page_history(node_page, [f"{line}\n".encode() for line in lines])["error"], case["id"]


def test_one_key_under_two_names_is_one_witness(node_page, make_operator):
    one = make_operator(has_witness=True)
    one.play(one.open())
    lines, log = one.history(), one.log
    for raw, secret in ((log.witness.raw, log.witness_secret), (log.key.raw, log.secret)):
        other = NoteKey("witness.example/w2", raw, "witness")
        head = json.loads(lines[0])
        head |= {"checkpoint": cosign_checkpoint(head["checkpoint"], other, secret, 5), "witnesses": [*head["witnesses"], str(other)]}
        told = assert_same(node_page, one, [canonical_json(head) + b"\n", *lines[1:]])
        assert told["error"]["code"] == "verification.history_file"


# Attacks


def swap_server_seed(one, pair):
    one.close(pair)
    pair.server_seed = ServerSeed(bytes(32))


def exchange_client_seed(one, pair):
    one.replace(pair, 3, one.acceptance(pair, {"banker": 333, "tie": 50}, 1, client_seed="another"))


def drop_round(one, pair):
    one.close(pair)
    del pair.lines[3:5]


def drop_last_round(one, pair):
    one.close(pair)
    del pair.lines[5:7]


def use_nonce_twice(one, pair):
    pair.nonce = 2
    one.play(pair, {"player": 5}, key="a new bet")


def use_key_twice(one, pair):
    one.play(pair, key="bet 0 of 1")


def deal_after_closing(one, pair):
    one.close(pair)
    one.play(pair)


def tell_seed_early(one, pair):
    pair.is_revealed = True


def keep_seed(one, pair):
    one.close(pair, is_revealed=False)


def close_wrongly(one, pair):
    one.close(pair, coups=2)


def pay_wrongly(one, pair):
    record = pair.records[1]
    told = record.to_dict()
    returned = str(record.bets["banker"].returned + 1)
    change = {
        "bets": {**told["bets"], "banker": {**told["bets"]["banker"], "returned": returned}},
        "totals": {**told["totals"], "returned": str(record.totals.returned + 1), "net": str(record.totals.net + 1)},
    }
    one.replace(pair, 4, ReceiptStatement.of(record.model_copy(update=change), "Zoë", "bet 1 of 1"))
    one.close(pair)


def settle_under_another_table(one, pair):
    accepted = read_statement(pair.lines[3][1], one.keys).statement.time
    record = one.record(pair, {"banker": 333, "tie": 50}, 1, accepted, EZ_BACCARAT)
    one.replace(pair, 4, ReceiptStatement.of(record, "Zoë", "bet 1 of 1"))


def change_bets(one, pair):
    accepted = read_statement(pair.lines[3][1], one.keys).statement.time
    one.replace(pair, 4, ReceiptStatement.of(one.record(pair, {"tie": 50}, 1, accepted), "Zoë", "bet 1 of 1"))


def log_late(one, pair):
    one.log.entries = [*one.log.entries[1:], one.log.entries[0]]
    pair.lines = [(kind, text, (index - 1) % 7) for kind, text, index in pair.lines]


def break_promise(one, pair):
    pair.lines[2] = (*pair.lines[2][:2], None)
    one.tick(hours=3)


def log_twice(one, pair):
    pair.lines[2] = (*pair.lines[2][:2], pair.lines[1][2])


def log_elsewhere(one, pair):
    one.log.entries[2] = b"another"


def log_acceptance_after_closing(one, pair):
    one.close(pair)
    one.log_again(pair, [0, 1, 2, 3, 4, 7, 5, 6])


def log_nonces_out_of_order(one, pair):
    one.log_again(pair, [0, 3, 1, 2, 4, 5, 6])


def log_nonces_out_of_order_and_not_all(one, pair):
    one.log_again(pair, [0, 5, 1, 2, 6])


def log_receipt_before_opening(one, pair):
    one.log_again(pair, [2, 0, 3, 4, 5, 6])


def log_closing_before_opening(one, pair):
    one.close(pair)
    one.log_again(pair, [7, 0])


def date_acceptance_back(one, pair):
    one.date_acceptance(pair, 1, one.now - timedelta(seconds=5, microseconds=1))


def date_closing_back(one, pair):
    one.close(pair)
    one.date_closing(pair, one.now - timedelta(seconds=2, microseconds=1))


def speak_of_another_bettor(one, pair):
    statement = ClosingStatement.make(time=one.tick(), bettor="Ann", commitment=pair.seeds.commitment, coups=3)
    one.say(pair, statement)


def close_another_commitment(one, pair):
    other = commit(ServerSeed(bytes(range(32))))
    one.say(pair, ClosingStatement.make(time=one.tick(), bettor=one.bettor, commitment=other, coups=3))


def settle_under_another_commitment(one, pair):
    told = {"commitment": str(commit(ServerSeed(bytes(range(32)))))}
    one.replace(pair, 4, ReceiptStatement.of(pair.records[1].model_copy(update=told), one.bettor, "bet 1 of 1"))


ATTACKS = [
    swap_server_seed,
    exchange_client_seed,
    drop_round,
    drop_last_round,
    use_nonce_twice,
    use_key_twice,
    deal_after_closing,
    tell_seed_early,
    keep_seed,
    close_wrongly,
    pay_wrongly,
    settle_under_another_table,
    change_bets,
    log_late,
    break_promise,
    log_twice,
    log_elsewhere,
    log_acceptance_after_closing,
    log_nonces_out_of_order,
    log_nonces_out_of_order_and_not_all,
    log_receipt_before_opening,
    log_closing_before_opening,
    date_acceptance_back,
    date_closing_back,
    speak_of_another_bettor,
    close_another_commitment,
    settle_under_another_commitment,
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_the_package_finds_the_page_finds(node_page, house, attack):
    attack(house, house.pairs[0])
    assert assert_same(node_page, house)["error"] is not None


@pytest.mark.parametrize("order", [[0, 1, 3, 5, 7, 6, 4, 2], [1, 2, 3, 4, 5, 6, 7], [0, 2, 7], []])
def test_receipts_may_stand_in_any_order_and_what_is_not_logged_yet_nowhere(node_page, house, order):
    pair = house.pairs[0]
    house.close(pair)
    house.log_again(pair, order)
    assert assert_same(node_page, house)["error"] is None


def test_times_that_are_equal_are_in_order(node_page, house):
    pair = house.pairs[0]
    house.close(pair)
    opened = read_statement(pair.opening, house.keys).statement.time
    for nonce in range(3):
        house.date_acceptance(pair, nonce, opened)
    house.date_closing(pair, opened)
    assert assert_same(node_page, house)["error"] is None


def test_a_promise_that_still_runs_is_not_broken(node_page, house):
    pair = house.pairs[0]
    pair.lines[2] = (*pair.lines[2][:2], None)
    assert assert_same(node_page, house)["unlogged"] == 1


def test_a_file_that_is_dated_back_does_not_hide_a_broken_promise(node_page, house):
    pair = house.pairs[0]
    pair.lines[2] = (*pair.lines[2][:2], None)
    long_ago = datetime(2000, 1, 1, tzinfo=UTC)
    assert assert_same(node_page, house, house.history(made_at=long_ago))["error"] is None
    house.now += timedelta(hours=2)
    house.play(pair)
    assert assert_same(node_page, house, house.history(made_at=long_ago))["error"]["code"] == "verification.log.promise"


def test_a_promise_may_be_told_without_the_log(node_page, house):
    """Without the log nothing is shown to be there; while the promise runs, that is no fault."""
    log, house.log = house.log, None
    house.pairs[0].lines = [(kind, text, None) for kind, text, _ in house.pairs[0].lines]
    assert assert_same(node_page, house)["error"] is None
    late = house.now + timedelta(hours=2)
    assert assert_same(node_page, house, house.history(made_at=late))["error"]["code"] == "verification.log.promise"
    assert log is not None


def test_a_commitment_that_was_left_out(node_page, make_operator):
    one = make_operator()
    for _ in range(3):
        pair = one.open()
        one.play(pair)
        one.close(pair)
    one.pairs.pop(1)
    assert assert_same(node_page, one)["error"] is not None


def test_a_commitment_that_the_bettor_was_shown_must_be_in_the_file(node_page, make_operator):
    one = make_operator()
    for _ in range(2):
        one.play(one.open())
    shown = [pair.seeds.commitment for pair in one.pairs]
    both = " ".join(map(str, shown))
    for lines, commitments, code in (
        (one.history(), shown, None),
        (one.history(), [*shown, commit(ServerSeed.generate())], "verification.left_out"),
    ):
        kept = {"commitment": f" {', '.join(map(str, commitments))} "}
        told = node_page.ask("history", base64=base64.b64encode(b"".join(lines)).decode(), kept=kept)
        assert (told["error"] and told["error"]["code"]) == code
        assert verified(one, lines, commitments=commitments)[1] == code
    one.pairs.pop()
    told = node_page.ask("history", base64=base64.b64encode(b"".join(one.history())).decode(), kept={"commitment": both})
    assert (told["error"]["code"], told["error"]["expected"]) == ("verification.left_out", str(shown[1]))


def test_the_cap_and_the_time_of_a_key(node_page, make_operator):
    one = make_operator()
    pair = one.open(cap=1)
    one.play(pair)
    one.play(pair)
    assert assert_same(node_page, one)["error"] is not None
    one = make_operator()
    one.play(one.open())
    key = one.key.public
    over = KeySet([type(key)(key.raw, key.not_before, int((one.now - timedelta(seconds=1)).timestamp()))])
    assert page_history(node_page, one.history(keys=over))["error"]["code"] == "verification.statement.key_time"


def test_a_beacon(node_page, make_operator, vectors):
    told = vectors("receipts")["beacons"][0]
    value = BeaconValue.of(told["chain"], told["round"], told["signature"], told["randomness"])
    for made in (f"drand-{told['round']}-{told['randomness']}-", "another-"):
        one = make_operator()
        server = ServerSeed(bytes([1, 0]) * 16)
        pair = one.open(f"{made}{str(commit(server))[:16]}", beacon={"chain": told["chain"], "round": told["round"]}, made_by="operator")
        one.play(pair)
        one.close(pair)
        lines = one.history(beacon=value)
        told_by_page = assert_same(node_page, one, lines)
        assert (told_by_page["error"] is None) is made.startswith("drand")


def test_a_file_with_anything_changed_is_refused_by_both(node_page, house):
    """Bytes changed, lines dropped, doubled and swapped: nothing passes."""
    house.close(house.pairs[0])
    lines = house.history()
    dice = Random(1129)
    for _ in range(150):
        changed = list(lines)
        kind = dice.randrange(4)
        place = dice.randrange(len(lines))
        if kind == 0:
            line = bytearray(changed[place])
            at = dice.randrange(len(line))
            line[at] ^= 1 << dice.randrange(7)
            changed[place] = bytes(line)
        elif kind == 1:
            del changed[place]
        elif kind == 2:
            changed.insert(place, changed[place])
        else:
            other = dice.randrange(len(lines))
            changed[place], changed[other] = changed[other], changed[place]
        if changed == lines:
            continue
        data = b"".join(changed)
        told = node_page.ask("history", base64=base64.b64encode(data).decode())
        is_taken = told is not None and told["error"] is None
        assert is_taken is (verified(house, changed)[1] is None), (kind, place, told)


@pytest.mark.parametrize("ending", [b"", b"\n", b"{}\n", b"\xff\n", b"x" * 200_000 + b"\n"])
def test_lines_that_are_none(node_page, house, ending):
    house.close(house.pairs[0])
    lines = house.history()
    if ending == b"":
        lines[-1] = lines[-1].rstrip(b"\n")
    told = page_history(node_page, [*lines, ending])
    assert told["error"]["code"] in ("verification.history_file", "record")
    with pytest.raises(BaccaratError):
        house.verify([*lines, ending])
