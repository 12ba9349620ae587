"""What refusals of hands, cards and multipliers say: the whole text and the slips, so that nothing in them changes unseen."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

from provably_fair_baccarat import PUNTO_BANCO, Bet, Card, Coup, Hand, Outcome, PayTable, PayTableError, deal_coup, settle
from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.errors import BaccaratError, RoadError
from provably_fair_baccarat.rules.multiplier import parse_multiplier
from provably_fair_baccarat.rules.odds import Shoe, bettor_edges, coup_odds, mix_odds, odds, table_odds
from provably_fair_baccarat.rules.pay_table import MAX_TABLE_BYTES
from provably_fair_baccarat.rules.roads import Scoreboard
from provably_fair_baccarat.rules.settlement import MAX_AMOUNT, read_stake


def hand(text):
    return Hand(tuple(map(Card.parse, text.split())))


COUP = deal_coup(map(Card.parse, "Tc 8s Kc 3d Th 7c".split()))

REFUSALS = {
    "coup p": (lambda: Coup(hand("9h 9s"), "x"), [], "coup: expected two hands, found Hand Hand(cards=(C....parse('9s'))) and 'x'."),
    "coup b": (lambda: Coup("x", hand("9h 9s")), [], "coup: expected two hands, found 'x' and Hand Hand(cards=(C....parse('9s')))."),
    "coup hands": (
        lambda: Coup(hand("9h 9s"), hand("2s 3s 4s")),
        [],
        "coup: expected hands that the tableau deals, 9h 2s 9s 3s, found player 9h 9s, banker 2s 3s 4s.",
    ),
    "card text": (
        lambda: deal_coup(["As"] * 6),
        ["card_text"],
        "cards of a coup: expected Card values, found 'As'. Card.parse reads a card's text.",
    ),
    "multiplier fraction": (
        lambda: parse_multiplier(Fraction(2)),
        [],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found Fraction Fraction(2, 1).",
    ),
    "multiplier x": (
        lambda: parse_multiplier(" x"),
        [],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found ' x'.",
    ),
    "multiplier comma": (
        lambda: parse_multiplier("1,95"),
        ["multiplier_spelling"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '1,95'. Write it as '1.95'.",
    ),
    "multiplier stake": (
        lambda: parse_multiplier("0.95"),
        ["multiplier_without_stake"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '0.95'. A multiplier includes the stake: one that pays 0.95 to one is 1.95.",
    ),
    "multiplier odds 8:1": (
        lambda: parse_multiplier("8:1"),
        ["multiplier_as_odds"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '8:1'. A multiplier includes the stake: 8 to 1 is 9.0.",
    ),
    "multiplier odds 8 to 1": (
        lambda: parse_multiplier("8 to 1"),
        ["multiplier_as_odds"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '8 to 1'. A multiplier includes the stake: 8 to 1 is 9.0.",
    ),
    "multiplier odds 3/2": (
        lambda: parse_multiplier("3/2"),
        ["multiplier_as_odds"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '3/2'. A multiplier includes the stake: 3 to 2 is 2.5.",
    ),
    "multiplier odds 0.95 to 1": (
        lambda: parse_multiplier("0.95 to 1"),
        ["multiplier_as_odds"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '0.95 to 1'. A multiplier includes the stake: 0.95 to 1 is 1.95.",
    ),
    "multiplier odds 9 for 1": (
        lambda: parse_multiplier("9 for 1"),
        ["multiplier_as_odds"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '9 for 1'. A multiplier includes the stake: 9 for 1 is 9.0.",
    ),
    "multiplier odds 19 for 8": (
        lambda: parse_multiplier("19 for 8"),
        ["multiplier_as_odds"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '19 for 8'. A multiplier includes the stake: 19 for 8 is 2.375.",
    ),
    "multiplier odds 1 to 3": (
        lambda: parse_multiplier("1 to 3"),
        ["multiplier_as_odds"],
        "multiplier: expected a number from 1.0 to 999999.999999 with at most 6 digits after the point, found '1 to 3'. A multiplier includes the stake, and has at most 6 digits after the point.",
    ),
}


@pytest.mark.parametrize(("call", "slips", "text"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_says(call, slips, text):
    with pytest.raises(BaccaratError) as caught:
        call()
    assert str(caught.value) == text
    assert [slip.code for slip in caught.value.slips] == slips


def test_the_tables_of_coups_have_every_row_and_no_other():
    for told in (coup_odds(), coup_odds(Shoe.remaining({Card.parse("Ts"): 6}))):
        rows_of(told)


def rows_of(told):
    assert list(told.scores) == [(player, banker) for player in range(10) for banker in range(10)]
    assert list(told.outcome_scores) == [(outcome, score) for outcome in Outcome for score in range(10)]
    assert list(told.cards_used) == [4, 5, 6]
    assert list(told.naturals) == [(False, False), (True, False), (False, True), (True, True)]


NINES = 10**38 - 1


@pytest.mark.parametrize(
    ("name", "stake", "table", "slips", "text"),
    [
        ("player", 0, PUNTO_BANCO, [], "stake on player: expected 1 to 10^38 - 1 of the smallest currency unit, found 0."),
        (
            "player",
            10**38,
            PUNTO_BANCO,
            [],
            "stake on player: expected 1 to 10^38 - 1 of the smallest currency unit, found 1" + "0" * 38 + ".",
        ),
        ("player", 1, PayTable(stake_step=20), [], "stake on player: expected a multiple of the table's stake step 20, found 1."),
        (
            "player",
            NINES,
            PayTable(stake_step=20),
            [],
            f"stake on player: expected a multiple of the table's stake step 20, found {NINES}.",
        ),
        ("player", 30, PayTable(stake_step=20), [], "stake on player: expected a multiple of the table's stake step 20, found 30."),
        (
            *("player", 5.0, PUNTO_BANCO, ["stake_type"]),
            "stake on player: expected an int, found float 5.0. Stakes are whole numbers of the smallest currency unit: 5 dollars are 500 cents.",
        ),
        ("lucky6", 1, PayTable(side_bets={"tiger": {"two_cards": 13, "three_cards": 21}}), ["alias"], None),
    ],
)
def test_a_stake_is_refused_in_these_words(name, stake, table, slips, text):
    with pytest.raises(BaccaratError) as caught:
        settle(COUP, {name: stake}, table)
    assert [slip.code for slip in caught.value.slips] == slips
    assert text in (None, str(caught.value))


def test_the_limits_are_these_numbers():
    table = PayTable(player_multiplier=1, stake_step=NINES)
    assert settle(COUP, {"player": NINES}, table).staked == NINES == MAX_AMOUNT
    assert read_stake("player", 1, 1) == 1
    assert read_stake("player", NINES, 1) == NINES
    with pytest.raises(PayTableError, match=r"stake_step: expected a whole number from 1 to 10\^38 - 1"):
        PayTable(stake_step=NINES + 1)


def test_a_settlement_is_a_key_and_survives_pickle():
    settlement = settle(COUP, {"player": 5, "tie": 1})
    again = pickle.loads(pickle.dumps(settlement))
    assert again == settlement
    assert hash(again) == hash(settlement)
    assert {settlement: 1}[again] == 1
    assert hash(settlement) != hash(settle(COUP, {"player": 6, "tie": 1}))


def test_a_push_is_spelt_so():
    table = PayTable(banker_exceptions={"six": "push"})
    assert table.to_dict()["banker_exceptions"] == {"six": "push"}


@pytest.mark.parametrize(
    ("make", "subject"),
    [
        (lambda: PayTable(player_multiplier="x"), "player_multiplier"),
        (lambda: PayTable(banker_multiplier="x"), "banker_multiplier"),
        (lambda: PayTable(tie_multiplier="x"), "tie_multiplier"),
        (lambda: PayTable.parse_json('{"tie_multiplier": 1e99999999999999999999}'), "number in a pay table"),
        (lambda: PayTable.parse_toml("tie_multiplier = 1e99999999999999999999"), "number in a pay table"),
    ],
)
def test_a_refused_number_is_named(make, subject):
    with pytest.raises(PayTableError) as caught:
        make()
    assert caught.value.subject == subject


def test_a_table_shows_what_it_was_made_of():
    assert repr(PUNTO_BANCO).endswith("stake_step=1, banker_exceptions=mappingproxy({}), side_bets=mappingproxy({}), bets=())")
    assert (PUNTO_BANCO == 3) is False


def table_of(size):
    """A table whose JSON has so many bytes, by bets of the operator's own with long names."""
    names, left = [], size - len(canonical_json(PUNTO_BANCO.to_dict())) + 1
    while left:
        length = min(63, left - 17) if left - 80 not in range(1, 21) else 30
        names.append(f"x{len(names):03}".ljust(length, "x"))
        left -= length + len('"":{"won":"2.0"},')
    return PayTable(side_bets=dict.fromkeys(names, 2), bets=own(names))


def own(names):
    return [Bet(name, lambda coup: coup.natural, "scores") for name in names]


def test_a_table_has_16_kib_at_most():
    assert MAX_TABLE_BYTES == 16_384
    assert len(canonical_json(table_of(16_384).to_dict())) == 16_384
    with pytest.raises(PayTableError, match="at most 16,384 bytes of JSON"):
        table_of(16_385)
    text = "stake_step = 20 #"
    assert PayTable.parse_toml(text.ljust(16_384, "x")).stake_step == 20
    with pytest.raises(PayTableError, match="TOML text of at most 16,384 characters"):
        PayTable.parse_toml(text.ljust(16_385, "x"))


@pytest.mark.parametrize(("coup", "slips"), [("BPT", ["winners_text"]), (7, []), (None, [])])
def test_only_text_is_told_how_winners_are_read(coup, slips):
    with pytest.raises(RoadError) as caught:
        Scoreboard().add(coup)
    assert [slip.code for slip in caught.value.slips] == slips


def test_a_shoe_has_a_million_cards_of_a_kind_at_most():
    card = Card.parse("As")
    assert Shoe.remaining({card: 1_000_000}).cards == 1_000_000
    with pytest.raises(BaccaratError, match="number of As in a shoe: expected a whole number from 0 to 1,000,000"):
        Shoe.remaining({card: 1_000_001})


def test_a_fresh_shoe_has_8_decks_unless_told():
    eight = Shoe.of_decks(8)
    assert coup_odds().shoe == odds("tie").shoe == mix_odds({"tie": 1}).shoe == eight
    assert {bet.shoe for bet in table_odds().values()} == {eight}
    assert bettor_edges(PUNTO_BANCO) == ()
