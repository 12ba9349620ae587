"""Specimens with planted faults: an audit finds exactly what each fault must give, all of it and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy: pip install 'provably-fair-baccarat[audit]'")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")

from provably_fair_baccarat import Seeds, play_shoe  # noqa: E402 (only where the extra is there)
from provably_fair_baccarat.audit import CODES, audit  # noqa: E402 (only where the extra is there)
from provably_fair_baccarat.audit.specimens import (  # noqa: E402
    FAULTS,
    SEED_FAULTS,
    SHOE_FAULTS,
    Plan,
    honest_batches,
    seeds_table,
    specimen_batches,
    write_seeds,
    write_specimen,
)
from provably_fair_baccarat.audit.specimens.specimen import SCHEMA  # noqa: E402
from provably_fair_baccarat.audit.specimens.writing import FORMS  # noqa: E402
from provably_fair_baccarat.errors import AuditError  # noqa: E402

KEY = bytes(range(32))


def made(rounds=4000, pairs=200, faults=None):
    """A specimen as a table, and what was planted."""
    planted = []
    batches = list(specimen_batches(Plan(rounds, KEY, pairs=pairs, chains=5, faults=faults or {}), planted))
    return pa.Table.from_batches(batches, SCHEMA), planted


def shuffled(table):
    return table.take(pa.array(np.random.default_rng(7).permutation(table.num_rows)))


def expected(planted):
    return Counter(tuple(finding) for fault in planted for finding in fault.expected)


def found(result):
    assert sum(result.finding_counts.values()) == len(result.findings)
    return Counter((finding.code, finding.commitment, finding.nonce) for finding in result.findings)


def test_an_honest_specimen_is_clean():
    table, planted = made()
    result = audit(table)
    assert (result.finding_counts, planted) == ({}, [])
    assert (result.rounds, result.pairs.pairs, result.pairs.sound) == (4000, 200, 200)
    assert result.lines == sum(len(bets) for bets in table.column("bets").to_pylist())


@pytest.mark.parametrize("kind", FAULTS)
def test_each_fault_alone_is_found_and_nothing_else(kind):
    table, planted = made(faults={kind: 10})
    assert [fault.kind for fault in planted] == [kind] * 10
    assert found(audit(table)) == expected(planted)
    assert found(audit(shuffled(table))) == expected(planted)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("order", [lambda table: table, shuffled], ids=["in order", "shuffled"])
def test_all_faults_together_are_found_in_every_form(form, order, tmp_path):
    table, planted = made(faults=dict.fromkeys(FAULTS, 3))
    assert write_specimen(order(table).to_batches(), tmp_path / f"rounds{form}") == table.num_rows
    result = audit(tmp_path / f"rounds{form}")
    assert result.rounds == table.num_rows
    assert found(result) == expected(planted)


def test_faults_are_found_where_they_stand(tmp_path):
    """A finding of a row names its file and row."""
    kinds = ("card", "payment", "late", "server_seed", "cut")
    table, planted = made(faults=dict.fromkeys(kinds, 4))
    write_specimen(table.to_batches(), tmp_path / "rounds.parquet")
    result = audit(tmp_path / "rounds.parquet")
    assert {finding.row for finding in result.findings if finding.row} == {fault.row + 1 for fault in planted}


MORE = {**dict.fromkeys(SEED_FAULTS, 3), **dict.fromkeys(SHOE_FAULTS, 2)}


def made_with_shoes(faults, shoes=10):
    planted = []
    plan = Plan(1200, KEY, pairs=60, chains=5, faults=faults, shoes=shoes)
    return plan, pa.Table.from_batches(list(specimen_batches(plan, planted))), planted


def test_an_honest_specimen_with_shoes_and_its_seeds_is_clean():
    plan, table, planted = made_with_shoes({}, shoes=3)
    assert table.equals(pa.Table.from_batches(list(honest_batches(plan))))
    result = audit(table, seeds=seeds_table(plan))
    assert (result.finding_counts, planted) == ({}, [])
    assert (result.pairs.pairs, result.pairs.sound, result.pairs.counted) == (63, 63, 51)
    assert table.num_rows > 1200 + 3 * 60


@pytest.mark.parametrize("kind", MORE)
def test_faults_of_shoes_and_of_nonces_are_found_and_nothing_else(kind):
    plan, table, planted = made_with_shoes({kind: 2}, shoes=2)
    assert [fault.kind for fault in planted] == [kind] * 2
    for seeds in (seeds_table(plan), *([] if kind in SEED_FAULTS else [None])):
        assert found(audit(table, seeds=seeds)) == expected(planted)
        assert found(audit(shuffled(table), seeds=seeds)) == expected(planted)


@pytest.mark.parametrize("form", FORMS)
def test_faults_of_every_kind_together_are_found_in_every_form(form, tmp_path):
    """With the table of seeds as a file beside them."""
    plan, table, planted = made_with_shoes({**dict.fromkeys(FAULTS, 1), **MORE})
    write_seeds(plan, tmp_path / "seeds.parquet")
    assert write_specimen(table.to_batches(), tmp_path / f"rounds{form}") == table.num_rows
    result = audit(tmp_path / f"rounds{form}", seeds=tmp_path / "seeds.parquet")
    assert result.rounds == table.num_rows
    assert found(result) == expected(planted)


def test_a_shoe_that_is_dealt_through_was_cut_once():
    """Its coups all tell the one cut: counted each by itself, forty honest shoes look as if some places were preferred."""
    plan, table, _ = made_with_shoes({}, shoes=40)
    shoes = audit(table, seeds=seeds_table(plan)).tally.shoes
    assert sum(sum(shoe.cuts) for shoe in shoes.values()) == 1200 + 40
    assert sum(shoe.rounds for shoe in shoes.values()) == table.num_rows > 1200 + 40 * 50
    firsts = [row for row in table.to_pylist() if not row["index"]]
    assert all(
        shoe.cuts[cut] == sum(row["decks"] == decks and row["cut"] == cut for row in firsts)
        for decks, shoe in shoes.items()
        for cut in (0, 99, 200)
    )


def test_shoes_are_dealt_and_paid_as_the_package_does():
    _, table, _ = made_with_shoes({}, shoes=2)
    rows = [row for row in table.to_pylist() if row["index"] is not None]
    seeds = Seeds(rows[0]["server_seed"].hex(), rows[0]["client_seed"].decode(), rows[0]["commitment"].hex(), 8, scheme="pfb1-shoe")
    played = play_shoe(seeds, 0)
    assert [row["cards"] for row in rows[: len(played)]] == ["".join(map(str, each.coup.cards)) for each in played]
    assert [row["index"] for row in rows] == [*range(len(played)), *range(len(rows) - len(played))]


def test_the_kinds_of_faults_cover_the_findings():
    """What a table of rounds can show, some fault shows."""
    planted = []
    plan = Plan(4000, KEY, pairs=200, chains=5, faults={**dict.fromkeys(FAULTS, 3), **MORE}, shoes=10)
    list(specimen_batches(plan, planted))
    codes = {finding.code for fault in planted for finding in fault.expected}
    assert codes == CODES.keys() - {"file", "not_followed"}


def test_a_fault_of_a_shoe_needs_one():
    with pytest.raises(AuditError, match="2 faults and 1 shoes"):
        Plan(1000, KEY, pairs=10, faults={"coup_missing": 2}, shoes=1)
    for shoes in (-1, 1.0, True):
        with pytest.raises(AuditError, match="shoes of a specimen"):
            Plan(1000, KEY, pairs=10, shoes=shoes)
