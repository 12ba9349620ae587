"""`pfb verify`: what is true exits with 0, what is false with 1, what is no record with 2, and the rest is verified all the same."""

from __future__ import annotations

import json

import pytest

from provably_fair_baccarat import SeedChain, Seeds, play_round
from provably_fair_baccarat.fairness.schemes import SCHEMES

SERVER_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
COMMITMENT = "3e2d8157faae5379e90c5d6823c04f90989da344d47c312f910bee3aac8792e4"
KEPT = {"--server-seed": SERVER_SEED, "--client-seed": "lucky 8s", "--commitment": COMMITMENT, "--nonce": "1"}


def words(options):
    return [word for option in options.items() for word in option]


def test_one_round_from_its_seeds(pfb):
    ran = pfb("verify", *words(KEPT))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "Nonce 1, recomputed"
    assert ran.out.count("✓") == 3
    for grade in ("proved", "unknown"):
        assert f"\n{grade} " in ran.out
    assert ran.out.endswith("1 round verified, 0 failed.\n")


def test_one_round_from_its_seeds_as_json(pfb):
    told = json.loads(pfb("verify", *words(KEPT), "--json").out)
    assert told["verified"] is True
    assert told["cards"] == ["Tc", "8s", "Kc", "3d", "Th", "7c"]
    assert [check["code"] for check in told["checks"]] == ["commitment", "cards", "coup"]
    assert told["guarantees"]["seed_fixed"]["grade"] == "proved"


def test_a_marked_client_seed_is_proved(pfb):
    told = json.loads(pfb("verify", *words({**KEPT, "--client-seed": "7c5e1d9b3f8a2046-3e2d8157faae5379"}), "--json").out)
    assert told["guarantees"]["client_seed_after_commitment"]["grade"] == "proved"


@pytest.mark.parametrize(
    ("changes", "exit_code", "code", "hint"),
    [
        ({"--commitment": COMMITMENT.replace("3", "4")}, 1, "verification.commitment", None),
        ({"--decks": "6"}, 1, "verification.commitment", "8 decks"),
        ({"--server-seed": COMMITMENT, "--commitment": SERVER_SEED}, 1, "verification.commitment", "swapped"),
        ({"--scheme": "pfb1-shoe", "--index": "0"}, 1, "verification.commitment", "another scheme, pfb1"),
        ({"--index": "0"}, 1, "verification.index", None),
        ({"--server-seed": SERVER_SEED.upper()}, 2, "verification.seed_text", "lower case"),
        ({"--commitment": "short"}, 2, "verification.seed_text", None),
        ({"--client-seed": ""}, 2, "verification.seed_text", None),
        ({"--nonce": "-1"}, 2, "seed.nonce", None),
        ({"--pay-table": "punto_banco"}, 2, "usage", None),
        ({"--anchor": "0" * 64}, 2, "usage", None),
    ],
)
def test_seeds_that_do_not_fit(call, changes, exit_code, code, hint):
    ran = call("verify", *words({**KEPT, **changes}), "--json")
    error = json.loads(ran.out)["error"]
    assert (ran.code, error["code"]) == (exit_code, code)
    if hint is not None:
        assert hint in error["hint"]
        assert hint in ran.err


def test_a_coup_of_a_shoe_and_of_a_chain(pfb):
    shoe = Seeds.commit(SERVER_SEED, "lucky 8s", 6, scheme="pfb1-shoe")
    ran = pfb("verify", *words({**KEPT, "--commitment": str(shoe.commitment), "--decks": "6", "--scheme": "pfb1-shoe", "--index": "2"}))
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Nonce 1, coup 2 of the shoe, recomputed")


def test_records_from_files(pfb, records):
    ran = pfb("verify", "rounds.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert "proved" in ran.out
    assert ran.out.endswith("3 rounds verified, 0 failed.\n")


def test_records_from_standard_input(pfb, records):
    ran = pfb("verify", "-", stdin="".join(records) + "\n")
    assert ran.out.endswith("3 rounds verified, 0 failed.\n")
    assert ran.code == 0


def test_one_record_is_shown_in_full_in_whatever_layout(pfb, records):
    laid_out = json.dumps(json.loads(records[1]), indent=2)
    for text in (records[1], laid_out, laid_out + "\n", laid_out.replace("{", "{ ", 1)):
        ran = pfb("verify", "-", stdin=text)
        assert ran.code == 0
        assert ran.out.count("✓") == 6
        assert ran.out.endswith("1 round verified, 0 failed.\n")


def test_records_as_json(pfb, records):
    *lines, summary = map(json.loads, pfb("verify", "rounds.jsonl", "--json").out.splitlines())
    assert [line["place"] for line in lines] == [f"rounds.jsonl, line {number}" for number in (1, 2, 3)]
    assert all(line["verified"] for line in lines)
    assert {key: summary["summary"][key] for key in ("verified", "failed", "unreadable")} == {"verified": 3, "failed": 0, "unreadable": 0}
    assert summary["summary"]["guarantees"]["settlement_exact"] == {"proved": 3, "claimed": 0, "unknown": 0}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"cut": 3}, "verification.cut"),
        ({"winner": "tie"}, "verification.coup"),
        ({"cards": ["As"] * 6}, "verification.cards"),
        ({"nonce": 2}, "verification.cut"),
        ({"label": "pfb1:6"}, "verification.scheme"),
        ({"commitment": "0" * 64}, "verification.commitment"),
        ({"server_seed": None}, "verification.not_revealed"),
        ({"scheme": "pfb9"}, "seed.scheme"),
        ({"totals": {"staked": "500", "returned": "1000", "net": "500"}}, "verification.settlement"),
        ({"pay_table_digest": "0" * 64}, "verification.pay_table"),
    ],
)
def test_a_tampered_record_fails_with_its_code_and_the_rest_is_verified(pfb, records, change, code):
    tampered = json.dumps({**json.loads(records[1]), **change})
    ran = pfb("verify", "-", "--json", stdin=f"{records[0]}{tampered}\n{records[2]}")
    *lines, summary = map(json.loads, ran.out.splitlines())
    assert ran.code == 1
    assert [line["verified"] for line in lines] == [True, False, True]
    assert lines[1]["error"]["code"] == code
    assert summary["summary"]["verified"] == 2
    assert ran.err.startswith(f"standard input, line 2: {code}: ")


def test_a_failure_is_one_line_with_expected_found_and_hint(pfb, records):
    tampered = json.dumps({**json.loads(records[1]), "nonce": 2})
    ran = pfb("verify", "-", stdin=records[0] + tampered)
    assert ran.code == 1
    assert ran.out.endswith("1 round verified, 1 failed.\n")
    (line,) = ran.err.splitlines()
    assert "expected" in line
    assert "found" in line
    assert "these are the cards of nonce 1" in line


@pytest.mark.parametrize("text", ["nonsense", "[]", "{}", "", '{"cut": 3', "x" * 70_000, '{"a": "' + "x" * 140_000 + '"}'])
def test_what_is_no_record_exits_with_2_and_the_rest_is_verified(pfb, records, text):
    ran = pfb("verify", "-", stdin=f"{records[0]}{text}\n{records[2]}")
    assert ran.code == 2
    assert ran.out.endswith("2 rounds verified, 0 failed, 1 unreadable.\n")
    assert ran.err.startswith("standard input, line 2: record: ")


def test_a_broken_first_line_does_not_hide_the_rest(pfb, records):
    ran = pfb("verify", "-", stdin=f"{records[0][:100]}\n{records[1]}{records[2]}")
    assert ran.code == 2
    assert ran.out.endswith("2 rounds verified, 0 failed, 1 unreadable.\n")


@pytest.mark.parametrize("text", ["", "\n", "\ufeff"])
def test_nothing_is_not_verified(pfb, text):
    ran = pfb("verify", "-", stdin=text)
    assert ran.code == 2
    assert ran.out == "0 rounds verified, 0 failed, 1 unreadable.\n"


def test_a_file_that_is_not_there_does_not_hide_the_others(pfb, records):
    ran = pfb("verify", "nowhere.jsonl", "rounds.jsonl", ".")
    assert ran.code == 2
    assert ran.out.endswith("3 rounds verified, 0 failed, 2 unreadable.\n")
    assert "nowhere.jsonl: No such file or directory" in ran.err


@pytest.mark.parametrize(
    ("option", "value", "exit_code", "code"),
    [
        ("--commitment", "0" * 64, 1, "verification.commitment"),
        ("--client-seed", "lucky 8S", 1, "verification.client_seed"),
        ("--pay-table", "super_six", 1, "verification.pay_table"),
        ("--nonce", "7", 1, "verification.nonce"),
        ("--commitment", "nonsense", 2, "verification.seed_text"),
    ],
)
def test_records_must_agree_with_what_was_kept(call, records, option, value, exit_code, code):  # noqa: PLR0917
    ran = call("verify", "rounds.jsonl", option, value)
    assert ran.code == exit_code
    assert code in ran.err


def test_what_was_kept_agrees(pfb, records):
    ran = pfb("verify", "rounds.jsonl", "--commitment", COMMITMENT, "--client-seed", "lucky 8s", "--pay-table", "punto_banco")
    assert ran.code == 0


def test_a_record_from_before_the_reveal_is_verified_with_the_seed_that_was_told_later(pfb, records):
    before = json.dumps({**json.loads(records[1]), "server_seed": None})
    assert pfb("verify", "-", stdin=before).code == 1
    assert pfb("verify", "-", "--server-seed", SERVER_SEED, stdin=before).code == 0


@pytest.mark.parametrize("scheme", [name for name, scheme in SCHEMES.items() if not scheme.needs_commitment])
def test_a_round_of_another_house_needs_no_commitment_and_proves_less(call, scheme):
    seeds = Seeds.commit(SERVER_SEED, "lucky 8s", scheme=scheme)
    nonce = 1 if SCHEMES[scheme].has_nonces else None
    named = [] if nonce is None else ["--nonce", str(nonce)]
    ran = call("verify", "--scheme", scheme, "--server-seed", SERVER_SEED, "--client-seed", "lucky 8s", *named, "--json")
    assert ran.code == 0
    told = json.loads(ran.out)
    assert told["commitment"] is None
    assert told["cards"] == [str(card) for card in play_round(seeds, nonce).cards]
    assert told["guarantees"]["seed_fixed"]["grade"] == "unknown"


def test_a_coup_of_a_chain(call):
    chain = SeedChain.generate(4)
    seeds = Seeds(chain.link(2), "lucky 8s", chain.commitment, chain=chain.chain)
    options = {
        "--server-seed": seeds.server_seed.reveal(),
        "--client-seed": "lucky 8s",
        "--commitment": str(seeds.commitment),
        "--nonce": "2",
        "--scheme": "pfb1-chain",
        "--anchor": seeds.origin.chain.anchor,
        "--length": "4",
    }
    told = json.loads(call("verify", *words(options), "--json").out)
    assert told["cards"] == [str(card) for card in play_round(seeds, 2).cards]
    wrong = call("verify", *words({**options, "--nonce": "1"}))
    assert (wrong.code, "link of nonce 2" in wrong.err) == (1, True)


def test_missing_and_repeated_nonces_are_told(pfb, records):
    ran = pfb("verify", "-", stdin=records[0] + records[2] + records[2])
    assert ran.code == 0
    assert "nonces 0 to 2, missing 1, twice 2." in ran.out
    assert "nonces 0 to 2, none missing, none twice." in pfb("verify", "rounds.jsonl").out
    summary = json.loads(pfb("verify", "-", "--json", stdin=records[0] + records[2] + records[2]).out.splitlines()[-1])["summary"]
    (told,) = summary["commitments"].values()
    assert told == {"first": 0, "last": 2, "missing": 1, "twice": 1}


def test_client_seeds_of_the_operator_are_said_aloud(pfb, records):
    made = [json.dumps({**json.loads(record), "client_seed_made_by": "operator"}) + "\n" for record in records]
    assert "In 3 rounds the client seed was made by the operator's side" in pfb("verify", "-", stdin="".join(made)).out
    assert "operator's side" not in pfb("verify", "rounds.jsonl").out


def test_a_failure_is_never_hidden_by_an_unreadable_line(pfb, records):
    false = json.dumps({**json.loads(records[0]), "cut": 415})
    assert pfb("verify", "-", stdin=f"{false}\nno record\n").code == 1
    assert pfb("verify", "-", stdin=f"{records[0]}no record\n").code == 2
