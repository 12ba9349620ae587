"""A shoe dealt through: burn, cut card and the last coup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import Card, ShoeSession, deal_coup
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import DealError


def parse(text):
    return tuple(map(Card.parse, text.split()))


def by_the_book(cards, cut_card):
    """The coups of a shoe in the words of protocol step 10, with slots counted by hand."""
    slot = 1 + (cards[0].points or 10)
    cut = len(cards) - cut_card
    coups, last = [], False
    while True:
        a = slot
        coup = deal_coup(iter(cards[a:]))
        slot += coup.cards_used
        coups.append(coup)
        z = slot - 1
        if last or a >= cut:
            return coups
        last = a < cut <= z


@given(st.permutations(list(DECK)), st.integers(11, 60))
def test_shoes_are_dealt_by_the_book(cards, cut_card):
    session = ShoeSession(cards, cut_card=cut_card)
    coups = list(session)
    assert coups == by_the_book(cards, cut_card)
    assert session.is_over
    dealt = [card for coup in coups for card in coup.cards]
    assert list(session.burnt) + dealt + list(session.cards_left) == cards
    assert session.cards_dealt == len(session.burnt) + len(dealt)
    assert list(session) == []


@pytest.mark.parametrize(("first", "out"), [("Ah", 2), ("5h", 6), ("9h", 10), ("Th", 11), ("Kh", 11)])
def test_burning(first, out):
    session = ShoeSession([Card.parse(first), *DECK])
    assert session.burnt == (Card.parse(first), *DECK[: out - 1])
    assert not session.is_over
    assert session.cards_dealt == out


FOUR = parse("9h 2h Kh Kd")  # a natural: four cards


@pytest.mark.parametrize(
    ("behind", "coups"),
    [
        (14, 2),  # the first coup ends before the cut card: the second begins at it, and is the last
        (15, 2),  # the cut card is the first coup's last card: one more
        (18, 1),  # the cut card comes out first in a coup: that coup is the last
        (19, 1),
    ],
)
def test_the_cut_card(behind, coups):
    """Burnt two, one natural of four cards, then 14 cards more; the cut card lies `behind` cards from the end."""
    shoe = parse("Ah Ad") + FOUR * 4 + parse("2c 3c")
    assert len(shoe) == 20
    assert len(list(ShoeSession(shoe, cut_card=behind))) == coups


def test_the_shallowest_cut_card_never_runs_out():
    """Two coups of six cards after the last card before a cut card of 11."""
    six = parse("2h 2s 2c 2d 5h 5s")
    for burnt in range(2, 6):
        shoe = parse("Ah Ad") + six * burnt
        for cut_card in range(11, 20):
            list(ShoeSession(shoe, cut_card=cut_card))


@pytest.mark.parametrize("cut_card", [10, 0, -1, 14.0, "14", True, None])
def test_what_is_no_cut_card(cut_card):
    with pytest.raises(DealError):
        ShoeSession(DECK, cut_card=cut_card)


@pytest.mark.parametrize("cards", [(), DECK[:1], parse("Ah Ad 2c 2d 2h 2s 3c"), None, 7, ["Kh"] * 52, [*DECK, None]])
def test_what_is_no_shoe(cards):
    with pytest.raises(DealError):
        ShoeSession(cards)


def test_the_smallest_shoe():
    assert len(list(ShoeSession(parse("Ah Ad 2c 2d 2h 2s 5c 5d")))) == 1
