"""What cannot be read is refused or told, whatever it is: no garbage stops an audit, and none passes as right."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from pyarrow import csv, parquet  # noqa: E402

from provably_fair_baccarat.audit import REFUSALS, ROUNDS, SEEDS, SeedBook, audit  # noqa: E402
from provably_fair_baccarat.audit.schema import require_columns  # noqa: E402
from provably_fair_baccarat.audit.tables_of import read_table  # noqa: E402
from provably_fair_baccarat.errors import AuditError, BaccaratError  # noqa: E402

NAIVE = dt.datetime(2026, 1, 1, 12)


@pytest.fixture(scope="module")
def rows(records):
    """Six rounds as plain rows, with one bet each, as JSON lines spell them."""
    from provably_fair_baccarat.audit.records import _row

    rows = [_row(record) for record in records("pfb1", 2, 3, seed=5)]
    for row in rows:
        row |= {"bets": [{"bet": "tie", "stake": "100", "status": "lost", "returned": "0"}], "staked": "100", "returned": "0"}
        row |= {"winner": "banker", "accepted_at": "2026-01-01T12:00:00Z", "settled_at": "2026-01-01T12:00:01Z"}
    return rows


@pytest.fixture(scope="module")
def lines(rows):
    """The same as lines of CSV, the names first."""
    cells = [{**row, "bets": "tie:100:lost:0", "natural": str(row["natural"]).lower()} for row in rows]
    told = ["" if value is None else str(value) for row in cells for value in row.values()]
    quoted = ['"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in '",') else cell for cell in told]
    width = len(cells[0])
    return [",".join(cells[0]), *(",".join(quoted[start : start + width]) for start in range(0, len(quoted), width))]


def test_amounts_in_binary_floats_are_refused(rows):
    for changed in (
        {"staked": 100.0},
        {"returned": 0.4},
        {"bets": [{"bet": "tie", "stake": 100.4, "status": "lost", "returned": "0"}]},
        {"bets": [{"bet": "tie", "stake": "100", "status": "lost", "returned": 0.0}]},
    ):
        with pytest.raises(AuditError, match="whole smallest units") as caught:
            audit(pa.Table.from_pylist([{**row, **changed} for row in rows]))
        assert caught.value.found == "double"
        assert caught.value.expected.startswith(next(iter(changed)))
    assert audit(pa.Table.from_pylist([{**row, "cut": float(row["cut"])} for row in rows])).rounds == len(rows)


def test_a_file_with_money_in_floats_is_one_finding(rows, tmp_path):
    parquet.write_table(pa.Table.from_pylist([{**row, "staked": 100.4} for row in rows]), tmp_path / "floats.parquet", row_group_size=1)
    result = audit(tmp_path)
    assert [(finding.code, finding.found) for finding in result.findings] == [("file", "double")]
    assert "whole cents" in result.findings[0].hint
    assert result.is_empty


@pytest.mark.parametrize("value", [NAIVE, 1767225600, NAIVE.date()])
def test_times_without_a_zone_are_refused(value, rows):
    for name in ("accepted_at", "settled_at", "revealed_at"):
        with pytest.raises(AuditError, match=f"{name}: timestamps with a time zone"):
            audit(pa.Table.from_pylist([{**row, name: value} for row in rows]))
    with pytest.raises(AuditError, match="time zone"):
        SeedBook.of(pa.table({"commitment": ["00" * 32], "revealed_at": [value]}))
    with pytest.raises(AuditError, match="time zone"):
        require_columns(pa.schema([*list(REFUSALS)[:4], pa.field("refused_at", pa.timestamp("us"))]), REFUSALS)
    zoned = pa.array([NAIVE] * len(rows), pa.timestamp("ms", "Europe/Malta"))
    table = pa.Table.from_pylist([{**row, "settled_at": None, "accepted_at": None} for row in rows])
    place = table.schema.get_field_index("accepted_at")
    assert "time" not in audit(table.set_column(place, "accepted_at", zoned)).finding_counts


def test_times_of_seeds_in_json_lines_keep_their_zone(tmp_path):
    (tmp_path / "seeds.jsonl").write_text(json.dumps({"commitment": "00" * 32, "coups": 1, "revealed_at": "2026-01-01T12:00:00Z"}) + "\n")
    book = SeedBook.of(read_table(tmp_path / "seeds.jsonl", SEEDS))
    assert book.revealed_at.tolist() == [1767268800000000]
    (tmp_path / "seeds.jsonl").write_text(json.dumps({"commitment": "00" * 32, "revealed_at": "2026-01-01T12:00:00"}) + "\n")
    with pytest.raises(AuditError, match="a time in UTC"):
        SeedBook.of(read_table(tmp_path / "seeds.jsonl", SEEDS))


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("commitment,server_seed,coups", "--seeds"),
        ("scheme;decks;commitment", "separated by commas"),
        ("scheme\tdecks", "separated by commas"),
        ("game,Nonce", "Is 'Nonce' meant for nonce?"),
    ],
)
def test_the_columns_of_another_table_are_told(header, hint, tmp_path):
    (tmp_path / "rounds.csv").write_text(f"{header}\n{header}\n")
    (finding,) = audit(tmp_path).findings
    assert finding.code == "file"
    assert hint in finding.hint
    assert header.split(",")[0].split("\t")[0] in finding.found


def test_the_columns_of_parquet_are_told_as_they_are(tmp_path):
    parquet.write_table(pa.table({"game": [1], "secret": [2]}), tmp_path / "other.parquet")
    (finding,) = audit(tmp_path).findings
    assert finding.found == "'game', 'secret'"


def test_a_file_is_what_its_first_bytes_say(rows, tmp_path, capfd):
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "rounds.csv")
    result = audit(tmp_path)
    assert result.rounds == len(rows)
    assert result.manifest["inputs"][0]["form"] == "parquet"
    assert capfd.readouterr() == ("", "")


def test_a_line_that_is_no_text_is_refused_alone(lines, tmp_path, capfd):
    body = [line.encode() for line in lines]
    body[2] = body[2].replace(b"banker", b"\xff\xfe")
    body[4] = b"\xff,"
    (tmp_path / "rounds.csv").write_bytes(b"\n".join(body) + b"\n")
    result = audit(tmp_path)
    told = [(finding.row, finding.expected) for finding in result.findings if finding.code == "unreadable"]
    assert told == [(2, "UTF-8"), (4, "UTF-8")]
    assert result.rounds == len(lines) - 3
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("changed", "expected", "found"),
    [
        ({"winner": "Banker"}, "winner: player, banker or tie, spelled so", "'Banker'"),
        ({"cards": "A♠K♥"}, "cards: cards like AsKh9dTc2s7h", "'A♠K♥'"),
        ({"staked": "475.00"}, "staked: whole smallest currency units, like 47500 for 475.00, without sign or leading zeros", "'475.00'"),
        (
            {"bets": [{"bet": "tie", "stake": "1", "status": "Lost", "returned": "0"}]},
            "bets, status: won, pushed or lost, spelled so",
            "'Lost'",
        ),
        ({"bets": [dict.fromkeys(("bet", "stake", "status", "returned"))] * 2}, "bets, bet: a value", "null"),
    ],
)
def test_what_cannot_be_read_is_shown(changed, expected, found, rows, tmp_path):
    (tmp_path / "rounds.jsonl").write_text("\n".join(json.dumps(each) for each in (rows[0], {**rows[1], **changed})) + "\n")
    (finding,) = [each for each in audit(tmp_path).findings if each.row == 2]
    assert (finding.code, finding.expected, finding.found) == ("unreadable", expected, found)


@pytest.mark.parametrize("path", [None, "python"])
@pytest.mark.parametrize("hand", ["player_cards", "banker_cards"])
@pytest.mark.parametrize("text", ["garbage", "xxAs", "AsKh9d2c", "As9", "As9d2"])
@pytest.mark.parametrize("is_encoded", [False, True])
def test_a_hand_that_is_none_is_told(path, hand, text, is_encoded, rows):
    table = pa.Table.from_pylist([rows[0], {**rows[1], hand: text}, {**rows[2], hand: ""}, {**rows[3], hand: None}])
    if is_encoded:
        table = table.set_column(table.schema.get_field_index(hand), hand, table[hand].dictionary_encode())
    told = [(each.row, each.expected, each.found) for each in audit(table, path=path).findings if each.code == "unreadable"]
    assert told == [(row, f"{hand}: two or three cards like AsKh9d", repr(given)) for row, given in ((2, text), (3, ""))]


def test_a_decimal_with_a_fraction_is_shown_plainly(rows):
    from decimal import Decimal

    (finding, *_) = audit(pa.Table.from_pylist([{**row, "staked": Decimal("475.40")} for row in rows])).findings
    assert (finding.expected.partition(",")[0], finding.found) == ("staked: whole smallest currency units", "475.40")


def test_nothing_to_audit_is_no_clean_bill(rows, tmp_path):
    parquet.write_table(pa.Table.from_pylist(rows)[:0], tmp_path / "none.parquet")
    assert audit(tmp_path).is_empty
    seeds = pa.table({"commitment": ["00" * 32], "coups": [2]})
    missing = audit(tmp_path, seeds=seeds)
    assert (missing.is_empty, dict(missing.finding_counts)) == (False, {"nonce_missing": 1})
    assert not audit(pa.Table.from_pylist(rows)).is_empty


GARBAGE = st.one_of(
    st.text(max_size=12),
    st.text("abAKQ23sh:, \"'{}[]\n-.\u00e9\u2660\x00", max_size=30),
    st.sampled_from(["a b", "tie:1:lost", "tie:1:lost:0 tie:1:lost:0", " ", "null", "-1", "9" * 40, "1e5", "0x1", "::: :::", "{}", "[1]"]),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | GARBAGE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(GARBAGE | st.sampled_from(["bet", "stake", "status", "returned"]), inner),
    max_leaves=6,
)
quickly = settings(
    max_examples=int(os.environ.get("AUDIT_GARBAGE", "30")),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@quickly
@given(data=st.data())
def test_no_cell_stops_an_audit(data, lines, tmp_path):
    table = csv.read_csv(
        pa.py_buffer("\n".join(lines).encode()),
        convert_options=csv.ConvertOptions(column_types=dict.fromkeys(lines[0].split(","), pa.string()), strings_can_be_null=False),
    )
    cells = table.to_pylist()
    for _ in range(data.draw(st.integers(1, 4))):
        name = data.draw(st.sampled_from(table.column_names))
        for row in data.draw(st.sampled_from([[0], [2, 3], range(len(cells))])):
            cells[row][name] = data.draw(GARBAGE)
    changed = pa.Table.from_pylist(cells)
    csv.write_csv(changed, tmp_path / "rounds.csv")
    audit(tmp_path / "rounds.csv")
    audit(changed)


@quickly
@given(data=st.data())
def test_no_bytes_stop_an_audit(data, lines, tmp_path):
    body = bytearray("\n".join(lines).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(body)))
        body[place : place + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=6) | GARBAGE.map(str.encode))
    for name in ("rounds.csv", "rounds.jsonl"):
        (tmp_path / name).write_bytes(body)
        audit(tmp_path / name)


@quickly
@given(data=st.data())
def test_no_line_of_json_stops_an_audit(data, rows, tmp_path):
    changed = [dict(row) for row in rows]
    for _ in range(data.draw(st.integers(1, 4))):
        name = data.draw(st.sampled_from(ROUNDS.names))
        for row in data.draw(st.sampled_from([[0], [2, 3], range(len(changed))])):
            changed[row][name] = data.draw(JSON)
    (tmp_path / "rounds.jsonl").write_text("\n".join(json.dumps(row) for row in changed), encoding="utf-8", errors="replace")
    audit(tmp_path / "rounds.jsonl")


@quickly
@given(data=st.data())
def test_no_column_of_any_type_stops_an_audit(data, rows):
    table = pa.Table.from_pylist(rows)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(ROUNDS.names))
        values = [data.draw(JSON) for _ in rows] if data.draw(st.booleans()) else [data.draw(JSON)] * len(rows)
        try:
            column = pa.array(values)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError):
            column = pa.array(range(len(rows)))
        place = table.schema.get_field_index(name)
        table = table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
    with contextlib.suppress(BaccaratError):  # a type that no table of rounds has
        audit(table)


@pytest.mark.parametrize("name", ["rounds.csv", "rounds.jsonl"])
def test_the_rows_of_the_docs_are_right(name, tmp_path):
    page = (Path(__file__).parents[2] / "docs/reference/audit-schema.md").read_text(encoding="utf-8")
    language = "text" if name.endswith("csv") else "json"
    block = page.partition("## CSV and JSON lines")[2].partition(f"```{language}\n")[2].partition("```")[0]
    (tmp_path / name).write_text(block)
    result = audit(tmp_path)
    assert (result.is_clean, result.rounds, result.lines) == (True, 1, 2)
