"""The house: who may import whom, and who may ask the world for what."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import provably_fair_baccarat

PACKAGE = Path(provably_fair_baccarat.__file__).parent
PROJECT = Path(__file__).parent.parent
PURE = ["errors", "canonical", "cards", "frozen", "rounds", "records", "verify", "rules", "fairness"]


def modules(*rooms):
    for room in rooms:
        path = PACKAGE / room
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def test_every_room_keeps_to_its_floor():
    command = Path(sys.executable).parent / "lint-imports"
    command = command if command.exists() else shutil.which("lint-imports")
    result = subprocess.run([command, "--no-cache"], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_randomness_has_one_named_place():
    users = [path.name for path in sorted(PACKAGE.rglob("*.py")) if "secrets" in imported(path)]
    assert users == ["seeds.py"]


def test_the_pure_rooms_call_nothing_of_the_world():
    worldly = {"open", "print", "input", "exec", "eval", "__import__"}
    for path in modules(*PURE):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                assert name not in worldly | {"now", "utcnow", "today"}, (path, node.lineno)


def test_no_room_is_called_utils():
    names = {path.stem for path in PACKAGE.rglob("*.py")}
    assert not names & {"utils", "util", "helpers", "common", "core", "manager", "misc"}


def test_no_float_comes_near_money_or_draws():
    """In the rules of money and in fairness there is no float literal, no true division and no float() call."""
    for path in modules("fairness", "rules/settlement", "rules/pay_table", "rules/multiplier", "rules/coup", "rules/bets", "rounds"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), (path, node.lineno)
            assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), (path, node.lineno)
            assert not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float"), (path, node.lineno)


def imported(path):
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").partition(".")[0])
    return names
