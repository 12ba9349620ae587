"""What the rounds of one commitment must have in common, the table of seeds beside them, and secrets that are used again."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")

from provably_fair_baccarat import PUNTO_BANCO, PayTable, RoundRecord, SeedChain, Seeds, ServerSeed, play_round, settle  # noqa: E402
from provably_fair_baccarat.audit import SEEDS, Collector, audit_batches, reduce_facts, reuse  # noqa: E402
from provably_fair_baccarat.audit.facts import read_facts  # noqa: E402
from provably_fair_baccarat.audit.seed_book import SeedBook  # noqa: E402
from provably_fair_baccarat.errors import AuditError  # noqa: E402

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
OTHER = PayTable(banker_multiplier="1.01")


def second(number):
    return None if number is None else BEGIN + timedelta(seconds=number)


def codes_of(result):
    return dict(result.finding_counts)


def with_columns(table, **columns):
    for name, values in columns.items():
        place = table.schema.get_field_index(name)
        column = values if isinstance(values, pa.Array) else pa.array(values)
        table = table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
    return table


def timed(table, accepted, settled, revealed):
    """The table with these times in seconds."""
    names = ("accepted_at", "settled_at", "revealed_at")
    kind = pa.timestamp("us", "UTC")
    return with_columns(
        table, **{name: pa.array(map(second, each), kind) for name, each in zip(names, (accepted, settled, revealed), strict=True)}
    )


def book(*rows):
    return pa.Table.from_pylist([{**dict.fromkeys(SEEDS.names), **row} for row in rows], schema=SEEDS)


def in_any_division(table, seeds=None):
    """The findings of a table as a whole and in parts, which must be the same."""
    chance = random.Random(5)
    seen = set()
    table = table.append_column("row", pa.array(range(1, len(table) + 1)))
    for size in (len(table), 1, 3):
        order = list(range(len(table))) if size > 3 else chance.sample(range(len(table)), len(table))
        mixed = table.take(pa.array(order))
        parts = [mixed.slice(start, size) for start in range(0, len(table), size)]
        facts = [fact for part in parts for fact in audit_batches(part.to_batches(), seeds=seeds, buckets=4)]
        chance.shuffle(facts)
        collector = Collector()
        for kind, _, payload in read_facts(reduce_facts(facts, seeds=seeds)):
            collector.add(kind, payload)
        result = collector.finish({}, seeds)
        seen.add(tuple(sorted((each.code, each.nonce, each.expected, each.found) for each in result.findings)))
    assert len(seen) == 1
    return list(seen.pop())


# Pay table and currency


def settled_by(record, table):
    coup = play_round(Seeds(record.server_seed, str(record.client_seed), record.commitment, record.decks), record.nonce)
    return RoundRecord.from_round(
        coup, settle(coup.coup, {name: bet.stake for name, bet in record.bets.items()}, table), server_seed=record.server_seed
    )


def test_a_commitment_has_one_pay_table(records, table_of, audited):
    honest = records("pfb1", 3, 6)
    swapped = [settled_by(record, OTHER) if place in (2, 4) else record for place, record in enumerate(honest)]
    result = audited(table_of(swapped))
    assert codes_of(result) == {"pay_table_changed": 1}
    (finding,) = result.findings
    assert (finding.commitment, finding.row) == (str(honest[0].commitment), None)
    assert (result.pairs.complete, result.pairs.sound) == (3, 2)
    by_digest = table_of(swapped).drop_columns(["pay_table"])
    assert codes_of(audited(by_digest, pay_tables=[OTHER])) == {"pay_table_changed": 1}
    assert [code for code, *_ in in_any_division(table_of(swapped))] == ["pay_table_changed"]


def test_pairs_with_tables_of_their_own_and_rows_that_tell_less_are_clean(records, table_of, audited):
    honest = [*records("pfb1", 2, 6), *[settled_by(record, OTHER) for record in records("pfb1", 2, 6, seed=2)]]
    table = table_of(honest, currency=[("EUR", "USD", "EUR", None)[place // 6] for place in range(24)])
    assert codes_of(audited(table)) == {}
    digests = [None if place % 2 else record.pay_table_digest for place, record in enumerate(honest)]
    texts = [text if place % 2 else None for place, text in enumerate(table.column("pay_table").to_pylist())]
    assert codes_of(audited(with_columns(table, pay_table=texts, pay_table_digest=digests), pay_tables=[OTHER])) == {}
    some = [None if place % 3 else "EUR" for place in range(24)]
    assert codes_of(audited(with_columns(table, currency=some))) == {}


@pytest.mark.parametrize("other", ["USD", "EUR2", "E" * 16])
def test_a_commitment_has_one_currency(other, records, table_of, audited):
    honest = records("pfb1", 2, 4)
    table = table_of(honest, currency=["EUR", None, other, "EUR", *["USD"] * 4])
    assert codes_of(audited(table)) == {"currency_changed": 1}
    assert [code for code, *_ in in_any_division(table)] == ["currency_changed"]


@pytest.mark.parametrize("other", ["\u0415UR", "eur", "EUR ", "", "E" * 40])
def test_a_currency_that_only_looks_like_it_is_unreadable(other, records, table_of, audited):
    told = audited(table_of(records("pfb1", 2, 4), currency=["EUR", None, other, "EUR", *["USD"] * 4]))
    assert [(each.row, each.found) for each in told.findings if each.code == "unreadable"] == [(3, repr(other))]


def test_the_decimals_of_a_record_s_currency_stay_the_same(records, audited, tmp_path):
    forms = [record.to_dict() for record in records("pfb1", 2, 3)]

    def codes(*decimals):
        told = [
            {**form, "currency": None if each is None else {"code": "EUR", "decimals": each}}
            for form, each in zip(forms, decimals, strict=True)
        ]
        (tmp_path / "rounds.jsonl").write_bytes(b"\n".join(RoundRecord.parse_json(canonical(form)).to_json() for form in told))
        return codes_of(audited(tmp_path / "rounds.jsonl"))

    assert codes(2, None, 2, 3, 3, 3) == {}
    assert codes(2, 2, 0, 3, 3, 3) == {"currency_changed": 1}


def canonical(form):
    from provably_fair_baccarat.canonical import canonical_json

    return canonical_json(form)


# Reveals


def test_every_bet_is_before_the_first_reveal_of_the_pair(records, table_of):
    table = table_of(records("pfb1", 1, 5))
    nobody = [None] * 5
    assert in_any_division(timed(table, range(0, 50, 10), range(5, 55, 10), [90] * 5)) == []
    assert in_any_division(timed(table, range(0, 50, 10), range(5, 55, 10), [90, None, 60, 45, None])) == []
    told = in_any_division(timed(table, range(0, 50, 10), range(5, 55, 10), [5, 90, 90, 90, 90]))
    expected = "accepted and settled before the reveal at 2026-01-01T00:00:05.000000Z, which another row tells"
    assert told == [("time", 4, expected, "2026-01-01T00:00:45.000000Z")]
    assert [each[:2] for each in in_any_division(timed(table, range(0, 50, 10), nobody, [None, None, 39, None, None]))] == [("time", 4)]
    assert in_any_division(timed(table, range(0, 50, 10), nobody, [None, None, 40, None, None])) == []
    assert [each[:2] for each in in_any_division(timed(table, nobody, [7, 6, 9, 9, 5], [8, *[None] * 4]))] == [("time", 2)]


def test_a_round_that_is_late_by_its_own_words_is_told_once(records, table_of):
    table = table_of(records("pfb1", 1, 4))
    assert [each[:2] for each in in_any_division(timed(table, [0, 10, 20, 30], [5, 15, 26, 35], [50, 50, 25, 50]))] == [
        ("time", 2),
        ("time", 3),
    ]
    assert [each[:2] for each in in_any_division(timed(table, [0, 10, 20, 30], [5, 15, 25, 36], [50, 50, 50, 35]))] == [("time", 3)]


def test_a_link_gives_away_those_below_it(records, table_of):
    table = table_of(records("pfb1-chain", 1, 5))
    accepted, settled = [0, 10, 20, 30, 40], [5, 15, 25, 35, 45]
    for honest in ([5, 15, 25, 35, 45], [90] * 5, [8, None, 28, None, 48], [None] * 5, [90, 16, 40, 41, 46]):
        assert in_any_division(timed(table, accepted, settled, honest)) == []
    late = [5, 15, 39, 35, 45]
    told = in_any_division(timed(table, accepted, late, [6, 16, 40, 36, 46]))
    expected = "accepted and settled before the reveal at 2026-01-01T00:00:36.000000Z, which another row tells"
    assert told == [("time", 2, expected, "2026-01-01T00:00:39.000000Z")]
    assert in_any_division(timed(table, accepted, late, [6, 16, 40, 39, 46])) == []
    assert [each[:2] for each in in_any_division(timed(table, [0, 10, 20, 30, None], [5, 15, 25, 35, None], [6, 16, 26, 36, 2]))] == [
        ("time", 3)
    ]


def test_what_another_round_of_the_same_nonce_reveals(records, table_of):
    rounds = records("pfb1-chain", 1, 3)
    table = table_of([*rounds, rounds[1]])
    told = in_any_division(timed(table, [0, 10, 20, None], [5, 15, 25, None], [None, None, None, 14]))
    assert [each[:2] for each in told] == [("nonce_twice", 1), ("time", 1)]
    told = in_any_division(timed(table, [0, 10, 20, None], [5, 15, 25, None], [None, None, None, 15]))
    assert [each[:2] for each in told] == [("nonce_twice", 1)]


def test_links_that_nobody_shows_are_revealed_one_by_one_too(records, table_of):
    table = with_columns(table_of(records("pfb1-chain", 1, 4)), server_seed=pa.nulls(4, pa.string()))
    honest = timed(table, [0, 10, 20, 30], [5, 15, 25, 35], [6, 16, 26, 36])
    assert {each[0] for each in in_any_division(honest)} == {"not_revealed"}
    early = timed(table, [0, 10, 20, None], [5, 15, 25, None], [6, 16, 26, 24])
    assert [each[:2] for each in in_any_division(early) if each[0] == "time"] == [("time", 2)]


def test_a_shoe_is_revealed_when_it_is_dealt_through(records, table_of):
    table = table_of(records("pfb1-shoe", 1))
    count = len(table)
    times = range(count), range(count)
    assert in_any_division(timed(table, *times, [count] * count)) == []
    assert [each[:2] for each in in_any_division(timed(table, *times, [count - 2, *[count] * (count - 1)]))] == [("time", 0)]


def test_the_table_of_seeds_may_tell_an_earlier_reveal(records, table_of):
    rounds = records("pfb1", 1, 3)
    table = timed(table_of(rounds), [0, 10, 20], [5, 15, 25], [90] * 3)
    row = {"commitment": rounds[0].commitment.digest}
    assert in_any_division(table, SeedBook.of(book({**row, "revealed_at": second(25)}))) == []
    assert [each[:2] for each in in_any_division(table, SeedBook.of(book({**row, "revealed_at": second(20)})))] == [("time", 2)]


def test_the_newest_link_in_the_table_of_seeds_reveals_those_below_it(records, table_of):
    rounds = records("pfb1-chain", 1, 5)
    table = timed(table_of(rounds), [0, 10, 20, 30, 40], [5, 15, 25, 35, 45], [None] * 5)
    row = {"commitment": rounds[0].commitment.digest, "server_seed": bytes.fromhex(rounds[2].server_seed)}
    for keep in (True, False):
        given = table if keep else with_columns(table, server_seed=[each.server_seed for each in rounds])
        assert in_any_division(given, SeedBook.of(book({**row, "revealed_at": second(25)}))) == []
        assert [each[:2] for each in in_any_division(given, SeedBook.of(book({**row, "revealed_at": second(24)})))] == [("time", 2)]
    whole = {**row, "server_seed": None}
    assert [each[:2] for each in in_any_division(table, SeedBook.of(book({**whole, "revealed_at": second(25)})))] == [
        ("time", 3),
        ("time", 4),
    ]


# The table of seeds


def test_the_table_of_seeds_is_held_against_the_rows(records, table_of, audited):
    rounds = records("pfb1", 2, 4)
    table = table_of(rounds)
    right = [
        {
            "commitment": each.commitment.digest,
            "server_seed": bytes.fromhex(each.server_seed),
            "client_seed": str(each.client_seed).encode(),
            "coups": 4,
        }
        for each in rounds[::4]
    ]
    assert codes_of(audited(table, seeds=book(*right))) == {}
    assert codes_of(audited(table, seeds=book({**right[0], "client_seed": None}, right[1]))) == {}
    assert codes_of(audited(table, seeds=book({**right[0], "server_seed": bytes(32)}, right[1]))) == {
        "two_server_seeds": 1,
    }
    result = audited(table, seeds=book({**right[0], "client_seed": b"another"}, right[1]))
    assert codes_of(result) == {"client_seed": 4}
    assert {finding.expected for finding in result.findings} == {"the client seed in the table of seeds"}
    assert result.pairs.sound == 1
    for _ in in_any_division(table, SeedBook.of(book({**right[0], "server_seed": bytes(32), "client_seed": b"another"}))):
        pass


def test_an_empty_table_of_seeds_contradicts_nothing(records, table_of, audited):
    for scheme in ("pfb1", "pfb1-chain"):
        assert codes_of(audited(table_of(records(scheme, 2, 4)), seeds=book())) == {}


def test_the_link_in_the_table_of_seeds_leads_to_the_anchor(records, table_of, audited):
    rounds = records("pfb1-chain", 2, 5)
    table = table_of(rounds)
    for newest in (0, 2, 4):
        seeds = book(
            *({"commitment": each.commitment.digest, "server_seed": bytes.fromhex(each.server_seed)} for each in rounds[newest::5])
        )
        assert codes_of(audited(table, seeds=seeds)) == {}
    wrong = book({"commitment": rounds[0].commitment.digest, "server_seed": bytes(32)})
    assert codes_of(audited(table, seeds=wrong)) == {"link": 1}
    assert [each[:2] for each in in_any_division(table, SeedBook.of(wrong))] == [("link", None)]


def test_a_link_in_the_table_of_seeds_that_is_too_far_away(records, table_of, audited, monkeypatch):
    from provably_fair_baccarat.audit import chains

    monkeypatch.setattr(chains, "STEPS", 45)
    monkeypatch.setattr(chains, "STEPS_OF_ROW", 0)
    rounds = records("pfb1-chain", 1, 40)
    seeds = book({"commitment": rounds[0].commitment.digest, "server_seed": bytes(32)})
    assert codes_of(audited(table_of(rounds), seeds=seeds)) == {"not_followed": 1}


@pytest.mark.parametrize("coups", [-1, 2**53 + 1, 2**63 - 1])
def test_a_number_of_coups_that_cannot_be_is_refused(coups):
    with pytest.raises(AuditError, match=r"seeds, row 2, coups: expected a whole number from 0 to 2\^53"):
        SeedBook.of(book({"commitment": bytes(32), "coups": 0}, {"commitment": bytes([1]) * 32, "coups": coups}))


def test_a_book_is_known_by_all_that_it_tells():
    told = [{"commitment": bytes([place]) * 32, "client_seed": each} for place, each in enumerate((b"ab", b"c", None))]
    other = [{"commitment": bytes([place]) * 32, "client_seed": each} for place, each in enumerate((b"a", b"bc", None))]
    assert SeedBook.of(book(*told)).digest == SeedBook.of(book(*told[::-1])).digest != SeedBook.of(book(*other)).digest
    assert SeedBook.of(book(*told)).digest != SeedBook.of(book(*told[:2], {"commitment": told[2]["commitment"], "client_seed": b""})).digest


# Secrets used again


def links_of(last, length):
    links = [last]
    for _ in range(length):
        links.append(sha256(links[-1]).digest())
    return links[::-1]


def of_chain(links, coups, client_seed="bettor", decks=8):
    """Records of a chain, given its links from the anchor up."""
    chain = SeedChain(ServerSeed(links[-1]), len(links) - 1, decks)
    dealt = [
        (play_round(Seeds(chain.link(n), client_seed, chain.commitment, decks, chain=chain.chain), n), chain.link(n).server_seed)
        for n in coups
    ]
    return [RoundRecord.from_round(each, settle(each.coup, {"player": 100}, PUNTO_BANCO), server_seed=seed) for each, seed in dealt]


def of_seed(secret, coups=3, decks=8):
    seeds = Seeds.commit(ServerSeed(secret), "other", decks)
    return [
        RoundRecord.from_round(each, settle(each.coup, {"tie": 5}, PUNTO_BANCO), server_seed=seeds.server_seed)
        for each in (play_round(seeds, n) for n in range(coups))
    ]


LINKS = links_of(b"\7" * 32, 12)


@pytest.mark.parametrize(
    "others",
    [
        of_chain(LINKS[5:], range(4)),
        of_chain(LINKS[9:], range(2)),
        of_chain(LINKS[3:], range(2)),
        of_chain(LINKS[:9], range(2)),
        of_chain(LINKS, range(2), decks=6),
        of_seed(LINKS[0]),
        of_seed(LINKS[3]),
        of_seed(LINKS[7]),
        of_seed(LINKS[12]),
    ],
    ids=[
        "a chain above",
        "far above",
        "within what is known",
        "the same anchor",
        "other decks",
        "the anchor",
        "a link",
        "one to come",
        "the last",
    ],
)
def test_a_secret_of_a_chain_is_used_once(others, table_of, audited):
    chain = of_chain(LINKS, range(4))
    result = audited(table_of([*others, *chain]))
    texts = sorted((str(chain[0].commitment), str(others[0].commitment)))
    assert codes_of(result) == {"server_seed_reused": 1}
    assert (result.findings[0].commitment, result.findings[0].found) == (texts[1], f"that of commitment {texts[0]}")
    assert [each[0] for each in in_any_division(table_of([*others, *chain]))] == ["server_seed_reused"]


def test_a_chain_that_is_not_revealed_is_looked_at_too(table_of, audited):
    chain = of_chain(LINKS, range(4))
    table = table_of([*chain, *of_seed(LINKS[6])])
    hidden = with_columns(table, server_seed=[None] * 4 + table.column("server_seed").to_pylist()[4:])
    assert codes_of(audited(hidden)) == {"not_revealed": 4, "server_seed_reused": 1}


def test_secrets_in_the_table_of_seeds_count(table_of, audited):
    rounds = of_seed(bytes(32))
    used = {"commitment": rounds[0].commitment.digest, "server_seed": bytes(32)}
    other = {"commitment": b"\6" * 32, "server_seed": bytes(32), "coups": 0}
    assert codes_of(audited(table_of(rounds), seeds=book(used, other))) == {"server_seed_reused": 1}
    assert codes_of(audited(table_of(rounds), seeds=book(used, {**other, "server_seed": bytes([1]) * 32}))) == {}
    chain = of_chain(LINKS, range(4))
    newest = {"commitment": chain[0].commitment.digest, "server_seed": LINKS[8]}
    assert codes_of(audited(table_of([*chain, *of_seed(LINKS[8])]), seeds=book(newest))) == {"server_seed_reused": 1}


def test_many_uses_of_one_secret_are_told_once_each(table_of, audited):
    everyone = [
        *of_chain(LINKS, range(6)),
        *of_chain(LINKS[2:], range(3)),
        *of_chain(LINKS, range(1), decks=6),
        *of_seed(LINKS[3]),
        *of_seed(LINKS[3], decks=5),
    ]
    result = audited(table_of(everyone))
    texts = {str(record.commitment) for record in everyone}
    assert codes_of(result) == {"server_seed_reused": 4}
    assert {finding.commitment for finding in result.findings} == texts - {min(texts)}


def test_looking_inside_of_chains_is_bounded(table_of, audited, monkeypatch):
    chain = of_chain(LINKS, range(1))
    far = [*chain, *of_seed(LINKS[12])]
    assert codes_of(audited(table_of(far))) == {"server_seed_reused": 1}
    monkeypatch.setattr(reuse, "STEPS", 2 * 9)
    assert codes_of(audited(table_of(far))) == {}
    monkeypatch.setattr(reuse, "STEPS", 2 * 11)
    assert codes_of(audited(table_of(far))) == {"server_seed_reused": 1}
