"""What the rounds of one commitment must have in common, wherever they stand: one server seed, one pay table, one currency, one reveal.

The answer depends on the facts alone, in whatever batches and order they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .arrow import pa, pc
from .columns import as_codes, as_flags, as_numbers, fixed_array, fixed_bytes
from .dealt import UNKNOWN_TIME
from .facts import MARK, PAIR_FACTS
from .findings import Finding
from .hashing import sha256_rows
from .origins import NO_LINK, NOT_LEADING, TOO_LONG
from .pair_facts import NEVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyarrow import RecordBatch

    from .dealt import Bytes, Codes, Flags, Numbers
    from .seed_book import SeedBook

SEEN: Final = pa.schema([pa.field("commitment", pa.binary(32)), pa.field("server_seed", MARK)])
"""Kind `seen`: the commitments of links, each with a mark of the link, and those that have no secret at all, with null."""

ROOTS: Final = pa.schema([pa.field("commitment", pa.binary(32)), pa.field("server_seed", pa.binary(32)), pa.field("length", pa.int32())])
"""Kind `roots`: the SHA-256 of what a commitment is to: a server seed, or the anchor of a chain, whose `length` it then has."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """What facts say of pairs: `findings` about them, what was `seen` for the reuse of seeds, and how many have no server seed at all."""

    findings: list[Finding]
    seen: RecordBatch
    roots: RecordBatch
    unrevealed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """The facts of a bucket as arrays: a code of the commitment for each row, and its columns."""

    pair: Codes
    commitments: Bytes
    columns: dict[str, Any]
    is_chain: Flags
    is_proved: Flags
    is_of_chain: Flags
    """Which rows are about the chain itself."""

    def finding(self, code: str, pair: int, expected: str, found: str, nonce: int | None = None) -> Finding:
        """A finding about a pair."""
        return Finding(code, expected, found, commitment=self.commitments[pair].tobytes().hex(), nonce=nonce)


def read_pairs(batches: list[RecordBatch], seeds: SeedBook | None) -> Pairs:
    """Bring together what all facts of the kind `pairs` say of the pairs of a bucket."""
    table: Any = pa.Table.from_batches(batches, PAIR_FACTS).combine_chunks()
    columns = {name: table.column(name).chunk(0) for name in table.column_names}
    pair, commitments = as_codes(columns["commitment"])
    is_chain, is_proved = (as_flags(columns[name]) for name in ("is_chain", "is_proved"))
    told = _Told(pair, fixed_bytes(commitments), columns, is_chain, is_proved, as_flags(columns["length"].is_valid()))
    is_known = ~told.is_of_chain & as_flags(columns["server_seed"].is_valid())
    findings = [
        *_two_seeds(told, is_known, seeds),
        *_book_links(told),
        *_changes(told, "pay_table_changed", "one pay table", "pay_table"),
        *_changes(told, "currency_changed", "one currency", "currency", "decimals"),
        *_reveals(told),
    ]
    unrevealed = len(told.commitments) - len(np.unique(pair[is_known]))
    return Pairs(findings, *_seen(told, is_known), unrevealed)


def _differing(pairs: Codes, values: Any, count: int) -> Flags:
    """Which of so many pairs have more than one of these values, none of which is null."""
    codes, _ = as_codes(values)
    lowest, highest = np.full(count, len(codes), np.int32), np.full(count, -1, np.int32)
    np.minimum.at(lowest, pairs, codes)
    np.maximum.at(highest, pairs, codes)
    return lowest < highest


def _two_seeds(told: _Told, is_known: Flags, seeds: SeedBook | None) -> Iterator[Finding]:
    """One server seed for each commitment that is not to a chain, in the rows and in the table of seeds."""
    count = len(told.commitments)
    is_single = is_known & ~told.is_chain
    pairs, digests = told.pair[is_single], fixed_bytes(told.columns["server_seed"])[is_single]
    if seeds is not None and len(seeds):
        found = seeds.find(told.commitments)
        of_book = np.flatnonzero((found >= 0) & seeds.has_seed[found])
        pairs = np.concatenate([pairs, of_book.astype(np.int32)])
        digests = np.concatenate([digests, sha256_rows(seeds.server_seeds[found[of_book]])])
    differs = _differing(pairs, fixed_array(digests), count)
    differs[told.pair[told.is_chain]] = False
    for pair in np.flatnonzero(differs).tolist():
        yield told.finding("two_server_seeds", pair, "one server seed", "more than one")


def _book_links(told: _Told) -> Iterator[Finding]:
    """The newest link of each chain, as the table of seeds has it, leads to the anchor (protocol step 8)."""
    leads = as_numbers(told.columns["leads"], NO_LINK, np.int32)
    pairs = {verdict: np.unique(told.pair[leads == verdict]) for verdict in (NOT_LEADING, TOO_LONG)}
    for pair in pairs[NOT_LEADING].tolist():
        yield told.finding("link", pair, "a newest link in the table of seeds that leads to the anchor of its chain", "another one")
    for pair in np.setdiff1d(pairs[TOO_LONG], told.pair[leads > 0]).tolist():
        yield told.finding("not_followed", pair, "a newest link in the table of seeds that few enough hashes lead from", "one too far away")


def _changes(told: _Told, code: str, expected: str, *names: str) -> Iterator[Finding]:
    """What is published with a commitment stays the same in all its rounds; what nobody told contradicts nothing (protocol step 9)."""
    differs = np.zeros(len(told.commitments), np.bool_)
    for name in names:
        values = told.columns[name]
        if values.null_count < len(values):
            differs |= _differing(told.pair[as_flags(values.is_valid())], values.drop_null(), len(differs))
    for pair in np.flatnonzero(differs).tolist():
        yield told.finding(code, pair, f"{expected} for the whole commitment", "more than one")


def _reveals(told: _Told) -> Iterator[Finding]:
    """Every round was accepted and settled before its server seed was given away (protocol steps 8 and 9).

    That is the first reveal that any row of the pair tells; of a chain, the first of its own link or one above it, since those below follow.
    """
    latest = as_numbers(told.columns["latest"], UNKNOWN_TIME, np.int64)
    revealed = as_numbers(told.columns["revealed"], NEVER, np.int64)
    last, first = np.full(len(told.commitments), UNKNOWN_TIME, np.int64), np.full(len(told.commitments), NEVER, np.int64)
    np.maximum.at(last, told.pair, latest)
    np.minimum.at(first, told.pair, revealed)
    places = np.flatnonzero((last > first)[told.pair] & ~told.is_of_chain)
    if not len(places):
        return
    pair, latest = told.pair[places], latest[places]
    nonce = as_numbers(told.columns["nonce"], 0, np.int64)[places]
    given_away = _first_reveals(pair, np.where(told.is_chain[places], nonce, NEVER), revealed[places], nonce)
    after = np.flatnonzero(latest > given_away)
    after = after[np.lexsort((nonce[after], -latest[after], pair[after]))]
    for place in after[np.append(True, pair[after][1:] != pair[after][:-1])[: len(after)]].tolist():
        expected = f"accepted and settled before the reveal at {_time(given_away[place])}, which another row tells"
        yield told.finding("time", int(pair[place]), expected, _time(latest[place]), int(nonce[place]))


def _first_reveals(pair: Codes, reach: Numbers, revealed: Numbers, nonce: Numbers) -> Numbers:
    """For each nonce of a pair the first reveal that reaches so far, or further."""
    count = len(pair)
    both, at = np.concatenate([pair, pair]), np.concatenate([reach, nonce])
    is_asked = np.arange(2 * count) >= count
    _, ranks = np.unique(np.concatenate([revealed, np.full(count, NEVER)]), return_inverse=True)
    order = np.lexsort((is_asked, -at, -both.astype(np.int64)))
    radix = int(ranks.max()) + 1
    keys = both[order].astype(np.int64) * radix + ranks[order]  # a pair begins anew, since its keys are below those of the one before
    firsts = np.empty(2 * count, np.int64)
    firsts[order] = np.minimum.accumulate(keys) - both[order].astype(np.int64) * radix
    return np.unique(np.append(revealed, NEVER))[firsts[count:]]


def _time(microseconds: Any) -> str:
    return f"{np.datetime64(int(microseconds), 'us')}Z"


def _seen(told: _Told, is_known: Flags) -> tuple[RecordBatch, RecordBatch]:
    """Every link that is proved, and every proved secret that stands by itself, each once."""
    is_link = is_known & told.is_chain & told.is_proved
    is_root = (is_known & ~told.is_chain & told.is_proved) | told.is_of_chain
    digests = told.columns["server_seed"]
    commitments = told.columns["commitment"]
    marks = fixed_array(np.ascontiguousarray(fixed_bytes(digests)[is_link, :16]))
    links = _distinct({"commitment": commitments.filter(pa.array(is_link)), "server_seed": marks}, SEEN)
    others = np.setdiff1d(np.arange(len(told.commitments)), told.pair[is_link | is_root])
    alone = pa.record_batch([fixed_array(told.commitments[others]), pa.nulls(len(others), MARK)], schema=SEEN)
    roots = _distinct({name: told.columns[name].filter(pa.array(is_root)) for name in ROOTS.names}, ROOTS)
    seen: Any = pa.Table.from_batches([links, alone]).combine_chunks()
    return (seen.to_batches() or [alone])[0], roots


def _distinct(columns: dict[str, Any], schema: Any) -> Any:
    """Different rows, each once."""
    table: Any = pa.table(columns, schema=schema)
    if len(pc.unique(table.column("commitment"))) < len(table):
        table = table.group_by(schema.names).aggregate([]).select(schema.names)
    return table.combine_chunks().to_batches()[0] if len(table) else pa.RecordBatch.from_pylist([], schema=schema)
