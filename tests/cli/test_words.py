"""`pfb words`: bytes for laboratories, to files and pipes, and never half a file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from hashlib import sha256

import pytest

from provably_fair_baccarat.laboratory import FORMS, stream

KEY = bytes(range(32))
ENTROPY = KEY.hex()
COMMAND = [sys.executable, "-m", "provably_fair_baccarat"]

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes and signals")


def piped(environment, *arguments):
    done = subprocess.run([*COMMAND, "words", "--entropy", ENTROPY, *arguments], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize("form", FORMS)
def test_a_pipe_gets_the_stream(environment, form):
    given = piped(environment, "--rounds", "1_500", "--form", form, "--decks", "6", "--pair-rounds", "1e3", "--out", "-")
    assert given == b"".join(stream(form, KEY, rounds=1500, decks=6, pair_rounds=1000))


def test_a_pipe_gets_draws_of_one_range(environment):
    given = piped(environment, "--rounds", "100", "--form", "draws", "--bound", "52", "--out", "-")
    assert given == b"".join(stream("draws", KEY, rounds=100, bound=52))
    assert set(given[::4]) | set(given[1::4]) | set(given[2::4]) == {0}
    assert max(given[3::4]) == 51


def test_so_many_bytes_to_the_last_one(environment, pfb, tmp_path):
    whole = b"".join(stream("words", KEY, rounds=70_000))
    for size in (1, 33, 1 << 20, (1 << 20) + 1):
        assert piped(environment, "--bytes", str(size), "--out", "-") == whole[:size]
    ran = pfb("words", "--bytes", "1.5e3", "--out", "w.bin", "--entropy", ENTROPY)
    assert ran.code == 0
    assert (tmp_path / "w.bin").read_bytes() == whole[:1500]


def test_a_file_is_told(pfb, tmp_path):
    ran = pfb("words", "--rounds", "10", "--out", "w.bin", "--json")
    told = json.loads(ran.out)
    made = (tmp_path / "w.bin").read_bytes()
    assert told == {"out": "w.bin", "bytes": 320, "sha256": sha256(made).hexdigest(), "form": "words", "entropy": told["entropy"]}
    assert made == b"".join(stream("words", bytes.fromhex(told["entropy"]), rounds=10))
    plain = pfb("words", "--rounds", "10", "--out", "x.bin", "--entropy", told["entropy"])
    assert f"sha256   {told['sha256']}\n" in plain.out


def test_no_file_is_overwritten(pfb, tmp_path):
    (tmp_path / "w.bin").write_text("kept")
    ran = pfb("words", "--rounds", "10", "--out", "w.bin")
    assert ran.code == 2
    assert "Nothing is overwritten" in ran.err
    assert (tmp_path / "w.bin").read_text() == "kept"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--rounds", "10"], "Missing option '--out'"),
        (["--out", "w.bin"], "give --rounds or --bytes"),
        (["--out", "w.bin", "--rounds", "1", "--bytes", "1"], "Give --rounds or --bytes"),
        (["--out", "w.bin", "--rounds", "1e16"], "10^15"),
        (["--out", "w.bin", "--bytes", "1.5"], "no whole number"),
        (["--out", "w.bin", "--rounds", "1", "--form", "card"], "Did you mean 'cards'?"),
        (["--out", "w.bin", "--rounds", "1", "--bound", "6"], "form with a bound"),
        (["--out", "w.bin", "--rounds", "1", "--form", "draws", "--bound", "4294967297"], "1 to 2^32"),
        (["--out", "nowhere/w.bin", "--rounds", "1"], "No such file"),
    ],
)
def test_wrong_input_leaves_nothing(call, tmp_path, arguments, told):
    ran = call("words", *arguments)
    assert ran.code == 2
    assert told in ran.err
    assert not (tmp_path / "w.bin").exists()


def test_a_terminal_gets_no_bytes(terminal):
    child = terminal("words", "--rounds", "10", "--out", "-")
    text = child.read()
    child.close()
    assert "Bytes are nothing for a terminal" in text
    assert child.exitstatus == 2


def test_a_file_behind_standard_output_needs_an_end(environment, tmp_path):
    with (tmp_path / "w.bin").open("wb") as file:
        done = subprocess.run(
            [*COMMAND, "words", "--out", "-"], stdout=file, stderr=subprocess.PIPE, env=environment, check=False, timeout=60
        )
    assert done.returncode == 2
    assert b"A file needs an end" in done.stderr
    assert (tmp_path / "w.bin").read_bytes() == b""


@posix
def test_a_reader_that_goes_away_ends_it_quietly(environment):
    with subprocess.Popen([*COMMAND, "words", "--out", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert len(process.stdout.read(10**6)) == 10**6
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@posix
def test_an_interrupt_leaves_no_half_file(environment, tmp_path):
    command = [*COMMAND, "words", "--rounds", "1e15", "--out", "w.bin", "--form", "cards"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path) as process:
        while not list(tmp_path.iterdir()) and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == []
