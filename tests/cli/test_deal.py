"""`pfb deal`: the library's own round, as text and as a record, and never the secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provably_fair_baccarat import RoundRecord, Seeds, play_round, play_shoe, settle, verify_record

SERVER_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
ROUND = ("--client-seed", "lucky 8s", "--nonce", "1")


def test_a_round_is_told_in_text(pfb, seed_file):
    ran = pfb("deal", "--seed-file", seed_file, *ROUND, "--bet", "banker=500", "--bet", "tie=100")
    assert (ran.code, ran.err) == (0, "")
    for told in (
        "commitment   3e2d8157faae5379e90c5d6823c04f90989da344d47c312f910bee3aac8792e4",
        "label        pfb1:8",
        "cut          214",
        "cards  10♣ 8♠ K♣ 3♦ 10♥ 7♣",
        "Player  10♣ K♣   = 0   draws 10♥ and has 0",
        "Banker  8♠ 3♦    = 1   draws 7♣ and has 8",
        "The banker wins, 8 to 0.",
        "banker  500  won     returned 975",
        "tie     100  lost    returned 0",
    ):
        assert told in ran.out.splitlines()


def test_the_record_is_the_library_s_own(pfb, seed_file):
    ran = pfb("deal", "--seed-file", seed_file, *ROUND, "--bet", "player=7", "--pay-table", "super_six", "--json")
    seeds = Seeds.commit(SERVER_SEED, "lucky 8s")
    played = play_round(seeds, 1)
    record = RoundRecord.parse_json(ran.out)
    assert record.cards == played.cards
    assert record.server_seed is None
    assert ran.out.encode() == record.to_json() + b"\n"


@pytest.mark.parametrize(
    "extra", [(), ("--json",), ("--bet", "player=5"), ("--bet", "nonsense=5"), ("--decks", "6"), ("--scheme", "pfb1-shoe")]
)
def test_the_server_seed_is_never_shown_unless_asked_for(call, seed_file, extra):
    ran = call("deal", "--seed-file", seed_file, *ROUND, *extra)
    assert SERVER_SEED not in ran.out + ran.err


def test_reveal_shows_it_and_makes_the_record_verifiable(pfb, seed_file):
    assert f"server seed  {SERVER_SEED}" in pfb("deal", "--seed-file", seed_file, *ROUND, "--reveal").out
    verify_record(RoundRecord.parse_json(pfb("deal", "--seed-file", seed_file, *ROUND, "--reveal", "--json").out))


def test_the_seed_may_come_from_standard_input(pfb, seed_file):
    assert pfb("deal", "--seed-file", "-", *ROUND, stdin=SERVER_SEED).out == pfb("deal", "--seed-file", seed_file, *ROUND).out


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        (f"{SERVER_SEED}\n\n", "white space"),
        (f"{SERVER_SEED}\r\n", "white space"),
        (SERVER_SEED.upper(), "lower case"),
        (f"0x{SERVER_SEED}", "0x"),
        (f"{SERVER_SEED[:-1]}", "63 characters"),
        ("", "empty"),
        (b"\xff" * 64, "64 other characters"),
    ],
)
def test_a_seed_file_in_another_form_is_refused_without_being_shown(pfb, text, slip):
    ran = pfb("deal", "--seed-file", "-", *ROUND, "--json", stdin=text)
    assert ran.code == 2
    assert slip in ran.err
    assert "standard input" in ran.err
    assert SERVER_SEED[:12] not in (ran.out + ran.err).lower()
    assert json.loads(ran.out)["error"]["code"] == "seed.server_seed"


def test_a_shoe_is_dealt_through_or_one_coup_of_it(call, seed_file):
    shoe = ("deal", "--seed-file", seed_file, "--scheme", "pfb1-shoe", "--client-seed", "lucky 8s", "--nonce", "0")
    rounds = play_shoe(Seeds.commit(SERVER_SEED, "lucky 8s", scheme="pfb1-shoe"), 0)
    lines = call(*shoe, "--json").out.splitlines()
    assert [RoundRecord.parse_json(line).cards for line in lines] == [played.cards for played in rounds]
    assert [RoundRecord.parse_json(line).index for line in lines] == list(range(len(rounds)))
    third = RoundRecord.parse_json(call(*shoe, "--index", "3", "--bet", "tie=9", "--json").out)
    assert third.cards == rounds[3].cards
    assert third.totals.returned == settle(rounds[3].coup, {"tie": 9}).returned
    assert call(*shoe).out.count("coup ") == len(rounds)
    assert "name it with --index" in call(*shoe, "--bet", "tie=9").err
    refused = call(*shoe, "--index", str(len(rounds)))
    assert refused.code == 2
    assert f"the coups 0 to {len(rounds) - 1}" in refused.err


def test_pay_tables_are_read_from_files(call, seed_file, tmp_path):
    (tmp_path / "offer.toml").write_text('banker_multiplier = "1.9"\n[side_bets]\nbig = 1.5\n')
    (tmp_path / "offer.json").write_text('{"banker_multiplier": 1.9, "side_bets": {"big": "1.5"}}')
    tables = [
        RoundRecord.parse_json(
            call("deal", "--seed-file", seed_file, *ROUND, "--pay-table", f"offer.{kind}", "--bet", "big=10", "--json").out
        )
        for kind in ("toml", "json")
    ]
    assert tables[0] == tables[1]
    assert tables[0].pay_table.banker_multiplier == "1.9"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("bad.toml", "banker_multiplier = 0.95", "A multiplier includes the stake"),
        ("bad.toml", "= nonsense", "TOML text"),
        ("bad.toml", b"\xff", "UTF-8"),
        ("bad.toml", "#" * 70_000, "at most 65,536 bytes"),
        ("bad.json", '{"bankr_multiplier": 2}', "Did you mean 'banker_multiplier'?"),
        ("bad.json", "[]", "a mapping"),
        ("bad.txt", "", "ends in .toml or .json"),
    ],
)
def test_a_pay_table_that_is_none_is_refused(call, seed_file, tmp_path, name, text, told):  # noqa: PLR0917
    Path(tmp_path, name).write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = call("deal", "--seed-file", seed_file, *ROUND, "--pay-table", name)
    assert ran.code == 2
    assert told in ran.err
    assert name in ran.err


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"--nonce": "-1"}, "seed.nonce"),
        ({"--nonce": "9007199254740992"}, "seed.nonce"),
        ({"--nonce": "1.0"}, "seed.nonce"),
        ({"--decks": "9"}, "seed.decks"),
        ({"--scheme": "pfb2"}, "seed.scheme"),
        ({"--client-seed": ""}, "verification.seed_text"),
        ({"--client-seed": " x"}, "verification.seed_text"),
        ({"--bet": "player"}, "money.bet"),
        ({"--bet": "player=1.5"}, "money.bet"),
        ({"--bet": "player=0"}, "money.bet.stake"),
        ({"--bet": "dragon7=5"}, "money.bet.unknown"),
        ({"--pay-table": "punto_bnco"}, "money.pay_table"),
        ({"--pay-table": "nowhere.toml"}, "file"),
        ({"--seed-file": "nowhere.txt"}, "file"),
        ({"--index": "0"}, "usage"),
        ({"--index": "x"}, "usage"),
    ],
)
def test_wrong_input_exits_with_2_and_its_code(call, seed_file, changes, code):
    options = {"--seed-file": seed_file, "--client-seed": "lucky 8s", "--nonce": "1", **changes}
    ran = call("deal", "--json", *(word for option in options.items() for word in option))
    assert ran.code == 2
    error = json.loads(ran.out)["error"]
    assert error["code"] == code
    assert set(error) == {"code", "subject", "expected", "found", "hint", "place"}
    assert ran.err.startswith("pfb: ")
    assert SERVER_SEED not in ran.out + ran.err


def test_the_same_bet_twice_is_refused(pfb, seed_file):
    ran = pfb("deal", "--seed-file", seed_file, *ROUND, "--bet", "tie=1", "--bet", "tie=2")
    assert ran.code == 2
    assert "each bet once" in ran.err
