"""The catalogue's events, held against coups on which public programs agree, and against their words."""

from __future__ import annotations

import pytest
from hypothesis import given

from provably_fair_baccarat import ALL_BETS, EZ_BACCARAT, SUPER_SIX, Bet, Card, Outcome, PayTable, deal_coup, settle
from provably_fair_baccarat.errors import PayTableError
from provably_fair_baccarat.rules.bets import CATALOGUE, LOST, MAIN_BETS, PUSHED, SIDE_BETS, WON
from provably_fair_baccarat.testing import coups


def deal(text):
    return deal_coup(map(Card.parse, text.split()))


NO_COMMISSION = PayTable(banker_multiplier="2.0", banker_exceptions={"six": "1.5"})
SUPER6_BY_CARDS = PayTable(side_bets={"tiger": {"two_cards": "13.0", "three_cards": "21.0"}})
KNOWN_KEYS = {
    *("id", "cards", "player", "banker", "player_score", "banker_score", "cards_used", "winner", "natural_any", "winner_natural"),
    *("player_pair", "banker_pair", "returned_on_100", "banker_ez_net_on_100", "banker_no_commission_net_on_100", "side_net_on_1"),
    *("super6_12_20_net_on_1", "big_054_net_on_100", "small_15_net_on_100"),
}


def test_known_coups_are_paid_as_public_programs_pay_them(vectors):
    answers = vectors("coups")["coups"]
    assert len(answers) == 84
    for answer in answers:
        assert set(answer) == KNOWN_KEYS
        coup = deal_coup(map(Card.parse, answer["cards"]))
        main = settle(coup, {"player": 100, "banker": 100, "tie": 100})
        assert {name: line.returned for name, line in main.lines.items()} == answer["returned_on_100"], answer["id"]
        sides = settle(coup, dict.fromkeys(answer["side_net_on_1"], 1), ALL_BETS)
        assert {name: line.net for name, line in sides.lines.items()} == answer["side_net_on_1"], answer["id"]
        for table, bet, stake, key in (
            (EZ_BACCARAT, "banker", 100, "banker_ez_net_on_100"),
            (NO_COMMISSION, "banker", 100, "banker_no_commission_net_on_100"),
            (SUPER_SIX, "banker", 100, "banker_no_commission_net_on_100"),
            (SUPER6_BY_CARDS, "tiger", 1, "super6_12_20_net_on_1"),
            (ALL_BETS, "big", 100, "big_054_net_on_100"),
            (ALL_BETS, "small", 100, "small_15_net_on_100"),
        ):
            assert settle(coup, {bet: stake}, table).net == answer[key], (answer["id"], bet)


PICTURES = {
    "Kh 9s Kd Ks": {"banker": "won", "small": WON, "four_cards": WON, "dragon_bonus_banker": "natural", "player_pair": WON},
    "9h Kh Ks 9d": {"player": PUSHED, "tie": WON, "dragon_bonus_player": PUSHED, "dragon_bonus_banker": PUSHED, "egalite_9": WON},
    "8h Kh Ks 8d": {"tie": WON, "dragon_bonus_player": PUSHED, "egalite_8": WON, "tiger_tie": LOST},
    "6h 2h Ks 4d": {"tie": WON, "dragon_bonus_player": LOST, "dragon_bonus_banker": LOST, "tiger_tie": WON, "egalite_6": WON},
    "7h 2s Ks 3d Ks": {"player": WON, "five_cards": WON, "big": WON, "lucky7": "two_cards", "dragon_bonus_player": LOST},
    "2h 3s 2s 3d 3h Ks": {"player": WON, "lucky7": "three_cards", "perfect_pair": LOST, "either_pair": WON, "tiger_pair": "both"},
    "2h 6s Ks Kd 2s": {
        "banker": "six",
        "super6": WON,
        "tiger": "two_cards",
        "small_tiger": WON,
        "big_tiger": LOST,
        "dragon_bonus_banker": LOST,
    },
    "2h 3s 3h 2d 5h Ad": {"banker": "six", "tiger": "three_cards", "big_tiger": WON, "small_tiger": LOST, "six_cards": WON},
    "2h 3s 3h 2d 5h 2s": {"banker": "three_card_seven", "dragon7": WON, "super6": LOST, "panda8": LOST},
    "2h 7s 3h Kd Kh": {"banker": WON, "dragon7": LOST, "five_cards": WON, "dragon_bonus_banker": LOST},
    "Ah 7s 3h Kd 4h": {"player": WON, "panda8": WON, "dragon7": LOST, "dragon_bonus_player": LOST},
    "8h 7s Kh Kd": {"player": WON, "panda8": LOST, "dragon_bonus_player": "natural"},
    "Kh Ks Qh Qd Kd 9s": {"royal_match": "suited_and_unsuited", "dragon_bonus_banker": "by_9"},
    "Kh Qs Qh Kd 9d Ks": {"royal_match": "suited_and_unsuited", "player": WON, "dragon_bonus_player": "by_9"},
    "Kh Ks Qh Qs 9h Ts": {"royal_match": "two_suited", "dragon_bonus_player": "by_9"},
    "Kh Kd Qs Qc 5h As": {"royal_match": "two_unsuited", "dragon_bonus_player": "by_4"},
    "Kh 2d Qs 3c 2h": {"royal_match": "unsuited", "banker": WON, "five_cards": WON},
    "Kh 2d Qh 3c 2h": {"royal_match": "suited"},
    "Kh 2d Kh 2d 5h 2s": {"perfect_pair": "both", "perfect_pair_flat": WON, "tiger_pair": "both", "royal_match": LOST},
    "Kh Kh Kh Kh 5h 5s": {"perfect_pair": "both", "tiger_pair": "both_same", "player": PUSHED},
    "4h 2d 4h 3d 5h": {"perfect_pair": "one", "perfect_pair_flat": WON, "tiger_pair": "one", "player_pair": WON, "banker_pair": LOST},
    "4h 2d 4s 2d 5h": {"perfect_pair": "one", "banker_pair": WON, "either_pair": WON},
}
"""Coups, and what each of these bets says about them."""


@pytest.mark.parametrize("cards", PICTURES)
def test_what_bets_say_about_a_coup(cards):
    coup = deal(cards)
    assert {name: CATALOGUE[name].result(coup) for name in PICTURES[cards]} == PICTURES[cards]


def test_every_answer_of_every_bet_is_seen_somewhere():
    """With the pictures above and all margins, no payout of the catalogue goes untested."""
    seen = {(name, answer) for answers in PICTURES.values() for name, answer in answers.items()}
    margins = {("dragon_bonus_player", f"by_{margin}") for margin in range(4, 10)} | {
        ("dragon_bonus_banker", f"by_{m}") for m in range(4, 10)
    }
    scores = {(f"egalite_{score}", WON) for score in range(10)}
    expected = {(bet.name, payout) for bet in SIDE_BETS for payout in bet.payouts} - margins - scores
    assert expected - seen - {("dragon_bonus_player", "natural"), ("dragon_bonus_banker", "natural")} == set()


@given(coups())
def test_events_agree_with_each_other(coup):
    result = {name: bet.result(coup) for name, bet in CATALOGUE.items()}
    winner = coup.winner
    assert (result["player"] == WON) == (winner is Outcome.PLAYER)
    assert (result["banker"] not in (LOST, PUSHED)) == (winner is Outcome.BANKER)
    assert (result["tie"] == WON) == (winner is Outcome.TIE) == (result["player"] == PUSHED) == (result["banker"] == PUSHED)
    ties = [score for score in range(10) if result[f"egalite_{score}"] == WON]
    assert ties == ([coup.player.score] if winner is Outcome.TIE else [])
    assert (result["tiger_tie"] == WON) == (ties == [6])
    cards = {"four_cards": 4, "five_cards": 5, "six_cards": 6}
    assert [number for name, number in cards.items() if result[name] == WON] == [coup.cards_used]
    assert (result["small"] == WON) == (coup.cards_used == 4) != (result["big"] == WON)
    assert (result["super6"] == WON) == (result["banker"] == "six") == (result["tiger"] != LOST)
    assert (result["small_tiger"], result["big_tiger"]) == {
        LOST: (LOST, LOST),
        "two_cards": (WON, LOST),
        "three_cards": (LOST, WON),
    }[result["tiger"]]
    assert (result["dragon7"] == WON) == (result["banker"] == "three_card_seven")
    for hand, bonus in ((Outcome.PLAYER, result["dragon_bonus_player"]), (Outcome.BANKER, result["dragon_bonus_banker"])):
        margin = abs(coup.player.score - coup.banker.score)
        if winner is Outcome.TIE:
            assert bonus == (PUSHED if coup.natural else LOST)
        elif winner is not hand:
            assert bonus == LOST
        else:
            assert bonus == ("natural" if coup.natural else f"by_{margin}" if margin >= 4 else LOST)


def test_names_are_those_of_the_table():
    assert [bet.name for bet in MAIN_BETS] == ["player", "banker", "tie"]
    assert len(CATALOGUE) == 3 + 22 + 10


@pytest.mark.parametrize(
    "arguments",
    [
        ("", lambda coup: True, "scores"),
        ("Lucky", lambda coup: True, "scores"),
        ("7up", lambda coup: True, "scores"),
        ("lücky", lambda coup: True, "scores"),
        ("x" * 65, lambda coup: True, "scores"),
        (None, lambda coup: True, "scores"),
        ("lucky", None, "scores"),
        ("lucky", lambda coup: True, "cards"),
        ("lucky", lambda coup: True, None),
        ("lucky", lambda coup: True, "scores", ()),
        ("lucky", lambda coup: True, "scores", ["won"]),
        ("lucky", lambda coup: True, "scores", ("lost",)),
        ("lucky", lambda coup: True, "scores", ("won", "pushed")),
        ("lucky", lambda coup: True, "scores", ("won", "won")),
        ("lucky", lambda coup: True, "scores", ("Big win",)),
        ("lucky", lambda coup: True, "scores", (7,)),
    ],
)
def test_what_is_no_bet(arguments):
    with pytest.raises(PayTableError):
        Bet(*arguments)


@pytest.mark.parametrize(("answer", "result"), [(True, WON), (False, LOST), ("won", WON), ("pushed", PUSHED), ("lost", LOST)])
def test_an_event_may_answer_with_a_word_or_a_truth(answer, result):
    bet = Bet("own", lambda coup: answer, "scores")
    coup = deal("Kh 9s Kd Ks")
    assert bet.result(coup) == result
    line = settle(coup, {"own": 10}, PayTable(side_bets={"own": "3.0"}, bets=[bet])).lines["own"]
    assert (line.status, line.returned) == {WON: ("won", 30), PUSHED: ("pushed", 10), LOST: ("lost", 0)}[result]


@pytest.mark.parametrize("answer", ["wins", None, 7, [], 1])
def test_an_event_that_answers_with_anything_else_is_refused(answer):
    bet = Bet("own", lambda coup: answer, "scores")
    coup = deal("Kh 9s Kd Ks")
    with pytest.raises(PayTableError, match="answer of the event of bet own"):
        bet.result(coup)
    with pytest.raises(PayTableError, match="won or lost or pushed"):
        settle(coup, {"own": 10}, PayTable(side_bets={"own": "3.0"}, bets=[bet]))


def test_a_truth_is_only_an_answer_where_there_is_one_payout():
    bet = Bet("own", lambda coup: True, "scores", ("small", "large"))
    with pytest.raises(PayTableError):
        bet.result(deal("Kh 9s Kd Ks"))
