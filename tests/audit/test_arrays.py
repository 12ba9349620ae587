"""What an audit does with whole columns at once equals what is done row by row."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat.audit.columns import Faults, read_column  # noqa: E402
from provably_fair_baccarat.audit.completeness import _order  # noqa: E402
from provably_fair_baccarat.audit.lines import read_bets  # noqa: E402
from provably_fair_baccarat.audit.origins import replay_rows  # noqa: E402
from provably_fair_baccarat.audit.rows import combined, distinct, read_rows  # noqa: E402
from provably_fair_baccarat.audit.sums import sum_rounds  # noqa: E402


@pytest.mark.parametrize("spread", [2, 50, 2**40])
def test_distinct_rows_are_grouped_in_order_and_named_by_the_first(spread):
    chance = np.random.default_rng(spread)
    columns = [np.repeat(chance.integers(-1, spread, 300), chance.integers(1, 4, 300)) for _ in range(2)]
    size = min(map(len, columns))
    columns = [column[:size] for column in columns]
    groups, firsts = distinct(*columns)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    names = sorted(set(rows))
    assert groups.tolist() == [names.index(row) for row in rows]
    assert firsts.tolist() == [rows.index(name) for name in names]


def test_no_rows_are_no_groups():
    groups, firsts = distinct(np.zeros(0, np.int32))
    assert len(groups) == len(firsts) == 0


@pytest.mark.parametrize("top", [5, 2**31, 2**53])
def test_rounds_are_ordered_as_by_every_key(top):
    chance = random.Random(top)
    rows = [(chance.randrange(9), chance.choice([0, 1, top]), chance.randrange(-1, 2), chance.randrange(3), place) for place in range(400)]
    chance.shuffle(rows)
    pair, nonce, index, source, row = (np.asarray(column) for column in zip(*rows, strict=True))
    order = _order(combined((pair, nonce, index)), source.astype(np.int32), row)
    assert [rows[place] for place in order] == sorted(rows)


def slow_sums(row, amounts, large, count):
    totals = defaultdict(int)
    for line, (of, amount) in enumerate(zip(row.tolist(), amounts.tolist(), strict=True)):
        totals[of] += large.get(line, amount)
    return [totals[of] for of in range(count)]


@pytest.mark.parametrize("path", [None, "python"])
@pytest.mark.parametrize("top", [1000, 2**53, 2**63 - 1])
@pytest.mark.parametrize("large", [{}, {0: 10**38, 17: 2**63}])
def test_amounts_of_rounds_are_summed_exactly(path, top, large):
    chance = np.random.default_rng(7)
    row = np.sort(chance.integers(0, 60, 200)).astype(np.int32)
    amounts = chance.integers(0, top, 200)
    assert sum_rounds(row, amounts, large, 61, path).tolist() == slow_sums(row, amounts, large, 61)


@pytest.mark.parametrize("path", [None, "python"])
def test_no_amounts_are_nothing(path):
    nothing = np.zeros(0, np.int64)
    assert sum_rounds(nothing.astype(np.int32), nothing, {}, 2, path).tolist() == [0, 0]


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 30])
@pytest.mark.parametrize("is_twice", [False, True])
def test_a_bet_twice_is_seen_wherever_it_stands(count, is_twice):
    chance = random.Random(count)
    for _ in range(20):
        rows = [[f"bet {place}" for place in chance.sample(range(40), count)] for _ in range(5)]
        if is_twice:
            rows[3].insert(chance.randrange(count + 1), chance.choice(rows[3]))
        faults = Faults(len(rows))
        column = pa.array([[{"bet": bet, "stake": 1, "status": "lost", "returned": 0} for bet in row] for row in rows])
        read_bets(column, faults)
        assert list(faults.told) == [3] * is_twice


@pytest.mark.parametrize("path", [None, "python"])
def test_rounds_in_any_order_are_derived_alike(records, table_of, path):
    table = table_of(records(pairs=40, coups=6))
    places = np.random.default_rng(1).permutation(len(table))
    in_order, mixed = (replay_rows(read_rows(each.combine_chunks().to_batches()[0]), None, path) for each in (table, table.take(places)))
    assert (in_order.coups.cards[places] == mixed.coups.cards).all()
    assert (in_order.cut[places] == mixed.cut).all()
    assert not in_order.state.any()
    assert not mixed.state.any()


@pytest.mark.parametrize("kind", [pa.string(), pa.binary()])
def test_texts_that_repeat_stay_as_they_are(kind):
    column = pa.array(["a", "b", "a", None], kind).dictionary_encode()
    assert read_column(column, "client_seed", kind, Faults(4)) is column
    text = pa.array(["a", "b", "a"]).dictionary_encode()
    read = read_column(text, "client_seed", kind, Faults(3))
    assert read.type == pa.dictionary(pa.int32(), kind)
    assert read.to_pylist() == pa.array(["a", "b", "a"], kind).to_pylist()


def test_a_null_among_the_texts_that_repeat_is_a_null():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), pa.array([b"a", None]))
    read = read_column(column, "client_seed", pa.binary(), Faults(3))
    assert read.null_count == 1
    assert read.to_pylist() == [b"a", None, b"a"]
