"""The word stream and the unbiased draw: protocol steps 3 and 4."""

from __future__ import annotations

import hmac
from collections import Counter
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import ClientSeed, ServerSeed
from provably_fair_baccarat.errors import DrawError
from provably_fair_baccarat.fairness.stream import draw, hmac_blocks, unpack_words, words_of
from provably_fair_baccarat.testing import client_seeds, nonces, server_seeds


@given(server_seeds(), st.sampled_from(["pfb1:8", "pfb1-shoe:1"]), client_seeds(), nonces(), st.integers(0, 60))
def test_blocks_are_the_hmac_of_the_message(server_seed, label, client_seed, nonce, i):
    message = f"{label}:{client_seed}:{nonce}:{i}".encode()
    key = bytes.fromhex(server_seed.reveal())
    assert hmac_blocks(server_seed, label, client_seed)(nonce, i) == hmac.digest(key, message, "sha256")


def test_messages_of_every_length_across_the_block_edge():
    server_seed = ServerSeed(bytes(range(32)))
    for length in range(1, 129):
        client_seed = ClientSeed("x" * length)
        message = f"pfb1:8:{client_seed}:0:0".encode()
        assert hmac_blocks(server_seed, "pfb1:8", client_seed)(0, 0) == hmac.digest(bytes(range(32)), message, "sha256")


def test_the_stream_is_block_after_block_big_endian():
    blocks = hmac_blocks(ServerSeed(bytes(32)), "pfb1:8", ClientSeed("x"))
    stream = list(islice(words_of(blocks, 7), 20))
    octets = b"".join(blocks(7, i) for i in range(3))
    assert stream == [int.from_bytes(octets[4 * k : 4 * k + 4], "big") for k in range(20)]
    assert unpack_words(bytes(range(32)))[0] == 0x00010203


@pytest.mark.parametrize("n", range(1, 17))
def test_a_draw_is_exactly_uniform(n):
    """Over all pairs of 4-bit words, each first accepted word gives every result equally often, and n = 1, 2, 4, 8, 16 reject nothing."""
    results = Counter()
    for pair in product(range(16), repeat=2):
        words = iter(pair)
        try:
            results[draw(words, n, word_bits=4), len(list(words))] += 1
        except DrawError:
            results["rejected twice", 0] += 1
    accepted = 16 - 16 % n
    per_result = accepted // n
    rejected = results.pop(("rejected twice", 0), 0)
    assert rejected == (16 - accepted) ** 2
    for k in range(n):
        assert results.pop((k, 1)) == per_result * 16
        assert results.pop((k, 0), 0) == per_result * (16 - accepted)
    assert not results


@given(st.integers(1, 2**32), st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_the_first_word_below_the_limit_counts(n, words):
    limit = 2**32 - 2**32 % n
    accepted = [word for word in words if word < limit]
    stream = iter(words)
    if accepted:
        assert draw(stream, n) == accepted[0] % n
        assert len(list(stream)) == len(words) - words.index(accepted[0]) - 1
    else:
        with pytest.raises(DrawError):
            draw(stream, n)


def test_the_limit_itself_is_rejected_and_one_less_is_not():
    limit = 2**32 - 2**32 % 416
    assert draw(iter([limit, 5]), 416) == 5
    assert draw(iter([limit - 1, 5]), 416) == 415
    assert draw(iter([2**32 - 1]), 256) == 255
    assert draw(iter([2**32 - 1]), 1) == 0
    assert draw(iter([2**32 - 1]), 2**32) == 2**32 - 1


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1, 1.0, True, None, "6"])
def test_what_cannot_be_drawn_from(n):
    with pytest.raises(DrawError):
        draw(iter([0]), n)
