"""Many sound rounds as a table, made at once: three main bets' money, so many rounds of each pair, in any order."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pyarrow as pa

from provably_fair_baccarat import PUNTO_BANCO, kernel
from provably_fair_baccarat.audit.schema import LINE, ROUNDS
from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.cards import DECK

AT = np.datetime64("2026-11-01", "us").astype(np.int64)


def many_rounds(pairs, coups, seed=1, *, is_shuffled=False):
    """A table of `pairs` x `coups` rounds with one bet each."""
    chance, count = np.random.default_rng(seed), pairs * coups
    keys = [chance.bytes(32) for _ in range(pairs)]
    commitments = [sha256(b"pfb1:8:" + key.hex().encode()).digest() for key in keys]
    clients = [f"{chance.bytes(8).hex()}-{commitment.hex()[:16]}".encode() for commitment in commitments]
    pair, nonce = np.repeat(np.arange(pairs, dtype=np.int32), coups), np.tile(np.arange(coups, dtype=np.int64), pairs)
    offsets = (33 * np.arange(pairs + 1)).astype(np.int32)
    rows = kernel.Rows(b"".join(keys), pair, np.full(count, 8, np.uint8), b"".join(clients), offsets, pair, nonce)
    coup = np.frombuffer(kernel.derive_rows(rows), kernel.RECORD_DTYPE)
    cards = np.array([str(card).encode() for card in DECK])[coup["cards"]]
    bet, stake = chance.integers(0, 3, count), 20 * chance.integers(1, 10_000, count)
    won, pushed = bet == coup["winner"], (coup["winner"] == 2) & (bet < 2)
    multiplier = np.array([2_000_000, 1_950_000, 9_000_000])[bet]
    returned = np.where(won, stake * multiplier // 10**6, np.where(pushed, stake, 0))
    names, statuses = pa.array(["player", "banker", "tie"]), pa.array(["lost", "pushed", "won"])

    def amounts(values):
        return pa.array(values).cast(pa.decimal128(38, 0))

    def of_pair(values, kind):
        return pa.array(values, kind).take(pa.array(pair))

    def always(value, kind):
        return pa.array([value], kind).take(pa.array(np.zeros(count, np.int32)))

    status = np.where(won, 2, np.where(pushed, 1, 0))
    lines = [names.take(pa.array(bet)), amounts(stake), statuses.take(pa.array(status)), amounts(returned)]
    bets = pa.ListArray.from_arrays(pa.array(np.arange(count + 1, dtype=np.int32)), pa.StructArray.from_arrays(lines, fields=list(LINE)))
    times = AT + 1000 * np.arange(count)
    columns = {
        "scheme": always("pfb1", pa.string()),
        "decks": always(8, pa.uint8()),
        "commitment": of_pair(commitments, pa.binary(32)),
        "server_seed": of_pair(keys, pa.binary(32)),
        "client_seed": of_pair(clients, pa.binary()),
        "nonce": pa.array(nonce),
        "cut": pa.array(coup["cut"].copy()),
        "cards": pa.array(np.ascontiguousarray(cards).view("S12").ravel()).cast(pa.string()),
        "player_score": pa.array(coup["player_score"].copy()),
        "banker_score": pa.array(coup["banker_score"].copy()),
        "winner": names.take(pa.array(coup["winner"].copy())),
        "natural": pa.array((coup["flags"] & kernel.NATURAL) > 0),
        "bets": bets,
        "staked": amounts(stake),
        "returned": amounts(returned),
        "pay_table": always(canonical_json(PUNTO_BANCO.to_dict()).decode(), pa.string()),
        "pay_table_digest": always(bytes.fromhex(PUNTO_BANCO.digest), pa.binary(32)),
        "accepted_at": pa.array(times).cast(pa.timestamp("us", "UTC")),
        "settled_at": pa.array(times + 5).cast(pa.timestamp("us", "UTC")),
    }
    table = pa.table(list(columns.values()), schema=pa.schema([ROUNDS.field(name) for name in columns], metadata=ROUNDS.metadata))
    return table.take(pa.array(chance.permutation(count))) if is_shuffled else table
