"""Specimens as files, in each form that an audit reads. A file is new, and there whole or not at all."""

from __future__ import annotations

import csv
import json
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final

from ...durable import whole_file
from ...errors import AuditError, describe
from ..arrow import pa, pq
from .specimen import SCHEMA, seeds_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from pyarrow import RecordBatch, Schema

    from .plan import Plan

    Batches = Iterable[RecordBatch]

DICTIONARIES: Final = (
    *("scheme", "decks", "commitment", "server_seed", "client_seed", "winner", "pay_table", "pay_table_digest", "currency"),
    *("bets.list.element.bet", "bets.list.element.status"),
)
"""The columns of a Parquet file whose values repeat."""


def write_specimen(batches: Batches, name: str | Path) -> int:
    """Write rounds to a new file, in the form that the end of its name says, and return how many. Raises AuditError and OSError."""
    path = Path(name)
    if path.suffix not in FORMS:
        raise AuditError("file of a specimen", f"a name that ends in {', '.join(FORMS)}", describe(path.name))
    with whole_file(path) as file:
        flow = iter(batches)
        first = list(islice(flow, 1))
        schema = first[0].schema if first else SCHEMA
        return FORMS[path.suffix](chain(first, flow), schema, file)


def write_seeds(plan: Plan, name: str | Path) -> None:
    """Write a plan's table of seeds to a new Parquet file. Raises OSError."""
    with whole_file(name) as file:
        pq.write_table(seeds_table(plan), file)


def _write_parquet(batches: Batches, schema: Schema, file: IO[bytes]) -> int:
    count = 0
    with pq.ParquetWriter(file, schema, compression="lz4", use_dictionary=list(DICTIONARIES), write_statistics=False) as writer:
        for batch in batches:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _write_ipc(batches: Batches, schema: Schema, file: IO[bytes]) -> int:
    count = 0
    with pa.ipc.new_stream(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _write_json_lines(batches: Batches, _: Schema, file: IO[bytes]) -> int:
    count = 0
    for row in _rows(batches):
        count += 1
        file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return count


def _write_csv(batches: Batches, schema: Schema, file: IO[bytes]) -> int:
    text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.DictWriter(text, schema.names, lineterminator="\n")
    writer.writeheader()
    count = 0
    for row in _rows(batches):
        count += 1
        bets = " ".join(":".join(line.values()) for line in row["bets"])
        natural = str(row["natural"]).lower()
        writer.writerow({**row, "bets": bets, "natural": natural})
    text.detach()
    return count


def _rows(batches: Batches) -> Iterator[dict[str, Any]]:
    """Rows in the spellings of text: hashes as hex, amounts as digits, times as RFC 3339."""
    for batch in batches:
        rows: list[dict[str, Any]] = batch.to_pylist()
        for row in rows:
            for name in ("commitment", "server_seed", "chain_anchor", "pay_table_digest"):
                row[name] = None if row[name] is None else row[name].hex()
            for name in ("accepted_at", "settled_at", "revealed_at"):
                row[name] = _time(row[name])
            row["client_seed"] = row["client_seed"].decode()
            row["staked"], row["returned"] = str(row["staked"]), str(row["returned"])
            row["bets"] = [{name: str(value) for name, value in line.items()} for line in row["bets"]]
            yield row


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


FORMS: Final[Mapping[str, Callable[[Batches, Schema, IO[bytes]], int]]] = MappingProxyType(
    {".parquet": _write_parquet, ".arrow": _write_ipc, ".csv": _write_csv, ".jsonl": _write_json_lines}
)
"""The forms of a specimen by the ends of their names."""
