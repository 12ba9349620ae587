"""The audit on a real Spark of two threads: the same counts, findings and statistics as the audit on one machine."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy: pip install 'provably-fair-baccarat[audit]'")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")
pytest.importorskip("pyspark", reason="audits on Spark need pyspark: pip install 'provably-fair-baccarat[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java", allow_module_level=True)

from provably_fair_baccarat.audit import audit  # noqa: E402 (only where the extras are there)
from provably_fair_baccarat.audit.spark import audit_on_spark, spark_session  # noqa: E402
from provably_fair_baccarat.audit.specimens import FAULTS, Plan, specimen_batches, write_specimen  # noqa: E402
from provably_fair_baccarat.audit.specimens.specimen import SCHEMA  # noqa: E402
from provably_fair_baccarat.cli import run  # noqa: E402
from provably_fair_baccarat.errors import AuditError  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "audit-on-spark.md"


@pytest.fixture(scope="module")
def spark():
    with spark_session("local[2]") as session:
        yield session


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """A folder of four files with every fault three times, shuffled; the findings that must come; and the audit of one machine."""
    planted = []
    batches = list(specimen_batches(Plan(2000, bytes(range(32)), pairs=200, chains=5, faults=dict.fromkeys(FAULTS, 3)), planted))
    table = pa.Table.from_batches(batches, SCHEMA)
    table = table.take(pa.array(np.random.default_rng(3).permutation(table.num_rows)))
    folder = tmp_path_factory.mktemp("rounds")
    for place in range(4):
        write_specimen(table.slice(500 * place, 500 if place < 3 else None).to_batches(), folder / f"{place}.parquet")
    expected = Counter(tuple(finding) for fault in planted for finding in fault.expected)
    return folder, expected, audit(folder)


def told(result):
    return Counter((finding.code, finding.commitment, finding.nonce) for finding in result.findings)


def placed(result):
    """Findings with the file and the row that they name."""
    return Counter((finding.code, finding.commitment, Path(finding.source or "").name, finding.row) for finding in result.findings)


def test_files_on_spark_are_audited_as_on_one_machine(spark, faulty):
    folder, expected, local = faulty
    result = audit_on_spark(folder, spark=spark, buckets=3)
    assert told(result) == expected
    assert placed(result) == placed(local)
    assert (result.rounds, result.lines, result.pairs) == (local.rounds, local.lines, local.pairs)
    assert (result.finding_counts, result.tally, result.serial) == (local.finding_counts, local.tally, local.serial)
    assert result.manifest["inputs"] == [{"name": str(folder), "form": "spark", "bytes": None, "sha256": None}]


def test_a_data_frame_in_any_partitions(spark, faulty):
    folder, expected, local = faulty
    lines = []
    frame = spark.read.parquet(str(folder)).repartition(5)
    result = audit_on_spark(frame, buckets=2, tell=lines.append)
    assert told(result) == expected
    assert (result.tally, result.serial) == (local.tally, local.serial)
    assert len(lines) == sum(result.finding_counts.values()) == len(result.findings)
    assert {json.loads(line)["row"] for line in lines} == {None}


def test_seeds_from_a_table(spark, faulty):
    """Seeds that stand in a table of their own, and a last nonce that only this table knows."""
    table = pa.Table.from_batches(list(specimen_batches(Plan(200, bytes(32), pairs=10), [])), SCHEMA)
    firsts = table.slice(0, 200).to_pylist()[::20]
    seeds = pa.table(
        {
            "commitment": pa.array([row["commitment"] for row in firsts], pa.binary(32)),
            "server_seed": pa.array([row["server_seed"] for row in firsts], pa.binary(32)),
            "coups": pa.array([21, *[20] * 9], pa.int64()),
        }
    )
    bare = table.drop_columns(["server_seed"])
    result = audit_on_spark(spark.createDataFrame(bare.to_pylist(), _schema_of(spark, faulty)), seeds=seeds, buckets=1)
    assert told(result) == {("nonce_missing", firsts[0]["commitment"].hex(), 20): 1}
    assert result.finding_counts == audit(bare, seeds=seeds).finding_counts


def _schema_of(spark, faulty):
    frame = spark.read.parquet(str(faulty[0] / "0.parquet"))
    return frame.drop("server_seed").schema


def test_the_example_of_the_docs(spark, faulty, capsys):
    folder, _, local = faulty
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names = {"spark": spark, "folder": str(folder)}
    for block in blocks:
        exec(block, names)
    assert names["result"].finding_counts == local.finding_counts
    assert capsys.readouterr().out.splitlines()[0] == f"2000 rounds, {sum(local.finding_counts.values())} findings"


def test_what_cannot_be_audited(spark):
    for buckets in (0, 1 << 16, 2.0):
        with pytest.raises(AuditError, match="buckets"):
            audit_on_spark("nowhere", spark=spark, buckets=buckets)


def test_other_columns_are_refused_before_any_work(spark):
    with pytest.raises(AuditError, match=r"Is 'Nonce' meant for nonce\?"):
        audit_on_spark(spark.createDataFrame([(1, 2)], "commitment int, Nonce int"), spark=spark)


@pytest.mark.parametrize(
    ("option", "why"),
    [("--work", "nothing of it when the command ends"), ("--workers", "like local[4]"), ("--refusals", "on one machine")],
)
def test_what_does_not_go_with_spark(option, why, capsys):
    assert run(["audit", "rounds", "--spark", "local[2]", option, "1"]) == 2
    err = capsys.readouterr().err
    assert f"{option} does not go with --spark: " in err
    assert why in err


@pytest.mark.parametrize(
    "given", [["postgresql://a:hunter2@b/c"], ["sqlite:///house.db"], ["rounds", "--seeds", "postgres://a:hunter2@b/c"]]
)
def test_a_database_does_not_go_with_spark(given, capsys):
    assert run(["audit", *given, "--spark", "local[2]"]) == 2
    err = capsys.readouterr().err
    assert "does not go with --spark, which reads Parquet" in err
    assert "hunter2" not in err


def test_a_report_of_an_audit_on_spark(spark, faulty, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="the report needs matplotlib: pip install 'provably-fair-baccarat[report]'")
    assert run(["audit", str(faulty[0]), "--spark", "local[2]", "--report", str(tmp_path / "report")]) == 1
    assert json.loads((tmp_path / "report" / "report.json").read_text())["rounds"]["read"] == faulty[2].rounds
    assert "report.html" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_told_without_a_traceback(spark, tmp_path, capsys):
    assert run(["audit", str(tmp_path / "nowhere.parquet"), "--spark", "local[2]"]) == 2
    err = capsys.readouterr().err
    assert "nowhere.parquet" in err
    assert "Traceback" not in err


def test_the_command_line(spark, faulty, tmp_path, monkeypatch, capsys):
    """It takes the session that is there, so that one Java is enough."""
    folder, _, local = faulty
    monkeypatch.chdir(tmp_path)
    assert run(["audit", str(folder), "--spark", "local[2]", "--json", "--findings", "found.jsonl"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["finding_counts"] == dict(local.finding_counts)
    assert len((tmp_path / "found.jsonl").read_text().splitlines()) == sum(local.finding_counts.values())
    assert {path.name for path in tmp_path.iterdir()} == {"found.jsonl"}


def test_floats_and_times_without_a_zone_are_refused_before_any_work(spark, faulty):
    frame = spark.read.parquet(str(faulty[0]))
    with pytest.raises(AuditError, match="staked: amounts as whole smallest units"):
        audit_on_spark(frame.withColumn("staked", frame.staked.cast("double")), spark=spark)
    with pytest.raises(AuditError, match="settled_at: timestamps with a time zone"):
        audit_on_spark(frame.withColumn("settled_at", frame.settled_at.cast("timestamp_ntz")), spark=spark)


@pytest.mark.parametrize("name", ["rounds.csv", "rounds.JSONL"])
def test_what_is_not_parquet_is_refused_before_spark_begins(name, capsys):
    assert run(["audit", name, "--spark", "local[2]"]) == 2
    assert f"--spark reads Parquet only; found {name}" in capsys.readouterr().err
