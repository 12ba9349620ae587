"""Whether the rounds of each pair are all there, each once, and in their order: the facts of many batches brought together.

The answer depends on the facts alone, in whatever batches and order they come.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from .arrow import pa, pc
from .columns import as_codes, as_flags, as_numbers, fixed_array, fixed_bytes
from .dealt import UNKNOWN_TIME
from .facts import FACTS, NO_BUCKET, ROUND_FACTS, facts_batch, finding_fact, json_fact, pack, read_facts, unpack
from .findings import Finding
from .pair_checks import read_pairs
from .rows import combined
from .runs import read_runs, rounds_of
from .serial import SerialTally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch

    from .dealt import Bytes, Codes, Flags, Numbers
    from .seed_book import SeedBook

_OF_BUCKETS: Final = ("rounds", "runs", "pairs")


def reduce_facts(batches: Iterable[RecordBatch], *, seeds: SeedBook | None = None) -> Iterator[RecordBatch]:
    """Bring facts together: all those of a bucket must be here, or none.

    Gives facts: findings about pairs, counts of pairs, and which commitments and server seeds were seen. Other facts are handed on.
    """
    of_buckets: dict[int, dict[str, list[RecordBatch]]] = {}
    for kind, bucket, payload in read_facts(batches):
        if kind in _OF_BUCKETS:
            of_buckets.setdefault(bucket, {name: [] for name in _OF_BUCKETS})[kind].append(unpack(payload))
        else:
            yield facts_batch([(kind, NO_BUCKET, payload)])
    for bucket in sorted(of_buckets):
        yield facts_batch(_reduce_bucket(**of_buckets.pop(bucket), seeds=seeds))


@dataclass(slots=True)
class _Bucket:
    """All rounds of some pairs, sorted by pair, nonce and index."""

    commitments: Bytes
    pair: Codes
    nonce: Numbers
    index: Codes
    winner: Bytes
    is_sound: Flags
    accepted_at: Numbers
    client_seed: Codes
    coups: Codes
    source: Codes
    sources: list[str]
    row: Numbers
    is_new: Flags
    """Whether a round is the first of its pair, nonce and index."""
    findings: list[Finding] = field(default_factory=list[Finding])
    is_faulty: Flags = field(default_factory=lambda: np.zeros(0, np.bool_))
    """Which pairs have a finding."""

    def tell(self, code: str, place: int, expected: str, found: str, *, of_round: bool = True, nonce: int | None = None) -> None:
        """Tell of a round, or of the pair that it belongs to."""
        pair = int(self.pair[place])
        self.is_faulty[pair] = True
        commitment = self.commitments[pair].tobytes().hex()
        if not of_round:
            self.findings.append(Finding(code, expected, found, None, None, commitment, nonce))
            return
        index = int(self.index[place])
        self.findings.append(
            Finding(
                code,
                expected,
                found,
                self.sources[int(self.source[place])] or None,
                int(self.row[place]) or None,
                commitment,
                int(self.nonce[place]),
                None if index < 0 else index,
            )
        )

    def where(self, place: int) -> str:
        """Where a round stands."""
        source, row = self.sources[int(self.source[place])], int(self.row[place])
        return ", ".join([*([source] if source else []), *([f"row {row}"] if row else [])]) or "another row"


def _reduce_bucket(
    rounds: list[RecordBatch], runs: list[RecordBatch], pairs: list[RecordBatch], seeds: SeedBook | None
) -> list[tuple[str, int, bytes]]:
    whole = None if rounds else _whole(runs, seeds)
    if whole is None:
        bucket = _read([*rounds, *map(rounds_of, runs)])
        coups = _coups_known(bucket.commitments, seeds)
        _tell_twice(bucket)
        _tell_missing(bucket, coups)
        _tell_shoes(bucket)
        _tell_times(bucket)
        unsound, serial = bucket.pair[~bucket.is_sound], _serial(bucket)
    else:
        bucket, unsound, serial = whole
        coups = _coups_known(bucket.commitments, seeds)
    seen = read_pairs(pairs, seeds)
    bucket.findings += seen.findings
    is_contradicted = pc.is_in(
        fixed_array(bucket.commitments), pa.array([bytes.fromhex(each.commitment or "") for each in seen.findings], pa.binary(32))
    )
    counts: dict[str, int] = {}
    for finding in bucket.findings:
        counts[finding.code] = counts.get(finding.code, 0) + 1
    is_sound = np.ones(len(bucket.commitments), np.bool_)
    is_sound[unsound] = False
    is_sound[as_flags(is_contradicted)] = False
    told: dict[str, Any] = {
        "pairs": len(bucket.commitments),
        "complete": int((~bucket.is_faulty).sum()),
        "counted": int((coups >= 0).sum()),
        "sound": int((is_sound & ~bucket.is_faulty).sum()),
        "not_revealed": seen.unrevealed,
    }
    findings = sorted(bucket.findings, key=_place_of)
    return [
        json_fact("counts", {"findings": dict(counts)}),
        json_fact("pair_counts", told),
        json_fact("serial", serial.to_dict()),
        ("seen", NO_BUCKET, pack(seen.seen)),
        ("roots", NO_BUCKET, pack(seen.roots)),
        *map(finding_fact, findings),
    ]


def _place_of(finding: Finding) -> tuple[object, ...]:
    """The order of findings: whatever order the facts came in, it is the same."""
    numbers = (-1 if number is None else number for number in (finding.nonce, finding.index, finding.row))
    return (finding.commitment, *numbers, finding.code, finding.source or "", finding.expected)


def _whole(runs: list[RecordBatch], seeds: SeedBook | None) -> tuple[_Bucket, Codes, SerialTally] | None:
    """A bucket of runs of which nothing is to be told, without its rounds; with the pairs that have unsound rounds, and the order of winners."""
    told, commitments = read_runs(runs)
    if not told.is_whole(_coups_known(commitments, seeds)):
        return None
    bucket = _read([rounds_of(cast("Any", batch).slice(0, 0)) for batch in runs])
    return bucket, told.pair[~told.is_sound], told.serial()


def _read(batches: list[RecordBatch]) -> _Bucket:
    table: Any = pa.Table.from_batches(batches, ROUND_FACTS).unify_dictionaries().combine_chunks()
    columns = {name: table.column(name).chunk(0) for name in table.column_names}
    places, given = as_codes(columns["pair"])
    again, commitments = as_codes(given)  # a batch may name a commitment twice
    pair = again[places]
    nonce, index = as_numbers(columns["nonce"], 0, np.int64), as_numbers(columns["index"], -1, np.int32)
    source, sources = as_codes(columns["source"])
    numbers: dict[str, Any] = {
        "pair": pair,
        "nonce": nonce,
        "index": index,
        "winner": as_numbers(columns["winner"], 255, np.uint8),
        "is_sound": as_flags(columns["is_sound"]),
        "accepted_at": as_numbers(columns["accepted_at"], UNKNOWN_TIME, np.int64),
        "client_seed": as_codes(columns["client_seed"])[0],
        "coups": as_numbers(columns["coups"], -1, np.int32),
        "source": source,
        "row": as_numbers(columns["row"], 0, np.int64),
    }
    if not _is_sorted(pair, nonce, index):
        order = _order(combined((pair, nonce, index)), _ranks(sources.to_pylist())[source], numbers["row"])
        numbers = {name: values[order] for name, values in numbers.items()}
    is_new = np.ones(len(pair), np.bool_)
    is_new[1:] = (numbers["pair"][1:] != numbers["pair"][:-1]) | (numbers["nonce"][1:] != numbers["nonce"][:-1])
    is_new[1:] |= numbers["index"][1:] != numbers["index"][:-1]
    bucket = _Bucket(commitments=fixed_bytes(commitments), sources=sources.to_pylist(), is_new=is_new, **numbers)
    bucket.is_faulty = np.zeros(len(bucket.commitments), np.bool_)
    return bucket


def _order(keys: Numbers, source: Codes, row: Numbers) -> Numbers:
    """The order of rounds by their keys, and of those few that have the same one, by where they are."""
    order = np.argsort(keys)
    in_order = keys[order]
    again = in_order[1:] == in_order[:-1]
    if again.any():
        places = np.flatnonzero(np.append(again, False) | np.append(False, again))
        alike = order[places]
        order[places] = alike[np.lexsort((row[alike], source[alike], keys[alike]))]
    return order


def _ranks(names: list[str]) -> Any:
    """The order of names: whatever code a name has, it comes to the same place."""
    order = sorted(range(len(names)), key=names.__getitem__)
    ranks = np.empty(len(names), np.int32)
    ranks[order] = np.arange(len(names), dtype=np.int32)
    return ranks


def _is_sorted(pair: Codes, nonce: Numbers, index: Codes) -> bool:
    """Whether rounds are in strict order already, so that none is there twice."""
    if len(pair) < 2:
        return True
    same = pair[1:] == pair[:-1]
    return bool(
        ((pair[1:] > pair[:-1]) | (same & ((nonce[1:] > nonce[:-1]) | ((nonce[1:] == nonce[:-1]) & (index[1:] > index[:-1]))))).all()
    )


def _coups_known(commitments: Bytes, seeds: SeedBook | None) -> Numbers:
    """How many nonces were spent under each commitment, -1 where nobody knows."""
    if seeds is None:
        return np.full(len(commitments), -1, np.int64)
    places = seeds.find(commitments)
    return np.where(places >= 0, seeds.coups[np.maximum(places, 0)] if len(seeds) else -1, -1)


def _tell_twice(bucket: _Bucket) -> None:
    for place in np.flatnonzero(~bucket.is_new).tolist():
        first = place - 1
        while not bucket.is_new[first]:
            first -= 1
        bucket.tell("nonce_twice", place, "one round", f"another one at {bucket.where(first)}")


def _tell_missing(bucket: _Bucket, coups: Numbers) -> None:
    """Every nonce from 0 to the last one spent has a round, and no other has one (protocol step 9)."""
    starts = np.ones(len(bucket.pair), np.bool_)
    starts[1:] = (bucket.pair[1:] != bucket.pair[:-1]) | (bucket.nonce[1:] != bucket.nonce[:-1])
    places = np.flatnonzero(starts)
    pair, nonce = bucket.pair[places], bucket.nonce[places]
    is_first = np.ones(len(places), np.bool_)
    is_first[1:] = pair[1:] != pair[:-1]
    expected = np.zeros(len(places), np.int64)
    expected[1:] = np.where(is_first[1:], 0, nonce[:-1] + 1)
    for place in np.flatnonzero(nonce > expected).tolist():
        _tell_gap(bucket, int(places[place]), int(expected[place]), int(nonce[place]) - 1)
    lasts = np.flatnonzero(np.append(is_first[1:], True)) if len(places) else np.zeros(0, np.int64)
    for place in lasts[(coups[pair[lasts]] >= 0) & (nonce[lasts] + 1 < coups[pair[lasts]])].tolist():
        _tell_gap(bucket, int(places[place]), int(nonce[place]) + 1, int(coups[pair[place]]) - 1)
    beyond = (coups[bucket.pair] >= 0) & (bucket.nonce >= coups[bucket.pair])
    for place in np.flatnonzero(beyond).tolist():
        bucket.tell("nonce_beyond", place, f"a nonce below {coups[bucket.pair[place]]}", str(int(bucket.nonce[place])))


def _tell_gap(bucket: _Bucket, place: int, first: int, last: int) -> None:
    nonces = f"nonce {first}" if first == last else f"each nonce from {first} to {last}"
    bucket.tell("nonce_missing", place, f"a round of {nonces}", "none", of_round=False, nonce=first)


def _tell_shoes(bucket: _Bucket) -> None:
    """Every coup of a shoe has a round, and all were dealt with one client seed (protocol step 10)."""
    shoes = np.flatnonzero(bucket.index >= 0)
    if not len(shoes):
        return
    changes = np.flatnonzero(np.append(True, (np.diff(bucket.pair[shoes]) != 0) | (np.diff(bucket.nonce[shoes]) != 0)))
    for start, stop in zip(changes.tolist(), [*changes[1:].tolist(), len(shoes)], strict=True):
        rounds = shoes[start:stop]
        there = set(bucket.index[rounds].tolist())
        coups = int(bucket.coups[rounds].max(initial=-1))
        missing = [index for index in range(max(coups, max(there) + 1)) if index not in there]
        if missing:
            told = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
            nonce = int(bucket.nonce[rounds[0]])
            bucket.tell("coup_missing", int(rounds[0]), f"a round of each coup, {told} too", "none", of_round=False, nonce=nonce)
        differing = rounds[bucket.client_seed[rounds] != bucket.client_seed[rounds[0]]]
        for place in differing[:1].tolist():
            bucket.tell("client_seed_twice", place, f"the client seed of {bucket.where(int(rounds[0]))}", "another one")


def _tell_times(bucket: _Bucket) -> None:
    """What has a higher nonce was accepted later."""
    known = np.flatnonzero(bucket.is_new & (bucket.accepted_at != UNKNOWN_TIME))
    if len(known) == len(bucket.pair):
        earlier, pair = bucket.accepted_at[1:] < bucket.accepted_at[:-1], bucket.pair
    else:
        times, pair = bucket.accepted_at[known], bucket.pair[known]
        earlier = times[1:] < times[:-1]
    for later in np.flatnonzero(earlier & (pair[1:] == pair[:-1])).tolist():
        place, before = int(known[later + 1]), int(known[later])
        times_told = [f"{np.datetime64(int(bucket.accepted_at[each]), 'us')}Z" for each in (before, place)]
        bucket.tell("time_order", place, f"a time from {times_told[0]} on, that of nonce {int(bucket.nonce[before])}", times_told[1])


def _serial(bucket: _Bucket) -> SerialTally:
    """What the order of winners says: of a shoe by the places in it, and else by the nonces."""
    chosen = bucket.is_new & bucket.is_sound
    of_pair, order, winner = bucket.pair, bucket.nonce, bucket.winner
    if (bucket.index >= 0).any():
        shoes = np.ones(len(of_pair), np.bool_)
        shoes[1:] = (of_pair[1:] != of_pair[:-1]) | ((bucket.nonce[1:] != bucket.nonce[:-1]) & (bucket.index[1:] >= 0))
        of_pair, order = np.cumsum(shoes), np.where(bucket.index >= 0, bucket.index, order)
    return SerialTally.of(of_pair[chosen], order[chosen], winner[chosen])


def unseen_pairs(seen: Iterable[bytes], seeds: SeedBook) -> Iterator[Finding]:
    """Findings of pairs whose nonces were spent, and that have no round at all."""
    is_seen = np.zeros(len(seeds), np.bool_)
    for payload in seen:
        places = seeds.find(fixed_bytes(unpack(payload).column(0)))
        is_seen[places[places >= 0]] = True
    for place in np.flatnonzero(~is_seen & (seeds.coups > 0)).tolist():
        coups = int(seeds.coups[place])
        nonces = "nonce 0" if coups == 1 else f"each nonce from 0 to {coups - 1}"
        commitment = seeds.commitments[place].tobytes().hex()
        yield Finding("nonce_missing", f"a round of {nonces}", "none", commitment=commitment, nonce=0)


__all__ = ["FACTS", "reduce_facts", "unseen_pairs"]
