"""`pfb demo`: commitment first, then the client seed, then everything that makes it a proof."""

from __future__ import annotations

import hashlib
import json
import re
import shlex

import pytest

from provably_fair_baccarat import RoundRecord, verify_record


def in_order(text, *parts):
    place = -1
    for part in parts:
        assert part in text[place + 1 :], part
        place = text.index(part, place + 1)


def test_the_story_in_a_pipe(pfb, tmp_path):
    ran = pfb("demo")
    assert (ran.code, ran.err) == (0, "")
    (file,) = tmp_path.glob("pfb-demo-*.jsonl")
    records = [RoundRecord.parse_json(line) for line in file.read_bytes().splitlines()]
    first = records[0]
    in_order(
        ran.out,
        "The house commits",
        str(first.commitment),
        "You choose a client seed",
        str(first.client_seed),
        "The rounds are dealt",
        "Purse: $50.00 - ",
        "The house reveals its server seed",
        first.server_seed,
        f"printf 'pfb1:8:{first.server_seed}' | sha256sum",
        "10 rounds verified, 0 failed",
        "The big road",
        "The records are yours",
        f"pfb verify {file.name}",
        f"The house's own books are in {file.stem}.db",
        "pfb house verify ",
    )
    assert file.name == f"pfb-demo-{str(first.commitment)[:8]}.jsonl"
    assert first.client_seed.marks(first.commitment)
    assert f"\n   pfb verify {file.name}\n" in ran.out
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{file.stem}.db", file.name]
    assert hashlib.sha256(f"pfb1:8:{first.server_seed}".encode()).hexdigest() == str(first.commitment)
    assert not any(line != line.rstrip() for line in ran.out.splitlines())


def test_its_records_verify_and_hold_everything(pfb, tmp_path):
    pfb("demo", "--records", "ten.jsonl", "--client-seed", "lucky 8s")
    records = [RoundRecord.parse_json(line) for line in (tmp_path / "ten.jsonl").read_bytes().splitlines()]
    assert [record.nonce for record in records] == list(range(10))
    for record in records:
        assert str(record.client_seed) == "lucky 8s"
        assert record.client_seed_made_by == "bettor"
        assert record.currency.code == "USD"
        verify_record(record)
    ran = pfb("verify", "ten.jsonl")
    assert ran.code == 0
    assert ran.out.endswith("10 rounds verified, 0 failed.\n")


def test_the_house_s_books_are_a_database_that_verifies(pfb, tmp_path):
    told = pfb("demo", "--records", "my ten.jsonl").out.splitlines()[-1]
    command = shlex.split(told)
    assert command[:3] == ["pfb", "house", "verify"]
    assert command[-1] == "sqlite:///my ten.db"
    ran = pfb(*command[1:])
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("10 rounds verified, 0 failed.\n")
    exported = pfb("house", "export", "--database", command[-1]).out
    assert exported == (tmp_path / "my ten.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["ten.jsonl", "ten.db"])
def test_neither_file_is_overwritten(call, tmp_path, name):
    (tmp_path / name).write_text("mine")
    assert call("demo", "--records", "ten.jsonl").code == 2
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_every_round_is_in_the_table(pfb, tmp_path):
    ran = pfb("demo", "--records", "ten.jsonl", "--decks", "6", COLUMNS="80")
    assert "…" not in ran.out
    for line in (tmp_path / "ten.jsonl").read_bytes().splitlines():
        record = RoundRecord.parse_json(line)
        (row,) = re.findall(rf"^ +{record.nonce}  .*$", ran.out, re.MULTILINE)
        for card in (*record.player.cards, *record.banker.cards):
            assert card.symbol in row
        assert ("natural" in row) is record.natural
        assert f"  {record.winner.value} " in row


def test_json_tells_everything_at_once(pfb, tmp_path):
    told = json.loads(pfb("demo", "--rounds", "3", "--json").out)
    assert (told["label"], told["verified"], told["failed"], len(told["rounds"])) == ("pfb1:8", 3, 0, 3)
    assert (tmp_path / told["records_file"]).exists()
    assert (tmp_path / told["database"].removeprefix("sqlite:///")).exists()
    assert told["rounds"][0]["server_seed"] == told["server_seed"]


def test_a_file_that_exists_is_never_overwritten(pfb, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    ran = pfb("demo", "--records", "mine.txt")
    assert (ran.code, ran.out) == (2, "")
    assert "File exists" in ran.err
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("arguments", [["--client-seed", ""], ["--client-seed", " x"], ["--decks", "9"], ["--rounds", "101"]])
def test_wrong_input_exits_with_2_and_leaves_no_file(call, tmp_path, arguments):
    ran = call("demo", *arguments, "--json")
    assert ran.code == 2
    assert list(json.loads(ran.out)) == ["error"]
    assert not list(tmp_path.iterdir())


def test_at_a_terminal_it_asks_after_the_commitment(terminal):
    child = terminal("demo", "--records", "ten.jsonl")
    child.expect(r"The house commits")
    child.expect(r"[0-9a-f]{64}")
    commitment = child.match.group()
    child.expect("press Enter for a random one:")
    child.sendline(" spaced")
    child.expect("no white space at either end")
    child.expect("press Enter for a random one:")
    child.sendline("lucky 8s")
    child.expect("10 rounds verified, 0 failed")
    child.expect("You saw the commitment first")
    child.expect("pfb verify ten.jsonl")
    assert child.wait() == 0
    assert len(commitment) == 64


@pytest.mark.parametrize("answer", ["\r", "\x04"])
def test_at_a_terminal_nothing_is_a_random_one(terminal, answer):
    child = terminal("demo", "--records", "ten.jsonl")
    child.expect("press Enter for a random one:")
    child.send(answer)
    child.expect(r"[0-9a-f]{16}-[0-9a-f]{16}")
    child.expect("10 rounds verified, 0 failed")
    child.read()
    assert child.wait() == 0


def test_ctrl_c_leaves_with_130_a_line_and_no_file(terminal, tmp_path):
    child = terminal("demo")
    child.expect("press Enter for a random one:")
    child.sendintr()
    child.expect("pfb: interrupted")
    assert "Traceback" not in child.read()
    assert child.wait() == 130
    assert not list(tmp_path.iterdir())
