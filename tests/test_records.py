"""Records: one spelling for everything, nothing left out, nothing foreign."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import PUNTO_BANCO, Bet, PayTable, RoundRecord, Seeds, ServerSeed, Settlement, play_round, settle
from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.errors import CommitmentMismatchError, RecordError, SettlementMismatchError
from provably_fair_baccarat.rules.settlement import MAX_AMOUNT
from provably_fair_baccarat.testing import records

SEEDS = Seeds.commit("0b" * 32, "Zoë")
PLAYED = play_round(SEEDS, 3)
RECORD = RoundRecord.from_round(
    PLAYED,
    settle(PLAYED.coup, {"player": 100, "tie": 5}),
    server_seed=SEEDS.server_seed,
    client_seed_made_by="bettor",
    currency=("USD", 2),
    accepted_at=datetime(2026, 11, 29, 12, tzinfo=UTC),
    settled_at=datetime(2026, 11, 29, 13, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=1))),
)

PUBLISHED = {
    "format_version": 1,
    "scheme": "pfb1",
    "label": "pfb1:8",
    "decks": 8,
    "commitment": str(SEEDS.commitment),
    "chain": None,
    "server_seed": "0b" * 32,
    "client_seed": "Zoë",
    "client_seed_hex": "5a6fc3ab",
    "client_seed_made_by": "bettor",
    "nonce": 3,
    "index": None,
    "cut": PLAYED.cut,
    "cards": [str(card) for card in PLAYED.cards],
    "player": {"cards": [str(card) for card in PLAYED.coup.player.cards], "score": PLAYED.coup.player.score},
    "banker": {"cards": [str(card) for card in PLAYED.coup.banker.cards], "score": PLAYED.coup.banker.score},
    "natural": PLAYED.coup.natural,
    "winner": PLAYED.coup.winner.value,
    "bets": {
        name: {"stake": str(line.stake), "status": line.status, "returned": str(line.returned)}
        for name, line in settle(PLAYED.coup, {"player": 100, "tie": 5}).lines.items()
    },
    "totals": {"staked": "105", "returned": str(RECORD.totals.returned), "net": str(RECORD.totals.returned - 105)},
    "pay_table": PUNTO_BANCO.to_dict(),
    "pay_table_digest": PUNTO_BANCO.digest,
    "currency": {"code": "USD", "decimals": 2},
    "accepted_at": "2026-11-29T12:00:00Z",
    "settled_at": "2026-11-29T12:00:00.25Z",
}


def changed(path, value):
    """The published record with one place changed; the path's steps are separated by dots."""
    data = copy.deepcopy(PUBLISHED)
    place, *steps, last = data, *path.split(".")
    for step in steps:
        place = place[int(step) if isinstance(place, list) else step]
    place[int(last) if isinstance(place, list) else last] = value
    return json.dumps(data)


def test_the_published_form_is_complete():
    assert RECORD.to_dict() == PUBLISHED
    assert RECORD.to_json() == canonical_json(PUBLISHED)
    assert list(json.loads(RECORD.to_json())) == sorted(PUBLISHED)
    assert set(PUBLISHED) == set(RoundRecord.model_fields)


def test_values_have_their_types():
    assert RECORD.cards == PLAYED.cards
    assert RECORD.commitment == SEEDS.commitment
    assert RECORD.client_seed == SEEDS.client_seed
    assert RECORD.winner is PLAYED.coup.winner
    assert RECORD.bets["player"].stake == 100
    assert RECORD.settled_at == datetime(2026, 11, 29, 12, 0, 0, 250_000, tzinfo=UTC)
    assert RECORD.pay_table.pay_table() == PUNTO_BANCO


@given(records())
def test_records_survive_every_form(record):
    for again in (
        RoundRecord.parse_json(record.to_json()),
        RoundRecord.parse_json(record.to_json().decode()),
        RoundRecord.parse_json(json.dumps(record.to_dict(), indent=2)),
        RoundRecord.model_validate(record.to_dict()),
        pickle.loads(pickle.dumps(record)),
        copy.deepcopy(record),
        copy.copy(record),
    ):
        assert again == record
        assert again.to_json() == record.to_json()
        assert hash(again) == hash(record)


def test_white_space_key_order_and_escapes_are_free():
    text = json.dumps(dict(reversed(PUBLISHED.items())), indent="\t", ensure_ascii=True)
    assert "\\u00eb" in text
    assert RoundRecord.parse_json(text) == RECORD


@pytest.mark.parametrize("key", sorted(PUBLISHED))
def test_nothing_is_defaulted(key):
    data = {name: value for name, value in PUBLISHED.items() if name != key}
    with pytest.raises(RecordError, match="no such key") as caught:
        RoundRecord.parse_json(json.dumps(data))
    assert caught.value.subject == f"record, {key}"


@pytest.mark.parametrize("path", ["salt", "player.points", "bets.player.net", "totals.won", "pay_table.name", "currency.name"])
def test_nothing_unknown_is_taken(path):
    with pytest.raises(RecordError, match="no keys but the record's own"):
        RoundRecord.parse_json(changed(path, None))


def test_a_misspelt_key_is_offered_its_right_spelling():
    with pytest.raises(RecordError, match="Did you mean 'nonce'"):
        RoundRecord.parse_json(changed("nonse", 3))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format_version", 2),
        ("format_version", "1"),
        ("format_version", True),
        ("scheme", "PFB1"),
        ("scheme", ""),
        ("label", "x" * 65),
        ("label", None),
        ("decks", 0),
        ("decks", 9),
        ("decks", "8"),
        ("commitment", "AB" * 32),
        ("commitment", None),
        ("chain", {}),
        ("server_seed", "AB" * 32),
        ("server_seed", "0b" * 31),
        ("server_seed", f"{'0b' * 32}\n"),
        ("client_seed", ""),
        ("client_seed", " Zoë"),
        ("client_seed", "\ud800"),
        ("client_seed", None),
        ("client_seed_hex", "5A6FC3AB"),
        ("client_seed_hex", "5a6fc3a"),
        ("client_seed_hex", "5a6fc3ab\n"),
        ("client_seed_hex", ""),
        ("client_seed_made_by", "house"),
        ("nonce", -1),
        ("nonce", 2**53),
        ("nonce", 3.0),
        ("nonce", "3"),
        ("nonce", True),
        ("nonce", None),
        ("index", -1),
        ("index", 417),
        ("index", "0"),
        ("cut", -1),
        ("cut", 416),
        ("cards", "Kh Ks"),
        ("cards", ["Kh"] * 7),
        ("cards.0", "10h"),
        ("cards.0", "kh"),
        ("cards.0", 7),
        ("player.score", 10),
        ("player.score", "5"),
        ("player.cards", None),
        ("natural", 0),
        ("natural", "false"),
        ("winner", "Player"),
        ("winner", "nobody"),
        ("bets", []),
        ("bets", {"Player": {"stake": "1", "status": "lost", "returned": "0"}}),
        ("bets.player.stake", 100),
        ("bets.player.stake", "0100"),
        ("bets.player.stake", "+100"),
        ("bets.player.stake", "1e2"),
        ("bets.player.stake", "100.0"),
        ("bets.player.stake", "-100"),
        ("bets.player.stake", "１００"),
        ("bets.player.stake", ""),
        ("bets.player.stake", str(MAX_AMOUNT + 1)),
        ("bets.player.status", "win"),
        ("totals.net", "-0"),
        ("totals.net", "+5"),
        ("totals.net", f"-{MAX_AMOUNT + 1}"),
        ("totals.net", 5),
        ("pay_table.player_multiplier", "2"),
        ("pay_table.player_multiplier", "2.00"),
        ("pay_table.player_multiplier", "0.9"),
        ("pay_table.player_multiplier", 2.0),
        ("pay_table.stake_step", 1),
        ("pay_table.rounding", "up"),
        ("pay_table.side_bets", {"dragon7": "41.0"}),
        ("pay_table.side_bets", {"dragon7": {"won": 41}}),
        ("pay_table.banker_exceptions", {"six": "1.50"}),
        ("pay_table_digest", "x" * 64),
        ("currency", "USD"),
        ("currency.code", "usd"),
        ("currency.decimals", -1),
        ("currency.decimals", 39),
        ("settled_at", "2026-11-29T12:00:00+00:00"),
        ("settled_at", "2026-11-29T12:00:00.250Z"),
        ("settled_at", "2026-11-29 12:00:00Z"),
        ("settled_at", "2026-11-29T12:00:00"),
        ("settled_at", "2026-13-29T12:00:00Z"),
        ("settled_at", "2026-11-29T12:00:61Z"),
        ("settled_at", 1764417600),
    ],
)
def test_second_spellings_and_other_types_are_refused(path, value):
    text = changed(path, value)
    with pytest.raises(RecordError) as caught:
        RoundRecord.parse_json(text)
    assert caught.value.subject.startswith("record")
    assert "0b" * 8 not in str(caught.value)


@pytest.mark.parametrize("data", [None, [], "x", 7, {}])
def test_pydantic_errors_never_leave(data):
    for make in (RoundRecord.model_validate, lambda data: RoundRecord.parse_json(json.dumps(data))):
        with pytest.raises(RecordError):
            make(data)
    with pytest.raises(RecordError):
        RoundRecord(nonce=data)


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)), st.data()
)
def test_no_foreign_error_escapes(value, data):
    path = data.draw(
        st.sampled_from([*PUBLISHED, *(f"{part}.{key}" for part in ("player", "totals", "pay_table") for key in PUBLISHED[part])])
    )
    text = changed(path, value)
    try:
        record = RoundRecord.parse_json(text)
    except RecordError:
        pass
    else:
        assert json.loads(record.to_json()) == json.loads(text)


@given(st.binary() | st.text())
def test_no_foreign_error_escapes_from_any_text(text):
    with pytest.raises(RecordError):
        RoundRecord.parse_json(text)


def test_a_record_is_not_made_of_another_coups_settlement():
    other = next(played for nonce in range(99) if (played := play_round(SEEDS, nonce)).coup.winner is not PLAYED.coup.winner)
    with pytest.raises(SettlementMismatchError):
        RoundRecord.from_round(PLAYED, settle(other.coup, {"player": 100}))
    with pytest.raises(SettlementMismatchError):
        RoundRecord.from_round(PLAYED, Settlement({**settle(other.coup, {"player": 1}).lines}, PUNTO_BANCO))


def test_a_seed_is_revealed_once_it_fits():
    hidden = RoundRecord.from_round(PLAYED, settle(PLAYED.coup, {}))
    assert hidden.server_seed is None
    revealed = hidden.reveal(SEEDS.server_seed)
    assert revealed.server_seed == "0b" * 32
    assert hidden.server_seed is None
    for make in (hidden.reveal, lambda seed: RoundRecord.from_round(PLAYED, settle(PLAYED.coup, {}), server_seed=seed)):
        with pytest.raises(CommitmentMismatchError):
            make(ServerSeed(bytes(32)))


@pytest.mark.parametrize(
    "time",
    [datetime(2026, 11, 29), "2026-11-29T12:00:00Z", 7, datetime.max.replace(tzinfo=timezone(-timedelta(hours=1)))],
)
def test_times_are_aware_and_within_the_years(time):
    with pytest.raises(RecordError):
        RoundRecord.from_round(PLAYED, settle(PLAYED.coup, {}), settled_at=time)


def test_a_record_never_changes():
    for name in ("nonce", "bets", "note"):
        with pytest.raises(Exception, match="never changes"):
            setattr(RECORD, name, None)
    with pytest.raises(TypeError):
        RECORD.bets["player"] = None
    with pytest.raises(TypeError):
        RECORD.pay_table.side_bets["dragon7"] = None


def test_a_copy_is_a_record_as_strict_as_any():
    assert RECORD.model_copy() is RECORD
    changed_copy = RECORD.model_copy(update={"nonce": 4})
    assert (changed_copy.nonce, RECORD.nonce) == (4, 3)
    for update in ({"nonce": True}, {"note": 1}, {"cut": 416}):
        with pytest.raises(RecordError):
            RECORD.model_copy(update=update)


def test_deleting_changes_nothing_either():
    with pytest.raises(AttributeError, match="never changes"):
        del RECORD.nonce


def test_reading_by_pydantics_name_is_as_strict():
    assert RoundRecord.model_validate_json(RECORD.to_json()) == RoundRecord.model_validate_json(bytearray(RECORD.to_json())) == RECORD
    for text in ("{", '{"nonce": 1, "nonce": 1}', "[]"):
        with pytest.raises(RecordError):
            RoundRecord.model_validate_json(text)


def test_nothing_settles_before_it_is_accepted():
    with pytest.raises(RecordError, match="not before accepted_at"):
        RoundRecord.parse_json(changed("settled_at", "2026-11-29T11:59:59Z"))


def test_times_of_the_24th_hour_are_refused():
    with pytest.raises(RecordError):
        RoundRecord.parse_json(changed("settled_at", "2026-11-29T24:00:00Z"))


@pytest.mark.parametrize("path", ["commitment", "pay_table_digest", "client_seed", "label", "nonce"])
def test_a_seed_in_a_wrong_place_is_not_repeated(path):
    seed = "C0FFEE" * 10 + "BEEF"
    with pytest.raises(RecordError) as caught:
        RoundRecord.parse_json(changed(path, seed + "\n"))
    assert seed not in str(caught.value)


class Nowhere(tzinfo):
    def utcoffset(self, moment):
        return None


def test_a_zone_without_an_offset_is_no_zone():
    with pytest.raises(RecordError):
        RoundRecord.from_round(PLAYED, settle(PLAYED.coup, {}), settled_at=datetime(2026, 11, 29, tzinfo=Nowhere()))


@pytest.mark.parametrize("currency", ["USD", ("USD",), 5, ("USD", 2, 3), ["USD", 2]])
def test_what_is_no_currency(currency):
    with pytest.raises(RecordError):
        RoundRecord.from_round(PLAYED, settle(PLAYED.coup, {}), currency=currency)


def test_a_record_is_made_of_a_round_and_a_settlement():
    with pytest.raises(RecordError):
        RoundRecord.from_round(None, settle(PLAYED.coup, {}))
    with pytest.raises(RecordError):
        RoundRecord.from_round(PLAYED, {"player": 5})


def test_the_longest_record_of_the_longest_table_can_be_read():
    bets = [Bet(f"{'x' * 60}_{number}", lambda coup: True, "scores") for number in range(178)]
    table = PayTable(side_bets={bet.name: "999999.999999" for bet in bets}, bets=bets)
    placed = {bet.name: 10**29 for bet in bets}
    record = RoundRecord.from_round(PLAYED, settle(PLAYED.coup, placed, table))
    assert RoundRecord.parse_json(record.to_json()) == record
