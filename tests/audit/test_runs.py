"""Runs of rounds: what they say is what their rounds would say one by one, in whatever order and batches these come."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat.audit import Collector, SeedBook, audit_batches, reduce_facts, runs  # noqa: E402
from provably_fair_baccarat.audit.facts import read_facts  # noqa: E402
from provably_fair_baccarat.audit.specimens import FAULTS, Plan, specimen_batches  # noqa: E402
from provably_fair_baccarat.audit.specimens.specimen import SCHEMA  # noqa: E402

ROUNDS, PAIRS = 4200, 140


@pytest.fixture(scope="module")
def table():
    """Rounds of many pairs with every kind of fault, in the order of play."""
    plan = Plan(ROUNDS, bytes(range(32)), pairs=PAIRS, chains=5, faults=dict.fromkeys(FAULTS, 2))
    return pa.Table.from_batches(specimen_batches(plan, []), SCHEMA).combine_chunks()


@pytest.fixture(scope="module")
def honest():
    return pa.Table.from_batches(specimen_batches(Plan(ROUNDS, bytes(32), pairs=PAIRS), []), SCHEMA).combine_chunks()


def kinds_of(batches, **options):
    facts = list(audit_batches(batches, source="rounds", **options))
    return facts, {kind for kind, _, _ in read_facts(facts)}


def result_of(facts, seeds=None):
    collector = Collector()
    for kind, _, payload in read_facts(reduce_facts(facts, seeds=seeds)):
        collector.add(kind, payload)
    result = collector.finish({}, seeds)
    findings = sorted(map(str, result.findings))
    return result.pairs, dict(result.finding_counts), findings, result.serial, result.tally


def alone(monkeypatch, batches, **options):
    """The same round by round."""
    with monkeypatch.context() as patch:
        patch.setattr(runs, "FEWEST", ROUNDS + 1)
        facts, kinds = kinds_of(batches, **options)
    assert "runs" not in kinds
    return facts


def book_of(table, change=0):
    """The seeds of all pairs, with as many coups as there are rounds, or so many more."""
    firsts = table.group_by("commitment").aggregate([("nonce", "max")])
    coups = [nonce + 1 + change for nonce in firsts.column("nonce_max").to_pylist()]
    columns = [firsts.column("commitment").combine_chunks(), pa.nulls(len(coups), pa.binary(32)), pa.array(coups, pa.int64())]
    return SeedBook.of(pa.table(columns, names=["commitment", "server_seed", "coups"]))


@pytest.mark.parametrize("size", [ROUNDS, 1000, 137])
@pytest.mark.parametrize("buckets", [1, 4])
def test_faulty_rounds_in_order(monkeypatch, table, size, buckets):
    batches = table.to_batches(size)
    facts, kinds = kinds_of(batches, buckets=buckets)
    assert "runs" in kinds
    assert result_of(facts) == result_of(alone(monkeypatch, batches, buckets=buckets))


def test_rounds_in_no_order_are_no_runs(monkeypatch, table):
    order = np.random.default_rng(3).permutation(ROUNDS if len(table) == ROUNDS else len(table))
    batches = table.take(pa.array(order)).combine_chunks().to_batches()
    facts, kinds = kinds_of(batches, buckets=4)
    assert "rounds" in kinds
    assert "runs" not in kinds
    pairs, counts, _, serial, _ = result_of(facts)
    in_order = result_of(kinds_of(table.to_batches())[0])
    assert (pairs, serial) == (in_order[0], in_order[3])
    assert {code: count for code, count in counts.items() if code != "time_order"} == {
        code: count for code, count in in_order[1].items() if code != "time_order"
    }


def test_runs_beside_rounds(monkeypatch, table):
    """Half in order, half not: both kinds of facts come together in every bucket."""
    half = len(table) // 2
    order = np.concatenate([np.arange(half), half + np.random.default_rng(4).permutation(len(table) - half)])
    batches = table.take(pa.array(order)).combine_chunks().to_batches(half)
    facts, kinds = kinds_of(batches, buckets=2)
    monkeypatch.setattr("provably_fair_baccarat.audit.batches.LARGE", 1)
    facts, kinds = kinds_of(batches, buckets=2)
    assert {"runs", "rounds"} <= kinds
    assert result_of(facts) == result_of(alone(monkeypatch, batches, buckets=2))


@pytest.mark.parametrize("change", [-1, 0, 1])
def test_honest_runs_are_whole_without_their_rounds(monkeypatch, honest, change):
    """A bucket of whole runs is never read round by round; one nonce more or less in the book is."""
    seeds = book_of(honest, change)
    facts, _ = kinds_of(honest.to_batches(1000), buckets=2)
    expected = result_of(alone(monkeypatch, honest.to_batches(1000), buckets=2), seeds)
    assert result_of(facts, seeds) == expected
    assert (expected[1] == {}) == (change == 0)
    read = counted(monkeypatch)
    result_of(facts, seeds)
    assert (sum(read) == 0) == (change == 0)


def counted(monkeypatch):
    """How many runs are read round by round, as it happens."""
    read = []
    monkeypatch.setattr(
        "provably_fair_baccarat.audit.completeness.rounds_of", lambda batch: read.append(len(batch)) or runs.rounds_of(batch)
    )
    return read


def test_pieces_of_runs_come_in_any_order(monkeypatch, honest):
    batches = honest.to_batches(250)  # which part pairs
    in_order = result_of(kinds_of(batches)[0])
    each = [kinds_of([batch], first_row=1 + 250 * place)[0] for place, batch in enumerate(batches)]
    backwards = [fact for facts in reversed(each) for fact in facts]
    read = counted(monkeypatch)
    assert result_of(backwards) == in_order
    assert sum(read) == 0
    assert in_order[1] == {}


def test_times_that_are_unknown_or_go_back(monkeypatch, honest):
    """Of some rounds nobody knows the time, some were accepted before the one before: told the same as round by round."""
    chance = np.random.default_rng(7)
    times = honest.column("accepted_at").cast(pa.int64()).to_numpy().copy()
    times[chance.choice(ROUNDS, 20)] -= 10**7
    unknown = np.zeros(ROUNDS, np.bool_)
    unknown[chance.choice(ROUNDS, 20)] = True
    accepted = pa.array(times, mask=unknown).cast(honest.schema.field("accepted_at").type)
    place = honest.schema.get_field_index("accepted_at")
    table = honest.set_column(place, "accepted_at", accepted).combine_chunks()
    facts, kinds = kinds_of(table.to_batches(900))
    assert "runs" in kinds
    told = result_of(facts)
    assert told == result_of(alone(monkeypatch, table.to_batches(900)))
    assert told[1]["time_order"] > 10


def test_rows_of_a_file_with_gaps(monkeypatch, honest):
    """Rows that say themselves where they stand, not one behind the other: a round that is there twice is told at its own row."""
    chance = np.random.default_rng(8)
    rows = np.cumsum(chance.choice([1, 1, 1, 1, 1, 1, 1, 2], ROUNDS + 1))
    again = pa.concat_tables([honest, honest.slice(1259, 1)])
    table = again.append_column("row", pa.array(rows)).combine_chunks()
    facts, kinds = kinds_of(table.to_batches())
    assert "runs" in kinds
    told = result_of(facts)
    assert told == result_of(alone(monkeypatch, table.to_batches()))
    assert told[1] == {"nonce_twice": 1}
    assert f"row {rows[1259]}" in told[2][0]
    assert f"row {rows[-1]}" in told[2][0]


def test_python_alone_finds_the_same(table):
    facts, _ = kinds_of(table.to_batches(1000))
    in_python, _ = kinds_of(table.to_batches(1000), path="python")
    assert result_of(in_python) == result_of(facts)
    assert len(result_of(facts)[1]) > 20
