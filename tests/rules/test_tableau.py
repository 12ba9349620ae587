"""The third-card rule, held against its other printed form."""

from __future__ import annotations

import pytest

from provably_fair_baccarat.rules.tableau import TABLEAU, banker_draws, player_draws, read_tableau

BY_PLAYERS_THIRD_CARD = {
    **dict.fromkeys((2, 3), range(5)),
    **dict.fromkeys((4, 5), range(6)),
    **dict.fromkeys((6, 7), range(7)),
    8: range(3),
    **dict.fromkeys((1, 9, 0), range(4)),
    None: range(6),
}
"""The rule as most books print it: by the player's third card, the scores with which the banker draws."""


@pytest.mark.parametrize(("third", "draws"), BY_PLAYERS_THIRD_CARD.items())
@pytest.mark.parametrize("score", range(8))
def test_the_banker_draws_as_the_books_say(score, third, draws):
    assert banker_draws(score, third) is (score in draws)


def test_the_picture_has_its_88_cells():
    cells = read_tableau(TABLEAU)
    assert set(cells) == {(score, third) for score in range(8) for third in (None, *range(10))}


def test_the_player_draws_with_0_to_5():
    assert [player_draws(score) for score in range(8)] == [True] * 6 + [False] * 2
