"""How a record spells its values: each text in one spelling, read into a value and written back.

A field of a record is made of these types. Their refusals say what was expected; the record adds where and what was found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer
from pydantic_core import PydanticCustomError

from ..cards import Card
from ..errors import BaccaratError, RecordError, describe
from ..fairness.hex_form import read_hex
from ..rules.pay_table import PUSH
from ..rules.settlement import MAX_AMOUNT

if TYPE_CHECKING:
    from collections.abc import Callable

_Value = TypeVar("_Value")
_Key = TypeVar("_Key")


def reads(parse: Callable[[str], object]) -> BeforeValidator:
    """A field that JSON holds as text: read by `parse`, whose refusals become the record's."""

    def read(text: object) -> object:
        if not isinstance(text, str):
            raise PydanticCustomError("form", "{expected}", {"expected": "text"})
        try:
            return parse(text)
        except BaccaratError as error:
            raise PydanticCustomError("form", "{expected}", {"expected": error.expected, "slips": error.slips}) from None

    return BeforeValidator(read)


def spelled(
    pattern: str, expected: str, convert: Callable[[str], _Value], error: type[BaccaratError] = RecordError
) -> Callable[[str], _Value]:
    """A parser of text in one spelling: it matches `pattern` as a whole, and `convert` makes a value of it or raises ValueError."""
    form = re.compile(pattern, re.ASCII)

    def parse(text: str) -> _Value:
        try:
            if form.fullmatch(text):
                return convert(text)
        except ValueError:
            pass
        raise error("text", expected, describe(text))

    return parse


def _bounded(text: str) -> int:
    if abs(amount := int(text)) > MAX_AMOUNT:
        raise ValueError
    return amount


def write_time(time: datetime) -> str:
    """RFC 3339 in UTC with `Z` and the shortest fraction: `2026-11-29T12:00:00.25Z`."""
    text = time.astimezone(UTC).replace(tzinfo=None).isoformat()
    return f"{text.rstrip('0') if '.' in text else text}Z"


def time_text(time: datetime | None) -> str | None:
    """A time as a record spells it, None as it is. Raises RecordError for one without a zone or outside of the years 1 to 9999."""
    if time is None:
        return None
    if not isinstance(time, datetime) or time.utcoffset() is None:
        raise RecordError("time", "a datetime with a time zone", describe(time))
    try:
        return write_time(time)
    except OverflowError:
        raise RecordError("time", "a time in the years 1 to 9999 of UTC", describe(time)) from None


def _thawed(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _thawed(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else value for key, value in mapping.items()}


def _frozen(mapping: Mapping[_Key, _Value]) -> Mapping[_Key, _Value]:
    return MappingProxyType(dict(mapping))


_MULTIPLIER: Final = r"[1-9][0-9]{0,5}\.([0-9]|[0-9]{1,5}[1-9])"

_parse_stake = spelled(r"[1-9][0-9]{0,37}", "decimal digits without sign or leading zeros, from 1 to 10^38 - 1", int)
_parse_amount = spelled(r"0|[1-9][0-9]{0,37}", "decimal digits without sign or leading zeros, at most 10^38 - 1", int)
_parse_net = spelled(r"0|-?[1-9][0-9]{0,38}", "decimal digits, at most 10^38 - 1", _bounded)
_parse_time = spelled(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(\.[0-9]{0,5}[1-9])?Z",
    "a time in UTC like 2026-11-29T12:00:00.25Z",
    datetime.fromisoformat,
)
_parse_multiplier = spelled(_MULTIPLIER, "a multiplier like 1.95 or 2.0", str)
_parse_payout = spelled(f"{PUSH}|{_MULTIPLIER}", "a multiplier like 1.95 or 2.0, or push", str)
_parse_name = spelled(r"[a-z][a-z0-9_]{0,63}", "a letter, then letters, digits and _, all lower-case ASCII", str)
parse_currency = spelled(r"[A-Z][A-Z0-9]{0,15}", "1 to 16 upper-case letters and digits", str)
parse_label = spelled(r"[a-z0-9][a-z0-9:-]{0,63}", "a label like pfb1:8", str)
parse_scheme = spelled(r"[a-z0-9][a-z0-9-]{0,31}", "the name of a scheme", str)


def _parse_hex(text: str) -> str:
    digest = read_hex(text, "hash", RecordError)
    if isinstance(digest, RecordError):
        raise digest
    return digest.hex()


Amount: TypeAlias = Annotated[int, reads(_parse_amount), PlainSerializer(str)]
Stake: TypeAlias = Annotated[int, reads(_parse_stake), PlainSerializer(str)]
Net: TypeAlias = Annotated[int, reads(_parse_net), PlainSerializer(str)]
Time: TypeAlias = Annotated[datetime, reads(_parse_time), PlainSerializer(write_time)]
Hex: TypeAlias = Annotated[str, reads(_parse_hex)]
Name: TypeAlias = Annotated[str, reads(_parse_name)]
Multiplier: TypeAlias = Annotated[str, reads(_parse_multiplier)]
Payout: TypeAlias = Annotated[str, reads(_parse_payout)]
CardText: TypeAlias = Annotated[Card, reads(Card.parse), PlainSerializer(str)]
Cards: TypeAlias = Annotated[tuple[CardText, ...], Field(strict=False, max_length=6)]
FrozenMapping: TypeAlias = Annotated[Mapping[_Key, _Value], AfterValidator(_frozen), PlainSerializer(_thawed)]
