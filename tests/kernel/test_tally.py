"""How coups ended, counted natively: the same as by reading their records, by every path and on any number of threads."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import KernelError, NonceError, SchemeError
from provably_fair_baccarat.fairness.inputs import parse_nonce
from provably_fair_baccarat.fairness.seed_pair import Seeds
from provably_fair_baccarat.rules.coup import deal_coup
from provably_fair_baccarat.rules.odds import CoupClass


def classes_of(seeds, nonces):
    """Every coup dealt by the rules, one by one."""
    counts = Counter()
    for coup in kernel.read_records(kernel.derive(seeds, nonces, path="python")):
        dealt = deal_coup(coup.cards)
        counts[CoupClass(dealt.player.score, dealt.banker.score, len(dealt.player.cards), len(dealt.banker.cards))] += 1
    return dict(counts)


def test_classes_are_those_of_the_coups(path, seeds):
    pair = seeds(5, "tally", 3)
    nonces = range(10**6, 10**6 + 3000)
    expected = classes_of(pair, nonces)
    assert kernel.tally(pair, nonces, path=path) == expected
    assert kernel.tally(pair, array("Q", nonces), path=path) == expected
    assert all(type(coup) is CoupClass for coup in kernel.tally(pair, nonces, path=path))


def test_threads_give_the_same_classes(native_path, seeds):
    pair = seeds(6)
    for size in (0, 1, 64, 65, 1000):
        nonces = range(size)
        expected = classes_of(pair, nonces)
        for threads in (1, 2, 3, 64):
            assert kernel.tally(pair, nonces, path=native_path, threads=threads) == expected


def test_classes_sum_to_what_is_counted(path, seeds):
    pair, nonces = seeds(7), range(2000)
    classes = kernel.tally(pair, nonces, path=path)
    player = sum(count for coup, count in classes.items() if coup.player_score > coup.banker_score)
    tie = sum(count for coup, count in classes.items() if coup.player_score == coup.banker_score)
    assert kernel.count(pair, nonces) == (player, 2000 - player - tie, tie)


def test_what_cannot_be_tallied(path, seeds):
    for nonces in (range(-1, 2), [2**53], array("q", [0, -1]), "1"):
        with pytest.raises(NonceError):
            kernel.tally(seeds(), nonces, path=path)
    with pytest.raises(KernelError, match="threads"):
        kernel.tally(seeds(), range(2), threads=65, path=path)
    with pytest.raises(SchemeError):
        kernel.tally(Seeds.commit(seeds().server_seed, "x", scheme="pfb1-shoe"), range(2), path=path)


def test_the_extension_bounds_its_buffers(native_class):
    prepared = native_class(bytes(32), b"pfb1:8:x:", 8, DECK, parse_nonce)
    for write, size in ((prepared.words, 32), (prepared.draws, 14)):
        assert write((0, 10), bytearray(10 * size)) == 10
        for nonces, out in (((0, 10), bytearray(10 * size - 1)), ((0, 2**53 + 1), bytearray(8)), (array("q", [-1]), bytearray(64))):
            with pytest.raises(ValueError):
                write(nonces, out)
        for arguments in (((0, 1), bytes(64)), ((0, 1),), (5, bytearray(64))):
            with pytest.raises(TypeError):
                write(*arguments)
    for n, words, out in (
        (0, bytes(8), bytearray(8)),
        (2**32 + 1, bytes(8), bytearray(8)),
        (5, bytes(7), bytearray(8)),
        (5, bytes(8), bytearray(7)),
    ):
        with pytest.raises(ValueError):
            prepared.scale(words, n, out)
    assert prepared.scale(b"", 5, bytearray()) == 0
    assert prepared.tally((0, 100), 1_000) == prepared.tally((0, 100), -1)
