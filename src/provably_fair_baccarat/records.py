"""The published record of a round: everything that a stranger needs to replay it, as JSON in one spelling.

This is the parse boundary. A record that exists is complete and well formed; whether it is *true* is for verification to find out, which
trusts no field that it can recompute.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NoReturn, Self, TypeAlias, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PlainSerializer,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from .canonical import canonical_json, parse_json
from .cards import Card
from .errors import BaccaratError, RecordError, ServerSeedError, SettlementMismatchError, Slip, describe, nearest
from .fairness.chain import MAX_LENGTH, Chain
from .fairness.hex_form import describe_secret, mend_hex, read_hex
from .fairness.inputs import MAX_DECKS, MAX_NONCE
from .fairness.schemes import SCHEMES
from .fairness.seed_pair import Seeds
from .fairness.seeds import ClientSeed, Commitment
from .rounds import Round
from .rules.coup import Outcome
from .rules.pay_table import PUSH, PayTable
from .rules.settlement import MAX_AMOUNT, Settlement, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic_core import ErrorDetails

    from .canonical import Json
    from .fairness.chain import Link
    from .fairness.schemes import AnyServerSeed, Scheme
    from .rules.bets import Bet
    from .rules.coup import Hand

FORMAT_VERSION: Final = 1
"""The version of the record's form that is written and read here."""

MadeBy: TypeAlias = Literal["bettor", "operator"]
"""Who made a client seed."""

_Value = TypeVar("_Value")
_Key = TypeVar("_Key")


def _reads(parse: Callable[[str], object]) -> BeforeValidator:
    """A field that JSON holds as text: read by `parse`, whose refusals become the record's."""

    def read(text: object) -> object:
        if not isinstance(text, str):
            raise PydanticCustomError("form", "{expected}", {"expected": "text"})
        try:
            return parse(text)
        except BaccaratError as error:
            raise PydanticCustomError("form", "{expected}", {"expected": error.expected, "slips": error.slips}) from None

    return BeforeValidator(read)


def _spelled(
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


def _write_time(time: datetime) -> str:
    """RFC 3339 in UTC with `Z` and the shortest fraction: `2026-11-29T12:00:00.25Z`."""
    text = time.astimezone(UTC).replace(tzinfo=None).isoformat()
    return f"{text.rstrip('0') if '.' in text else text}Z"


def _time_text(time: datetime | None) -> str | None:
    if time is None:
        return None
    if not isinstance(time, datetime) or time.utcoffset() is None:
        raise RecordError("time", "a datetime with a time zone", describe(time))
    try:
        return _write_time(time)
    except OverflowError:
        raise RecordError("time", "a time in the years 1 to 9999 of UTC", describe(time)) from None


def _thawed(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _thawed(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else value for key, value in mapping.items()}


def _frozen(mapping: Mapping[_Key, _Value]) -> Mapping[_Key, _Value]:
    return MappingProxyType(dict(mapping))


_MULTIPLIER: Final = r"[1-9][0-9]{0,5}\.([0-9]|[0-9]{1,5}[1-9])"

_parse_stake = _spelled(r"[1-9][0-9]{0,37}", "decimal digits without sign or leading zeros, from 1 to 10^38 - 1", int)
_parse_amount = _spelled(r"0|[1-9][0-9]{0,37}", "decimal digits without sign or leading zeros, at most 10^38 - 1", int)
_parse_net = _spelled(r"0|-?[1-9][0-9]{0,38}", "decimal digits, at most 10^38 - 1", _bounded)
_parse_time = _spelled(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(\.[0-9]{0,5}[1-9])?Z",
    "a time in UTC like 2026-11-29T12:00:00.25Z",
    datetime.fromisoformat,
)
_parse_multiplier = _spelled(_MULTIPLIER, "a multiplier like 1.95 or 2.0", str)
_parse_payout = _spelled(f"{PUSH}|{_MULTIPLIER}", "a multiplier like 1.95 or 2.0, or push", str)
_parse_name = _spelled(r"[a-z][a-z0-9_]{0,63}", "a letter, then letters, digits and _, all lower-case ASCII", str)
_parse_currency = _spelled(r"[A-Z][A-Z0-9]{0,15}", "1 to 16 upper-case letters and digits", str)
_parse_label = _spelled(r"[a-z0-9][a-z0-9:-]{0,63}", "a label like pfb1:8", str)
_parse_scheme = _spelled(r"[a-z0-9][a-z0-9-]{0,31}", "the name of a scheme", str)


def _parse_hex(text: str) -> str:
    digest = read_hex(text, "hash", RecordError)
    if isinstance(digest, RecordError):
        raise digest
    return digest.hex()


Amount: TypeAlias = Annotated[int, _reads(_parse_amount), PlainSerializer(str)]
Stake: TypeAlias = Annotated[int, _reads(_parse_stake), PlainSerializer(str)]
Net: TypeAlias = Annotated[int, _reads(_parse_net), PlainSerializer(str)]
Time: TypeAlias = Annotated[datetime, _reads(_parse_time), PlainSerializer(_write_time)]
Hex: TypeAlias = Annotated[str, _reads(_parse_hex)]
Name: TypeAlias = Annotated[str, _reads(_parse_name)]
Multiplier: TypeAlias = Annotated[str, _reads(_parse_multiplier)]
Payout: TypeAlias = Annotated[str, _reads(_parse_payout)]
CardText: TypeAlias = Annotated[Card, _reads(Card.parse), PlainSerializer(str)]
Cards: TypeAlias = Annotated[tuple[CardText, ...], Field(strict=False, max_length=6)]
FrozenMapping: TypeAlias = Annotated[Mapping[_Key, _Value], AfterValidator(_frozen), PlainSerializer(_thawed)]


class _Form(BaseModel):
    """Frozen, strict, and without room for anything unknown or left out."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True, hide_input_in_errors=True, revalidate_instances="always"
    )

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: cannot delete {name!r}")


class HandForm(_Form):
    """A hand: its two or three cards in the order they were dealt, and its score."""

    cards: Cards
    score: Annotated[int, Field(ge=0, le=9)]


class BetForm(_Form):
    """A bet: stake and return in smallest currency units, and what became of it."""

    stake: Stake
    status: Literal["won", "pushed", "lost"]
    returned: Amount


class TotalsForm(_Form):
    """The sums over all bets, in smallest currency units; net is what the bettor gained, or lost if negative."""

    staked: Amount
    returned: Amount
    net: Net


class CurrencyForm(_Form):
    """The currency that amounts are in: its code, and how many decimals its smallest unit stands for."""

    code: Annotated[str, _reads(_parse_currency)]
    decimals: Annotated[int, Field(ge=0, le=38)]


class ChainForm(_Form):
    """The seed chain that a commitment is to: its anchor, link(0), and how many coups it serves (protocol step 8)."""

    anchor: Hex
    length: Annotated[int, Field(ge=1, le=MAX_LENGTH)]

    def chain(self) -> Chain:
        """The chain as a value."""
        return Chain(self.anchor, self.length)


class PayTableForm(_Form):
    """A pay table as a record holds it: every multiplier as text, nothing left out."""

    player_multiplier: Multiplier
    banker_multiplier: Multiplier
    tie_multiplier: Multiplier
    banker_exceptions: FrozenMapping[Name, Payout]
    side_bets: FrozenMapping[Name, FrozenMapping[Name, Payout]]
    stake_step: Stake
    rounding: Literal["down"]

    def pay_table(self, bets: Iterable[Bet] = ()) -> PayTable:
        """The table as a value. `bets` are the operator's own bets that it may offer. Raises PayTableError if it is none."""
        return PayTable.from_dict(self.model_dump(mode="json"), bets)


class RoundRecord(_Form):
    """One round as it is published: where it came from, the coup, the bets and what they returned (protocol step 11).

    Amounts are whole numbers of the smallest currency unit; in JSON they and the multipliers are strings. `server_seed` is None until it is
    revealed, `index` is the coup's place in a shoe dealt through, else None; times, currency and who made the client seed are None where
    nobody knows. `from_round` makes a record, `parse_json` reads one, `to_json` writes it. Raises RecordError for anything else.
    """

    format_version: Annotated[int, Field(ge=FORMAT_VERSION, le=FORMAT_VERSION)]
    scheme: Annotated[str, _reads(_parse_scheme)]
    label: Annotated[str, _reads(_parse_label)]
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] | None
    commitment: Annotated[Commitment, _reads(Commitment.parse), PlainSerializer(str)] | None
    chain: ChainForm | None
    server_seed: Annotated[str, Field(min_length=1, max_length=256)] | None
    client_seed: Annotated[ClientSeed, _reads(ClientSeed), PlainSerializer(str)]
    client_seed_hex: Annotated[str, Field(pattern=r"^([0-9a-f]{2}){1,128}\z")]
    client_seed_made_by: MadeBy | None
    nonce: Annotated[int, Field(ge=0, le=MAX_NONCE)]
    index: Annotated[int, Field(ge=0, le=52 * MAX_DECKS)] | None
    cut: Annotated[int, Field(ge=0, lt=52 * MAX_DECKS)] | None
    cards: Cards
    player: HandForm
    banker: HandForm
    natural: bool
    winner: Annotated[
        Outcome, _reads(_spelled("player|banker|tie", "player, banker or tie", Outcome)), PlainSerializer(lambda winner: winner.value)
    ]
    bets: FrozenMapping[Name, BetForm]
    totals: TotalsForm
    pay_table: PayTableForm
    pay_table_digest: Hex
    currency: CurrencyForm | None
    accepted_at: Time | None
    settled_at: Time | None

    @classmethod
    def from_round(
        cls,
        played: Round,
        settlement: Settlement,
        *,
        server_seed: AnyServerSeed | None = None,
        scheme: Scheme | None = None,
        client_seed_made_by: MadeBy | None = None,
        currency: tuple[str, int] | None = None,
        accepted_at: datetime | None = None,
        settled_at: datetime | None = None,
    ) -> Self:
        """Make the record of a round and what its bets came to.

        A `server_seed` that is given is revealed in the record; `scheme` is needed with it where that is no scheme of this package. `currency` is a code and the number of its decimals, like ("USD", 2); times
        have a time zone. Raises SettlementMismatchError if the settlement is not that of this coup, CommitmentMismatchError if the server
        seed is not that of this round, and RecordError for a time without a zone or what is no currency.
        """
        if not (isinstance(played, Round) and isinstance(settlement, Settlement)):
            raise RecordError("record", "a Round and a Settlement", f"{describe(played)} and {describe(settlement)}")
        stakes = {line.bet: line.stake for line in settlement.lines.values()}
        if settle(played.coup, stakes, settlement.pay_table) != settlement:
            raise SettlementMismatchError("settlement", "the settlement of this round's coup", "another one")
        if currency is not None and not (isinstance(currency, tuple) and len(currency) == 2):
            raise RecordError("currency", 'its code and the number of its decimals, like ("USD", 2)', describe(currency))
        record = cls.model_validate(
            {
                "format_version": FORMAT_VERSION,
                "scheme": played.scheme,
                "label": played.origin.label,
                "decks": played.decks,
                "commitment": None if played.commitment is None else str(played.commitment),
                "chain": None if (chain := played.origin.chain) is None else {"anchor": chain.anchor, "length": chain.length},
                "server_seed": None,
                "client_seed": str(played.client_seed),
                "client_seed_hex": played.client_seed.utf8.hex(),
                "client_seed_made_by": client_seed_made_by,
                "nonce": played.nonce,
                "index": played.index,
                "cut": played.cut,
                "cards": _texts(played.cards),
                "player": _hand(played.coup.player),
                "banker": _hand(played.coup.banker),
                "natural": played.coup.natural,
                "winner": played.coup.winner.value,
                "bets": {
                    line.bet: {"stake": str(line.stake), "status": line.status, "returned": str(line.returned)}
                    for line in settlement.lines.values()
                },
                "totals": {"staked": str(settlement.staked), "returned": str(settlement.returned), "net": str(settlement.net)},
                "pay_table": settlement.pay_table.to_dict(),
                "pay_table_digest": settlement.pay_table.digest,
                "currency": None if currency is None else {"code": currency[0], "decimals": currency[1]},
                "accepted_at": _time_text(accepted_at),
                "settled_at": _time_text(settled_at),
            }
        )
        return record if server_seed is None else record.reveal(server_seed, scheme)

    @classmethod
    def parse_json(cls, text: str | bytes) -> Self:
        """Read a record from JSON, with any white space and key order but one spelling for each value.

        Raises RecordError for anything unknown, missing, twice or malformed, and for more than 64 KiB.
        """
        return cls.model_validate(parse_json(text, subject="record"))

    def to_dict(self) -> dict[str, Json]:
        """The record as plain JSON values."""
        return self.model_dump(mode="json")

    def to_json(self) -> bytes:
        """The record as RFC 8785 canonical JSON: the bytes that are digested, signed and logged."""
        return canonical_json(self.to_dict())

    def seeds(self, server_seed: AnyServerSeed | Link | str, scheme: str | Scheme | None = None) -> Seeds:
        """The seeds of the round, with its server seed, if that fits; raises as `Seeds` does.

        A record of a scheme that is not the package's own needs that `scheme` as an object.
        """
        chain = None if self.chain is None else self.chain.chain()
        decks = MAX_DECKS if self.decks is None else self.decks
        return Seeds(server_seed, self.client_seed, self.commitment, decks, scheme=self.scheme if scheme is None else scheme, chain=chain)

    def reveal(self, server_seed: AnyServerSeed, scheme: Scheme | None = None) -> Self:
        """The same record with its server seed revealed. Raises CommitmentMismatchError if it is not the one committed to.

        Of a seed chain, that is the link of this nonce; raises LinkMismatchError for another one.
        """
        seeds = self.seeds(server_seed, scheme)
        seeds.source(self.nonce)
        return type(self).model_validate({**self.to_dict(), "server_seed": seeds.server_seed.reveal()})

    @model_validator(mode="after")
    def _hold_together(self) -> Self:
        """A known scheme says what its records cannot be without, and what a server seed of its looks like; nothing settles before it is accepted."""
        scheme = SCHEMES.get(self.scheme)
        if scheme is not None and scheme.needs_commitment:
            for name in ("decks", "commitment", "cut"):
                if getattr(self, name) is None:
                    raise RecordError(f"record, {name}", f"a value, which there always is with scheme {scheme.name}", "None")
        if self.accepted_at is not None and self.settled_at is not None and self.settled_at < self.accepted_at:
            raise RecordError("record, settled_at", "a time not before accepted_at", _write_time(self.settled_at))
        if scheme is not None and self.server_seed is not None:
            try:
                scheme.read_server_seed(self.server_seed)
            except ServerSeedError as error:
                raise RecordError("record, server_seed", error.expected, error.found, error.slips) from None
        return self

    @model_validator(mode="wrap")
    @classmethod
    def _refuse_in_our_words(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError as error:
            refusal = _refusal(error.errors(include_url=False)[0], cls)
        raise refusal  # out here, where it does not carry along the error above, which repeats the input

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **_: Any) -> Self:
        """`parse_json`, by pydantic's name for it."""
        return cls.parse_json(bytes(json_data) if isinstance(json_data, bytearray) else json_data)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """The same record, or one with some of its JSON values changed, read as strictly as any."""
        del deep
        return type(self).model_validate({**self.to_dict(), **update}) if update else self

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).parse_json, (self.to_json(),)


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _hand(hand: Hand) -> dict[str, Json]:
    return {"cards": _texts(hand.cards), "score": hand.score}


def _refusal(detail: ErrorDetails, form: type[BaseModel]) -> RecordError:
    """One of pydantic's findings as an error of ours; a server seed is described and never repeated."""
    path = ".".join(str(step) for step in detail["loc"])
    subject = f"record, {path}" if path else "record"
    kind, given, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing":
        return RecordError(subject, "this key, as all keys of a record", "no such key")
    if kind == "extra_forbidden":
        key = str(detail["loc"][-1])
        return RecordError(subject, "no keys but the record's own", describe(key), nearest(key, form.model_fields))
    is_secret = path.startswith("server_seed") or (isinstance(given, str) and mend_hex(given) is not None)
    found = describe_secret(given) if is_secret else describe(given)
    if kind == "form":
        return RecordError(subject, context["expected"], found, context.get("slips", ()))
    expected = _EXPECTED.get(kind) or detail["msg"].removeprefix("Input should be ")
    is_quoted = kind == "int_type" and isinstance(given, str)
    slips = (Slip("number_as_text", "Write it as a JSON number, without quotes."),) if is_quoted else ()
    return RecordError(subject, expected[:1].lower() + expected[1:], found, slips)


_EXPECTED: Mapping[str, str] = {
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "text",
    "none_required": "null",
    "model_type": "an object",
    "mapping_type": "an object",
    "tuple_type": "a list",
    "too_long": "at most 6 cards",
    "string_pattern_mismatch": "2 to 256 lower-case hex digits",
}
