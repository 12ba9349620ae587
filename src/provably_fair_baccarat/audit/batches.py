"""The audit as a function: batches of rounds in, batches of facts out.

It keeps nothing between calls, opens no file and needs no other rows than those it gets, so that threads, processes and clusters can run it
over any division of the rounds. What only shows when rounds come together is left to `reduce_facts`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ..errors import AuditError
from .arrow import pa
from .chains import Chains
from .checking import Checked, check_rows
from .columns import as_codes, fixed_array, fixed_bytes
from .dealt import UNKNOWN_TIME, joined
from .facts import MARK, PAIR_FACTS, ROUND_FACTS, facts_batch, finding_fact, json_fact, pack
from .origins import REPLAYED, UNREADABLE
from .refusal_tally import RefusalTally
from .rows import CHAIN, SHOE, distinct, read_rows
from .schema import ROUNDS, require_columns
from .settling import Settler
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch

    from ..canonical import Json
    from ..rules.pay_table import PayTable
    from .dealt import Bytes, Codes, Dealt, Flags, Numbers
    from .facts import Fact
    from .refusal_tally import Refused
    from .seed_book import SeedBook

AT_ONCE: Final = 1 << 17
"""How many rounds are looked at together."""

LARGE: Final = 1 << 15
"""So many rounds are worth being looked at by themselves."""

HELD: Final = 1 << 18
"""How many rounds are brought together before they go into buckets."""

_Part: TypeAlias = "tuple[Dealt, dict[str, PayTable]]"

TALLIED: Final = 1 << 18
"""How many rounds are tallied together."""

BUCKETS: Final = 64
"""How many buckets the commitments go into unless told: all rounds of a pair are in one."""

MAX_BUCKETS: Final = 1 << 15


def audit_batches(
    batches: Iterable[RecordBatch],
    *,
    settler: Settler | None = None,
    seeds: SeedBook | None = None,
    refused: Refused | None = None,
    buckets: int = BUCKETS,
    source: str | None = None,
    first_row: int = 1,
    path: str | None = None,
) -> Iterator[RecordBatch]:
    """Audit batches of rounds (schema `ROUNDS`) and give facts (schema `FACTS`).

    `settler` knows the operator's own pay tables and bets, `seeds` the revealed seeds that the rounds lack, and
    `refused` the bets that were refused at nonces which these rounds may have. `source` and `first_row` say
    where the first row comes from, unless the batches have columns of these names. `path` is one of `kernel_info().paths`. Raises AuditError
    for batches of another schema.
    """
    if not 1 <= buckets <= MAX_BUCKETS:
        raise AuditError("buckets", f"1 to {MAX_BUCKETS}", str(buckets))
    settler = Settler() if settler is None else settler
    rounds = lines = 0
    counts: dict[str, int] = {}
    tally, refusals = Tally(), RefusalTally()
    to_tally: list[_Part] = []
    held = _Held(buckets)
    chains = Chains()
    for block in _blocks(batches):
        checked = check_rows(read_rows(block, source, first_row), settler, seeds, path, chains)
        first_row += block.num_rows
        rounds += block.num_rows
        lines += len(checked.rows.lines.row)
        for code, count in checked.counts.items():
            counts[code] = counts.get(code, 0) + count
        to_tally.append((checked.dealt, checked.pay_tables))
        if sum(len(part) for part, _ in to_tally) >= TALLIED:
            tally, to_tally = tally.merge(_tally(to_tally)), []
        if refused:
            refusals = refusals.merge(RefusalTally.of(refused, checked.dealt, checked.pay_tables))
        facts = [*held.add(checked), *map(finding_fact, checked.findings)]
        if facts:
            yield facts_batch(facts)
    tally = tally.merge(_tally(to_tally))
    told: dict[str, Json] = {"rounds": rounds, "lines": lines, "findings": dict(counts)}
    last = [json_fact("counts", told), *tally.to_facts()]
    if refused:
        last.append(json_fact("refused", refusals.to_dict()))
    yield facts_batch([*held.flush(), *last])


def _tally(parts: list[_Part]) -> Tally:
    """The tally of some batches: of all their rounds at once where their codes mean the same, since small tallies take long to merge."""
    tally = Tally()
    while parts:
        first, tables = parts[0]
        alike = [part for part, _ in parts if (part.bets, part.pay_tables) == (first.bets, first.pay_tables)]
        parts = [each for each in parts if (each[0].bets, each[0].pay_tables) != (first.bets, first.pay_tables)]
        tally = tally.merge(Tally.of(joined(alike), tables))
    return tally


def _blocks(batches: Iterable[RecordBatch]) -> Iterator[Any]:
    """Batches of a size that is looked at together: large ones as they are, small ones joined, since joining copies every column."""
    held: list[Any] = []
    size = 0
    for batch in batches:
        require_columns(batch.schema, ROUNDS)
        for start in range(0, batch.num_rows, AT_ONCE):
            part = batch.slice(start, AT_ONCE)
            if part.num_rows >= LARGE and not held:
                yield part
                continue
            if held and (size + part.num_rows > AT_ONCE or held[0].schema != part.schema):
                yield _joined(held)
                held, size = [], 0
            held.append(part)
            size += part.num_rows
    if held:
        yield _joined(held)


def _joined(parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    table: Any = pa.Table.from_batches(parts).unify_dictionaries().combine_chunks()
    return table.to_batches()[0]


def bucket_of(commitments: Any, buckets: int) -> Any:
    """The bucket of each commitment: its first two bytes say it."""
    words = commitments[:, 0].astype(np.int32) << 8 | commitments[:, 1]
    return (words % buckets).astype(np.int16)


@dataclass(frozen=True, slots=True, eq=False)
class _RoundFacts:
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
    def of(cls, checked: Checked, chosen: Numbers | None, sources: Codes) -> _RoundFacts:
        """The facts of a batch: of chosen rounds, or of all."""
        rows = checked.rows
        client = np.where(rows.way == SHOE, rows.client, -1) if (rows.way == SHOE).any() else np.full(len(rows), -1, np.int32)
        columns: tuple[Any, ...] = (rows.pair, rows.nonce, rows.index, rows.winner, checked.is_sound, rows.accepted_at, client)
        more: tuple[Any, ...] = (checked.origins.coups_of_shoe, sources, rows.place)
        return cls(*(column if chosen is None else column[chosen] for column in (*columns, *more)))

    def columns(self) -> tuple[Any, ...]:
        """The arrays in their order."""
        return tuple(getattr(self, name) for name in self.__slots__)


class _Held:
    """What rounds say about completeness, until it is enough to go into buckets."""

    def __init__(self, buckets: int) -> None:
        self._buckets = buckets
        self._clear()

    def _clear(self) -> None:
        self._rounds: list[_RoundFacts] = []
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
        facts = _RoundFacts.of(checked, None if len(readable) == len(rows) else readable, sources + len(self._sources))
        client = np.where(facts.client < 0, -1, facts.client + len(self._clients)) if (facts.client >= 0).any() else facts.client
        self._rounds.append(replace(facts, pair=facts.pair + self._known, client=client.astype(np.int32)))
        self._sources += names
        if (facts.client >= 0).any():
            self._clients += [sha256(utf8 or b"").digest()[:16] for utf8 in rows.client_seeds.to_pylist()]
        self._commitments.append(rows.commitments)
        self._pairs.append(_pair_facts(checked, readable))
        self._known += len(rows.commitments)
        self._size += len(readable)

    def flush(self) -> Iterator[Fact]:
        """The facts that are held, by buckets."""
        if not self._size:
            return
        commitments = np.concatenate(self._commitments)
        columns = [np.concatenate(each) for each in zip(*(facts.columns() for facts in self._rounds), strict=True)]
        yield from self._by_bucket(_RoundFacts(*columns), commitments)
        yield from _pairs_by_bucket(pa.Table.from_batches(self._pairs).combine_chunks().to_batches()[0], self._buckets)
        self._clear()

    def _by_bucket(self, facts: _RoundFacts, commitments: Bytes) -> Iterator[Fact]:
        """Round facts divided by the buckets of their commitments, each with the commitments that it needs."""
        of_pair = bucket_of(commitments, self._buckets)
        in_order = np.argsort(of_pair, kind="stable")
        place = np.empty(len(commitments), np.int32)
        place[in_order] = np.arange(len(commitments), dtype=np.int32)
        bucket = of_pair[facts.pair]
        if self._buckets > 1:
            order = np.argsort(bucket, kind="stable")
            bucket = bucket[order]
            facts = _RoundFacts(*(_ordered(column, order) for column in facts.columns()))
        first_pairs = np.searchsorted(of_pair[in_order], np.arange(self._buckets + 1))
        clients, sources = pa.array(self._clients, MARK), pa.array(self._sources, pa.string())
        for start, stop in _runs(bucket):
            number = int(bucket[start])
            first, last = int(first_pairs[number]), int(first_pairs[number + 1])
            part = _RoundFacts(*(column[start:stop] for column in facts.columns()))
            batch = pa.record_batch(
                [
                    pa.DictionaryArray.from_arrays(pa.array(place[part.pair] - first), fixed_array(commitments[in_order[first:last]])),
                    pa.array(part.nonce),
                    _nullable(part.index, -1),
                    pa.array(part.winner),
                    pa.array(part.is_sound),
                    _nullable(part.accepted_at, UNKNOWN_TIME),
                    clients.take(_nullable(part.client, -1)) if self._clients else pa.nulls(stop - start, MARK),
                    _nullable(part.coups, -1),
                    pa.DictionaryArray.from_arrays(pa.array(part.source), sources),
                    pa.array(part.row),
                ],
                schema=ROUND_FACTS,
            )
            yield "rounds", number, pack(batch)


def _ordered(column: Any, order: Numbers) -> Any:
    """A column in another order; one that holds the same value everywhere is in every order."""
    return column if (column == column[0]).all() else column[order]


def _runs(codes: Any) -> Iterator[tuple[int, int]]:
    """Start and end of each run of equal codes."""
    starts = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist()]
    return zip(starts, [*starts[1:], len(codes)], strict=True)


def _nullable(values: Any, missing: int) -> Any:
    is_missing = values == missing
    return pa.array(values, mask=is_missing) if is_missing.any() else pa.array(values)


def _sources(source: Any, count: int) -> tuple[Codes, list[str]]:
    """Where each row comes from: places in a list of names."""
    if source is None or isinstance(source, str):
        return np.zeros(count, np.int32), [source or ""]
    codes, names = as_codes(source.fill_null(""))
    return codes, names.to_pylist()


def _pair_facts(checked: Checked, readable: Numbers) -> Any:
    """Which server seeds there are under each commitment."""
    rows, origins = checked.rows, checked.origins
    proved = origins.state == REPLAYED
    _, firsts = distinct(rows.pair[readable], origins.key[readable], rows.way[readable] == CHAIN, proved[readable])
    firsts = readable[firsts]
    marks = [sha256(origins.keys[key].tobytes()).digest()[:16] if key >= 0 else None for key in origins.key[firsts].tolist()]
    commitments = fixed_array(rows.commitments[rows.pair[firsts]])
    flags = (pa.array(rows.way[firsts] == CHAIN), pa.array(proved[firsts]))
    return pa.record_batch([commitments, pa.array(marks, MARK), *flags], schema=PAIR_FACTS)


def _pairs_by_bucket(facts: Any, buckets: int) -> Iterator[Fact]:
    bucket = bucket_of(fixed_bytes(facts.column(0)), buckets)
    order = np.argsort(bucket, kind="stable")
    facts, bucket = facts.take(pa.array(order)), bucket[order]
    for start, stop in _runs(bucket):
        yield "pairs", int(bucket[start]), pack(facts.slice(start, stop - start))


__all__ = ["AT_ONCE", "BUCKETS", "audit_batches", "bucket_of"]
