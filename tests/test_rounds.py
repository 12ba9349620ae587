"""Rounds, forwards: known answers of programs that share no code with this one."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given

from provably_fair_baccarat import Round, Seeds, play_round, play_shoe
from provably_fair_baccarat.errors import BaccaratError, DealError, NonceError, SchemeError, SeedTextError
from provably_fair_baccarat.testing import nonces, seeds

KEYS = {
    *("id", "server_seed", "client_seed", "nonce", "decks", "commitment", "cut", "cards", "note"),
    *("player", "banker", "player_score", "banker_score", "natural", "winner"),
}


def texts(cards):
    return [str(card) for card in cards]


def test_known_rounds(vectors):
    answers = vectors("pfb1")["coups"]
    assert len(answers) == 53
    for answer in answers:
        assert set(answer) | {"note"} == KEYS
        pair = Seeds(answer["server_seed"], answer["client_seed"], answer["commitment"], answer["decks"])
        played = play_round(pair, answer["nonce"])
        assert played.cut == answer["cut"], answer["id"]
        assert texts(played.cards) == answer["cards"]
        assert texts(played.coup.player.cards) == answer["player"]
        assert texts(played.coup.banker.cards) == answer["banker"]
        assert played.coup.player.score == answer["player_score"]
        assert played.coup.banker.score == answer["banker_score"]
        assert played.coup.natural == answer["natural"]
        assert played.coup.winner.value == answer["winner"]


def test_known_shoes(vectors):
    for answer in vectors("shoes")["shoes"]:
        pair = Seeds(answer["server_seed"], answer["client_seed"], answer["commitment"], answer["decks"], scheme="pfb1-shoe")
        rounds = play_shoe(pair, answer["nonce"])
        assert len(rounds) == len(answer["coups"])
        for played, coup in zip(rounds, answer["coups"], strict=True):
            assert set(coup) == {"index", "player", "banker", "winner"}
            assert played.index == coup["index"]
            assert played.cut == answer["cut"]
            assert texts(played.coup.player.cards) == coup["player"]
            assert texts(played.coup.banker.cards) == coup["banker"]
            assert played.coup.winner.value == coup["winner"]
            assert played.cards == played.coup.cards


@given(seeds(), nonces())
def test_the_same_seeds_and_nonce_give_the_same_round(pair, nonce):
    played = play_round(pair, nonce)
    again = play_round(Seeds(pair.server_seed, pair.client_seed, pair.commitment, pair.decks), nonce)
    assert played == again
    assert hash(played) == hash(again)
    assert pickle.loads(pickle.dumps(played)) == played
    assert (played.nonce, played.index) == (nonce, None)
    assert (played.client_seed, played.commitment, played.decks, played.scheme) == (
        pair.client_seed,
        pair.commitment,
        pair.decks,
        "pfb1",
    )
    assert 0 <= played.cut < 52 * pair.decks
    assert len(played.cards) == 6
    assert max(Counter(played.cards).values()) <= pair.decks
    assert played.coup.cards == played.cards[: played.coup.cards_used]


def test_decks_nonce_and_both_seeds_matter():
    base = play_round(Seeds.commit("00" * 32, "x"), 0)
    others = [
        play_round(Seeds.commit("00" * 32, "x"), 1),
        play_round(Seeds.commit("00" * 32, "y"), 0),
        play_round(Seeds.commit("01" + "00" * 31, "x"), 0),
        play_round(Seeds.commit("00" * 32, "x", 7), 0),
    ]
    assert len({played.cards for played in [base, *others]}) == 5


@pytest.mark.parametrize("nonce", [-1, 2**53, 1.0, True, "1", None])
@pytest.mark.parametrize(("play", "scheme"), [(play_round, "pfb1"), (play_shoe, "pfb1-shoe")])
def test_what_is_no_nonce(play, scheme, nonce):
    with pytest.raises(NonceError):
        play(Seeds.commit("00" * 32, "x", scheme=scheme), nonce)


@pytest.mark.parametrize(("play", "scheme", "hint"), [(play_round, "pfb1-shoe", "Use play_shoe."), (play_shoe, "pfb1", "Use play_round.")])
def test_coups_and_shoes_are_not_mixed_up(play, scheme, hint):
    with pytest.raises(SchemeError) as caught:
        play(Seeds.commit("00" * 32, "x", scheme=scheme), 0)
    assert caught.value.hint == hint


def test_a_cut_is_in_its_shoe():
    for pair, last in (
        (Seeds.commit("00" * 32, "x"), 415),
        (Seeds.commit("00" * 32, "x", 1), 51),
        (Seeds("x", "x", None, scheme="stake"), 51),
    ):
        played = play_round(pair, 5)
        for cut in (0, last, None):
            assert Round(played.origin, 5, cut, played.cards, played.coup).cut == cut
        for cut in (-1, last + 1):
            with pytest.raises(DealError, match=f"None or a whole number from 0 to {last}"):
                Round(played.origin, 5, cut, played.cards, played.coup)


def test_a_round_is_right_from_birth():
    pair = Seeds.commit("00" * 32, "x")
    played = play_round(pair, 5)
    right = (played.origin, 5, played.cut, played.cards, played.coup)
    assert Round(*right) == played
    other = next(play_round(pair, nonce) for nonce in range(6, 99) if play_round(pair, nonce).coup != played.coup)
    for place, wrong in ((0, "origin"), (1, -1), (2, 416), (2, "7"), (3, other.cards), (3, ()), (4, other.coup), (4, None)):
        with pytest.raises(BaccaratError):
            Round(*right[:place], wrong, *right[place + 1 :])
    for index in (-1, "0", True):
        with pytest.raises(DealError):
            Round(*right, index)


@pytest.mark.parametrize("play", [play_round, play_shoe])
def test_what_are_no_seeds(play):
    with pytest.raises(SeedTextError):
        play("seeds", 0)


@given(seeds(), nonces())
def test_rounds_never_change(pair, nonce):
    played = play_round(pair, nonce)
    for name in ("nonce", "cut", "cards", "coup", "origin", "commitment", "note"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(played, name, None)
        with pytest.raises((AttributeError, TypeError)):
            setattr(played.origin, name, None)
