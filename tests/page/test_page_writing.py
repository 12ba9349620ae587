"""The page as it is committed: made of its source, allowed to run by its own policy, and complete in its texts."""

from __future__ import annotations

import re
import shutil
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from provably_fair_baccarat.rules.bets import CATALOGUE
from provably_fair_baccarat.rules.tableau import TABLEAU
from provably_fair_baccarat.web.page import read_page
from provably_fair_baccarat.web.page.messages import slip_sentences
from provably_fair_baccarat.web.page.policy import policy_of, with_policy
from provably_fair_baccarat.web.page.writing import IN_PYTHON, SOURCE, by_paragraph, with_digest, write_page

DOCS = Path(__file__).parents[2] / "docs"
LIMIT = 150 * 1024


@pytest.fixture(scope="module")
def text():
    return read_page().decode()


class Elements(HTMLParser):
    """Every element with its attributes, and what stands in scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.code = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] in ("script", "style") and data.strip():
            self.code.append((self.elements[-1][0], data))


@pytest.fixture(scope="module")
def source():
    """The folder of the page's source, and what shortens it."""
    if not SOURCE.exists():
        pytest.skip("the page's source is in a checkout and in the source distribution only")
    for name in ("rcssmin", "rjsmin"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    return SOURCE


def test_the_committed_page_is_what_writing_makes_of_its_source(source, text):
    assert write_page(source) == text


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("protocol.js", ("const MAX_DECKS = 8;", "const MAX_DECKS = 9;")),
        ("texts.js", ("What this proves", "What this shows")),
        ("style.css", ("--paper: #f6f4ee", "--paper: #ffffff")),
        ("page.html", ('<html lang="en">', '<html lang="de">')),
    ],
)
def test_another_source_makes_another_page(source, text, tmp_path, name, change):
    copied = Path(shutil.copytree(source, tmp_path / "source"))
    before = (copied / name).read_text(encoding="utf-8")
    assert before.count(change[0]) == 1
    (copied / name).write_text(before.replace(*change), encoding="utf-8")
    assert write_page(copied) != text


def test_comments_and_layout_of_the_source_are_not_in_the_page(source, text, tmp_path):
    copied = Path(shutil.copytree(source, tmp_path / "source"))
    for file in copied.glob("*.js"):
        code = file.read_text(encoding="utf-8")
        file.write_text(f"// A note\n{code.replace(chr(10), chr(10) + '  ')}\n/** Another. */\n", encoding="utf-8")
    assert write_page(copied) == text


LITERAL = r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<word>[\w$]+)|(?P<sign>\S)"""
REGEX = r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/[a-z]*"


def tokens(code):
    """What a script consists of, without comments and white space; a template is its texts, and the tokens of what stands in its braces."""
    found, at, braces = [], 0, []
    while at < len(code):
        inside = bool(braces) and braces[-1] == 0 and code[at] == "}"
        if inside or code[at] == "`":
            if inside:
                braces.pop()
            part = re.compile(r"[`}](?:\\.|(?!\$\{)[^`\\])*(?:`|\$\{)", re.DOTALL).match(code, at)
            found.append(part[0])
            at = part.end()
            if part[0].endswith("${"):
                braces.append(0)
            continue
        opens = not found or not re.fullmatch(r"[\w$)\]}]+|.*[`\"']", found[-1]) or found[-1] == "return"
        regex = re.compile(REGEX).match(code, at) if code[at] == "/" and code[at + 1] not in "/*" and opens else None
        match = regex or re.compile(LITERAL, re.DOTALL).match(code, at)
        if match is None:  # white space
            at += 1
            continue
        at = match.end()
        if braces and match[0] in ("{", "}"):
            braces[-1] += 1 if match[0] == "{" else -1
        if regex or match.lastgroup != "comment":
            found.append(match[0])
    return found


def test_the_page_has_every_token_of_its_scripts(source, text):
    """Nothing but comments and white space was taken out: no text, template or regular expression is another one."""
    shipped = dict(re.findall(r'<script id="(\w+)"[^>]*>(.*?)</script>', text, re.DOTALL))
    scripts = re.findall(r'<script id="(\w+)"[^>]*? src="([^"]*)"', (source / "page.html").read_text(encoding="utf-8"))
    named = [name for _, names in scripts for name in names.split()]
    assert sorted(named) == sorted(file.name for file in source.glob("*.js"))
    assert [script for script, _ in scripts] == list(shipped)
    for script, names in scripts:
        code = tokens(shipped[script])
        assert code[:2] == ['"use strict"', ";"]
        for name in reversed(names.split()):
            if name not in ("tables.js", "texts.js"):  # those that are written into, which are the first
                strict, end, *told = tokens((source / name).read_text(encoding="utf-8"))
                assert (strict, end) == ('"use strict"', ";")
                assert code[-len(told) :] == told, name
                del code[-len(told) :]


def test_the_guide_tells_the_digest_of_the_page(text):
    guide = (DOCS / "how-to/verify-in-the-browser.md").read_text(encoding="utf-8")
    assert f"\n```text\n{sha256(text.encode()).hexdigest()}\n```\n" in guide
    assert with_digest(guide, text) == guide
    changed = with_digest(guide, f"{text} ")
    assert (changed != guide, len(changed)) == (True, len(guide))


def test_what_looks_like_a_comment_or_white_space_in_a_text_stays(source):
    from rjsmin import jsmin

    code = """
      // gone
      const one = "a  // no  comment", two = '/* nor  this */'; /* gone */

      const three = `two  spaces ${ one } // stay`;
      const four = /[/"]  \\/* '/.test(one) ? 1 : 2; // gone
    """
    kept = """const one="a  // no  comment",two='/* nor  this */';\nconst three=`two  spaces ${ one } // stay`;const four=/[/"]  \\/* '/.test(one)?1:2;"""
    assert by_paragraph(code, jsmin) == kept
    assert tokens(code) == tokens(kept)


def test_a_changed_script_gets_another_hash(text):
    changed = text.replace("MAX_DECKS=8;", "MAX_DECKS=9;")
    assert changed != text
    assert policy_of(changed) != policy_of(text)
    assert with_policy(changed.replace("MAX_DECKS=9;", "MAX_DECKS=8;").replace("sha256-", "sha256-A")) == text


def test_the_policy_allows_the_pages_own_code_and_nothing_else(text):
    parsed = Elements(text)
    policy = next(attrs["content"] for tag, attrs in parsed.elements if attrs.get("http-equiv") == "Content-Security-Policy")
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy
    for tag in ("script", "style"):
        hashes = [f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for kind, code in parsed.code if kind == tag]
        assert directives[f"{tag}-src"].split() == hashes
        assert hashes


def test_the_page_names_nothing_outside_of_itself(text):
    for tag, attrs in Elements(text).elements:
        assert tag not in ("iframe", "object", "embed", "base", "audio", "video")
        assert "style" not in attrs
        assert not any(name.startswith("on") for name in attrs)
        for name in ("src", "href", "action", "srcset"):
            assert attrs.get(name) is None or attrs[name].startswith(("#", "data:")), (tag, attrs)
    code = "".join(data for _, data in Elements(text).code)
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "EventSource", "import(", "importScripts", "eval(", "Function("):
        assert word not in code
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "localStorage", "sessionStorage", "cookie"):
        assert word not in code
    assert set(re.findall(r"https?://[^\s\"'`]*", text)) == {"http://www.w3.org/2000/svg"}


def test_the_page_is_small(text):
    assert len(text.encode()) <= LIMIT


def test_every_text_that_is_asked_for_is_there(node_page, text):
    texts = node_page.ask("texts")["texts"]
    asked = set(re.findall(r"TEXT\.([A-Za-z]+)\.(\w+)", text)) | set(re.findall(r'data-text="(\w+)\.(\w+)"', text))
    asked |= {(group.lower(), name) for group, name in re.findall(r"\b(SUBJECT|EXPECTED|FOUND)\.(\w+)", text)}
    assert len(asked) > 200
    for group, name in asked:
        assert name in texts[group], (group, name)


def test_the_page_has_the_packages_tableau_bets_and_slips(node_page):
    told = node_page.ask("texts")
    rows = ["".join(line.split()[1:]) for line in TABLEAU.splitlines()[1:]]
    assert told["tables"]["tableau"] == rows
    assert list(told["tables"]["bets"]) == list(CATALOGUE)
    assert {name: list(pays) for name, pays in told["tables"]["bets"].items()} == {
        name: list(bet.payouts) for name, bet in CATALOGUE.items()
    }
    assert set(told["events"]) == set(CATALOGUE)
    assert {**slip_sentences(), **told["texts"]["pageSlips"]} == {**told["texts"]["slips"], **told["texts"]["pageSlips"]}
    assert set(told["texts"]["pageSlips"]) == set(IN_PYTHON)


def test_every_error_that_the_page_can_end_with_is_explained(node_page, text):
    """Codes stand in the page as `refuse("code"`, `mismatch("kind"`, `compare("kind"`; those that are always caught need no words."""
    told = set(node_page.ask("texts")["texts"]["errors"])
    kinds = set(re.findall(r'(?:mismatch|compare)\(\s*"([\w.]+)"', text))
    codes = {f"verification.{kind}" for kind in kinds} | set(re.findall(r'(?:refuse|readNumber)\(\s*"([a-z_.]+)"', text))
    codes |= {f"verification.statement.{name}" for name in re.findall(r'wrong\("(\w+)"', text)}
    caught = {"seed.client_seed", "seed.server_seed", "money.bet.stake", "money.amount"}
    assert {code.removeprefix("verification.") for code in codes - caught} == told


def test_every_bet_is_told_as_the_catalogue_of_the_docs_tells_it(node_page):
    told = node_page.ask("texts")["texts"]["bets"]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", (DOCS / "reference/bets.md").read_text(encoding="utf-8"), re.MULTILINE)
    rows = [row for row in rows if row[0] in CATALOGUE]
    assert [name for name, _ in rows] == list(CATALOGUE)
    for name, when in rows:
        first, _, which = name.rpartition("_")
        sentence = told[name] if name in told else told[first].replace("{which}", which)
        assert sentence == when


def test_the_known_answers_of_the_self_test_are_published_ones(text):
    protocol = (DOCS / "reference/protocol.md").read_text(encoding="utf-8") + (DOCS / "reference/schemes.md").read_text(encoding="utf-8")
    answers = text.partition("const KNOWN_SEED=")[2].partition("</script>")[0]
    elsewhere = {sha256(b"abc").hexdigest(), "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"}  # the key of RFC 8032
    hexes = set(re.findall(r'"([0-9a-f]{64})"', answers)) - elsewhere
    assert len(hexes) >= 8
    for known in hexes:
        assert known in protocol
    hands = set(re.findall(r'"((?:[A2-9TJQK][shdc] ){5}[A2-9TJQK][shdc])"', answers))
    assert len(hands) >= 9
    for cards in hands - {"Qd 3s Qh 8d 4c 7d"}:  # the worked example has them a line each
        assert cards in protocol
