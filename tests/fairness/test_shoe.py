"""Cut and cards: protocol step 5, by the book and by the short way."""

from __future__ import annotations

from hashlib import sha256
from itertools import permutations
from math import factorial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provably_fair_baccarat import ClientSeed, ServerSeed
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.fairness.shoe import cut_and_draw, six_from_block
from provably_fair_baccarat.fairness.stream import hmac_blocks, unpack_words, words_of
from provably_fair_baccarat.testing import deck_counts


def full_shuffle(words, decks):
    """The whole shoe, cut and shuffled in memory, as protocol step 5 says it; draws by step 4, written again."""
    size = 52 * decks

    def draw(n):
        while True:
            word = next(words)
            if word < 2**32 - 2**32 % n:
                return word % n

    cut = draw(size)
    shoe = [DECK[(cut + s) % size % 52] for s in range(size)]
    for k in range(size - 1):
        j = k + draw(size - k)
        shoe[k], shoe[j] = shoe[j], shoe[k]
    return cut, tuple(shoe)


def first_six(cut_and_shoe):
    cut, shoe = cut_and_shoe
    return cut, shoe[:6]


def blocks(seed):
    return hmac_blocks(ServerSeed(bytes([seed]) * 32), "pfb1:8", ClientSeed("shoe"))


@given(st.integers(0, 255), st.integers(0, 10**6), deck_counts())
def test_six_cards_are_the_first_six_of_the_full_shuffle(seed, nonce, decks):
    stream = blocks(seed)
    cut, shoe = full_shuffle(words_of(stream, nonce), decks)
    assert cut_and_draw(words_of(stream, nonce), decks) == (cut, shoe[:6])
    assert cut_and_draw(words_of(stream, nonce), decks, count=52 * decks) == (cut, shoe)
    assert sorted(map(str, shoe)) == sorted(map(str, DECK * decks))


near_the_edge = st.integers(2**32 - 700, 2**32 - 1) | st.integers(0, 2**32 - 1) | st.integers(0, 12)


@given(st.lists(near_the_edge, min_size=24, max_size=24), deck_counts())
@example([2**32 - 1] * 8 + [0] * 16, 8)
@example([0, 5, 4, 3, 2, 1, 0, 2**32 - 1] + [7] * 16, 8)
def test_rejections_and_collisions_take_the_exact_way(words, decks):
    """Words near 2^32 are rejected, often across a block's edge; small ones draw a slot twice."""
    exact = cut_and_draw(iter([*words, *range(99)]), decks)
    assert exact == first_six(full_shuffle(iter([*words, *range(999)]), decks))
    block = b"".join(word.to_bytes(4, "big") for word in words[:8])
    assert unpack_words(block) == tuple(words[:8])
    short = six_from_block(block, decks)
    assert short in (None, exact)


def test_the_short_way_is_taken_for_all_but_few_coups():
    stream = blocks(1)
    taken = sum(six_from_block(stream(nonce, 0), 8) is not None for nonce in range(1000))
    assert 940 <= taken <= 985


def test_the_short_way_declines_whatever_it_cannot_do():
    safe = [1000 * k for k in range(1, 9)]

    def encode(words):
        return b"".join(word.to_bytes(4, "big") for word in words)

    assert six_from_block(encode(safe), 8) is not None
    for place in range(7):
        assert six_from_block(encode([*safe[:place], 2**32 - 1, *safe[place + 1 :]]), 8) is None
    assert six_from_block(encode([0, 5, 4, 0, 0, 0, 0, 0]), 8) is None


@pytest.mark.parametrize("draws", [[0, 0, 0, 0, 0, 0, 0], [415, 415, 414, 413, 412, 411, 410], [7, 5, 4, 3, 2, 1, 0]])
def test_draws_at_the_ends_of_the_shoe(draws):
    assert cut_and_draw(iter(draws), 8) == first_six(full_shuffle(iter([*draws, *[0] * 500]), 8))


def test_every_order_of_a_small_shoe_is_equally_likely():
    """The forward shuffle of step 5.3 over a shoe of four: each of the 4! outcomes of the draws gives another order."""
    orders = set()
    for a in range(4):
        for b in range(3):
            for c in range(2):
                shoe = list("abcd")
                for k, draw in enumerate((a, b, c)):
                    j = k + draw
                    shoe[k], shoe[j] = shoe[j], shoe[k]
                orders.add(tuple(shoe))
    assert orders == set(permutations("abcd"))
    assert len(orders) == factorial(4)


def test_known_shoes(vectors):
    keys = {
        "id",
        "step",
        "server_seed",
        "client_seed",
        "nonce",
        "decks",
        "commitment",
        "cut",
        "order_sha256",
        "first_cards",
        "burnt",
        "coups",
        "note",
    }
    for answer in vectors("shoes")["shoes"]:
        assert set(answer) | {"note"} == keys
        label = f"pfb1-shoe:{answer['decks']}"
        stream = hmac_blocks(ServerSeed.parse(answer["server_seed"]), label, ClientSeed(answer["client_seed"]))
        cut, cards = cut_and_draw(words_of(stream, answer["nonce"]), answer["decks"], 52 * answer["decks"])
        assert cut == answer["cut"]
        assert [str(card) for card in cards[:12]] == answer["first_cards"]
        assert sha256(" ".join(map(str, cards)).encode()).hexdigest() == answer["order_sha256"]
