"""Drives any program with the known answers: one JSON request a line, one JSON answer a line.

    python vectors/conformance.py -- node examples/verifier.mjs
    python vectors/conformance.py --section draws --section coups -- ./my_program

docs/reference/conformance.md describes the requests. Exit code 0: every answer was right. 1: some were not. 2: a wrong command line, or a
program that cannot be started. Nothing but Python is needed.
"""

from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parent
UNSUPPORTED = "unsupported"
MOST_SHOWN = 5
MOST_BREAKDOWNS = 3
COUP = ("cut", "cards", "player", "banker", "player_score", "banker_score", "natural", "winner")
HANDS = ("player", "banker", "player_score", "banker_score", "winner")
ROADS = ("leading_ties", "columns", "ties_after", "big_eye", "small", "cockroach", "cells", "big_eye_cells")


def read(name):
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def pick(vector, *keys):
    return {key: vector[key] for key in keys}


def case(name, request, expected):
    return {"id": name, **request}, expected


def words():
    for vector in read("words")["words"]:
        request = {"do": "words", **pick(vector, "server_seed", "label", "client_seed", "nonce"), "count": len(vector["words"])}
        yield case(vector["id"], request, pick(vector, "words"))


def draws():
    for vector in read("draws")["draws"]:
        request = {"do": "draws", **pick(vector, "server_seed", "label", "client_seed", "nonce", "sizes")}
        yield case(vector["id"], request, pick(vector, "draws"))


def commitments():
    for vector in [*read("pfb1")["coups"], *read("rejections")["coups"]]:
        request = {"do": "commitment", "label": f"pfb1:{vector['decks']}", **pick(vector, "server_seed")}
        yield case(vector["id"], request, pick(vector, "commitment"))
    for vector in read("shoes")["shoes"]:
        request = {"do": "commitment", "label": f"pfb1-shoe:{vector['decks']}", **pick(vector, "server_seed")}
        yield case(vector["id"], request, pick(vector, "commitment"))


def coups():
    for vector in [*read("pfb1")["coups"], *read("rejections")["coups"]]:
        request = {"do": "coup", **pick(vector, "server_seed", "client_seed", "nonce", "decks")}
        yield case(vector["id"], request, pick(vector, *COUP))


def deals():
    for vector in read("coups")["coups"]:
        yield case(vector["id"], {"do": "deal", **pick(vector, "cards")}, pick(vector, *HANDS))


def _settle(kind):
    content = read("settlements")
    for vector in content[kind]:
        request = {"do": "settle", **pick(vector, "cards", "stakes"), "pay_table": content["pay_tables"][vector["pay_table"]]["pay_table"]}
        yield case(vector["id"], request, pick(vector, "bets", "totals"))


def settlements():
    return _settle("settlements")


def side_bets():
    return _settle("side_bets")


def pay_tables():
    for name, vector in read("settlements")["pay_tables"].items():
        yield case(name, {"do": "digest", **pick(vector, "pay_table")}, pick(vector, "digest"))


def shoes():
    for vector in read("shoes")["shoes"]:
        request = {"do": "shoe", **pick(vector, "server_seed", "client_seed", "nonce", "decks")}
        yield case(vector["id"], request, pick(vector, "cut", "order_sha256", "burnt", "coups"))


def chains():
    chain = read("pfb1")["chain"]
    yield case("chain", {"do": "chain", **pick(chain, "last_link", "length", "decks")}, pick(chain, "anchor", "commitment"))
    for vector in chain["coups"]:
        request = {"do": "chain_coup", **pick(chain, "anchor", "length", "decks", "client_seed"), **pick(vector, "link", "nonce")}
        yield case(f"chain-{vector['nonce']}", request, pick(vector, *COUP))


def odds():
    for vector in read("odds")["odds"]:
        yield case(vector["id"], {"do": "odds", **pick(vector, "bet", "decks")}, pick(vector, "ways"))


def roads():
    for vector in read("roads")["roads"]:
        yield case(vector["id"], {"do": "roads", **pick(vector, "seq")}, pick(vector, *ROADS))


def schemes():
    for vector in read("schemes")["rounds"]:
        request = {"do": "scheme", **pick(vector, "scheme", "server_seed", "client_seed", "nonce")}
        yield case(vector["id"], request, pick(vector, "player", "banker"))


def _outcome(vector, word):
    return pick(vector, "error") if "error" in vector else {word: True}


def records():
    for vector in read("records")["records"]:
        yield case(vector["id"], {"do": "verify", **pick(vector, "record")}, _outcome(vector, "verified"))


def refusals():
    for vector in read("refusals")["refusals"]:
        yield case(vector["id"], {"do": "read", **pick(vector, "what", "value")}, _outcome(vector, "accepted"))


SECTIONS = {
    section.__name__: section
    for section in (
        words,
        draws,
        commitments,
        coups,
        deals,
        settlements,
        side_bets,
        pay_tables,
        shoes,
        chains,
        odds,
        roads,
        schemes,
        records,
        refusals,
    )
}


class BreakdownError(Exception):
    """The program ended, or gave no answer in time."""


class Program:
    """A program that is asked one line at a time, and started again if it breaks down."""

    def __init__(self, command, seconds):
        self._command = command
        self._seconds = seconds
        self._process = None
        self._start()

    def _start(self):
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lines = queue.Queue()
        threading.Thread(target=self._listen, args=(self._process.stdout, self._lines), daemon=True).start()

    @staticmethod
    def _listen(stream, lines):
        for line in stream:
            lines.put(line)
        lines.put(None)

    def ask(self, request):
        """The answer to a request, as text. Raises BreakdownError if there is none."""
        if self._process is None:
            self._start()
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=self._seconds)
        except queue.Empty:
            self.stop()
            raise BreakdownError(f"no answer within {self._seconds:g} seconds") from None
        except OSError:
            line = None
        if line is None:
            raise BreakdownError(f"the program ended with exit code {self.stop()}")
        return line.decode("utf-8", "replace")

    def stop(self):
        """End the program if it still runs; returns its exit code."""
        process, self._process = self._process, None
        if process is None:
            return None
        with suppress(OSError):
            process.stdin.close()
        try:
            code = process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        process.stdout.close()
        return code


def fault(text, name, expected):
    """What is wrong with an answer, or None."""
    try:
        answer = json.loads(text)
    except ValueError:
        return f"no JSON: {text.strip()[:80]!r}"
    if not isinstance(answer, dict) or answer.pop("id", None) != name:
        return f"not the answer to this request: {text.strip()[:80]}"
    if answer == {"error": UNSUPPORTED}:
        return UNSUPPORTED
    for key in [*expected, *(key for key in answer if key not in expected)]:
        wanted, found = (json.dumps(each[key], sort_keys=True) if key in each else "nothing" for each in (expected, answer))
        if wanted != found:
            return f"{key}: expected {wanted[:100]}, found {found[:100]}"
    return None


def run(program, cases):
    """Ask all requests of a section; returns how many there are and what is wrong, by id."""
    faults, breakdowns, number = {}, 0, 0
    for request, expected in cases:
        number += 1
        if breakdowns == MOST_BREAKDOWNS:
            faults[request["id"]] = "not asked, since the program broke down again and again"
            continue
        try:
            wrong = fault(program.ask(request), request["id"], expected)
        except BreakdownError as breakdown:
            breakdowns += 1
            wrong = str(breakdown)
        if wrong:
            faults[request["id"]] = wrong
    return number, faults


def main(arguments):
    """Run the sections that are asked for, and print a table."""
    parser = argparse.ArgumentParser(prog="conformance.py", description="Drives a program with the known answers of pfb1.")
    parser.add_argument("--section", action="append", choices=list(SECTIONS), help="only this one; may stand several times")
    parser.add_argument("--seconds", type=float, default=10, help="how long an answer may take; 10 unless told")
    parser.add_argument("--list", action="store_true", help="list the sections")
    parser.add_argument("program", nargs="*", metavar="PROGRAM", help="the program and its arguments, behind --")
    asked = parser.parse_args(arguments)
    if asked.list:
        print(*SECTIONS, sep="\n")
        return 0
    if not asked.program:
        parser.error("no program: put it behind --")
    try:
        program = Program(asked.program, asked.seconds)
    except OSError as error:
        parser.error(f"cannot start {asked.program[0]}: {error.strerror}")
    print(f"{'section':<14}{'vectors':>9}{'passed':>9}{'failed':>9}")
    failed, passed, shown = 0, 0, []
    for name, section in SECTIONS.items():
        if not asked.section or name in asked.section:
            number, faults = run(program, section())
            if not asked.section and [*faults.values()] == [UNSUPPORTED] * number:
                print(f"{name:<14}{number:>9}{'-':>9}{'-':>9}", flush=True)
                continue
            failed += len(faults)
            passed += number - len(faults)
            print(f"{name:<14}{number:>9}{number - len(faults):>9}{len(faults):>9}", flush=True)
            shown += [f"{name} {which}: {wrong}" for which, wrong in list(faults.items())[:MOST_SHOWN]]
            shown += [f"{name}: {len(faults) - MOST_SHOWN} more"] * (len(faults) > MOST_SHOWN)
    program.stop()
    verdict = f"{failed} failed" if failed else "every answer is right" if passed else "nothing was answered"
    print(*shown, f"\n{verdict}", sep="\n")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
