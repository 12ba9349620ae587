"""An operator's own bet: its kind counts the same faster, and an event that looks at more than it declares is found out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from provably_fair_baccarat import ALL_BETS, Bet, Card, Coup, PayTable, PayTableError, Rank, Suit
from provably_fair_baccarat.errors import DealError, NeedsError
from provably_fair_baccarat.rules.bets import CATALOGUE, SIDE_BETS
from provably_fair_baccarat.rules.odds import Shoe, mix_odds, odds
from provably_fair_baccarat.rules.odds.figures import classes_of, forget
from provably_fair_baccarat.rules.odds.witnesses import _disagreement, require_needs

if TYPE_CHECKING:
    from collections.abc import Callable


def table(bet: Bet) -> PayTable:
    return PayTable(side_bets={bet.name: dict.fromkeys(bet.payouts, "2.0")}, bets=[bet])


def same_suit(first: Card, second: Card) -> bool:
    return first.suit is second.suit


def both_suited(coup: Coup) -> bool:
    return all(same_suit(*hand.cards[:2]) for hand in (coup.player, coup.banker))


def suits(first: Card, second: Card) -> object:
    return first.suit, second.suit


def ace_of_spades(coup: Coup) -> bool:
    return coup.player.cards[0] is Card(Rank.ACE, Suit.SPADES)


SMALL = Shoe.remaining(dict.fromkeys(map(Card.parse, "As 2s Kh 3h 7d Qd".split()), 2))


@pytest.mark.parametrize("kind", [same_suit, suits], ids=["coarse", "fine"])
def test_a_kind_changes_no_count(kind: Callable[[Card, Card], object]) -> None:
    by_cards = odds("suited", table(Bet("suited", both_suited, "suits")), SMALL)
    by_kind = odds("suited", table(Bet("suited", both_suited, "suits", kind=kind)), SMALL)
    assert by_kind.ways == by_cards.ways
    assert 0 < by_kind.ways["won"] < SMALL.deals


def test_a_kind_counts_a_whole_shoe_as_arithmetic_does() -> None:
    """Of 416 cards, 104 are of each suit: a hand is suited with the player's first card given, and the other hand from what is left."""
    ways = odds("suited", table(Bet("suited", both_suited, "suits", kind=same_suit)), 8).ways["won"]
    one_suit, two_suits = 4 * 104 * 103 * 102 * 101, 4 * 104 * 103 * 3 * 104 * 103
    assert ways == (one_suit + two_suits) * 412 * 411


def test_a_kind_serves_a_bet_on_ranks() -> None:
    def is_pair(first: Card, second: Card) -> bool:
        return first.rank is second.rank

    event = CATALOGUE["player_pair"].event
    own = odds("own_pair", table(Bet("own_pair", event, "ranks", kind=is_pair)), 6)
    assert own.ways == odds("player_pair", ALL_BETS, 6).ways


def test_a_kind_serves_a_mix() -> None:
    bet = Bet("suited", both_suited, "suits", kind=same_suit)
    plain = Bet("suited", both_suited, "suits")
    mixed = [mix_odds({"suited": 3, "banker": 5}, table(each), SMALL) for each in (bet, plain)]
    assert (mixed[0].expected_return, mixed[0].variance) == (mixed[1].expected_return, mixed[1].variance)


@pytest.mark.parametrize(("needs", "kind"), [("scores", same_suit), ("points", same_suit), ("suits", "suit"), ("ranks", 1)])
def test_a_kind_is_a_function_for_ranks_or_suits(needs: str, kind: object) -> None:
    with pytest.raises(PayTableError, match="kind of bet own: expected a function of two cards, for a bet on ranks or suits"):
        Bet("own", both_suited, needs, kind=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("bet", SIDE_BETS, ids=lambda bet: bet.name)
def test_the_catalogue_looks_at_what_it_declares(bet: Bet) -> None:
    assert _disagreement(bet) is None


LIARS = {
    "a suit for scores": (ace_of_spades, "scores", None, "suits"),
    "a suit for points": (ace_of_spades, "points", None, "suits"),
    "a suit for ranks": (ace_of_spades, "ranks", None, "suits"),
    "points for scores": (lambda coup: coup.player.cards[0].points == 1, "scores", None, "points"),
    "a rank for points": (lambda coup: coup.banker.cards[1].rank is Rank.JACK, "points", None, "ranks"),
    "points of a third card for ranks": (lambda coup: coup.player.score == 9, "ranks", None, "scores"),
    "points of a third card for suits": (lambda coup: coup.cards_used == 6, "suits", None, "scores"),
    "order for scores": (lambda coup: coup.player.cards[0].points > coup.player.cards[1].points, "scores", None, "points"),
    "the suit of a third card": (lambda coup: str(coup.cards[-1])[1] == "s", "suits", None, "No declaration covers it"),
    "a rank behind a kind": (lambda coup: coup.player.is_pair, "suits", same_suit, "without it, needs='suits' would do"),
    "suits behind the kind of a bet on ranks": (both_suited, "ranks", same_suit, None),
    "the whole coup behind a kind": (lambda coup: coup.banker.score == 3, "suits", same_suit, None),
    "a rare hand": (lambda coup: coup.player.cards[:2] == (Card.parse("Ks"), Card.parse("Ks")), "ranks", None, "suits"),
}


@pytest.mark.parametrize(("event", "needs", "kind", "hint"), LIARS.values(), ids=LIARS)
def test_an_event_that_looks_at_more_is_found_out(event: object, needs: str, kind: object, hint: str | None) -> None:
    bet = Bet("own", event, needs, kind=kind)  # type: ignore[arg-type]
    for ask in (lambda: odds("own", table(bet), 8), lambda: mix_odds({"own": 1}, table(bet), 8)):
        with pytest.raises(NeedsError, match="event of bet own: expected one that looks only at") as caught:
            ask()
        assert (caught.value.hint is None) is (hint is None)
        assert hint is None or hint in str(caught.value.hint)


def test_a_bet_that_tells_the_truth_passes() -> None:
    require_needs(Bet("own", lambda coup: coup.player.score == 9, "scores"))
    require_needs(Bet("own", lambda coup: coup.cards[0].points == 9, "points"))
    require_needs(Bet("own", lambda coup: coup.natural, "ranks"))
    require_needs(Bet("own", ace_of_spades, "suits"))


def test_a_bet_with_the_name_of_another_is_not_taken_for_it() -> None:
    with pytest.raises(NeedsError):
        require_needs(Bet("player_pair", ace_of_spades, "ranks"))


def test_the_error_shows_what_was_declared_and_two_coups() -> None:
    with pytest.raises(NeedsError) as caught:
        require_needs(Bet("own", ace_of_spades, "ranks"))
    assert caught.value.expected == "one that looks only at what needs='ranks' declares"
    assert re.fullmatch(
        r"'(won|lost)' for player .. ..( ..)?, banker .. ..( ..)?, but '(won|lost)' for player .*, banker .*", caught.value.found
    )
    assert [slip.code for slip in caught.value.slips] == ["needs"]
    with pytest.raises(NeedsError) as caught:
        require_needs(Bet("own", lambda coup: coup.player.is_pair, "suits", kind=same_suit))
    assert caught.value.expected == "one that looks only at what its kind tells apart"
    assert [slip.code for slip in caught.value.slips] == ["kind"]
    with pytest.raises(NeedsError) as caught:
        require_needs(Bet("own", lambda coup: str(coup.cards[-1])[1] == "s", "suits"))
    assert [slip.code for slip in caught.value.slips] == ["needs"]


def test_forgetting_drops_what_was_counted() -> None:
    odds("tie", shoe=8)
    assert classes_of.cache_info().currsize
    forget()
    assert not classes_of.cache_info().currsize


@pytest.mark.parametrize(("card", "codes"), [("As", ["card_text"]), (7, [])])
def test_a_shoe_is_made_of_cards(card: object, codes: list[str]) -> None:
    with pytest.raises(DealError, match="remaining cards: expected Card values") as caught:
        Shoe.remaining({card: 6, Card.parse("Ts"): 6})  # type: ignore[dict-item]
    assert [slip.code for slip in caught.value.slips] == codes
