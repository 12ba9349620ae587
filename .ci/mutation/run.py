"""Mutation testing of the pure core: put one small fault into a module, run its tests, and see them fail.

    python .ci/mutation/run.py                            all of it, an hour or so on one core
    python .ci/mutation/run.py rules/settlement cards     these modules
    python .ci/mutation/run.py --jobs 2 fairness          a folder, two mutants at a time

A mutant that no test notices has survived. It is told with its line, unless `survivors.toml` says why it may. Exit code 0: nothing else
survived. 1: something did, or a reason is given for what does not survive any more. 2: the tests fail without any mutant.

Every mutant has a process of its own, forked before the package is imported, so that what runs at import is tested as well. The native
kernel is not there, since the reference is what is tested.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from operators import mutants_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from operators import Mutant

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "src" / "provably_fair_baccarat"
SURVIVORS: Final = Path(__file__).parent / "survivors.toml"

ROOMS: Final = ("cards.py", "rules", "fairness", "rounds.py", "verify")
"""What is tested, as in src/provably_fair_baccarat."""

TESTS: Final = {
    "cards": "test_cards rules/test_coup fairness/test_refusal_texts",
    "rules/bets": "rules/test_bets rules/test_odds_witnesses rules/test_pay_table rules/test_odds",
    "rules/coup": "rules/test_coup rules/test_bets rules/test_refusal_words",
    "rules/multiplier": "rules/test_refusal_words rules/test_multiplier rules/test_settlement rules/test_pay_table",
    "rules/odds/counting": "rules/test_odds rules/test_odds_witnesses rules/test_odds_counting",
    "rules/odds/figures": "rules/test_refusal_words rules/test_odds rules/test_odds_witnesses rules/test_odds_counting",
    "rules/odds/mixes": "rules/test_odds_witnesses rules/test_odds_mixes",
    "rules/odds/shoe": "rules/test_refusal_words rules/test_odds_witnesses rules/test_odds rules/test_odds_counting",
    "rules/odds/witnesses": "rules/test_odds_witnesses",
    "rules/pay_table": "rules/test_refusal_words rules/test_pay_table rules/test_settlement rules/test_odds",
    "rules/ready_tables": "rules/test_pay_table rules/test_settlement rules/test_odds",
    "rules/roads": "rules/test_roads rules/test_refusal_words",
    "rules/settlement": "rules/test_refusal_words rules/test_settlement rules/test_pay_table",
    "rules/shoe_session": "rules/test_shoe_session test_rounds",
    "rules/tableau": "rules/test_tableau rules/test_coup",
    "fairness/chain": "fairness/test_refusal_texts fairness/test_chain test_secrets",
    "fairness/hex_form": "fairness/test_refusal_texts fairness/test_seeds fairness/test_seed_pair test_secrets",
    "fairness/inputs": "fairness/test_refusal_texts fairness/test_seeds fairness/test_seed_pair test_secrets",
    "fairness/seed_pair": "fairness/test_refusal_texts fairness/test_seed_pair fairness/test_chain test_secrets fairness/test_other_houses test_verify",
    "fairness/seeds": "fairness/test_refusal_texts fairness/test_seeds fairness/test_seed_pair test_secrets fairness/test_other_houses",
    "fairness/shoe": "fairness/test_shoe test_rounds fairness/test_refusal_texts",
    "fairness/slips": "fairness/test_refusal_texts fairness/test_seed_pair test_verify fairness/test_chain fairness/test_other_houses",
    "fairness/stream": "fairness/test_stream fairness/test_shoe",
    "fairness/schemes": "fairness/test_refusal_texts fairness/test_other_houses fairness/test_seed_pair fairness/test_seeds test_rounds test_verify",
    "rounds": "test_rounds fairness/test_chain fairness/test_other_houses test_secrets test_verify",
    "verify": "test_verify_sentences test_verify fairness/test_chain fairness/test_other_houses",
}
"""The tests of each module or folder, the quickest first."""


class Planted(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module of the package from a tree, and none that is native."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        self.name = ".".join(parts).removesuffix(".__init__")
        self.path = path
        self.tree = tree

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Find the mutated module; refuse the native one."""
        if fullname == f"{PACKAGE.name}._kernel":
            raise ModuleNotFoundError(fullname)
        if fullname != self.name:
            return None
        is_package = self.path.name == "__init__.py"
        spec = importlib.util.spec_from_loader(fullname, self, origin=str(self.path), is_package=is_package)
        if spec is not None and is_package:
            spec.submodule_search_locations = [str(self.path.parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the tree."""
        exec(compile(ast.fix_missing_locations(self.tree), str(self.path), "exec"), module.__dict__)


def run_tests(planted: Planted, tests: Sequence[str], seconds: int = 0) -> int:
    """Start the tests of a module in a process of their own, which ends after so many seconds of processor time; returns its id."""
    if pid := os.fork():
        return pid
    os.setsid()
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    code = 3
    try:
        sys.meta_path.insert(0, planted)
        import pytest  # noqa: PLC0415 (imported in the parent already)
        from hypothesis import HealthCheck, Phase, settings  # noqa: PLC0415 (likewise)

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile(
            "mutants",
            max_examples=30,
            deadline=None,
            derandomize=True,
            database=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        )
        options = [
            "-x",
            "-q",
            "-p",
            "_hypothesis_pytestplugin",
            "-p",
            "no:cacheprovider",
            "--no-header",
            "--tb=no",
            "--assert=plain",
            "--hypothesis-profile=mutants",
        ]
        code = int(pytest.main([*options, *(str(ROOT / "tests" / f"{test}.py") for test in tests)]))
    finally:
        os._exit(code)


def tests_of(module: str) -> list[str]:
    """The tests of a module, by the longest name that fits."""
    name = max((name for name in TESTS if module == name or module.startswith(f"{name}/")), key=len)
    return TESTS[name].split()


class Slots:
    """A few processes at a time, each with a time of its own by the clock on the wall, for one that waits for ever."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._running: dict[int, tuple[float, Mutant]] = {}

    def add(self, pid: int, mutant: Mutant, seconds: float) -> None:
        """Keep an eye on a process."""
        self._running[pid] = time.monotonic() + seconds, mutant

    def finished(self, *, at_most: int | None = None) -> Iterator[tuple[Mutant, bool]]:
        """Wait until there is room, and tell each mutant that has ended, with whether it survived."""
        while len(self._running) > (self._jobs - 1 if at_most is None else at_most):
            for pid, (deadline, mutant) in list(self._running.items()):
                ended, status = os.waitpid(pid, os.WNOHANG)
                if not ended and time.monotonic() > deadline:
                    os.killpg(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                if ended or time.monotonic() > deadline:
                    del self._running[pid]
                    yield mutant, bool(ended) and os.waitstatus_to_exitcode(status) == 0
            time.sleep(0.01)


def test_module(path: Path, jobs: int, reasons: dict[str, str]) -> tuple[int, int, int]:
    """Run all mutants of a module; returns how many there were, how many survived with a reason, and how many are amiss."""
    module = path.relative_to(PACKAGE).with_suffix("").as_posix()
    tests = tests_of(module)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    started = time.monotonic()
    _, status, used = os.wait4(run_tests(Planted(path, tree), tests), 0)
    if status:
        sys.stdout.write(f"{module}: its tests fail without any mutant\n")
        raise SystemExit(2)
    seconds = int(30 + 5 * (used.ru_utime + used.ru_stime))  # of the processor: what else a machine does kills no mutant
    mutants = mutants_of(tree)
    survivors: list[Mutant] = []
    slots = Slots(jobs)

    def note(mutant: Mutant, *, survived: bool) -> None:
        if survived:
            survivors.append(mutant)
            if mutant.name not in reasons:
                sys.stdout.write(f"  SURVIVED  {module}.py:{mutant.line}  {mutant.name}\n")
                sys.stdout.flush()

    for mutant in mutants:
        for ended, survived in slots.finished():
            note(ended, survived=survived)
        fresh = ast.parse(path.read_text(encoding="utf-8"))
        next(each for each in mutants_of(fresh) if each.name == mutant.name).apply()
        slots.add(run_tests(Planted(path, fresh), tests, seconds), mutant, 20 * seconds)
    for ended, survived in slots.finished(at_most=0):
        note(ended, survived=survived)
    names = {mutant.name for mutant in survivors}
    stale = [name for name in reasons if name not in names]
    for name in stale:
        sys.stdout.write(f"  STALE     {module}.py  {name}: it has a reason and does not survive\n")
    explained = len(names & reasons.keys())
    amiss = len(names) - explained + len(stale)
    took = time.monotonic() - started
    sys.stdout.write(f"{module}: {len(mutants)} mutants, {explained} survive with a reason, {amiss} amiss, {took:.0f} s\n")
    sys.stdout.flush()
    return len(mutants), explained, amiss


def modules(wanted: Sequence[str]) -> list[Path]:
    """The modules of the rooms, or those among them that were asked for."""
    paths = sorted(path for room in ROOMS for path in ([PACKAGE / room] if room.endswith(".py") else (PACKAGE / room).rglob("*.py")))
    names = {path: path.relative_to(PACKAGE).with_suffix("").as_posix() for path in paths}
    chosen = [path for path, name in names.items() if not wanted or any(name == word or name.startswith(f"{word}/") for word in wanted)]
    return [path for path in chosen if mutants_of(ast.parse(path.read_text(encoding="utf-8")))]


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description="Mutation testing of the pure core.")
    parser.add_argument("modules", nargs="*", help="modules or folders, like rules/settlement; all of the core unless told")
    parser.add_argument("--jobs", type=int, default=1, help="how many mutants run at a time")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.update(
            HYPOTHESIS_NO_PLUGINS="1",
            HYPOTHESIS_STORAGE_DIRECTORY=scratch,
            PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",  # plugins cost more time than most tests
            PYTHONDONTWRITEBYTECODE="1",
        )
        os.chdir(ROOT)
        sys.path.insert(0, str(PACKAGE.parent))
        import _hypothesis_pytestplugin  # noqa: F401, PLC0415 (so that no mutant has to)
        import cryptography  # noqa: F401, PLC0415 (likewise)
        import hypothesis  # noqa: F401, PLC0415 (likewise)
        import pydantic  # noqa: F401, PLC0415 (likewise)
        import pytest  # noqa: F401, PLC0415 (likewise)

        reasons = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
        counts = [test_module(path, asked.jobs, reasons.get(path.relative_to(PACKAGE).as_posix(), {})) for path in modules(asked.modules)]
    total, explained, amiss = (sum(column) for column in zip(*counts, strict=True))
    sys.stdout.write(f"{total} mutants, {total - explained - amiss} killed, {explained} survive with a reason, {amiss} amiss\n")
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main())
