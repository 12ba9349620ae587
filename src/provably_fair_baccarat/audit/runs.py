"""Runs: rounds of one pair that follow each other without a gap, in time and in their file, told together.

Most tables are written in the order of play, so that a hundred rounds of a pair are one run. What a run cannot say, like a round twice, is
looked for round by round: `rounds_of` gives back exactly the facts that the rounds would have had by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .arrow import pa
from .columns import as_codes, as_flags, fixed_array, fixed_bytes
from .dealt import UNKNOWN_TIME
from .facts import ROUND_FACTS, RUN_FACTS, nullable
from .serial import SerialTally

if TYPE_CHECKING:
    from pyarrow import RecordBatch

    from .dealt import Bytes, Codes, Flags, Numbers

FEWEST: Final = 4
"""So many rounds a run must have, on average, to be worth being told as one."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Runs as arrays: `winner` and `accepted_at` have every round of all runs, one run behind the other, `size` says how many each has.

    `nonce` and `row` are those of a run's first round, `pair` and `source` places in lists that are kept elsewhere. In a run nothing is
    accepted before the round before it.
    """

    pair: Codes
    nonce: Numbers
    is_sound: Flags
    source: Codes
    row: Numbers
    size: Numbers
    winner: Bytes
    accepted_at: Numbers

    def __len__(self) -> int:
        return len(self.size)

    @property
    def starts(self) -> Numbers:
        """Where each run begins among all rounds."""
        return np.cumsum(self.size) - self.size

    def merged(self) -> Runs | None:
        """Rounds, each a run by itself, as the runs that they are; None where most of them do not follow each other."""
        begins = np.ones(len(self), np.bool_)
        begins[1:] = self.pair[1:] != self.pair[:-1]
        begins[1:] |= self.nonce[1:] != self.nonce[:-1] + 1
        begins[1:] |= self.row[1:] != self.row[:-1] + 1
        begins[1:] |= self.accepted_at[1:] < self.accepted_at[:-1]
        told: Any
        for told in (self.is_sound, self.source):
            if (told != told[0]).any():
                begins[1:] |= told[1:] != told[:-1]
        starts = np.flatnonzero(begins)
        if len(starts) * FEWEST > len(self):
            return None
        size = np.diff(starts, append=len(self))
        parts = (self.pair[starts], self.nonce[starts], self.is_sound[starts], self.source[starts], self.row[starts])
        return Runs(*parts, size, self.winner, self.accepted_at)

    def taken(self, order: Numbers) -> Runs:
        """Some of the runs, in this order."""
        size = self.size[order]
        rounds = _places(self.starts[order], size)
        parts = (self.pair[order], self.nonce[order], self.is_sound[order], self.source[order], self.row[order])
        return Runs(*parts, size, self.winner[rounds], self.accepted_at[rounds])

    def to_batch(self, commitments: Bytes, sources: Any) -> RecordBatch:
        """The runs as facts, with the commitments of their pairs and the names of their sources."""
        offsets = pa.array(np.append(self.starts, len(self.winner)).astype(np.int32))
        batch: RecordBatch = pa.record_batch(
            [
                pa.DictionaryArray.from_arrays(pa.array(self.pair), fixed_array(commitments)),
                pa.array(self.nonce),
                pa.array(self.is_sound),
                pa.DictionaryArray.from_arrays(pa.array(self.source), sources),
                pa.array(self.row),
                pa.ListArray.from_arrays(offsets, pa.array(self.winner)),
                pa.ListArray.from_arrays(offsets, pa.array(self.accepted_at)),
            ],
            schema=RUN_FACTS,
        )
        return batch

    def is_whole(self, coups: Numbers) -> bool:
        """Whether nothing at all is to be told of runs in order: no nonce is missing, there twice or one beyond `coups`, all in time.

        `coups` is how many were spent under each commitment, -1 where nobody knows. An unknown time is before every other one, so that a
        pair with some is whole only where they all come first.
        """
        first = np.ones(len(self), np.bool_)
        first[1:] = self.pair[1:] != self.pair[:-1]
        last = np.append(first[1:], True)
        ends, known = self.nonce + self.size, coups[self.pair]
        follows = np.append(True, self.nonce[1:] == ends[:-1])
        starts = self.starts
        begun, ended = self.accepted_at[starts], self.accepted_at[starts + self.size - 1]
        in_time = np.append(True, begun[1:] >= ended[:-1])
        return bool(
            np.where(first, self.nonce == 0, follows & in_time).all() and ((known < 0) | np.where(last, ends == known, ends <= known)).all()
        )

    def serial(self) -> SerialTally:
        """What the order of winners says, of sound runs in order."""
        runs = self if self.is_sound.all() else self.taken(np.flatnonzero(self.is_sound))
        begins = np.ones(len(runs), np.bool_)
        begins[1:] = (runs.pair[1:] != runs.pair[:-1]) | (runs.nonce[1:] != runs.nonce[:-1] + runs.size[:-1])
        return SerialTally.of_stretches(runs.starts[begins], runs.winner)


def joined_runs(parts: list[Runs]) -> Runs:
    """Runs one behind the other."""
    return Runs(*(np.concatenate([getattr(part, name) for part in parts]) for name in Runs.__slots__))


def read_runs(batches: list[RecordBatch]) -> tuple[Runs, Bytes]:
    """The runs of facts, in the order of pair and nonce, and all commitments."""
    table: Any = pa.Table.from_batches(batches, RUN_FACTS).unify_dictionaries().combine_chunks()
    columns = {name: table.column(name).chunk(0) for name in table.column_names}
    places, given = as_codes(columns["pair"])
    again, commitments = as_codes(given)  # a batch may name a commitment twice
    source, _ = as_codes(columns["source"])
    size = np.diff(columns["winner"].offsets.to_numpy()).astype(np.int64)
    pair, nonce, row = again[places], columns["nonce"].to_numpy(), columns["row"].to_numpy()
    winner, accepted_at = (columns[name].flatten().to_numpy() for name in ("winner", "accepted_at"))
    runs = Runs(pair, nonce, as_flags(columns["is_sound"]), source, row, size, winner, accepted_at)
    order = np.lexsort((nonce, pair))
    in_order = bool((np.diff(order) > 0).all())
    return runs if in_order else runs.taken(order), fixed_bytes(commitments)


def rounds_of(batch: RecordBatch) -> RecordBatch:
    """The facts of the rounds that some runs stand for, round by round."""
    given: Any = batch
    columns = {name: given.column(name) for name in RUN_FACTS.names}
    size = np.diff(columns["winner"].offsets.to_numpy())
    run = np.repeat(np.arange(len(size)), size)
    step = _places(np.zeros(len(size), np.int64), size)
    told: dict[str, Any] = {
        "pair": columns["pair"].take(pa.array(run)),
        "nonce": pa.array(columns["nonce"].to_numpy()[run] + step),
        "winner": columns["winner"].flatten(),
        "is_sound": columns["is_sound"].take(pa.array(run)),
        "accepted_at": nullable(columns["accepted_at"].flatten().to_numpy(), UNKNOWN_TIME),
        "source": columns["source"].take(pa.array(run)),
        "row": pa.array(columns["row"].to_numpy()[run] + step),
    }
    fields: Any = ROUND_FACTS
    rounds: RecordBatch = pa.record_batch(
        [told[field.name] if field.name in told else pa.nulls(len(run), field.type) for field in fields], schema=ROUND_FACTS
    )
    return rounds


def _places(starts: Numbers, size: Any) -> Numbers:
    """The places of stretches that begin at these and have these sizes, one stretch behind the other."""
    before = np.cumsum(size) - size
    return np.repeat(starts - before, size) + np.arange(int(size.sum()), dtype=np.int64)
