"""The page in a real browser: what a bettor sees, and that nothing leaves it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from urllib.parse import quote

import pytest

from provably_fair_baccarat import PUNTO_BANCO, RoundRecord, SeedChain, Seeds, ServerSeed, commit, play_round, play_shoe, settle
from provably_fair_baccarat.web.page.policy import with_policy

SERVER_SEED = bytes(range(32)).hex()
SEEDS = Seeds.commit(SERVER_SEED, "lucky 8s")
MANY = 10_000


def record_of(seeds, nonce, **more):
    played = play_round(seeds, nonce)
    return RoundRecord.from_round(played, settle(played.coup, {"banker": 500, "tie": 50}), server_seed=seeds.server_seed, **more)


RECORD = record_of(SEEDS, 1, client_seed_made_by="bettor", currency=("USD", 2))


class Visit:
    """A visit to the page: everything it asks for, says to the console or throws is noted."""

    def __init__(self, browser, page_file, fragment="", **options):
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.requests, self.noise = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.noise.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.noise.append(f"error: {error}"))
        self.url = page_file.as_uri()
        self.page.goto(self.url + fragment)
        self.page.wait_for_selector("#selftest[data-state]")

    def verify(self, text=None, **fields):
        """Enter what is given, press Verify and wait for the verdict; what it is, and its text."""
        self.page.click("#clear")
        self.page.evaluate("() => { document.querySelector('#byhand').open = true; }")
        if text is not None:
            self.page.fill("#paste", text)
        for name, value in fields.items():
            tag = self.page.eval_on_selector(f"#{name}", "(field) => field.tagName")
            (self.page.select_option if tag == "SELECT" else self.page.fill)(f"#{name}", value)
        self.page.click("button.first")
        return self.verdict()

    def verdict(self):
        found = self.page.wait_for_selector(".verdict", timeout=60_000)
        return found.get_attribute("data-verdict"), found.inner_text()

    def close(self):
        """The page asked for nothing but itself and its own worker, and said nothing to the console."""
        outside = [url for url in self.requests if not url.startswith((self.url, "blob:", "data:"))]
        noise = list(self.noise)
        self.context.close()
        assert not outside
        assert not noise


@pytest.fixture
def visit(browser, page_file):
    visits = []

    def start(fragment="", **options):
        visits.append(Visit(browser, page_file, fragment, **options))
        return visits[-1]

    yield start
    for each in visits:
        each.close()


@pytest.fixture(scope="module")
def reader(browser, page_file):
    """One visit for many questions."""
    opened = Visit(browser, page_file)
    yield opened
    opened.close()


def test_the_self_test_runs_and_says_so(reader):
    assert reader.page.get_attribute("#selftest", "data-state") == "passed"
    assert re.search(r"18 known answers, and 40 hashes compared", reader.page.inner_text("#selftest"))
    assert "Ed25519" not in reader.page.inner_text("#selftest")


def test_a_wrong_answer_is_told_and_nothing_is_trusted(browser, page_file, tmp_path):
    text = page_file.read_text(encoding="utf-8")
    broken = tmp_path / "verifier.html"
    assert text.count("(x>>>18)") == 1
    broken.write_text(with_policy(text.replace("(x>>>18)", "(x>>>19)")), encoding="utf-8")
    visited = Visit(browser, broken)
    assert visited.page.get_attribute("#selftest", "data-state") == "failed"
    assert "Do not trust this page" in visited.page.inner_text("#selftest")
    visited.close()


def test_a_page_that_was_changed_does_not_run_at_all(browser, page_file, tmp_path):
    changed = tmp_path / "verifier.html"
    text = page_file.read_text(encoding="utf-8")
    assert text.count("MAX_DECKS=8;") == 1
    changed.write_text(text.replace("MAX_DECKS=8;", "MAX_DECKS=9;"), encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    noise = []
    page.on("console", lambda message: noise.append(message.text))
    page.goto(changed.as_uri())
    assert any("Content Security Policy" in text for text in noise)
    assert page.query_selector("#selftest[data-state=passed]") is None
    context.close()


# Verdicts


def test_a_record_is_proved(reader):
    verdict, text = reader.verify(RECORD.to_json().decode())
    assert verdict == "proved"
    assert "Proved" in text
    assert "every return follow from the seeds" in text
    page = reader.page
    hands = [[card.get_attribute("aria-label") for card in hand.query_selector_all(".card")] for hand in page.query_selector_all(".hand")]
    assert hands == [["10 of clubs", "king of clubs", "10 of hearts"], ["8 of spades", "3 of diamonds", "7 of clubs"]]
    assert page.inner_text(".felt h2") == "The banker wins, 8 to 0"
    lit = page.query_selector(".tableau td.lit")
    assert lit.inner_text() == "D"
    assert lit.get_attribute("aria-label") == "D, this coup"
    assert "975" in page.inner_text("#result")
    grades = [each.inner_text() for each in page.query_selector_all(".grade")]
    assert grades == ["proved", "claimed", "proved", "proved"]


def test_a_client_seed_that_the_house_made_is_said_aloud(reader):
    verdict, told = reader.verify(record_of(SEEDS, 1, client_seed_made_by="operator").to_json().decode())
    assert verdict == "followed"
    assert "The house made the client seed, so it could choose." in told
    lines = "".join(record_of(SEEDS, nonce, client_seed_made_by="operator").to_json().decode() + "\n" for nonce in range(3))
    verdict, told = reader.verify(lines)
    assert verdict == "followed"
    assert "The house made the client seed of 3 rounds, so it could choose." in told
    assert "Nothing shows that the client seed came after the commitment in 3 rounds." in told
    assert "nothing in it shows that this was after the commitment" in reader.verify(RECORD.to_json().decode())[1]


def test_missing_nonces_are_no_full_proof(reader):
    lines = [record_of(SEEDS, nonce).to_json().decode() for nonce in range(5)]
    assert reader.verify("\n".join(lines))[0] == "proved"
    for some, told in ((lines[2:], "missing 0, 1 (if you bet on them, they were left out)"), ([*lines, lines[3]], "twice 3")):
        verdict, text = reader.verify("\n".join(some))
        assert verdict == "followed"
        assert told in text


def test_a_file_of_anything_else_is_no_file_of_records(reader):
    verdict, told = reader.verify("<p>no record</p>\n" * 30)
    assert verdict == "unreadable"
    assert "Cannot be read" in told
    assert "not proved" not in told
    verdict, told = reader.verify("<p>no record</p>\n" * 30 + RECORD.to_json().decode() + "\n")
    assert (verdict, "30 of 31 rounds are not proved" in told) == ("failed", True)


def test_a_seed_that_is_still_secret_is_not_yet_a_failure(reader):
    verdict, told = reader.verify(json.dumps({**RECORD.to_dict(), "server_seed": None}))
    assert verdict == "recomputed"
    assert "Not yet" in told
    assert "Ask for a rotation" in told


def test_a_verdict_is_gone_when_something_else_is_typed(reader):
    assert reader.verify(RECORD.to_json().decode())[0] == "proved"
    reader.page.fill("#client_seed", "another")
    assert reader.page.query_selector(".verdict") is None


def test_what_was_kept_is_compared(reader):
    text = RECORD.to_json().decode()
    assert reader.verify(text, commitment=str(SEEDS.commitment), pay_table="punto_banco")[0] == "proved"
    verdict, told = reader.verify(text, commitment=str(SEEDS.commitment), pay_table="super_six")
    assert verdict == "failed"
    assert "another pay table than the one that was offered" in told
    verdict, told = reader.verify(text, commitment=str(commit(ServerSeed.parse(SERVER_SEED), 6)))
    assert verdict == "failed"
    assert "The commitment is for a shoe of 6 decks." in told


def test_a_changed_record_is_not_proved_and_shows_both(reader):
    data = {**RECORD.to_dict(), "winner": "player"}
    verdict, told = reader.verify(json.dumps(data))
    assert verdict == "failed"
    assert "Not proved" in told
    assert "verification.coup" in told
    data = RECORD.to_dict()
    data["bets"]["banker"]["returned"] = "976"
    verdict, told = reader.verify(json.dumps(data))
    assert verdict == "failed"
    assert reader.page.inner_text("td.bad") == "✗ won, 976"
    data = {**RECORD.to_dict(), "nonce": 2}
    verdict, told = reader.verify(json.dumps(data))
    assert [each.inner_text() for each in reader.page.query_selector_all(".verdict dt")][-2:] == ["Seeds or you give", "record says"]
    assert "The nonce is one too high: these are the cards of nonce 1." in told
    assert "The record says: Tc Kc Th = 0" in reader.page.inner_text(".felt")


def test_seeds_alone(reader):
    given = {"server_seed": SERVER_SEED, "client_seed": "lucky 8s", "nonce": "1"}
    verdict, told = reader.verify(**given, commitment=str(SEEDS.commitment))
    assert verdict == "recomputed"
    assert "Recomputed: compare the cards" in told
    verdict, told = reader.verify(**given)
    assert verdict == "recomputed"
    assert str(SEEDS.commitment) in told
    verdict, told = reader.verify(**{**given, "server_seed": f'"{SERVER_SEED.upper()}"'}, commitment=str(SEEDS.commitment))
    assert verdict == "unreadable"
    assert "Remove the quotes around it." in told
    assert "Write its letters in lower case." in told
    verdict, told = reader.verify(server_seed="lucky 8s", client_seed=SERVER_SEED, nonce="1", commitment=str(SEEDS.commitment))
    assert "The server seed and the client seed are swapped." in told
    verdict, told = reader.verify(**{**given, "nonce": "01"}, commitment=str(SEEDS.commitment))
    assert (verdict, "a whole number from 0 to 2^53 - 1" in told) == ("unreadable", True)
    verdict, told = reader.verify()
    assert (verdict, "found" in told.lower()) == ("unreadable", True)


def test_other_houses_are_not_called_fair(reader):
    given = {"server_seed": "server seed", "client_seed": "client seed", "nonce": "1", "scheme": "stake"}
    commitment = "a4e53dc2f480b8fce6fe688b1317658b446299df23ad533394406427c8c19557"
    verdict, told = reader.verify(**given, commitment=commitment)
    assert verdict == "followed"
    assert "infinite deck" in told
    assert reader.verify(**given)[0] == "recomputed"
    verdict, told = reader.verify(**{**given, "scheme": "bcgame-single"})
    assert "the drawing is biased" in told


def test_a_shoe_and_a_chain(reader):
    shoe = Seeds.commit(SERVER_SEED, "lucky 8s", scheme="pfb1-shoe")
    played = play_shoe(shoe, 1)[79]
    record = RoundRecord.from_round(played, settle(played.coup, {"player": 20}, PUNTO_BANCO), server_seed=shoe.server_seed)
    assert reader.verify(record.to_json().decode())[0] == "proved"
    reader.page.click(".steps-head button")
    assert "Coup 79 of 82, in the slots 393 to 398." in reader.page.inner_text("#result")
    chain = SeedChain(ServerSeed.parse(SERVER_SEED), 1000)
    record = record_of(Seeds(chain.link(700), "lucky 8s", chain.commitment, chain=chain.chain), 700)
    assert reader.verify(record.to_json().decode())[0] == "proved"
    assert "Hashed 701 times" in reader.page.inner_text("#result")


def test_rejected_words_are_shown(reader, vectors):
    known = next(each for each in vectors("rejections")["coups"] if each["rejected"])
    names = ("server_seed", "client_seed", "commitment")
    reader.verify(**{name: known[name] for name in names}, nonce=str(known["nonce"]), decks=str(known["decks"]))
    reader.page.click(".steps-head button")
    rejected = [each.inner_text() for each in reader.page.query_selector_all(".words .rejected")]
    assert rejected == [str(int(each["value"], 16)) for each in known["rejected"]]
    assert "1 word was rejected" in reader.page.inner_text("#result")


@pytest.mark.parametrize("scheme", ["pfb1", "pfb1-chain", "stake", "bcgame-single", "bcgame-table"])
def test_the_shell_commands_give_what_the_page_says(reader, scheme):
    tools = ("sh", "sha256sum", "openssl", "xxd", "seq", "cut")
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        pytest.skip(f"{missing[0]} is not installed")
    fields = {"server_seed": SERVER_SEED, "client_seed": "it's 8s", "nonce": "1", "scheme": scheme}
    if scheme == "pfb1":
        fields["commitment"] = str(SEEDS.commitment)
    elif scheme == "pfb1-chain":
        chain = SeedChain(ServerSeed.parse(SERVER_SEED), 5)
        link = chain.link(1).server_seed.reveal()
        fields |= {"server_seed": link, "commitment": str(chain.commitment), "anchor": chain.chain.anchor, "length": "5"}
    elif scheme == "bcgame-table":
        fields["nonce"] = ""
    reader.verify(**fields)
    reader.page.click(".steps-head button")
    values = {each.inner_text() for each in reader.page.query_selector_all(".value code")}
    commands = [value for value in values if value.startswith(("printf", "h="))]
    assert len(commands) >= (3 if scheme == "pfb1-chain" else 2)
    for command in commands:
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        answer = re.search(r"[0-9a-f]{64}", done.stdout)[0]
        assert answer in values, command


# Links and files


def test_a_link_opens_a_round(visit):
    fragment = f"#server_seed={SERVER_SEED}&client_seed=lucky%208s&nonce=1&decks=8&commitment={SEEDS.commitment}"
    opened = visit(fragment)
    assert opened.verdict()[0] == "recomputed"
    assert opened.page.input_value("#client_seed") == "lucky 8s"
    assert all("#" not in url or url.startswith(opened.url) for url in opened.requests)
    opened.page.evaluate("() => { document.querySelector('#result').replaceChildren(); }")
    opened.page.evaluate(f"() => {{ location.hash = {json.dumps(fragment.replace('nonce=1', 'nonce=2'))}; }}")
    assert opened.verdict()[0] == "recomputed"
    assert opened.page.input_value("#nonce") == "2"


def test_a_plus_in_a_link_is_a_plus(visit):
    seeds = Seeds.commit(SERVER_SEED, "a+b ë🂡&=#")
    played = play_round(seeds, 0)
    fragment = f"#server_seed={SERVER_SEED}&client_seed={quote('a+b ë🂡&=#', safe='+')}&nonce=0&commitment={seeds.commitment}"
    opened = visit(fragment)
    verdict, told = opened.verdict()
    assert (verdict, "Recomputed: compare the cards" in told) == ("recomputed", True)
    assert opened.page.input_value("#client_seed") == "a+b ë🂡&=#"
    assert str(played.cards[0]) in opened.page.text_content("#result")


def test_a_link_with_a_record(visit):
    opened = visit(f"#record={quote(RECORD.to_json().decode())}&commitment={SEEDS.commitment}&pay_table=punto_banco")
    verdict, told = opened.verdict()
    assert verdict == "proved"
    assert "agrees with everything that you kept" in told


@pytest.mark.parametrize(
    ("fragment", "found"),
    [
        ("#server_sed=1", "Did you mean 'server_seed'?"),
        ("#nonce=1&nonce=2", "'nonce' more than once"),
        ("#client_seed=%zz", "percent-encoded UTF-8"),
        ("#client_seed=%ff", "percent-encoded UTF-8"),
        (f"#server_seed={SERVER_SEED}&client_seed=x&nonce=1.0", "a whole number from 0 to 2^53 - 1"),
        (f"#server_seed={SERVER_SEED}&client_seed=x&nonce=99999999999999999999", "a whole number from 0 to 2^53 - 1"),
        (f"#server_seed={SERVER_SEED}&client_seed=x&nonce=1&scheme=dice", "one of pfb1"),
        (f"#server_seed={SERVER_SEED}&client_seed=x&nonce=1&decks=9", "a whole number from 1 to 8"),
        (f"#server_seed={SERVER_SEED}&client_seed=x&nonce=1&length=3", "64 lower-case hex digits"),
        ("#<img src=x onerror=alert(1)>", "no names but"),
    ],
)
def test_broken_links_are_told(visit, fragment, found):
    opened = visit(fragment)
    verdict, told = opened.verdict()
    assert verdict in ("unreadable", "failed")
    assert found in told


def test_a_link_can_be_pasted_and_made(visit):
    opened = visit(permissions=["clipboard-read", "clipboard-write"])
    link = f"https://casino.example/verify#server_seed={SERVER_SEED}&client_seed=lucky%208s&nonce=1&commitment={SEEDS.commitment}"
    assert opened.verify(link)[0] == "recomputed"
    opened.page.click("#link")
    opened.page.wait_for_function("() => document.querySelector('#link').textContent === TEXT.page.copied")
    made = opened.page.evaluate("() => navigator.clipboard.readText()")
    assert made.startswith(opened.url)
    assert "client_seed=lucky%208s" in made
    assert opened.verify(made.partition("#")[2])[0] == "recomputed"
    again = visit(made.removeprefix(opened.url))
    assert again.verdict()[0] == "recomputed"


def drop(page, name, text):
    """Drop a file on the page, as a browser does it."""
    page.evaluate(
        """([name, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          for (const kind of ["dragover", "drop"]) {
            document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
          }
        }""",
        [name, text],
    )


def test_a_dropped_file(visit):
    opened = visit()
    drop(opened.page, "round.json", json.dumps(RECORD.to_dict(), indent=1))
    assert opened.verdict()[0] == "proved"
    assert opened.page.get_attribute("#drop", "hidden") is not None


def test_ten_thousand_coups(visit, tmp_path):
    """All verified in the worker; a false one and a broken one are listed and can be opened."""
    lines = [record_of(SEEDS, nonce).to_json() for nonce in range(MANY)]
    lines[4000] = lines[4000].replace(b'"natural":false', b'"natural":true') if b'"natural":false' in lines[4000] else b"{}"
    lines[7000] = b'{"format_version":1'
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    opened = visit()
    opened.page.set_input_files("#file", path)
    verdict, told = opened.verdict()
    assert verdict == "failed"
    assert "2 of 10,000 rounds are not proved" in told
    assert "9,998" in told
    assert "missing 4000, 7000" in told
    listed = [each.inner_text() for each in opened.page.query_selector_all(".failures li")]
    assert [re.search(r"line \d+", text)[0] for text in listed] == ["line 4001", "line 7001"]
    opened.page.click(".failures li:first-child button")
    opened.page.wait_for_selector(".felt")
    assert opened.verdict()[0] == "failed"
    opened.page.click('text="All rounds"')
    opened.page.fill("#line", "17")
    opened.page.click(".openline button")
    opened.page.wait_for_selector(".felt")
    assert opened.verdict()[0] == "proved"


def test_the_page_stays_awake_while_it_verifies(visit, tmp_path):
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"".join(record_of(SEEDS, nonce).to_json() + b"\n" for nonce in range(1000)) * 20)
    opened = visit()
    opened.page.evaluate("() => { globalThis.beats = 0; setInterval(() => { globalThis.beats += 1; }, 20); }")
    opened.page.set_input_files("#file", path)
    opened.page.wait_for_selector("progress")
    assert opened.page.inner_text("h2") == "Verifying"
    _, told = opened.verdict()
    assert "All 20,000 rounds follow from their seeds" in told
    assert "and 990 more" in told
    assert opened.page.evaluate("() => globalThis.beats") > 10


def test_what_takes_long_can_be_cancelled_and_begun_anew(visit, tmp_path):
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"".join(record_of(SEEDS, nonce).to_json() + b"\n" for nonce in range(1000)) * 30)
    opened = visit()
    for _ in range(2):
        opened.page.set_input_files("#file", path)
        opened.page.click("text=Cancel")
        assert opened.page.inner_text("#result") == ""
        assert opened.page.evaluate("() => document.activeElement.id") == "paste"
    opened.page.set_input_files("#file", path)
    opened.page.wait_for_selector("progress")
    assert opened.verify(RECORD.to_json().decode())[0] == "proved"
    assert opened.page.evaluate("() => worker instanceof Worker")
    assert (
        opened.page.evaluate("() => new Promise((resolve) => setTimeout(() => resolve(document.querySelectorAll('progress').length), 300))")
        == 0
    )


def test_a_browser_without_workers_verifies_all_the_same(browser, page_file, tmp_path):
    visited = Visit(browser, page_file)
    visited.page.evaluate("() => { globalThis.Worker = class { constructor() { throw new Error('none'); } }; }")
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"".join(record_of(SEEDS, nonce).to_json() + b"\n" for nonce in range(300)))
    visited.page.set_input_files("#file", path)
    assert visited.verdict()[0] == "proved"
    assert visited.verify(RECORD.to_json().decode())[0] == "proved"
    visited.close()


def test_a_million_links_do_not_freeze_the_page(visit):
    chain = SeedChain(ServerSeed.parse(SERVER_SEED), 1_000_000)
    record = record_of(Seeds(chain.link(999_999), "lucky 8s", chain.commitment, chain=chain.chain), 999_999)
    opened = visit()
    assert opened.verify(record.to_json().decode())[0] == "proved"


# Histories


@pytest.fixture
def history(make_operator):
    """The history file of an honest operator: one commitment that is closed, one that is open."""
    one = make_operator(has_witness=True)
    pair = one.open()
    for _ in range(3):
        one.play(pair)
    one.close(pair)
    one.play(one.open("chosen freely"))
    return one


def test_a_history_file_is_proved(visit, history):
    opened = visit()
    drop(opened.page, "ann.history", b"".join(history.history()).decode())
    verdict, told = opened.verdict()
    assert verdict == "proved"
    for words in (
        "Nothing in this file contradicts itself",
        "3 proved of 4",
        "not revealed yet: 1 coups",
        "casino.example/log",
        history.key.public.kid,
    ):
        assert words in told
    rows = [row.inner_text().split("\t") for row in opened.page.query_selector_all("table.plain tbody tr")]
    assert [row[1:] for row in rows] == [["proved", "3", "3", "closed", "pfb1:8"], ["claimed", "1", "0", "open", "pfb1:8"]]
    assert "No file shows what was left out" in told


def test_a_commitment_that_was_left_out_of_a_history_is_told(visit, history):
    opened = visit()
    verdict, told = opened.verify(b"".join(history.history()).decode(), commitment="f" * 64)
    assert verdict == "failed"
    assert "no such commitment: it was left out" in told
    shown = " ".join(str(pair.seeds.commitment) for pair in history.pairs)
    assert opened.verify(b"".join(history.history()).decode(), commitment=shown)[0] == "proved"


@pytest.mark.parametrize("change", [(b"\n", b"\r\n"), (b'"kind":', b'"kind": ')])
def test_a_history_that_was_changed_on_its_way_cannot_be_read(visit, history, change):
    opened = visit()
    drop(opened.page, "ann.history", b"".join(history.history()).replace(*change).decode())
    verdict, told = opened.verdict()
    assert verdict == "unreadable"
    assert "fetch the file again as it was" in told
    assert "owes you an answer" not in told


def test_a_history_without_a_proved_coup_is_not_called_proved(visit, make_operator):
    one = make_operator()
    one.open()
    opened = visit()
    verdict, told = opened.verify(b"".join(one.history()).decode())
    assert verdict == "recomputed"
    assert "0 proved of 0" in told


def test_a_history_file_with_a_forged_signature(visit, history):
    kind, text, index = history.pairs[0].lines[2]
    head, payload, signature = text.split(".")
    history.pairs[0].lines[2] = (kind, f"{head}.{payload}.{signature[:10]}{'A' if signature[10] != 'A' else 'B'}{signature[11:]}", index)
    opened = visit()
    opened.page.fill("#paste", b"".join(history.history()).decode())
    opened.page.click("button.first")
    verdict, told = opened.verdict()
    assert verdict == "failed"
    assert "verification.statement.signature" in told
    assert "line 5" in told


def test_a_browser_without_ed25519_says_so(visit, history):
    opened = visit()
    opened.page.evaluate("() => { globalThis.Worker = class { constructor() { throw new Error('none'); } }; hasSignatures = false; }")
    drop(opened.page, "ann.history", b"".join(history.history()).decode())
    verdict, told = opened.verdict()
    assert verdict == "recomputed"
    assert "no signature was verified" in told


# Hostile input


HOSTILE = [
    "<script>alert(1)</script>",
    "{" * 100_000,
    "[" * 16 + "]" * 16,
    '{"a":' * 15 + "1" + "}" * 15,
    "x" * 300_000,
    "\x00\x01\x02",
    "\u202e\u2066 \ufeff",
    "null",
    "0",
    '"#nonce=1"',
    json.dumps({**RECORD.to_dict(), "client_seed": "<img src=x onerror=alert(1)>"}),
    json.dumps({**RECORD.to_dict(), "bets": {"<b>": 1}}),
    json.dumps({**RECORD.to_dict(), "currency": {"code": "<script>", "decimals": 2}}),
    json.dumps({**RECORD.to_dict(), "__proto__": {"polluted": True}}),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_refused_and_nothing_else(reader, text):
    verdict, _ = reader.verify(text)
    assert verdict in ("unreadable", "failed")
    assert reader.page.evaluate("() => [({}).polluted, document.querySelectorAll('#result img, #result script, #result b').length]") == [
        None,
        0,
    ]


def test_markup_in_a_client_seed_stays_text(reader):
    seeds = Seeds.commit(SERVER_SEED, "<img src=x onerror=alert(1)>")
    assert reader.verify(record_of(seeds, 0).to_json().decode())[0] == "proved"
    reader.page.click(".steps-head button")
    assert "<img src=x onerror=alert(1)>" in reader.page.inner_text("#result")
    assert reader.page.query_selector("#result img") is None


# For everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1100])
def test_accessibility(browser, page_file, history, scheme, width):
    """axe finds nothing, with every step open, in either colour scheme, on a phone and on a desk; and nothing is wider than the screen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.wait_for_selector("#selftest[data-state]")
    wrong = {**RECORD.to_dict(), "nonce": 2}
    lines = [RECORD.to_json().decode(), json.dumps(wrong), "{"]
    told = b"".join(history.history()).decode()
    for text in (None, RECORD.to_json().decode(), json.dumps(wrong), "\n".join(lines), told):
        if text is not None:
            page.evaluate("() => { document.querySelector('#result').replaceChildren(); document.querySelector('#byhand').open = true; }")
            page.fill("#paste", text)
            page.click("button.first")
            page.wait_for_selector(".verdict")
            if page.query_selector(".steps-head button"):
                page.click(".steps-head button")
        found = axe.Axe().run(page, options={"resultTypes": ["violations"]})
        assert not found.response["violations"], found.generate_report()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    context.close()


def test_the_keyboard_is_enough(visit):
    opened = visit()
    page = opened.page
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.id") == "paste"
    page.keyboard.insert_text(RECORD.to_json().decode())
    for _ in range(9):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.type") == "submit":
            break
    page.keyboard.press("Enter")
    assert opened.verdict()[0] == "proved"
    assert page.evaluate("() => document.activeElement.textContent") == "Proved"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.tagName") == "SUMMARY":
            break
    assert page.evaluate("() => document.activeElement.parentElement.open") is False
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.parentElement.open") is True


def test_a_value_can_be_copied(visit):
    opened = visit(permissions=["clipboard-read", "clipboard-write"])
    opened.verify(RECORD.to_json().decode())
    opened.page.click(".steps-head button")
    opened.page.click(".value button")
    opened.page.wait_for_function("() => document.querySelector('.value button').textContent === TEXT.page.copied")
    assert opened.page.evaluate("() => navigator.clipboard.readText()") == f"pfb1:8:{SERVER_SEED}"
