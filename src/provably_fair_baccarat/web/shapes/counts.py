"""The shapes of what is counted: the odds of bets, and the scoreboards of coups."""

from typing import Annotated, Literal

from pydantic import Field

from ...fairness.inputs import MAX_DECKS
from .texts import Count, Decimal, Fraction, Hand, Hash, Name, PairId, Shape, Winner


class Figure(Shape):
    """An exact figure, and the same to twelve decimals."""

    fraction: Fraction
    decimal: Decimal


class BetOdds(Shape):
    """The odds of one bet, per unit staked."""

    hit_frequency: Figure
    push_probability: Figure
    expected_return: Figure
    house_edge: Figure
    standard_deviation: Decimal


class Odds(Shape):
    """The exact odds of every bet on offer, counted and never sampled."""

    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)]
    pay_table_digest: Hash
    bets: dict[Name, BetOdds]


class Bead(Shape):
    """A cell of the bead plate: one coup."""

    column: Count
    row: Annotated[int, Field(ge=0, le=5)]
    winner: Winner
    player_pair: bool
    banker_pair: bool
    natural: bool


class Win(Bead):
    """A cell of the big road: one win, and the ties behind it."""

    ties: Count


class Mark(Shape):
    """A cell of a derived road."""

    column: Count
    row: Annotated[int, Field(ge=0, le=5)]
    mark: Literal["red", "blue"]


class BigRoad(Shape):
    """The big road: its streaks, and the ties before the first win."""

    leading_ties: Count
    streaks: list[list[Win]]


class NextMarks(Shape):
    """What each derived road would mark next."""

    big_eye_boy: Literal["red", "blue"] | None
    small_road: Literal["red", "blue"] | None
    cockroach: Literal["red", "blue"] | None


class Roads(Shape):
    """The scoreboards of the bettor's latest coups under one pair. They tell what happened, and nothing about what will."""

    pair: PairId | None
    coups: Count
    rows: Literal[6]
    bead_plate: list[Bead]
    big_road: BigRoad
    big_eye_boy: list[Mark]
    small_road: list[Mark]
    cockroach: list[Mark]
    ask: dict[Hand, NextMarks]
