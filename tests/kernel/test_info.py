"""Which kernel runs: the native one where it is there and right, the reference everywhere else."""

from __future__ import annotations

import platform
import sys
import types
from array import array
from pathlib import Path

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.fairness.seeds import ClientSeed, ServerSeed

EXTENSION = "provably_fair_baccarat._kernel"


def extension_of(paths, prepared_seeds):
    """A module in place of the extension."""
    extension = types.ModuleType(EXTENSION)
    for name in kernel._OFFERED:
        setattr(extension, name, None)
    extension.PATHS, extension.PreparedSeeds = paths, prepared_seeds
    return extension


@pytest.fixture
def put(monkeypatch):
    """Put a module in the place of the extension."""

    def put(extension):
        monkeypatch.setitem(sys.modules, EXTENSION, extension)

    return put


class Reference:
    """The reference behind the face of the extension's class."""

    def __init__(self, server_seed, prefix, decks, deck, refuse, path):  # noqa: PLR0917 (as the extension has it)
        label, _, client_seed = prefix.decode()[:-1].rpartition(":")
        self.source = kernel._python_source(ServerSeed(server_seed), label, ClientSeed(client_seed), decks)
        self.path = path

    def coup(self, nonce):
        return self.source(nonce)

    def derive(self, nonces, records, threads):
        return kernel._derive_in_python(self.source, nonces, records)


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
    assert kernel._test_answer(Reference, "any") == kernel._TEST_ANSWER


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
        _, info = kernel._find_kernel()
    assert info.native
    assert info.paths == ("right", "python")
    assert "the path wrong" in info.reason


def test_an_extension_of_older_source_files_is_not_used(put):
    older = extension_of(("right",), Reference)
    del older.hash_rows
    put(older)
    with pytest.warns(RuntimeWarning, match="other source files"):
        native, info = kernel._find_kernel()
    assert native is None
    assert (info.native, info.path, info.paths) == (False, "python", ("python",))
    assert "hash_rows" in info.reason


def test_a_kernel_that_is_wrong_everywhere_is_not_used(put):
    put(extension_of(("wrong",), Broken))
    with pytest.warns(RuntimeWarning):
        _, info = kernel._find_kernel()
    assert (info.native, info.path, info.paths) == (False, "python", ("python",))


def test_without_the_extension_everything_works_the_same(monkeypatch, seeds):
    nonces = array("Q", [0, 5, 10**9, 2**53 - 1])
    expected = bytes(kernel.derive(seeds(), nonces))
    counts = kernel.count(seeds(), nonces)
    coup = kernel.coup_source(ServerSeed(bytes(32)), "pfb1:2", ClientSeed("x"), 2)(5)
    monkeypatch.setitem(sys.modules, EXTENSION, None)
    native, info = kernel._find_kernel()
    assert native is None
    assert (info.native, info.path, info.paths) == (False, "python", ("python",))
    assert "not built" in info.reason
    monkeypatch.setattr(kernel, "_NATIVE", native)
    monkeypatch.setattr(kernel, "_INFO", info)
    assert bytes(kernel.derive(seeds(), nonces)) == expected
    assert kernel.count(seeds(), nonces, threads=4) == counts
    assert kernel.coup_source(ServerSeed(bytes(32)), "pfb1:2", ClientSeed("x"), 2)(5) == coup


def test_numpy_reads_records(seeds):
    numpy = pytest.importorskip("numpy", reason="numpy is not there")
    records = numpy.frombuffer(kernel.derive(seeds(), numpy.arange(100)), kernel.RECORD_DTYPE)
    assert records.dtype.itemsize == kernel.RECORD.size == 12
    for row, coup in zip(records, kernel.read_records(kernel.derive(seeds(), range(100))), strict=True):
        assert (row["cut"], row["player_score"], row["banker_score"]) == (coup.cut, coup.player_score, coup.banker_score)
