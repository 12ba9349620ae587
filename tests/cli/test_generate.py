"""`pfb generate`: tables of rounds, the faults in them, and what an audit must find."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="audits need numpy: pip install 'provably-fair-baccarat[audit]'")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")

from pyarrow import parquet  # noqa: E402 (only where the extra is there)

from provably_fair_baccarat.audit.specimens import FAULTS, Plan, specimen_batches, write_specimen  # noqa: E402
from provably_fair_baccarat.audit.specimens.faults import of_chains  # noqa: E402
from provably_fair_baccarat.audit.specimens.plan import KINDS  # noqa: E402

KEY = bytes(range(32))
CLI = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def test_a_file_of_rounds(pfb, tmp_path):
    ran = pfb("generate", "--rounds", "1_000", "--out", "rounds.parquet", "--entropy", KEY.hex(), "--json")
    assert json.loads(ran.out) == {"out": "rounds.parquet", "rounds": 1000, "pairs": 10, "faults": 0, "findings": 0, "entropy": KEY.hex()}
    made = parquet.read_table(tmp_path / "rounds.parquet")
    batches = list(specimen_batches(Plan(1000, KEY, pairs=10), []))
    assert made.to_pylist() == [row for batch in batches for row in batch.to_pylist()]


def test_faults_and_what_they_must_give(call, tmp_path):
    options = ["--rounds", "2e3", "--pairs", "200", "--chains", "5", "--faults", "2", "--entropy", KEY.hex()]
    ran = call("generate", *options, "--out", "rounds.jsonl", "--expected", "faults.jsonl")
    planted = []
    list(specimen_batches(Plan(2000, KEY, pairs=200, chains=5, faults=dict.fromkeys(FAULTS, 2)), planted))
    told = [json.loads(line) for line in (tmp_path / "faults.jsonl").read_text().splitlines()]
    assert [(each["kind"], each["row"], each["commitment"], each["nonce"]) for each in told] == [
        (fault.kind, fault.row + 1, fault.commitment, fault.nonce) for fault in planted
    ]
    assert [[tuple(finding[name] for name in ("code", "commitment", "nonce")) for finding in each["findings"]] for each in told] == [
        list(map(tuple, fault.expected)) for fault in planted
    ]
    assert f"faults    {2 * len(FAULTS)}\n" in ran.out
    rows = (tmp_path / "rounds.jsonl").read_text().splitlines()
    assert f"rounds    {len(rows):,}\n" in ran.out


def test_without_chains_no_fault_of_chains(call, tmp_path):
    call("generate", "--rounds", "1000", "--pairs", "100", "--faults", "1", "--out", "rounds.csv", "--expected", "faults.jsonl")
    kinds = {json.loads(line)["kind"] for line in (tmp_path / "faults.jsonl").read_text().splitlines()}
    assert kinds == {kind for kind in FAULTS if not of_chains(kind)}


def test_only_some_kinds(call, tmp_path):
    call("generate", "--rounds", "1000", "--fault", "card", "--fault", "missing", "--out", "rounds.arrow", "--expected", "faults.jsonl")
    assert sorted(json.loads(line)["kind"] for line in (tmp_path / "faults.jsonl").read_text().splitlines()) == ["card", "missing"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--rounds", "10"], "Missing option '--out'"),
        (["--rounds", "10", "--out", "rounds.xlsx"], ".parquet, .arrow, .csv, .jsonl"),
        (["--rounds", "10", "--out", "rounds.csv", "--pairs", "11"], "at most as many as rounds"),
        (["--rounds", "1000", "--out", "rounds.csv", "--fault", "carb"], "Did you mean 'card'?"),
        (["--rounds", "1000", "--out", "rounds.csv", "--fault", "link"], "a seed chain"),
        (["--rounds", "1000", "--out", "rounds.csv", "--fault", "coup_missing"], "1 faults and 0 shoes"),
        (["--rounds", "1000", "--out", "rounds.csv", "--faults", "-1"], "a whole number from 0"),
    ],
)
def test_wrong_input_leaves_nothing(call, tmp_path, arguments, told):
    ran = call("generate", *arguments)
    assert ran.code == 2
    assert told in ran.err
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_overwritten(call, tmp_path):
    (tmp_path / "faults.jsonl").write_text("kept")
    ran = call("generate", "--rounds", "100", "--out", "rounds.csv", "--expected", "faults.jsonl")
    assert ran.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["faults.jsonl"]


def test_the_kinds_are_listed_in_the_docs():
    text = CLI.read_text(encoding="utf-8").partition("<!-- faults -->")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(KINDS)


def test_shoes_and_seeds_that_an_audit_finds_the_faults_of(call, tmp_path):
    options = ["--rounds", "1000", "--pairs", "100", "--shoes", "4", "--faults", "1", "--seeds", "seeds.parquet"]
    assert call("generate", *options, "--out", "rounds.parquet", "--expected", "faults.jsonl", "--entropy", KEY.hex()).code == 0
    told = [json.loads(line) for line in (tmp_path / "faults.jsonl").read_text().splitlines()]
    assert {each["kind"] for each in told} == {kind for kind in KINDS if not of_chains(kind)}
    assert call("audit", "rounds.parquet", "--seeds", "seeds.parquet", "--findings", "found.jsonl").code == 1
    found = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    names = ("code", "commitment", "nonce")
    expected = [tuple(finding[name] for name in names) for each in told for finding in each["findings"]]
    assert sorted(map(str, expected)) == sorted(str(tuple(finding[name] for name in names)) for finding in found)


def test_an_unspent_nonce_needs_the_seeds(call, tmp_path):
    ran = call("generate", "--rounds", "1000", "--fault", "unspent", "--out", "rounds.parquet")
    assert ran.code == 2
    assert "goes with --seeds FILE" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_is_named(environment):
    program = "import sys; sys.modules['pyarrow'] = None; from provably_fair_baccarat.cli import run; sys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "generate", "--rounds", "10", "--out", "rounds.csv"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "provably-fair-baccarat[audit]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_has_its_name_only_when_it_is_whole(tmp_path):
    """So whatever kills the process leaves no half of a table."""
    for name in ("rounds.parquet", "rounds.jsonl"):
        path = tmp_path / name

        def batches(path=path):
            for batch in specimen_batches(Plan(300, KEY, pairs=3), []):
                yield batch
                assert not path.exists()

        assert write_specimen(batches(), path) == 300
        assert path.exists()
    assert len(list(tmp_path.iterdir())) == 2
