"""Columns as files have them, read into the types of the schema.

What is another spelling of the same value is taken; what cannot be a value of its column becomes null and a fault of its row, so that only
null is ever taken as not told. On the good path no Python object is made for a row.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import describe
from ..fairness.hex_form import describe_secret
from .arrow import ArrowInvalid, ArrowNotImplemented, ArrowTypeError, kinds, pa, pc
from .schema import ROUNDS, TIME, field_of

if TYPE_CHECKING:
    from .dealt import Bytes, Codes, Flags


SECRET_COLUMNS: Final = frozenset({"server_seed", "commitment", "chain_anchor", "pay_table_digest"})
"""Columns whose unreadable values are never repeated: somebody may have put a server seed there."""

_ENCODED: Final = (pa.string(), pa.binary())
_WHOLE: Final = r"^(0|[1-9][0-9]{0,37})$"  # Arrow takes 39 digits for another number of 38
_TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|\+00:00)$"
_NIBBLES: Final = np.full(256, 255, np.uint8)
_NIBBLES[np.frombuffer(b"0123456789abcdef", np.uint8)] = np.arange(16, dtype=np.uint8)


class Faults:
    """What is wrong with rows that cannot be read: the first fault of each, by its place."""

    def __init__(self, count: int) -> None:
        self.is_bad: Flags = np.zeros(count, np.bool_)
        self.told: dict[int, tuple[str, str, str]] = {}

    def add(self, row: int, column: str, expected: str, found: str) -> None:
        """Note a fault of a row."""
        self.is_bad[row] = True
        self.told.setdefault(row, (column, expected, found))


def read_column(column: Any, name: str, kind: Any, faults: Faults) -> Any:
    """A column in its type, with nulls where a value cannot be one; those are faults of their rows.

    Dictionary-encoded texts and bytes stay encoded, unless their dictionary has a null, or text that is none.
    """
    if kinds.is_dictionary(column.type):
        encoded = _encoded(column, kind)
        return encoded if encoded is not None else read_column(column.dictionary_decode(), name, kind, faults)
    given = column.type
    if _is_text(given):
        return _read_text(column.cast(pa.string()), name, kind, faults)
    if given.equals(kind) or kinds.is_null(given):
        return column if given.equals(kind) else column.cast(kind)
    if not _can_hold(given, kind):
        return _refuse_told(column, name, kind, faults)
    if kinds.is_timestamp(given) and given.unit == "ns":
        column = _floor(column)
    try:
        return column.cast(kind)
    except (ArrowInvalid, ArrowNotImplemented, ArrowTypeError):
        return _one_by_one(column, name, kind, faults)


def _encoded(column: Any, kind: Any) -> Any:
    """A dictionary-encoded column of texts or bytes in its type, or None where it cannot stay encoded."""
    values = column.dictionary
    if kind not in _ENCODED or values.null_count or not (values.type == kind or _is_text(values.type)):
        return None
    if _is_text(values.type) and kind == pa.string() and not _is_utf8(values):
        return None
    return column if values.type == kind else pa.DictionaryArray.from_arrays(column.indices, values.cast(kind))


def _is_utf8(texts: Any) -> bool:
    """Whether texts are what Arrow takes them for: files can have other bytes there."""
    try:
        texts.cast(pa.string()).cast(pa.binary()).cast(pa.string())
    except ArrowInvalid:
        return False
    return True


def _can_hold(given: Any, kind: Any) -> bool:
    """Whether a type other than text can hold values of a column: Arrow casts more, a truth to 1 and a time to a number."""
    if kinds.is_integer(kind) or kinds.is_decimal(kind):
        return bool(kinds.is_integer(given) or kinds.is_decimal(given) or kinds.is_floating(given))
    if kinds.is_timestamp(kind):
        return bool(kinds.is_timestamp(given))
    is_bytes = kinds.is_binary(given) or kinds.is_large_binary(given) or kinds.is_binary_view(given) or kinds.is_fixed_size_binary(given)
    return bool(is_bytes and not kinds.is_boolean(kind))


def _floor(column: Any) -> Any:
    """Times in nanoseconds as the microseconds that they are in: times that follow each other still do."""
    microseconds = np.floor_divide(as_numbers(column.cast(pa.int64()), 0, np.int64), 1000)
    return pa.array(microseconds, mask=as_flags(column.is_null())).cast(TIME)


def _is_text(kind: Any) -> bool:
    return bool(kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind))


def _read_text(column: Any, name: str, kind: Any, faults: Faults) -> Any:
    if kinds.is_fixed_size_binary(kind):
        return _read_hex(column, name, faults)
    if kind == pa.binary():
        return column.cast(kind)
    if kind == pa.string():
        return column if _is_utf8(column) else _one_by_one(column.cast(pa.binary()), name, kind, faults)
    if kinds.is_boolean(kind):
        form, expected = "^(true|false)$", _expected(kind)
    elif kinds.is_timestamp(kind):
        form, expected = _TIME, "a time in UTC like 2026-11-29T12:00:00.25Z"
    else:
        form, expected = _WHOLE, _expected(kind)
    fits = pc.fill_null(pc.match_substring_regex(column, form), True)  # null is not unreadable
    if not pc.all(fits).as_py():
        _tell(column, fits, name, expected, faults)
        column = pc.if_else(fits, column, pa.scalar(None, pa.string()))
    if kinds.is_timestamp(kind):
        column = pc.replace_substring_regex(column, r"(Z|\+00:00)$", "Z")
    try:
        return column.cast(kind)
    except (ArrowInvalid, ArrowNotImplemented):
        return _one_by_one(column, name, kind, faults)


def _expected(kind: Any) -> str:
    """What is expected where a number stands."""
    if kinds.is_decimal(kind):
        return "whole smallest currency units, like 47500 for 475.00, without sign or leading zeros"
    if kinds.is_integer(kind):
        return "decimal digits without sign or leading zeros"
    if kinds.is_boolean(kind):
        return "true or false"
    return "text in UTF-8" if kind == pa.string() else f"a value of type {kind}"


def _one_by_one(column: Any, name: str, kind: Any, faults: Faults) -> Any:
    """Read values one by one, since some of them cannot be read."""
    values: list[object] = []
    for row, value in enumerate(column):
        try:
            values.append(None if not value.is_valid else value.cast(kind).as_py())
        except (ArrowInvalid, ArrowNotImplemented, ArrowTypeError, OverflowError, UnicodeDecodeError):
            values.append(None)
            faults.add(row, name, _expected(kind), _describe(name, value))
    return pa.array(values, kind)


def _refuse_told(column: Any, name: str, kind: Any, faults: Faults) -> Any:
    """Nulls in place of values of a type that no column of this kind has."""
    _tell(column, column.is_null(), name, _expected(kind), faults)
    return pa.nulls(len(column), kind)


def _tell(column: Any, fits: Any, name: str, expected: str, faults: Faults) -> None:
    for row in places_of(~as_flags(fits)):
        faults.add(row, name, expected, _describe(name, column[row]))


def _describe(name: str, given: Any) -> str:
    """A value of Arrow as a finding shows it."""
    try:
        value = given.as_py()
    except (ValueError, OverflowError):  # bytes that are no text, or a time that Python does not have
        return f"another value of type {given.type}"
    if isinstance(value, Decimal):
        return str(value)
    return describe_secret(value) if name in SECRET_COLUMNS else describe(value)


def _read_hex(column: Any, name: str, faults: Faults) -> Any:
    """32 bytes from 64 lower-case hex digits each."""
    fits = pc.fill_null(pc.equal(pc.binary_length(column), 64), True)  # null is not unreadable
    if not pc.all(fits).as_py():
        _tell(column, fits, name, "64 lower-case hex digits", faults)
        column = pc.if_else(fits, column, pa.scalar(None, pa.string()))
    is_there = as_flags(column.is_valid())
    digits = _NIBBLES[text_bytes(column.drop_null(), 64)]
    wrong = (digits > 15).any(1)
    places = np.flatnonzero(is_there)
    for place in places[wrong].tolist():
        faults.add(place, name, "64 lower-case hex digits", _describe(name, column[place]))
    is_there[places[wrong]] = False
    packed = np.zeros((len(column), 32), np.uint8)
    packed[places] = digits[:, ::2] << 4 | (digits[:, 1::2] & 15)
    return fixed_array(packed, is_there)


def fixed_array(rows: Bytes, is_there: Flags | None = None) -> Any:
    """Rows of bytes as an Arrow array of fixed size."""
    valid = None if is_there is None or is_there.all() else pa.py_buffer(np.packbits(is_there, bitorder="little"))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), [valid, pa.py_buffer(np.ascontiguousarray(rows))])


def fixed_bytes(column: Any) -> Bytes:
    """The bytes of an Arrow array of fixed size, a row each; those of a null are any."""
    width = column.type.byte_width
    data = np.frombuffer(column.buffers()[1], np.uint8) if len(column) else np.zeros(0, np.uint8)
    return data[column.offset * width : (column.offset + len(column)) * width].reshape(-1, width)


def text_bytes(column: Any, width: int) -> Bytes:
    """The bytes of texts that all have the same length, a row each."""
    if not len(column):
        return np.zeros((0, width), np.uint8)
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(column.buffers()[2], np.uint8)[offsets[0] : offsets[-1]].reshape(-1, width)


def as_flags(column: Any) -> Flags:
    """An Arrow array of booleans without nulls as numpy has them."""
    return np.asarray(column.to_numpy(zero_copy_only=False), np.bool_).copy()


def places_of(flags: Flags) -> list[int]:
    """Where flags are set."""
    return np.flatnonzero(flags).tolist()


def as_numbers(column: Any, missing: int, kind: Any) -> Any:
    """An Arrow array of whole numbers as numpy has them, with a number in place of nulls."""
    if column.null_count:
        column = pc.fill_null(column, pa.scalar(missing, column.type))
    return np.asarray(column.to_numpy(zero_copy_only=False), kind)


def as_values(column: Any) -> Any:
    """An Arrow array without its dictionary, if it has one."""
    return column.dictionary_decode() if kinds.is_dictionary(column.type) else column


def as_encoded(column: Any) -> Any:
    """An Arrow array with a dictionary, which has no null itself."""
    is_encoded = kinds.is_dictionary(column.type) and not column.dictionary.null_count
    return column if is_encoded else as_values(column).dictionary_encode()


def as_codes(column: Any) -> tuple[Codes, Any]:
    """Places in a list of different values, none of them null, -1 for null, and the list."""
    column = as_encoded(column)
    indices = column.indices
    if indices.null_count:
        indices = pc.fill_null(indices.cast(pa.int32()), pa.scalar(-1, pa.int32()))
    return np.asarray(indices.to_numpy(zero_copy_only=False), np.int32), column.dictionary


def as_known(column: Any, known: tuple[str, ...]) -> Bytes:
    """Places in a list of known texts; 254 for null and 255 for any other."""
    codes, values = as_codes(column)
    table = np.asarray([known.index(value) if value in known else 255 for value in values.to_pylist()] + [254], np.uint8)
    return table[codes]


def run_codes(rows: Bytes) -> tuple[Codes, Bytes]:
    """Places in a list of different rows of 32 bytes, and the list: cheap where equal rows are neighbours."""
    words = rows.view(np.uint64)
    if not len(rows):
        return np.zeros(0, np.int32), rows
    changes = np.ones(len(rows), np.bool_)
    changes[1:] = (words[1:] != words[:-1]).view(np.uint32)[:, 0] != 0  # four words are 32 bytes, and their four answers one number
    starts = np.flatnonzero(changes)
    codes, values = as_codes(fixed_array(rows[starts]))
    return np.repeat(codes, np.diff(starts, append=len(rows))), fixed_bytes(values)


def rows_differ(one: Any, other: Any) -> Flags:
    """Which rows of two arrays differ in any column: column by column, which is faster than row by row."""
    differ: Flags = one[:, 0] != other[:, 0]
    for place in range(1, one.shape[1]):
        differ |= one[:, place] != other[:, place]
    return differ


def rounds_column(batch: Any, name: str, faults: Faults) -> Any:
    """A column of rounds in its type, nulls where it is left out; a null where none may be is a fault."""
    field = field_of(ROUNDS, name)
    place = batch.schema.get_field_index(name)
    if place < 0:
        return pa.nulls(batch.num_rows, field.type)
    column = read_column(batch.column(place), name, field.type, faults)
    if not field.nullable and column.null_count:
        for row in places_of(as_flags(column.is_null())):
            faults.add(row, name, "a value", "null")
    return column


def amounts(column: Any) -> tuple[Any, dict[int, int]]:
    """Amounts as int64, 0 for null, and by their place those that are larger or negative beyond it."""
    if kinds.is_integer(column.type):
        return as_numbers(column, 0, np.int64), {}
    words = np.frombuffer(column.buffers()[1], np.int64) if len(column) else np.zeros(0, np.int64)
    words = words[2 * column.offset : 2 * (column.offset + len(column))].reshape(-1, 2)
    low, high = words[:, 0], words[:, 1]
    fits = high == low >> 63
    if column.null_count:
        is_there = as_flags(column.is_valid())
        low, fits = np.where(is_there, low, 0), fits | ~is_there
    large = {place: int(column[place].as_py()) for place in np.flatnonzero(~fits).tolist()}
    return (np.where(fits, low, 0) if large else low), large
