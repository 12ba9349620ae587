"""How a record spells its values: each text in one spelling, read into a value and written back.

A field of a record is made of these types. Their refusals say what was expected; the record adds where and what was found. What each of
them looks like is said in the record's JSON schema too, as far as a schema can.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema
from pydantic_core import PydanticCustomError

from ..cards import Card
from ..errors import BaccaratError, RecordError, describe
from ..fairness.hex_form import read_hex
from ..fairness.seeds import MAX_CLIENT_SEED_BYTES, ClientSeed, Commitment
from ..rules.coup import Outcome
from ..rules.pay_table import PUSH

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import GetJsonSchemaHandler, JsonValue
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

    from ..canonical import Json

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


def currency_form(currency: tuple[str, int] | None) -> dict[str, Json] | None:
    """A currency as a record holds it, None as it is."""
    return None if currency is None else {"code": currency[0], "decimals": currency[1]}


def _thawed(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _thawed(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else value for key, value in mapping.items()}


def _frozen(mapping: Mapping[_Key, _Value]) -> Mapping[_Key, _Value]:
    return MappingProxyType(dict(mapping))


HEX: Final = "[0-9a-f]{64}"
STAKE: Final = "[1-9][0-9]{0,37}"
_AMOUNT: Final = "0|[1-9][0-9]{0,37}"
_NET: Final = "0|-?[1-9][0-9]{0,37}"
TIME: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(\.[0-9]{0,5}[1-9])?Z"
_MULTIPLIER: Final = r"[1-9][0-9]{0,5}\.([0-9]|[0-9]{1,5}[1-9])"
_PAYOUT: Final = f"{PUSH}|{_MULTIPLIER}"
NAME: Final = "[a-z][a-z0-9_]{0,63}"
CURRENCY: Final = "[A-Z][A-Z0-9]{0,15}"
CURRENCY_FORM: Final = "1 to 16 upper-case letters and digits"
_LABEL: Final = "[a-z0-9][a-z0-9:-]{0,63}"
_SCHEME: Final = "[a-z0-9][a-z0-9-]{0,31}"
_WINNER: Final = "|".join(Outcome)
_CLIENT_SEED_HEX: Final = "([0-9a-f]{2}){1,128}"
_EDGE: Final = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def shown(pattern: str) -> WithJsonSchema:
    """A field that the JSON schema shows as text which matches `pattern` as a whole."""
    return WithJsonSchema(text_schema(pattern))


def text_schema(pattern: str) -> dict[str, JsonValue]:
    """The JSON schema of text which matches `pattern` as a whole."""
    return {"type": "string", "pattern": f"^({pattern})$"}


class _NoOtherKeys:
    """A mapping whose JSON schema refuses a key that is not spelt as its keys are."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "additionalProperties": False}


_parse_stake = spelled(STAKE, "decimal digits without sign or leading zeros, from 1 to 10^38 - 1", int)
_parse_amount = spelled(_AMOUNT, "decimal digits without sign or leading zeros, at most 10^38 - 1", int)
_parse_net = spelled(_NET, "decimal digits, at most 10^38 - 1", int)
_parse_time = spelled(TIME, "a time in UTC like 2026-11-29T12:00:00.25Z", datetime.fromisoformat)
_parse_multiplier = spelled(_MULTIPLIER, "a multiplier like 1.95 or 2.0", str)
_parse_payout = spelled(_PAYOUT, "a multiplier like 1.95 or 2.0, or push", str)
_parse_name = spelled(NAME, "a letter, then letters, digits and _, all lower-case ASCII", str)
_parse_currency = spelled(CURRENCY, CURRENCY_FORM, str)
_parse_label = spelled(_LABEL, "a label like pfb1:8", str)
_parse_scheme = spelled(_SCHEME, "the name of a scheme", str)
_parse_winner = spelled(_WINNER, "player, banker or tie", Outcome)


def _parse_hex(text: str) -> str:
    digest = read_hex(text, "hash", RecordError)
    if isinstance(digest, RecordError):
        raise digest
    return digest.hex()


def _write_winner(winner: Outcome) -> str:
    return winner.value


_CLIENT_SEED_SCHEMA: Final = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_CLIENT_SEED_BYTES,
    "not": {"pattern": rf"[\u0000-\u001f\u007f-\u009f]|^[{_EDGE}]|[{_EDGE}]$"},
}
"""As far as a schema can say it: it counts code points and not bytes."""

Amount: TypeAlias = Annotated[int, reads(_parse_amount), PlainSerializer(str), shown(_AMOUNT)]
Stake: TypeAlias = Annotated[int, reads(_parse_stake), PlainSerializer(str), shown(STAKE)]
Net: TypeAlias = Annotated[int, reads(_parse_net), PlainSerializer(str), shown(_NET)]
Time: TypeAlias = Annotated[datetime, reads(_parse_time), PlainSerializer(write_time), shown(TIME)]
Hex: TypeAlias = Annotated[str, reads(_parse_hex), shown(HEX)]
Name: TypeAlias = Annotated[str, reads(_parse_name), shown(NAME)]
Multiplier: TypeAlias = Annotated[str, reads(_parse_multiplier), shown(_MULTIPLIER)]
Payout: TypeAlias = Annotated[str, reads(_parse_payout), shown(_PAYOUT)]
CurrencyCode: TypeAlias = Annotated[str, reads(_parse_currency), shown(CURRENCY)]
LabelText: TypeAlias = Annotated[str, reads(_parse_label), shown(_LABEL)]
SchemeName: TypeAlias = Annotated[str, reads(_parse_scheme), shown(_SCHEME)]
CommitmentText: TypeAlias = Annotated[Commitment, reads(Commitment.parse), PlainSerializer(str), shown(HEX)]
ClientSeedText: TypeAlias = Annotated[ClientSeed, reads(ClientSeed), PlainSerializer(str), WithJsonSchema(_CLIENT_SEED_SCHEMA)]
ClientSeedHex: TypeAlias = Annotated[str, Field(pattern=f"^{_CLIENT_SEED_HEX}\\z"), shown(_CLIENT_SEED_HEX)]
Winner: TypeAlias = Annotated[Outcome, reads(_parse_winner), PlainSerializer(_write_winner), shown(_WINNER)]
CardText: TypeAlias = Annotated[Card, reads(Card.parse), PlainSerializer(str), shown("[A23456789TJQK][shdc]")]
Cards: TypeAlias = Annotated[tuple[CardText, ...], Field(strict=False, max_length=6)]
FrozenMapping: TypeAlias = Annotated[Mapping[_Key, _Value], AfterValidator(_frozen), PlainSerializer(_thawed), _NoOtherKeys()]
