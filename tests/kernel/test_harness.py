"""The C code without Python: under sanitizers, on an emulated processor, and on words that no search finds."""

from __future__ import annotations

import os
import random
import shutil

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.fairness.seed_pair import Seeds
from provably_fair_baccarat.fairness.seeds import ClientSeed, ServerSeed
from provably_fair_baccarat.fairness.shoe import cut_and_draw
from provably_fair_baccarat.fairness.stream import draw, hmac_blocks

FUZZ_ROUNDS = os.environ.get("KERNEL_FUZZ_ROUNDS", "2000")


def random_words(chance, decks):
    """Words of which many are rejected, or just not, and many draw a slot twice."""
    edge = 2**32 - 2**32 % (52 * decks)
    kinds = (
        lambda: chance.randrange(2**32 - 520, 2**32),
        lambda: edge + chance.randint(-2, 2),
        lambda: chance.randrange(12),
        lambda: chance.randrange(2**32),
    )
    words = [min(chance.choice(kinds)(), 2**32 - 1) for _ in range(24)]
    return [*words, *(chance.randrange(2**31) for _ in range(8))]


def test_the_exact_way_goes_from_block_to_block(harness, run_harness):
    """Rejections that move into block 1, 2 and 3 are too rare to be found in a stream, so the words are given."""
    chance = random.Random(3)
    given = [(decks, random_words(chance, decks)) for decks in (1, 2, 3, 4, 5, 6, 7, 8) for _ in range(250)]
    taken = set()
    answers = run_harness(harness, "exact", lines=(f"{decks} {' '.join(f'{word:x}' for word in words)}" for decks, words in given))
    for (decks, words), answer in zip(given, answers, strict=True):
        left = iter(words)
        expected = cut_and_draw(left, decks)
        taken.add((len(words) - sum(1 for _ in left) - 1) // 8)
        (coup,) = kernel.read_records(bytes.fromhex(answer))
        assert (coup.cut, coup.cards) == expected, (decks, words)
    assert {0, 1, 2} <= taken


def test_the_exact_draws_tell_how_many_blocks_they_take(harness, run_harness):
    chance = random.Random(4)
    given = [(decks, random_words(chance, decks)) for decks in range(1, 9) for _ in range(250)]
    answers = run_harness(harness, "draws", lines=(f"{decks} {' '.join(f'{word:x}' for word in words)}" for decks, words in given))
    blocks_taken = set()
    for (decks, words), answer in zip(given, answers, strict=True):
        blocks, *draws = map(int, answer.split(","))
        left = iter(words)
        assert draws == [draw(left, n) for n in (52 * decks, *range(52 * decks, 52 * decks - 6, -1))], (decks, words)
        assert blocks == -(-(len(words) - sum(1 for _ in left)) // 8), (decks, words)
        blocks_taken.add(blocks)
    assert {1, 2, 3} <= blocks_taken


def test_every_block_of_the_stream(harness, run_harness):
    lines, expected = [], []
    for size in (1, 16, 37, 38, 39, 40, 46, 47, 48, 55, 56, 119, 120, 128):
        for nonce in (0, 10**8, 2**53 - 1):
            blocks = hmac_blocks(ServerSeed(bytes([size]) * 32), "pfb1:8", ClientSeed("b" * size))
            for i in (0, 1, 9, 10, 123456789, 2**32 - 1):
                prefix = b"pfb1:8:%b:" % (b"b" * size)
                lines.append(f"{bytes([size]).hex() * 32} {prefix.hex()} {nonce} {i}")
                expected.append(blocks(nonce, i).hex())
    assert run_harness(harness, "blocks", lines=lines) == expected


def test_fuzzed_under_sanitizers(compile_harness, run_harness):
    sanitized = compile_harness("gcc", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    run_harness(sanitized, "fuzz", FUZZ_ROUNDS, "1")


def emulated_cases(vectors):
    """Known answers, and one message of every length."""
    for vector in [*vectors("pfb1")["coups"], *vectors("rejections")["coups"]]:
        yield Seeds.commit(vector["server_seed"], vector["client_seed"], vector["decks"]), vector["nonce"], vector["cards"]
    for size in range(1, 129):
        yield Seeds.commit(ServerSeed(bytes([size]) * 32), "e" * size, 1 + size % 8), 10 ** (size % 16) - size % 2, None


def test_armv8_by_emulation(compile_harness, run_harness, vectors):
    if shutil.which("qemu-aarch64") is None:
        pytest.skip("there is no qemu-aarch64")
    emulated = compile_harness("aarch64-linux-gnu-gcc", "-O2", "-static")
    assert run_harness("qemu-aarch64", emulated, "paths") == ["armv8", "portable"]
    for path in ("armv8", "portable"):
        lines, expected, known = [], [], []
        for seeds, nonce, cards in emulated_cases(vectors):
            prefix = f"pfb1:{seeds.decks}:{seeds.client_seed}:".encode().hex()
            lines.append(f"{path} {seeds.server_seed.reveal()} {prefix} {seeds.decks} {nonce}")
            expected.append(bytes(kernel.derive(seeds, [nonce], path="python")).hex())
            known.append(cards)
        answers = run_harness("qemu-aarch64", emulated, "records", lines=lines)
        assert answers == expected
        for answer, cards in zip(answers, known, strict=True):
            assert cards is None or [str(DECK[card]) for card in bytes.fromhex(answer)[2:8]] == cards
    run_harness("qemu-aarch64", emulated, "fuzz", "100", "2")
