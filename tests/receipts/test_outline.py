"""What is read by what it has in common with another is read as if it stood alone: the same values, the same refusals."""

from __future__ import annotations

import json
import random

import pytest

from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.errors import BaccaratError
from provably_fair_baccarat.receipts import AcceptanceStatement
from provably_fair_baccarat.receipts.history.replaying import Replay
from provably_fair_baccarat.receipts.outline import Outline, gap
from provably_fair_baccarat.receipts.statements import AcceptanceReader

NASTY = '100 % "sure" \\ {} %(nonce)s \\u0000nonce "\\u0000nonce" é🂡'


def test_an_outline_is_filled_and_read():
    value = {"b": gap("one"), "a": NASTY, "c": {"z": gap("two"), "y": [1, gap("one")]}, "d": None}
    outline = Outline(value)
    filled = outline.fill({"one": '"x"', "two": 7})
    assert filled == canonical_json({"a": NASTY, "b": "x", "c": {"z": 7, "y": [1, "x"]}, "d": None})
    assert Outline({"a": NASTY, "b": gap("one"), "c": gap("two")}).read(canonical_json({"a": NASTY, "b": 1, "c": [2]})) == {
        "one": b"1",
        "two": b"[2]",
    }
    assert Outline({"a": 1, "b": gap("one")}).read(b'{"a":1,"b":}') == {"one": b""}


@pytest.mark.parametrize("data", [b"", b"{", b'{"a":1', b'{"a":1,"b":2', b'{"a":2,"b":2}', b' {"a":1,"b":2}', b'{"a":1,"b":2}\n'])
def test_another_outline_is_seen(data):
    assert Outline({"a": 1, "b": gap("one")}).read(data) is None


@pytest.fixture
def told(make_operator):
    """An acceptance as JSON."""
    one = make_operator()
    return one.acceptance(one.open(NASTY), {"banker": 333, "tie": 50}, 14).to_dict()


def spellings(told):
    """Payloads that have something to do with an acceptance: right ones, and ones that are wrong in the parts that differ."""
    for change in (
        {}, {"nonce": 0}, {"nonce": 2**53 - 1}, {"nonce": 2**53}, {"nonce": -1}, {"nonce": 10**40}, {"nonce": True}, {"nonce": None}, {"nonce": "1"},
        {"nonce": 1.0}, {"key": NASTY}, {"key": "a"}, {"key": ""}, {"key": "x" * 128}, {"key": "x" * 129}, {"key": "é" * 128}, {"key": "\x7f"},
        {"key": "\x85"}, {"key": "\x00"}, {"key": gap("nonce")}, {"key": None}, {"key": ["a"]}, {"key": '","log":null,"nonce":1'},
        {"bets": {}}, {"bets": None}, {"bets": {"tie": "1"}}, {"bets": {"tie": 1}}, {"bets": {"tie": "0"}}, {"bets": {"tie": "01"}},
        {"bets": {"Tie": "1"}}, {"bets": {"tie": "9" * 38}}, {"bets": {"tie": "9" * 39}}, {"bets": {"tie": "-1"}}, {"bets": {"tie": "١"}},
        {"bets": {"a": "1", "b": "2", "c_1": "3"}}, {"bets": [["tie", "1"]]}, {"bets": {"t" * 64: "1"}}, {"bets": {"t" * 65: "1"}},
        {"time": "2026-11-29T12:00:00.25Z"}, {"time": "2026-11-29T12:00:00.250Z"}, {"time": "2026-02-30T12:00:00Z"}, {"time": "0000-01-01T12:00:00Z"},
        {"time": "2026-11-29T12:00:60Z"}, {"time": "2026-11-29T24:00:00Z"}, {"time": "2026-11-29T12:00:00+00:00"}, {"time": None}, {"time": 1},
        {"bettor": "another"}, {"log": None}, {"dealt": True}, {"more": 1},
    ):  # fmt: skip
        yield canonical_json({**told, **change})
    plain = canonical_json(told)
    for old, new in (
        (b'"nonce":14', b'"nonce":014'), (b'"nonce":14', b'"nonce":14.0'), (b'"nonce":14', b'"nonce":1e1'), (b'"nonce":14', b'"nonce": 14'),
        (b'"nonce":14', b'"nonce":14,"nonce":14'), (b'"nonce":14', b'"nonce":NaN'), (b'"nonce":14', b'"nonce":'),
        (b'"banker":"333","tie":"50"', b'"tie":"50","banker":"333"'), (b'"banker":"333"', b'"banker":"333","banker":"333"'),
        (b'"banker":"333"', b'"banker":"334","banker":"333"'), (b'"tie":"50"', b'"tie":"50","tie":"51"'), (b'"tie":"50"', b'"tie":"50",'),
        (b'"tie":"50"', b'"tie":"5\\u0030"'), (b'{"bets":', b'{"bets":{},"bets":'), (b'"key":"bet', b'"key":"b\\u0065t'), (b'"key":"bet', b'"key":"b\xe9t'),
        (b'"key":"bet', b'"key":"b\xed\xa0\x80t'), (b'"key":"bet', b'"key":"b\\ud800t'), (b'"key":"bet', b'"key":"b\xff'),
        (b'"key":"bet', b'"key":"b\tt'), (b'"key":"bet', b'"key":"b","key":"bet'), (b'"version":1}', b'"version":1}}'), (b'"version":1}', b'"version":1} '),
        (b'"version":1}', b'"version":1'), (b'"version":1}', b'"version":1,"version":1}'), (b"{", b"\xef\xbb\xbf{"), (plain, b""), (plain, b"null"),
        (plain, b"[" * 60_000), (b'"nonce":14', b'"nonce":' + b"9" * 5000), (plain, plain + plain),
    ):  # fmt: skip
        assert old in plain
        yield plain.replace(old, new, 1)
    chance = random.Random(8)
    for _ in range(3000):
        place = chance.randrange(len(plain))
        yield plain[:place] + bytes([chance.choice(b'0"\\,:{}az \n\x00\xff')]) + plain[place + chance.randrange(2) :]


def outcome(read, payload):
    try:
        return read(payload)
    except BaccaratError as error:
        return type(error), error.code, str(error)


def test_an_acceptance_is_read_as_if_it_stood_alone(told):
    first = canonical_json({**told, "nonce": 3, "key": "another", "bets": {"player": "1"}, "time": "2026-11-29T12:00:00Z"})
    read = 0
    for payload in spellings(told):
        reader = AcceptanceReader()
        reader.parse_payload(first)
        alone = outcome(AcceptanceStatement.parse_payload, payload)
        assert outcome(reader.parse_payload, payload) == alone, payload
        read += isinstance(alone, AcceptanceStatement)
    assert read > 20


def test_only_the_first_of_many_is_read_at_length(make_operator, monkeypatch):
    """The coups of a commitment are the same but for what they say, whatever stands in their texts; a key that needs escapes is read as any."""
    one = make_operator(bettor='100 % "Zoë"\\')
    for client_seed in (None, NASTY):
        pair = one.open(client_seed)
        for nonce in range(40):
            key = f"{nonce} %s %(key)s é" if nonce % 8 else f'{nonce} "\\'
            one.play(pair, {"banker": 777, "tie": 3} if nonce % 3 else {"player": 20}, key=f"{key} of {client_seed is None}")
        one.close(pair)
    read = []
    read_receipt, read_acceptance = Replay._read, AcceptanceStatement.parse_payload.__func__

    def noted_receipt(self, acceptance, payload):
        read.append(("receipt", acceptance.nonce))
        return read_receipt(self, acceptance, payload)

    def noted_acceptance(cls, payload):
        read.append(("acceptance", json.loads(payload)["nonce"]))
        return read_acceptance(cls, payload)

    monkeypatch.setattr(Replay, "_read", noted_receipt)
    monkeypatch.setattr(AcceptanceStatement, "parse_payload", classmethod(noted_acceptance))
    history = one.verify()
    assert history.coups == sum(each.verified for each in history.commitments) == 80
    assert sorted(read) == sorted([("receipt", 0), *(("acceptance", nonce) for nonce in range(0, 40, 8))] * 2)
