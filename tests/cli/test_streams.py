"""Pipes, terminals and disks that do not do what one expects of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from provably_fair_baccarat.cli.screen import own_name

COMMAND = [sys.executable, "-m", "provably_fair_baccarat"]
SHOE = "BPTBP" * 500

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes and devices")


@posix
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_reader_that_goes_away_is_no_error_text(environment, tmp_path, form):
    (tmp_path / "shoe.txt").write_text(SHOE)
    with subprocess.Popen(
        [*COMMAND, "roads", "shoe.txt", *form], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path
    ) as process:
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["odds"], ["odds", "--json"], ["roads", "BBP"], ["--help"]])
def test_a_full_disk_is_told(environment, arguments):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


@posix
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_is_an_empty_one(environment, closed):
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m provably_fair_baccarat roads BBP {closed}', sys.executable],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""


def test_an_output_that_spells_no_symbols_gets_letters(pfb, seed_file):
    ran = pfb("deal", "--seed-file", seed_file, "--client-seed", "é", "--nonce", "1", PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert ran.out.isascii()
    assert "client seed  \\xe9" in ran.out


def test_json_is_utf8_whatever_the_terminal_spells(pfb, seed_file):
    ran = pfb("deal", "--seed-file", seed_file, "--client-seed", "é", "--nonce", "1", "--json", PYTHONIOENCODING="ascii")
    assert '"client_seed":"é"' in ran.out


def test_nothing_in_a_record_reaches_the_terminal_as_a_control(pfb, records):
    ran = pfb("verify", "-", stdin=records[0].replace('"pfb1:8"', '"\\u001b[31m\\u202e"'))
    assert ran.code == 2
    assert "\\x1b[31m\\u202e" in ran.err
    assert "\x1b" not in ran.err + ran.out


def test_colours_at_a_terminal_and_none_with_no_color(terminal, seed_file):
    deal = ("deal", "--seed-file", seed_file, "--client-seed", "lucky 8s", "--nonce", "1")
    coloured = terminal(*deal).read()
    assert "\x1b[31m3♦" in coloured
    plain = terminal(*deal, NO_COLOR="1").read()
    assert "\x1b[31m" not in plain


def test_many_records_show_progress_at_a_terminal_only(terminal, records, tmp_path, pfb):
    (tmp_path / "many.jsonl").write_text("".join(records) * 100)
    text = terminal("verify", "many.jsonl").read()
    assert "verifying" in text
    assert "300 rounds verified, 0 failed" in text
    assert "verifying" not in pfb("verify", "many.jsonl").err


@pytest.mark.parametrize(
    ("started", "found", "told"), [("/venv/bin/pfb", None, "/venv/bin/pfb"), ("pfb", "/usr/bin/pfb", "pfb"), ("x.py", None, "pfb")]
)
def test_the_program_names_itself_as_it_was_started(monkeypatch, started, found, told):
    monkeypatch.setattr("sys.argv", [started])
    monkeypatch.setattr("shutil.which", lambda _: found)
    assert own_name() == told
