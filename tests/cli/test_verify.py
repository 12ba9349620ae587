"""`pfb verify`: what is true exits with 0, what is false with 1, what is no record with 2, and the rest is verified all the same."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from provably_fair_baccarat import PUNTO_BANCO, PayTable, RoundRecord, SeedChain, Seeds, play_round, settle
from provably_fair_baccarat.fairness.schemes import SCHEMES

SERVER_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
COMMITMENT = "3e2d8157faae5379e90c5d6823c04f90989da344d47c312f910bee3aac8792e4"
ONE_TABLE = {"pay_tables": 1, "currencies": 0}
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
    assert ran.out.endswith("Recomputed: compare these cards with those that you saw. --cards does.\n")
    assert "round verified" not in ran.out


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
    assert ran.out.endswith("1 round verified, 1 failed; 1 nonce missing.\n")
    (line,) = ran.err.splitlines()
    assert "the seeds give 143, the record says 214" in line
    assert "these are the cards of nonce 1" in line


@pytest.mark.parametrize("text", ["nonsense", "[]", "{}", "", '{"cut": 3', "x" * 70_000, '{"a": "' + "x" * 140_000 + '"}'])
def test_what_is_no_record_exits_with_2_and_the_rest_is_verified(pfb, records, text):
    ran = pfb("verify", "-", stdin=f"{records[0]}{text}\n{records[2]}")
    assert ran.code == 2
    assert ran.out.endswith("2 rounds verified, 0 failed, 1 unreadable; 1 nonce missing.\n")
    assert ran.err.startswith("standard input, line 2: record: ")


def test_a_broken_first_line_does_not_hide_the_rest(pfb, records):
    ran = pfb("verify", "-", stdin=f"{records[0][:100]}\n{records[1]}{records[2]}")
    assert ran.code == 2
    assert ran.out.endswith("2 rounds verified, 0 failed, 1 unreadable; 1 nonce missing.\n")


@pytest.mark.parametrize("text", ["", "\n", "\ufeff"])
def test_nothing_is_not_verified(pfb, text):
    ran = pfb("verify", "-", stdin=text)
    assert ran.code == 2
    assert ran.out == "0 rounds verified, 0 failed, 1 unreadable.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
@pytest.mark.parametrize("command", ["verify", "roads"])
def test_a_pipe_by_its_name_gives_every_record(environment, records, tmp_path, command):
    """What is looked at to tell a history from records is not taken from a pipe, which gives it only once."""
    (tmp_path / "many.jsonl").write_text("".join(records) * 40)
    named = f'cat many.jsonl | "$0" -m provably_fair_baccarat {command} /dev/stdin'
    ran = subprocess.run(["/bin/sh", "-c", named, sys.executable], capture_output=True, env=environment, cwd=tmp_path, check=True)
    assert (b"120 rounds verified, 0 failed" if command == "verify" else b"Bead plate") in ran.stdout


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"PAR1\x15\x04", "found a Parquet file. pfb audit takes it."),
        (b"ARROW1\0\0", "found an Arrow file. pfb audit takes it."),
        (b"scheme,decks,commitment,client_seed,nonce\npfb1,8\n", "found a table in CSV. pfb audit takes it."),
        (b"SQLite format 3\0", "found a SQLite database. pfb audit takes a house's"),
        (b"\x1f\x8b\x08", "found a gzip file. Unpack it: gzip -dc FILE | pfb verify -"),
        (b"PK\x03\x04", "found a ZIP file."),
        ("{}".encode("utf-16"), "found text in UTF-16. Save it as UTF-8."),
        (b"\xef\xbb\xbf{}", "found text behind a byte order mark."),
        (b"\n<!doctype html>", "found HTML or XML. This is a page"),
        (b"eyJhbGciOiJFZDI1NTE5In0.eyJ9.AAAA", "found signed statements."),
        (b'{"keys":[]}', "found a key set."),
        (b'{"player_multiplier":"2.0"}', "found a pay table."),
        (b"\x7fELF\0", "found bytes that are no text."),
        (b'{"bettor":"ann","checkpoint":null}', "found a history file. A history file is verified alone."),
    ],
)
def test_what_holds_no_records_is_told_for_what_it_is(call, records, tmp_path, content, told):
    (tmp_path / "other").write_bytes(content)
    ran = call("verify", "rounds.jsonl", "other")
    assert ran.code == 2
    (line,) = ran.err.splitlines()
    assert line.startswith("other: record: records: expected JSON records, one on each line, found ")
    assert told in line
    assert ran.out.endswith("3 rounds verified, 0 failed, 1 unreadable.\n")


def kept_round(number, record):
    """A round as the router and `pfb house recall` tell it."""
    return {"accepted_at": "2026-11-29T12:00:00Z", "balance_after": "1", "id": 7 + number, "record": record and json.loads(record)}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("more", [{"next": 7}, {"bettor": 'an "n'}])
def test_rounds_as_a_house_keeps_them_are_verified(call, records, tmp_path, indent, more):
    rounds = [kept_round(number, record) for number, record in enumerate(records)]
    (tmp_path / "page.json").write_text(json.dumps({**more, "rounds": rounds[::-1] * 30}, indent=indent))
    ran = call("verify", "page.json")
    assert ran.code == 0
    assert ran.out.endswith("90 rounds verified, 0 failed; 3 nonces there twice.\n")
    (tmp_path / "one.json").write_text(json.dumps(rounds[1], indent=indent))
    assert call("verify", "one.json").out.endswith("1 round verified, 0 failed.\n")
    (tmp_path / "page.json").write_text(json.dumps({**more, "rounds": rounds[::-1]}, indent=indent))
    assert call("roads", "page.json").out == call("roads", "rounds.jsonl").out


def test_rounds_that_are_not_dealt_are_told_and_a_false_one_fails(call, records, tmp_path):
    false = json.dumps({**json.loads(records[1]), "cut": 415})
    rounds = [kept_round(0, records[0]), kept_round(1, false), kept_round(2, None)]
    (tmp_path / "page.json").write_text(json.dumps({"next": None, "rounds": rounds}))
    ran = call("verify", "page.json")
    assert ran.code == 1
    assert "page.json, round 8: verification.cut: " in ran.err
    assert "page.json, round 9: record: record: expected one of a round that is dealt" in ran.err
    assert call("roads", "page.json", "--json").code == 0


@pytest.mark.parametrize("page", ['{"next":null,"rounds":{}}', '{"next":null,"rounds":[1]}', '{"next":null', '{"next":null}'])
def test_what_is_no_page_of_rounds(call, tmp_path, page):
    (tmp_path / "page.json").write_text(page)
    ran = call("verify", "page.json")
    assert (ran.code, ran.out) == (2, "0 rounds verified, 0 failed, 1 unreadable.\n")
    assert ran.err.startswith("page.json: record: round")


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
    assert "nonces 0 to 2, 1 missing, twice 2. Nonce 1 is not in this file; if you bet on it, it was left out." in " ".join(ran.out.split())
    assert ran.out.endswith("3 rounds verified, 0 failed; 1 nonce missing, 1 nonce there twice.\n")
    assert "nonces 0 to 2, none missing, none twice." in pfb("verify", "rounds.jsonl").out
    summary = json.loads(pfb("verify", "-", "--json", stdin=records[0] + records[2] + records[2]).out.splitlines()[-1])["summary"]
    (told,) = summary["commitments"].values()
    assert told == {"first": 0, "last": 2, "missing_from_start": 0, "missing": 1, "twice": 1, **ONE_TABLE}
    assert (summary["missing"], summary["twice"]) == (1, 1)


def test_nonces_are_counted_from_0(pfb, records):
    late = "".join(records[1:])
    ran = pfb("verify", "-", stdin=late)
    assert ran.code == 0
    assert "nonces 1 to 2, 1 missing, none twice. Nonce 0 is not in this file" in " ".join(ran.out.split())
    assert ran.out.endswith("2 rounds verified, 0 failed; 1 nonce missing.\n")
    told = json.loads(pfb("verify", "-", "--json", stdin=late).out.splitlines()[-1])["summary"]
    assert told["commitments"][COMMITMENT] == {"first": 1, "last": 2, "missing_from_start": 1, "missing": 0, "twice": 0, **ONE_TABLE}
    one = pfb("verify", "-", stdin=records[2])
    assert one.out.endswith("1 round verified, 0 failed.\n")


@pytest.mark.parametrize(("chosen", "exit_code"), [((0, 1, 2), 0), ((1, 2), 1), ((0, 2), 1), ((0, 1, 1), 1), ((1,), 1), ((0,), 0)])
def test_what_must_be_complete_fails_without_a_nonce_or_with_one_twice(call, records, tmp_path, chosen, exit_code):
    (tmp_path / "some.jsonl").write_text("".join(records[number] for number in chosen), encoding="utf-8")
    ran = call("verify", "some.jsonl", "--complete")
    assert ran.code == exit_code
    assert ("nonce" in ran.out.splitlines()[-1]) == bool(exit_code)
    assert call("verify", "some.jsonl").code == 0
    assert call("verify", *words(KEPT), "--complete").code == 2


def test_a_failed_record_is_there_all_the_same(pfb, records):
    false = json.dumps({**json.loads(records[1]), "cut": 415})
    ran = pfb("verify", "-", stdin=f"{records[0]}{false}\n{records[2]}")
    assert ran.out.endswith("2 rounds verified, 1 failed.\n")


@pytest.mark.parametrize(
    ("cards", "exit_code", "hint"),
    [
        ("Tc 8s Kc 3d Th 7c", 0, ""),
        ("Tc,8s,Kc,3d,Th,7c", 0, ""),
        ("Tc 8s Kc 3d Th 7d", 1, ""),
        ("Tc 8s Kc 3d", 1, ""),
        ("", 1, "you gave       none"),
        ("4h 2s Qs 9d", 1, ""),
        ("10c 8s Kc 3d Th 7c", 2, "Its text would be 'Tc'"),
    ],
)
def test_the_cards_that_somebody_saw_are_compared(call, cards, exit_code, hint):
    ran = call("verify", *words(KEPT), "--cards", cards)
    assert ran.code == exit_code
    assert hint in ran.err
    assert ran.out.endswith("Verified: these are the cards that you saw.\n") == (exit_code == 0)
    if exit_code == 1:
        assert "the seeds give Tc 8s Kc 3d Th 7c" in ran.err
    assert call("verify", *words(KEPT), "--cards", cards, "--json").code == exit_code


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ({"--nonce": "0"}, "The nonce is one too low: these are the cards of nonce 1."),
        ({"--nonce": "2"}, "The nonce is one too high: these are the cards of nonce 1."),
        ({"--client-seed": "Lucky 8s"}, "The right client seed is 'lucky 8s'"),
        ({"--client-seed": "lucky 8s\u200b"}, "no invisible characters at its ends"),
    ],
)
def test_the_likely_slip_is_tried_on_the_cards_that_somebody_saw(call, change, hint):
    ran = call("verify", *words({**KEPT, **change}), "--cards", "Tc 8s Kc 3d Th 7c")
    assert ran.code == 1
    assert hint in ran.err


def test_cards_go_with_seeds(call, records):
    assert call("verify", "rounds.jsonl", "--cards", "Tc 8s Kc 3d").code == 2
    assert call("verify", "rounds.jsonl", "--commitment", COMMITMENT, "--commitment", COMMITMENT).code == 2


def test_without_a_commitment_it_is_said_why_nothing_is_verified(call):
    ran = call("verify", *words({key: value for key, value in KEPT.items() if key != "--commitment"}))
    assert ran.code == 2
    assert "nothing shows that the server seed was fixed before the bet" in ran.err
    assert "pfb page" in ran.err
    assert "--commitment, --nonce" in call("verify", "--server-seed", SERVER_SEED).err


@pytest.mark.parametrize(
    ("change", "options", "told"),
    [
        ({}, ("--nonce", "7"), "record, nonce: you gave 7, the record says 1."),
        ({}, ("--client-seed", "lucky 8S"), "record, client seed: you gave lucky 8S, the record says lucky 8s."),
        ({}, ("--commitment", "0" * 64), f"you gave {'0' * 64}, the server seed gives {COMMITMENT}."),
        ({"commitment": "0" * 64}, (), f"the record says {'0' * 64}, the server seed gives {COMMITMENT}."),
        ({"cut": 3}, (), "record, cut: the seeds give 214, the record says 3."),
        ({"winner": "tie"}, (), "record, winner: the cards give banker, the record says tie."),
        ({"client_seed_hex": "6c"}, (), "record, client seed in hex: expected 6c75636b79203873, found 6c."),
        ({"pay_table_digest": "0" * 64}, (), f"the record says {'0' * 64}."),
    ],
)
def test_an_error_says_whose_values_differ(call, records, tmp_path, change, options, told):  # noqa: PLR0917
    (tmp_path / "one.jsonl").write_text(json.dumps({**json.loads(records[1]), **change}), encoding="utf-8")
    ran = call("verify", "one.jsonl", *options)
    assert ran.code == 1
    assert told in ran.err
    found = json.loads(call("verify", "one.jsonl", *options, "--json").out.splitlines()[0])["error"]
    assert {"expected", "found"} <= found.keys()


def test_whose_values_differ_without_a_record(call):
    ran = call("verify", *words({**KEPT, "--commitment": "0" * 64}))
    assert f"you gave              {'0' * 64}" in ran.err
    assert f"the server seed gives {COMMITMENT}" in ran.err


def test_what_holds_no_records_is_given_up(call, records, tmp_path):
    (tmp_path / "notes.txt").write_text("Dear Ann,\n" * 500, encoding="utf-8")
    ran = call("verify", "notes.txt", "rounds.jsonl")
    assert ran.code == 2
    (line,) = ran.err.splitlines()
    assert line.startswith("notes.txt, line 1: record: ")
    assert line.endswith("This is no file of records: none of its first 20 lines is one, and the rest was not read.")
    assert ran.out.endswith("3 rounds verified, 0 failed, 1 unreadable.\n")
    (tmp_path / "late.jsonl").write_text("x\n" * 19 + records[0] + "x\n" * 30, encoding="utf-8")
    assert call("verify", "late.jsonl").out.endswith("1 round verified, 0 failed, 49 unreadable.\n")


def test_equal_errors_are_told_once(call, records):
    ran = call("verify", "rounds.jsonl", "--commitment", "0" * 64)
    first, more = ran.err.splitlines()
    assert first.startswith("rounds.jsonl, line 1: verification.commitment: ")
    assert more == "rounds.jsonl, line 1: and 2 more like it, the last in rounds.jsonl, line 3."
    assert call("verify", "rounds.jsonl", "--commitment", "0" * 64, "--json").out.count('"verified":false') == 3


def test_client_seeds_of_the_operator_are_said_aloud(pfb, records):
    made = [json.dumps({**json.loads(record), "client_seed_made_by": "operator"}) + "\n" for record in records]
    assert "In 3 rounds the client seed was made by the operator's side" in pfb("verify", "-", stdin="".join(made)).out
    assert "operator's side" not in pfb("verify", "rounds.jsonl").out
    many, one = (pfb("verify", "-", stdin="".join(some)).out.splitlines()[-1] for some in (made, made[1:2]))
    assert many == "3 rounds verified, 0 failed; the house made the client seed of 3 of them, so it could choose."
    assert one == "1 round verified, 0 failed; the house made its client seed, so it could choose."


def test_a_client_seed_without_a_mark_is_said_aloud(pfb, records):
    sentence = "In 3 rounds nothing shows that the client seed came after the commitment: only you know."
    assert sentence in " ".join(pfb("verify", "rounds.jsonl").out.split())


def test_a_failure_is_never_hidden_by_an_unreadable_line(pfb, records):
    false = json.dumps({**json.loads(records[0]), "cut": 415})
    assert pfb("verify", "-", stdin=f"{false}\nno record\n").code == 1
    assert pfb("verify", "-", stdin=f"{records[0]}no record\n").code == 2


def settled(nonce, table, currency=None, server_seed=SERVER_SEED):
    """A record of a bet on the banker under this pay table, as JSON."""
    played = play_round(Seeds.commit(server_seed, "lucky 8s"), nonce)
    record = RoundRecord.from_round(played, settle(played.coup, {"banker": 100}, table), server_seed=server_seed)
    told = json.loads(record.to_json())
    return json.dumps({**told, "currency": None if currency is None else {"code": currency[0], "decimals": currency[1]}})


LOW = PayTable(banker_multiplier="1.01")
EUR = ("EUR", 2)


@pytest.mark.parametrize(
    ("tables", "currencies", "told"),
    [
        ([PUNTO_BANCO, LOW, PUNTO_BANCO], [None, None, None], "2 pay tables"),
        ([PUNTO_BANCO] * 3, [EUR, ("USD", 2), None], "2 currencies"),
        ([PUNTO_BANCO] * 3, [EUR, ("EUR", 0), ("USD", 2)], "3 currencies"),
        ([PUNTO_BANCO, PUNTO_BANCO, LOW], [EUR, EUR, ("USD", 2)], "2 pay tables and 2 currencies"),
    ],
)
def test_two_pay_tables_or_currencies_of_one_commitment_are_told(tables, currencies, told, pfb, tmp_path):
    lines = [settled(nonce, *terms) for nonce, terms in enumerate(zip(tables, currencies, strict=True))]
    (tmp_path / "swapped.jsonl").write_text("\n".join(lines))
    ran = pfb("verify", "swapped.jsonl")
    assert ran.code == 0
    assert f"Commitment {COMMITMENT[:16]}... has {told}: what was published with it must stay the same." in " ".join(ran.out.split())
    assert ran.out.endswith("3 rounds verified, 0 failed; 1 commitment with more than one pay table or currency.\n")
    assert pfb("verify", "swapped.jsonl", "--complete").code == 1
    ran = pfb("verify", "swapped.jsonl", "--complete", "--json")
    summary = json.loads(ran.out.splitlines()[-1])["summary"]
    assert (ran.code, summary["changed"]) == (1, 1)
    assert summary["commitments"][COMMITMENT] == {
        "first": 0,
        "last": 2,
        "missing_from_start": 0,
        "missing": 0,
        "twice": 0,
        "pay_tables": len({table.digest for table in tables}),
        "currencies": len(set(currencies) - {None}),
    }


def test_commitments_with_terms_of_their_own_are_whole(pfb, tmp_path):
    lines = [settled(nonce, PUNTO_BANCO, EUR if nonce else None) for nonce in range(2)]
    lines += [settled(nonce, LOW, ("USD", 2), server_seed="ab" * 32) for nonce in range(2)]
    (tmp_path / "rounds.jsonl").write_text("\n".join(lines))
    ran = pfb("verify", "rounds.jsonl", "--complete")
    assert ran.code == 0
    assert ran.out.endswith("4 rounds verified, 0 failed.\n")
