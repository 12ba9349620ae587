"""The rounds of a specimen, batch after batch: dealt by the kernel, with their bets and their times."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ... import kernel
from ...canonical import canonical_json
from ...cards import DECK
from ..arrow import pa
from ..schema import LINE, ROUNDS, field_of
from . import columns
from .bets import STATUSES, Counter, Coups
from .faults import places_of, plant
from .plan import pairs_of
from .shoes import shoe_batches, shoe_commitments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from pyarrow import RecordBatch, Schema, Table

    from .faults import Planted
    from .plan import Pair, Plan

    Array = NDArray[Any]

AT_ONCE: Final = 1 << 16
"""Rounds of a batch."""

WINNERS: Final = ("player", "banker", "tie")
SCHEMES: Final = ("pfb1", "pfb1-chain")

FIRST_TIME: Final = 1_767_225_600_000_000  # 2026-01-01, in microseconds
PAUSE: Final = 3_000_000  # at least so long between two rounds of a pair, and before the reveal

_LETTERS: Final = np.asarray([list(str(card).encode()) for card in DECK], np.uint8)

SCHEMA: Final[Schema] = pa.schema(
    [
        field.with_type(pa.dictionary(pa.int32(), pa.string())) if field.name == "pay_table" else field
        for field in cast("Any", ROUNDS)
        if field.name not in ("index", "source", "row")
    ],
    metadata=ROUNDS.metadata,
)
"""The columns of a specimen: those of `ROUNDS` without places, the pay table dictionary-encoded."""


def honest_batches(plan: Plan) -> Iterator[RecordBatch]:
    """The honest rounds of a plan, pair after pair and nonce after nonce, then those of its shoes."""
    honest = replace(plan, faults={})
    yield from _with_index(_pair_batches(plan), plan)
    yield from shoe_batches(honest, _with_places(SCHEMA), [])


def specimen_batches(plan: Plan, planted: list[Planted]) -> Iterator[RecordBatch]:
    """The rounds of a plan with its faults. Each fault is added to `planted` as soon as its batch is there."""
    yield from _with_index(plant(_pair_batches(plan), places_of(plan), planted), plan)
    yield from shoe_batches(plan, _with_places(SCHEMA), planted)


def seeds_table(plan: Plan) -> Table:
    """How many nonces were spent under each commitment of a plan, chains left out: the schema `SEEDS` without the seeds."""
    spent = {pair.commitment: pair.rounds for pair in pairs_of(plan) if pair.anchor is None}
    spent |= dict.fromkeys(shoe_commitments(plan), 1)
    table: Table = pa.table({"commitment": pa.array(list(spent), pa.binary(32)), "coups": pa.array(list(spent.values()), pa.int64())})
    return table


def _with_places(schema: Any) -> Any:
    """The schema of a specimen with shoes: a coup has a place in its own."""
    return schema.append(field_of(ROUNDS, "index"))


def _with_index(batches: Iterator[RecordBatch], plan: Plan) -> Iterator[RecordBatch]:
    """Batches of coups that have no place in a shoe; where there are shoes, with the column that says so."""
    for batch in batches:
        columns: list[Any] = [batch.column(name) for name in SCHEMA.names]
        nowhere = pa.nulls(batch.num_rows, pa.int32())
        yield pa.record_batch([*columns, nowhere], schema=_with_places(batch.schema)) if plan.shoes else batch


def _pair_batches(plan: Plan) -> Iterator[RecordBatch]:
    chance = np.random.default_rng(list(sha256(plan.key).digest()))
    counter = Counter(plan.pay_tables)
    tables = _pay_tables(plan)
    for parts in _parts(plan):
        yield _batch(parts, chance, counter, tables)


def _parts(plan: Plan) -> Iterator[list[tuple[Pair, int, int]]]:
    """Pairs, and from which to which nonce, that make a batch together."""
    parts: list[tuple[Pair, int, int]] = []
    size = 0
    for pair in pairs_of(plan):
        start = 0
        while start < pair.rounds:
            stop = min(pair.rounds, start + AT_ONCE - size)
            parts.append((pair, start, stop))
            size += stop - start
            start = stop
            if size == AT_ONCE:
                yield parts
                parts, size = [], 0
    if parts:
        yield parts


def _pay_tables(plan: Plan) -> tuple[Any, Array]:
    """The pay tables as texts, and their digests."""
    texts = [canonical_json(table.to_dict()).decode() for table in plan.pay_tables]
    digests = np.frombuffer(b"".join(bytes.fromhex(table.digest) for table in plan.pay_tables), np.uint8).reshape(-1, 32)
    return pa.array(texts, pa.string()), digests


def _batch(parts: list[tuple[Pair, int, int]], chance: np.random.Generator, counter: Counter, tables: tuple[Any, Array]) -> RecordBatch:
    sizes = np.asarray([stop - start for _, start, stop in parts])
    pair_of_row = np.repeat(np.arange(len(parts)), sizes)
    nonces = np.concatenate([np.arange(start, stop, dtype=np.int64) for _, start, stop in parts])
    table = np.asarray([pair.pay_table for pair, _, _ in parts], np.int32)[pair_of_row]
    texts, digests = tables
    records, server_seeds = _deal(parts, pair_of_row, nonces)
    lines = counter.make(chance, table, Coups.of(records))
    made = {
        **_origins(parts, pair_of_row, nonces),
        "server_seed": columns.hashes(server_seeds),
        **_coups(records),
        **_lines(counter, lines),
        "pay_table": pa.DictionaryArray.from_arrays(pa.array(table), texts),
        "pay_table_digest": columns.hashes(digests[table]),
        "currency": columns.chosen(np.zeros(len(nonces), np.int8), ("EUR",)),
        **_times(parts, pair_of_row, nonces, chance),
    }
    batch: RecordBatch = pa.record_batch([made[name] for name in SCHEMA.names], schema=SCHEMA)
    return batch


def _deal(parts: list[tuple[Pair, int, int]], pair_of_row: Array, nonces: Array) -> tuple[Array, Array]:
    """The kernel's record of every round, and its server seed."""
    keys = np.frombuffer(b"".join(_keys(*part) for part in parts), np.uint8).reshape(-1, 32)
    is_chain = np.asarray([pair.anchor is not None for pair, _, _ in parts])
    counts = np.where(is_chain, [stop - start for _, start, stop in parts], 1)
    firsts = np.cumsum(counts) - counts
    starts = np.asarray([start for _, start, _ in parts])
    key_of_row = (firsts[pair_of_row] + np.where(is_chain[pair_of_row], nonces - starts[pair_of_row], 0)).astype(np.int32)
    decks = np.asarray([pair.decks for pair, _, _ in parts])
    clients = [pair.client_seed for pair, _, _ in parts]
    rows = kernel.Rows(
        keys.reshape(-1),
        key_of_row,
        np.where(is_chain, decks + kernel.FROM_CHAIN, decks).astype(np.uint8)[pair_of_row],
        b"".join(clients),
        columns.offsets(np.asarray(list(map(len, clients)))),
        pair_of_row.astype(np.int32),
        nonces,
    )
    return np.frombuffer(kernel.derive_rows(rows), kernel.RECORD_DTYPE), keys[key_of_row]


def _keys(pair: Pair, start: int, stop: int) -> bytes:
    return pair.server_seeds if pair.anchor is None else pair.server_seeds[32 * start : 32 * stop]


def _origins(parts: list[tuple[Pair, int, int]], pair_of_row: Array, nonces: Array) -> dict[str, Any]:
    pairs = [pair for pair, _, _ in parts]
    is_chain = np.asarray([pair.anchor is not None for pair in pairs])
    commitments = np.frombuffer(b"".join(pair.commitment for pair in pairs), np.uint8).reshape(-1, 32)
    clients = pa.array([pair.client_seed for pair in pairs], pa.binary())
    anchors = pa.array([pair.anchor for pair in pairs], pa.binary(32))
    lengths = pa.array([None if pair.anchor is None else pair.rounds for pair in pairs], pa.int32())
    places = pa.array(pair_of_row)
    return {
        "scheme": columns.chosen(is_chain[pair_of_row].astype(np.int8), SCHEMES),
        "decks": pa.array(np.asarray([pair.decks for pair in pairs], np.uint8)[pair_of_row]),
        "commitment": columns.hashes(commitments[pair_of_row]),
        "client_seed": clients.take(places),
        "nonce": pa.array(nonces),
        "chain_anchor": anchors.take(places),
        "chain_length": lengths.take(places),
    }


def _coups(records: Array) -> dict[str, Any]:
    """The claims about every coup, from its record."""
    cards, flags = _LETTERS[records["cards"]], records["flags"]
    player_drew, banker_drew = (flags & kernel.PLAYER_DREW) > 0, (flags & kernel.BANKER_DREW) > 0
    player, banker = cards[:, [0, 2, 4]], cards[:, [1, 3, 5]]
    banker[~player_drew, 2] = cards[~player_drew, 4]
    player[~player_drew, 2] = 0
    banker[~banker_drew, 2] = 0
    return {
        "cut": pa.array(np.ascontiguousarray(records["cut"])),
        "cards": columns.texts(cards.reshape(-1, 12)),
        "player_cards": columns.texts(player.reshape(-1, 6)),
        "banker_cards": columns.texts(banker.reshape(-1, 6)),
        "player_score": pa.array(np.ascontiguousarray(records["player_score"])),
        "banker_score": pa.array(np.ascontiguousarray(records["banker_score"])),
        "winner": columns.chosen(records["winner"], WINNERS),
        "natural": pa.array((flags & kernel.NATURAL) > 0),
    }


def _lines(counter: Counter, lines: Any) -> dict[str, Any]:
    parts = [
        columns.chosen(lines.bet, counter.names),
        columns.amounts(lines.stake),
        columns.chosen(lines.status, STATUSES),
        columns.amounts(lines.returned),
    ]
    items = pa.StructArray.from_arrays(parts, fields=list(cast("Any", LINE)))
    bounds = columns.offsets(lines.sizes)
    bets = pa.ListArray.from_arrays(pa.array(bounds), items, type=pa.list_(LINE))
    staked, returned = (np.add.reduceat(each, bounds[:-1]) for each in (lines.stake, lines.returned))
    return {"bets": bets, "staked": columns.amounts(staked), "returned": columns.amounts(returned)}


def _times(parts: list[tuple[Pair, int, int]], pair_of_row: Array, nonces: Array, chance: np.random.Generator) -> dict[str, Any]:
    """Times in the order of the nonces: a round within each pause, settled in the same one, and the reveal behind all of them."""
    firsts = np.asarray([FIRST_TIME + pair.number * 1_000_003 for pair, _, _ in parts])
    reveals = np.asarray([(pair.rounds + 1) * PAUSE for pair, _, _ in parts]) + firsts
    accepted = firsts[pair_of_row] + nonces * PAUSE + chance.integers(0, PAUSE // 2, len(nonces))
    return {
        "accepted_at": columns.times(accepted),
        "settled_at": columns.times(accepted + chance.integers(1, PAUSE // 2, len(nonces))),
        "revealed_at": columns.times(reveals[pair_of_row]),
    }
