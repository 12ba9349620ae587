"""Pay tables: what may be offered, in one spelling, with one digest."""

from __future__ import annotations

import copy
import json
import pickle
from decimal import Decimal
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import (
    ALL_BETS,
    DRAGON_BONUS,
    DRAGON_BONUS_PAIRED,
    EZ_BACCARAT,
    PAY_TABLES,
    PUNTO_BANCO,
    STANDARD_SIDE_BETS,
    SUPER_SIX,
    Bet,
    Card,
    PayTable,
    deal_coup,
    settle,
    stake_step,
)
from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.errors import PayTableError
from provably_fair_baccarat.rules.bets import SIDE_BETS
from provably_fair_baccarat.testing import coups, pay_tables

LUCKY = Bet("lucky", lambda coup: coup.player.score == 7, "scores")


def test_the_default_is_punto_banco():
    assert PayTable() == PUNTO_BANCO
    multipliers = PUNTO_BANCO.player_multiplier, PUNTO_BANCO.banker_multiplier, PUNTO_BANCO.tie_multiplier
    assert multipliers == (Decimal("2.0"), Decimal("1.95"), Decimal("9.0"))
    assert list(map(str, multipliers)) == ["2.0", "1.95", "9.0"]
    assert PUNTO_BANCO.stake_step == 1
    assert PUNTO_BANCO != "punto_banco"
    assert list(PUNTO_BANCO.offers) == ["player", "banker", "tie"]


def test_the_digest_is_that_of_the_canonical_json():
    text = (
        b'{"banker_exceptions":{},"banker_multiplier":"1.95","player_multiplier":"2.0","rounding":"down","side_bets":{},'
        b'"stake_step":"1","tie_multiplier":"9.0"}'
    )
    assert canonical_json(PUNTO_BANCO.to_dict()) == text
    assert PUNTO_BANCO.digest == sha256(text).hexdigest() == "4d8ac85ed09a6411c261d99b8f5b87e8e44653e08bde5672cec1ecc5ad9e2ac2"


def test_equal_tables_have_equal_digests_however_they_are_written():
    tables = [
        PayTable("2", "1.950", 9),
        PayTable(2.0, 1.95, Decimal("9.00")),
        PayTable.from_dict({"banker_multiplier": "1.95", "stake_step": "1"}),
        PayTable.parse_json('{"banker_multiplier": 1.95, "stake_step": 1, "rounding": "down"}'),
        PayTable.parse_toml("banker_multiplier = 1.95\nplayer_multiplier = 2"),
        PayTable.parse_toml("side_bets = {}\ntie_multiplier = '9.0'"),
    ]
    assert {table.digest for table in tables} == {PUNTO_BANCO.digest}
    assert len({*tables, PUNTO_BANCO}) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"player_multiplier": "2.1"},
        {"banker_multiplier": "1.96"},
        {"tie_multiplier": "8.0"},
        {"stake_step": 2},
        {"banker_exceptions": {"six": "1.5"}},
        {"side_bets": {"dragon7": "41.0"}},
    ],
)
def test_other_tables_have_other_digests(change):
    assert PayTable(**change).digest != PUNTO_BANCO.digest
    assert PayTable(**change) != PUNTO_BANCO


@given(pay_tables())
def test_tables_survive_every_form(table):
    for again in (
        PayTable.from_dict(table.to_dict()),
        PayTable.parse_json(json.dumps(table.to_dict())),
        pickle.loads(pickle.dumps(table)),
        copy.deepcopy(table),
    ):
        assert again == table
        assert again.digest == table.digest
        assert hash(again) == hash(table)


def test_the_order_of_side_bets_does_not_matter():
    bets = {name: STANDARD_SIDE_BETS[name] for name in ("panda8", "dragon7", "tiger")}
    table, other = PayTable(side_bets=bets), PayTable(side_bets=dict(reversed(bets.items())))
    assert table == other
    assert table.to_dict() == other.to_dict()


def test_lucky6_is_another_name_for_tiger():
    payouts = STANDARD_SIDE_BETS["tiger"]
    assert PayTable(side_bets={"lucky6": payouts}) == PayTable(side_bets={"tiger": payouts})
    with pytest.raises(PayTableError, match="a second time"):
        PayTable(side_bets={"lucky6": payouts, "tiger": payouts})


def test_a_table_never_changes():
    for name in ("player_multiplier", "side_bets", "digest", "note"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(PUNTO_BANCO, name, None)
    for mapping in (ALL_BETS.side_bets, ALL_BETS.side_bets["tiger"], EZ_BACCARAT.banker_exceptions, PUNTO_BANCO.offers):
        with pytest.raises(TypeError):
            mapping["player"] = None


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"player_multiplier": "0.99"}, "0.99"),
        ({"tie_multiplier": None}, "None"),
        ({"stake_step": 0}, "0"),
        ({"stake_step": -5}, "-5"),
        ({"stake_step": 1.0}, "float"),
        ({"stake_step": True}, "bool"),
        ({"stake_step": "5"}, "'5'"),
        ({"stake_step": 10**38}, "10000"),
        ({"banker_exceptions": {"seven": "1.5"}}, "'seven'"),
        ({"banker_exceptions": {"won": "1.5"}}, "'won'"),
        ({"banker_exceptions": {"six": "0.5"}}, "'0.5'"),
        ({"banker_exceptions": {"six": "pushes"}}, "'pushes'"),
        ({"banker_exceptions": ["six"]}, "list"),
        ({"side_bets": ["dragon7"]}, "list"),
        ({"side_bets": {"dragon_7": "41.0"}}, "'dragon_7'"),
        ({"side_bets": {7: "41.0"}}, "7"),
        ({"side_bets": {"player": "2.0"}}, "player_multiplier"),
        ({"side_bets": {"tiger": "13.0"}}, "none for three_cards"),
        ({"side_bets": {"tiger": {"two_cards": "13.0", "three_card": "21.0"}}}, "'three_card'"),
        ({"side_bets": {"dragon7": None}}, "None"),
        ({"bets": [LUCKY], "side_bets": {"lucky": "1.0", "lucky7": "2.0"}}, "none for three_cards"),
        ({"bets": ["lucky"]}, "'lucky'"),
        ({"bets": 5}, "5"),
        (
            {"bets": (many := [Bet(f"{'x' * 60}{n}", LUCKY.event, "scores") for n in range(300)]), "side_bets": {b.name: 2 for b in many}},
            ",",
        ),
        ({"bets": [LUCKY, LUCKY]}, "'lucky'"),
        ({"bets": [Bet("tiger", LUCKY.event, "scores")]}, "'tiger'"),
        ({"bets": [Bet("lucky6", LUCKY.event, "scores")]}, "'lucky6'"),
    ],
)
def test_what_no_table_can_offer_is_refused(arguments, found):
    with pytest.raises(PayTableError) as caught:
        PayTable(**arguments)
    assert found in caught.value.found


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [({"side_bets": {"dragon_7": "41.0"}}, "'dragon7'"), ({"side_bets": {"tiger": {"two_card": "13.0"}}}, "'two_cards'")],
)
def test_the_nearest_known_name_is_offered(arguments, hint):
    with pytest.raises(PayTableError) as caught:
        PayTable(**arguments)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "x",
        {"player_multiplyer": "2.0"},
        {"rounding": "up"},
        {"stake_step": "five"},
        {"stake_step": "007"},
        {"stake_step": "1" * 39},
        {7: 1},
    ],
)
def test_what_is_no_table_as_a_dict(data):
    with pytest.raises(PayTableError):
        PayTable.from_dict(data)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"tie_multiplier": 1e99999999999999999999}',
        "{'a'}",
        '{"stake_step": 1, "stake_step": 2}',
        '{"tie_multiplier": 1e400}',
        None,
        b"\xff",
    ],
)
def test_what_is_no_table_as_json(text):
    with pytest.raises(PayTableError):
        PayTable.parse_json(text)


@pytest.mark.parametrize(
    "text",
    [
        "tie_multiplier",
        "tie_multiplier = nan",
        "[side_bets",
        "a = " + "[" * 5000,
        "stake_step = " + "9" * 5000,
        "tie_multiplier = 1e99999999999999999999",
        "x." * 9000 + "x = 1",
        None,
        b"\xff",
        7,
    ],
)
def test_what_is_no_table_as_toml(text):
    with pytest.raises(PayTableError):
        PayTable.parse_toml(text)


def test_an_operators_own_bet():
    table = PayTable(side_bets={"lucky": "12.0"}, bets=[LUCKY])
    assert table.bets == (LUCKY,)
    assert table.offers["lucky"].bet is LUCKY
    assert table != PayTable(side_bets={"lucky": "12.0"}, bets=[Bet("lucky", LUCKY.event, "points")])
    with pytest.raises(PayTableError, match="'lucky'"):
        PayTable.from_dict(table.to_dict())
    assert PayTable.from_dict(table.to_dict(), [LUCKY]) == table


@pytest.mark.parametrize(
    ("table", "step"), [(PUNTO_BANCO, 20), (EZ_BACCARAT, 1), (SUPER_SIX, 2), (PayTable("1.000001"), 10**6), (PayTable(2, 2, 9), 1)]
)
def test_the_step_at_which_nothing_is_lost(table, step):
    assert stake_step(table) == step


@given(pay_tables(), coups(), st.integers(1, 10**6))
def test_at_the_stake_step_every_return_is_exact(table, coup, times):
    table = PayTable.from_dict({**table.to_dict(), "stake_step": "1"})
    step = stake_step(table)
    for name, offer in table.offers.items():
        payment = offer.payments[offer.bet.result(coup)]
        returned = settle(coup, {name: step * times}, table).lines[name].returned
        assert returned * 10**6 == step * times * payment.multiplier


def test_only_a_table_has_a_step():
    with pytest.raises(PayTableError):
        stake_step(None)


def test_a_smaller_step_would_lose_something():
    banker_wins = deal_coup(map(Card.parse, "2h 9s Kh Ks".split()))
    for step in range(1, 20):
        exact = settle(banker_wins, {"banker": step}).returned * 100 == step * 195
        assert not exact


def test_the_named_tables():
    assert PAY_TABLES["punto_banco"] is PUNTO_BANCO
    assert set(ALL_BETS.offers) == {"player", "banker", "tie", *(bet.name for bet in SIDE_BETS)}
    assert set(DRAGON_BONUS.side_bets) == set(DRAGON_BONUS_PAIRED.side_bets) == {"dragon_bonus_player", "dragon_bonus_banker"}
    assert all(str(value) == value and "." in value for payouts in STANDARD_SIDE_BETS.values() for value in payouts.values())
    assert set(STANDARD_SIDE_BETS) == {bet.name for bet in SIDE_BETS}
    assert len({table.digest for table in PAY_TABLES.values()}) == len(PAY_TABLES)


@pytest.mark.parametrize("name", ["punto_banco", "super_six", "ez_baccarat", "all_bets"])
def test_a_ready_table_is_that_of_the_known_answers(vectors, name):
    known = vectors("settlements")["pay_tables"][name]
    assert PAY_TABLES[name].to_dict() == known["pay_table"]
    assert PAY_TABLES[name].digest == known["digest"]


def test_the_dragon_bonus_in_pairs_pays_this():
    pays = {"natural": "2.0", "by_4": "3.0", "by_5": "3.0", "by_6": "5.0", "by_7": "5.0", "by_8": "11.0", "by_9": "31.0"}
    assert DRAGON_BONUS_PAIRED.to_dict()["side_bets"] == {"dragon_bonus_banker": pays, "dragon_bonus_player": pays}


def test_the_ready_tables_have_these_names():
    assert list(PAY_TABLES) == ["punto_banco", "super_six", "ez_baccarat", "dragon_bonus", "dragon_bonus_paired", "all_bets"]
