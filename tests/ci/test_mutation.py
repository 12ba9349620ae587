"""The mutation runner's faults and lists; the mutants themselves are run by hand."""

from __future__ import annotations

import ast
import importlib.util
import sys
import tomllib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / ".ci" / "mutation"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # the runner imports its operators by this name
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def operators():
    yield load("operators")
    del sys.modules["operators"]


@pytest.fixture(scope="module")
def runner(operators):
    yield load("run")
    del sys.modules["run"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a < b", ["a <= b"]),
        ("a is not b", ["a is b"]),
        ("a and b and c", ["b and c", "a and c", "a and b"]),
        ("not a", ["a"]),
        ("a // 3", ["a * 3", "a // 4"]),
        ("x if a else y", ["x", "y"]),
        ("a[1:]", ["a[2:]", "a[:]"]),
        ("f('won')", ["f('wonXX')"]),
        ("f('the stake comes back')", []),
        ("[x for x in y if x]", ["[x for x in y if not x]"]),
        ("BetError('bet', 'a name')", []),
        ("Slip('alias', 'told')", ["Slip('aliasXX', 'told')"]),
    ],
)
def test_the_faults_of_an_expression(operators, text, faults):
    made = []
    for mutant in operators.mutants_of(ast.parse(f"x = {text}")):
        tree = ast.parse(f"x = {text}")
        next(each for each in operators.mutants_of(tree) if each.name == mutant.name).apply()
        made.append(ast.unparse(ast.fix_missing_locations(tree)).removeprefix("x = "))
    assert sorted(made) == sorted(faults)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("if a:\n    raise ValueError", {"if not a:\n    raise ValueError", "if a:\n    pass"}),
        ("def f():\n    return a", {"def f():\n    return None"}),
        (
            "def f(a: int = 1) -> int:\n    del a\n    g()",
            {"def f(a: int=2) -> int:\n    del a\n    g()", "def f(a: int=1) -> int:\n    del a\n    pass"},
        ),
        ("x: TypeAlias = 'a'\n__slots__ = ('a',)\nimport a", set()),
    ],
)
def test_the_faults_of_a_statement(operators, text, faults):
    made = set()
    for number in range(len(operators.mutants_of(ast.parse(text)))):
        tree = ast.parse(text)
        operators.mutants_of(tree)[number].apply()
        made.add(ast.unparse(ast.fix_missing_locations(tree)))
    assert made == faults


def test_every_module_of_the_core_has_its_tests(runner):
    paths = runner.modules([])
    assert len(paths) >= 30
    for path in paths:
        for test in runner.tests_of(path.relative_to(runner.PACKAGE).with_suffix("").as_posix()):
            assert (runner.ROOT / "tests" / f"{test}.py").exists(), test


def test_every_survivor_has_a_reason(runner):
    """Whether it is still a mutant, and still survives, the runner tells."""
    reasons = tomllib.loads((FOLDER / "survivors.toml").read_text(encoding="utf-8"))
    assert reasons
    for module, explained in reasons.items():
        assert (runner.PACKAGE / module).exists()
        assert explained
        assert all(reason.endswith(".") for reason in explained.values())
