"""The Arrow schemas of what an audit reads: rounds, revealed seeds and refused bets, version 1.

A schema names its columns, its types and, in its metadata, its own name and version. What stands in a file may be spelled otherwise where
that is the same value: `reading` turns hex text into bytes and texts of digits into amounts.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from ..errors import AuditError, Slip, describe
from .arrow import kinds

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
    require_kinds(given, schema)


def require_kinds(given: pa.Schema, schema: pa.Schema) -> None:
    """Raise AuditError for a column that could only be read by guessing: money in binary floats, times whose zone nobody tells."""
    fields: Any = schema  # whose stubs do not say what it is a sequence of
    for field in fields:
        if field.name not in given.names:
            continue
        for column, found, kind in _leaves(field.name, field_of(given, field.name).type, field.type):
            if kind == AMOUNT and pa.types.is_floating(found):
                expected = f"{column}: amounts as whole smallest units, as integers, decimal128 or text"
                raise AuditError("type of a column", expected, str(found), (_FLOATS,))
            if kind == TIME and not _tells_time(found):
                expected = f"{column}: timestamps with a time zone, or text like 2026-11-29T12:00:00.25Z"
                raise AuditError("type of a column", expected, str(found), (_NO_ZONE,))


_FLOATS: Final = Slip("float_amounts", "A binary float cannot hold every amount: convert to whole cents where the amounts are still exact.")
_NO_ZONE: Final = Slip("no_time_zone", "Say in which zone these clocks were: assume_timezone in Arrow, dt.tz_localize in pandas.")


def _leaves(name: str, found: Any, kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """What a column consists of in the end: name, the type that was found and that of the schema."""
    if kinds.is_dictionary(found):
        found = found.value_type
    if kinds.is_list(kind):
        if hasattr(found, "value_type"):
            yield from _leaves(name, found.value_type, kind.value_type)
    elif not kinds.is_struct(kind):
        yield name, found, kind
    elif kinds.is_struct(found):
        for part in kind:
            place = found.get_field_index(part.name)
            if place >= 0:
                yield from _leaves(f"{name}, {part.name}", found.field(place).type, part.type)


def _tells_time(kind: Any) -> bool:
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    return bool(is_text or pa.types.is_null(kind) or (pa.types.is_timestamp(kind) and kind.tz is not None))


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
        slips = [*_another(given, schema), *_meant(missing, [column for column in given if column not in schema.names])]
        slips.append(Slip("columns", f"The columns that must be there are {', '.join(required_columns(schema))}."))
        raise AuditError(f"columns of {name}", f"{', '.join(missing)} too", _listed(given), tuple(slips))


def _listed(columns: Sequence[str]) -> str:
    """Names of columns, as many as one can read."""
    shown = [describe(column) for column in columns[:_SHOWN]]
    more = f" and {len(columns) - _SHOWN} more" if len(columns) > _SHOWN else ""
    return f"{', '.join(shown)}{more}" if shown else "no columns"


_SHOWN: Final = 32


def _another(given: Sequence[str], schema: pa.Schema) -> Iterator[Slip]:
    """What a table is that is not the one it is taken for."""
    marks = [mark for mark in (";", "\t", "|") if len(given) == 1 and mark in given[0]]
    for mark in marks:
        yield Slip(
            "separator", f"Cells are separated by commas, and this file has {describe(mark)} between them: write it again with commas."
        )
    if schema is ROUNDS and "commitment" in given and not set(given) & (set(ROUNDS.names) - set(SEEDS.names)):
        yield Slip("seeds", "Is it the table of revealed seeds? That goes with --seeds, beside the rounds.")


def _meant(missing: Iterable[str], others: Iterable[str]) -> Iterator[Slip]:
    """The columns that are spelled nearly like missing ones."""
    plain = {_plain(other): other for other in others}
    for column in missing:
        for match in get_close_matches(_plain(column), plain, n=1, cutoff=0.75):
            yield Slip("misspelt", f"Is {describe(plain[match])} meant for {column}?")


def _plain(column: str) -> str:
    return "".join(letter for letter in column.lower() if letter.isalnum())
