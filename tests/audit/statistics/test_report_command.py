"""`pfb audit --report`: from files of rounds to a report."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest.importorskip("numpy", reason="audits need numpy")
pytest.importorskip("pyarrow", reason="audits need pyarrow")
pytest.importorskip("scipy", reason="statistics need scipy")
pytest.importorskip("matplotlib", reason="reports need matplotlib")

from provably_fair_baccarat import RoundRecord, Seeds, play_round, settle


@pytest.fixture
def rounds(tmp_path):
    """A file of records of two seed pairs, each with 100 rounds."""
    lines = []
    for pair in range(2):
        seeds = Seeds.commit((bytes([pair + 1]) * 32).hex(), f"bettor {pair}")
        for nonce in range(100):
            played = play_round(seeds, nonce)
            settlement = settle(played.coup, {"player": 20, "tie": 5})
            lines.append(RoundRecord.from_round(played, settlement, server_seed=seeds.server_seed).to_json() + b"\n")
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"".join(lines))
    return path


@pytest.fixture
def pfb(tmp_path):
    def run(*arguments, without=None):
        script = f"import sys\nsys.modules[{without!r}] = None\n" if without else ""
        script += "from provably_fair_baccarat.__main__ import main\nraise SystemExit(main())"
        command = [sys.executable, "-c", script, *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)

    return run


def test_an_audit_writes_its_report(pfb, rounds, tmp_path):
    done = pfb("audit", rounds, "--report", "out/november")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The report is out/november/report.html." in done.stdout
    told = json.loads((tmp_path / "out" / "november" / "report.json").read_bytes())
    assert done.stdout.endswith(f"{told['verdict']['headline']}. The report is out/november/report.html.\n")
    assert told["verdict"]["grade"] == "clean"
    assert told["rounds"] == {"read": 200, "tallied": 200, "unsound": 0}
    assert told["manifest"]["inputs"][0]["name"].endswith("rounds.jsonl")
    assert [(each["bet"], each["lines"], each["staked"]) for each in told["statistics"]["returns"]] == [
        ("player", 200, "4000"),
        ("tie", 200, "1000"),
    ]
    page = (tmp_path / "out" / "november" / "report.html").read_text(encoding="utf-8")
    assert "Nothing was found against these rounds" in page


def test_the_report_of_a_failed_audit_is_written_too(pfb, rounds, tmp_path):
    lines = rounds.read_bytes().splitlines(keepends=True)
    lines[7] = (
        lines[7].replace(b'"player"', b'"tie"', 1)
        if b'"winner":"player"' not in lines[7]
        else lines[7].replace(b'"winner":"player"', b'"winner":"tie"')
    )
    rounds.write_bytes(b"".join(lines[:50] + lines[51:]))
    done = pfb("audit", rounds, "--report", "out", "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    told = json.loads((tmp_path / "out" / "report.json").read_bytes())
    assert told["verdict"]["grade"] == "failed"
    assert {kind["code"]: kind["count"] for kind in told["findings"]} == result["finding_counts"]
    assert "nonce_missing" in result["finding_counts"]
    assert "nonce_missing" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_stops_the_audit_before_it_begins(pfb, rounds, tmp_path):
    (tmp_path / "out").write_text("a file")
    done = pfb("audit", rounds, "--report", "out")
    assert done.returncode == 2
    assert "out" in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_missing_extra_is_named(pfb, rounds, tmp_path):
    done = pfb("audit", rounds, "--report", "out", without="matplotlib")
    assert done.returncode == 2
    assert "provably-fair-baccarat[report]" in "".join(done.stderr.split())
    assert not (tmp_path / "out").exists()
    assert pfb("audit", rounds, without="matplotlib").returncode == 0
