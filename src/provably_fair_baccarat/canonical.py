"""JSON in exactly one spelling: written by RFC 8785, read without mercy.

What is digested, signed or logged must have one form, and what is read must not mean two things to two readers. So duplicate keys,
fractions, exponents, signs, `NaN`, deep nesting and long texts are refused; white space, key order and string escapes are free.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from .errors import RecordError, Slip, describe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .errors import BaccaratError

Json: TypeAlias = "str | int | bool | Sequence[Json] | Mapping[str, Json] | None"
"""What canonical JSON is made of here. There are no fractions: amounts and multipliers are strings."""

MAX_BYTES = 64 * 1024
"""The longest JSON text that is read, in bytes."""

MAX_NESTING = 16
"""How deep objects and arrays may be nested in each other."""

MAX_INTEGER = 2**53 - 1
"""The largest JSON number: beyond it an IEEE 754 double, which is all that JavaScript has, is not exact."""

_write = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)


def canonical_json(value: Json) -> bytes:
    """Write a value as RFC 8785 (JCS) bytes: keys sorted, no white space, UTF-8, the shortest escapes.

    Keys must be ASCII, so that sorting them by code points is sorting them by UTF-16 units.
    """
    return _write(value).encode()


def parse_json(
    text: str | bytes,
    *,
    subject: str = "JSON",
    error: type[BaccaratError] = RecordError,
    parse_fraction: Callable[[str], object] | None = None,
    max_bytes: int = MAX_BYTES,
) -> object:
    """Read one JSON value of at most so many bytes, refusing whatever two readers could understand differently.

    Fractions and exponents are refused unless `parse_fraction` takes their text. Raises `error`, with `subject` naming what was read.
    """
    text = _decode(text, subject, error, max_bytes)
    _bound_nesting(text, subject, error)

    def refuse_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise error(subject, "each key once", f"{describe(twice)} more than once")
        return members

    def integer(digits: str) -> int:
        if digits.startswith("-") or len(digits) > 16 or (number := int(digits)) > MAX_INTEGER:
            raise error(subject, "whole numbers from 0 to 2^53 - 1", f"the number {digits[:40]}")
        return number

    def refuse_number(digits: str) -> NoReturn:
        raise error(
            subject,
            "whole numbers without sign, fraction or exponent",
            f"the number {digits[:40]}",
            (Slip("number_form", "Amounts and multipliers are strings of decimal digits."),),
        )

    try:
        return json.loads(
            text,
            object_pairs_hook=refuse_duplicates,
            parse_int=integer,
            parse_float=parse_fraction or refuse_number,
            parse_constant=refuse_number,
        )
    except json.JSONDecodeError as fault:
        raise error(subject, "one JSON value", _found_at(fault)) from None


def _found_at(fault: json.JSONDecodeError) -> str:
    """What stands where JSON should go on."""
    text = fault.doc
    if not text.strip():
        return "an empty text"
    found = describe(text[fault.pos]) if text[fault.pos :].strip() else "the end"
    if fault.msg.startswith("Unterminated string"):
        found = "a string without an end"
    return f"{found} at line {fault.lineno}, column {fault.colno}"


def _decode(text: str | bytes, subject: str, error: type[BaccaratError], max_bytes: int) -> str:
    if not isinstance(text, (str, bytes)):
        raise error(subject, "text or bytes", describe(text))
    if len(text) <= max_bytes:
        try:
            raw = text.encode() if isinstance(text, str) else text
            decoded = raw.decode()
        except (UnicodeDecodeError, UnicodeEncodeError) as fault:
            raise error(subject, "UTF-8", f"{fault.reason} at place {fault.start}") from None
        if len(raw) <= max_bytes:
            return decoded
    raise error(subject, f"at most {max_bytes:,} bytes", "more")


def _bound_nesting(text: str, subject: str, error: type[BaccaratError]) -> None:
    depth = 0
    for mark in re.findall(r"[\[{}\]]", _STRING.sub("", text)):
        depth += 1 if mark in "[{" else -1
        if depth > MAX_NESTING:
            raise error(subject, f"at most {MAX_NESTING} levels of nesting", "more")
