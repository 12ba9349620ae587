"""The odds of every bet, against figures that were published or computed by other programs."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import DecksError, PayTableError, StakeError, UnknownBetError
from provably_fair_baccarat.rules.bets import LOST, PUSHED, WON, Bet
from provably_fair_baccarat.rules.coup import Coup, Outcome
from provably_fair_baccarat.rules.odds import Shoe, bettor_edges, coup_odds, odds, table_odds
from provably_fair_baccarat.rules.odds.figures import exact_form, forget
from provably_fair_baccarat.rules.pay_table import PayTable, stake_step
from provably_fair_baccarat.rules.ready_tables import ALL_BETS, EZ_BACCARAT, PUNTO_BANCO, STANDARD_SIDE_BETS, SUPER_SIX


def rounded(value: Fraction, places: int) -> str:
    """A fraction as it is printed, rounded exactly."""
    return f"{Decimal(round(value * 10**places)).scaleb(-places):f}"


HOUSE_EDGES = {
    "player": "1.2351",
    "banker": "1.0579",
    "tie": "14.3596",
    "player_pair": "10.3614",
    "banker_pair": "10.3614",
    "either_pair": "13.7099",
    "perfect_pair": "8.0470",
    "perfect_pair_flat": "13.0294",
    "big": "4.3457",
    "small": "5.2829",
    "four_cards": "5.2829",
    "five_cards": "8.9667",
    "six_cards": "4.6938",
    "dragon_bonus_player": "2.6517",
    "dragon_bonus_banker": "9.3731",
    "dragon7": "7.6113",
    "panda8": "10.1876",
    "super6": "29.9772",
    "tiger": "16.6836",
    "small_tiger": "14.3325",
    "big_tiger": "15.2533",
    "tiger_tie": "11.4952",
    "tiger_pair": "16.1217",
    "lucky7": "18.2961",
    "royal_match": "2.13",
    "egalite_0": "12.45",
    "egalite_1": "11.42",
    "egalite_2": "9.54",
    "egalite_3": "10.52",
    "egalite_4": "12.14",
    "egalite_5": "11.87",
    "egalite_6": "11.50",
    "egalite_7": "6.39",
    "egalite_8": "11.07",
    "egalite_9": "10.63",
}


def test_every_bet_on_offer_has_a_known_house_edge() -> None:
    assert sorted(HOUSE_EDGES) == sorted(ALL_BETS.offers)


@pytest.mark.parametrize("bet", HOUSE_EDGES)
def test_house_edge_with_eight_decks(bet: str) -> None:
    printed = HOUSE_EDGES[bet]
    places = len(printed.partition(".")[2])
    assert rounded(odds(bet, ALL_BETS, 8).house_edge * 100, places) == printed


@pytest.mark.parametrize(("pay_table", "printed"), [(SUPER_SIX, "1.4581"), (EZ_BACCARAT, "1.0183")], ids=["super six", "ez"])
def test_house_edge_of_a_commission_free_banker(pay_table: PayTable, printed: str) -> None:
    assert rounded(odds("banker", pay_table).house_edge * 100, 4) == printed


def test_a_pair_comes_31_times_in_415() -> None:
    assert odds("player_pair", ALL_BETS).hit_frequency == Fraction(31, 415)
    assert odds("banker_pair", ALL_BETS).hit_frequency == Fraction(31, 415)


@pytest.mark.parametrize(
    ("decks", "banker", "player", "tie"),
    [
        (1, 6_737_232_640, 6_548_674_432, 1_372_227_328),
        (6, 403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288),
        (8, 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216),
    ],
)
def test_outcomes_in_ordered_deals(decks: int, banker: int, player: int, tie: int) -> None:
    coups = coup_odds(decks)
    assert coups.outcomes == {Outcome.BANKER: banker, Outcome.PLAYER: player, Outcome.TIE: tie}
    cards = 52 * decks
    assert coups.deals == cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) * (cards - 5) == banker + player + tie


def test_outcomes_of_the_infinite_deck() -> None:
    coups = coup_odds(Shoe.infinite())
    found = {outcome.value: coups.probability(ways) for outcome, ways in coups.outcomes.items()}
    assert 13**6 == 4_826_809
    assert found == {
        "banker": Fraction(2_212_744, 13**6),
        "player": Fraction(2_153_464, 13**6),
        "tie": Fraction(460_601, 13**6),
    }


def test_the_return_of_a_tie_by_model() -> None:
    assert rounded(odds("tie", shoe=8).expected_return * 100, 4) == "85.6404"
    assert rounded(odds("tie", shoe=Shoe.infinite()).expected_return * 100, 4) == "85.8830"


@pytest.mark.parametrize(("bet", "printed"), [("banker", ".927372"), ("player", ".951153"), ("tie", "2.640872")])
def test_standard_deviation_with_eight_decks(bet: str, printed: str) -> None:
    deviation = odds(bet).standard_deviation
    assert f"{round(deviation, 6):f}".removeprefix("0") == printed
    assert len(deviation.as_tuple().digits) == 28
    unit = Decimal(1).scaleb(deviation.adjusted() - 27)
    below, above = Fraction(deviation - unit / 2), Fraction(deviation + unit / 2)
    assert below**2 <= odds(bet).variance <= above**2


def test_cards_used_with_eight_decks() -> None:
    coups = coup_odds(8)
    printed = {4: "0.378868", 5: "0.303444", 6: "0.317687"}
    assert {cards: rounded(coups.probability(ways), 6) for cards, ways in coups.cards_used.items()} == printed


def test_cards_used_with_six_decks() -> None:
    coups = coup_odds(6)
    printed = {4: "0.378925", 5: "0.303540", 6: "0.317535"}
    assert {cards: rounded(coups.probability(ways), 6) for cards, ways in coups.cards_used.items()} == printed


def test_naturals_with_eight_decks() -> None:
    coups = coup_odds(8)
    assert rounded(coups.probability(coups.natural), 6) == "0.343049"
    assert sum(coups.naturals.values()) == coups.deals
    assert coups.naturals[True, False] == coups.naturals[False, True]
    assert coups.naturals[True, False] + coups.naturals[False, True] + coups.naturals[True, True] == coups.natural


def test_ties_by_score_with_eight_decks() -> None:
    ties = [
        28_979_901_420_544,
        20_499_217_668_352,
        20_006_606_104_576,
        22_250_510_129_408,
        36_294_133_463_040,
        39_684_046_743_808,
        96_170_001_308_416,
        101_717_538_899_968,
        54_879_416_675_072,
        55_146_054_060_032,
    ]
    coups = coup_odds(8)
    assert [coups.scores[score, score] for score in range(10)] == ties
    assert [coups.outcome_scores[Outcome.TIE, score] for score in range(10)] == ties
    assert [odds(f"egalite_{score}", ALL_BETS).ways[WON] for score in range(10)] == ties


DRAGON_BONUS = {
    "dragon_bonus_player": {
        "by_9": 18_409_431_764_992,
        "by_8": 34_097_645_543_424,
        "by_7": 89_590_261_473_280,
        "by_6": 141_238_897_317_888,
        "by_5": 166_169_165_987_840,
        "by_4": 186_780_352_174_080,
        "natural": 812_685_054_124_032,
        PUSHED: 89_325_908_267_520,
    },
    "dragon_bonus_banker": {
        "by_9": 15_390_342_909_952,
        "by_8": 28_305_092_784_128,
        "by_7": 79_517_099_278_336,
        "by_6": 119_200_072_366_080,
        "by_5": 157_275_882_332_160,
        "by_4": 201_147_167_287_296,
        "natural": 812_685_054_124_032,
        PUSHED: 89_325_908_267_520,
    },
}


@pytest.mark.parametrize("bet", DRAGON_BONUS)
def test_dragon_bonus_answers_in_ordered_deals(bet: str) -> None:
    ways = dict(odds(bet, ALL_BETS).ways)
    del ways[LOST]
    assert ways == DRAGON_BONUS[bet]


@pytest.mark.parametrize(("decks", "player", "banker"), [(4, "2.70", "9.42"), (6, "2.67", "9.39"), (8, "2.65", "9.37")])
def test_dragon_bonus_house_edges_by_decks(decks: int, player: str, banker: str) -> None:
    assert rounded(odds("dragon_bonus_player", ALL_BETS, decks).house_edge * 100, 2) == player
    assert rounded(odds("dragon_bonus_banker", ALL_BETS, decks).house_edge * 100, 2) == banker


@pytest.mark.parametrize(("bet", "ways"), [("dragon7", 112_633_011_329_024), ("panda8", 172_660_763_262_976)])
def test_three_card_wins_in_ordered_deals(bet: str, ways: int) -> None:
    assert odds(bet, ALL_BETS).ways[WON] == ways


PUBLISHED = {
    "three_giving_eight": (
        Bet(
            "three_giving_eight",
            lambda coup: (
                sum(card.points for card in coup.banker.cards[:2]) % 10 == 3
                and len(coup.player.cards) == 3
                and coup.player.cards[2].points == 8
            ),
            "points",
        ),
        "201.0",
        "8.682",
        22_708_577_366_016,
    ),
    "high_scores": (
        Bet("high_scores", lambda coup: min(coup.player.score, coup.banker.score) >= 8, "scores"),
        "21.0",
        "7.372",
        None,
    ),
    "nine_over_seven": (
        Bet(
            "nine_over_seven",
            lambda coup: coup.natural and {coup.player.score, coup.banker.score} == {7, 9},
            "scores",
        ),
        "51.0",
        "8.103",
        None,
    ),
    "bad_beat": (
        Bet(
            "bad_beat",
            lambda coup: coup.player.is_natural and coup.banker.is_natural and coup.player.score != coup.banker.score,
            "scores",
        ),
        "51.0",
        "8.458",  # printed elsewhere as 8.459; it is 8.45847
        None,
    ),
    "player_three_cards": (
        Bet("player_three_cards", lambda coup: coup.winner is Outcome.PLAYER and len(coup.player.cards) == 3, "scores"),
        "5.0",
        "5.686",
        942_837_427_226_624,
    ),
    "banker_three_cards": (
        Bet("banker_three_cards", lambda coup: coup.winner is Outcome.BANKER and len(coup.banker.cards) == 3, "scores"),
        "6.0",
        "8.304",
        763_885_033_768_960,
    ),
}
"""Bets of other houses: the bet, its multiplier, its published house edge in percent and, where published, the ordered deals that win."""


@pytest.mark.parametrize("bet", PUBLISHED)
def test_bets_that_the_catalogue_does_not_have(bet: str) -> None:
    own, multiplier, printed, ways = PUBLISHED[bet]
    found = odds(bet, PayTable(side_bets={bet: multiplier}, bets=[own]))
    assert rounded(found.house_edge * 100, 3) == printed
    assert ways is None or found.ways[WON] == ways


def test_a_winning_six_of_two_cards_took_five_and_one_of_three_took_six() -> None:
    sixes = [coup for coup in coup_odds(8).classes if coup.banker_score == 6 > coup.player_score]
    assert {(coup.banker_cards, coup.player_cards + coup.banker_cards) for coup in sixes} == {(2, 5), (3, 6)}


@pytest.mark.parametrize("shoe", [1, 3, 8, Shoe.infinite()], ids=["1", "3", "8", "infinite"])
def test_probabilities_sum_to_one(shoe: Shoe | int) -> None:
    for bet, bet_odds in table_odds(ALL_BETS, shoe).items():
        assert sum(bet_odds.probabilities.values()) == 1, bet
        assert sum(bet_odds.statuses.values()) == 1, bet
        assert sum(bet_odds.ways.values()) == bet_odds.deals, bet
    coups = coup_odds(shoe)
    for table in (coups.classes, coups.outcomes, coups.scores, coups.outcome_scores, coups.cards_used, coups.naturals):
        assert sum(table.values()) == coups.deals


def test_house_edges_count_pushes_as_staked() -> None:
    banker = odds("banker", EZ_BACCARAT)
    won = banker.probabilities[WON] + banker.probabilities["six"]
    pushed = banker.probabilities["three_card_seven"] + banker.probabilities[PUSHED]
    assert banker.statuses == {"won": won, "pushed": pushed, "lost": banker.probabilities[LOST]}
    assert banker.expected_return == 2 * won + pushed
    assert banker.house_edge == banker.probabilities[LOST] - won
    assert banker.hit_frequency == won
    net = {"won": 1, "pushed": 0, "lost": -1}
    mean = sum(net[status] * probability for status, probability in banker.statuses.items())
    square = sum(net[status] ** 2 * probability for status, probability in banker.statuses.items())
    assert banker.variance == square - mean**2


def test_the_return_of_a_real_stake_is_rounded_down() -> None:
    banker = odds("banker")
    won = banker.statuses["won"]
    pushed = banker.statuses["pushed"]
    assert banker.return_on(7) == 13 * won + 7 * pushed < 7 * banker.expected_return
    assert banker.return_on(1) == won + pushed
    exact = stake_step(PUNTO_BANCO)
    assert exact == 20
    assert banker.return_on(exact) == exact * banker.expected_return


@pytest.mark.parametrize("stake", [0, -1, True, 1.0, "1", 10**38, None])
def test_a_return_is_told_for_whole_stakes_only(stake: object) -> None:
    with pytest.raises(StakeError):
        odds("banker").return_on(stake)  # type: ignore[arg-type]


def test_a_return_is_told_for_stakes_that_the_table_takes() -> None:
    banker = odds("banker", PayTable(stake_step=20))
    assert banker.return_on(40) == 40 * banker.expected_return
    with pytest.raises(StakeError):
        banker.return_on(30)


def test_bets_with_an_edge_for_the_bettor() -> None:
    assert bettor_edges(ALL_BETS) == ()
    generous = PayTable(side_bets={**STANDARD_SIDE_BETS, "super6": "19.0", "tiger_tie": "52.5"}, banker_multiplier="1.98")
    assert sorted(bettor_edges(generous, 8)) == ["banker", "super6", "tiger_tie"]
    for bet in bettor_edges(generous, 8):
        assert odds(bet, generous).expected_return > 1
    assert bettor_edges(PayTable(side_bets={"super6": "16.0"})) == ()


def test_a_return_of_exactly_100_percent_is_no_edge() -> None:
    always = Bet("always", lambda coup: True, "scores")
    table = PayTable(side_bets={"always": "1.0"}, bets=[always])
    assert odds("always", table).expected_return == 1
    assert odds("always", table).variance == 0
    assert odds("always", table).standard_deviation == 0
    assert bettor_edges(table) == ()


def test_a_bet_offered_under_an_alias_goes_by_its_own_name() -> None:
    table = PayTable(side_bets={"lucky6": {"two_cards": "13.0", "three_cards": "21.0"}})
    assert rounded(odds("tiger", table).house_edge * 100, 4) == HOUSE_EDGES["tiger"]


def test_what_never_happens_counts_nothing() -> None:
    never = Bet("never", lambda coup: False, "ranks")
    table = PayTable(side_bets={"never": "2.0"}, bets=[never])
    found = odds("never", table, Shoe.of_decks(1))
    assert found.ways == {WON: 0, PUSHED: 0, LOST: found.deals}


@pytest.mark.parametrize("decks", range(1, 9))
def test_decks_and_the_same_cards_left_have_equal_odds(decks: int) -> None:
    assert Shoe.remaining(dict.fromkeys(DECK, decks)) == Shoe.of_decks(decks)
    assert odds("banker", shoe=Shoe.remaining(dict.fromkeys(DECK, decks))) == odds("banker", shoe=decks)


def test_unknown_bets_are_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownBetError, match="Did you mean 'banker'"):
        odds("bankr")
    for bet in ("tiger", "lucky6", "", None, 3, ["banker"]):
        with pytest.raises(UnknownBetError):
            odds(bet)  # type: ignore[arg-type]


@pytest.mark.parametrize("decks", [0, 9, -1, True, 8.0, "8", None])
def test_other_numbers_of_decks_are_refused(decks: object) -> None:
    for ask in (
        lambda: odds("banker", PUNTO_BANCO, decks),  # type: ignore[arg-type]
        lambda: table_odds(PUNTO_BANCO, decks),  # type: ignore[arg-type]
        lambda: bettor_edges(PUNTO_BANCO, decks),  # type: ignore[arg-type]
        lambda: coup_odds(decks),  # type: ignore[arg-type]
    ):
        with pytest.raises(DecksError):
            ask()


@pytest.mark.parametrize("pay_table", [None, {}, "punto_banco"], ids=str)
def test_a_pay_table_must_be_one(pay_table: Any) -> None:
    with pytest.raises(PayTableError):
        odds("banker", pay_table)
    with pytest.raises(PayTableError):
        table_odds(pay_table)
    with pytest.raises(PayTableError):
        bettor_edges(pay_table)


@pytest.mark.parametrize("answer", ["won ", "jackpot", None, 1, 0, [], 1.0])
@pytest.mark.parametrize("needs", ["scores", "points", "ranks"])
def test_an_event_with_another_answer_is_refused(answer: object, needs: str) -> None:
    bet = Bet("own", lambda coup: answer, needs)  # type: ignore[arg-type,return-value]
    with pytest.raises(PayTableError, match="answer of the event of bet own"):
        odds("own", PayTable(side_bets={"own": "2.0"}, bets=[bet]))


def test_true_is_no_answer_where_winning_is_no_payout() -> None:
    bet = Bet("own", lambda coup: True, "scores", ("one", "both"))
    with pytest.raises(PayTableError):
        odds("own", PayTable(side_bets={"own": {"one": "2.0", "both": "3.0"}}, bets=[bet]))


def test_asking_again_counts_nothing_again() -> None:
    asked = 0

    def event(coup: Coup) -> bool:
        nonlocal asked
        asked += 1
        return coup.cards_used == 5

    table = PayTable(side_bets={"own": "3.0"}, bets=[Bet("own", event, "scores")])
    first = odds("own", table, 5)
    once = asked
    assert once > 0
    assert odds("own", table, Shoe.of_decks(5)) == first
    assert asked == once
    odds("own", table, 6)
    assert asked > once
    again = asked
    forget()
    assert odds("own", table, 5) == first
    assert asked == again + once


def test_an_event_that_cannot_be_a_key_is_counted_all_the_same() -> None:
    class Event:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, coup: Coup) -> bool:
            return coup.cards_used == 5

    table = PayTable(side_bets={"own": "3.0"}, bets=[Bet("own", Event(), "scores")])
    assert odds("own", table).ways[WON] == odds("five_cards", ALL_BETS).ways[WON]


@pytest.mark.parametrize(
    ("value", "decimal"),
    [
        (Fraction(0), "0.000000000000"),
        (Fraction(1, 3), "0.333333333333"),
        (Fraction(-2, 3), "-0.666666666667"),
        (Fraction(-1, 8), "-0.125000000000"),
        (Fraction(1_000_001, 7), "142857.285714285714"),
        (Fraction(3, 2 * 10**12), "0.000000000002"),  # halves go to the even digit
        (Fraction(-1, 10**13), "0.000000000000"),
    ],
)
def test_a_fraction_is_told_exactly_and_to_twelve_decimals(value, decimal):
    assert exact_form(value) == {"fraction": str(value), "decimal": decimal}


def test_odds_are_told_as_json():
    assert odds("tie").to_dict() == {
        "hit_frequency": {"fraction": "619306544887/6508331087895", "decimal": "0.095155968024"},
        "push_probability": {"fraction": "0", "decimal": "0.000000000000"},
        "expected_return": {"fraction": "619306544887/723147898655", "decimal": "0.856403712213"},
        "house_edge": {"fraction": "103841353768/723147898655", "decimal": "0.143596287787"},
        "standard_deviation": "2.640872221752324142845091821",
    }
    assert odds("player").to_dict()["push_probability"]["fraction"] == "619306544887/6508331087895"
