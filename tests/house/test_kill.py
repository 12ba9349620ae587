"""Killed at any moment: nothing that was acknowledged is lost, and everything still adds up.

HOUSE_KILLS in the environment says how often; the short version kills ten times.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from provably_fair_baccarat.house import House, Vault, add_key

from .until_killed import all_rounds, lines_until_killed

PROGRAM = Path(__file__).parent / "play_until_killed.py"
KILLS = int(os.environ.get("HOUSE_KILLS", "10"))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")


def test_killed_at_random_moments(engine, tmp_path):
    chance = random.Random(8)
    key_file = tmp_path / "keys"
    add_key(key_file, "k1")
    acknowledged = {}
    for run in range(KILLS):
        for line in lines_until_killed(chance.uniform(0, 0.12), PROGRAM, engine.path, key_file, run):
            what, pair, nonce, key = line.split(" ")
            acknowledged[pair, int(nonce)] = (key.replace("_", " "), what)

        with House(engine.open(), Vault.from_key_file(key_file)) as house:
            rounds = {(kept.acceptance.pair, kept.acceptance.nonce): kept for kept in all_rounds(house, "ann")}
            for (pair, nonce), (key, what) in acknowledged.items():
                kept = rounds[pair, nonce]
                assert kept.acceptance.key == key
                assert kept.record is not None or what == "accepted"
            house.verify_books()
            open_rounds = sum(kept.record is None for kept in rounds.values())
            assert house.recover().dealt == open_rounds
            assert house.recover().dealt == 0
            house.verify_books()
            pairs = house.pairs("ann")
            for pair in pairs:
                assert pair.settled == pair.settled_in_order == pair.next_nonce == sum(place[0] == pair.id for place in rounds)
                if pair.chain is not None:
                    assert house.verify_history(pair).rounds == pair.next_nonce
            if run % 3 == 2:  # every other run that makes a new pair makes one with a seed chain
                pair = house.rotate(pairs[-1]).revealed
                assert house.verify_history(pair).rounds == pair.next_nonce
    assert len(acknowledged) > KILLS
