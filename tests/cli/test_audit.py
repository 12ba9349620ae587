"""`pfb audit`: what it says of rounds, with which exit code, to people and to programs."""

from __future__ import annotations

import json
import sys

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


@pytest.fixture
def refused(call, rounds, tmp_path):
    """A table of refused bets on everything that the player won, or on every second round, some of them at no round at all."""
    from pyarrow import parquet

    def make(is_refused):
        rows = parquet.read_table(tmp_path / rounds, columns=["commitment", "nonce", "winner"]).to_pylist()
        given = [{"bet": "player", "stake": 500}]
        lines = [
            {"commitment": row["commitment"].hex(), "nonce": row["nonce"], "bets": given, "reason": "limit"}
            for row in rows
            if is_refused(row)
        ]
        lines += [{**lines[0], "nonce": 10**6}, {**lines[0], "nonce": -1}, {**lines[0], "commitment": "ab" * 32}]
        lines += [{**lines[0], "bets": [{"bet": "lottery", "stake": 5}]}]
        (tmp_path / "refused.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return len(lines)

    return make


ODD = "But what was refused is too odd for chance: player"


def test_refused_bets_that_would_have_won_too_often_are_told(call, rounds, refused):
    """The rounds are right, so the exit code is 0, but nobody shall read that all is well."""
    pytest.importorskip("scipy", reason="statistics need scipy")
    count = refused(lambda row: row["winner"] == "player")
    ran = call("audit", rounds, "--refusals", "refused.jsonl")
    assert ran.code == 0
    assert f"{count - 4} won, 0 pushed, 0 lost, 3 unknown, 1 that the pay table does not take" in ran.out
    told = "1 unreadable, 1 of a commitment that no seed pair here has, 1 of a nonce that no round here has"
    assert f"{count} in all, {told}" in ran.out
    assert ODD in ran.out.splitlines()[-1]
    assert "may have known the coup" in ran.out.splitlines()[-1]
    refused(lambda row: row["nonce"] % 2 == 0)
    ran = call("audit", rounds, "--refusals", "refused.jsonl")
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "Every card, every payment and every nonce is right."


def test_without_statistics_an_audit_says_what_it_did_not_look_at(call, rounds, refused, monkeypatch):
    refused(lambda row: row["winner"] == "player")
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.delitem(sys.modules, "provably_fair_baccarat.audit.statistics", raising=False)
    ran = call("audit", rounds, "--refusals", "refused.jsonl")
    assert ran.code == 0
    assert "Nothing is said about whether refused bets would have won too often." in ran.out.splitlines()[-1]
    assert "pip install 'provably-fair-baccarat[report]'" in ran.out.splitlines()[-1]


def test_a_report_says_it_in_its_headline(call, rounds, refused):
    pytest.importorskip("scipy", reason="statistics need scipy")
    pytest.importorskip("matplotlib", reason="reports need matplotlib")
    refused(lambda row: row["winner"] == "player")
    ran = call("audit", rounds, "--refusals", "refused.jsonl", "--report", "told")
    assert ran.out.splitlines()[-1] == "The rounds are right, but they are too odd for chance. The report is told/report.html."
    assert ran.code == 0
