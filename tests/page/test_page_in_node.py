"""The page against the package: two implementations of one protocol that share no code, round by round and word by word."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from provably_fair_baccarat import (
    ALL_BETS,
    PAY_TABLES,
    PUNTO_BANCO,
    Chain,
    RoundRecord,
    SeedChain,
    Seeds,
    ServerSeed,
    ShoeSession,
    commit,
    deal_coup,
    play_round,
    play_shoe,
    settle,
)
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.cli.commands.verify import Kept
from provably_fair_baccarat.errors import BaccaratError
from provably_fair_baccarat.rules.multiplier import in_millionths

RANDOM_ROUNDS = int(os.environ.get("PAGE_RANDOM_ROUNDS", "10000"))
SERVER_SEED = bytes(range(32)).hex()
NAMES = {
    "server_seed": "serverSeed",
    "client_seed": "clientSeed",
    "commitment": "commitment",
    "nonce": "nonce",
    "index": "index",
    "decks": "decks",
    "scheme": "scheme",
}


def python_told(record, **kept):
    """What the package says about a record and what was kept: the error with its slips, or checks and guarantees."""
    chain = kept.pop("chain", None)
    offer = kept.pop("offer", None)
    values = {name: kept.get(name) for name in NAMES}
    mine = Kept(**values, chain=None if chain is None else Chain(**chain), pay_table=None if offer is None else PAY_TABLES[offer])
    try:
        if record is not None:
            record = RoundRecord.parse_json(record)
        verified = mine.verify_alone() if record is None else mine.verify_record(record)
    except BaccaratError as error:
        slips = [[slip.code, slip.sentence] for slip in error.slips]
        return {"code": error.code, "subject": error.subject, "expected": error.expected, "found": error.found, "slips": slips}
    return {
        "cards": [str(card) for card in verified.round.cards],
        "cut": verified.round.cut,
        "checks": [[check.code, check.sentence] for check in verified.checks],
        "guarantees": [[each.code, each.grade.value, each.sentence] for each in verified.guarantees.values()],
    }


def page_told(node_page, record, **kept):
    """The same of the page."""
    chain = kept.pop("chain", None)
    offer = kept.pop("offer", None)
    mine = {NAMES[name]: value for name, value in kept.items()}
    mine |= {"chain": chain, "offer": None if offer is None else PAY_TABLES[offer].digest}
    if record is None:
        told = node_page.ask("seeds", kept=mine)
    elif isinstance(record, bytes):
        told = node_page.ask("bytes", base64=base64.b64encode(record).decode(), kept=mine)
    else:
        told = node_page.ask("record", text=record, kept=mine)
    if told["error"] is not None:
        error = told["error"]
        return {**error, "slips": [[slip["code"], slip["sentence"]] for slip in error["slips"]]}
    return {
        "cards": told["cards"],
        "cut": told["cut"],
        "checks": [[check["code"], check["sentence"]] for check in told["checks"]],
        "guarantees": [[each["code"], each["grade"], each["sentence"]] for each in told["guarantees"]],
    }


def assert_same(node_page, record, **kept):
    """Both say the same to the last word; returns what they say."""
    expected = python_told(record, **kept)
    assert page_told(node_page, record, **kept) == expected
    return expected


def record_of(seeds, nonce, bets=None, pay_table=PUNTO_BANCO, **more):
    played = play_round(seeds, nonce)
    placed = {"player": 100, "banker": 333, "tie": 3} if bets is None else bets
    return RoundRecord.from_round(played, settle(played.coup, placed, pay_table), server_seed=seeds.server_seed, **more)


def text_of(record, **changes):
    return json.dumps({**record.to_dict(), **changes})


SEEDS = Seeds.commit(SERVER_SEED, "Zoë")
RECORD = record_of(SEEDS, 6)


# Known answers


def test_the_self_test_passes_and_compares_with_the_platforms_own_hashes(node_page):
    assert node_page.ask("selfTest") == {"answers": 18, "compared": 40, "hasSignatures": True}


@pytest.mark.parametrize("name", ["pfb1", "rejections"])
def test_known_coups(node_page, vectors, name):
    for known in vectors(name)["coups"]:
        kept = {NAMES[key]: known[key] for key in ("server_seed", "client_seed", "nonce", "decks", "commitment")}
        told = node_page.ask("seeds", kept=kept)
        assert (told["verdict"], told["cut"], told["cards"]) == ("proved", known["cut"], known["cards"]), known["id"]
        coup = told["coup"]
        assert [coup["player"], coup["banker"], coup["winner"]] == [known["player"], known["banker"], known["winner"]]
        assert coup["scores"] == {"player": known["player_score"], "banker": known["banker_score"]}
        assert coup["natural"] == known["natural"]
        if "rejected" in known:
            assert [f"{word:08x}" for word in told["rejected"]] == [each["value"] for each in known["rejected"]]


def test_known_shoes(node_page, vectors):
    for known in vectors("shoes")["shoes"]:
        kept = {NAMES[key]: known[key] for key in ("server_seed", "client_seed", "nonce", "decks", "commitment")}
        told = node_page.ask("seeds", kept={**kept, "scheme": "pfb1-shoe", "index": 0})
        assert (told["verdict"], told["cut"]) == ("proved", known["cut"])
        assert told["shoe"]["burnt"] == known["burnt"]
        assert told["shoe"]["order"][: len(known["first_cards"])] == known["first_cards"]
        assert len(told["shoe"]["order"]) == 52 * known["decks"]
        dealt = [[coup["player"], coup["banker"], coup["winner"]] for coup in told["shoe"]["coups"]]
        assert dealt == [[coup["player"], coup["banker"], coup["winner"]] for coup in known["coups"]]


def test_the_known_chain(node_page, vectors):
    known = vectors("pfb1")["chain"]
    chain = {"anchor": known["anchor"], "length": known["length"]}
    for coup in known["coups"]:
        kept = {"serverSeed": coup["link"], "clientSeed": known["client_seed"], "commitment": known["commitment"], "decks": known["decks"]}
        told = node_page.ask("seeds", kept={**kept, "nonce": coup["nonce"], "chain": chain})
        assert (told["verdict"], told["cut"], told["cards"]) == ("proved", coup["cut"], coup["cards"])


def test_the_page_is_conformant(page_file):
    """The conformance runner asks the page everything but odds and roads, which it does not have."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    runner = Path(__file__).parents[2] / "vectors/conformance.py"
    listed = subprocess.run([sys.executable, runner, "--list"], capture_output=True, text=True, check=True).stdout
    sections = [line.split()[0] for line in listed.splitlines() if line.split()[0] not in ("odds", "roads")]
    assert len(sections) >= 13
    asked = [argument for name in sections for argument in ("--section", name)]
    command = [sys.executable, runner, *asked, "--", node, Path(__file__).with_name("conform.js"), page_file]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_known_rounds_of_other_houses(node_page, vectors):
    for known in vectors("schemes")["rounds"]:
        kept = {NAMES[key]: known.get(key) for key in ("scheme", "server_seed", "client_seed", "nonce", "commitment")}
        told = node_page.ask("seeds", kept=kept)
        assert told["verdict"] == ("proved" if known.get("commitment") else "recomputed")
        assert [told["coup"]["player"], told["coup"]["banker"]] == [known["player"], known["banker"]], known["id"]
        assert [each["grade"] for each in told["guarantees"] if each["code"] == "unbiased_cards"] == ["unknown"]


def test_known_coups_of_the_table(node_page, vectors):
    known = vectors("coups")["coups"]
    for coup, dealt in zip(known, node_page.ask("deal", coups=[coup["cards"] for coup in known]), strict=True):
        assert [dealt["player"], dealt["banker"], dealt["winner"]] == [coup["player"], coup["banker"], coup["winner"]], coup["id"]
        assert dealt["used"] == coup["cards_used"]


# The same as the package


def test_random_rounds_are_the_same_in_both(node_page):
    """Seeds, nonces and decks at random: commitment, cut, cards, scores and winner."""
    dice = Random(20261129)
    for start in range(0, RANDOM_ROUNDS, 5000):
        rounds = []
        for _ in range(min(5000, RANDOM_ROUNDS - start)):
            client_seed = "".join(dice.choice("abcë:8♠ 7🂡-") for _ in range(dice.randint(1, 12))).strip() or "x"
            nonce = dice.choice([dice.randrange(100), dice.randrange(2**53)])
            rounds.append([dice.randbytes(32).hex(), client_seed, nonce, dice.randint(1, 8)])
        expected = []
        for server_seed, client_seed, nonce, decks in rounds:
            played = play_round(Seeds.commit(server_seed, client_seed, decks), nonce)
            coup, cards = played.coup, " ".join(map(str, played.cards))
            expected.append(f"{played.commitment}|{played.cut}|{cards}|{coup.winner}|{coup.player.score}|{coup.banker.score}")
        assert node_page.ask("derive", rounds=rounds) == expected


def test_random_shoes_are_dealt_through_in_the_same_way(node_page):
    """Small shoes, so that every way in which a coup can meet the cut card is among them."""
    shoes = [[SERVER_SEED, "lucky", nonce, 1 + nonce % 2] for nonce in range(200)]
    expected = []
    meets = set()
    for server_seed, client_seed, nonce, decks in shoes:
        seeds = Seeds.commit(server_seed, client_seed, decks, scheme="pfb1-shoe")
        session = ShoeSession(seeds.source(nonce)[1])
        coups = [coup.cards for coup in session]
        ends = len(session.burnt)
        for cards in coups:
            ends += len(cards)
            meets.add(ends - (52 * decks - 14))
        expected.append("|".join([str(len(session.burnt)), *(" ".join(map(str, cards)) for cards in coups)]))
    assert {0, 1} <= meets
    assert node_page.ask("shoes", shoes=shoes) == expected


def test_every_bet_of_the_catalogue_pays_the_same(node_page):
    dice = Random(7)
    coups = [dice.choices(DECK, k=6) for _ in range(3000)]
    by_rank = {rank: [card for card in DECK if str(card)[0] in rank] for rank in ("KQ", "6", "7", "8", "9TJQK")}
    coups += [dice.choices(by_rank[dice.choice(list(by_rank))], k=6) for _ in range(3000)]
    table = ALL_BETS.to_dict()
    payouts = {name: {"won": table[f"{name}_multiplier"]} for name in ("player", "banker", "tie")}
    payouts["banker"] |= dict.fromkeys(("six", "three_card_seven"), table["banker_multiplier"])
    payouts |= table["side_bets"]
    answers = node_page.ask("settle", coups=[[str(card) for card in cards] for cards in coups], payouts=payouts)
    seen = set()
    for cards, told in zip(coups, answers, strict=True):
        coup = deal_coup(cards)
        for name, offer in ALL_BETS.offers.items():
            answer = offer.bet.result(coup)
            seen.add((name, answer))
            assert int(told[name]) == offer.payments[answer].multiplier, (name, answer, cards)
    assert {(bet.bet.name, payout) for bet in ALL_BETS.offers.values() for payout in bet.bet.payouts} <= seen
    assert in_millionths(ALL_BETS.tie_multiplier) == 9_000_000


@pytest.mark.parametrize("name", PAY_TABLES)
@pytest.mark.parametrize("nonce", range(12))
def test_records_verify_in_the_same_words(node_page, name, nonce):
    table = PAY_TABLES[name]
    marked = f"7c5e1d9b3f8a2046-{str(SEEDS.commitment)[:16]}"
    seeds = Seeds.commit(SERVER_SEED, (marked, "lucky 8s")[nonce % 2])
    bets = {bet: 10 + 7 * i + nonce for i, bet in enumerate(table.offers)} if nonce else {}
    made_by = (None, "bettor", "operator")[nonce % 3]
    record = record_of(seeds, nonce, bets, table, client_seed_made_by=made_by, currency=("USD", 2))
    told = assert_same(node_page, record.to_json().decode(), offer=name if nonce % 2 else None)
    assert len(told["checks"]) == 6


def opposite(winner):
    return "banker" if winner == "player" else "player"


CHANGES = [
    ("scheme", lambda _: "pfb1-shoe"),
    ("scheme", lambda _: "stake"),
    ("scheme", lambda _: "dice"),
    ("scheme", lambda _: "pfb1-chain"),
    ("label", lambda _: "pfb1:6"),
    ("decks", lambda _: 6),
    ("decks", lambda _: 1),
    ("decks", lambda _: None),
    ("commitment", lambda text: text[::-1]),
    ("commitment", lambda _: str(commit(ServerSeed.parse(SERVER_SEED), 3))),
    ("commitment", lambda _: str(commit(ServerSeed.parse(SERVER_SEED), 1))),
    ("commitment", lambda _: str(commit(ServerSeed.parse(SERVER_SEED), scheme="pfb1-shoe"))),
    ("commitment", lambda _: SERVER_SEED),
    ("commitment", lambda _: None),
    ("chain", lambda _: {"anchor": "ab" * 32, "length": 3}),
    ("server_seed", lambda _: None),
    ("server_seed", lambda _: "0c" * 32),
    ("server_seed", lambda seed: seed.upper()),
    ("server_seed", lambda _: "lucky"),
    ("client_seed_hex", lambda text: text[:-1] + "c"),
    ("client_seed", lambda _: "zoë"),
    ("client_seed", lambda _: " Zoë"),
    ("client_seed", lambda _: ""),
    ("client_seed", lambda _: "Z\to"),
    ("index", lambda _: 0),
    ("nonce", lambda nonce: nonce - 1),
    ("nonce", lambda nonce: nonce + 1),
    ("nonce", lambda nonce: nonce + 2),
    ("cards", lambda cards: cards[:5]),
    ("cards", lambda cards: [*cards[:5], cards[0]]),
    ("cut", lambda cut: cut - 1),
    ("player.cards", lambda cards: cards[:-1]),
    ("player.score", lambda score: (score + 1) % 10),
    ("banker.cards", lambda cards: cards[::-1]),
    ("banker.score", lambda score: (score + 1) % 10),
    ("natural", lambda natural: not natural),
    ("winner", opposite),
    ("bets.player.stake", lambda stake: str(int(stake) + 2)),
    ("bets.player.stake", lambda _: str(10**38 - 1)),
    ("bets.player.returned", lambda returned: str(int(returned) + 1)),
    ("bets.tie.status", lambda status: "pushed" if status != "pushed" else "won"),
    ("bets", lambda bets: {"player": bets["player"]}),
    ("bets", lambda bets: {**bets, "dragon7": bets["tie"]}),
    ("bets", lambda bets: {**bets, "bankers": bets["tie"]}),
    ("totals.staked", lambda _: "1"),
    ("totals.returned", lambda _: "1"),
    ("totals.net", lambda _: "-1"),
    ("pay_table.tie_multiplier", lambda _: "8.0"),
    ("pay_table.stake_step", lambda _: "2"),
    ("pay_table.side_bets", lambda _: {"red": {"won": "2.0"}}),
    ("pay_table.side_bets", lambda _: {"lucky6": {"two_cards": "13.0", "three_cards": "21.0"}}),
    ("pay_table.side_bets", lambda _: {"tiger": {"two_cards": "13.0"}}),
    ("pay_table.side_bets", lambda _: {"tiger": {"two_card": "13.0"}}),
    ("pay_table.side_bets", lambda _: {"player": {"won": "2.0"}}),
    ("pay_table.banker_exceptions", lambda _: {"seven": "2.0"}),
    ("pay_table_digest", lambda digest: digest[::-1]),
]


@pytest.mark.parametrize(("path", "change"), CHANGES)
def test_whatever_is_changed_in_a_record_is_refused_in_the_same_words(node_page, path, change):
    data = RECORD.to_dict()
    place, *steps, last = data, *path.split(".")
    for each in steps:
        place = place[each]
    place[last] = change(place[last])
    told = python_told(json.dumps(data))
    found = page_told(node_page, json.dumps(data))
    assert "code" in told
    own_words = {"own_bet", "chain"}  # they name what a Python program does
    if told["slips"] and told["slips"][0][0] in own_words:
        told["slips"] = [[code, ""] for code, _ in told["slips"]]
        found["slips"] = [[code, ""] for code, _ in found["slips"]]
    assert found == told


@pytest.mark.parametrize(
    ("dealt", "told", "slip"),
    [
        ("Zoe\u0308", "Zoë", "nfd"),
        ("Zoë", "Zoe\u0308", "nfc"),
        ("lucky", "\u200blucky\u200b", "trimmed"),
        ("lucky", "Lucky", "case"),
        ("lucky", "LUCKY", "case"),
        ("LUCKY", "lucky", "case"),
        ("Lucky", "LUCKY", "case"),
        ("it's", "It's", "case"),
        ("lucky", "unlucky", None),
    ],
)
def test_a_client_seed_that_was_changed_on_the_way(node_page, dealt, told, slip):
    record = record_of(Seeds.commit(SERVER_SEED, dealt), 6)
    error = assert_same(node_page, text_of(record, client_seed=told, client_seed_hex=told.encode().hex()))
    assert [code for code, _ in error["slips"]] == ([slip] if slip else [])


@pytest.mark.parametrize("scheme", ["stake", "bcgame-single", "bcgame-table"])
def test_cards_of_another_scheme(node_page, scheme):
    other = play_round(Seeds.commit(SERVER_SEED, "Zoë", scheme=scheme), 0 if scheme == "bcgame-table" else 6)
    error = assert_same(node_page, text_of(RECORD, cards=[str(card) for card in other.cards]))
    assert error["slips"] == [["scheme", f"These are the cards of another scheme, {scheme}."]]


KEPT = [
    {"nonce": 5},
    {"nonce": 7},
    {"nonce": 9},
    {"commitment": "ab" * 32},
    {"commitment": SERVER_SEED},
    {"client_seed": "Zoe\u0308"},
    {"client_seed": "zoë"},
    {"client_seed": "Zoë\u200b"},
    {"client_seed": "Zoé"},
    {"server_seed": "0c" * 32},
    {"decks": 6},
    {"index": 3},
    {"scheme": "stake"},
    {"scheme": "pfb1-shoe"},
    {"offer": "super_six"},
    {"offer": "punto_banco", "commitment": str(SEEDS.commitment)},
    {"chain": {"anchor": "ab" * 32, "length": 3}},
]


@pytest.mark.parametrize("kept", KEPT)
def test_a_record_against_what_was_kept(node_page, kept):
    assert_same(node_page, RECORD.to_json().decode(), **kept)


def test_a_client_seed_that_was_kept_in_another_form(node_page):
    for kept, recorded, slip in (("Zoe\u0308", "Zoë", "nfc"), ("Zoë", "Zoe\u0308", "nfd")):
        record = record_of(Seeds.commit(SERVER_SEED, recorded), 6)
        error = assert_same(node_page, record.to_json().decode(), client_seed=kept)
        assert [code for code, _ in error["slips"]] == [slip]


COMMITMENT = str(commit(ServerSeed.parse(SERVER_SEED)))
GIVEN = {"server_seed": SERVER_SEED, "client_seed": "lucky", "commitment": COMMITMENT, "nonce": 3}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"server_seed": f" {SERVER_SEED}\n"},
        {"server_seed": SERVER_SEED.upper()},
        {"server_seed": f'"0x{SERVER_SEED.upper()}"'},
        {"server_seed": f"{SERVER_SEED[:8]}-{SERVER_SEED[8:]}"},
        {"server_seed": SERVER_SEED[:-1]},
        {"server_seed": COMMITMENT, "commitment": SERVER_SEED},
        {"server_seed": COMMITMENT},
        {"server_seed": "lucky", "client_seed": SERVER_SEED},
        {"client_seed": " lucky"},
        {"client_seed": "x" * 129},
        {"client_seed": "lu\x00cky"},
        {"client_seed": "lu\x9fcky"},
        {"client_seed": "lucky\u3000"},
        {"commitment": f"'{COMMITMENT}'"},
        {"commitment": COMMITMENT.upper()},
        {"commitment": "commitment"},
        {"commitment": str(commit(ServerSeed.parse(SERVER_SEED), 4))},
        {"commitment": str(commit(ServerSeed.parse(SERVER_SEED), scheme="pfb1-shoe"))},
        {"scheme": "stake"},
        {"scheme": "stake", "commitment": None},
        {"scheme": "stake", "commitment": None, "decks": 6},
        {"scheme": "bcgame-single", "commitment": None, "decks": 2},
        {"scheme": "bcgame-table", "commitment": None, "nonce": None},
        {"scheme": "bcgame-table", "commitment": None, "nonce": 1},
        {"scheme": "bcgame-table", "commitment": None, "nonce": None, "server_seed": "short"},
        {"scheme": "pfb1-shoe", "commitment": str(commit(ServerSeed.parse(SERVER_SEED), scheme="pfb1-shoe"))},
        {"scheme": "pfb1-shoe", "commitment": str(commit(ServerSeed.parse(SERVER_SEED), scheme="pfb1-shoe")), "index": 4},
        {"scheme": "pfb1-shoe", "commitment": str(commit(ServerSeed.parse(SERVER_SEED), scheme="pfb1-shoe")), "index": 99},
        {"index": 4},
        {"decks": 9},
    ],
)
def test_seeds_alone(node_page, changes):
    assert_same(node_page, None, **{**GIVEN, **changes})


def test_without_a_commitment_nothing_of_ours_is_proved(node_page):
    told = node_page.ask("seeds", kept={"serverSeed": SERVER_SEED, "clientSeed": "lucky", "nonce": 3})
    assert told["verdict"] == "recomputed"
    assert told["guarantees"][0]["grade"] == "unknown"
    assert told["cards"] == [str(card) for card in play_round(Seeds.commit(SERVER_SEED, "lucky"), 3).cards]


# Chains and shoes


def test_links_of_a_chain(node_page):
    chain = SeedChain(ServerSeed.parse(SERVER_SEED), 50)
    published = {"anchor": chain.chain.anchor, "length": 50}
    given = {"client_seed": "lucky", "commitment": str(chain.commitment), "chain": published}
    links = [chain.link(nonce).server_seed.reveal() for nonce in range(50)]
    for nonce in (0, 1, 30, 17, 49):
        assert_same(node_page, None, **given, server_seed=links[nonce], nonce=nonce)
    assert_same(node_page, None, **given, server_seed=links[7], nonce=8)
    assert_same(node_page, None, **given, server_seed=links[8], nonce=7)
    assert_same(node_page, None, **given, server_seed=chain.chain.anchor, nonce=7)
    assert_same(node_page, None, **given, server_seed="0c" * 32, nonce=0)
    assert_same(node_page, None, **given, server_seed=links[49], nonce=50)
    six_decks = str(SeedChain(ServerSeed.parse(SERVER_SEED), 50, 6).commitment)
    assert_same(node_page, None, **{**given, "commitment": six_decks}, server_seed=links[3], nonce=3)
    seeds = Seeds(links[5], "lucky", chain.commitment, chain=chain.chain)
    record = record_of(seeds, 5)
    assert_same(node_page, record.to_json().decode())
    assert_same(node_page, text_of(record, nonce=6))
    assert_same(node_page, text_of(record, chain={**published, "length": 51}))


def test_coups_of_a_shoe(node_page):
    seeds = Seeds.commit(SERVER_SEED, "lucky", scheme="pfb1-shoe")
    rounds = play_shoe(seeds, 2)
    for played in (rounds[0], rounds[7], rounds[-1]):
        record = RoundRecord.from_round(played, settle(played.coup, {"banker": 20}), server_seed=seeds.server_seed)
        assert_same(node_page, record.to_json().decode())
        assert_same(node_page, text_of(record, index=played.index + 1))
        assert_same(node_page, text_of(record, index=None))


# Records that are none


HOSTILE = [
    "",
    "null",
    "[]",
    "3",
    '"text"',
    "{",
    "{}",
    '{"format_version":1}',
    '{"format_version":1,"format_version":1}',
    "[" * 17 + "]" * 17,
    "[1.0]",
    "[1e3]",
    "[-1]",
    "[NaN]",
    "[9007199254740992]",
    "[" + "9" * 400 + "]",
    "\ufeff{}",
    '{"a": "\x01"}',
    '{"a" 1}',
    "{'a': 1}",
    "[1,]",
    "[01]",
    "{} {}",
    '{"\\u00zz": 1}',
    '"' + "x" * 70_000 + '"',
    '{"__proto__": {"scheme": "pfb1"}}',
    '{"constructor": 1}',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_that_are_no_record(node_page, text):
    told = page_told(node_page, text)
    expected = python_told(text)
    assert (told["code"], told["subject"], [code for code, _ in told["slips"]]) == (
        expected["code"],
        expected["subject"],
        [code for code, _ in expected["slips"]],
    )
    if expected["expected"] != "one JSON value":
        assert told["expected"] == expected["expected"]


@pytest.mark.parametrize("junk", [None, True, 3, -3, "x", "", [], {}, [None], {"x": 1}, "<b>", "\u202e"])
def test_a_record_with_anything_in_any_place(node_page, junk):
    """The page refuses what the package refuses, at the same place, and takes what it takes."""
    for key in RECORD.to_dict():
        text = text_of(RECORD, **{key: junk})
        expected, told = python_told(text), page_told(node_page, text)
        assert told.get("code") == expected.get("code"), (key, junk, told, expected)
        assert told.get("subject") == expected.get("subject"), (key, junk)


def test_records_with_a_key_too_many_or_too_few(node_page):
    data = RECORD.to_dict()
    for key in data:
        assert_same(node_page, json.dumps({name: value for name, value in data.items() if name != key}))
    for key in ("nonces", "clientseed", "<img src=x onerror=alert(1)>", "zz"):
        assert_same(node_page, json.dumps({**data, key: 1}))
    for inner in ("player", "totals", "pay_table"):
        text = json.dumps({**data, inner: {**data[inner], "scores": 1}})
        assert page_told(node_page, text)["subject"] == python_told(text)["subject"] == f"record, {inner}.scores"


@pytest.mark.parametrize("seed", ["<img src=x onerror=alert(1)>", "'; rm -rf /", "\u202egnp.exe", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "a:b:c", '"quoted"'])
def test_strange_client_seeds_are_client_seeds(node_page, seed):
    assert_same(node_page, record_of(Seeds.commit(SERVER_SEED, seed), 3).to_json().decode())
    assert_same(node_page, text_of(RECORD, client_seed=seed))


def test_bytes_that_are_no_utf8(node_page):
    assert page_told(node_page, b'{"a": "\xff"}')["code"] == "record"


@pytest.mark.parametrize(
    ("accepted", "settled"),
    [
        ("2026-11-29T12:00:00Z", "2026-11-29T12:00:00.000001Z"),
        ("2026-11-29T12:00:00.5Z", "2026-11-29T12:00:00.25Z"),
        ("2026-11-29T12:00:00.25Z", "2026-11-29T12:00:00Z"),
        ("2024-02-29T23:59:59Z", None),
        ("2023-02-29T23:59:59Z", None),
        ("2026-13-01T00:00:00Z", None),
        ("2026-11-29T24:00:00Z", None),
        ("2026-11-29T12:60:00Z", None),
        ("2026-11-29T12:00:60Z", None),
        ("0000-01-01T00:00:00Z", None),
        ("2026-11-29T12:00:00.10Z", None),
        ("2026-11-29T12:00:00+00:00", None),
    ],
)
def test_times(node_page, accepted, settled):
    assert_same(node_page, text_of(RECORD, accepted_at=accepted, settled_at=settled))


# Many rounds


def test_many_rounds_are_counted_and_the_false_ones_listed(node_page):
    records = [record_of(SEEDS, nonce, client_seed_made_by="operator" if nonce == 3 else None) for nonce in range(40)]
    lines = [record.to_json().decode() for record in records]
    lines[7] = text_of(records[7], winner=opposite(records[7].winner.value))
    lines[9] = "{"
    lines[20] = lines[19]
    summary = node_page.ask("rounds", text="\n".join(lines) + "\n")["summary"]
    assert summary["counts"] == {"proved": 38, "recomputed": 0, "failed": 1, "unreadable": 1}
    assert [(each["number"], each["error"]["code"]) for each in summary["failures"]] == [(8, "verification.coup"), (10, "record")]
    (series,) = summary["series"]
    assert (series["first"], series["last"], series["missing"], series["twice"]) == (0, 39, [7, 9, 20], [19])
    assert summary["madeByOperator"] == 1
    assert summary["grades"]["seed_fixed"] == {"proved": 38, "claimed": 0, "unknown": 0}
    returned = [records[n].totals.returned for n in range(40) if n not in (7, 9, 20)] + [records[19].totals.returned]
    assert int(summary["returned"]) == sum(returned)


def test_nonces_are_counted_from_0(node_page):
    lines = [record_of(SEEDS, nonce).to_json().decode() for nonce in range(3, 10)]
    (series,) = node_page.ask("rounds", text="\n".join(lines) + "\n")["summary"]["series"]
    assert (series["first"], series["last"], series["missing"], series["missingCount"], series["twiceCount"]) == (3, 9, [0, 1, 2], 3, 0)


def test_one_record_over_several_lines(node_page):
    told = node_page.ask("rounds", text=json.dumps(RECORD.to_dict(), indent=2))
    assert told["single"]["verdict"] == "proved"
    assert node_page.ask("rounds", text=RECORD.to_json().decode() + "\n")["single"]["verdict"] == "proved"


def test_lines_end_at_line_feeds_only(node_page):
    line = RECORD.to_json().decode()
    assert node_page.ask("rounds", text=f"{line}\r\n{line}\n")["summary"]["counts"]["proved"] == 2
    assert node_page.ask("rounds", text=f"{line}\n\n{line}\n")["summary"]["counts"] == {
        "proved": 2,
        "recomputed": 0,
        "failed": 0,
        "unreadable": 1,
    }
    long = node_page.ask("rounds", text=f"{line}\n{' ' * 3_000_000}\n{'x' * 3_000_000}\n{line}")["summary"]
    assert long["counts"] == {"proved": 2, "recomputed": 0, "failed": 0, "unreadable": 2}


def test_a_whole_chain_is_hashed_once(node_page):
    """Coups of a long chain in any order: each link is compared with what one pass down has proved."""
    chain = SeedChain(ServerSeed.parse(SERVER_SEED), 100_000)
    lines = []
    for nonce in (99_999, 5, 50_000, 0, 99_998, *range(1000, 1100)):
        seeds = Seeds(chain.link(nonce), "lucky", chain.commitment, chain=chain.chain)
        lines.append(record_of(seeds, nonce).to_json().decode())
    summary = node_page.ask("rounds", text="\n".join(lines))["summary"]
    assert summary["counts"]["proved"] == len(lines)
