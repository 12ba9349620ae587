"""Facts: what the audit of some rows leaves for later, in a form that can be merged however the rows were divided.

A row of facts has a `kind`, a `bucket` and a `payload`. What must come together to say whether a pair is complete has the bucket of its
commitment; all else has the bucket -1. Facts are small, hold no server seed, and may travel between processes and machines.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..canonical import canonical_json
from .arrow import pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch

    from ..canonical import Json
    from .findings import Finding

FACTS: Final = pa.schema(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("bucket", pa.int32(), nullable=False),
        pa.field("payload", pa.binary(), nullable=False),
    ]
)
"""What `audit_batches` and `reduce_facts` give: each payload is JSON, or an Arrow stream: of the kinds `rounds`, `runs`, `pairs`, `curve`."""

NO_BUCKET: Final = -1

Fact: TypeAlias = "tuple[str, int, bytes]"
"""Kind, bucket and payload."""

MARK: Final = pa.binary(16)
"""The first 16 bytes of a hash, where only equality counts."""

ROUND_FACTS: Final = pa.schema(
    [
        pa.field("pair", pa.dictionary(pa.int32(), pa.binary(32))),
        pa.field("nonce", pa.int64()),
        pa.field("index", pa.int32()),
        pa.field("winner", pa.uint8()),
        pa.field("is_sound", pa.bool_()),
        pa.field("accepted_at", pa.int64()),
        pa.field("client_seed", MARK),
        pa.field("coups", pa.int32()),
        pa.field("source", pa.dictionary(pa.int32(), pa.string())),
        pa.field("row", pa.int64()),
    ]
)
"""Kind `rounds`: what a round says about the completeness of its pair. `coups` is how many its shoe has, null elsewhere."""

RUN_FACTS: Final = pa.schema(
    [
        pa.field("pair", pa.dictionary(pa.int32(), pa.binary(32))),
        pa.field("nonce", pa.int64()),
        pa.field("is_sound", pa.bool_()),
        pa.field("source", pa.dictionary(pa.int32(), pa.string())),
        pa.field("row", pa.int64()),
        pa.field("winner", pa.list_(pa.uint8())),
        pa.field("accepted_at", pa.list_(pa.int64())),
    ]
)
"""Kind `runs`: the same of rounds that follow each other: `nonce` and `row` of the first one, `winner` and `accepted_at` of all of them."""

PAIR_FACTS: Final = pa.schema(
    [
        pa.field("commitment", pa.binary(32)),
        pa.field("server_seed", pa.binary(32)),
        pa.field("is_chain", pa.bool_()),
        pa.field("is_proved", pa.bool_()),
        pa.field("length", pa.int32()),
        pa.field("leads", pa.int32()),
        pa.field("pay_table", MARK),
        pa.field("currency", MARK),
        pa.field("decimals", pa.int8()),
        pa.field("nonce", pa.int64()),
        pa.field("latest", pa.int64()),
        pa.field("revealed", pa.int64()),
    ]
)
"""Kind `pairs`: what some rows say of their pair as a whole.

`server_seed` is the SHA-256 of a server seed that they have, or the first half of that of a link, `is_proved` whether it is the one committed to. `pay_table`,
`currency` and its `decimals` are those of the rows, null where nobody told; `latest` is when the last of them was accepted or settled, and
`nonce` the nonce of that one; `revealed` the first reveal that they tell. Those of a chain are told one by one, since a link is revealed
for its nonce. A row with a `length` is about the chain itself: `server_seed` is the SHA-256 of its anchor, and `leads` says what became of
the link in the table of seeds, as in `Origins`.
"""

_LZ4: Final = pa.ipc.IpcWriteOptions(compression="lz4")
_PLAIN: Final = pa.ipc.IpcWriteOptions()


def pack(batch: RecordBatch, *, is_dense: bool = False) -> bytes:
    """A batch as a payload: compressed, unless it is dense and would hardly get smaller."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=_PLAIN if is_dense else _LZ4) as writer:
        writer.write_batch(batch)
    payload: bytes = sink.getvalue().to_pybytes()
    return payload


def unpack(payload: Any) -> RecordBatch:
    """The batch of a payload."""
    with pa.ipc.open_stream(payload) as reader:
        batch: RecordBatch = reader.read_next_batch()
        return batch


def nullable(values: Any, missing: int) -> Any:
    """Numbers as an Arrow array, null where one is missing."""
    is_missing = values == missing
    return pa.array(values, mask=is_missing) if is_missing.any() else pa.array(values)


def facts_batch(facts: Iterable[Fact]) -> RecordBatch:
    """Facts as a batch."""
    kinds, buckets, payloads = zip(*facts, strict=True)
    batch: RecordBatch = pa.record_batch(
        [pa.array(kinds, pa.string()), pa.array(buckets, pa.int32()), pa.array(payloads, pa.binary())], schema=FACTS
    )
    return batch


def read_facts(batches: Iterable[RecordBatch]) -> Iterator[Fact]:
    """The facts of batches one by one."""
    for batch in batches:
        facts: Any = batch
        yield from zip(*(facts.column(place).to_pylist() for place in range(3)), strict=True)


def finding_fact(finding: Finding) -> Fact:
    """A finding as a fact."""
    return "finding", NO_BUCKET, finding.to_json()


def json_fact(kind: str, value: Json) -> Fact:
    """A fact whose payload is JSON."""
    return kind, NO_BUCKET, canonical_json(value)


def read_json(payload: bytes) -> Any:
    """The value of a payload that is JSON."""
    return json.loads(payload)
