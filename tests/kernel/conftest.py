"""What the tests of the kernel share: its paths, the reference, and a harness that runs the C code without Python."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.fairness.seed_pair import Seeds
from provably_fair_baccarat.fairness.seeds import ClientSeed, ServerSeed

HERE = Path(__file__).parent
SOURCES = HERE.parent.parent / "src" / "provably_fair_baccarat" / "_kernel"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]

NATIVE = [path for path in kernel.kernel_info().paths if path != "python"]


def pytest_generate_tests(metafunc):
    """`native_path` is each native path of this processor, `path` each path; one skip stands for the native ones that are not there."""
    absent = pytest.param("absent", marks=pytest.mark.skip(f"no native kernel: {kernel.kernel_info().reason}"))
    if "native_path" in metafunc.fixturenames:
        metafunc.parametrize("native_path", NATIVE or [absent])
    if "path" in metafunc.fixturenames:
        metafunc.parametrize("path", [*(NATIVE or [absent]), "python"])


@pytest.fixture(scope="session")
def native_class():
    """The extension's class."""
    if not NATIVE:
        pytest.skip(f"no native kernel: {kernel.kernel_info().reason}")
    from provably_fair_baccarat._kernel import PreparedSeeds

    return PreparedSeeds


@pytest.fixture(scope="session")
def seeds():
    """Seeds by a key's byte, client seed and decks."""
    return lambda key=1, client_seed="client", decks=8: Seeds.commit(ServerSeed(bytes([key]) * 32), ClientSeed(client_seed), decks)


def _compile(to, compiler, *flags):
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    sources = [path for path in sorted(SOURCES.glob("*.c")) if not path.name.startswith("module")]
    command = [compiler, *WARNINGS, *flags, "-pthread", f"-I{SOURCES}", *sources, HERE / "harness.c", "-o", to]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return to


def _run(*command, lines=()):
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()


@pytest.fixture(scope="session")
def compile_harness(tmp_path_factory):
    """Compile the harness with some compiler and flags, or skip where there is no such compiler."""
    return lambda compiler, *flags: _compile(tmp_path_factory.mktemp("harness") / "harness", compiler, *flags)


@pytest.fixture(scope="session")
def run_harness():
    """Run a harness on some lines of input and return the words of its output."""
    return _run


@pytest.fixture(scope="session")
def harness(compile_harness):
    """The harness, compiled for this machine."""
    return compile_harness("gcc", "-O2")
