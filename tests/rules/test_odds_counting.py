"""Counting, against dealing: every order of a few cards, every cell of the tableau."""

from __future__ import annotations

from collections import Counter, defaultdict
from enum import StrEnum
from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import TYPE_CHECKING

import pytest

from provably_fair_baccarat.cards import DECK, Card, Rank, Suit
from provably_fair_baccarat.errors import DealError, DecksError, PayTableError
from provably_fair_baccarat.rules.bets import CATALOGUE, LOST, Bet
from provably_fair_baccarat.rules.coup import Coup, deal_coup
from provably_fair_baccarat.rules.odds import Shoe, odds
from provably_fair_baccarat.rules.odds import counting as counting_module
from provably_fair_baccarat.rules.odds.counting import (
    card_kind,
    count_answers,
    count_classes,
    kind_of,
    opening_coups,
    point_deals,
    weighted_coups,
)
from provably_fair_baccarat.rules.pay_table import PayTable
from provably_fair_baccarat.rules.ready_tables import ALL_BETS, STANDARD_SIDE_BETS
from provably_fair_baccarat.rules.tableau import TABLEAU, banker_draws, read_tableau

if TYPE_CHECKING:
    from collections.abc import Iterator


def _points_event(coup: Coup) -> str | bool:
    """Looks at the order of the first two cards, at both third cards, and at which hand they are in."""
    player, banker = coup.player.cards, coup.banker.cards
    if player[0].points > player[1].points and banker[0].points <= banker[1].points:
        return "falling"
    return len(banker) == 3 and banker[2].points == player[-1].points and "same_last"


def _ranks_event(coup: Coup) -> str | bool:
    """Looks at the order within both hands and at ranks of equal points."""
    player, banker = coup.player.cards, coup.banker.cards
    if player[0].rank is Rank.KING and player[1].rank is not Rank.KING:
        return "king_first"
    return player[1].rank is banker[0].rank and "pushed"


def _suits_event(coup: Coup) -> str | bool:
    """Looks at the order within both hands and treats no two suits alike."""
    player, banker = coup.player.cards, coup.banker.cards
    if player[0].suit is Suit.SPADES and banker[1].suit is Suit.HEARTS:
        return "spade_heart"
    return player[1] is banker[0] and "won"


OWN_BETS = (
    Bet("own_points", _points_event, "points", ("falling", "same_last")),
    Bet("own_ranks", _ranks_event, "ranks", ("king_first",)),
    Bet("own_suits", _suits_event, "suits", ("spade_heart", "won")),
)
OWN_PAYS = {
    "own_points": {"falling": "2.5", "same_last": "3.333333"},
    "own_ranks": {"king_first": "7.0"},
    "own_suits": {"spade_heart": "1.0", "won": "20.0"},
}
TABLE = PayTable(side_bets={**STANDARD_SIDE_BETS, **OWN_PAYS}, bets=OWN_BETS)

COMPOSITIONS = {
    "court cards": "Kh Kh Qh Qs 6d 2c 9s",
    "pairs": "Ks Ks 4h 4h 4c 8d Th",
    "low cards": "As 2s 3h 3d 6c 7c 5d 5d",
    "only tens": "Th Th Js Qd Kd Kd",
}


def cards_of(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def every_deal(text: str) -> Iterator[Coup]:
    for cards in permutations(cards_of(text), 6):
        yield deal_coup(cards)


@pytest.mark.parametrize("text", COMPOSITIONS.values(), ids=COMPOSITIONS.keys())
def test_all_bets_in_every_order_of_a_few_cards(text: str) -> None:
    shoe = Shoe.remaining(Counter(cards_of(text)))
    dealt: dict[str, Counter[str]] = defaultdict(Counter)
    deals = 0
    for coup in every_deal(text):
        deals += 1
        for name, offer in TABLE.offers.items():
            dealt[name][offer.bet.result(coup)] += 1
    assert shoe.deals == deals
    for name, answers in dealt.items():
        assert {answer: ways for answer, ways in odds(name, TABLE, shoe).ways.items() if ways} == answers, name


@pytest.mark.parametrize("text", COMPOSITIONS.values(), ids=COMPOSITIONS.keys())
def test_classes_in_every_order_of_a_few_cards(text: str) -> None:
    dealt = Counter((coup.player.score, coup.banker.score, len(coup.player.cards), len(coup.banker.cards)) for coup in every_deal(text))
    assert {tuple(found): counted.ways for found, counted in count_classes(Shoe.remaining(Counter(cards_of(text)))).items()} == dealt


def test_all_bets_with_cards_that_come_back() -> None:
    counts = {Card.parse("Kh"): 2, Card.parse("Qh"): 1, Card.parse("7s"): 1, Card.parse("3d"): 3}
    shoe = Shoe(Shoe.remaining(counts).counts, replaced=True)
    dealt: dict[str, Counter[str]] = defaultdict(Counter)
    for cards in product(counts, repeat=6):
        coup = deal_coup(cards)
        for name, offer in TABLE.offers.items():
            dealt[name][offer.bet.result(coup)] += prod(counts[card] for card in cards)
    assert shoe.deals == 7**6
    for name, answers in dealt.items():
        assert {answer: ways for answer, ways in odds(name, TABLE, shoe).ways.items() if ways} == answers, name


def test_a_bet_on_scores_counts_the_same_when_it_is_counted_by_points() -> None:
    shoe = Shoe.of_decks(8)
    for name in ("banker", "dragon_bonus_player", "lucky7"):
        bet = CATALOGUE[name]
        by_points = Bet(bet.name, bet.event, "points", bet.payouts)
        assert count_answers(by_points, weighted_coups(by_points, shoe)) == count_answers(bet, weighted_coups(bet, shoe))


def test_bets_on_suits_count_the_same_by_kinds_and_by_cards() -> None:
    counts = {card: 1 + (index * index) % 4 for index, card in enumerate(DECK) if card.rank.value in "TQK25"}
    shoe = Shoe.remaining(counts)
    for name in ("perfect_pair", "perfect_pair_flat", "royal_match", "player_pair", "tiger_pair"):
        bet = CATALOGUE[name]
        by_cards = count_answers(bet, opening_coups(shoe, card_kind, by_rank=False))
        assert count_answers(bet, weighted_coups(bet, shoe)) == by_cards
        assert by_cards[LOST] < shoe.deals


def test_kinds_are_the_catalogues_own() -> None:
    twin = Bet("perfect_pair", lambda coup: coup.player.cards[0].suit is Suit.SPADES, "suits")
    assert kind_of(twin) is card_kind
    assert kind_of(CATALOGUE["perfect_pair"]) is not card_kind


def test_an_own_bet_on_suits_with_a_deck_of_each_card() -> None:
    bet = Bet("own", lambda coup: coup.player.cards[0].suit is coup.banker.cards[1].suit, "suits")
    table = PayTable(side_bets={"own": "4.0"}, bets=[bet])
    assert odds("own", table, 1).hit_frequency == Fraction(12, 51)


def test_terms() -> None:
    assert sum(1 for _ in point_deals(Shoe.of_decks(8))) == 103_411


def test_examples_are_coups_of_their_class() -> None:
    for found, counted in count_classes(Shoe.of_decks(2)).items():
        coup = counted.example
        assert Coup(coup.player, coup.banker) == coup
        assert found == (coup.player.score, coup.banker.score, len(coup.player.cards), len(coup.banker.cards))


def test_openings_are_coups() -> None:
    shoe = Shoe.remaining(Counter(cards_of(COMPOSITIONS["low cards"])))
    coups = [coup for coup, _ in opening_coups(shoe, card_kind, by_rank=False)]
    assert len(coups) > 100
    for coup in coups:
        assert Coup(coup.player, coup.banker) == coup


def _outcomes(shoe: Shoe) -> tuple[int, int]:
    classes = count_classes(shoe).items()
    return (
        sum(counted.ways for found, counted in classes if found.player_score > found.banker_score),
        sum(counted.ways for found, counted in classes if found.player_score < found.banker_score),
    )


EIGHT_DECKS = (2_230_518_282_592_256, 2_292_252_566_437_888)


def test_flipping_any_cell_of_the_tableau_changes_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = Shoe.of_decks(8)
    cells = read_tableau(TABLEAU)
    assert len(cells) == 88
    assert _outcomes(shoe) == EIGHT_DECKS
    seen = {_outcomes(shoe)}
    for cell, draws in cells.items():
        flipped = {**cells, cell: not draws}

        def flipped_draws(score: int, third: int | None, flipped: dict[tuple[int, int | None], bool] = flipped) -> bool:
            return flipped[score, third]

        monkeypatch.setattr(counting_module, "banker_draws", flipped_draws)
        seen.add(_outcomes(shoe))
    assert len(seen) == 1 + 88  # each flip gives counts of its own


@pytest.mark.parametrize("limit", [4, 6])
def test_another_rule_for_the_player_changes_the_counts(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    def player_draws(score: int) -> bool:
        return score <= limit

    monkeypatch.setattr(counting_module, "player_draws", player_draws)
    assert _outcomes(Shoe.of_decks(8)) != EIGHT_DECKS


def test_the_tableau_in_its_other_printed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    draws_against = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}

    def printed(score: int, third: int | None) -> bool:
        return score <= 5 if third is None else str(third) in draws_against[score]

    for score, third in product(range(8), (None, *range(10))):
        assert banker_draws(score, third) is printed(score, third)
    monkeypatch.setattr(counting_module, "banker_draws", printed)
    assert _outcomes(Shoe.of_decks(8)) == EIGHT_DECKS


def test_what_a_shoe_holds() -> None:
    shoe = Shoe.of_decks(8)
    assert shoe.cards == 416
    assert shoe.points == (128, *[32] * 9)
    assert shoe.ranks == (32,) * 13
    assert Shoe.infinite().deals == 52**6
    left = Shoe.remaining({Card.parse("Kh"): 5, Card.parse("Ks"): 2, Card.parse("4d"): 0})
    assert (left.cards, left.points, left.ranks[-1], left.deals) == (7, (7, *[0] * 9), 7, 5040)


@pytest.mark.parametrize(
    "cards",
    [
        {},
        {DECK[0]: 5},
        {DECK[0]: 6, DECK[1]: -1},
        {DECK[0]: 6.0},
        {DECK[0]: True, DECK[1]: 6},
        {DECK[0]: "6"},
        {"Kh": 6},
        {None: 6},
        [DECK[0]] * 6,
        None,
    ],
    ids=str,
)
def test_cards_that_no_coup_can_be_dealt_from(cards: object) -> None:
    with pytest.raises(DealError):
        Shoe.remaining(cards)  # type: ignore[arg-type]


def test_five_cards_are_refused_and_six_are_not() -> None:
    with pytest.raises(DealError, match="6 or more"):
        Shoe.remaining({DECK[0]: 5})
    assert odds("tie", shoe=Shoe.remaining({DECK[0]: 6})).hit_frequency == 1


@pytest.mark.parametrize(("counts", "replaced"), [((8,) * 51, False), ([8] * 52, False), ((8,) * 52, 1), (None, False)], ids=str)
def test_counts_that_are_no_shoe(counts: object, replaced: object) -> None:
    with pytest.raises(DealError):
        Shoe(counts, replaced)  # type: ignore[arg-type]


@pytest.mark.parametrize("decks", [0, 9, -1, True, 8.0, "8", None])
def test_numbers_of_decks_that_are_no_shoe(decks: object) -> None:
    with pytest.raises(DecksError):
        Shoe.of_decks(decks)  # type: ignore[arg-type]


def test_every_bet_of_the_catalogue_is_on_offer() -> None:
    assert set(ALL_BETS.offers) == set(CATALOGUE)


class _Answer(StrEnum):
    WON = "won"


def test_answers_of_other_types_are_counted_or_refused():
    coup = deal_coup([Card.parse(card) for card in "9s 2h Ks 3d Ad Ac".split()])
    assert count_answers(Bet("mine", needs="scores", event=lambda _: _Answer.WON), [(coup, 7)])["won"] == 7
    for answer in (1, "nonsense", []):
        with pytest.raises(PayTableError):
            count_answers(Bet("mine", needs="scores", event=lambda _, answer=answer: answer), [(coup, 7)])
    with pytest.raises(PayTableError, match="large or small or lost or pushed"):  # which of its wins is it?
        count_answers(Bet("mine", needs="scores", event=lambda _: True, payouts=("large", "small")), [(coup, 7)])
