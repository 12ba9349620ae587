"""`pfb roads`: letters in a pipe, colours at a terminal, and the same boards as the library's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provably_fair_baccarat import RoundRecord, deal_coup
from provably_fair_baccarat.rules.roads import Scoreboard

WINNERS = "TBBPTBPPPBTTBBBBBBBB"


def test_the_boards_in_letters(pfb):
    ran = pfb("roads", "BBPTBPPPB")
    assert (ran.code, ran.err) == (0, "")
    boards = dict(part.split("\n", 1) for part in ran.out.split("\n\n"))
    assert boards["Bead plate"].splitlines()[0] == "B  P"
    assert boards["Big road"].splitlines() == [
        "B  P1 B  P  B",
        "B  ·  ·  P  ·",
        "·  ·  ·  P  ·",
        *["·  ·  ·  ·  ·"] * 3,
    ]
    assert boards["Small road"].startswith("b")
    assert "B banker, P player" in ran.out


def test_a_tie_before_the_first_win_is_told(call):
    assert "1 tie before the first win" in call("roads", "TB").out
    assert "nothing yet" in call("roads", "TT").out


def test_json_is_the_library_s(call):
    assert json.loads(call("roads", WINNERS, "--json").out) == json.loads(json.dumps(Scoreboard.parse(WINNERS).to_dict()))


def test_winners_from_standard_input_and_from_a_file(pfb, tmp_path):
    (tmp_path / "shoe.txt").write_text(f"{WINNERS}\n")
    assert pfb("roads", WINNERS).out == pfb("roads", "-", stdin=f"{WINNERS}\n").out == pfb("roads", "shoe.txt").out


def test_records_are_shown_in_the_order_of_the_file(pfb, records):
    board = Scoreboard.of(deal_coup(RoundRecord.parse_json(line).cards) for line in records)
    assert json.loads(pfb("roads", "rounds.jsonl", "--json").out) == json.loads(json.dumps(board.to_dict()))


def test_a_terminal_shows_the_newest_columns_in_colours(terminal):
    child = terminal("roads", "BP" * 40)
    child.expect("47 older columns are not shown")
    assert "\x1b[" in child.before
    assert "○" in child.read()
    assert child.wait() == 0


def test_no_color_gives_letters_at_a_terminal_too(terminal):
    text = terminal("roads", "BPBPBP", NO_COLOR="1").read()
    assert "○" not in text
    assert "r where" in text


@pytest.mark.parametrize(
    ("arguments", "stdin", "told"),
    [
        (["bbp"], "", "Write BBP."),
        (["XYZ"], "", "a file that exists"),
        (["-"], "BBX", "'X' at place 3"),
        (["-"], "{}", "record"),
        (["."], "", "Is a directory"),
    ],
)
def test_wrong_input(pfb, arguments, stdin, told):
    ran = pfb("roads", *arguments, stdin=stdin)
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.parametrize("letters", [["BBP", "PT"], ["B B P P T"], list("BBPPT")])
def test_letters_may_stand_apart(pfb, letters):
    assert pfb("roads", *letters).out == pfb("roads", "BBPPT").out


def test_a_line_without_an_end_is_not_read_for_ever(pfb, tmp_path):
    for letters, found in (("B" * 65_536 + "\n", None), ("B" * 65_537 + "\n", "a longer one"), ("B" * 20_000_000, "a longer one")):
        (tmp_path / "long.txt").write_text(letters)
        ran = pfb("roads", "long.txt", "--json")
        assert (ran.code, json.loads(ran.out).get("error", {}).get("found")) == (0 if found is None else 2, found)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize("command", [("roads", "/dev/zero"), ("verify", "/dev/zero")])
def test_what_never_ends_is_no_input(pfb, command):
    assert pfb(*command).code == 2
