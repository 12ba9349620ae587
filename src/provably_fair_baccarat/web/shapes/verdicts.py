"""The shapes of what a verification says, and of problems."""

from typing import Annotated

from pydantic import Field

from ...fairness.inputs import MAX_DECKS
from .texts import Card, Count, Grade, Hash, Nonce, Shape, Winner


class Check(Shape):
    """Something that was recomputed and found right."""

    code: str
    sentence: str


class Guarantee(Shape):
    """How far something a bettor wants to be sure of holds, and why."""

    grade: Grade
    sentence: str


class Slip(Shape):
    """A likely mistake."""

    code: str
    sentence: str


class Difference(Shape):
    """What differs, and the slips that would explain it, best guess first."""

    code: str
    subject: str
    expected: str
    found: str
    hint: str | None
    slips: list[Slip]


class VerifiedRound(Shape):
    """The round that was recomputed."""

    scheme: str
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] | None
    commitment: Hash | None
    client_seed: str
    nonce: Nonce
    index: Count | None
    cut: Count | None
    cards: list[Card]
    winner: Winner


class Verdict(Shape):
    """What a verification says: verified with all that was checked, or the first thing that differs."""

    verified: bool
    round: VerifiedRound | None
    checks: list[Check]
    guarantees: dict[str, Guarantee]
    error: Difference | None


class Problem(Shape):
    """Problem details (RFC 9457) with the library's own code."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    subject: str | None
    expected: str | None
    found: str | None
    hint: str | None
    slips: list[Slip]
