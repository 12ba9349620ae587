"""What a verification says: the checks that passed, and how far each guarantee holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..canonical import Json
    from ..records import RoundRecord
    from ..rounds import Round
    from ..rules.settlement import Settlement


class Grade(Enum):
    """How far a guarantee holds for one round."""

    PROVED = "proved"
    CLAIMED = "claimed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was recomputed and found right, in a sentence for the bettor."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Something a bettor wants to be sure of, how sure it is for this round, and why, in a sentence for the bettor."""

    code: str
    grade: Grade
    sentence: str


@dataclass(frozen=True, slots=True)
class VerifiedRound:
    """What a verification proved: the round, every check that passed, and the guarantees by their code."""

    round: Round
    settlement: Settlement | None
    """The settlement that the record claims, recomputed; None without a record."""
    checks: tuple[Check, ...]
    guarantees: Mapping[str, Guarantee]
    record: RoundRecord | None = None
    """The record that was compared with the replay, if there was one."""

    def to_dict(self) -> dict[str, Json]:
        """What was proved as JSON: the round as it was dealt again, the checks, and the guarantees by their code."""
        return {
            "round": _round_json(self.round),
            "checks": [{"code": check.code, "sentence": check.sentence} for check in self.checks],
            "guarantees": {code: {"grade": each.grade.value, "sentence": each.sentence} for code, each in self.guarantees.items()},
        }

    def __hash__(self) -> int:
        return hash((self.round, self.settlement, self.checks))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.round, self.settlement, self.checks, tuple(self.guarantees.values()), self.record)


def _restore(
    played: Round, settlement: Settlement | None, checks: tuple[Check, ...], guarantees: tuple[Guarantee, ...], record: RoundRecord | None
) -> VerifiedRound:
    return VerifiedRound(played, settlement, checks, by_code(guarantees), record)


def _round_json(played: Round) -> dict[str, Json]:
    return {
        "scheme": played.scheme,
        "decks": played.decks,
        "commitment": None if played.commitment is None else str(played.commitment),
        "client_seed": str(played.client_seed),
        "nonce": played.nonce,
        "index": played.index,
        "cut": played.cut,
        "cards": [str(card) for card in played.cards],
        "winner": played.coup.winner.value,
    }


def by_code(guarantees: tuple[Guarantee, ...]) -> Mapping[str, Guarantee]:
    """Guarantees by their code, to be read and not changed."""
    return MappingProxyType({guarantee.code: guarantee for guarantee in guarantees})
