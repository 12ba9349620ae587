"""What rounds say about completeness, held until it is much, and divided into buckets: all that is said of a pair comes into one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .arrow import pa
from .columns import as_codes, fixed_array, fixed_bytes
from .dealt import UNKNOWN_TIME
from .facts import MARK, ROUND_FACTS, nullable, pack
from .origins import UNREADABLE
from .pair_facts import pair_facts
from .rows import SHOE
from .runs import Runs, joined_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .checking import Checked
    from .dealt import Bytes, Codes, Flags, Numbers
    from .facts import Fact

HELD: Final = 1 << 18
"""How many rounds are brought together before they go into buckets."""


def bucket_of(commitments: Any, buckets: int) -> Any:
    """The bucket of each commitment: its first two bytes say it."""
    words = commitments[:, 0].astype(np.int32) << 8 | commitments[:, 1]
    return (words % buckets).astype(np.int16)


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """What readable rounds say about completeness, as arrays in the order of `ROUND_FACTS`; pairs and sources by places in lists."""

    pair: Codes
    nonce: Numbers
    index: Codes
    winner: Bytes
    is_sound: Flags
    accepted_at: Numbers
    client: Codes
    coups: Codes
    source: Codes
    row: Numbers

    @classmethod
    def of(cls, checked: Checked, chosen: Numbers | None, sources: Codes) -> _Rounds:
        """The facts of a batch: of chosen rounds, or of all."""
        rows = checked.rows
        client = np.where(rows.way == SHOE, rows.client, -1) if (rows.way == SHOE).any() else np.full(len(rows), -1, np.int32)
        columns: tuple[Any, ...] = (rows.pair, rows.nonce, rows.index, rows.winner, checked.is_sound, rows.accepted_at, client)
        more: tuple[Any, ...] = (checked.origins.coups_of_shoe, sources, rows.place)
        return cls(*(column if chosen is None else column[chosen] for column in (*columns, *more)))

    def runs(self) -> Runs | None:
        """The same as runs, where most rounds follow each other; shoes dealt through never do."""
        if self.index.max(initial=-1) >= 0:
            return None
        each = np.ones(len(self.pair), np.int64)
        return Runs(self.pair, self.nonce, self.is_sound, self.source, self.row, each, self.winner, self.accepted_at).merged()

    def columns(self) -> tuple[Any, ...]:
        """The arrays in their order."""
        return tuple(getattr(self, name) for name in self.__slots__)


class Held:
    """What rounds say about completeness, until it is enough to go into buckets."""

    def __init__(self, buckets: int, path: str | None = None) -> None:
        self._buckets, self._path = buckets, path
        self._clear()

    def _clear(self) -> None:
        self._runs: list[Runs] = []
        self._rounds: list[_Rounds] = []
        self._commitments: list[Bytes] = []
        self._clients: list[bytes | None] = []
        self._sources: list[str] = []
        self._pairs: list[Any] = []
        self._size = 0
        self._known = 0

    def add(self, checked: Checked) -> Iterator[Fact]:
        """Take what a batch says; gives facts once there are enough."""
        readable = np.flatnonzero(checked.origins.state != UNREADABLE)
        if len(readable):
            self._take(checked, readable)
        if self._size >= HELD:
            yield from self.flush()

    def _take(self, checked: Checked, readable: Numbers) -> None:
        rows = checked.rows
        sources, names = _sources(rows.source, len(rows))
        facts = _Rounds.of(checked, None if len(readable) == len(rows) else readable, sources + np.int32(len(self._sources)))
        facts = replace(facts, pair=facts.pair + np.int32(self._known))
        runs = facts.runs()
        if runs is not None:
            self._runs.append(runs)
        elif (facts.client >= 0).any():
            client = np.where(facts.client < 0, -1, facts.client + len(self._clients)).astype(np.int32)
            self._rounds.append(replace(facts, client=client))
            self._clients += [sha256(utf8 or b"").digest()[:16] for utf8 in rows.client_seeds.to_pylist()]
        else:
            self._rounds.append(facts)
        self._sources += names
        self._commitments.append(rows.commitments)
        self._pairs += pair_facts(checked, readable, self._path)
        self._known += len(rows.commitments)
        self._size += len(readable)

    def flush(self) -> Iterator[Fact]:
        """The facts that are held, by buckets."""
        if not self._size:
            return
        commitments = _Commitments.of(np.concatenate(self._commitments), self._buckets)
        if self._runs:
            yield from self._runs_by_bucket(joined_runs(self._runs), commitments)
        if self._rounds:
            columns = [np.concatenate(each) for each in zip(*(facts.columns() for facts in self._rounds), strict=True)]
            yield from self._rounds_by_bucket(_Rounds(*columns), commitments)
        yield from _pairs_by_bucket(pa.Table.from_batches(self._pairs).combine_chunks().to_batches()[0], self._buckets)
        self._clear()

    def _runs_by_bucket(self, runs: Runs, commitments: _Commitments) -> Iterator[Fact]:
        """Runs divided by the buckets of their commitments, each with the commitments that it needs."""
        sources = pa.array(self._sources, pa.string())
        bucket = commitments.bucket[runs.pair]
        for number in np.unique(bucket).tolist():
            chosen = runs if self._buckets == 1 else runs.taken(np.flatnonzero(bucket == number))
            part = replace(chosen, pair=commitments.place[chosen.pair])
            yield "runs", number, pack(part.to_batch(commitments.of_bucket(number), sources), is_dense=True)

    def _rounds_by_bucket(self, facts: _Rounds, commitments: _Commitments) -> Iterator[Fact]:
        """The same of rounds."""
        bucket = commitments.bucket[facts.pair]
        if self._buckets > 1:
            order = np.argsort(bucket, kind="stable")
            bucket = bucket[order]
            facts = _Rounds(*(_ordered(column, order) for column in facts.columns()))
        clients, sources = pa.array(self._clients, MARK), pa.array(self._sources, pa.string())
        for start, stop in _stretches(bucket):
            number = int(bucket[start])
            part = _Rounds(*(column[start:stop] for column in facts.columns()))
            pairs = pa.array(commitments.place[part.pair])
            batch = pa.record_batch(
                [
                    pa.DictionaryArray.from_arrays(pairs, fixed_array(commitments.of_bucket(number))),
                    pa.array(part.nonce),
                    nullable(part.index, -1),
                    pa.array(part.winner),
                    pa.array(part.is_sound),
                    nullable(part.accepted_at, UNKNOWN_TIME),
                    clients.take(nullable(part.client, -1)) if self._clients else pa.nulls(stop - start, MARK),
                    nullable(part.coups, -1),
                    pa.DictionaryArray.from_arrays(pa.array(part.source), sources),
                    pa.array(part.row),
                ],
                schema=ROUND_FACTS,
            )
            yield "rounds", number, pack(batch)


@dataclass(frozen=True, slots=True, eq=False)
class _Commitments:
    """Commitments by their buckets: `bucket` of each, its `place` in there, and the 32 bytes of all, bucket by bucket."""

    bucket: Any
    place: Codes
    in_order: Bytes
    firsts: Numbers

    @classmethod
    def of(cls, commitments: Bytes, buckets: int) -> _Commitments:
        """Divide commitments."""
        bucket = bucket_of(commitments, buckets)
        order = np.argsort(bucket, kind="stable")
        firsts = np.searchsorted(bucket[order], np.arange(buckets + 1)).astype(np.int64)
        place = np.empty(len(commitments), np.int32)
        place[order] = np.arange(len(commitments), dtype=np.int32)
        return cls(bucket, place - firsts[bucket].astype(np.int32), commitments[order], firsts)

    def of_bucket(self, number: int) -> Bytes:
        """The commitments of a bucket, in the order of their places."""
        return self.in_order[self.firsts[number] : self.firsts[number + 1]]


def _ordered(column: Any, order: Numbers) -> Any:
    """A column in another order; one that holds the same value everywhere is in every order."""
    return column if (column == column[0]).all() else column[order]


def _stretches(codes: Any) -> Iterator[tuple[int, int]]:
    """Start and end of each run of equal codes."""
    starts = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist()]
    return zip(starts, [*starts[1:], len(codes)], strict=True)


def _sources(source: Any, count: int) -> tuple[Codes, list[str]]:
    """Where each row comes from: places in a list of names."""
    if source is None or isinstance(source, str):
        return np.zeros(count, np.int32), [source or ""]
    codes, names = as_codes(source.fill_null(""))
    return codes, names.to_pylist()


def _pairs_by_bucket(facts: Any, buckets: int) -> Iterator[Fact]:
    bucket = bucket_of(fixed_bytes(facts.column(0)), buckets)
    order = np.argsort(bucket, kind="stable")
    facts, bucket = facts.take(pa.array(order)), bucket[order]
    for start, stop in _stretches(bucket):
        yield "pairs", int(bucket[start]), pack(facts.slice(start, stop - start))
