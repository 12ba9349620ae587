"""What the tests of the command line share: `pfb` as a real process, away from a terminal and at one."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from provably_fair_baccarat import RoundRecord, Seeds, play_round, settle
from provably_fair_baccarat.cli import run

COMMAND = [sys.executable, "-m", "provably_fair_baccarat"]
HOUSE_VARIABLES = ("PFB_DATABASE", "PFB_KEY_FILE", "PFB_CURRENCY", "PFB_SIGNING_KEYS", "PFB_LOG_PROMISE")
SERVER_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def environment():
    """The environment without anything that says how a terminal looks, or where a house is."""
    told = (
        "COLUMNS",
        "LINES",
        "FORCE_COLOR",
        "NO_COLOR",
        "TERM",
        "CLICOLOR_FORCE",
        "TTY_COMPATIBLE",
        "TTY_INTERACTIVE",
        "PYTHONUNBUFFERED",
        *HOUSE_VARIABLES,
    )
    return {
        **{name: value for name, value in os.environ.items() if name not in told},
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm-256color",
    }


@pytest.fixture
def pfb(tmp_path, environment):
    """Run `pfb` in an empty directory and return its exit code and outputs; nobody ever sees a traceback or, in a pipe, an escape code."""

    def run(*arguments, stdin="", **changes):
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [*COMMAND, *arguments], input=given, cwd=tmp_path, env={**environment, **changes}, capture_output=True, timeout=60, check=False
        )
        ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ran.err, ran.err
        assert "\x1b" not in ran.out + ran.err
        return ran

    return run


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """The same without a process of its own, for the many ways in which a command line can be wrong."""
    monkeypatch.chdir(tmp_path)
    for name in HOUSE_VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def run_here(*arguments):
        code = run(arguments)
        return Ran(code, *capfd.readouterr())

    return run_here


@pytest.fixture
def terminal(tmp_path, environment):
    """Start `pfb` at a terminal of 100 columns."""
    pexpect = pytest.importorskip("pexpect")
    children = []

    def start(*arguments, **changes):
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            cwd=tmp_path,
            env={**environment, **changes},
            dimensions=(50, 100),
            encoding="utf-8",
            timeout=60,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


@pytest.fixture
def seed_file(tmp_path):
    """A file with a server seed that every test knows."""
    path = tmp_path / "seed.txt"
    path.write_text(f"{SERVER_SEED}\n")
    return path.name


@pytest.fixture
def records(tmp_path):
    """Three revealed records, as text, a line each, and as the file rounds.jsonl."""
    seeds = Seeds.commit(SERVER_SEED, "lucky 8s")
    played = [play_round(seeds, nonce) for nonce in range(3)]
    made = [RoundRecord.from_round(each, settle(each.coup, {"player": 500}), server_seed=seeds.server_seed) for each in played]
    lines = [f"{record.to_json().decode()}\n" for record in made]
    (tmp_path / "rounds.jsonl").write_text("".join(lines), encoding="utf-8")
    return lines
