"""`pfb audit`: what it says of rounds, with which exit code, to people and to programs."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("numpy", reason="audits need numpy: pip install 'provably-fair-baccarat[audit]'")
pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")

KEY = bytes(range(32)).hex()


@pytest.fixture
def rounds(call):
    """A thousand rounds that are right."""
    assert call("generate", "--rounds", "1000", "--out", "rounds.parquet", "--entropy", KEY).code == 0
    return "rounds.parquet"


@pytest.fixture
def faulty(call):
    """A thousand rounds with one wrong card."""
    made = call("generate", "--rounds", "1000", "--fault", "card", "--out", "faulty.jsonl", "--expected", "faults.jsonl", "--entropy", KEY)
    assert made.code == 0
    return "faulty.jsonl"


def test_rounds_that_are_right(call, rounds):
    ran = call("audit", rounds)
    assert ran.code == 0
    assert "1,000" in ran.out
    assert ran.err == ""


def test_a_wrong_card_is_a_finding(call, faulty, tmp_path):
    ran = call("audit", faulty, "--findings", "found.jsonl", "--json")
    assert ran.code == 1
    planted = [json.loads(line) for line in (tmp_path / "faults.jsonl").read_text().splitlines()]
    found = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    expected = [(finding["code"], each["nonce"]) for each in planted for finding in each["findings"]]
    assert sorted((each["code"], each["nonce"]) for each in found) == sorted(expected)
    assert sum(json.loads(ran.out)["finding_counts"].values()) == len(expected)


def test_a_summary_for_people_names_what_was_found(call, faulty):
    ran = call("audit", faulty)
    assert ran.code == 1
    assert "cards" in ran.out


def test_a_path_that_is_not_there(call):
    ran = call("audit", "nowhere.parquet")
    assert ran.code == 2
    assert "nowhere.parquet" in ran.err


def test_a_file_that_is_no_table_is_a_finding(call, tmp_path):
    (tmp_path / "rounds.parquet").write_bytes(b"no parquet at all")
    assert call("audit", "rounds.parquet").code == 1


def test_the_same_work_goes_on(call, rounds):
    first = call("audit", rounds, "--work", "work", "--json")
    again = call("audit", rounds, "--work", "work", "--json")
    assert first.code == again.code == 0
    assert json.loads(first.out)["tally"] == json.loads(again.out)["tally"]
