"""Specimens with planted faults: an audit finds exactly what each fault must give, all of it and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy: pip install 'provably-fair-baccarat[audit]'")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")

from provably_fair_baccarat.audit import CODES, audit  # noqa: E402 (only where the extra is there)
from provably_fair_baccarat.audit.specimens import FAULTS, Plan, specimen_batches, write_specimen  # noqa: E402
from provably_fair_baccarat.audit.specimens.specimen import SCHEMA  # noqa: E402
from provably_fair_baccarat.audit.specimens.writing import FORMS  # noqa: E402

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


def test_the_kinds_of_faults_cover_the_findings():
    """What a table of rounds of pfb1 and its chains alone can show, some fault shows."""
    _, planted = made(faults=dict.fromkeys(FAULTS, 3))
    codes = {finding.code for fault in planted for finding in fault.expected}
    others = {"file", "nonce_beyond", "coup_missing", "client_seed_twice", "not_followed"}
    assert codes == CODES.keys() - others
