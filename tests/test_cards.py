"""Cards: 52 objects, one text each, and points."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import Card, Rank, Suit
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import CardError


def test_the_factory_order_is_that_of_the_protocol():
    ranks, suits = "A23456789TJQK", "shdc"
    assert [str(card) for card in DECK] == [ranks[c % 13] + suits[c // 13] for c in range(52)]


def test_points():
    points = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0, **{str(n): n for n in range(2, 10)}}
    assert {card.rank.value: card.points for card in DECK} == points
    assert {rank.value: rank.points for rank in Rank} == points


@pytest.mark.parametrize("card", DECK, ids=str)
def test_there_is_one_object_for_each_card(card):
    assert Card.parse(str(card)) is card
    assert Card(card.rank, card.suit) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.copy(card) is card
    assert copy.deepcopy(card) is card
    assert eval(repr(card)) is card
    assert len({*DECK, card}) == 52


@pytest.mark.parametrize(("text", "symbol"), [("Kh", "K♥"), ("Ts", "10♠"), ("2d", "2♦"), ("Ac", "A♣")])
def test_symbols(text, symbol):
    assert Card.parse(text).symbol == symbol
    assert Card.parse(text).suit.symbol == symbol[-1]


@pytest.mark.parametrize(
    ("text", "spelling"),
    [("10h", "Th"), ("kh", "Kh"), ("KH", "Kh"), (" Kh", "Kh"), ("K♥", "Kh"), ("10♠", "Ts"), ("Kh\n", "Kh")],
)
def test_a_second_spelling_is_refused_with_the_right_one(text, spelling):
    with pytest.raises(CardError) as caught:
        Card.parse(text)
    assert repr(spelling) in caught.value.hint


@pytest.mark.parametrize("value", ["", "K", "Kx", "1h", "Khh", None, 7, b"Kh", ["K", "h"]])
def test_what_is_no_card_is_refused(value):
    with pytest.raises(CardError) as caught:
        Card.parse(value)
    assert caught.value.hint is None


@given(st.text())
def test_parsing_gives_a_card_or_a_card_error(text):
    try:
        card = Card.parse(text)
    except CardError:
        assert text not in map(str, DECK)
    else:
        assert str(card) == text


@pytest.mark.parametrize("parts", [("K", "h"), (Suit.HEARTS, Rank.KING), (Rank.KING, None)])
def test_a_card_is_made_of_a_rank_and_a_suit(parts):
    with pytest.raises(CardError):
        Card(*parts)


def test_a_card_never_changes():
    card = Card.parse("Kh")
    with pytest.raises(AttributeError, match="never changes"):
        card.points = 9
    with pytest.raises(AttributeError, match="never changes"):
        del card.rank
    with pytest.raises(AttributeError):
        card.note = "marked"
