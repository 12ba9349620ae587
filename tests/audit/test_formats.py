"""Every form that rounds come in gives the same findings: files, folders, tables in memory, a house's exports and its database."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")


from pyarrow import feather, parquet  # noqa: E402

from provably_fair_baccarat import PUNTO_BANCO  # noqa: E402
from provably_fair_baccarat.audit import ROUNDS, audit  # noqa: E402
from provably_fair_baccarat.audit.columns import Faults, rounds_column  # noqa: E402
from provably_fair_baccarat.errors import AuditError, FundsError  # noqa: E402
from provably_fair_baccarat.house import House, SqliteStore, Vault  # noqa: E402


def strict(table):
    """A table in exactly the types of the schema."""
    batch = table.combine_chunks().to_batches()[0]
    names = [name for name in ROUNDS.names if name in table.column_names]
    columns = []
    for name in names:
        kind = ROUNDS.field(name).type
        column = batch.column(batch.schema.get_field_index(name))
        columns.append(
            pa.array(map(amounts, column.to_pylist()), kind) if name == "bets" else rounds_column(batch, name, Faults(len(batch)))
        )
    return pa.table(columns, schema=pa.schema([ROUNDS.field(name) for name in names], metadata=ROUNDS.metadata))


@pytest.fixture(scope="module")
def spoiled(records, table_of):
    """Rounds with four findings, in the types of the schema."""
    rounds = records("pfb1", 4, 6) + records("pfb1-chain", 1, 5, seed=2) + records("pfb1-shoe", 1, seed=3)
    lines = [record.to_dict() for record in rounds if record.nonce != 2 or record.scheme != "pfb1-chain"]
    lines[3]["cut"] = (lines[3]["cut"] + 1) % 416
    lines[9]["winner"] = "tie" if lines[9]["winner"] != "tie" else "banker"
    table = strict(table_of([json.dumps(line).encode() for line in lines]))
    rows = [each if place != 15 else {**each, "returned": 7} for place, each in enumerate(table.to_pylist())]
    return pa.Table.from_pylist(rows, table.schema)


def amounts(bets):
    return [{**bet, "stake": int(bet["stake"]), "returned": int(bet["returned"])} for bet in bets]


EXPECTED = {"cut": 1, "winner": 1, "totals": 1, "nonce_missing": 1}


def told(result):
    return sorted(
        (finding.code, finding.commitment, finding.nonce, finding.index, finding.expected, finding.found) for finding in result.findings
    )


def spelled(value):
    """A value as CSV and JSON spell it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat().replace("+00:00", "Z") if hasattr(value, "isoformat") else str(value)


def as_text(table):
    """Rows as CSV has them."""
    for row in table.to_pylist():
        row["bets"] = " ".join(f"{bet['bet']}:{bet['stake']}:{bet['status']}:{bet['returned']}" for bet in row["bets"])
        row["client_seed"] = row["client_seed"].decode()
        yield {name: "" if value is None else spelled(value) for name, value in row.items()}


def as_json(table):
    """Rows as JSON lines have them."""
    for row in table.to_pylist():
        bets = [{**bet, "stake": str(bet["stake"]), "returned": str(bet["returned"])} for bet in row["bets"]]
        plain = {name: value if isinstance(value, int | None) else spelled(value) for name, value in row.items()}
        yield {**plain, "client_seed": row["client_seed"].decode(), "bets": bets}


def write(table, folder, form):
    if form == "parquet":
        parquet.write_table(table, folder / "rounds.parquet", row_group_size=17)
    elif form == "feather":
        feather.write_feather(table, str(folder / "rounds.feather"), chunksize=17)
    elif form == "stream":
        with pa.OSFile(str(folder / "rounds.arrows"), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=17)
    elif form == "csv":
        rows = list(as_text(table))
        lines = [",".join(rows[0]), *(",".join(map(_quoted, row.values())) for row in rows)]
        (folder / "rounds.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif form == "jsonl":
        (folder / "rounds.jsonl").write_text("\n".join(map(json.dumps, as_json(table))), encoding="utf-8")
    return next(folder.glob("rounds.*"))


def _quoted(cell):
    return '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in '",') else cell


@pytest.mark.parametrize("form", ["parquet", "feather", "stream", "csv", "jsonl"])
def test_currencies_are_told_apart_in_every_form(form, records, table_of, tmp_path):
    honest = records(pairs=6, coups=10)
    names = ["EUR", "USD", None]
    seeds = [str(record.client_seed).encode() for record in honest]
    table = table_of(honest, client_seed=seeds, currency=[names[place // 10 % 3] for place in range(60)])
    result = audit(write(table, tmp_path, form))
    assert dict(result.finding_counts) == {}
    staked = dict.fromkeys(names, 0)
    for place, record in enumerate(honest):
        staked[names[place // 10 % 3]] += record.totals.staked
    for name in names:
        assert sum(bet.total.staked for key, bet in result.tally.bets.items() if key.currency == (name or "")) == staked[name]


@pytest.mark.parametrize("form", ["parquet", "feather", "stream", "csv", "jsonl"])
def test_every_form_gives_the_same(form, spoiled, tmp_path):
    whole = audit(spoiled)
    assert dict(whole.finding_counts) == EXPECTED
    file = write(spoiled, tmp_path, form)
    result = audit(file)
    assert told(result) == told(whole)
    assert (result.rounds, result.lines, result.pairs, result.tally, result.serial) == (
        whole.rounds,
        whole.lines,
        whole.pairs,
        whole.tally,
        whole.serial,
    )
    assert {finding.source for finding in result.findings if finding.row} == {str(file)}
    assert {finding.row for finding in result.findings if finding.code == "cut"} == {4}
    assert [each["name"] for each in result.manifest["inputs"]] == [str(file)]


def test_a_folder_of_all_forms(records, table_of, tmp_path):
    tables = [strict(table_of(records("pfb1", 2, 9, seed=seed))) for seed in range(4)]
    for form, table in zip(["parquet", "feather", "csv", "jsonl"], tables, strict=True):
        (tmp_path / form).mkdir()
        write(table, tmp_path / form, form)
    (tmp_path / "read me.txt").write_text("no rounds")
    (tmp_path / "_SUCCESS").write_text("")
    result = audit(tmp_path)
    assert (dict(result.finding_counts), result.rounds, result.pairs.sound) == ({}, 72, 8)
    assert audit([tmp_path / "csv", str(tmp_path / "parquet")]).rounds == 36


def test_tables_of_other_libraries(spoiled):
    whole = told(audit(spoiled))
    polars = pytest.importorskip("polars", reason="there is no polars")
    duckdb = pytest.importorskip("duckdb", reason="there is no duckdb")
    pandas = pytest.importorskip("pandas", reason="there is no pandas")
    assert told(audit(polars.from_arrow(spoiled))) == whole
    assert told(audit(duckdb.sql("SELECT * FROM spoiled"))) == whole
    plain = spoiled.to_pandas(types_mapper=pandas.ArrowDtype)
    assert told(audit(plain)) == whole
    assert told(audit(pa.RecordBatchReader.from_batches(spoiled.schema, spoiled.to_batches(max_chunksize=11)))) == whole


def test_what_cannot_be_read_is_a_finding(spoiled, tmp_path):
    file = write(spoiled, tmp_path, "parquet")
    (tmp_path / "torn.parquet").write_bytes(file.read_bytes()[:-100])
    (tmp_path / "torn.arrow").write_bytes(b"ARROW1\0\0" + bytes(50))
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "other.csv").write_bytes(b"a,b\n1,2\n")
    (tmp_path / "cells.csv").write_bytes(b"a,b\n1,2,3\n")
    result = audit(tmp_path)
    assert result.rounds == len(spoiled)
    assert {Path(finding.source).name for finding in result.findings if finding.code == "file"} >= {
        "torn.parquet",
        "torn.arrow",
        "other.csv",
    }
    assert {code: result.finding_counts[code] for code in EXPECTED} == EXPECTED


LIES = {
    "a text beyond its buffer": ("client_seed", 1 << 30),
    "a text before its buffer": ("client_seed", -(1 << 30)),
    "bets beyond their buffer": ("bets", 1 << 28),
    "bets before their buffer": ("bets", -100_000),
    "a code beyond its dictionary": ("currency", 100_000_000),
    "a code before its dictionary": ("winner", -100_000),
}


@pytest.mark.parametrize(("column", "lie"), LIES.values(), ids=LIES)
@pytest.mark.parametrize("form", ["feather", "stream", "memory"])
def test_an_arrow_file_that_lies_about_its_memory_is_a_finding(form, column, lie, spoiled, tmp_path):
    """Arrow itself believes offsets and codes: reading on would read other memory, or none."""
    place = spoiled.schema.get_field_index(column)
    values = spoiled.column(column).combine_chunks()
    if column in {"currency", "winner"}:
        values = pa.array(["player", "banker"] * len(values)).slice(0, len(values)).dictionary_encode()
    buffers = values.buffers()
    numbers = memoryview(bytearray(buffers[1].to_pybytes())).cast("i")
    numbers[3] = lie
    children = {"bets": [values.values] if column == "bets" else []}.get(column, [])
    if isinstance(values, pa.DictionaryArray):
        codes = pa.Array.from_buffers(values.indices.type, len(values), [None, pa.py_buffer(numbers)])
        lying = pa.DictionaryArray.from_arrays(codes, values.dictionary, safe=False)
    else:
        others = buffers[2:] if column == "client_seed" else []
        lying = pa.Array.from_buffers(values.type, len(values), [None, pa.py_buffer(numbers), *others], children=children)
    table = spoiled.set_column(place, column, lying)
    result = audit(table if form == "memory" else write(table, tmp_path, form))
    assert "file" in result.finding_counts
    assert result.rounds < len(spoiled)


@pytest.mark.parametrize("source", ["nowhere.parquet", "folder", "rounds.txt", []])
def test_what_is_no_input_is_refused(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "rounds.txt").write_text("no rounds")
    with pytest.raises(AuditError):
        audit(source)


@pytest.fixture(scope="module")
def house_file(tmp_path_factory):
    """A house's database: a revealed pair, an active one, and a refused bet."""
    path = tmp_path_factory.mktemp("house") / "house.db"
    vault = Vault({"key": bytes(32)}.__getitem__, "key")
    with House(SqliteStore(path), vault, currency=("USD", 2), pay_table=PUNTO_BANCO) as house:
        house.deposit("Zoë", 10_000, key="deposit")
        for client_seed in ("=lucky", "'=lucky", "lucky 8s"):
            pair = house.choose_client_seed(house.commit("Zoë"), client_seed)
            for number in range(4):
                house.play(pair, {"player": 100, "tie": 5}, key=f"{client_seed} {number}")
            with pytest.raises(FundsError):
                house.play(pair, {"banker": 10**9}, key=f"{client_seed} too much")
            house.play(pair, {"banker": 20}, key=f"{client_seed} last")
            house.rotate(pair)
        lines = {form: b"".join(house.export(form)) for form in ("jsonl", "csv")}
    for form, text in lines.items():
        path.with_suffix(f".{form}").write_bytes(text)
    return path


def test_a_house_that_deals_from_chains(tmp_path):
    vault = Vault({"key": bytes(32)}.__getitem__, "key")
    path = tmp_path / "house.db"
    with House(SqliteStore(path), vault, chain_length=50) as house:
        house.deposit("Zoë", 10_000, key="deposit")
        pair = house.choose_client_seed(house.commit("Zoë"), "lucky 8s")
        for number in range(6):
            house.play(pair, {"banker": 100}, key=f"{number}")
        (tmp_path / "rounds.jsonl").write_bytes(b"".join(house.export("jsonl")))
    for source in (path, tmp_path / "rounds.jsonl"):
        result = audit(source)
        assert (dict(result.finding_counts), result.rounds, result.pairs.sound) == ({}, 6, 1)
    with House(SqliteStore(path), vault, chain_length=50) as house:
        house.rotate(house.pairs("Zoë")[0])
    result = audit(path)
    assert (dict(result.finding_counts), result.rounds, result.pairs.sound) == ({}, 6, 1)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_the_exports_of_a_house(form, house_file):
    result = audit(house_file.with_suffix(f".{form}"))
    assert (dict(result.finding_counts), result.rounds, result.pairs.sound, result.lines) == ({}, 15, 3, 27)
    assert {key.currency for key in result.tally.bets} == {"USD"}


@pytest.mark.parametrize("name", ["path", "url"])
def test_the_database_of_a_house(name, house_file):
    result = audit(house_file if name == "path" else f"sqlite:///{house_file}")
    assert (dict(result.finding_counts), result.rounds, result.pairs.sound, result.pairs.counted) == ({}, 15, 3, 3)
    assert result.refusals["refusals"] == 3
    assert sum(result.refusals["bets"].values()) == 3
    assert result.refusals["bets"]["unknown"] == 0
    assert {key.currency for key in (*result.tally.bets, *result.refused.bets)} == {"USD"}


def test_a_database_that_was_tampered_with(house_file, tmp_path):
    copy = tmp_path / "house.db"
    with sqlite3.connect(house_file) as source, sqlite3.connect(copy) as target:
        source.backup(target)
        for trigger in ("coup_no_update", "coup_no_delete", "round_no_delete"):
            target.execute(f"DROP TRIGGER {trigger}")
        (paid,) = target.execute("SELECT min(round) FROM coup WHERE returned <> '0'").fetchone()
        others = [number for (number,) in target.execute("SELECT round FROM coup WHERE round <> ? ORDER BY round", (paid,))]
        target.execute("UPDATE coup SET returned = returned || '1' WHERE round = ?", (paid,))
        target.execute("UPDATE coup SET cut = (cut + 1) % 416 WHERE round = ?", (others[0],))
        target.execute("DELETE FROM coup WHERE round = ?", (others[1],))
    target.close()
    source.close()
    result = audit(copy)
    assert result.finding_counts["totals"] == 1
    assert result.finding_counts["cut"] == 1
    assert result.finding_counts["unreadable"] == 1
    assert result.finding_counts["nonce_missing"] == 1


def test_seeds_and_refusals_from_files(records, table_of, tmp_path):
    rounds = records("pfb1", 2, 3)
    seeds = {str(record.commitment): record.server_seed for record in rounds}
    rows = [{"commitment": text, "server_seed": seed, "coups": 3} for text, seed in seeds.items()]
    refused = [
        {"commitment": text, "nonce": 1, "bets": [{"bet": "tie", "stake": 5}, {"bet": "panda8", "stake": 5}], "reason": "limit"}
        for text in seeds
    ]
    (tmp_path / "seeds.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "seeds.csv").write_text("commitment,server_seed,coups\n" + "".join(f"{text},{seed},3\n" for text, seed in seeds.items()))
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "seeds.parquet")
    (tmp_path / "refused.jsonl").write_text("\n".join(map(json.dumps, refused)))
    table = table_of(rounds).drop_columns(["server_seed"])
    for form in ("jsonl", "csv", "parquet"):
        result = audit(table, seeds=tmp_path / f"seeds.{form}", refusals=tmp_path / "refused.jsonl")
        assert dict(result.finding_counts) == {}
        assert result.pairs.counted == 2
        won = sum(record.winner == "tie" for record in rounds if record.nonce == 1)
        assert result.refusals["bets"] == {"won": won, "pushed": 0, "lost": 2 - won, "unknown": 2}
    (tmp_path / "seeds.csv").write_text("commitment,server_seed\nab,cd\n")
    with pytest.raises(AuditError, match="row 1"):
        audit(table, seeds=tmp_path / "seeds.csv")
    (tmp_path / "seeds.csv").write_text("commitment\n" + 2 * ("ab" * 32 + "\n"))
    with pytest.raises(AuditError, match="once"):
        audit(table, seeds=tmp_path / "seeds.csv")


def test_the_schema_of_a_file_is_looked_at(spoiled, tmp_path):
    renamed = spoiled.replace_schema_metadata({b"provably_fair_baccarat.version": b"2"})
    parquet.write_table(renamed, tmp_path / "rounds.parquet")
    result = audit(tmp_path / "rounds.parquet")
    assert dict(result.finding_counts) == {"file": 1}
    assert result.findings[0].expected == "version 1 of rounds"
