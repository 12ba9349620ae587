"""The conformance runner passes right programs, and tells wrong ones apart by the section that fails."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNNER = ROOT / "vectors" / "conformance.py"
SECOND = Path(__file__).parent / "second_program.py"
SECTIONS = [
    *("words", "draws", "commitments", "coups", "deals", "settlements", "side_bets", "pay_tables", "shoes", "chains", "odds", "roads"),
    *("schemes", "records", "refusals"),
]
BASIC = ["words", "draws", "coups", "deals", "settlements"]
VERIFIER = [*BASIC[:2], "commitments", *BASIC[2:]]


def run(*words):
    done = subprocess.run([sys.executable, "-I", RUNNER, *words], capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def conform(program, sections, *options):
    """The exit code, how many vectors of each section failed out of how many, and what is told."""
    code, out, _ = run(*options, *(word for section in sections for word in ("--section", section)), "--", *program)
    table = {name: (int(failed), int(number)) for name, number, failed in re.findall(r"^(\w+) +(\d+) +\d+ +(\d+)$", out, re.MULTILINE)}
    assert list(table) == list(sections)
    return code, table, out


def test_the_sections_are_listed():
    assert run("--list") == (0, "\n".join([*SECTIONS, ""]), "")


def test_the_package_passes_every_section():
    code, table, out = conform([sys.executable, str(ROOT / "vectors" / "adapter.py")], SECTIONS)
    assert code == 0, out
    assert out.endswith("\nevery answer is right\n")
    assert table == {
        "words": (0, 8),
        "draws": (0, 30),
        "commitments": (0, 84),
        "coups": (0, 77),
        "deals": (0, 84),
        "settlements": (0, 86),
        "side_bets": (0, 84),
        "pay_tables": (0, 6),
        "shoes": (0, 7),
        "chains": (0, 5),
        "odds": (0, 105),
        "roads": (0, 31),
        "schemes": (0, 14),
        "records": (0, 90),
        "refusals": (0, 440),
    }


def test_the_verifier_in_javascript_passes():
    node = shutil.which("node") or pytest.skip("there is no node")
    code, _, out = conform([node, "examples/verifier.mjs"], VERIFIER)
    assert code == 0, out


def test_the_verifier_in_javascript_says_what_it_cannot_do():
    node = shutil.which("node") or pytest.skip("there is no node")
    code, table, out = conform([node, "examples/verifier.mjs"], ["side_bets", "shoes"])
    assert (code, table["shoes"]) == (1, (7, 7))
    assert "shoes shoe-0: cut: expected 65, found nothing" in out
    assert "the program ended with exit code 1" in out


PARTIAL = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    known = {"id": asked["id"], "error": "unsupported"}
    if asked["do"] in sys.argv[1:]:
        known = {"id": asked["id"], "digest": "0" * 64}
    print(json.dumps(known), flush=True)
"""


def test_a_section_that_a_program_does_not_know_is_not_held_against_it():
    code, out, _ = run("--", sys.executable, "-c", PARTIAL, "digest")
    assert (code, re.findall(r"^\w+ +\d+ +(?!-)\S+ +(?!-)\S+$", out, re.MULTILINE)) == (1, ["pay_tables            6        0        6"])
    code, out, _ = run("--", sys.executable, "-c", PARTIAL)
    assert (code, out.splitlines()[-1]) == (1, "nothing was answered")
    code, table, out = conform([sys.executable, "-c", PARTIAL], ["roads"])
    assert (code, table) == (1, {"roads": (31, 31)})
    assert ": unsupported\n" in out


def test_the_second_opinion_passes():
    code, _, out = conform([sys.executable, str(SECOND)], BASIC)
    assert code == 0, out


@pytest.mark.parametrize(
    ("fault", "failing", "passing"),
    [
        ("hex-key", {"words", "draws", "coups"}, {"deals", "settlements"}),
        ("modulo", {"draws", "coups"}, {"words", "deals", "settlements"}),
        ("cut-last", {"coups"}, {"words", "draws", "deals", "settlements"}),
        ("tens-as-ten", {"coups", "deals", "settlements"}, {"words", "draws"}),
        ("generous", {"settlements"}, {"words", "draws", "coups", "deals"}),
    ],
)
def test_a_wrong_program_fails_in_the_right_section(fault, failing, passing):
    code, table, _ = conform([sys.executable, str(SECOND), fault], BASIC)
    assert code == 1
    assert {section for section, (failed, _) in table.items() if failed} == failing
    assert passing == set(BASIC) - failing


def test_a_program_without_rejection_fails_at_the_rejections_alone():
    """21 of the coups have a rejected word; the other 56 are right without any rejection."""
    _, table, out = conform([sys.executable, str(SECOND), "modulo"], ["coups"])
    assert table["coups"] == (21, 77)
    assert "coups rejected-1-decks-111819: cards: expected" in out


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("garbage", "no JSON: 'eight of hearts'"),
        ("other-id", "not the answer to this request"),
        ("more", "more: expected nothing, found 1"),
    ],
)
def test_an_answer_in_another_form_is_wrong(fault, told):
    code, table, out = conform([sys.executable, str(SECOND), fault], ["words"])
    assert (code, table["words"]) == (1, (8, 8))
    assert out.count(told) == 5
    assert "words: 3 more" in out


@pytest.mark.parametrize(
    ("fault", "told", "options"),
    [
        ("crashes", "the program ended with exit code 7", ()),
        ("hangs", "no answer within 0.5 seconds", ("--seconds", "0.5")),
    ],
)
def test_a_program_that_breaks_down_is_started_again_a_few_times(fault, told, options):
    code, table, out = conform([sys.executable, str(SECOND), fault], ["words", "deals"], *options)
    assert code == 1
    assert table == {"words": (5, 8), "deals": (81, 84)}
    assert told in out
    assert "not asked, since the program broke down again and again" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--section", "cards", "--", "true"), "invalid choice: 'cards'"),
        ((), "no program: put it behind --"),
        (("--", "no-such-program-anywhere"), "cannot start no-such-program-anywhere"),
    ],
)
def test_a_wrong_command_line(words, told):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert told in err


def test_the_page_names_every_section_and_request():
    page = (ROOT / "docs" / "reference" / "conformance.md").read_text(encoding="utf-8")
    rows = [re.findall(r"`([^`]+)`", line.split("|")[1])[0] for line in page.splitlines() if line.startswith("| `")]
    assert rows[: len(SECTIONS)] == SECTIONS
    asked = set(re.findall(r'"do": "(\w+)"', RUNNER.read_text(encoding="utf-8")))
    assert asked == set(rows[len(SECTIONS) + 1 :])
