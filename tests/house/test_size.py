"""What a round takes on disk, records and ledger included."""

from __future__ import annotations

import sqlite3

from provably_fair_baccarat.house import BetRequest, House

from .conftest import SqliteEngine, make_vault

ROUNDS = 4000


def test_a_round_takes_at_most_400_bytes(tmp_path):
    engine = SqliteEngine(tmp_path)
    house = House(engine.open(), make_vault())
    house.deposit("ann", 10**20, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house._store.close()
    empty = engine.path.stat().st_size
    house = House(engine.open(), make_vault())
    keys = (f"018f3a5e-7b1c-7def-{number * 7919 % ROUNDS:04d}-{number:012d}" for number in range(ROUNDS))
    house.play_many(BetRequest(pair, {"player": 12_500, "tie": 1_000}, key) for key in keys)
    house.close()
    with sqlite3.connect(engine.path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    assert (engine.path.stat().st_size - empty) / ROUNDS <= 400
