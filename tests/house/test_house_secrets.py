"""A server seed that isn't revealed is nowhere: not in values, errors, exports, events, and not in one byte of the database."""

from __future__ import annotations

import base64
import pickle
import traceback

import pytest

from provably_fair_baccarat.errors import BaccaratError, SecretError

from .conftest import make_vault

CANARY = "c0ffee" * 10 + "beef"
RAW = bytes.fromhex(CANARY)
SPELLINGS = (CANARY, CANARY.upper(), repr(RAW), base64.b64encode(RAW).decode(), str(int(CANARY, 16)))


@pytest.fixture
def house(open_house):
    return open_house(entropy=lambda size: RAW if size == 32 else b"\x01" * size)


def assert_clean(text):
    for spelling in SPELLINGS:
        assert spelling not in text


def test_in_no_value_and_no_text(house):
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    record = house.play(pair, {"player": 5}, "key")
    opened = house._dealer.open(pair.id)
    row = house._store.pair(pair.id)
    for value in (pair, record, opened, row, house.recall("ann"), house.history(), house.events(), house._vault, house._dealer, house):
        assert_clean(repr(value) + str(value))
    assert_clean(b"".join(house.export("jsonl")).decode() + b"".join(house.export("csv")).decode())
    assert_clean(pickle.dumps((pair, record)).decode("latin-1"))
    with pytest.raises(SecretError):
        pickle.dumps(opened.seeds)


def test_in_no_error(house, open_house, engine):
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "key")
    engine.tamper("UPDATE pair SET pay_table = pay_table")
    calls = [
        lambda: house.play(pair, {"player": 6}, "key"),
        lambda: house.verify_history(pair),
        lambda: house.commit("ann"),  # the same server seed again
        lambda: open_house(vault=make_vault(keys={"k1": b"x" * 32})).play(pair, {"player": 5}, "other"),
    ]
    for call in calls:
        with pytest.raises(BaccaratError) as caught:
            call()
        assert_clean("".join(traceback.format_exception(caught.value)))
        assert_clean(repr(caught.value.args))


def test_in_no_byte_of_the_database_until_it_is_revealed(house, engine):
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "key")
    house.close()

    def content():
        return b"".join(path.read_bytes() for path in engine.path.parent.iterdir())

    before = content()
    assert pair.commitment.digest in before
    assert RAW not in before
    assert_clean(before.decode("latin-1"))
    with pytest.raises(BaccaratError):
        house.rotate(pair)


def test_open_pairs_are_bounded_and_forgotten_at_the_reveal(open_house):
    house = open_house()
    house._dealer._capacity = 3
    house.deposit("ann", 1000, "deposit")
    pairs = [house.choose_client_seed(house.commit("ann"), "lucky") for _ in range(5)]
    for number, pair in enumerate(pairs):
        house.play(pair, {"player": 5}, f"{number}")
    assert list(house._dealer._open) == [pair.id for pair in pairs[2:]]
    house.rotate(pairs[3])
    assert pairs[3].id not in house._dealer._open
    assert house.play(pairs[0], {"player": 5}, "again").nonce == 1
