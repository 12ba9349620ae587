"""The audit and `verify_record` agree: what the one refuses the other finds, whatever is changed in a record, by every path."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat import BaccaratError, RoundRecord, kernel_info, verify_record  # noqa: E402
from provably_fair_baccarat.audit import Finding, audit_batches  # noqa: E402
from provably_fair_baccarat.audit.facts import read_facts  # noqa: E402
from provably_fair_baccarat.audit.records import read_json_lines  # noqa: E402


def judged(lines, path=None):
    """For each line, whether something is found in it."""
    read = list(read_json_lines(lines, "lines", 1))
    facts = list(audit_batches((each for each in read if isinstance(each, pa.RecordBatch)), path=path))
    findings = [each for each in read if isinstance(each, Finding)]
    findings += [Finding.parse_json(payload) for kind, _, payload in read_facts(facts) if kind == "finding"]
    rows = {finding.row for finding in findings}
    return [row in rows for row in range(1, len(lines) + 1)]


def refused(line):
    """Whether the record is refused, or is none."""
    try:
        verify_record(RoundRecord.parse_json(line))
    except BaccaratError as error:
        return error.code
    return None


def leaves(value, path=()):
    """Every place in a record's JSON that holds no object and no list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path


def at(value, path):
    for step in path:
        value = value[step]
    return value


def replaced(value, path, new):
    told = json.loads(json.dumps(value))
    inner = at(told, path[:-1])
    inner[path[-1]] = new
    return told


def alterations(value):
    """Other values that could stand in a place: near ones, and those of other kinds."""
    if isinstance(value, bool):
        return [not value, 1, None]
    if isinstance(value, int):
        return [value + 1, max(0, value - 1), 0, 415, -1, str(value), 2**53, None]
    if value is None:
        return [0, 1, "", "2026-01-01T00:00:00Z", "ab" * 32, {"anchor": "ab" * 32, "length": 3}]
    digit = "1" if value[:1] != "1" else "2"
    return [
        digit + value[1:],
        value[:-1] + digit,
        value + "0",
        value.upper(),
        f" {value}",
        "",
        "tie",
        "player",
        "won",
        "lost",
        "pushed",
        "Ah",
        "0",
        "2.0",
        "ab" * 32,
        None,
    ]


SCHEMES = ["pfb1", "pfb1-chain", "pfb1-shoe"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_change_of_a_leaf_is_judged_alike(scheme, records):
    told = next(each for each in records(scheme, 1, 9, decks=3) if each.bets).to_dict()
    changed = [replaced(told, path, new) for path in leaves(told) for new in alterations(at(told, path)) if new != at(told, path)]
    lines = [json.dumps(each).encode() for each in changed]
    for line, is_found in zip(lines, judged(lines), strict=True):
        assert is_found == (refused(line) is not None), (line, refused(line))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_left_out_or_put_in_is_judged_alike(scheme, records):
    told = next(each for each in records(scheme, 1, 9) if each.bets).to_dict()
    bets = told["bets"]
    bet = next(iter(bets.values()))
    changed = [
        *({key: value for key, value in told.items() if key != left_out} for left_out in told),
        {**told, "surplus": 1},
        {**told, "bets": {}},
        {**told, "bets": {**bets, "tiger": bet}},
        {**told, "cards": told["cards"][:-1]},
        {**told, "cards": told["cards"][::-1]},
        {**told, "player": told["banker"], "banker": told["player"]},
        {**told, "pay_table": {**told["pay_table"], "side_bets": {"tiger": {"two_cards": "13.0", "three_cards": "21.0"}}}},
    ]
    lines = [json.dumps(each).encode() for each in changed]
    assert judged(lines) == [refused(line) is not None for line in lines]


@settings(max_examples=25)
@given(data=st.data())
def test_random_sets_with_random_changes_are_judged_alike(data, records):
    """Many records at once, each judged as it is alone; the Python path agrees with the native one."""
    lines = []
    for record in records(data.draw(st.sampled_from(SCHEMES)), 2, 4, seed=data.draw(st.integers(1, 5)))[:8]:
        told = record.to_dict()
        if data.draw(st.booleans()):
            path = data.draw(st.sampled_from(list(leaves(told))))
            told = replaced(told, path, data.draw(st.sampled_from(alterations(at(told, path)))))
        lines.append(json.dumps(told).encode())
    expected = [refused(line) is not None for line in lines]
    for path in (None, kernel_info().paths[-1]):
        assert judged(lines, path) == expected
