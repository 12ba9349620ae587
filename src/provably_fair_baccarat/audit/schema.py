"""The Arrow schemas of what an audit reads: rounds, revealed seeds and refused bets, version 1.

A schema names its columns, its types and, in its metadata, its own name and version. What stands in a file may be spelled otherwise where
that is the same value: `reading` turns hex text into bytes and texts of digits into amounts.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from ..errors import AuditError, Slip, describe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

VERSION: Final = 1
"""The version of the schemas that is read and written here."""

NAME_KEY: Final = b"provably_fair_baccarat.schema"
VERSION_KEY: Final = b"provably_fair_baccarat.version"

HASH: Final = pa.binary(32)
"""32 bytes: a commitment, a revealed server seed, a link, an anchor, a digest."""

AMOUNT: Final = pa.decimal128(38, 0)
"""An amount in whole smallest currency units, 0 to 10^38 - 1."""

TIME: Final = pa.timestamp("us", "UTC")

LINE: Final = pa.struct(
    [
        pa.field("bet", pa.string(), nullable=False),
        pa.field("stake", AMOUNT, nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("returned", AMOUNT, nullable=False),
    ]
)
"""A bet of a round: its name, its stake, "won", "pushed" or "lost", and what came back, stake included."""

REFUSED_LINE: Final = pa.struct([pa.field("bet", pa.string(), nullable=False), pa.field("stake", AMOUNT, nullable=False)])
"""A bet that was refused: its name and its stake."""


def _named(name: str, fields: list[pa.Field[pa.DataType]]) -> pa.Schema:
    return pa.schema(fields, metadata={NAME_KEY: name.encode(), VERSION_KEY: str(VERSION).encode()})


ROUNDS: Final = _named(
    "rounds",
    [
        pa.field("scheme", pa.string(), nullable=False),
        pa.field("decks", pa.uint8(), nullable=False),
        pa.field("commitment", HASH, nullable=False),
        pa.field("server_seed", HASH),
        pa.field("client_seed", pa.binary(), nullable=False),
        pa.field("nonce", pa.int64(), nullable=False),
        pa.field("index", pa.int32()),
        pa.field("chain_anchor", HASH),
        pa.field("chain_length", pa.int32()),
        pa.field("cut", pa.uint16(), nullable=False),
        pa.field("cards", pa.string(), nullable=False),
        pa.field("player_cards", pa.string()),
        pa.field("banker_cards", pa.string()),
        pa.field("player_score", pa.uint8()),
        pa.field("banker_score", pa.uint8()),
        pa.field("winner", pa.string(), nullable=False),
        pa.field("natural", pa.bool_()),
        pa.field("bets", pa.list_(LINE), nullable=False),
        pa.field("staked", AMOUNT),
        pa.field("returned", AMOUNT),
        pa.field("pay_table", pa.string()),
        pa.field("pay_table_digest", HASH),
        pa.field("currency", pa.string()),
        pa.field("accepted_at", TIME),
        pa.field("settled_at", TIME),
        pa.field("revealed_at", TIME),
        pa.field("source", pa.string()),
        pa.field("row", pa.int64()),
    ],
)
"""One row for each coup. Columns that may be null may also be left out; `pay_table` or `pay_table_digest` must be there."""

SEEDS: Final = _named(
    "seeds",
    [
        pa.field("commitment", HASH, nullable=False),
        pa.field("server_seed", HASH),
        pa.field("client_seed", pa.binary()),
        pa.field("coups", pa.int64()),
        pa.field("revealed_at", TIME),
    ],
)
"""One row for each seed pair: its server seed, or a chain's newest link, and how many nonces were spent under it."""

REFUSALS: Final = _named(
    "refusals",
    [
        pa.field("commitment", HASH, nullable=False),
        pa.field("nonce", pa.int64(), nullable=False),
        pa.field("bets", pa.list_(REFUSED_LINE), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("refused_at", TIME),
    ],
)
"""One row for each bet that was refused, with the nonce that it would have spent."""


def field_of(schema: Any, column: str) -> Any:
    """A column of a schema: its type, and whether it may be null."""
    return schema.field(column)


def required_columns(schema: pa.Schema) -> tuple[str, ...]:
    """The columns that must be there."""
    fields: Any = schema  # whose stubs do not say what it is a sequence of
    return tuple(field.name for field in fields if not field.nullable)


def require_columns(given: pa.Schema, schema: pa.Schema) -> None:
    """Raise AuditError unless a schema has the columns that must be there, each once, and is not of another name or version."""
    name = (schema.metadata or {})[NAME_KEY].decode()
    metadata = given.metadata or {}
    for key, expected in ((NAME_KEY, name), (VERSION_KEY, str(VERSION))):
        found = metadata.get(key, expected.encode()).decode(errors="replace")
        if found != expected:
            raise AuditError(f"schema of {name}", f"version {VERSION} of {name}", f"{key.decode().rpartition('.')[2]} {describe(found)}")
    require_names(given.names, schema)


def require_names(given: Sequence[str], schema: pa.Schema) -> None:
    """Raise AuditError unless the columns that must be there are among these, each once; it names those that may be meant."""
    name = (schema.metadata or {})[NAME_KEY].decode()
    for column in schema.names:
        if given.count(column) > 1:
            raise AuditError(f"columns of {name}", "each once", f"{describe(column)} more than once")
    missing = [column for column in required_columns(schema) if column not in given]
    if schema is ROUNDS and not {"pay_table", "pay_table_digest"} & set(given):
        missing.append("pay_table or pay_table_digest")
    if missing:
        slips = [*_meant(missing, [column for column in given if column not in schema.names])]
        slips.append(Slip("columns", f"The columns that must be there are {', '.join(required_columns(schema))}."))
        found = describe(", ".join(given)) if given else "no columns"
        raise AuditError(f"columns of {name}", f"{', '.join(missing)} too", found, tuple(slips))


def _meant(missing: Iterable[str], others: Iterable[str]) -> Iterator[Slip]:
    """The columns that are spelled nearly like missing ones."""
    plain = {_plain(other): other for other in others}
    for column in missing:
        for match in get_close_matches(_plain(column), plain, n=1, cutoff=0.75):
            yield Slip("misspelt", f"Is {describe(plain[match])} meant for {column}?")


def _plain(column: str) -> str:
    return "".join(letter for letter in column.lower() if letter.isalnum())
