"""Every nonce once, in order, under one seed; and that the answer does not depend on how the rounds were divided."""

from __future__ import annotations

import random

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat.audit import Collector, audit_batches, reduce_facts  # noqa: E402
from provably_fair_baccarat.audit.facts import read_facts  # noqa: E402


def codes_of(result):
    return dict(result.finding_counts)


def told(result):
    return [(finding.code, finding.nonce, finding.expected, finding.found, finding.row) for finding in result.findings]


@pytest.mark.parametrize(
    ("nonces", "expected"),
    [
        ([0, 1, 2, 3], []),
        ([0, 2, 3], ["a round of nonce 1"]),
        ([1, 2, 3], ["a round of nonce 0"]),
        ([3], ["a round of each nonce from 0 to 2"]),
        ([0, 3, 5], ["a round of each nonce from 1 to 2", "a round of nonce 4"]),
    ],
)
def test_missing_nonces(nonces, expected, records, table_of, audited):
    rounds = records("pfb1", 1, 6)
    result = audited(table_of([rounds[nonce] for nonce in nonces]))
    assert [finding.expected for finding in result.findings] == expected
    assert {finding.code for finding in result.findings} <= {"nonce_missing"}
    assert result.pairs.complete == (not expected)


def test_a_nonce_twice(records, table_of, audited):
    rounds = records("pfb1", 2, 4)
    result = audited(table_of([*rounds, rounds[1], rounds[1]]))
    assert [(code, nonce, found, row) for code, nonce, _, found, row in told(result)] == [
        ("nonce_twice", 1, "another one at table, row 2", 9),
        ("nonce_twice", 1, "another one at table, row 2", 10),
    ]
    assert (result.pairs.pairs, result.pairs.complete) == (2, 1)


def test_what_the_seeds_file_says_counts(records, table_of, audited):
    rounds = records("pfb1", 2, 4)
    seeds = {str(record.commitment): record.server_seed for record in rounds}

    def book(*coups, more=()):
        rows = [{"commitment": bytes.fromhex(text), "coups": count} for text, count in zip(seeds, coups, strict=True)]
        return pa.Table.from_pylist([*rows, *more], schema=pa.schema([("commitment", pa.binary(32)), ("coups", pa.int64())]))

    assert codes_of(audited(table_of(rounds), seeds=book(4, 4))) == {}
    assert audited(table_of(rounds), seeds=book(4, None)).pairs.counted == 1
    assert codes_of(audited(table_of(rounds), seeds=book(4, 3))) == {"nonce_beyond": 1}
    result = audited(table_of(rounds), seeds=book(4, 9))
    assert [finding.expected for finding in result.findings] == ["a round of each nonce from 4 to 8"]
    never = {"commitment": bytes(32), "coups": 2}
    result = audited(table_of(rounds), seeds=book(4, 4, more=[never, {"commitment": bytes([1]) * 32, "coups": 0}]))
    assert [(finding.code, finding.commitment) for finding in result.findings] == [("nonce_missing", "00" * 32)]


@pytest.mark.parametrize("scheme", ["pfb1", "pfb1-chain", "pfb1-shoe"])
def test_seeds_from_a_file(scheme, records, table_of, audited):
    rounds = records(scheme, 2, 6)
    newest = {record.commitment.digest: record.server_seed for record in rounds}
    table = table_of(rounds).drop_columns(["server_seed"])
    assert set(codes_of(audited(table))) == {"not_revealed"}
    seeds = pa.table({"commitment": pa.array(list(newest), pa.binary(32)), "server_seed": pa.array(list(newest.values()))})
    assert codes_of(audited(table, seeds=seeds)) == {}
    wrong = pa.table({"commitment": pa.array(list(newest), pa.binary(32)), "server_seed": pa.array(["ab" * 32] * 2)})
    told = {"pfb1-chain": {"link", "not_revealed"}}.get(scheme, {"commitment"})
    assert set(codes_of(audited(table, seeds=wrong))) == {*told, "server_seed_reused"}
    assert sum(codes_of(audited(table, seeds=wrong)).values()) >= len(rounds)


def test_one_server_seed_for_two_commitments(records, table_of, audited):
    rounds = records("pfb1", 1, 2)
    from provably_fair_baccarat import RoundRecord, Seeds, ServerSeed, play_round, settle

    seeds = Seeds.commit(ServerSeed.parse(rounds[0].server_seed), "other", 6)
    each = play_round(seeds, 0)
    other = RoundRecord.from_round(each, settle(each.coup, {}), server_seed=seeds.server_seed)
    result = audited(table_of([*rounds, other]))
    assert codes_of(result) == {"server_seed_reused": 1}
    texts = sorted([str(rounds[0].commitment), str(other.commitment)])
    assert (result.findings[0].commitment, result.findings[0].found) == (texts[1], f"that of commitment {texts[0]}")


def test_two_server_seeds_for_one_commitment(records, table_of, audited):
    rounds = records("pfb1", 1, 3)
    table = table_of(rounds, server_seed=[rounds[0].server_seed, "ab" * 32, rounds[2].server_seed])
    assert codes_of(audited(table)) == {"commitment": 1, "two_server_seeds": 1}


def test_a_changing_client_seed_is_allowed(records, table_of, audited):
    """The nonce counts on, whatever the client seeds (protocol step 1)."""
    from provably_fair_baccarat import RoundRecord, Seeds, ServerSeed, play_round, settle

    rounds = []
    for nonce, client_seed in enumerate(["one", "one", "two", "one"]):
        seeds = Seeds.commit(ServerSeed(bytes(32)), client_seed)
        each = play_round(seeds, nonce)
        rounds.append(RoundRecord.from_round(each, settle(each.coup, {}), server_seed=seeds.server_seed))
    assert codes_of(audited(table_of(rounds))) == {}


def result_of(batches, **options):
    """What facts come to, with nothing but the functions on batches."""
    collector = Collector()
    for kind, _, payload in read_facts(batches):
        collector.add(kind, payload)
    return collector.finish({}, **options)


def spoiled(records):
    rounds = [*records("pfb1", 5, 7), *records("pfb1-chain", 2, 5, seed=2), *records("pfb1-shoe", 1, seed=3)]
    lines = [each for place, each in enumerate(rounds) if place not in (3, 17, 40, 60)]
    return [*lines, lines[2], lines[50]]


def test_any_division_in_any_order_gives_the_same(records, table_of):
    table = table_of(spoiled(records))
    table = table.append_column("row", pa.array(range(1, len(table) + 1)))
    whole = result_of(reduce_facts(list(audit_batches(table.to_batches()))))
    assert set(codes_of(whole)) == {"nonce_missing", "nonce_twice", "coup_missing"}
    chance = random.Random(3)
    for buckets in (1, 2, 64, 1000):
        order = chance.sample(range(len(table)), len(table))
        mixed = table.take(pa.array(order))
        cuts = sorted(chance.sample(range(len(table)), 5))
        parts = [mixed.slice(start, stop - start) for start, stop in zip([0, *cuts], [*cuts, len(table)], strict=True)]
        facts = [fact for part in parts for fact in audit_batches(part.to_batches(max_chunksize=7), buckets=buckets)]
        chance.shuffle(facts)
        result = result_of(reduce_facts(facts))
        assert sorted(map(str, result.findings)) == sorted(map(str, whole.findings))
        assert (result.rounds, result.lines, result.pairs, codes_of(result)) == (whole.rounds, whole.lines, whole.pairs, codes_of(whole))
        assert (result.tally, result.serial) == (whole.tally, whole.serial)


@pytest.mark.parametrize("scheme", ["pfb1", "pfb1-chain"])
def test_facts_hold_no_server_seed(scheme, records, table_of):
    """Not even a link of a chain, which is the hash of the one above it."""
    rounds = records(scheme, 2, 3)
    for _, _, payload in read_facts(audit_batches(table_of(rounds).to_batches())):
        for record in rounds:
            assert bytes.fromhex(record.server_seed) not in payload
            assert record.server_seed.encode() not in payload
