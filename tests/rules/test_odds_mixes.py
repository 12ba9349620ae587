"""Mixes of bets, against dealing every order of a few cards, and against figures of their parts."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import pytest

from provably_fair_baccarat.cards import Card, Suit
from provably_fair_baccarat.errors import BetError, DecksError, OddsError, PayTableError, StakeError, UnknownBetError
from provably_fair_baccarat.rules.bets import Bet
from provably_fair_baccarat.rules.coup import deal_coup
from provably_fair_baccarat.rules.odds import Shoe, mix_odds, odds
from provably_fair_baccarat.rules.odds.mixes import _read_number
from provably_fair_baccarat.rules.pay_table import PayTable
from provably_fair_baccarat.rules.ready_tables import ALL_BETS, PUNTO_BANCO, STANDARD_SIDE_BETS
from provably_fair_baccarat.rules.settlement import settle

OWN_BETS = (
    Bet("first_points", lambda coup: coup.player.cards[0].points > coup.banker.cards[-1].points, "points"),
    Bet("first_rank", lambda coup: coup.player.cards[0].rank.value in "KQ3", "ranks"),
    Bet("first_suit", lambda coup: coup.player.cards[0].suit is Suit.HEARTS and coup.banker.cards[1].suit is not Suit.CLUBS, "suits"),
)
TABLE = PayTable(
    side_bets={**STANDARD_SIDE_BETS, "first_points": "2.345678", "first_rank": "3.0", "first_suit": "4.5"},
    bets=OWN_BETS,
)
CARDS = [Card.parse(text) for text in ["Kh", "Kh", "Qh", "3s", "3d", "6d", "2c", "9s"]]
SHOE = Shoe.remaining(Counter(CARDS))

MIXES = {
    "one bet": {"banker": 7},
    "scores": {"banker": 7, "player": 3, "tie": 1, "tiger": 5},
    "points": {"first_points": 9},
    "scores and points": {"first_points": 9, "banker": 7},
    "ranks": {"player_pair": 4, "first_rank": 3},
    "suits": {"perfect_pair": 2, "royal_match": 3, "first_suit": 5},
    "ranks and suits": {"player_pair": 4, "perfect_pair": 2},
    "scores and ranks": {"banker": 11, "tie": 2, "first_rank": 5, "either_pair": 1},
    "scores and suits": {"player": 11, "small": 3, "first_suit": 5, "royal_match": 1},
    "scores and kinds of suits": {"banker": 11, "small": 3, "perfect_pair": 5, "royal_match": 1},
    "points and ranks": {"first_points": 4, "first_rank": 9},
    "points and suits": {"first_points": 4, "first_suit": 9},
    "everything": {name: 1 + index for index, name in enumerate(TABLE.offers)},
}


@pytest.mark.parametrize("stakes", MIXES.values(), ids=MIXES.keys())
def test_a_mix_in_every_order_of_a_few_cards(stakes: dict[str, int]) -> None:
    returns = Counter(settle(deal_coup(cards), stakes, TABLE).returned for cards in permutations(CARDS, 6))
    deals = returns.total()
    mean = Fraction(sum(returned * ways for returned, ways in returns.items()), deals)
    square = Fraction(sum(returned**2 * ways for returned, ways in returns.items()), deals)
    mix = mix_odds(stakes, TABLE, SHOE)
    assert mix.expected_return == mean
    assert mix.variance == square - mean**2
    assert mix.staked == sum(stakes.values())
    assert mix.expected_win == mix.staked - mean
    assert mix.house_edge == 1 - mean / mix.staked


@pytest.mark.parametrize("bet", ["banker", "player_pair", "perfect_pair", "dragon_bonus_player"])
def test_a_mix_of_one_bet_has_its_figures(bet: str) -> None:
    single, mix = odds(bet, ALL_BETS), mix_odds({bet: 20}, ALL_BETS)
    assert mix.house_edge == single.house_edge
    assert mix.variance == 400 * single.variance
    assert mix.expected_return == single.return_on(20)


def test_rounding_is_that_of_real_stakes() -> None:
    assert mix_odds({"banker": 7}).expected_return == odds("banker").return_on(7)
    assert mix_odds({"banker": 7, "tie": 1}).expected_return == odds("banker").return_on(7) + odds("tie").return_on(1)


def test_player_and_banker_hedge_each_other() -> None:
    both = mix_odds({"player": 100, "banker": 100})
    apart = mix_odds({"player": 100}).variance + mix_odds({"banker": 100}).variance
    won = odds("banker").statuses["won"]
    assert both.variance == 25 * won * (1 - won) < apart  # all that can differ is the commission of 5
    assert both.expected_win == 5 * won


def test_pairs_and_ties_depend_on_each_other() -> None:
    """The covariance of a bet on ranks and one on scores, from their mix: small, and not 0."""
    both = mix_odds({"player_pair": 100, "small": 100}, ALL_BETS)
    apart = mix_odds({"player_pair": 100}, ALL_BETS).variance + mix_odds({"small": 100}, ALL_BETS).variance
    assert both.variance != apart


def test_an_infinite_deck_takes_mixes_too() -> None:
    shoe = Shoe.infinite()
    both = mix_odds({"player_pair": 1, "banker_pair": 1}, ALL_BETS, shoe)
    assert both.variance == 2 * mix_odds({"player_pair": 1}, ALL_BETS, shoe).variance  # hands that know nothing of each other
    mixed = mix_odds({"player_pair": 20, "banker": 20}, ALL_BETS, shoe)
    assert mixed.house_edge == (odds("player_pair", ALL_BETS, shoe).house_edge + odds("banker", ALL_BETS, shoe).house_edge) / 2


def test_standard_deviation_is_the_root_of_the_variance() -> None:
    mix = mix_odds({"banker": 100})
    assert mix.standard_deviation == 100 * odds("banker").standard_deviation
    assert f"{mix.standard_deviation:.4f}" == "92.7372"


@pytest.mark.parametrize(
    ("confidence", "quantile"),
    [(0.95, "1.959963984540054"), (0.99, "2.575829303548901"), (Decimal("0.5"), "0.674489750196082")],
)
def test_rounds_needed(confidence: float | Decimal, quantile: str) -> None:
    mix = mix_odds({"player": 100})
    exact = (Decimal(quantile) * odds("player").standard_deviation / Decimal("0.001")) ** 2
    assert mix.rounds_needed(0.001, confidence) == pytest.approx(int(exact) + 1, abs=1)
    assert mix.rounds_needed(Fraction(1, 1000), confidence) == mix.rounds_needed(Decimal("0.001"), confidence)


def test_rounds_needed_for_a_tenth_of_a_percent_on_player() -> None:
    assert mix_odds({"player": 1}).rounds_needed(0.001) == 3_475_336
    assert mix_odds({"player": 1}).rounds_needed(0.001, 0.99) == 6_002_535


def test_half_the_width_takes_four_times_the_rounds() -> None:
    mix = mix_odds({"tie": 1})
    assert mix.rounds_needed(0.005) == pytest.approx(4 * mix.rounds_needed(0.01), abs=4)
    assert mix.rounds_needed(100) == 1


def test_a_sure_thing_takes_one_round() -> None:
    table = PayTable(side_bets={"always": "1.5"}, bets=[Bet("always", lambda coup: True, "scores")])
    mix = mix_odds({"always": 10}, table)
    assert mix.variance == 0
    assert mix.standard_deviation == 0
    assert mix.rounds_needed(0.001) == 1
    assert mix.expected_win == -5


@pytest.mark.parametrize("half_width", [0, -1, True, "0.1", None, float("nan"), float("inf"), Decimal("NaN")])
def test_other_half_widths_are_refused(half_width: object) -> None:
    with pytest.raises(OddsError, match="half width"):
        mix_odds({"banker": 1}).rounds_needed(half_width)  # type: ignore[arg-type]


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, True, "0.95", None, float("nan"), Decimal("Infinity"), 1 - Fraction(1, 10**400)])
def test_other_confidences_are_refused(confidence: object) -> None:
    with pytest.raises(OddsError, match="confidence"):
        mix_odds({"banker": 1}).rounds_needed(0.1, confidence)  # type: ignore[arg-type]


@pytest.mark.parametrize("stakes", [{}, None, ["banker"], "banker"])
def test_stakes_must_be_a_mapping_with_a_bet(stakes: object) -> None:
    with pytest.raises(BetError):
        mix_odds(stakes)  # type: ignore[arg-type]


def test_what_the_table_does_not_take_is_refused() -> None:
    with pytest.raises(UnknownBetError):
        mix_odds({"tiger": 1}, PUNTO_BANCO)
    with pytest.raises(StakeError):
        mix_odds({"banker": 0})
    with pytest.raises(StakeError):
        mix_odds({"banker": 30}, PayTable(stake_step=20))
    with pytest.raises(DecksError):
        mix_odds({"banker": 1}, shoe=9)
    with pytest.raises(PayTableError):
        mix_odds({"banker": 1}, {})  # type: ignore[arg-type]


@pytest.mark.parametrize("half_width", [Decimal("1E+9999999"), Decimal("1E-9999999"), Decimal("NaN")])
def test_numbers_that_would_take_for_ever_are_refused(half_width: Decimal) -> None:
    with pytest.raises(OddsError):
        mix_odds({"banker": 1}).rounds_needed(half_width)


def test_a_float_is_read_by_its_shortest_spelling() -> None:
    assert _read_number(0.1) == Fraction(1, 10) != Fraction(0.1)
