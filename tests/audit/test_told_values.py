"""Every column in every form: what is told and is not so is found, and nothing but null passes as not told."""

from __future__ import annotations

import csv
import datetime as dt
import json
from decimal import Decimal

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

import numpy as np  # noqa: E402
from pyarrow import parquet  # noqa: E402

from provably_fair_baccarat import PUNTO_BANCO, Seeds, ServerSeed, deal_coup, kernel, kernel_info  # noqa: E402
from provably_fair_baccarat.audit import ROUNDS, SEEDS, Finding, SeedBook, audit  # noqa: E402
from provably_fair_baccarat.audit.checking import check_rows  # noqa: E402
from provably_fair_baccarat.audit.readers import inputs_of, pieces_of  # noqa: E402
from provably_fair_baccarat.audit.rows import read_rows  # noqa: E402
from provably_fair_baccarat.audit.schema import require_columns  # noqa: E402
from provably_fair_baccarat.audit.settling import Settler  # noqa: E402
from provably_fair_baccarat.cards import DECK  # noqa: E402
from provably_fair_baccarat.errors import AuditError  # noqa: E402

FORMS = ["csv", "jsonl", "parquet", "arrow"]
PARTS = ["bet", "stake", "status", "returned"]
LEAVES = [name for name in ROUNDS.names if name not in ("bets", "row")] + [f"bets.{part}" for part in PARTS]
"""The columns and the parts of a bet. `row` says where another column's fault is, and has a test of its own."""

TIMES = ("accepted_at", "settled_at", "revealed_at")
SCHEMES = {"chain_anchor": "pfb1-chain", "chain_length": "pfb1-chain", "index": "pfb1-shoe"}
"""The scheme whose rounds have a column, where it is not pfb1."""

OPTIONAL = [
    *("player_cards", "banker_cards", "player_score", "banker_score", "natural", "staked", "returned", "pay_table", "pay_table_digest"),
    *("currency", *TIMES, "source"),
]
"""The columns without which nothing can be held against a round, where the scheme needs what the others hold."""

ALIKE = str.maketrans(
    "AKTaceopx0123456789", "\u0410\u041a\u0422\u0430\u0441\u0435\u043e\u0440\u0445" + "".join(chr(0xFF10 + n) for n in range(10))
)
"""Letters and digits that look the same, or nearly."""

GARBAGE = [
    *(" ", "NULL", "null", "None", "NaN", "nan", "N/A", "True", "TRUE", "yes", "-1", "-0", "+1", "1.0", "1e0", "0x1", "00", "\u0663"),
    *("\u00b2", "\x00", "{}", "[]", "[null]", "9" * 20, "9" * 39, "4" + "0" * 38, "9" * 60, "\ufeff", "2026-02-30T00:00:00Z", "2026-01-01"),
]

OF_JSON = [True, False, 0, 1, 2, 255, 65535, 2**31 - 1, 2**53 - 1, -1, 0.5, 1.0, 2**53, 10**40, [], {}, [None], [1], {"a": 1}, [["a"]]]


def texts_beside(value):
    """Other texts than a right one: some near it, some far away."""
    near = [f" {value}", f"{value} ", f"{value}\n", f"{value}\u200b", f"\ufeff{value}", value + value, f"{value} {value}", f"'{value}"]
    near += [value.upper(), value.lower(), value.title(), value.swapcase(), value.translate(ALIKE), value[:-1], value[1:], f"0{value}"]
    near += [f"+{value}", f"{value}.0", f'"{value}"', f"{value}\x00", f"{value}+05:00", value.replace("Z", ""), value.replace("Z", "z")]
    around = [str(int(value) + 2**bits) for bits in (8, 16, 32, 64, 128)] if value.isdigit() else []  # the same number, where it overflows
    return [text for text in dict.fromkeys([*near, *around, *GARBAGE]) if text not in ("", value)]


def may_be(name, text):
    """Whether nothing that an audit sees contradicts a text: another currency, another place where a row comes from."""
    return name == "source" or (name == "currency" and text.isascii() and text.isalnum() and text.isupper() and text[0].isalpha())


@pytest.fixture(scope="module")
def base(records):
    """For each leaf a right row in the spellings of JSON, in which it is told."""
    from provably_fair_baccarat.audit.records import _row

    rows = {scheme: _row(next(each for each in records(scheme, 1, 9) if each.bets)) for scheme in ("pfb1", "pfb1-chain", "pfb1-shoe")}
    for row in rows.values():
        row |= {"accepted_at": "2026-01-01T12:00:00Z", "settled_at": "2026-01-01T12:00:01.25Z", "revealed_at": "2026-01-01T12:00:02Z"}
        row |= {"currency": "EUR", "source": "a file"}
    told = {name: rows[SCHEMES.get(name, "pfb1")] for name in LEAVES}
    assert all(value_of(told[name], name) is not None for name in LEAVES)
    return told


def value_of(row, name):
    """What a leaf has."""
    column, _, part = name.partition(".")
    return row[column][0][part] if part else row[column]


def with_value(row, name, value):
    """A row with another value in a leaf."""
    column, _, part = name.partition(".")
    return {**row, column: [{**row[column][0], part: value}, *row[column][1:]] if part else value}


def spelled(value):
    """A value as text; null as it is."""
    return json.dumps(value) if isinstance(value, bool) else None if value is None else str(value)


def column_of(values):
    """An Arrow array of values, of text where they are of different types."""
    kinds = {type(value) for value in values} - {type(None)}
    return pa.array(values if len(kinds) < 2 else list(map(spelled, values)))


def table_of(rows, **columns):
    """Rows as a table of Arrow, with their numbers from 1."""
    told = {name: column_of([row.get(name) for row in rows]) for name in ROUNDS.names} | columns
    return pa.table({**told, "row": columns.get("row", pa.array(range(1, len(rows) + 1)))})


def write(form, rows, file):
    """Rows as a file of a form."""
    if form == "jsonl":
        file.write_text("\n".join(map(json.dumps, rows)))
    elif form == "csv":
        cells = [{**row, "bets": " ".join(":".join(spelled(bet[part]) or "" for part in PARTS) for bet in row["bets"])} for row in rows]
        with file.open("w", newline="", encoding="utf-8") as text:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(ROUNDS.names)
            writer.writerows([spelled(row.get(name)) for name in ROUNDS.names] for row in cells)
    else:
        write_table(form, table_of(rows), file)
    return file


def write_table(form, table, file):
    if form == "parquet":
        parquet.write_table(table, file)
    else:
        with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    return file


def found_in(source, path=None):
    """What is found in single rows of a file or a table, by the number of the row: what rounds are together is not looked at."""
    pieces = [piece for given in inputs_of([source]) for piece in pieces_of(given)] if not isinstance(source, pa.Table) else []
    read = [each for piece in pieces for each in piece.read()] or source.to_batches()
    told = {}
    for each in read:
        for finding in [each] if isinstance(each, Finding) else findings_of(each, path):
            told.setdefault(finding.row, []).append((finding.code, finding.expected, finding.found))
    return told


def findings_of(batch, path):
    require_columns(batch.schema, ROUNDS)
    return check_rows(read_rows(batch, path=path), Settler(), path=path).findings


def test_every_column_is_looked_at():
    assert {*(name.partition(".")[0] for name in LEAVES), "row"} == set(ROUNDS.names)
    assert set(OPTIONAL) | {"server_seed", "row", *SCHEMES} == {field.name for field in ROUNDS if field.nullable}


@pytest.mark.parametrize("name", LEAVES)
@pytest.mark.parametrize("form", FORMS)
def test_every_text_that_is_not_so_is_found(form, name, base, tmp_path):
    right = spelled(value_of(base[name], name))
    also_right = [right.replace("T", " "), right.replace("Z", "+00:00")] if name in TIMES else [right]
    texts = [text for text in texts_beside(right) if text not in also_right and not may_be(name, text)]
    told = found_in(write(form, [with_value(base[name], name, text) for text in [*also_right, *texts]], tmp_path / f"rounds.{form}"))
    assert [text for place, text in enumerate(texts, len(also_right) + 1) if place not in told] == []
    assert set(told) == set(range(len(also_right) + 1, len(also_right) + len(texts) + 1))


@pytest.mark.parametrize("name", LEAVES)
@pytest.mark.parametrize("form", FORMS)
def test_only_null_is_not_told(form, name, base, tmp_path):
    """An empty cell of CSV is null; in any other form empty text is told, and is no value of any column."""
    row = base[name]
    null = found_in(write(form, [row, with_value(row, name, None)], tmp_path / f"null.{form}"))
    assert set(null) == (set() if name in OPTIONAL else {2})
    empty = found_in(write(form, [row, with_value(row, name, "")], tmp_path / f"empty.{form}"))
    assert empty == null if form == "csv" else set(empty) == (set() if name == "source" else {2})


@pytest.mark.parametrize("name", LEAVES)
def test_every_value_of_json_that_is_not_so_is_found(name, base, tmp_path):
    right = value_of(base[name], name)
    values = [each for each in OF_JSON if spelled(each) != spelled(right)]
    told = found_in(write("jsonl", [base[name], *(with_value(base[name], name, each) for each in values)], tmp_path / "rounds.jsonl"))
    assert [each for place, each in enumerate(values, 2) if place not in told] == []
    assert 1 not in told


def no_text(kind):
    """A value that Arrow takes for text and whose bytes are none."""
    width = 8 if kind == pa.large_string() else 4
    return pa.Array.from_buffers(kind, 1, [None, pa.py_buffer(bytes(width) + (2).to_bytes(width, "little")), pa.py_buffer(b"\xff\xfe")])


OF_ARROW = [
    *(pa.array(values) for values in ([True, False], [b"", b"\xff", b"\xff" * 31, b"\xff" * 33], [[1]], [{"a": 1}])),
    *(pa.array([-1, 127], pa.int8()), pa.array([255], pa.uint8()), pa.array([65535], pa.uint16()), pa.array([2**64 - 1], pa.uint64())),
    *(pa.array([-1, -(2**31), 2**31 - 1], pa.int32()), pa.array([-1, -(2**63), 2**63 - 1], pa.int64())),
    *(pa.array([float("nan"), float("inf"), 0.5, -1.0, 1e300]), pa.array([-1, -(10**18), -(10**37), 10**38 - 1], pa.decimal128(38, 0))),
    *(pa.array([-1, -(10**60), 10**60], pa.decimal256(70, 0)), pa.array([Decimal("0.5")])),
    *(pa.array([value]) for value in (dt.date(2026, 1, 1), dt.time(1), dt.timedelta(1))),
    *(pa.array([-(2**63)], kind) for kind in (pa.timestamp("us", "UTC"), pa.timestamp("s", "UTC"))),
    *(pa.array([2**63 - 1], kind) for kind in (pa.timestamp("s", "UTC"), pa.timestamp("ms", "Asia/Tokyo"), pa.timestamp("us"))),
    *(no_text(kind) for kind in (pa.string(), pa.large_string())),
]


def is_guess(name, kind):
    """Whether a column could only be read by guessing: money in floats, and times without a zone."""
    if name in TIMES:
        return not (pa.types.is_timestamp(kind) and kind.tz) and kind not in (pa.string(), pa.large_string())
    return name.rpartition(".")[2] in ("stake", "staked", "returned") and pa.types.is_floating(kind)


def with_array(row, name, values):
    """A table of the same row, one leaf of which has the values of an Arrow array; of a part of a bet, with no other bet."""
    column, _, part = name.partition(".")
    if not part:
        return table_of([row] * len(values), **{column: values})
    (bet, *_) = row["bets"]
    items = pa.StructArray.from_arrays([values if each == part else pa.array([bet[each]] * len(values)) for each in PARTS], PARTS)
    bets = pa.ListArray.from_arrays(pa.array(range(len(values) + 1), pa.int32()), items)
    return table_of([{**row, "staked": bet["stake"], "returned": bet["returned"]}] * len(values), bets=bets)


@pytest.mark.parametrize("name", LEAVES)
def test_every_value_of_arrow_that_is_not_so_is_found(name, base):
    right = value_of(base[name], name)
    assert found_in(with_array(base[name], name, pa.array([right]))) == {}
    for values in OF_ARROW:
        rows = {row for row, value in enumerate(values, 1) if (name, value) != ("source", pa.scalar(b"")) and value != pa.scalar(right)}
        encoded = (
            [] if pa.types.is_nested(values.type) else [pa.DictionaryArray.from_arrays(pa.array(range(len(values)), pa.int8()), values)]
        )
        for given in (values, *encoded):
            table = with_array(base[name], name, given)
            if is_guess(name, values.type):
                with pytest.raises(AuditError, match="type of a column"):
                    found_in(table)
            else:
                assert set(found_in(table)) == rows, given


@pytest.mark.parametrize("path", kernel_info().paths)
def test_hands_are_read_alike_by_every_path(path, base):
    """Hands of any text are found; those of another coup are `hands`, and what is no hand is `unreadable`."""
    row, code = base["player_cards"], {True: "hands", False: "unreadable"}
    other = {
        "AsAh": True,
        "2c3d4h": True,
        "AsA": False,
        "As": False,
        "": False,
        "AsAhAdAc": False,
        "asah": False,
        "As Ah": False,
        "AsXx": False,
    }
    for name in ("player_cards", "banker_cards"):
        for nulls in ([], [None]):  # the kernel reads columns without nulls
            told = found_in(table_of([row] * (len(other) + len(nulls)), **{name: pa.array([*other, *nulls])}), path)
            assert [findings[0][0] for findings in told.values()] != []
            assert {row: findings[0][0] for row, findings in told.items()} == {
                n: code[is_hand] for n, is_hand in enumerate(other.values(), 1)
            }


@pytest.mark.parametrize("name", LEAVES)
@pytest.mark.parametrize("form", [None, "arrow"])  # Parquet has no such dictionaries
def test_a_null_in_a_dictionary_is_a_null(form, name, base, tmp_path):
    column, _, part = name.partition(".")
    kind = ROUNDS.field(column).type.value_type.field(part).type if part else ROUNDS.field(column).type
    expected = found_in(with_array(base[name], name, pa.nulls(1, kind)))
    assert set(expected) == (set() if name in OPTIONAL else {1})
    for values in (pa.nulls(1, kind), pa.nulls(1, pa.string())):
        table = with_array(base[name], name, pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()), values))
        assert found_in(table if form is None else write_table(form, table, tmp_path / f"rounds.{form}")) == expected


def test_no_client_seed_is_never_hashed_as_an_empty_one():
    """Rounds as they would be dealt from a client seed of no bytes at all."""
    key = bytes(range(32))
    (coup,) = np.frombuffer(
        kernel.derive_rows(kernel.Rows(key, zeros(1), eights(1), b"", zeros(2), zeros(1), zeros(1, np.int64))), kernel.RECORD_DTYPE
    )
    seeds = Seeds.commit(ServerSeed(key), "any")
    cards = [DECK[card] for card in coup["cards"]]
    dealt = deal_coup(cards)
    row = {"scheme": "pfb1", "decks": 8, "commitment": str(seeds.commitment), "server_seed": key.hex(), "nonce": 0, "cut": int(coup["cut"])}
    row |= {"cards": "".join(map(str, cards)), "winner": dealt.winner.value, "bets": [], "pay_table_digest": PUNTO_BANCO.digest}
    for kind in (pa.string(), pa.binary()):
        for value in (None, "" if kind == pa.string() else b""):
            plain = pa.array([value, value], kind)
            encoded = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int32()), plain[:1])
            for client_seed in (plain, encoded, plain.dictionary_encode()):
                told = found_in(table_of([row, row], client_seed=client_seed))
                code = "unreadable" if value is None else "client_seed"
                assert {each: [code for code, *_ in findings] for each, findings in told.items()} == {1: [code], 2: [code]}


def zeros(count, kind=np.int32):
    return np.zeros(count, kind)


def eights(count):
    return np.full(count, 8, np.uint8)


@pytest.mark.parametrize("value", [0, -1, -(2**63), True, "x", "-1", "0", "01", 1.5])
def test_the_number_of_a_row_is_one(value, base):
    row = base["scheme"]
    assert found_in(table_of([row, row], row=pa.array([value, value])))[None][0][0] == "unreadable"
    assert found_in(table_of([row], row=pa.nulls(1))) == found_in(table_of([row], row=pa.array([2**63 - 1]))) == {}


def test_dictionaries_of_files_point_at_what_they_have(base, tmp_path):
    row = base["client_seed"]
    for index in (-1, 1, 2**31 - 1):
        beside = pa.DictionaryArray.from_arrays(pa.array([index, index], pa.int32()), pa.array([row["client_seed"]]), safe=False)
        file = write_table("arrow", table_of([row, row], client_seed=beside), tmp_path / f"beside{index}.arrow")
        assert dict(audit(file).finding_counts) == {"file": 1}


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu", "America/St_Johns"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_times_of_any_unit_and_zone(form, unit, zone, base, tmp_path):
    second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    start = 1767268800 * second + (1 if unit == "ns" else 0)
    at = {name: pa.array([start + late, start + late], pa.timestamp(unit, zone)) for late, name in enumerate(TIMES)}
    file = write_table(form, table_of([base["scheme"]] * 2, **at), tmp_path / f"rounds.{form}")
    assert found_in(file) == {}
    early = {**at, "settled_at": pa.array([start - 1000, start + 1], pa.timestamp(unit, zone))}
    file = write_table(form, table_of([base["scheme"]] * 2, **early), tmp_path / f"early.{form}")
    assert {row: [code for code, *_ in findings] for row, findings in found_in(file).items()} == {1: ["time"]}


def test_nanoseconds_are_those_of_the_microsecond_they_are_in(base):
    times = [0, 1, 999, 1000, 1001, -1, -999, -1000, -1001, None, 1767225600000000999, 2**63 - 1, -(2**63) + 1]
    table = table_of([base["scheme"]] * len(times), accepted_at=pa.array(times, pa.timestamp("ns", "UTC")))
    (batch,) = table.to_batches()
    rows = read_rows(batch.slice(3))
    assert rows.accepted_at.tolist() == [-(2**63) if time is None else time // 1000 for time in times][3:]
    assert not rows.faults.told
    seeds = {"commitment": [bytes(32)], "revealed_at": pa.array([1999], pa.timestamp("ns", "UTC"))}
    assert SeedBook.of(pa.table(seeds)).revealed_at.tolist() == [1]
    assert SEEDS.field("revealed_at").type == pa.timestamp("us", "UTC")
