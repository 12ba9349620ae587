"""The schemas of an audit: their page, their version, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat.audit import schema  # noqa: E402
from provably_fair_baccarat.errors import AuditError  # noqa: E402

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "audit-schema.md").read_text(encoding="utf-8")
SCHEMAS = {"rounds": schema.ROUNDS, "seeds": schema.SEEDS, "refusals": schema.REFUSALS}


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_page_lists_every_column_as_it_is(name):
    table = re.search(r"(^\|.*\|\n)+", PAGE.partition(f"<!-- {name} -->")[2], re.MULTILINE)[0].splitlines()[2:]
    told = [[cell.strip() for cell in line.split("|")[1:4]] for line in table]
    assert told == [[f"`{field.name}`", str(field.type), "yes" if field.nullable else "no"] for field in SCHEMAS[name]]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_names_itself_and_its_version(name):
    assert SCHEMAS[name].metadata == {b"provably_fair_baccarat.schema": name.encode(), b"provably_fair_baccarat.version": b"1"}
    schema.require_columns(SCHEMAS[name], SCHEMAS[name])
    schema.require_columns(SCHEMAS[name].remove_metadata(), SCHEMAS[name])


@pytest.mark.parametrize("changed", [{b"provably_fair_baccarat.version": b"2"}, {b"provably_fair_baccarat.schema": b"seeds"}])
def test_another_name_or_version_is_refused(changed):
    with pytest.raises(AuditError, match="version 1 of rounds"):
        schema.require_columns(schema.ROUNDS.with_metadata(changed), schema.ROUNDS)


def test_missing_and_repeated_columns_are_refused():
    without = schema.ROUNDS.remove(schema.ROUNDS.get_field_index("nonce"))
    with pytest.raises(AuditError, match="nonce too"):
        schema.require_columns(without, schema.ROUNDS)
    with pytest.raises(AuditError, match="more than once"):
        schema.require_columns(schema.ROUNDS.append(schema.ROUNDS.field("nonce")), schema.ROUNDS)
    tables = [schema.ROUNDS.get_field_index(name) for name in ("pay_table_digest", "pay_table")]
    neither = schema.ROUNDS.remove(tables[0]).remove(tables[1])
    with pytest.raises(AuditError, match="pay_table or pay_table_digest"):
        schema.require_columns(neither, schema.ROUNDS)
    for name in ("server_seed", "pay_table", "pay_table_digest", "index", "accepted_at"):
        schema.require_columns(schema.ROUNDS.remove(schema.ROUNDS.get_field_index(name)), schema.ROUNDS)


def test_the_column_that_may_be_meant_is_named():
    names = [{"client_seed": "clientSeed", "cards": "Cards", "nonce": "round"}.get(name, name) for name in schema.ROUNDS.names]
    with pytest.raises(AuditError) as caught:
        schema.require_names(names, schema.ROUNDS)
    assert caught.value.expected == "client_seed, nonce, cards too"
    assert [slip.code for slip in caught.value.slips] == ["misspelt", "misspelt", "columns"]
    assert "Is 'clientSeed' meant for client_seed? Is 'Cards' meant for cards? The columns that must be there are" in caught.value.hint


def test_a_table_in_memory_with_other_columns_is_refused():
    from provably_fair_baccarat.audit import audit

    other = pa.table({"commitment": [b"x"], "Decks": [8]})
    for table in (other, other.slice(1), pa.RecordBatchReader.from_batches(other.schema, other.to_batches())):
        with pytest.raises(AuditError, match=r"columns of rounds: expected .*decks.* too.*Is 'Decks' meant for decks\?"):
            audit(table)
    with pytest.raises(AuditError, match="no columns"):
        audit(pa.table({}))
    with pytest.raises(AuditError, match="stream of record batches"):
        audit(pa.chunked_array([[1, 2]]))
    with pytest.raises(AuditError, match="version 1 of rounds"):
        audit(other.replace_schema_metadata({b"provably_fair_baccarat.version": b"2"}))


def test_every_finding_is_listed():
    from provably_fair_baccarat.audit import CODES

    table = re.search(r"(^\|.*\|\n)+", PAGE.partition("<!-- findings -->")[2], re.MULTILINE)[0].splitlines()[2:]
    assert [[cell.strip() for cell in line.split("|")[1:3]] for line in table] == [[f"`{code}`", text] for code, text in CODES.items()]
