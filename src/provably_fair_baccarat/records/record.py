"""The record itself: made of a round and its settlement, read from JSON, written as canonical JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ModelWrapValidatorHandler, ValidationError, model_validator

from ..canonical import canonical_json, parse_json
from ..errors import RecordError, ServerSeedError, SettlementMismatchError, Slip, describe, nearest
from ..fairness.hex_form import describe_secret, mend_hex
from ..fairness.inputs import MAX_DECKS, MAX_NONCE
from ..fairness.schemes import SCHEMES
from ..fairness.seed_pair import Seeds
from ..rounds import Round
from ..rules.settlement import Settlement, settle
from .forms import BetForm, ChainForm, CurrencyForm, Form, HandForm, PayTableForm, TotalsForm
from .spelling import (
    HEX,
    Cards,
    ClientSeedHex,
    ClientSeedText,
    CommitmentText,
    FrozenMapping,
    Hex,
    LabelText,
    Name,
    SchemeName,
    Time,
    Winner,
    currency_form,
    text_schema,
    time_text,
    write_time,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from pydantic_core import ErrorDetails

    from ..canonical import Json
    from ..cards import Card
    from ..fairness.chain import Link
    from ..fairness.schemes import AnyServerSeed, Scheme
    from ..rules.coup import Hand

FORMAT_VERSION: Final = 1
"""The version of the record's form that is written and read here."""

MadeBy: TypeAlias = Literal["bettor", "operator"]
"""Who made a client seed."""


_SCHEMA: Final[dict[str, JsonValue]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "description": (
        "One round of provably fair baccarat as it is published (protocol step 11). Amounts and multipliers are strings. A schema sees the form "
        "alone: not that hex spells a client seed, not that keys stand once, and not that anything is true."
    ),
    "if": {"properties": {"scheme": {"enum": [name for name, scheme in SCHEMES.items() if scheme.needs_commitment]}}},
    "then": {
        "properties": {
            "decks": {"type": "integer"},
            "commitment": {"type": "string"},
            "cut": {"type": "integer"},
            "server_seed": {"anyOf": [text_schema(HEX), {"type": "null"}]},
        }
    },
}
"""What the JSON schema of a record says beyond its fields: the pfb1 schemes leave out nothing, and their server seeds are hex."""


class RoundRecord(Form):
    """One round as it is published: where it came from, the coup, the bets and what they returned (protocol step 11).

    Amounts are whole numbers of the smallest currency unit; in JSON they and the multipliers are strings. `server_seed` is None until it is
    revealed, `index` is the coup's place in a shoe dealt through, else None; times, currency and who made the client seed are None where
    nobody knows. `from_round` makes a record, `parse_json` reads one, `to_json` writes it. Raises RecordError for anything else.
    """

    model_config = ConfigDict(json_schema_extra=_SCHEMA)

    format_version: Annotated[int, Field(ge=FORMAT_VERSION, le=FORMAT_VERSION)]
    scheme: SchemeName
    label: LabelText
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] | None
    commitment: CommitmentText | None
    chain: ChainForm | None
    server_seed: Annotated[str, Field(min_length=1, max_length=256)] | None
    client_seed: ClientSeedText
    client_seed_hex: ClientSeedHex
    client_seed_made_by: MadeBy | None
    nonce: Annotated[int, Field(ge=0, le=MAX_NONCE)]
    index: Annotated[int, Field(ge=0, le=52 * MAX_DECKS)] | None
    cut: Annotated[int, Field(ge=0, lt=52 * MAX_DECKS)] | None
    cards: Cards
    player: HandForm
    banker: HandForm
    natural: bool
    winner: Winner
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

        A `server_seed` that is given is revealed in the record; `scheme` is needed with it where that is no scheme of this package.
        `currency` is a code and the number of its decimals, like ("USD", 2); times have a time zone. Raises SettlementMismatchError if the
        settlement is not that of this coup, CommitmentMismatchError if the server seed is not that of this round, and RecordError for a
        time without a zone or what is no currency.
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
                "currency": currency_form(currency),
                "accepted_at": time_text(accepted_at),
                "settled_at": time_text(settled_at),
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
        """A known scheme says what its records must have and what its server seeds look like; nothing settles before it is accepted."""
        scheme = SCHEMES.get(self.scheme)
        if scheme is not None and scheme.needs_commitment:
            for name in ("decks", "commitment", "cut"):
                if getattr(self, name) is None:
                    raise RecordError(f"record, {name}", f"a value, which there always is with scheme {scheme.name}", "None")
        if self.accepted_at is not None and self.settled_at is not None and self.settled_at < self.accepted_at:
            raise RecordError("record, settled_at", "a time not before accepted_at", write_time(self.settled_at))
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
