"""`pfb play`: the console game at a terminal, however it is left."""

from __future__ import annotations

import re
import shlex

import pytest

from provably_fair_baccarat import RoundRecord, verify_record

BET = "Your bet, up to [1-5] chips?: "


def sit_down(child, client_seed="lucky 8s"):
    child.expect("The house commits")
    child.expect(r"[0-9a-f]{64}")
    commitment = child.match.group()
    child.expect("press Enter for a random one:")
    child.sendline(client_seed)
    child.expect(BET)
    return commitment


def test_ten_rounds(terminal, tmp_path):
    child = terminal("play", "--records", "evening.jsonl")
    commitment = sit_down(child)
    for number in range(1, 11):
        child.sendline(("player 5", "b 3", "tie 1", "")[number % 4])
        child.expect(BET if number < 10 else "The ten rounds are over")
    child.expect("The house reveals its server seed")
    child.expect(r"[0-9a-f]{64}")
    server_seed = child.match.group()
    child.expect("sha256sum")
    child.expect("10 rounds verified, 0 failed")
    child.read()
    assert child.wait() == 0
    records = [RoundRecord.parse_json(line) for line in (tmp_path / "evening.jsonl").read_bytes().splitlines()]
    assert len(records) == 10
    for record in records:
        verify_record(record)
        assert (str(record.commitment), record.server_seed) == (commitment, server_seed)
    assert [sum(bet.stake for bet in record.bets.values()) for record in records][:4] == [300, 100, 0, 500]


def test_wrong_entries_are_explained_and_asked_again(terminal):
    child = terminal("play")
    sit_down(child)
    for entry, told in {
        "5": "like player 3",
        "b": "like banker 3",
        "?": "Just Enter",
        "help": "Just Enter",
        "player 6": "at most 5 chips a round",
        "player 3 tie 3": "at most 5 chips a round",
        "player 0": "a whole number of chips",
        "player 1.5": "a whole number of chips",
        "player -1": "a whole number of chips",
        "bankr 2": r"Did you mean 'banker'\?",
        "dragon7 1": "expected player, banker or tie",
        "p 1 player 1": "each bet once",
        "\x1b[A 1": "expected player, banker or tie",
    }.items():
        child.sendline(entry)
        child.expect(told)
        child.expect(BET)
    child.sendline("PLAYER 5")
    child.expect("Round 2 of 10")


def test_the_purse_follows_the_returns(pfb):
    ran = pfb("play", stdin="lucky 8s\n" + "banker 5\n" * 10)
    assert ran.code == 0
    purses = [round(100 * float(text)) for text in re.findall(r"Purse \$([0-9]+\.[0-9]{2})", ran.out)]
    returns = [round(100 * float(text)) for text in re.findall(r"returned \$([0-9]+\.[0-9]{2})", ran.out)]
    assert len(purses) == len(returns) == 10
    purse = 5000
    for after, returned in zip(purses, returns, strict=True):
        assert returned in (0, 500, 975)
        purse += returned - 500
        assert after == purse
    assert "10 rounds verified, 0 failed" in ran.out


@pytest.mark.parametrize(("leave", "code"), [("q\r", 0), ("\x04", 0), ("\x03", 130)])
def test_leaving_early_reveals_and_verifies_what_was_played(terminal, leave, code):
    child = terminal("play")
    sit_down(child)
    for _ in range(2):
        child.sendline("p 1")
        child.expect(BET)
    child.send(leave)
    child.expect("You leave the table after 2 of 10 rounds")
    child.expect("The house reveals its server seed")
    child.expect("2 rounds verified, 0 failed")
    if code == 0:
        child.expect("To keep the records, type a name for their file, or just press Enter:")
        child.sendline("")
    assert "Traceback" not in child.read()
    assert child.wait() == code


def test_the_records_are_kept_in_the_end_where_the_bettor_says_so(terminal, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    child = terminal("play")
    sit_down(child)
    child.sendline("p 1")
    child.expect(BET)
    child.sendline("q")
    for name, told in (
        ("mine.txt", "mine.txt: File exists"),
        ("no/where", "no/where: No such file"),
        ("evening.jsonl", "The records are in"),
    ):
        child.expect("To keep the records")
        child.sendline(name)
        child.expect(told)
    child.expect("pfb verify evening.jsonl")
    child.read()
    assert child.wait() == 0
    (line,) = (tmp_path / "evening.jsonl").read_bytes().splitlines()
    verify_record(RoundRecord.parse_json(line))
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("decks", ["8", "6"])
def test_the_game_tells_its_nonces_and_ends_with_a_command_that_verifies(pfb, decks):
    out = pfb("play", "--decks", decks, stdin="it's lucky\nplayer 1\n\nq\n").out
    assert [f"Round {number + 1} of 10 (nonce {number})" in out for number in range(4)] == [True, True, True, False]
    (command,) = re.findall(r"^ +(pfb verify --server-seed .*)$", out, re.MULTILINE)
    program, *words = shlex.split(command)
    assert program == "pfb"
    ran = pfb(*words)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Nonce 0, recomputed")


def test_what_a_typed_client_seed_means_is_told(pfb):
    out = " ".join(pfb("play", stdin="lucky 8s\nq\n").out.split())
    (commitment,) = re.findall(r"\b[0-9a-f]{64}\b", out)[:1]
    assert f"will be claimed, not proved: a seed that ends with -{commitment[:16]} proves it." in out
    made = " ".join(pfb("play", stdin="\nq\n").out.split())
    (commitment,) = re.findall(r"\b[0-9a-f]{64}\b", made)[:1]
    assert "in a real casino make it yourself" in made
    assert f"pfb client-seed {commitment}" in made
    assert f"echo $(openssl rand -hex 8)-{commitment[:16]}" in made
    assert "claimed, not proved" not in made


def test_leaving_before_the_first_round(pfb):
    none = pfb("play", stdin="\nq\n").out
    assert "No round was played, so there is nothing to verify" in none
    assert "Everything is verified" not in none
    for stdin in ("", "q\n"):
        ran = pfb("play", stdin=stdin)
        assert ran.code == 0
        assert "You leave the table before anything was dealt." in ran.out


def test_ctrl_c_at_the_client_seed(terminal):
    child = terminal("play")
    child.expect("press Enter for a random one:")
    child.sendintr()
    child.expect("pfb: interrupted")
    child.read()
    assert child.wait() == 130


def test_side_bets_are_offered_when_asked_for(pfb):
    ran = pfb("play", "--side-bets", stdin="lucky 8s\nplayer 2 dragon7 1 egalite_0 1\nq\n")
    assert "Side bets, and what they pay to one:" in ran.out
    assert re.search(r"dragon7 +\$1.00 +(won|lost)", ran.out)
    assert "1 round verified, 0 failed" in ran.out


def test_an_entry_that_is_no_text_is_asked_again(pfb):
    ran = pfb("play", stdin=b"\xff\nlucky 8s\n\xff 1\nq\n")
    assert ran.code == 0
    assert "no control characters or surrogates" in ran.out
    assert "expected player, banker or tie" in ran.out


def test_a_file_that_exists_is_refused_before_the_game(pfb, seed_file):
    ran = pfb("play", "--records", seed_file)
    assert (ran.code, ran.out) == (2, "")
    assert "File exists" in ran.err


def test_the_records_are_kept_where_they_are_asked_for_and_else_it_is_told_how(pfb, tmp_path):
    told = "Nothing of this is kept. With --records FILE, pfb play writes the records, and pfb verify replays them."
    assert told in " ".join(pfb("play", stdin="lucky 8s\nplayer 1\nq\n").out.split())
    assert "Nothing of this is kept" not in pfb("play", stdin="lucky 8s\nq\n").out
    kept = pfb("play", "--records", "evening.jsonl", stdin="lucky 8s\nplayer 1\nq\n").out
    assert "The records are in evening.jsonl: pfb verify replays them." in " ".join(kept.split())
    assert "Nothing of this is kept" not in kept


def test_side_bets_are_priced_where_they_are_offered(pfb):
    ran = pfb("play", "--side-bets", stdin="lucky 8s\nq\n")
    assert "Side bets, and what they pay to one: banker_pair 11, big 0.54, big_tiger 50," in " ".join(ran.out.split())
    assert "What each bet keeps: pfb odds --pay-table all_bets." in " ".join(ran.out.split())
    assert "dragon7              40\n" in pfb("play", "--help").out
