"""The kernel equals the reference: on known answers, on random inputs, at every edge of a block, by every path."""

from __future__ import annotations

import os
import random
from array import array

import pytest

from provably_fair_baccarat import kernel, play_round
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.fairness.schemes.pfb1 import PFB1
from provably_fair_baccarat.fairness.seed_pair import Seeds
from provably_fair_baccarat.fairness.seeds import ClientSeed, ServerSeed

RANDOM_INPUTS = int(os.environ.get("KERNEL_RANDOM_INPUTS", "100000"))
"""How many random inputs are compared; a million takes a minute."""


def records(seeds, nonces, path, **options):
    return bytes(kernel.derive(seeds, nonces, path=path, **options))


def edge_nonces():
    """The smallest, the largest and one more nonce of every number of digits."""
    nonces = [0, 1, 9, 2**53 - 1]
    for digits in range(2, 17):
        low, high = 10 ** (digits - 1), min(10**digits, 2**53) - 1
        nonces += [low, (low + high) // 2, high]
    return nonces


@pytest.mark.parametrize("name", ["pfb1", "rejections"])
def test_known_answers(vectors, name, path):
    for vector in vectors(name)["coups"]:
        seeds = Seeds.commit(vector["server_seed"], vector["client_seed"], vector["decks"])
        nonce = vector["nonce"]
        one = kernel.derive(seeds, range(nonce, nonce + 1), path=path)
        (coup,) = kernel.read_records(one)
        assert coup.cut == vector["cut"], vector["id"]
        assert [str(card) for card in coup.cards] == vector["cards"], vector["id"]
        assert coup.winner.value == vector["winner"], vector["id"]
        assert (coup.player_score, coup.banker_score) == (vector["player_score"], vector["banker_score"]), vector["id"]
        assert coup.natural == vector["natural"], vector["id"]
        assert coup.cards_used == len(vector["player"]) + len(vector["banker"]), vector["id"]
        among_others = records(seeds, [0, 5, nonce, 10**15, nonce], path)
        assert among_others[24:36] == among_others[48:60] == bytes(one), vector["id"]


def test_rejections_are_real(vectors):
    """There are rejections of every draw, and words that are near 2^32 and are accepted."""
    coups = vectors("rejections")["coups"]
    rejected = [coup for coup in coups if coup["rejected"]]
    assert {word["draw"] for coup in rejected for word in coup["rejected"]} == {"cut", *(f"position {k}" for k in range(1, 7))}
    assert len({coup["decks"] for coup in rejected}) >= 2
    assert len(rejected) >= 8
    assert len(coups) > len(rejected)


def test_one_coup_at_a_time_equals_the_scheme_and_the_vectors(vectors):
    for vector in [*vectors("pfb1")["coups"], *vectors("rejections")["coups"]]:
        server_seed, client_seed = ServerSeed.parse(vector["server_seed"]), ClientSeed(vector["client_seed"])
        decks, nonce = vector["decks"], vector["nonce"]
        cut, cards = kernel.coup_source(server_seed, f"pfb1:{decks}", client_seed, decks)(nonce)
        assert (cut, [str(card) for card in cards]) == (vector["cut"], vector["cards"])
        assert (cut, cards) == PFB1.source(server_seed, client_seed, decks)(nonce)
        assert type(cut) is int
        assert all(card is DECK[DECK.index(card)] for card in cards)


def test_the_coups_of_a_chain(vectors):
    chain = vectors("pfb1")["chain"]
    for coup in chain["coups"]:
        link, client_seed = ServerSeed.parse(coup["link"]), ClientSeed(chain["client_seed"])
        cut, cards = kernel.coup_source(link, f"pfb1-chain:{chain['decks']}", client_seed, chain["decks"])(coup["nonce"])
        assert (cut, [str(card) for card in cards]) == (coup["cut"], coup["cards"])


def random_text(chance):
    """A client seed of 1 to 128 bytes, plain or of several bytes a letter."""
    size = chance.randint(1, 128)
    if chance.random() < 0.7:
        return "".join(chance.choices("0123456789abcdef:-é"[:18], k=size))
    return "".join(chance.choices("éß♠🂡", k=max(1, size // 4)))


def random_nonces(chance, count):
    if chance.random() < 0.3:
        start = chance.randrange(2**53 - count)
        return range(start, start + count)
    return array("Q", (chance.randrange(min(10 ** chance.randint(1, 16), 2**53)) for _ in range(count)))


def test_random_inputs_give_the_same_records_by_every_path():
    if kernel.kernel_info().paths == ("python",):
        pytest.skip(f"no native kernel: {kernel.kernel_info().reason}")
    chance = random.Random(5)
    size = 50
    for _ in range(RANDOM_INPUTS // size):
        seeds = Seeds.commit(ServerSeed(chance.randbytes(32)), random_text(chance), chance.randint(1, 8))
        nonces = random_nonces(chance, size)
        expected = records(seeds, nonces, "python")
        source = kernel.coup_source(seeds.server_seed, PFB1.label(seeds.decks), seeds.client_seed, seeds.decks)
        for path in kernel.kernel_info().paths[:-1]:
            assert records(seeds, nonces, path) == expected, (path, seeds.server_seed.reveal(), seeds.client_seed, seeds.decks, nonces)
        for nonce, coup in zip(nonces, kernel.read_records(expected), strict=True):
            assert source(nonce) == (coup.cut, coup.cards), (seeds.server_seed.reveal(), seeds.client_seed, seeds.decks, nonce)


@pytest.fixture(scope="module")
def every_length():
    """The reference's records for every length of message: client seeds of 1 to 128 bytes, nonces of 1 to 16 digits."""
    nonces = edge_nonces()
    pairs = [Seeds.commit(ServerSeed(bytes([size]) * 32), "c" * size, 1 + size % 8) for size in range(1, 129)]
    return nonces, [(seeds, records(seeds, nonces, "python")) for seeds in pairs]


def test_messages_of_every_length(every_length, native_path):
    nonces, expected = every_length
    assert {len(str(nonce)) for nonce in nonces} == set(range(1, 17))
    for seeds, answer in expected:
        assert records(seeds, nonces, native_path) == answer, len(seeds.client_seed.utf8)
        assert records(seeds, nonces[::-1], native_path)[::-12] == answer[11::12], len(seeds.client_seed.utf8)


def test_lengths_that_change_inside_a_range(native_path, seeds):
    """A range passes powers of ten, and with some client seeds the edge of a block, inside a group of lanes."""
    for size in (35, 36, 37, 38, 39, 46, 47, 100, 101):
        for power in (1, 2, 3, 8, 15):
            start = max(0, 10**power - 70)
            pair = seeds(3, "d" * size)
            nonces = range(start, start + 140)
            assert records(pair, nonces, native_path) == records(pair, nonces, "python"), (size, power)


def test_records_say_what_play_round_says(path, seeds):
    pair = seeds(7, "record", 6)
    nonces = range(1000)
    for nonce, coup in zip(nonces, kernel.read_records(kernel.derive(pair, nonces, path=path)), strict=True):
        played = play_round(pair, nonce)
        assert (coup.cut, coup.cards) == (played.cut, played.cards)
        assert coup.winner is played.coup.winner
        assert (coup.player_score, coup.banker_score) == (played.coup.player.score, played.coup.banker.score)
        assert (coup.cards_used, coup.natural) == (played.coup.cards_used, played.coup.natural)


def test_counts_are_those_of_the_records(path, seeds):
    pair = seeds(9)
    nonces = range(10**6, 10**6 + 3000)
    winners = [coup.winner.value for coup in kernel.read_records(kernel.derive(pair, nonces))]
    counts = kernel.count(pair, nonces, path=path)
    assert counts == tuple(winners.count(name) for name in ("player", "banker", "tie"))
    assert kernel.count(pair, list(nonces), path=path) == counts


def test_every_ending_of_a_coup_is_met(native_path, seeds):
    """With two decks, a hundred thousand coups meet every cell of the tableau many times; each is dealt as the rules deal it."""
    pair = seeds(11, "tableau", 2)
    coups = range(100_000)
    derived = list(kernel.read_records(kernel.derive(pair, coups, path=native_path)))
    cells = {
        ((coup.cards[1].points + coup.cards[3].points) % 10, coup.cards[4].points)
        for coup in derived
        if not coup.natural and (coup.cards[0].points + coup.cards[2].points) % 10 <= 5
    }
    assert len(cells) == 80
    from provably_fair_baccarat import deal_coup

    for coup in derived:
        dealt = deal_coup(coup.cards)
        assert (coup.winner, coup.player_score, coup.banker_score, coup.cards_used, coup.natural) == (
            dealt.winner,
            dealt.player.score,
            dealt.banker.score,
            dealt.cards_used,
            dealt.natural,
        )


def test_threads_give_the_same_as_one(native_path, seeds):
    pair = seeds(13)
    for size in (0, 1, 63, 64, 65, 129, 1000):
        nonces = range(99_000, 99_000 + size)
        expected = records(pair, nonces, native_path)
        assert len(expected) == 12 * size
        for threads in (2, 3, 8, 64):
            assert records(pair, nonces, native_path, threads=threads) == expected
            assert records(pair, array("Q", nonces), native_path, threads=threads) == expected
            assert kernel.count(pair, nonces, path=native_path, threads=threads) == kernel.count(pair, nonces, path="python")
