"""The audit as a function: batches of rounds in, batches of facts out.

It keeps nothing between calls, opens no file and needs no other rows than those it gets, so that threads, processes and clusters can run it
over any division of the rounds. What only shows when rounds come together is left to `reduce_facts`.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import AuditError
from .arrow import pa
from .checking import Checked, check_rows
from .columns import as_codes, fixed_array, fixed_bytes
from .dealt import UNKNOWN_TIME
from .facts import MARK, PAIR_FACTS, ROUND_FACTS, facts_batch, finding_fact, json_fact, pack
from .origins import REPLAYED, UNREADABLE
from .rows import CHAIN, SHOE, distinct, read_rows
from .schema import ROUNDS, require_columns
from .settling import Settler
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch

    from ..canonical import Json
    from .dealt import Numbers
    from .facts import Fact
    from .seed_book import SeedBook

AT_ONCE: Final = 1 << 17
"""How many rounds are looked at together."""

HELD: Final = 1 << 20
"""How many rounds are brought together before they go into buckets."""

BUCKETS: Final = 64
"""How many buckets the commitments go into unless told: all rounds of a pair are in one."""

MAX_BUCKETS: Final = 1 << 15


def audit_batches(
    batches: Iterable[RecordBatch],
    *,
    settler: Settler | None = None,
    seeds: SeedBook | None = None,
    buckets: int = BUCKETS,
    source: str | None = None,
    first_row: int = 1,
    path: str | None = None,
) -> Iterator[RecordBatch]:
    """Audit batches of rounds (schema `ROUNDS`) and give facts (schema `FACTS`).

    `settler` knows the operator's own pay tables and bets, `seeds` the revealed seeds that the rounds lack. `source` and `first_row` say
    where the first row comes from, unless the batches have columns of these names. `path` is one of `kernel_info().paths`. Raises AuditError
    for batches of another schema.
    """
    if not 1 <= buckets <= MAX_BUCKETS:
        raise AuditError("buckets", f"1 to {MAX_BUCKETS}", str(buckets))
    settler = Settler() if settler is None else settler
    rounds = lines = 0
    counts: dict[str, int] = {}
    tally = Tally()
    held = _Held(buckets)
    for block in _blocks(batches):
        checked = check_rows(read_rows(block, source, first_row), settler, seeds, path)
        first_row += block.num_rows
        rounds += block.num_rows
        lines += len(checked.rows.lines.row)
        for code, count in checked.counts.items():
            counts[code] = counts.get(code, 0) + count
        tally = tally.merge(Tally.of(checked.dealt, checked.pay_tables))
        facts = [*held.add(checked), *map(finding_fact, checked.findings)]
        if facts:
            yield facts_batch(facts)
    told: dict[str, Json] = {"rounds": rounds, "lines": lines, "findings": dict(counts)}
    yield facts_batch([*held.flush(), json_fact("counts", told), json_fact("tally", tally.to_dict())])


def _blocks(batches: Iterable[RecordBatch]) -> Iterator[Any]:
    """Batches of about the size that is looked at together."""
    held: list[Any] = []
    size = 0
    for batch in batches:
        require_columns(batch.schema, ROUNDS)
        for start in range(0, batch.num_rows, AT_ONCE):
            part = batch.slice(start, AT_ONCE)
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


class _Held:
    """What rounds say about completeness, until it is enough to go into buckets."""

    def __init__(self, buckets: int) -> None:
        self._buckets = buckets
        self._rounds: list[Any] = []
        self._pairs: list[Any] = []
        self._size = 0

    def add(self, checked: Checked) -> Iterator[Fact]:
        """Take what a batch says; gives facts once there are enough."""
        readable = np.flatnonzero(checked.origins.state != UNREADABLE)
        if len(readable):
            self._rounds.append(_round_facts(checked, readable))
            self._pairs.append(_pair_facts(checked, readable))
            self._size += len(readable)
        if self._size >= HELD:
            yield from self.flush()

    def flush(self) -> Iterator[Fact]:
        """The facts that are held, by buckets."""
        if self._size:
            yield from _rounds_by_bucket(_together(self._rounds), self._buckets)
            yield from _pairs_by_bucket(_together(self._pairs), self._buckets)
        self._rounds, self._pairs, self._size = [], [], 0


def _together(batches: list[Any]) -> Any:
    table: Any = pa.Table.from_batches(batches).unify_dictionaries().combine_chunks()
    return table.to_batches()[0]


def _round_facts(checked: Checked, readable: Numbers) -> Any:
    """What the readable rounds of a batch say."""
    rows, origins = checked.rows, checked.origins
    everything = len(readable) == len(rows)

    def taken(column: Any) -> Any:
        return column if everything else column[readable]

    is_shoe = taken(rows.way == SHOE)
    sources, names = _sources(rows.source, readable)
    return pa.record_batch(
        [
            pa.DictionaryArray.from_arrays(pa.array(taken(rows.pair)), fixed_array(rows.commitments)),
            pa.array(taken(rows.nonce)),
            _nullable(taken(rows.index), -1),
            pa.array(taken(rows.winner)),
            pa.array(taken(checked.is_sound)),
            _nullable(taken(rows.accepted_at), UNKNOWN_TIME),
            _client_marks(checked, readable) if is_shoe.any() else pa.nulls(len(readable), MARK),
            _nullable(taken(origins.coups_of_shoe), -1),
            pa.DictionaryArray.from_arrays(pa.array(sources), names),
            pa.array(taken(rows.place)),
        ],
        schema=ROUND_FACTS,
    )


def _rounds_by_bucket(facts: Any, buckets: int) -> Iterator[Fact]:
    """Round facts divided by the buckets of their commitments, each with the commitments that it needs."""
    pair, commitments = as_codes(facts.column(0))
    known = fixed_bytes(commitments)
    of_pair = bucket_of(known, buckets)
    in_order = np.argsort(of_pair, kind="stable")
    place = np.empty(len(known), np.int32)
    place[in_order] = np.arange(len(known), dtype=np.int32)
    bucket = of_pair[pair]
    if buckets > 1:
        order = np.argsort(bucket, kind="stable")
        bucket = bucket[order]
        facts = facts.take(pa.array(order))
        pair = pair[order]
    first_pairs = np.searchsorted(of_pair[in_order], np.arange(buckets + 1))
    for start, stop in _runs(bucket):
        number = int(bucket[start])
        first, last = int(first_pairs[number]), int(first_pairs[number + 1])
        codes = pa.array(place[pair[start:stop]] - first)
        part = facts.slice(start, stop - start)
        dictionary = pa.DictionaryArray.from_arrays(codes, fixed_array(known[in_order[first:last]]))
        yield "rounds", number, pack(part.set_column(0, ROUND_FACTS.field(0), dictionary))


def _runs(codes: Any) -> Iterator[tuple[int, int]]:
    """Start and end of each run of equal codes."""
    starts = np.flatnonzero(np.diff(codes, prepend=-1)).tolist()
    return zip(starts, [*starts[1:], len(codes)], strict=True)


def _nullable(values: Any, missing: int) -> Any:
    is_missing = values == missing
    return pa.array(values, mask=is_missing) if is_missing.any() else pa.array(values)


def _client_marks(checked: Checked, chosen: Numbers) -> Any:
    """A mark of the client seed of each of these rows."""
    rows = checked.rows
    marks = [None if utf8 is None else sha256(utf8).digest()[:16] for utf8 in rows.client_seeds.to_pylist()]
    return pa.array([marks[code] for code in rows.client[chosen].tolist()], MARK)


def _sources(source: Any, chosen: Numbers) -> tuple[Any, Any]:
    if source is None or isinstance(source, str):
        return np.zeros(len(chosen), np.int32), pa.array([source or ""], pa.string())
    codes, names = as_codes(source.fill_null(""))
    return codes[chosen], names.cast(pa.string())


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
