"""Hands and coups: known answers, the whole rule, and what cannot be dealt."""

from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import Card, Coup, Hand, Outcome, Rank, deal_coup
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import DealError
from provably_fair_baccarat.testing import coups, deals

BY_POINTS = {points: next(card for card in DECK if card.points == points) for points in range(10)}


def parse(text):
    return tuple(map(Card.parse, text.split()))


def by_the_book(points):
    """The coup of six points in the words of a rule book, with no code of the package: final scores and cards used."""
    p1, b1, p2, b2, fifth, sixth = points
    player, banker = (p1 + p2) % 10, (b1 + b2) % 10
    if player in (8, 9) or banker in (8, 9):
        return player, banker, 4
    if player in (6, 7):
        return (player, (banker + fifth) % 10, 5) if banker <= 5 else (player, banker, 4)
    player = (player + fifth) % 10
    draws = {2: 4, 3: 4, 4: 5, 5: 5, 6: 6, 7: 6, 8: 2, 9: 3, 0: 3, 1: 3}
    if banker <= draws[fifth]:
        return player, (banker + sixth) % 10, 6
    return player, banker, 5


def test_all_million_point_sequences_are_dealt_by_the_book():
    for points in product(range(10), repeat=6):
        coup = deal_coup([BY_POINTS[p] for p in points])
        assert (coup.player.score, coup.banker.score, coup.cards_used) == by_the_book(points), points


def test_known_coups(vectors):
    for answer in vectors("coups")["coups"]:
        coup = deal_coup(map(Card.parse, answer["cards"]))
        assert [str(card) for card in coup.player.cards] == answer["player"], answer["id"]
        assert [str(card) for card in coup.banker.cards] == answer["banker"]
        assert coup.player.score == answer["player_score"]
        assert coup.banker.score == answer["banker_score"]
        assert coup.cards_used == answer["cards_used"]
        assert coup.winner.value == answer["winner"]
        assert coup.natural == answer["natural_any"]
        assert coup.player.is_pair == answer["player_pair"]
        assert coup.banker.is_pair == answer["banker_pair"]
        is_natural_win = coup.natural and coup.winner is not Outcome.TIE
        assert (f"{coup.winner.value}{max(coup.player.score, coup.banker.score)}" if is_natural_win else None) == answer["winner_natural"]


@given(coups())
def test_a_coup_follows_from_its_cards(coup):
    assert deal_coup(coup.cards) == coup
    assert Coup(Hand(coup.player.cards), Hand(coup.banker.cards)) == coup
    assert len({coup, deal_coup(coup.cards)}) == 1
    assert coup.cards_used == len(coup.cards) in (4, 5, 6)
    assert copy.deepcopy(coup) == coup
    assert pickle.loads(pickle.dumps(coup)) == coup
    assert coup.natural is (coup.player.is_natural or coup.banker.is_natural)
    scores = coup.player.score, coup.banker.score
    assert (
        coup.winner
        is {(True, False): Outcome.PLAYER, (False, True): Outcome.BANKER, (False, False): Outcome.TIE}[
            scores[0] > scores[1], scores[1] > scores[0]
        ]
    )


@given(deals(), deals())
def test_an_iterator_is_left_at_the_next_coup(cards, more):
    shoe = iter(cards + more)
    coup = deal_coup(shoe)
    assert tuple(shoe) == (cards + more)[coup.cards_used :]


@pytest.mark.parametrize("number", range(6))
def test_too_few_cards(number):
    with pytest.raises(DealError, match="at least 4" if number < 4 else "a third card"):
        deal_coup(parse("2h 2s 2c 2d 5h")[:number])


def test_the_sixth_card_too_must_be_there():
    with pytest.raises(DealError, match="a third card"):
        deal_coup(parse("2h 2s 2c 2d 5h"))


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize("intruder", ["Kh", None, 5, object(), Rank.NINE])
def test_what_is_no_card_is_not_dealt(place, intruder):
    cards = list(parse("2h 2s 2c 2d 5h 5s"))
    cards[place] = intruder
    with pytest.raises(DealError) as caught:
        deal_coup(cards)
    assert (caught.value.hint == "Card.parse reads a card's text.") is (intruder == "Kh")


@pytest.mark.parametrize("cards", [None, 7, "2h2s"])
def test_what_is_no_sequence_of_cards_is_not_dealt(cards):
    with pytest.raises(DealError):
        deal_coup(cards)


def test_hands():
    assert Hand(parse("Kh 9s")).is_natural
    assert Hand(list(parse("4h 4s"))).cards == parse("4h 4s")
    assert not Hand(parse("2h 3s 4c")).is_natural
    assert not Hand(parse("2h 5s")).is_natural
    assert Hand(parse("Kh Ks 9c")).is_pair
    assert not Hand(parse("Kh Qs")).is_pair
    assert not Hand(parse("Kh 9s 9c")).is_pair


@pytest.mark.parametrize("cards", [(), parse("Kh"), parse("Kh Kh Kh Kh"), ("Kh", "Ks"), None, (None, None)])
def test_what_is_no_hand(cards):
    with pytest.raises(DealError):
        Hand(cards)


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("Kh 9s 2c", "Kd 2d"),  # a natural never draws
        ("Kh 6s 2c", "Kd 2d"),  # a six stands
        ("Kh 5s", "Kd 2d 3d"),  # a five draws
        ("Kh 6s", "Kd 2d"),  # the banker draws too
        ("Kh 5s 8c", "Kd 3d Kc"),  # against an eight the banker stands with three
        ("Kh 5s 9c", "Kd 3d"),  # and draws against a nine
    ],
)
def test_hands_that_the_tableau_does_not_deal_are_no_coup(player, banker):
    with pytest.raises(DealError, match="hands that the tableau"):
        Coup(Hand(parse(player)), Hand(parse(banker)))


def test_a_coup_is_made_of_hands():
    with pytest.raises(DealError):
        Coup(parse("Kh 9s"), parse("Kd 2d"))


@given(st.data())
def test_coups_never_change(data):
    coup = data.draw(coups())
    for value, name in ((coup, "player"), (coup.player, "cards"), (coup, "winner"), (coup, "note")):
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, name, None)
