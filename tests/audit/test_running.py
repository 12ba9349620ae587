"""An audit at work: killed and taken up again, in bounded memory, on threads, and what its work directory refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from pyarrow import parquet  # noqa: E402

from provably_fair_baccarat.audit import audit  # noqa: E402
from provably_fair_baccarat.errors import AuditError  # noqa: E402

from .many_rounds import many_rounds  # noqa: E402

PAIRS = int(os.environ.get("AUDIT_PAIRS", "4000"))
LIMIT = int(os.environ.get("AUDIT_MEGABYTES", "800"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Some files of rounds in any order, with every pair in each of them, and some rounds left out."""
    folder = tmp_path_factory.mktemp("rounds")
    table = many_rounds(600, 50, is_shuffled=True).slice(3)
    for number in range(6):
        parquet.write_table(table.slice(5000 * number, 5000), folder / f"{number}.parquet", row_group_size=1000)
    return folder


def same(one, other):
    return all(
        getattr(one, name) == getattr(other, name) for name in ("rounds", "lines", "pairs", "finding_counts", "findings", "tally", "serial")
    )


def test_threads_change_nothing(folder):
    whole = audit(folder, workers=1)
    assert whole.finding_counts == {"nonce_missing": 3}
    assert same(audit(folder, workers=4), whole)


def test_progress_is_told(folder):
    told = []
    audit(folder, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (29997, 29997)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


SCRIPT = """
import sys, time
from provably_fair_baccarat.audit import running
audit_piece = running._Run._audit_piece
def slowly(self, piece, file):
    time.sleep(0.2)
    return audit_piece(self, piece, file)
running._Run._audit_piece = slowly
running.audit(sys.argv[1], work=sys.argv[2], workers=1)
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_killed_and_taken_up_again(folder, tmp_path):
    """What is finished when it is killed is not done again, and the answer is that of an audit nobody killed."""
    whole = audit(folder)
    work = tmp_path / "work"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, folder, work])
    try:
        deadline = time.monotonic() + 60
        while len(list(work.glob("piece-*.facts"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    finished = {file: file.stat().st_mtime_ns for file in work.glob("piece-*.facts")}
    assert 2 <= len(finished) < 6
    assert same(audit(folder, work=work), whole)
    assert {file: file.stat().st_mtime_ns for file in finished} == finished
    before = {file: file.stat().st_mtime_ns for file in work.iterdir()}
    assert same(audit(folder, work=work), whole)
    assert {file: file.stat().st_mtime_ns for file in work.iterdir()} == before


def test_a_work_directory_is_of_one_audit(folder, tmp_path):
    work = tmp_path / "work"
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    audit(copy, work=work)
    with pytest.raises(AuditError, match="work directory"):
        audit(folder, work=work)
    (copy / "0.parquet").touch()
    with pytest.raises(AuditError, match=r"changed since: .*0\.parquet"):
        audit(copy, work=work)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(AuditError, match="an empty one"):
        audit(copy, work=tmp_path / "other")
    with pytest.raises(AuditError, match="in memory"):
        audit(many_rounds(1, 1), work=tmp_path / "third")


def test_a_fragment_that_was_spoiled_is_not_taken_up(folder, tmp_path):
    work = tmp_path / "work"
    audit(folder, work=work)
    for name, place in (("piece-000000.facts", 40), ("piece-000000.facts", -30), ("bucket-0000.facts", 3)):
        file = work / name
        right = file.read_bytes()
        wrong = bytearray(right)
        wrong[place] ^= 1
        file.write_bytes(wrong)
        with pytest.raises(AuditError, match="checksum differs"):
            audit(folder, work=work)
        file.write_bytes(right)
    audit(folder, work=work)


def test_two_audits_do_not_work_in_one_directory(folder, tmp_path):
    pytest.importorskip("fcntl", reason="this system has no such locks")
    from provably_fair_baccarat.audit.work import work_folder

    with work_folder(tmp_path / "work", {}), pytest.raises(AuditError, match="at work there"), work_folder(tmp_path / "work", {}):
        pass


def test_an_input_that_changes_meanwhile_is_noticed(folder, tmp_path):
    file = tmp_path / "rounds.parquet"
    file.write_bytes((folder / "0.parquet").read_bytes())

    def touch(done, total):
        os.utime(file, ns=(1, 1))

    with pytest.raises(AuditError, match="changed during the audit"):
        audit(file, progress=touch)


def test_findings_go_to_a_new_file(folder, tmp_path):
    result = audit(folder, findings=tmp_path / "findings.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "findings.jsonl").read_bytes().splitlines()]
    assert lines == [finding.to_dict() for finding in result.findings]
    with pytest.raises(FileExistsError):
        audit(folder, findings=tmp_path / "findings.jsonl")


@pytest.mark.parametrize("workers", [0, -1, 65, 1.5, True])
def test_workers_are_bounded(workers, folder):
    with pytest.raises(AuditError, match="workers"):
        audit(folder, workers=workers)


def test_the_manifest_says_what_was_audited(folder):
    from hashlib import sha256

    result = audit(folder, command="pfb audit")
    names = [each["name"] for each in result.manifest["inputs"]]
    assert names == sorted(map(str, folder.iterdir()))
    for each in result.manifest["inputs"]:
        content = Path(each["name"]).read_bytes()
        assert (each["bytes"], each["sha256"]) == (len(content), sha256(content).hexdigest())
    told = json.loads(result.to_json())
    assert list(told) == sorted(result.to_dict())
    assert told["manifest"]["command"] == "pfb audit"


MEASURED = """
import re, sys
from provably_fair_baccarat.audit import audit
result = audit(sys.argv[1], workers=2)
assert result.is_clean, result.finding_counts
peak = re.search(r"VmHWM:\\s+([0-9]+) kB", open("/proc/self/status").read())  # getrusage would tell the peak of the tests, if that is higher
print(result.rounds, int(peak[1]) // 1024)
"""


def test_memory_is_bounded(tmp_path):
    """AUDIT_PAIRS=1000000 AUDIT_MEGABYTES=1024 is 100 million rounds; it takes some 10 GB of disk."""
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not tell how much memory a process took")
    at_once = min(PAIRS, 20_000)
    for number in range(PAIRS // at_once):
        table = many_rounds(at_once, 100, number, is_shuffled=True)
        parquet.write_table(table, tmp_path / f"{number:03}.parquet", row_group_size=1 << 17)
    del table
    done = subprocess.run([sys.executable, "-c", MEASURED, tmp_path], capture_output=True, text=True, check=True)
    rounds, megabytes = map(int, done.stdout.split())
    assert rounds == 100 * PAIRS
    assert megabytes < LIMIT, f"{megabytes} MB"
