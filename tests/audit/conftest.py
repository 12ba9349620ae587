"""What the tests of audits share: played rounds as records and as tables, and audits of them."""

from __future__ import annotations

import random

import pytest

from provably_fair_baccarat import PUNTO_BANCO, RoundRecord, SeedChain, Seeds, ServerSeed, play_round, play_shoe, settle


def played(scheme="pfb1", pairs=3, coups=5, table=PUNTO_BANCO, *, seed=1, decks=8):
    """Records of some pairs, revealed, with random bets and times."""
    chance = random.Random(seed)
    names = list(table.offers)
    for pair in range(pairs):
        key = ServerSeed(chance.randbytes(32))
        client_seed = f"bettor {pair}" if pair % 2 else f"Zoë-{pair}"
        if scheme == "pfb1-chain":
            chain = SeedChain(key, coups, decks)
            dealt = [
                (play_round(Seeds(chain.link(n), client_seed, chain.commitment, decks, chain=chain.chain), n), chain.link(n).server_seed)
                for n in range(coups)
            ]
        else:
            seeds = Seeds.commit(key, client_seed, decks, scheme=scheme)
            shoes = scheme == "pfb1-shoe"
            rounds = play_shoe(seeds, 0) if shoes else [play_round(seeds, nonce) for nonce in range(coups)]
            dealt = [(each, key) for each in rounds]
        for each, server_seed in dealt:
            bets = {name: chance.randint(1, 10**6) * table.stake_step for name in chance.sample(names, chance.randint(0, 3))}
            yield RoundRecord.from_round(each, settle(each.coup, bets, table), server_seed=server_seed)


@pytest.fixture(scope="session")
def records():
    """Records by scheme, pairs, coups, table."""
    return lambda *arguments, **options: list(played(*arguments, **options))


@pytest.fixture(scope="session")
def table_of():
    """A table of rounds from records."""
    pa = pytest.importorskip("pyarrow", reason="audits need pyarrow")
    from provably_fair_baccarat.audit.records import read_json_lines

    def build(records, **changed):
        lines = [record if isinstance(record, bytes) else record.to_json() for record in records]
        batches = [each for each in read_json_lines(lines, "memory", 1) if isinstance(each, pa.RecordBatch)]
        table = pa.Table.from_batches(batches).drop_columns(["row"])
        for name, values in changed.items():
            place = table.schema.get_field_index(name)
            column = pa.array(values)
            table = table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
        return table

    return build


@pytest.fixture(scope="session")
def audited():
    """An audit of anything, with its findings as (code, row)."""
    pytest.importorskip("pyarrow", reason="audits need pyarrow")
    from provably_fair_baccarat.audit import audit

    return lambda source, **options: audit(source, workers=1, **options)
