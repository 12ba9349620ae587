"""`pfb keys`, `pfb log`, `pfb prove` and a history file under `pfb verify`: from the first key to one page for the bettor."""

from __future__ import annotations

import json
import stat

import pytest

from provably_fair_baccarat.receipts.base64url import decode
from provably_fair_baccarat.receipts.log import LogWriter, NoteKey


@pytest.fixture
def casino(call, monkeypatch, tmp_path):
    """A house that signs, with one closed pair and one that is open, all of it in the log."""
    for name, value in (("PFB_DATABASE", "sqlite:///house.db"), ("PFB_KEY_FILE", "house.keys"), ("PFB_CURRENCY", "USD/2")):
        monkeypatch.setenv(name, value)

    def run(*arguments, code=0):
        ran = call(*arguments)
        assert ran.code == code, ran
        return ran

    run("db", "migrate")
    run("house", "key", "house.keys")
    run("keys", "new", "signing.keys", "--at", "2025-01-01T00:00:00Z")
    run("keys", "new", "log.key", "--at", "2025-01-01T00:00:00Z")
    monkeypatch.setenv("PFB_SIGNING_KEYS", "signing.keys")
    run("house", "deposit", "ann", "100000", "--key", "deposit 1")
    pair = json.loads(run("house", "commit", "ann", "--json").out)["pair"]
    run("house", "choose", pair, "--client-seed", "lucky 8s")
    for number in range(3):
        run("house", "play", pair, "--bet", "player=500", "--key", f"bet {number}")
    run("house", "rotate", pair)
    (tmp_path / "jwks.json").write_text(run("keys", "jwks", "signing.keys").out)
    run.log_key = json.loads(run("log", "key", "--origin", "casino.example/log", "--log-key-file", "log.key", "--json").out)["log_key"]
    run.sequence = ("log", "sequence", "log", "--origin", "casino.example/log", "--log-key-file", "log.key")
    run.prove = ("prove", "ann", "--keys", "jwks.json", "--log", "log", "--log-key", run.log_key)
    return run


def test_keys_are_their_owners_and_the_set_is_everybody_s(call, tmp_path):
    made = json.loads(call("keys", "new", "k", "--json").out)
    assert stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o600
    secret = (tmp_path / "k").read_text().split()[2]
    assert call("keys", "new", "k").code == 2
    rotated = json.loads(call("keys", "rotate", "k", "--at", "2099-01-01T00:00:00Z", "--json").out)
    ran = call("keys", "jwks", "k")
    keys = json.loads(ran.out)["keys"]
    assert [key["kid"] for key in keys] == [made["kid"], rotated["kid"]]
    assert keys[0]["exp"] == keys[1]["nbf"] == rotated["nbf"]
    assert secret not in ran.out
    assert "key id" in call("keys", "new", "other").out
    assert call("keys", "rotate", "k", "--at", "2020-01-01T00:00:00Z").code == 2
    for wrong in ("tomorrow", "2027-13-01T00:00:00Z"):
        assert call("keys", "rotate", "k", "--at", wrong).code == 2
    assert call("keys", "jwks", "nothing").code == 2


def test_one_page_proves_a_history(casino):
    told = json.loads(casino(*casino.sequence, "--json").out)
    assert (told["appended"], told["size"]) == (9, 9)
    assert "appended  0" in casino(*casino.sequence).out
    assert json.loads(casino(*casino.prove, "--out", "ann.jsonl", "--json").out) == {"file": "ann.jsonl", "lines": 11}
    page = casino("verify", "ann.jsonl", "--keys", "jwks.json", "--log-key", casino.log_key).out
    assert "Signed with keys that the operator publishes" in page
    assert "9 of 9 statements are in casino.example/log under its checkpoint of size 9" in page
    assert "The operator signed bet and outcome" in page
    assert "Nothing in this file contradicts itself: 3 coups proved, 0 not yet, 0 failed. It cannot show" in page.splitlines()[-1]
    assert "which the file brings itself" in casino("verify", "ann.jsonl").out
    found = json.loads(casino("verify", "ann.jsonl", "--keys", "jwks.json", "--json").out)
    assert (found["coups"], found["open_coups"], found["logged"], found["keys_compared"]) == (3, 0, 9, True)
    assert found["guarantees"]["logged"] == {"proved": 3, "claimed": 0, "unknown": 0}


def test_what_a_bettor_kept_must_be_in_the_file(casino, tmp_path):
    casino(*casino.prove[:4], "--out", "ann.jsonl")
    commitment = json.loads(casino("verify", "ann.jsonl", "--json").out)["commitments"][0]["commitment"]
    page = casino("verify", "ann.jsonl", "--commitment", commitment).out
    assert "every commitment that you gave is in it: 3 coups proved" in page.splitlines()[-1]
    left_out = casino("verify", "ann.jsonl", "--commitment", commitment, "--commitment", "f" * 64, code=1)
    assert f"an opening of {'f' * 64}, the commitment that you were shown" in left_out.err
    assert "it was left out" in left_out.err
    assert "verification.left_out" in left_out.err
    casino("verify", "ann.jsonl", "--commitment", "short", code=2)
    statements = [json.loads(line)["statement"] for line in (tmp_path / "ann.jsonl").read_text().splitlines() if '"statement"' in line]
    (tmp_path / "kept.txt").write_text("\n".join(statements) + "\n")
    casino("verify", "ann.jsonl", "--kept", "kept.txt")
    (tmp_path / "kept.txt").write_text(f"{statements[0]}\n{statements[1][:-1]}\n")
    assert "statement 2 of those that you kept" in casino("verify", "ann.jsonl", "--kept", "kept.txt", code=1).err
    for wrong in ("no statement", "", f"{statements[0]}\nno statement\n", "\0" * 10**6):
        (tmp_path / "kept.txt").write_text(wrong)
        assert "is a file of signed statements" in casino("verify", "ann.jsonl", "--kept", "kept.txt", code=2).err


def test_the_offer_and_the_log_that_a_bettor_kept_are_held_against_the_file(casino, tmp_path):
    """An operator may leave the log out of the file, and open a commitment under another pay table."""
    casino(*casino.sequence)
    casino(*casino.prove[:4], "--out", "ann.jsonl")
    casino("verify", "ann.jsonl", "--pay-table", "punto_banco")
    ran = casino("verify", "ann.jsonl", "--pay-table", "ez_baccarat", code=1)
    assert "verification.pay_table" in ran.err
    assert "opening 0, digest of the pay table that was offered" in ran.err
    witness = NoteKey("witness.example/w1", NoteKey.parse(casino.log_key).raw, "witness")
    for kept in (("--checkpoint", "log/checkpoint"), ("--log-key", casino.log_key), ("--witness", str(witness))):
        assert "verification.log.checkpoint" in casino("verify", "ann.jsonl", *kept, code=1).err


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (lambda text: text.replace(b"\n", b"\r\n"), 2, "fetch the file again"),
        (lambda text: text[:-1], 2, "fetch the whole file again"),
        (lambda text: text.replace(b'"kind":', b'"kind": ', 1), 2, "its spaces or line ends"),
        (lambda text: text[: text.rindex(b"\n", 0, -1) + 1], 1, "this is not the whole file"),
    ],
)
def test_a_file_that_was_changed_on_its_way_is_no_failure(casino, tmp_path, change, code, told):
    casino(*casino.prove[:4], "--out", "ann.jsonl")
    (tmp_path / "changed.jsonl").write_bytes(change((tmp_path / "ann.jsonl").read_bytes()))
    assert told in casino("verify", "changed.jsonl", code=code).err


def test_a_history_without_coups_proves_nothing(casino, call):
    casino("house", "commit", "bob")
    casino("prove", "bob", "--keys", "jwks.json", "--out", "bob.jsonl")
    ran = casino("verify", "bob.jsonl")
    assert ran.out.endswith("Nothing in this file contradicts itself, and it proves nothing: 0 coups proved, 0 not yet, 0 failed.\n")


def test_what_is_wrong_fails_with_its_line(casino, tmp_path, call):
    casino(*casino.sequence)
    casino(*casino.prove, "--out", "ann.jsonl")
    lines = (tmp_path / "ann.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:-1]))
    (tmp_path / "dropped.jsonl").write_bytes(b"".join(lines[:5] + lines[7:]))
    ran = casino("verify", "dropped.jsonl", code=1)
    assert "verification.history" in ran.err
    assert "line 6" in ran.err
    assert casino("verify", "cut.jsonl", "--json", code=1).out.startswith('{"error":')
    casino("keys", "new", "stranger.keys")
    (tmp_path / "strange.json").write_text(casino("keys", "jwks", "stranger.keys").out)
    assert "unknown_key" in casino("verify", "ann.jsonl", "--keys", "strange.json", code=1).err
    for wrong in (["--nonce", "0"], ["ann.jsonl"], ["--keys", "nothing"], ["--log-key", "no key"]):
        casino("verify", "ann.jsonl", *wrong, code=2)
    casino("house", "export")
    assert casino("verify", "--keys", "jwks.json", "--server-seed", "00", code=2).code == 2
    casino(*casino.prove, "--out", "ann.jsonl", code=2)
    casino("prove", "ann", "--keys", "jwks.json", "--log", "log", "--out", "new.jsonl", code=2)


def test_a_log_is_held_against_kept_checkpoints(casino, tmp_path):
    casino(*casino.sequence)
    kept = (tmp_path / "log" / "checkpoint").read_text()
    (tmp_path / "kept.txt").write_text(kept)
    with LogWriter.from_key_file(tmp_path / "fork", "casino.example/log", tmp_path / "log.key") as fork:
        fork.append([b"another"] * 9)
    with LogWriter.from_key_file(tmp_path / "log", "casino.example/log", tmp_path / "log.key") as log:
        log.append([b"one more"])
    told = casino("log", "verify", "log", "--log-key", casino.log_key, "--checkpoint", "kept.txt").out
    assert "10 entries" in told
    assert "1 kept checkpoint agrees with it." in told
    assert json.loads(casino("log", "verify", "log", "--log-key", casino.log_key, "--json").out)["size"] == 10
    assert "split_view" in casino("log", "verify", "fork", "--log-key", casino.log_key, "--checkpoint", "kept.txt", code=1).err
    assert "split_view" in casino("log", "verify", "log", "--log-key", casino.log_key, "--checkpoint", "fork/checkpoint", code=1).err
    casino("log", "verify", "nothing", "--log-key", casino.log_key, code=2)
    assert casino("log", "key", "--origin", "casino.example/log", "--log-key-file", "log.key").out.startswith("casino.example/log+")


def test_a_signed_pair_is_not_played_without_the_keys(casino, monkeypatch):
    pair = json.loads(casino("house", "commit", "ann", "--json").out)["pair"]
    casino("house", "choose", pair, "--client-seed", "lucky 8s")
    monkeypatch.delenv("PFB_SIGNING_KEYS")
    assert "signing_key" in casino("house", "play", pair, "--bet", "player=500", "--key", "again", code=2).err


def test_a_house_promises_its_log(casino, monkeypatch, tmp_path):
    monkeypatch.setenv("PFB_LOG_PROMISE", f"3600 {casino.log_key}")
    pair = json.loads(casino("house", "commit", "ben", "--json").out)["pair"]
    casino("house", "deposit", "ben", "1000", "--key", "deposit 2")
    casino("house", "choose", pair, "--client-seed", "lucky 8s")
    casino("house", "play", pair, "--bet", "player=500", "--key", "bet of ben")
    casino("house", "rotate", pair)
    casino("prove", "ben", "--keys", "jwks.json", "--out", "ben.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "ben.jsonl").read_text().splitlines()]
    said = [json.loads(decode(line["statement"].split(".")[1])) for line in lines if line.get("kind") in ("opening", "acceptance")]
    promise = {"key": casino.log_key, "maximum_delay": 3600}
    assert [each["log"] for each in said] == [promise] * 3
    told = json.loads(casino("verify", "ben.jsonl", "--keys", "jwks.json", "--json").out)
    assert told["guarantees"]["logged"]["claimed"] == 1


@pytest.mark.parametrize("promise", ["3600", "0 {}", "x {}", "31536001 {}", "3600  {}", "3600 casino.example/log"])
def test_what_is_no_promise_is_refused(casino, monkeypatch, promise):
    monkeypatch.setenv("PFB_LOG_PROMISE", promise.format(casino.log_key))
    casino("house", "commit", "ben", code=2)


def test_a_history_comes_through_a_pipe_too(casino, pfb, tmp_path):
    casino(*casino.prove[:4], "--out", "ann.jsonl")
    ran = pfb("verify", "-", stdin=(tmp_path / "ann.jsonl").read_bytes())
    assert (ran.code, ran.err) == (0, "")
    assert "No public log" in ran.out


def test_a_history_that_cannot_be_proved_leaves_no_half_file(casino, tmp_path):
    casino(*casino.sequence)
    for bundle in (tmp_path / "log" / "tile" / "entries").rglob("*.p/*"):
        bundle.write_bytes(b"")
    for tile in (tmp_path / "log" / "tile" / "0").rglob("*.p/*"):
        tile.write_bytes(b"")
    casino(*casino.prove, "--out", "ann.jsonl", code=2)
    assert not list(tmp_path.glob("ann.jsonl*"))
