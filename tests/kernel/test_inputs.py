"""What the kernel takes and refuses, and what it leaves alone."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import tracemalloc
from array import array

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import (
    BaccaratError,
    ClientSeedError,
    DecksError,
    KernelError,
    NonceError,
    SchemeError,
    SeedTextError,
    ServerSeedError,
)
from provably_fair_baccarat.fairness.inputs import parse_nonce
from provably_fair_baccarat.fairness.seed_pair import Seeds
from provably_fair_baccarat.fairness.seeds import ClientSeed, ServerSeed
from provably_fair_baccarat.kernel import paths

KEY = bytes(32)
PREFIX = b"pfb1:8:x:"


@pytest.mark.parametrize("nonces", [[3, 1, 2**53 - 1], (3, 1, 2**53 - 1), iter([3, 1, 2**53 - 1]), {3: 0, 1: 0, 2**53 - 1: 0}])
def test_nonces_in_any_order_from_any_iterable(nonces, path, seeds):
    expected = b"".join(bytes(kernel.derive(seeds(), range(nonce, nonce + 1))) for nonce in (3, 1, 2**53 - 1))
    assert bytes(kernel.derive(seeds(), copy.copy(nonces), path=path)) == expected


def test_arrays_of_8_byte_integers(path, seeds):
    expected = bytes(kernel.derive(seeds(), [5, 6, 7], path="python"))
    for nonces in (array("q", [5, 6, 7]), array("Q", [5, 6, 7]), memoryview(array("Q", [4, 5, 6, 7]))[1:], range(5, 8)):
        assert bytes(kernel.derive(seeds(), nonces, path=path)) == expected
    not_aligned = bytearray(b"\0" + array("Q", [5, 6, 7]).tobytes())
    assert bytes(kernel.derive(seeds(), memoryview(not_aligned)[1:].cast("Q"), path=path)) == expected
    assert bytes(kernel.derive(seeds(), range(7, 4, -1), path=path)) == bytes(kernel.derive(seeds(), [7, 6, 5]))
    assert bytes(kernel.derive(seeds(), range(5, 9, 2), path=path)) == bytes(kernel.derive(seeds(), [5, 7]))


@pytest.mark.parametrize("nonces", [[], range(0), range(5, 5), range(-3, -9), array("Q")])
def test_no_nonces_give_no_records(nonces, path, seeds):
    assert bytes(kernel.derive(seeds(), nonces, path=path)) == b""
    assert kernel.count(seeds(), nonces, path=path) == (0, 0, 0)


@pytest.mark.parametrize(
    "nonces",
    [
        range(-1, 5),
        range(2**53 - 1, 2**53 + 1),
        range(2**64, 2**64 + 1),
        [0, -1],
        [2**53],
        [True],
        [1.0],
        ["1"],
        array("q", [0, -1]),
        array("Q", [0] * 70 + [2**53]),
        array("Q", [2**64 - 1]),
        array("i", [1]),
        array("d", [1.0]),
        memoryview(array("Q", [1, 2, 3]))[::2],
        b"12345678",
        bytearray(8),
        "1",
        5,
        None,
    ],
)
def test_what_is_no_nonce_is_refused(nonces, path, seeds):
    for call in (kernel.derive, kernel.count):
        with pytest.raises(NonceError):
            call(seeds(), nonces, path=path)
        if not isinstance(nonces, (str, int, type(None))):
            with pytest.raises(NonceError):
                call(seeds(), nonces, path=path, threads=3)


def test_the_refusal_names_the_nonce(path, seeds):
    with pytest.raises(NonceError, match="9007199254740992"):
        kernel.derive(seeds(), array("Q", [1, 2**53, 3]), path=path)
    with pytest.raises(NonceError, match="-1"):
        kernel.count(seeds(), array("q", [1, -1, 3]), path=path)


@pytest.mark.parametrize("nonce", [-1, 2**53, 2**64, -(2**70), True, 1.0, "1", None])
def test_a_source_refuses_what_is_no_nonce(nonce, monkeypatch):
    for native in (paths._NATIVE, None):
        monkeypatch.setattr(paths, "_NATIVE", native)
        source = kernel.coup_source(ServerSeed(KEY), "pfb1:8", ClientSeed("x"), 8)
        with pytest.raises(NonceError):
            source(nonce)


@pytest.mark.parametrize("threads", [0, -1, 65, 1.0, True, "2", None, 2**70])
def test_threads_are_bounded(threads, seeds):
    with pytest.raises(KernelError, match="threads"):
        kernel.count(seeds(), range(3), threads=threads)


@pytest.mark.parametrize("nowhere", ["", "shanx", "PORTABLE", 1, b"portable", []])
def test_paths_that_are_not_here(nowhere, seeds):
    with pytest.raises(KernelError, match="path"):
        kernel.count(seeds(), range(3), path=nowhere)


def test_other_seeds_are_refused(seeds):
    with pytest.raises(SchemeError):
        kernel.count(Seeds.commit(ServerSeed(KEY), "x", scheme="pfb1-shoe"), range(3))
    for wrong in (None, "x", ServerSeed(KEY)):
        with pytest.raises(SeedTextError):
            kernel.count(wrong, range(3))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("00" * 32, "pfb1:8", ClientSeed("x"), 8), ServerSeedError),
        ((ServerSeed(KEY), "pfb1:8", "x", 8), ClientSeedError),
        ((ServerSeed(KEY), "pfb1:8", ClientSeed("x"), 7), SchemeError),
        ((ServerSeed(KEY), "pfb1-shoe:8", ClientSeed("x"), 8), SchemeError),
        ((ServerSeed(KEY), None, ClientSeed("x"), 8), SchemeError),
        ((ServerSeed(KEY), [], ClientSeed("x"), 8), SchemeError),
        ((ServerSeed(KEY), "pfb1:9", ClientSeed("x"), 9), DecksError),
        ((ServerSeed(KEY), "pfb1:0", ClientSeed("x"), 0), DecksError),
    ],
)
def test_sources_of_other_seeds_are_refused(arguments, error):
    with pytest.raises(error) as refusal:
        kernel.coup_source(*arguments)
    assert "0000" not in str(refusal.value)


def test_records_go_into_the_start_of_a_buffer(path, seeds):
    out = bytearray(b"\xaa" * 100)
    written = kernel.derive(seeds(), range(7), out=out, path=path)
    assert bytes(written) == bytes(out[:84]) == bytes(kernel.derive(seeds(), range(7)))
    assert out[84:] == b"\xaa" * 16


@pytest.mark.parametrize("out", [bytearray(83), bytes(100), memoryview(bytearray(200))[::2], 5, "x" * 100])
def test_buffers_that_cannot_hold_the_records(out, path, seeds):
    with pytest.raises(KernelError, match="out"):
        kernel.derive(seeds(), range(7), out=out, path=path)


@pytest.mark.parametrize(
    "arguments",
    [
        (KEY[:31], PREFIX, 8, DECK, parse_nonce),
        (KEY + b"x", PREFIX, 8, DECK, parse_nonce),
        (KEY, b"", 8, DECK, parse_nonce),
        (KEY, b"x" * 161, 8, DECK, parse_nonce),
        (KEY, PREFIX, 0, DECK, parse_nonce),
        (KEY, PREFIX, 9, DECK, parse_nonce),
        (KEY, PREFIX, -1, DECK, parse_nonce),
        (KEY, PREFIX, 8, DECK[:51], parse_nonce),
        (KEY, PREFIX, 8, DECK, parse_nonce, "nowhere"),
    ],
)
def test_the_extension_bounds_its_own_inputs(native_class, arguments):
    with pytest.raises(ValueError):
        native_class(*arguments)


@pytest.mark.parametrize(
    "nonces",
    [(0, 2**53 + 1), (5, 4), (2**53 + 1, 2**53 + 1), (2**63, 2**64 - 1), memoryview(array("Q", [2**53])), memoryview(array("q", [-1]))],
)
def test_the_extension_bounds_nonces(native_class, nonces):
    prepared = native_class(KEY, PREFIX, 8, DECK, parse_nonce)
    with pytest.raises(ValueError):
        prepared.count(nonces, 1)
    with pytest.raises(ValueError):
        prepared.derive(nonces, memoryview(bytearray(120)), 2)
    with pytest.raises(ValueError):
        prepared.derive((0, 11), memoryview(bytearray(131)), 1)
    for wrong in (memoryview(array("i", [1])), memoryview(array("d", [1])), 5, (1,), (1, 2, 3), ("a", "b")):
        with pytest.raises(TypeError):
            prepared.count(wrong, 1)


def test_prepared_seeds_stay_in_the_process(native_class):
    prepared = native_class(b"\x5a" * 32, PREFIX, 8, DECK, parse_nonce)
    assert "5a" not in repr(prepared).rpartition(" at ")[0]
    assert not hasattr(prepared, "__dict__")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for value in (prepared, prepared.coup):
            with pytest.raises(TypeError):
                pickle.dumps(value, protocol)
    for copies in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copies(prepared)
    with pytest.raises(TypeError):
        type("Sub", (native_class,), {})
    with pytest.raises(TypeError):
        native_class.coup = None


def test_nothing_leaks(native_class, seeds):
    pair, records = seeds(), bytearray(120)

    def use():
        prepared = native_class(KEY, PREFIX, 8, DECK, parse_nonce)
        prepared.coup(1)
        kernel.derive(pair, range(10), out=records)
        kernel.count(pair, array("Q", range(10)), threads=2)
        for wrong in (lambda: prepared.coup(-1), lambda: prepared.coup("x"), lambda: kernel.count(pair, array("q", [-1]))):
            with pytest.raises(BaccaratError):
                wrong()
        for wrong in (lambda: native_class(KEY, b"", 8, DECK, parse_nonce), lambda: prepared.count((3, 2), 1)):
            with pytest.raises(ValueError):
                wrong()

    for _ in range(20):
        use()
    gc.collect()
    tracemalloc.start()
    references, before = sys.getrefcount(DECK), tracemalloc.get_traced_memory()[0]
    for _ in range(500):
        use()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert sys.getrefcount(DECK) == references
    assert after - before < 20_000


def test_a_cycle_through_prepared_seeds_is_collected(native_class):
    class Refusal:
        def __call__(self, nonce):
            raise NonceError("nonce", "another", repr(nonce))

    refuse = Refusal()
    refuse.prepared = native_class(KEY, PREFIX, 8, DECK, refuse)
    with pytest.raises(NonceError):
        refuse.prepared.coup(-1)
    references = sys.getrefcount(DECK)
    del refuse
    gc.collect()
    assert sys.getrefcount(DECK) == references - 1


SUBINTERPRETER = """
import importlib.machinery, importlib.util
loader = importlib.machinery.ExtensionFileLoader("_kernel", {file!r})
native = importlib.util.module_from_spec(importlib.util.spec_from_loader("_kernel", loader))
loader.exec_module(native)
prepared = native.PreparedSeeds(bytes(32), b"pfb1:8:x:", 8, tuple(range(52)), int)
cut, cards = prepared.coup(7)
assert (cut, list(cards)) == {answer!r}, (cut, cards)
assert sum(prepared.count((0, 100), 2)) == 100
"""


def test_the_extension_works_in_every_interpreter(native_class):
    cut, cards = native_class(KEY, PREFIX, 8, DECK, parse_nonce).coup(7)
    answer = (cut, [DECK.index(card) for card in cards])
    script = SUBINTERPRETER.format(file=sys.modules[native_class.__module__].__file__, answer=answer)
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    run = f"""
import {module} as interpreters
script = {script!r}
exec(script)
for _ in range(3):
    one = interpreters.create()
    failed = interpreters.run_string(one, script)
    assert failed is None, failed
    interpreters.destroy(one)
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
