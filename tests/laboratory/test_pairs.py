"""Seed pairs for a laboratory: the same key, the same pairs, and each of them as a house and a bettor would have made it."""

from __future__ import annotations

import hmac
from hashlib import sha256
from itertools import islice

import pytest

from provably_fair_baccarat.errors import DecksError, LaboratoryError
from provably_fair_baccarat.laboratory import repeatable_entropy, seed_pairs

KEY = bytes(range(32))


def block(number):
    return hmac.new(KEY, b"pfb laboratory:%d" % number, sha256).digest()


def test_entropy_is_hmac_of_a_counter():
    entropy = repeatable_entropy(KEY)
    assert entropy(32) == block(0)
    assert entropy(8) == block(1)[:8]
    assert entropy(40) == block(2) + block(3)[:8]
    assert entropy(0) == b""
    assert entropy(1) == block(4)[:1]


def test_a_pair_is_made_in_the_order_of_a_real_one():
    for turn, seeds in enumerate(islice(seed_pairs(KEY, 6), 3)):
        server_seed = block(2 * turn)
        commitment = sha256(b"pfb1:6:" + server_seed.hex().encode()).hexdigest()
        assert seeds.server_seed.reveal() == server_seed.hex()
        assert str(seeds.commitment) == commitment
        assert seeds.client_seed.text == f"{block(2 * turn + 1)[:8].hex()}-{commitment[:16]}"
        assert (seeds.decks, seeds.scheme) == (6, "pfb1")


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33), "0" * 64, None, bytearray(32)])
def test_a_key_has_32_bytes(key):
    with pytest.raises(LaboratoryError, match="entropy") as refusal:
        seed_pairs(key)
    assert "000" not in str(refusal.value)


def test_decks_are_refused_at_once():
    with pytest.raises(DecksError):
        seed_pairs(KEY, 9)
