"""Rows of many seed pairs: every path gives what each pair alone gives, and what cannot be is refused."""

from __future__ import annotations

import random
from array import array

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.errors import KernelError
from provably_fair_baccarat.fairness.schemes.pfb1 import python_coup_source
from provably_fair_baccarat.fairness.seed_pair import Seeds
from provably_fair_baccarat.fairness.seeds import ClientSeed, ServerSeed
from provably_fair_baccarat.kernel.reference import derive_in_python

CLIENT_SEEDS = ["a", "Zoë", "x" * 35, "y" * 55, "z" * 128]


def rows_of(places, keys, client_seeds=CLIENT_SEEDS):
    """The buffers of rows that are given as (key, client seed, game, nonce)."""
    utf8 = [text.encode() for text in client_seeds]
    offsets = array("i", [0])
    for seed in utf8:
        offsets.append(offsets[-1] + len(seed))
    return kernel.Rows(
        b"".join(keys),
        array("i", [key for key, _, _, _ in places]),
        bytes(game for _, _, game, _ in places),
        b"".join(utf8),
        offsets,
        array("i", [client for _, client, _, _ in places]),
        array("q", [nonce for _, _, _, nonce in places]),
    )


@pytest.fixture(scope="module")
def mixed():
    """Runs of every length, with neighbours that differ in one thing only."""
    chance = random.Random(8)
    keys = [chance.randbytes(32) for _ in range(3)]
    places = []
    for length in [*range(1, 12), 63, 64, 65, 1, 1, 130]:
        key, client, decks = chance.randrange(3), chance.randrange(5), chance.randint(1, 8)
        start = chance.choice([0, 95, 10**6 - 3, 2**53 - 140])
        places += [(key, client, decks, start + step) for step in range(length)]
        places += [(key, client, decks, 7), (key, (client + 1) % 5, decks, 7), ((key + 1) % 3, client, decks, 7), (-1, client, decks, 7)]
        places += [(key, client, 1 + decks % 8, 7), (key, client, 16 + decks, 7), (key, client, 16 + decks, 8)]
    return rows_of(places, keys), places, keys


def alone(key, client_seed, game, nonce):
    """The record of one row, as the reference has it."""
    if game < 16:
        seeds = Seeds.commit(ServerSeed(key), client_seed, game)
        return bytes(kernel.derive(seeds, [nonce], path="python"))
    source = python_coup_source(ServerSeed(key), f"pfb1-chain:{game - 16}", ClientSeed(client_seed), game - 16)
    record = memoryview(bytearray(12))
    derive_in_python(source, range(nonce, nonce + 1), record)
    return bytes(record)


def test_every_path_gives_what_each_pair_alone_gives(path, mixed):
    rows, places, keys = mixed
    records = bytes(kernel.derive_rows(rows, path=path))
    for place, (key, client, game, nonce) in enumerate(places):
        expected = bytes(12) if key == -1 else alone(keys[key], CLIENT_SEEDS[client], game, nonce)
        assert records[12 * place : 12 * place + 12] == expected, place


def test_records_go_into_a_buffer(path, mixed):
    rows, places, _ = mixed
    out = bytearray(b"\xaa" * (12 * len(places) + 5))
    written = kernel.derive_rows(rows, out=out, path=path)
    assert bytes(written) == bytes(kernel.derive_rows(rows, path="python")) == bytes(out[:-5])
    assert out[-5:] == b"\xaa" * 5


@pytest.mark.parametrize(
    "place", [(1, 0, 8, 0), (-2, 0, 8, 0), (0, 5, 8, 0), (0, -1, 8, 0), (0, 0, 0, 0), (0, 0, 9, 0), (0, 0, 25, 0), (0, 0, 40, 0)]
)
def test_seeds_and_games_that_are_not_there_are_refused(path, place):
    for before in (0, 1, 5):
        with pytest.raises(KernelError):
            kernel.derive_rows(rows_of([(0, 0, 8, 0)] * before + [place], [bytes(32)]), path=path)


@pytest.mark.parametrize("nonce", [-1, 2**53, -(2**63)])
def test_what_is_no_nonce_is_refused(path, nonce):
    for before in (0, 1, 5):
        with pytest.raises(KernelError):
            kernel.derive_rows(rows_of([(0, 0, 8, 0)] * before + [(0, 0, 8, nonce)], [bytes(32)]), path=path)


def test_buffers_that_do_not_fit_are_refused(path):
    rows = rows_of([(0, 0, 8, 0)] * 3, [bytes(32)])
    for name in ("server_seed_of_row", "client_seed_of_row", "nonces"):
        with pytest.raises(KernelError):
            kernel.derive_rows(rows._replace(**{name: getattr(rows, name)[:2]}), path=path)
    with pytest.raises(KernelError):
        kernel.derive_rows(rows, out=bytearray(35), path=path)
    with pytest.raises(KernelError):
        kernel.derive_rows(rows, path="nowhere")


@pytest.mark.parametrize("offsets", [[0, 500, 2, 3, 4, 5], [-1, 1, 2, 3, 4, 5], [3, 1, 2, 3, 4, 5], [0, 224], []])
def test_the_extension_bounds_client_seeds(native_path, offsets):
    rows = rows_of([(0, 0, 8, 0)] * 5, [bytes(32)])._replace(client_seed_offsets=array("i", offsets))
    with pytest.raises(KernelError):
        kernel.derive_rows(rows, path=native_path)


def test_no_rows_give_no_records(path):
    assert bytes(kernel.derive_rows(rows_of([], []), path=path)) == b""
