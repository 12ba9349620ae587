"""The report as a value: what an audit found, counted and compared, ready to be written down."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..findings import CODES
from ..statistics import ALPHA, Statistics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...rules.bets import Bet
    from ..findings import Finding
    from ..result import AuditResult

FORMAT: Final = "provably_fair_baccarat.audit_report"
FORMAT_VERSION: Final = 1
"""The version of the JSON form, which changes when a key goes or means something else."""

MOST_FIRST: Final = 5
"""How many findings of a kind are told with it."""


class Grade(StrEnum):
    """What an audit comes to."""

    FAILED = "failed"
    """Something was found."""
    CONSPICUOUS = "conspicuous"
    """Nothing was found, but statistics are odder than chance explains."""
    CLEAN = "clean"
    """Nothing was found, and nothing is odd."""
    EMPTY = "empty"
    """There was no round to look at."""


class Verdict(NamedTuple):
    """The grade, a headline, and what it rests on, in plain words."""

    grade: Grade
    headline: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindingKind:
    """All findings of one code: what it means, how many there are, and the first of them."""

    code: str
    meaning: str
    count: int
    first: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """The kind as JSON."""
        return {"code": self.code, "meaning": self.meaning, "count": self.count, "first": [each.to_dict() for each in self.first]}


@dataclass(frozen=True, slots=True)
class Report:
    """What a report says: what an audit found, with the statistics of what it counted."""

    result: AuditResult
    statistics: Statistics

    @classmethod
    def of(cls, result: AuditResult, bets: Iterable[Bet] = (), alpha: float = ALPHA) -> Report:
        """The report of an audit; `bets` are the operator's own that its pay tables may offer, `alpha` the level of the statistics."""
        return cls(result, Statistics.of(result.tally, result.serial, result.refused, bets=bets, alpha=alpha))

    @property
    def rounds(self) -> int:
        """How many rounds there were."""
        return self.result.rounds

    @property
    def findings(self) -> tuple[FindingKind, ...]:
        """The findings by kind, each with the first of those that the result keeps."""
        return tuple(
            FindingKind(code, CODES[code], count, tuple(each for each in self.result.findings if each.code == code)[:MOST_FIRST])
            for code, count in self.result.finding_counts.items()
        )

    @property
    def verdict(self) -> Verdict:
        """What it all comes to."""
        found = sum(self.result.finding_counts.values())
        flagged, family = len(self.statistics.flagged), self.statistics.family
        odd = f"{flagged:,} of {family:,} statistical comparisons {'is' if flagged == 1 else 'are'} odder than chance explains."
        if found:
            kinds = len(self.result.finding_counts)
            reasons = [f"{number(found, 'finding')} of {number(kinds, 'kind')}: see below where, and what was expected there."]
            if unsound := self.result.tally.unsound:
                reasons.append(
                    f"{number(unsound, 'round')} of {self.rounds:,} {'is' if unsound == 1 else 'are'} not as {'it' if unsound == 1 else 'they'} should be."
                )
            return Verdict(Grade.FAILED, "This audit failed", (*reasons, *([odd] if flagged else [])))
        if not self.rounds:
            return Verdict(Grade.EMPTY, "There was nothing to audit", ("No round was there to be read, so nothing is proved.",))
        proved = f"Every card, every winner and every payment of {number(self.rounds, 'round')} follows from revealed seeds and from the pay tables."
        if flagged:
            doubt = "Single rounds are right; whoever chose seeds, or refused bets, has something to explain."
            return Verdict(Grade.CONSPICUOUS, "The rounds are right, but they are too odd for chance", (proved, odd, doubt))
        fair = f"None of {number(family, 'statistical comparison')} is odder than chance explains." if family else _TOO_FEW
        return Verdict(Grade.CLEAN, "Nothing was found against these rounds", (proved, self._completeness(), fair))

    def _completeness(self) -> str:
        pairs = self.result.pairs
        if unknown := pairs.pairs - pairs.counted:
            of = f"{unknown:,} of {number(pairs.pairs, 'seed pair')}"
            return f"No nonce is left out between rounds; but for {of} nobody said how many there were, so the last ones may be missing."
        return f"No round of {number(pairs.pairs, 'seed pair')} is missing."

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON: every key is always there."""
        verdict, result = self.verdict, self.result
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "verdict": {"grade": verdict.grade.value, "headline": verdict.headline, "reasons": list(verdict.reasons)},
            "rounds": {"read": result.rounds, "tallied": result.tally.rounds - result.tally.unsound, "unsound": result.tally.unsound},
            "lines": result.lines,
            "pairs": {name: getattr(result.pairs, name) for name in result.pairs.__slots__},
            "findings": [kind.to_dict() for kind in self.findings],
            "refusals": {"counts": None if result.refusals is None else dict(result.refusals), "held": result.refused.to_dict()},
            "statistics": self.statistics.to_dict(),
            "tally": result.tally.to_dict(),
            "serial": result.serial.to_dict(),
            "manifest": dict(result.manifest),
        }


def number(count: int, name: str) -> str:
    """So many of something."""
    return f"{count:,} {name}{'' if count == 1 else 's'}"


_TOO_FEW: Final = "There are too few rounds for statistics."
