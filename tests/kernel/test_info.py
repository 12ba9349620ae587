"""Which kernel runs: the native one where it is there and right, the reference everywhere else."""

from __future__ import annotations

import platform
import sys
import types
from array import array
from contextlib import suppress
from pathlib import Path

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.fairness.seeds import ClientSeed, ServerSeed
from provably_fair_baccarat.kernel import paths, proof, reference

EXTENSION = "provably_fair_baccarat._kernel"


def extension_of(names, prepared_seeds):
    """A module in place of the extension, with nothing but coups of one seed pair."""
    extension = types.ModuleType(EXTENSION)
    for name in paths._OFFERED:
        setattr(extension, name, None)
    extension.PATHS, extension.PreparedSeeds = names, prepared_seeds
    return extension


@pytest.fixture
def put(monkeypatch):
    """Put a module in the place of the extension; what it has not is not looked at."""

    def put(extension):
        monkeypatch.setitem(sys.modules, EXTENSION, extension)
        if extension.derive_rows is None:
            monkeypatch.setattr(paths, "fault_of_columns", lambda extension: None)
            monkeypatch.setattr(proof, "_derives_rows", lambda extension, path: True)
            monkeypatch.setattr(proof, "_hashes_rows", lambda extension, path: True)

    return put


class Reference:
    """The reference behind the face of the extension's class."""

    def __init__(self, server_seed, prefix, decks, deck, refuse, path):  # noqa: PLR0917 (as the extension has it)
        label, _, client_seed = prefix.decode()[:-1].rpartition(":")
        self.source = reference.python_source(ServerSeed(server_seed), label, ClientSeed(client_seed), decks)
        self.path = path

    def coup(self, nonce):
        return self.source(nonce)

    def derive(self, nonces, records, threads):
        return reference.derive_in_python(self.source, nonces, records)


class OneCardWrong(Reference):
    """On the path `wrong`, one card of one coup."""

    def derive(self, nonces, records, threads):
        super().derive(nonces, records, threads)
        if self.path == "wrong":
            records[12 * 17 + 5] ^= 1


class OneCoupWrong(Reference):
    """On the path `wrong`, every coup that is derived alone."""

    def coup(self, nonce):
        return super().coup(nonce + (self.path == "wrong"))


class Broken(Reference):
    """On the path `wrong`, nothing works."""

    def derive(self, nonces, records, threads):
        if self.path == "wrong":
            raise OSError("broken")
        super().derive(nonces, records, threads)


def test_the_known_answer_is_the_reference_s():
    assert proof.answer_of(Reference, "any") == proof.KNOWN_ANSWER


def test_the_kernel_is_native_here(native_class):
    info = kernel.kernel_info()
    assert info.native
    assert info.path == info.paths[0]
    assert info.paths[-2:] == ("portable", "python")
    assert info.reason is None


def test_every_path_that_the_processor_has_is_there(native_class):
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii").split()
    except OSError:
        pytest.skip("the processor's features are read from /proc/cpuinfo")
    expected = {"x86_64": {"sha_ni": "shani", "avx2": "avx2"}, "aarch64": {"sha2": "armv8"}}.get(platform.machine(), {})
    for flag, path in expected.items():
        assert (path in kernel.kernel_info().paths) == (flag in flags), path


@pytest.mark.parametrize("wrong", [OneCardWrong, OneCoupWrong, Broken])
def test_a_wrong_path_is_turned_off_with_a_warning(put, wrong):
    put(extension_of(("wrong", "right"), wrong))
    with pytest.warns(RuntimeWarning, match="the path wrong"):
        _, info = paths.find_kernel()
    assert info.native
    assert info.paths == ("right", "python")
    assert "the path wrong" in info.reason


def test_an_extension_of_older_source_files_is_not_used(put):
    older = extension_of(("right",), Reference)
    put(older)
    del older.hash_rows
    with pytest.warns(RuntimeWarning, match="other source files"):
        native, info = paths.find_kernel()
    assert native is None
    assert (info.native, info.path, info.paths) == (False, "python", ("python",))
    assert "hash_rows" in info.reason


def test_a_kernel_that_is_wrong_everywhere_is_not_used(put):
    put(extension_of(("wrong",), Broken))
    with pytest.warns(RuntimeWarning):
        _, info = paths.find_kernel()
    assert (info.native, info.path, info.paths) == (False, "python", ("python",))


OUTPUTS = {"read_cards": 4, "add_amounts": 2, "sum_lines": 3, "count_coups": 6, "derive_rows": 7, "hash_rows": 2}
"""What each function for columns writes to, by the place among its arguments."""

ON_EVERY_PATH = ("read_cards", "add_amounts", "sum_lines", "count_coups")


def extension_with(name, function):
    """The extension with one function in place of its own."""
    from provably_fair_baccarat import _kernel

    extension = types.ModuleType(EXTENSION)
    for each in paths._OFFERED:
        setattr(extension, each, getattr(_kernel, each))
    setattr(extension, name, lambda *arguments: function(getattr(_kernel, name), *arguments))
    return extension


def wrong_bit(place, only=None):
    """A function that does what it is told, and then one bit is another one; where `only` is told, on that path alone."""

    def function(right, *arguments):
        right(*arguments)
        if only in (None, arguments[-1]):
            memoryview(arguments[place]).cast("B")[-1] ^= 1

    return function


def takes_all(right, *arguments):
    """A function that refuses nothing."""
    with suppress(ValueError):
        right(*arguments)


def breaks(right, *arguments):
    raise OSError("broken")


@pytest.mark.parametrize(
    ("name", "function"),
    [
        *((name, wrong_bit(OUTPUTS[name])) for name in ON_EVERY_PATH),
        ("read_cards", wrong_bit(3)),
        *((name, takes_all) for name in ON_EVERY_PATH[1:]),
        *((name, breaks) for name in ON_EVERY_PATH),
    ],
)
def test_a_kernel_whose_columns_are_wrong_is_not_used(native_class, put, name, function):
    put(extension_with(name, function))
    with pytest.warns(RuntimeWarning, match=f"The native kernel is turned off: {name} (gives wrong answers|fails: OSError)"):
        native, info = paths.find_kernel()
    assert native is None
    assert (info.native, info.path, info.paths) == (False, "python", ("python",))
    assert name in info.reason


@pytest.mark.parametrize("name", ["derive_rows", "hash_rows"])
def test_a_path_whose_rows_are_wrong_is_turned_off(native_class, put, name):
    put(extension_with(name, wrong_bit(OUTPUTS[name], only="portable")))
    with pytest.warns(RuntimeWarning, match=f"the path portable: {name} gives wrong answers"):
        _, info = paths.find_kernel()
    assert info.paths == tuple(path for path in kernel.kernel_info().paths if path != "portable")
    put(extension_with(name, breaks))
    with pytest.warns(RuntimeWarning, match=f"the path portable: {name} fails"):
        _, info = paths.find_kernel()
    assert info.paths == ("python",)


def test_without_the_extension_everything_works_the_same(monkeypatch, seeds):
    nonces = array("Q", [0, 5, 10**9, 2**53 - 1])
    expected = bytes(kernel.derive(seeds(), nonces))
    counts = kernel.count(seeds(), nonces)
    coup = kernel.coup_source(ServerSeed(bytes(32)), "pfb1:2", ClientSeed("x"), 2)(5)
    monkeypatch.setitem(sys.modules, EXTENSION, None)
    native, info = paths.find_kernel()
    assert native is None
    assert (info.native, info.path, info.paths) == (False, "python", ("python",))
    assert "not built" in info.reason
    monkeypatch.setattr(paths, "_NATIVE", native)
    monkeypatch.setattr(paths, "_INFO", info)
    assert bytes(kernel.derive(seeds(), nonces)) == expected
    assert kernel.count(seeds(), nonces, threads=4) == counts
    assert kernel.coup_source(ServerSeed(bytes(32)), "pfb1:2", ClientSeed("x"), 2)(5) == coup


def test_numpy_reads_records(seeds):
    numpy = pytest.importorskip("numpy", reason="numpy is not there")
    records = numpy.frombuffer(kernel.derive(seeds(), numpy.arange(100)), kernel.RECORD_DTYPE)
    assert records.dtype.itemsize == kernel.RECORD.size == 12
    for row, coup in zip(records, kernel.read_records(kernel.derive(seeds(), range(100))), strict=True):
        assert (row["cut"], row["player_score"], row["banker_score"]) == (coup.cut, coup.player_score, coup.banker_score)
