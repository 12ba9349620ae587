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


def test_a_file_that_is_no_table_is_no_input(call, tmp_path):
    (tmp_path / "rounds.parquet").write_bytes(b"no parquet at all")
    assert call("audit", "rounds.parquet").code == 2


def test_the_same_work_goes_on(call, rounds):
    first = call("audit", rounds, "--work", "work", "--json")
    again = call("audit", rounds, "--work", "work", "--json")
    assert first.code == again.code == 0
    assert json.loads(first.out)["tally"] == json.loads(again.out)["tally"]


def test_nothing_to_audit_is_told(call, rounds, tmp_path):
    (tmp_path / "zero.csv").write_bytes(b"")
    header = "scheme,decks,commitment,server_seed,client_seed,nonce,cut,cards,winner,bets,pay_table"
    (tmp_path / "none.csv").write_text(f"{header}\n")
    (tmp_path / "lines.jsonl").write_text("no JSON\n")
    for name in ("zero.csv", "none.csv", "lines.jsonl"):
        ran = call("audit", name)
        assert ran.code == 2
        assert "There was nothing to audit" in ran.out
        assert "is right" not in ran.out
        assert call("audit", name, "--json").code == 2
    assert call("audit", rounds, "zero.csv").code == 1
    assert call("audit", rounds, "none.csv").code == 0


def test_a_defect_is_no_failed_verification(call, rounds, monkeypatch):
    """Its text may hold anything, and is not repeated."""
    import provably_fair_baccarat.audit as room

    def broken(*_, **__):
        return {}[KEY]

    monkeypatch.setattr(room, "audit", broken)
    for form in ([], ["--json"]):
        ran = call("audit", rounds, *form)
        assert ran.code == 2
        assert "an error of this program itself: KeyError at " in ran.err
        assert "report" in ran.err
        assert KEY not in ran.out + ran.err
    assert json.loads(ran.out)["error"]["code"] == "internal"


def test_findings_have_their_name_in_the_end_only(call, rounds, tmp_path, monkeypatch):
    from provably_fair_baccarat.audit import running

    monkeypatch.setattr(running, "require_unchanged", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    asked = ("audit", rounds, "--work", "work", "--findings", "found.jsonl")
    assert call(*asked).code == 130
    assert not (tmp_path / "found.jsonl").exists()
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert call(*asked).code == 0
    assert (tmp_path / "found.jsonl").read_bytes() == b""
    assert not list(tmp_path.glob("*.partial"))
    again = call(*asked)
    assert again.code == 2
    assert "File exists" in again.err


@pytest.mark.parametrize("name", ["/", ".", ".."])
def test_a_folder_is_no_new_file(call, rounds, name):
    ran = call("audit", rounds, "--findings", name)
    assert ran.code == 2
    assert "File exists" in ran.err


@pytest.mark.parametrize("option", ["", "--seeds", "--refusals", "--findings", "--work", "--report"])
def test_an_empty_text_names_nothing(call, rounds, option):
    """As `--findings "$FILE"` does where there is no such variable; it is no name of the folder where one works."""
    ran = call("audit", rounds, *([option] if option else []), "")
    assert ran.code == 2
    assert f"{option or 'PATH'} is an empty text, which names nothing." in ran.err
