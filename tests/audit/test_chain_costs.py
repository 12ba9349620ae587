"""How many hashes seed chains cost: about one pass over each chain where rounds are right, and no more than the bounds where nothing is."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest

np = pytest.importorskip("numpy", reason="audits need numpy")
pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat.audit import Collector, SeedBook, audit, audit_batches, chains  # noqa: E402 (only where the extras are there)
from provably_fair_baccarat.audit.chains import RIGHT, TOO_FAR, WRONG, Chains, Link  # noqa: E402

LENGTH = 300


class Counting:
    """SHA-256 with a count of the links that went through it."""

    def __init__(self):
        self.count = 0

    def __call__(self, data):
        self.count += 1
        return sha256(data)


@pytest.fixture
def hashes(monkeypatch):
    counting = Counting()
    monkeypatch.setattr(chains, "sha256", counting)
    return counting


def chain_of(length=LENGTH, seed=b"seed"):
    """Anchor and links by their heights."""
    links = [sha256(seed).digest()]
    for _ in range(length):
        links.append(sha256(links[-1]).digest())
    return links[::-1]


def followed(links, anchor, length=LENGTH, *, batch=None):
    """The verdicts of links in the order of their heights, batch after batch."""
    known = Chains()
    size = batch or len(links)
    verdicts = []
    for start in range(0, len(links), size):
        part = links[start : start + size]
        known.begin(len(part))
        verdicts += known.follow(anchor, length, part)
    return verdicts


@pytest.mark.parametrize("batch", [300, 50, 7, 1])
def test_links_in_their_order_cost_one_hash_each(hashes, batch):
    anchor, *links = chain_of()
    assert followed([Link(height, link) for height, link in enumerate(links, 1)], anchor, batch=batch) == [RIGHT] * LENGTH
    assert hashes.count == LENGTH


def test_a_few_wrong_links_cost_little_and_hide_nothing(hashes):
    anchor, *links = chain_of()
    rows = [Link(height, link) for height, link in enumerate(links, 1)]
    for place in (4, 5, 6, 150, 299):
        rows[place] = Link(place + 1, bytes(32))
    assert [place for place, verdict in enumerate(followed(rows, anchor)) if verdict == WRONG] == [4, 5, 6, 150, 299]
    assert hashes.count < LENGTH + 20


def test_another_chain_above_the_true_one_is_refused_link_by_link(hashes):
    """A thousand links that lead to each other, but not to the anchor."""
    anchor, *links = chain_of(2000)
    _, *others = chain_of(2000, b"other")
    rows = [Link(height, link) for height, link in enumerate([*links[:1000], *others[1000:]], 1)]
    assert followed(rows, anchor, 2000) == [RIGHT] * 1000 + [WRONG] * 1000
    assert hashes.count <= 2000


def test_many_wrong_links_in_the_middle_do_not_hide_the_rest(hashes):
    anchor, *links = chain_of()
    chance = random.Random(1)
    rows = [Link(height, chance.randbytes(32) if 50 < height < 250 else link) for height, link in enumerate(links, 1)]
    verdicts = followed(rows, anchor)
    assert [verdict == RIGHT for verdict in verdicts] == [not 50 < height < 250 for height in range(1, LENGTH + 1)]
    assert TOO_FAR not in verdicts
    assert hashes.count <= 3 * LENGTH


def test_nothing_but_wrong_links_costs_a_few_passes_and_not_one_for_each(hashes):
    anchor, *_ = chain_of(1)
    chance = random.Random(2)
    length = 20_000
    rows = [Link(height, chance.randbytes(32)) for height in range(length - 500, length + 1)]
    verdicts = followed(rows, anchor, length)
    assert set(verdicts) == {WRONG, TOO_FAR}
    assert hashes.count <= 4 * length
    again = [Link(length, bytes(32))] * 1000
    hashes.count = 0
    assert followed(again, anchor, length) == [WRONG] * 1000
    assert hashes.count <= 2 * length


def test_many_chains_cost_no_more_than_their_batch_may(hashes, monkeypatch):
    """Each with one round whose link is far away and wrong: a table that is cheap to make."""
    monkeypatch.setattr(chains, "STEPS", 5000)
    monkeypatch.setattr(chains, "STEPS_OF_ROW", 10)
    known = Chains()
    known.begin(100)
    verdicts = [known.follow(bytes([place] * 32), 1000, [Link(1000, bytes(32))])[0] for place in range(1, 101)]
    assert verdicts == [WRONG] * 6 + [TOO_FAR] * 94
    assert hashes.count == 6000


def test_links_below_the_newest_one(hashes):
    anchor, *links = chain_of(1000)
    known = Chains()
    known.begin(10)
    whole = known.below(anchor, 1000, links[599], range(1, 1001))
    assert whole == dict(enumerate(links[:600], 1))
    first = hashes.count
    assert first <= 2 * 600
    for start in range(1, 600, 100):
        known.begin(100)
        assert known.below(anchor, 1000, links[599], range(start, start + 100)) == {h: links[h - 1] for h in range(start, start + 100)}
    assert hashes.count - first <= 600 + 6 * 1000 // 256
    assert known.below(anchor, 1000, bytes(32), [1]) == {}
    assert known.follow(anchor, 1000, [Link(3, links[2]), Link(700, links[699]), Link(800, links[0])]) == [RIGHT, RIGHT, WRONG]
    assert known.below(anchor, 1000, links[99], [100, 101]) == {100: links[99]}
    assert known.below(anchor, 1000, links[599], [599, 650]) == {599: links[598]}


def test_what_is_remembered_is_bounded(hashes):
    known = Chains()
    anchor, *links = chain_of(2000)
    for height, link in enumerate(links, 1):
        known.begin(1)
        assert known.follow(anchor, 2000, [Link(height, link)]) == [RIGHT]
    assert max(map(len, known._proved.values())) <= 2 * 256
    for place in range(3000):
        known.begin(1)
        known.follow(place.to_bytes(32), 1, [Link(1, bytes(32))])
    assert len(known._proved) <= 1025


# In tables


@pytest.fixture(scope="module")
def table(records, table_of):
    return table_of(records("pfb1-chain", 3, 40))


def counts_of(table, size, **options):
    collector = Collector()
    batches = table.combine_chunks().to_batches(max_chunksize=size)
    for facts in audit_batches(batches, **options):
        for kind, payload in zip(facts.column(0).to_pylist(), facts.column(2).to_pylist(), strict=True):
            if kind not in ("rounds", "runs", "pairs"):
                collector.add(kind, payload)
    return collector.counts


@pytest.mark.parametrize("at_once", [40, 7])
def test_a_table_of_chains_is_passed_once(table, hashes, at_once, monkeypatch):
    monkeypatch.setattr("provably_fair_baccarat.audit.batches.AT_ONCE", at_once)
    assert counts_of(table, at_once) == {}
    assert hashes.count == 3 * 40


@pytest.mark.parametrize("at_once", [120, 7])
def test_a_table_whose_links_follow_from_the_newest_ones_is_passed_twice(table, hashes, at_once, monkeypatch):
    monkeypatch.setattr("provably_fair_baccarat.audit.batches.AT_ONCE", at_once)
    rows = table.to_pylist()
    newest = pa.table(
        {"commitment": [row["commitment"] for row in rows[39::40]], "server_seed": [row["server_seed"] for row in rows[39::40]]}
    )
    assert counts_of(table.drop_columns(["server_seed"]), at_once, seeds=SeedBook.of(newest)) == {}
    assert hashes.count <= 2 * 3 * 40


def test_a_link_that_is_too_far_away_is_a_finding(table, monkeypatch):
    monkeypatch.setattr(chains, "STEPS", 20)
    monkeypatch.setattr(chains, "STEPS_OF_ROW", 0)
    result = audit(table.slice(39, 1))
    assert dict(result.finding_counts) == {"not_followed": 1, "nonce_missing": 1}
    assert "sort by commitment and nonce" in str(next(each for each in result.findings if each.code == "not_followed"))
    assert (result.tally.unsound, result.pairs.sound) == (1, 0)
    seeds = pa.table({name: table.slice(39, 1)[name] for name in ("commitment", "server_seed")})
    result = audit(table.slice(39, 1).drop_columns(["server_seed"]), seeds=seeds)
    assert dict(result.finding_counts) == {"not_followed": 1, "nonce_missing": 1}


def test_no_chain_is_longer_than_a_chain_can_be(table):
    rows = table.to_pylist()
    rows[5] = {**rows[5], "chain_length": 1_000_001}
    result = audit(pa.Table.from_pylist(rows, table.schema))
    assert dict(result.finding_counts) == {"unreadable": 1, "nonce_missing": 1}
    assert result.findings[0].expected == "chain_length: 1 to 1000000"
