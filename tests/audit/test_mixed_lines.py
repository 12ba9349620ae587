"""Records and rows among each other in JSON lines: each line is read as it would be alone, whatever stands beside it."""

from __future__ import annotations

import json
import random

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from provably_fair_baccarat.audit import ROUNDS, Finding, audit  # noqa: E402
from provably_fair_baccarat.audit.checking import check_rows  # noqa: E402
from provably_fair_baccarat.audit.records import read_json_lines  # noqa: E402
from provably_fair_baccarat.audit.rows import read_rows  # noqa: E402
from provably_fair_baccarat.audit.settling import Settler  # noqa: E402

OTHERS = [
    "",
    "x",
    "0",
    "2026-01-01T12:00:00Z",
    0,
    1,
    7,
    -1,
    2**53 - 1,
    1.5,
    True,
    False,
    None,
    [],
    ["x"],
    {},
    {"a": 1},
    "\ud800",
    "A\u0300",
    "EUR",
]
REQUIRED = [field.name for field in ROUNDS if not field.nullable]


@pytest.fixture(scope="module")
def lines(records):
    """Records of all schemes, with times and without, and rows that tell the same: as JSON objects, a record and its row side by side."""
    from provably_fair_baccarat.audit.records import _row

    told = []
    for scheme in ("pfb1", "pfb1-chain", "pfb1-shoe"):
        for number, record in enumerate(records(scheme, 2, 3, seed=4)[:6]):
            settled = f"2026-01-01T12:00:0{number}.5Z"
            times = {"accepted_at": "2026-01-01T12:00:00Z", "settled_at": settled} if number % 2 else {}
            told.append((record.to_dict() | times, _row(record) | times))
    return told


def read(given):
    """What is found in each line alone, and each row that was read: findings by the number of the line."""
    told, rows = {}, 0
    for each in read_json_lines(given, "lines", 1):
        findings = [each]
        if not isinstance(each, Finding):
            findings, rows = check_rows(read_rows(each), Settler()).findings, rows + len(each)
        for finding in findings:
            told.setdefault(finding.row, []).append((finding.code, finding.expected, finding.found, finding.commitment, finding.nonce))
    return {row: sorted(found, key=str) for row, found in told.items()}, rows


def test_records_with_times_stand_among_rows_with_times(lines, tmp_path):
    mixed = [record if number % 2 else row for number, (record, row) in enumerate(lines)]
    (tmp_path / "mixed.jsonl").write_text("\n".join(map(json.dumps, mixed)))
    result = audit(tmp_path / "mixed.jsonl")
    assert not {code for code in result.finding_counts if code in ("unreadable", "file")}
    assert result.rounds == len(lines)
    assert read([json.dumps(each).encode() for each in mixed]) == ({}, len(lines))


def test_the_rows_of_records_are_spelled_as_rows_are(lines):
    """So that a column of both needs no second look."""
    records = [json.dumps(record).encode() for record, _ in lines]
    for batch in read_json_lines(records, "lines", 1):
        assert {str(batch.schema.field(name).type) for name in ("accepted_at", "settled_at")} == {"string"}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_lines_are_read_as_they_are_alone(data, lines):
    chance = random.Random(data.draw(st.integers(0, 10**6)))
    chosen = []
    for record, row in chance.sample(lines, chance.randint(2, 9)):
        told = dict(chance.choice([record, row]))
        for _ in range(chance.choice([0, 0, 0, 1, 2])):
            key = chance.choice(sorted(told))
            change = chance.choice(["without", "null", "other", "bet"])
            if change == "without":
                told.pop(key)
            elif change == "bet" and isinstance(told.get("bets"), list) and told["bets"]:
                part = chance.choice(["bet", "stake", "status", "returned"])
                told["bets"] = [chance.choice([{**told["bets"][0], part: chance.choice(OTHERS)}, chance.choice(OTHERS), {"bet": "tie"}])]
            else:
                told[key] = None if change == "null" else chance.choice(OTHERS)
        chosen.append(json.dumps(told).encode())
    alone = [read([line]) for line in chosen]
    expected = {row: found[1] for row, (found, _) in enumerate(alone, 1) if found}
    assert read(chosen) == (expected, sum(count for _, count in alone))


@pytest.mark.parametrize("column", ROUNDS.names)
def test_no_value_of_a_line_changes_what_is_read_of_others(column, lines):
    """Each value that JSON has, in each column of one row, between a record and a row that are right."""
    (record, _), (_, row) = lines[1], lines[3]
    for value in OTHERS:
        between = [json.dumps(each).encode() for each in (record, {**row, column: value}, row)]
        alone = read(between[1:2])[0].get(1)
        assert read(between)[0] == ({} if alone is None else {2: alone})


def test_a_row_without_what_must_be_there_is_one_finding(lines):
    row = lines[0][1]
    for column in REQUIRED:
        (told,) = read([json.dumps({name: value for name, value in row.items() if name != column}).encode()])[0].values()
        assert [(code, expected.partition(":")[0]) for code, expected, *_ in told] == [("unreadable", column)]
