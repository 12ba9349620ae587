"""Properties of the tableau, for any cards: how to test a game of your own with the strategies of this package.

pip install 'provably-fair-baccarat[testing]' pytest
python -m pytest examples/test_tableau_property.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from provably_fair_baccarat import ALL_BETS, Card, Coup, Outcome, deal_coup, settle
from provably_fair_baccarat.testing import bets, coups, deals

if TYPE_CHECKING:
    from collections.abc import Mapping


@given(deals())
def test_a_coup_takes_four_to_six_cards_in_their_order(cards: tuple[Card, ...]) -> None:
    """Nobody skips a card."""
    coup = deal_coup(cards)
    assert coup.cards == cards[: coup.cards_used]
    assert 4 <= coup.cards_used <= 6


@given(deals())
def test_the_player_draws_with_five_or_less_unless_there_is_a_natural(cards: tuple[Card, ...]) -> None:
    """Protocol steps 6.1 and 6.2, said another way."""
    coup = deal_coup(cards)
    first_two = sum(card.points for card in coup.player.cards[:2]) % 10
    assert (len(coup.player.cards) == 3) is (first_two <= 5 and not coup.natural)


@given(coups())
def test_the_banker_never_draws_with_seven(coup: Coup) -> None:
    """Protocol step 6.4, its last row."""
    if sum(card.points for card in coup.banker.cards[:2]) % 10 >= 7:
        assert len(coup.banker.cards) == 2


@given(coups(), bets(ALL_BETS))
def test_on_a_tie_player_and_banker_push(coup: Coup, stakes: Mapping[str, int]) -> None:
    """Whatever else was bet."""
    settlement = settle(coup, {**stakes, "player": 7, "banker": 9}, ALL_BETS)
    pushed = [settlement.lines[bet].status == "pushed" for bet in ("player", "banker")]
    assert pushed == [coup.winner is Outcome.TIE] * 2
