"""`pfb simulate`: the same counts from the same entropy, however it is run, and as far as it came where somebody ends it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from fractions import Fraction

import pytest

from provably_fair_baccarat import kernel_info
from provably_fair_baccarat.laboratory import simulate
from provably_fair_baccarat.rules.odds import coup_odds

ENTROPY = bytes(range(32)).hex()
COMMAND = [sys.executable, "-m", "provably_fair_baccarat"]


def last(*arguments, **options):
    *_, whole = simulate(*arguments, **options)
    return whole


def test_the_table(pfb):
    ran = pfb("simulate", "--rounds", "3e3", "--entropy", ENTROPY, "--pay-table", "super_six")
    whole = last(3000, bytes(range(32)))
    assert ran.code == 0
    assert "3,000 rounds with 8 decks, from 1,000 seed pairs\n" in ran.out
    assert f"entropy {ENTROPY}\n" in ran.out
    rows = [line.split() for line in ran.out.splitlines()]
    for share in whole.shares:
        assert [share.outcome, f"{share.count:,}", f"{round(share.expected):,}"] in [row[:3] for row in rows]
    assert {row[0] for row in rows if len(row) == 4} >= {"player", "banker", "tie", "super6"}
    assert f"chi-square {whole.chi_square:.4f}, p = {whole.p_value:.4f}" in ran.out


def test_json_is_exact(pfb):
    told = json.loads(pfb("simulate", "--rounds", "2_000", "--decks", "6", "--seed-pairs", "7", "--entropy", ENTROPY, "--json").out)
    whole = last(2000, bytes(range(32)), decks=6, pairs=7)
    assert (told["rounds"], told["rounds_asked"], told["seed_pairs"], told["decks"], told["entropy"]) == (2000, 2000, 7, 6, ENTROPY)
    exact = coup_odds(6)
    for share in whole.shares:
        each = told["outcomes"][share.outcome]
        assert each["count"] == share.count
        assert Fraction(each["probability"]["fraction"]) == exact.probability(exact.outcomes[share.outcome])
        assert Fraction(each["expected"]["fraction"]) == 2000 * share.probability
        assert each["z"] == f"{share.z:.6f}"
    assert told["chi_square"] == {"value": f"{whole.chi_square:.6f}", "degrees_of_freedom": 2, "p": f"{whole.p_value:.6f}"}
    for each in whole.returns:
        assert Fraction(told["returns"][each.odds.bet]["observed"]["fraction"]) == each.observed
        assert Fraction(told["returns"][each.odds.bet]["exact"]["fraction"]) == each.exact


def test_threads_change_nothing(call):
    one, many = (call("simulate", "--rounds", "5000", "--entropy", ENTROPY, "--json", "--threads", threads).out for threads in ("1", "5"))
    assert one == many


def test_the_entropy_that_is_shown_gives_the_same_again(call):
    first = json.loads(call("simulate", "--rounds", "1000", "--json").out)
    again = json.loads(call("simulate", "--rounds", "1000", "--json", "--entropy", first["entropy"]).out)
    assert again == first
    other = json.loads(call("simulate", "--rounds", "1000", "--json").out)
    assert other["entropy"] != first["entropy"]


@pytest.mark.parametrize(
    ("text", "count"), [("10", 10), ("1_000", 1000), ("1e3", 1000), ("1E+3", 1000), ("2.5e2", 250), ("0.5e2", 50), ("1.0", 1)]
)
def test_numbers_in_short_forms(call, text, count):
    assert json.loads(call("simulate", "--rounds", text, "--json").out)["rounds"] == count


def test_short_forms_are_exact():
    from provably_fair_baccarat.cli.options import read_count

    assert read_count("1e15") == 10**15
    assert read_count("9007199254740993") == 9007199254740993
    assert read_count("9.007199254740993e15") == 9007199254740993
    assert read_count("1_234_567_890_123_456_789") == 1234567890123456789


@pytest.mark.parametrize(
    "text", ["0", "-1", "1.5", "1e-3", "2.55e1", "1__000", "1_00", "10_", "1e", "e9", "x", "", "1e999", "\u0661", "nan", "1,000"]
)
def test_numbers_that_are_none(call, text):
    ran = call("simulate", "--rounds", text)
    assert ran.code == 2
    assert "write it like 1000000, 1_000_000 or 1e6" in ran.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Missing option '--rounds'"),
        (["--rounds", "1e16"], "10^15"),
        (["--rounds", "10", "--threads", "0"], "1 to 64"),
        (["--rounds", "10", "--threads", "65"], "1 to 64"),
        (["--rounds", "10", "--decks", "9"], "1 to 8"),
        (["--rounds", "10", "--entropy", "12"], "64 lower-case hex digits"),
        (["--rounds", "10", "--pay-table", "bogus"], "punto_banco"),
    ],
)
def test_wrong_input(call, arguments, told):
    ran = call("simulate", *arguments)
    assert ran.code == 2
    assert told in ran.err
    assert ran.out == ""


WITHOUT_KERNEL = """
import sys
sys.modules["provably_fair_baccarat._kernel"] = None
from provably_fair_baccarat.cli import run
sys.exit(run(sys.argv[1:]))
"""


def test_it_works_without_the_native_kernel_and_says_so(pfb, environment):
    arguments = ["simulate", "--rounds", "2000", "--entropy", ENTROPY, "--json"]
    done = subprocess.run([sys.executable, "-c", WITHOUT_KERNEL, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "takes long without the native kernel" in done.stderr
    assert done.stdout == pfb(*arguments).out


TELLING = """
import sys
from provably_fair_baccarat import laboratory
simulate = laboratory.simulate
def telling(*arguments, **options):
    for number, simulation in enumerate(simulate(*arguments, **options)):
        if number == 1:
            print("at work", file=sys.stderr, flush=True)
        yield simulation
laboratory.simulate = telling
from provably_fair_baccarat.cli import run
sys.exit(run(sys.argv[1:]))
"""
"""A program that tells when the first piece is behind it, so that nobody has to guess how long that takes."""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_shows_what_was_dealt_so_far(environment):
    command = [sys.executable, "-c", TELLING, "simulate", "--rounds", "1e14", "--entropy", ENTROPY, "--json", "--seed-pairs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True) as process:
        assert "at work\n" in iter(process.stderr.readline, "")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "pfb: interrupted" in err
    assert "Traceback" not in err
    told = json.loads(out)
    assert 0 < told["rounds"] < told["rounds_asked"] == 10**14
    assert sum(each["count"] for each in told["outcomes"].values()) == told["rounds"]


def test_a_terminal_sees_how_far_it_is(terminal):
    child = terminal("simulate", "--rounds", "1e14", "--seed-pairs", "1")
    child.expect(r"dealing.*[0-9]/s")
    child.sendintr()
    child.expect("pfb: interrupted")
    child.expect(re.compile(r"[0-9,]+ of 100,000,000,000,000 rounds"))
    child.expect("chi-square")


def test_a_pipe_gets_no_progress(pfb):
    assert pfb("simulate", "--rounds", "1e3").err.count("\n") <= (0 if kernel_info().native else 1)
