"""What an audit comes to: counts, findings, a tally for statistics, and a manifest that says what was audited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..canonical import canonical_json
from .completeness import unseen_pairs
from .curve import Curve
from .facts import read_json
from .findings import CODES, Finding
from .refusal_tally import RefusalTally
from .reuse import reused_secrets
from .serial import SerialTally
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ..canonical import Json
    from .fragments import Fragment
    from .seed_book import SeedBook

FORMAT_VERSION: Final = 1
"""The version of the JSON form of a result."""

KEPT: Final = 1000
"""How many findings a result keeps; all of them are in the findings file, if one was asked for."""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many seed pairs there are of each kind.

    `pairs` have rounds; `complete` ones have every nonce once and in order, `sound` ones also nothing wrong in any round or
    between them; of `counted` ones the number of coups is known; `not_revealed` ones have no server seed at all.
    """

    pairs: int = 0
    complete: int = 0
    counted: int = 0
    sound: int = 0
    not_revealed: int = 0


@dataclass(frozen=True, slots=True)
class AuditResult:
    """What an audit found. `finding_counts` counts every finding by its code; `findings` are the first of them.

    `tally` and `serial` are what the sound rounds come to, for statistics. `manifest` tells the inputs with their digests, the version, the
    options and the times, `refusals` how refused bets would have gone, or is None where none were given; `refused` sums these bets for
    statistics.
    """

    rounds: int
    lines: int
    pairs: PairCounts
    finding_counts: Mapping[str, int]
    findings: tuple[Finding, ...]
    tally: Tally
    serial: SerialTally
    manifest: Mapping[str, Json]
    refusals: Mapping[str, Json] | None = None
    refused: RefusalTally = field(default_factory=RefusalTally)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.finding_counts

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing to audit: no row could be read as a round, and nobody told of rounds that there must be."""
        return not self.rounds and set(self.finding_counts) <= {"file", "unreadable"}

    def to_dict(self) -> dict[str, Json]:
        """The result as JSON values; every key is always there."""
        return {
            "format_version": FORMAT_VERSION,
            "clean": self.is_clean,
            "rounds": self.rounds,
            "lines": self.lines,
            "pairs": {name: getattr(self.pairs, name) for name in PairCounts.__slots__},
            "finding_counts": dict(self.finding_counts),
            "findings": [finding.to_dict() for finding in self.findings],
            "refusals": None if self.refusals is None else dict(self.refusals),
            "tally": self.tally.to_dict(),
            "serial": self.serial.to_dict(),
            "manifest": dict(self.manifest),
        }

    def to_json(self) -> bytes:
        """The result as one line of canonical JSON."""
        return canonical_json(self.to_dict())


@dataclass(slots=True)
class Collector:
    """Brings facts that need no more than adding together; findings go where they are to be told, in the order they come."""

    tell: Callable[[bytes], object] | None = None
    rounds: int = 0
    lines: int = 0
    counts: dict[str, int] = field(default_factory=dict[str, int])
    pairs: PairCounts = field(default_factory=PairCounts)
    tally: Tally = field(default_factory=Tally)
    serial: SerialTally = field(default_factory=SerialTally)
    refused: RefusalTally = field(default_factory=RefusalTally)
    findings: list[Finding] = field(default_factory=list[Finding])
    seen: list[bytes] = field(default_factory=list[bytes])
    roots: list[bytes] = field(default_factory=list[bytes])

    def add(self, kind: str, payload: bytes) -> None:
        """Take a fact of any kind but those that need their whole bucket."""
        if kind == "finding":
            self._keep(payload)
        elif kind in ("seen", "roots"):
            (self.seen if kind == "seen" else self.roots).append(payload)
        elif kind == "curve":
            name, curve = Curve.unpack(payload)
            self.tally = self.tally.merge(Tally(curves={name: curve}))
        else:
            value = read_json(payload)
            if kind == "counts":
                self.rounds += value.get("rounds", 0)
                self.lines += value.get("lines", 0)
                for code, count in value["findings"].items():
                    self.counts[code] = self.counts.get(code, 0) + count
            elif kind == "pair_counts":
                names = PairCounts.__slots__
                self.pairs = PairCounts(**{name: getattr(self.pairs, name) + value[name] for name in names})
            elif kind == "tally":
                self.tally = self.tally.merge(Tally.from_dict(value))
            elif kind == "serial":
                self.serial = self.serial.merge(SerialTally.from_dict(value))
            elif kind == "refused":
                self.refused = self.refused.merge(RefusalTally.from_dict(value))

    def add_fragment(self, fragment: Fragment) -> None:
        """Take all of a fragment."""
        for entry, payload in fragment.payloads("counts", "tally", "curve", "refused", "pair_counts", "serial", "seen", "roots"):
            self.add(entry.kind, payload)
        for finding in fragment.findings():
            self._keep(finding)

    def _keep(self, payload: bytes) -> None:
        if self.tell is not None:
            self.tell(payload)
        if len(self.findings) < KEPT:
            self.findings.append(Finding.parse_json(payload))

    def tell_all(self, findings: Iterable[Finding]) -> None:
        """Take findings that are not counted yet."""
        for finding in findings:
            self.counts[finding.code] = self.counts.get(finding.code, 0) + 1
            self._keep(finding.to_json())

    def finish(
        self, manifest: Mapping[str, Json], seeds: SeedBook | None = None, refusals: Mapping[str, Json] | None = None
    ) -> AuditResult:
        """The result, once every fact is here: with what only shows when all pairs are known."""
        self.tell_all(self._last(seeds))
        weighed = None if refusals is None else {**refusals, "unsettled": self.refused.unsettled}
        in_order = {code: self.counts[code] for code in CODES if self.counts.get(code)}
        found = tuple(self.findings)
        return AuditResult(self.rounds, self.lines, self.pairs, in_order, found, self.tally, self.serial, manifest, weighed, self.refused)

    def _last(self, seeds: SeedBook | None) -> Iterator[Finding]:
        yield from reused_secrets(self.seen, self.roots, self.rounds, seeds)
        if seeds is not None:
            yield from unseen_pairs([*self.seen, *self.roots], seeds)
