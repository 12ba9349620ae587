"""What a history file proves: commitment by commitment, and how far each guarantee carries for how many coups."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...verify import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from ...records import CurrencyForm, MadeBy
    from ...verify import Guarantee
    from ..keys import KeySet
    from ..log.note import Checkpoint


@dataclass(frozen=True, slots=True)
class ProvedCommitment:
    """A commitment of the history: all of its coups, in order, and what they came to in smallest currency units.

    `coups` were accepted, `settled` of them have a receipt, and `verified` of those were dealt again and compared to the last unit; the
    others are signed, and nothing more, until the operator reveals.
    """

    commitment: str
    label: str
    opened_at: datetime
    client_seed: str | None
    client_seed_made_by: MadeBy | None
    coups: int
    settled: int
    verified: int
    is_closed: bool
    staked: int
    returned: int


@dataclass(slots=True)
class GuaranteeTally:
    """For how many coups a guarantee is proved, claimed or unknown, and a sentence for each grade that occurs."""

    counts: Counter[Grade] = field(default_factory=Counter[Grade])
    sentences: dict[Grade, str] = field(default_factory=dict[Grade, str])

    @property
    def weakest(self) -> Grade:
        """The weakest grade that occurs."""
        return next((grade for grade in (Grade.UNKNOWN, Grade.CLAIMED, Grade.PROVED) if self.counts[grade]), Grade.UNKNOWN)


@dataclass(frozen=True, slots=True)
class ProvedHistory:
    """A history file in which everything is as it should be.

    `are_keys_compared` says whether the reader brought the operator's keys: without, the file was checked against keys that it brings itself.
    """

    bettor: str
    currency: CurrencyForm | None
    made_at: datetime
    keys: KeySet
    are_keys_compared: bool
    checkpoint: Checkpoint | None
    commitments: tuple[ProvedCommitment, ...]
    guarantees: Mapping[str, GuaranteeTally]
    statements: int
    logged: int

    @property
    def coups(self) -> int:
        """How many coups were accepted."""
        return sum(each.coups for each in self.commitments)

    @property
    def open_coups(self) -> int:
        """How many of them can't be verified yet, since nothing is revealed."""
        return sum(each.coups - each.verified for each in self.commitments)


def tally(guarantees: Iterable[tuple[tuple[Guarantee, ...], int]]) -> dict[str, GuaranteeTally]:
    """Count guarantees, each with how many coups it holds for."""
    tallies: dict[str, GuaranteeTally] = {}
    for each, coups in guarantees:
        for guarantee in each:
            told = tallies.setdefault(guarantee.code, GuaranteeTally())
            told.counts[guarantee.grade] += coups
            told.sentences.setdefault(guarantee.grade, guarantee.sentence)
    return tallies
