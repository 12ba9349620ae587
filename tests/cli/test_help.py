"""The help teaches: every command has examples, and a wrong command line says where to look."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from provably_fair_baccarat import __version__

COMMANDS = (
    *(
        "demo",
        "play",
        "client-seed",
        "verify",
        "prove",
        "audit",
        "deal",
        "commit",
        "odds",
        "simulate",
        "words",
        "generate",
        "roads",
        "schemes",
        "page",
        "serve",
    ),
)
HOUSE = (
    *("key", "commit", "choose", "deposit", "withdraw", "balance", "play", "pairs", "close", "rotate", "verify", "books"),
    *("events", "recall", "export", "recover", "reseal"),
)
GROUPS = {"house": HOUSE, "db": ("migrate", "status"), "keys": ("new", "rotate", "jwks"), "log": ("key", "sequence", "verify")}


def test_the_help_tells_every_command_and_shows_how_to_start(pfb):
    ran = pfb("--help")
    assert ran.code == 0
    assert ran.err == ""
    for command in (*COMMANDS, *GROUPS):
        assert f"\n  {command} " in ran.out
    for example in ("pfb demo", "pfb play", "pfb verify rounds.jsonl", "pfb odds"):
        assert f"    {example}" in ran.out
    assert "Exit codes: 0 fine, 1 a verification failed, 2" in ran.out
    assert not any(line.endswith("...") for line in ran.out.splitlines()[1:])


def test_without_arguments_the_help_comes(pfb):
    assert pfb().out == pfb("--help").out


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_tells_its_commands_with_examples(call, group):
    ran = call(group)
    assert ran.code == 0
    assert ran.out == call(group, "--help").out
    for command in GROUPS[group]:
        assert f"\n  {command} " in ran.out
    assert f"    pfb {group} " in ran.out
    assert not any(line.endswith("...") for line in ran.out.splitlines()[1:])


@pytest.mark.parametrize("command", [*COMMANDS, *(f"{group} {command}" for group, inner in GROUPS.items() for command in inner)])
def test_every_command_has_examples(call, command):
    ran = call(*command.split(), "-h")
    assert ran.code == 0
    assert "Examples:" in ran.out
    assert ran.out.count(f"pfb {command}") >= 3
    assert ("--json" in ran.out) is (command not in ("play", "serve"))


def test_the_version(pfb):
    assert pfb("--version").out == f"pfb {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "found", "asked"),
    [
        (["bogus"], "No such command 'bogus'", "pfb --help"),
        (["--bogus"], "No such option", "pfb --help"),
        (["deal", "--nonce", "1"], "Missing option", "pfb deal --help"),
        (["demo", "--rounds", "0"], "Invalid value for '--rounds'", "pfb demo --help"),
        (["roads"], "Missing argument", "pfb roads --help"),
        (["verify"], "Name a FILE, or all of --server-seed", "pfb verify --help"),
        (["verify", "--nonce", "01"], "without leading zeros", "pfb verify --help"),
        (["odds", "--decks", "6", "--infinite"], "give --decks or --infinite", "pfb odds --help"),
        (["play", "--json"], "No such option", "pfb play --help"),
        (["house", "bogus"], "No such command 'bogus'", "pfb house --help"),
        (["house", "play", "--key", "1"], "Missing argument 'PAIR'", "pfb house play --help"),
        (["db", "status", "--bogus"], "No such option", "pfb db status --help"),
    ],
)
def test_a_wrong_command_line_exits_with_2_and_says_where_to_look(call, arguments, found, asked):
    ran = call(*arguments)
    assert ran.code == 2
    assert found in ran.err
    assert f"{asked} tells how" in ran.err


def test_a_wrong_command_line_is_json_too(pfb):
    ran = pfb("deal", "--json")
    assert ran.code == 2
    error = json.loads(ran.out)["error"]
    assert error["code"] == "usage"
    assert "--seed-file" in error["found"]
    assert "Missing option" in ran.err


def test_nothing_of_the_house_is_loaded_before_it_is_opened(environment):
    program = (
        "import sys; from provably_fair_baccarat.cli import run; run(['house', 'play', '--help']); "
        "print([name for name in sys.modules if name.startswith('provably_fair_baccarat.house') or name == 'sqlite3'])"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
