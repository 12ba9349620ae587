"""What refusals of hands, cards and multipliers say: the whole text and the slips, so that nothing in them changes unseen."""

from __future__ import annotations

from fractions import Fraction

import pytest

from provably_fair_baccarat import Card, Coup, Hand, Outcome, deal_coup
from provably_fair_baccarat.errors import BaccaratError
from provably_fair_baccarat.rules.multiplier import parse_multiplier
from provably_fair_baccarat.rules.odds import coup_odds


def hand(text):
    return Hand(tuple(map(Card.parse, text.split())))


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
}


@pytest.mark.parametrize(("call", "slips", "text"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_says(call, slips, text):
    with pytest.raises(BaccaratError) as caught:
        call()
    assert str(caught.value) == text
    assert [slip.code for slip in caught.value.slips] == slips


def test_the_tables_of_coups_have_every_row_and_no_other():
    told = coup_odds(8)
    assert list(told.scores) == [(player, banker) for player in range(10) for banker in range(10)]
    assert list(told.outcome_scores) == [(outcome, score) for outcome in Outcome for score in range(10)]
    assert list(told.cards_used) == [4, 5, 6]
    assert list(told.naturals) == [(False, False), (True, False), (False, True), (True, True)]
