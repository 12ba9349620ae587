"""Progress at a real terminal: one line with the rate and the time left, gone in the end, and nothing of it in a pipe."""

from __future__ import annotations

import os
import re
import signal
import struct
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
import fcntl  # noqa: E402 (only where there are terminals)
import termios  # noqa: E402

COMMAND = (sys.executable, "-m", "provably_fair_baccarat")
SLOWLY = """
import sys, time
from provably_fair_baccarat.audit import running
audit_piece = running._Run._audit_piece
def slowly(self, piece, file):
    time.sleep(0.3)
    return audit_piece(self, piece, file)
running._Run._audit_piece = slowly
from provably_fair_baccarat.cli import run
sys.exit(run())
"""
SLOW = (sys.executable, "-c", SLOWLY)


class Screen:
    """What a terminal of so many columns shows: lines of text, whether its cursor is seen, and how often a text ran over an edge."""

    def __init__(self, columns):
        self.columns = columns
        self.lines = [[]]
        self.row = self.column = self.overruns = 0
        self.is_cursor_seen = True

    def write(self, text):
        for code, letter in re.findall(r"\x1b\[([0-9;?]*[A-Za-z])|([\s\S])", text):
            if code:
                self.obey(code)
            elif letter == "\r":
                self.column = 0
            elif letter == "\n":
                self.row += 1
                self.lines += [[]] * (self.row == len(self.lines))
            else:
                self.show(letter)

    def obey(self, code):
        if code == "2K":
            self.lines[self.row] = []
        elif code.endswith("A"):
            self.row -= int(code[:-1] or 1)
        elif code in ("?25h", "?25l"):
            self.is_cursor_seen = code == "?25h"
        else:
            assert code.endswith("m"), code

    def show(self, letter):
        if self.column == self.columns:
            self.overruns += 1
            self.write("\r\n")
        line = self.lines[self.row]
        line += " " * (self.column - len(line))
        line[self.column : self.column + 1] = letter
        self.column += 1

    @property
    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines).strip()


class Session:
    """A command whose errors go to a terminal and whose answers go to a file, or the other way round."""

    def __init__(self, command, folder, environment, columns, *, is_piped):
        here, there = pty.openpty()
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.terminal, self.other = here, folder / "other"
        with self.other.open("wb") as other:
            out, err = (there, other) if is_piped else (other, there)
            self.process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )
        os.close(there)
        self.screen, self.frames, self.raw = Screen(columns), [], ""

    def read(self):
        """Take a part of what the terminal is told; whether there was one."""
        try:
            part = os.read(self.terminal, 1 << 16).decode(errors="replace")
        except OSError:  # how Linux says that nobody writes any more
            part = ""
        self.raw += part
        for piece in re.split(r"(?=\r)", part):
            self.screen.write(piece)
            self.frames.append(self.screen.text)
        return bool(part)

    def wait_for(self, pattern):
        while not any(re.search(pattern, frame) for frame in self.frames):
            assert self.read(), f"it ended without {pattern}: {self.raw}"

    def end(self):
        while self.read():
            pass
        return self.process.wait(timeout=60)


@pytest.fixture
def session(tmp_path, environment):
    started = []

    def start(*command, columns=100, is_piped=False, **changes):
        each = Session(command, tmp_path, {**environment, **changes}, columns, is_piped=is_piped)
        started.append(each)
        return each

    yield start
    for each in started:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.wait()
        os.close(each.terminal)


@pytest.fixture
def rounds(call):
    """A folder of six files, each of which takes its time."""
    pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")
    from pathlib import Path

    Path("rounds").mkdir()
    for place in range(6):
        assert call("generate", "--rounds", "200", "--out", f"rounds/{place}.parquet", "--entropy", f"{place:064}").code == 0
    return "rounds"


RATE = r"[0-9,]+/s"
LEFT = r"[0-9]:[0-9]{2}:[0-9]{2}"


def test_an_audit_shows_how_far_it_is_and_leaves_nothing(session, rounds):
    audit = session(*SLOW, "audit", rounds, "--workers", "1", "--json")
    assert audit.end() == 0
    assert any(re.fullmatch(rf"auditing [━╸╺]+ [0-9,]+ of 1,200 +{RATE} {LEFT}", frame) for frame in audit.frames), audit.frames
    assert max(frame.count("\n") for frame in audit.frames) == 0
    assert (audit.screen.text, audit.screen.overruns, audit.screen.is_cursor_seen) == ("", 0, True)
    assert audit.other.read_bytes().startswith(b'{"clean":true')


@pytest.mark.parametrize("columns", [79, 50, 20, 8])
def test_a_narrow_terminal_gets_one_line_too(session, rounds, columns):
    audit = session(*SLOW, "audit", rounds, "--workers", "2", "--json", columns=columns)
    assert audit.end() == 0
    assert (audit.screen.text, audit.screen.overruns) == ("", 0)
    longest = max(audit.frames, key=len)
    assert longest.startswith("audit")
    assert ("of 1,200" in longest, bool(re.search(RATE, longest))) == (columns >= 72, columns >= 48)
    assert "\n" not in longest


def test_a_pipe_gets_nothing_of_it(session, rounds):
    audit = session(*SLOW, "audit", rounds, is_piped=True)
    assert audit.end() == 0
    assert audit.other.read_bytes() == b""
    assert "Every card, every payment and every nonce is right." in audit.screen.text
    assert "auditing" not in audit.raw


def test_a_simulation_that_is_interrupted_leaves_a_clean_terminal(session):
    simulation = session(*COMMAND, "simulate", "--rounds", "1e12", "--threads", "1")
    simulation.wait_for(rf"dealing [━╸╺]+ [0-9,]+ of 1,000,000,000,000 +{RATE}")
    os.killpg(simulation.process.pid, signal.SIGINT)
    assert simulation.end() == 130
    *_, last = simulation.screen.text.splitlines()  # the first ones may say that there is no native kernel
    assert (last, simulation.screen.is_cursor_seen) == ("pfb: interrupted", True)
    assert "━" not in simulation.screen.text
    assert b" of 1,000,000,000,000 rounds with 8 decks" in simulation.other.read_bytes()


def test_an_audit_that_is_interrupted_leaves_a_clean_terminal(session, rounds, tmp_path):
    audit = session(*SLOW, "audit", rounds, "--workers", "1", "--work", "work", TMPDIR=str(tmp_path))
    audit.wait_for(r"^auditing [━╸╺]+ [1-9][0-9,]*")
    os.killpg(audit.process.pid, signal.SIGINT)
    assert audit.end() == 130
    assert (audit.screen.text, audit.screen.is_cursor_seen) == ("pfb: interrupted", True)
    assert audit.other.read_bytes() == b""
    assert not list(tmp_path.glob("work/*.partial"))
    again = session(*COMMAND, "audit", rounds, "--workers", "1", "--work", "work")
    assert again.end() == 0
    assert again.screen.text == ""


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("generate", "--rounds", "200000", "--out", "made.parquet"), "making rounds"),
        (("words", "--rounds", "3e5", "--out", "words.bin"), "writing bytes"),
        (("verify", "many.jsonl"), "verifying"),
        (("odds", "--pay-table", "all_bets"), "counting"),
    ],
)
def test_other_commands_show_the_same_line(session, command, told, records, tmp_path):
    if command[0] == "generate":
        pytest.importorskip("pyarrow", reason="specimens need pyarrow: pip install 'provably-fair-baccarat[audit]'")
    (tmp_path / "many.jsonl").write_text("".join(records) * 200)
    shown = session(*COMMAND, *command, columns=80)
    assert shown.end() == 0
    assert any(frame.startswith(told) for frame in shown.frames)
    assert (shown.screen.text, shown.screen.overruns, shown.screen.is_cursor_seen) == ("", 0, True)
    assert told.encode() not in shown.other.read_bytes()
