"""The JSON schema of a record: the published one is the model's, takes what the model takes, and refuses what a schema can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from provably_fair_baccarat import PayTable, RoundRecord, Seeds, play_round, settle
from provably_fair_baccarat.errors import RecordError
from provably_fair_baccarat.fairness.schemes import SCHEMES
from provably_fair_baccarat.testing import records

jsonschema = pytest.importorskip("jsonschema", reason="the extra test-all has jsonschema")

VECTORS = Path(__file__).parents[2] / "vectors"
PUBLISHED = json.loads((VECTORS / "schema" / "record.json").read_text(encoding="utf-8"))
SCHEMA = jsonschema.Draft202012Validator(PUBLISHED)

SEEDS = Seeds.commit("0b" * 32, "lucky 8s")
PLAYED = play_round(SEEDS, 3)
TABLE = PayTable(side_bets={"dragon7": 41}, banker_exceptions={"six": "push"})
RECORD = RoundRecord.from_round(
    PLAYED, settle(PLAYED.coup, {"player": 100, "dragon7": 5}, TABLE), server_seed=SEEDS.server_seed, currency=("USD", 2)
).to_dict()


def changed(path, value):
    data = json.loads(json.dumps(RECORD))
    place, *steps, last = data, *path.split(".")
    for step in steps:
        place = place[int(step) if isinstance(place, list) else step]
    place[int(last) if isinstance(place, list) else last] = value
    return data


def test_the_published_schema_is_the_models():
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)
    assert RoundRecord.model_json_schema() == PUBLISHED
    assert PUBLISHED["required"] == list(RoundRecord.model_fields)


@given(records())
def test_every_record_fits_its_schema(record):
    SCHEMA.validate(record.to_dict())


@pytest.mark.parametrize("key", sorted(RECORD))
def test_a_missing_key_is_refused(key):
    data = {name: value for name, value in RECORD.items() if name != key}
    assert not SCHEMA.is_valid(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("salt", None),
        ("player.points", 3),
        ("bets.player.net", "0"),
        ("bets.Player", {"stake": "1", "status": "won", "returned": "1"}),
        ("pay_table.side_bets.dragon7.Won", "2.0"),
        ("format_version", 2),
        ("scheme", "PFB1"),
        ("label", ""),
        ("decks", 9),
        ("decks", None),
        ("decks", "8"),
        ("commitment", "AB" * 32),
        ("commitment", None),
        ("chain", {}),
        ("chain", {"anchor": "0" * 64, "length": 0}),
        ("server_seed", "0b" * 31),
        ("server_seed", "a text of another house"),
        ("client_seed", ""),
        ("client_seed", "x" * 129),
        ("client_seed_hex", "abc"),
        ("client_seed_made_by", "somebody"),
        ("nonce", -1),
        ("nonce", 2**53),
        ("nonce", 1.5),
        ("cut", 416),
        ("cut", None),
        ("cards.0", "10h"),
        ("player.score", 10),
        ("natural", 1),
        ("winner", "Player"),
        ("bets.player.stake", "0"),
        ("bets.player.stake", "01"),
        ("bets.player.stake", 100),
        ("bets.player.status", "win"),
        ("bets.player.returned", "1" * 39),
        ("totals.net", "-0"),
        ("pay_table.banker_multiplier", "1.950"),
        ("pay_table.tie_multiplier", "0.5"),
        ("pay_table.banker_exceptions.six", "half"),
        ("pay_table.rounding", "up"),
        ("pay_table_digest", "0" * 63),
        ("currency.code", "usd"),
        ("accepted_at", "2026-11-29T12:00:00+00:00"),
        ("settled_at", "2026-11-29T12:00:00.250Z"),
    ],
)
def test_what_the_model_refuses_the_schema_refuses(path, value):
    SCHEMA.validate(RECORD)
    data = changed(path, value)
    with pytest.raises(RecordError):
        RoundRecord.parse_json(json.dumps(data))
    assert not SCHEMA.is_valid(data)


def refused_by_the_model(text):
    try:
        RoundRecord.parse_json(json.dumps({**RECORD, "client_seed": text, "client_seed_hex": text.encode().hex()}))
    except (RecordError, UnicodeEncodeError):
        return True
    return False


EDGES = [0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]
NEIGHBOURS = [0x21, 0x7E, 0xA1, 0x180E, 0x200B, 0x2027, 0x202A, 0x2060, 0x3001, 0xFEFE, 0x1F0A1]


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0), *EDGES, *NEIGHBOURS], ids="U+{:04X}".format)
def test_a_client_seed_is_refused_by_both_or_by_neither(code):
    for text in (f"a{chr(code)}b", f"{chr(code)}b", f"a{chr(code)}"):
        is_valid = SCHEMA.is_valid({**RECORD, "client_seed": text, "client_seed_hex": text.encode().hex()})
        assert is_valid is not refused_by_the_model(text)


def test_the_schemes_that_leave_nothing_out_are_named():
    needy = [name for name, scheme in SCHEMES.items() if scheme.needs_commitment]
    assert PUBLISHED["if"]["properties"]["scheme"]["enum"] == needy


BEYOND_A_SCHEMA = {
    *("key-twice", "fraction", "minus-zero", "exponent"),  # gone once the text is read, or equal to a right number
    *("time-february-30", "settled-before-accepted"),
    "server-seed-line-end",  # Python's `$` allows a line end, that of ECMA-262 does not
}


def test_the_record_vectors_fit_the_schema_or_do_not():
    kept = set()
    for vector in json.loads((VECTORS / "records.json").read_text(encoding="utf-8"))["records"]:
        try:
            data = json.loads(vector["record"])
        except ValueError:
            assert vector.get("error") == "record"
            continue
        if vector.get("error") != "record":
            SCHEMA.validate(data)
        elif SCHEMA.is_valid(data):
            kept.add(vector["id"].removeprefix("malformed-"))
    assert kept == BEYOND_A_SCHEMA
