"""The four statements that an operator signs: opening, acceptance, receipt and closing, each with exactly its members.

A statement is a value that is right from birth, as a record is. What it says need not be true; it is what somebody said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Self, TypeAlias

from pydantic import AfterValidator, Field, PlainSerializer, model_validator

from ..canonical import MAX_INTEGER, canonical_json
from ..errors import BaccaratError, BeaconError, RecordError, StatementFormError
from ..fairness.inputs import MAX_DECKS, MAX_NONCE
from ..fairness.seeds import ClientSeed, Commitment
from ..records import ChainForm, CurrencyForm, MadeBy, RoundRecord
from ..records.spelling import (
    NAME,
    STAKE,
    TIME,
    ClientSeedText,
    CommitmentText,
    Hex,
    LabelText,
    Name,
    SchemeName,
    Stake,
    Time,
    reads,
    spelled,
    time_text,
    write_time,
)
from .jws import Kind
from .one_spelling import read_canonical
from .outline import Outline, gap
from .spoken import SpokenForm

if TYPE_CHECKING:
    from ..canonical import Json


STATEMENT_VERSION: Final = 1
"""The version of the statements that are written and read here."""

MAX_DELAY: Final = 365 * 86_400
"""The longest time that a promise to log may take, in seconds."""

_read_text = spelled(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,128}", "1 to 128 characters, none of them a control character", str)
_read_log_key = spelled(r"[!-*,-~]{1,128}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}", "a log's key as text", str)

_read_quoted_time = spelled(f'"{TIME}"', "a time", lambda text: datetime.fromisoformat(text[1:-1]))

_VARYING: Final = ("bets", "key", "nonce", "time")
_BET: Final = re.compile(f'"({NAME})":"({STAKE})"'.encode())
_BETS: Final = re.compile(b"{(%b,)*%b}" % (_BET.pattern, _BET.pattern))
_NONCE: Final = re.compile(rb"0|[1-9][0-9]{0,15}")
_PLAIN: Final = re.compile(rb'"[^"\\\x00-\x1f]*"')
"""A string that JSON writes without escapes."""

Text: TypeAlias = Annotated[str, reads(_read_text)]
Number: TypeAlias = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
Bets: TypeAlias = Annotated[
    Mapping[Name, Stake],
    Field(min_length=1),
    AfterValidator(lambda bets: MappingProxyType(dict(bets))),
    PlainSerializer(lambda bets: {name: str(stake) for name, stake in bets.items()}),
]


class BeaconRound(SpokenForm):
    """A round of a drand chain: the chain's hash, 64 hex digits, and the number of the round, from 1. Raises BeaconError."""

    called = "round of a beacon"
    refusal = BeaconError
    chain: Hex
    round: Annotated[int, Field(ge=1, le=MAX_INTEGER)]

    def __str__(self) -> str:
        return f"round {self.round} of the drand chain {self.chain}"


class LogPromise(SpokenForm):
    """The promise that a statement is in a log: the log's key as text, and within how many seconds, 1 to 31,536,000. Raises StatementFormError."""

    called = "promise to log"
    refusal = StatementFormError
    key: Annotated[str, reads(_read_log_key)]
    maximum_delay: Annotated[int, Field(ge=1, le=MAX_DELAY)]


class Statement(SpokenForm):
    """What every statement says: for whom, and when. Raises StatementFormError for anything else than its members."""

    kind: ClassVar[Kind]
    refusal = StatementFormError
    version: Annotated[int, Field(ge=STATEMENT_VERSION, le=STATEMENT_VERSION)]
    time: Time
    bettor: Text

    @classmethod
    def parse_payload(cls, payload: bytes) -> Self:
        """Read a statement from the payload of a signed text. Raises StatementFormError unless that is canonical and complete."""
        return cls.model_validate(read_canonical(payload, f"payload of the {cls.kind}", StatementFormError))

    @classmethod
    def make(cls, **members: object) -> Self:
        """Make a statement of JSON values and of times, seeds and commitments as they are. Raises StatementFormError."""
        try:
            told = {name: _told(value) for name, value in members.items()}
        except RecordError as error:
            raise StatementFormError(f"{cls.kind}, {error.subject}", error.expected, error.found) from None
        return cls.model_validate({"version": STATEMENT_VERSION, **told})

    def to_dict(self) -> dict[str, Json]:
        """The statement as plain JSON values."""
        return self.model_dump(mode="json")

    def to_json(self) -> bytes:
        """The statement as RFC 8785 canonical JSON: the payload that is signed."""
        return canonical_json(self.to_dict())

    @property
    def commitment_text(self) -> str:
        """The commitment that the statement is about."""
        raise NotImplementedError

    @property
    def coup(self) -> int | None:
        """The nonce that the statement is about, or None where it is about the commitment."""
        return None

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).parse_payload, (self.to_json(),)


class OpeningStatement(Statement):
    """Signed when a commitment is made, before its client seed exists: what is committed to, for whom, and under which offer."""

    kind = "opening"
    called = "opening"
    scheme: SchemeName
    label: LabelText
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)]
    commitment: CommitmentText
    chain: ChainForm | None
    pay_table_digest: Hex
    cap: Annotated[int, Field(ge=1, le=MAX_INTEGER)]
    currency: CurrencyForm | None
    number: Number
    previous: CommitmentText | None
    beacon: BeaconRound | None
    log: LogPromise | None

    @model_validator(mode="after")
    def _hold_together(self) -> Self:
        if (self.number == 0) != (self.previous is None):
            raise StatementFormError(
                "opening, previous", "none for number 0, and one for every other", f"{self.previous} for {self.number}"
            )
        return self

    @property
    def commitment_text(self) -> str:
        """The commitment that is made."""
        return str(self.commitment)


class AcceptanceStatement(Statement):
    """Signed when a bet is accepted: its nonce is spent, and it will be dealt. `dealt` says that it was, in the same request."""

    kind = "acceptance"
    called = "acceptance"
    commitment: CommitmentText
    nonce: Annotated[int, Field(ge=0, le=MAX_NONCE)]
    client_seed: ClientSeedText
    client_seed_made_by: MadeBy
    bets: Bets
    key: Text
    pay_table_digest: Hex
    dealt: bool
    log: LogPromise | None

    @property
    def commitment_text(self) -> str:
        """The commitment that the bet is under."""
        return str(self.commitment)

    @property
    def coup(self) -> int | None:
        """The nonce that is spent."""
        return self.nonce


class AcceptanceReader:
    """Reads acceptances under one commitment: the first as any statement, the others by what may differ from it."""

    __slots__ = ("_first", "_outline")

    def __init__(self) -> None:
        self._first: AcceptanceStatement | None = None
        self._outline: Outline | None = None

    def parse_payload(self, payload: bytes) -> AcceptanceStatement:
        """Read an acceptance as `AcceptanceStatement.parse_payload` does, and with the same refusals."""
        if self._first is not None and self._outline is not None:
            told = self._outline.read(payload)
            varying = None if told is None else _read_varying(told)
            if varying is not None:
                return self._first.model_copy(update=varying)
        acceptance = AcceptanceStatement.parse_payload(payload)
        self._first = acceptance
        self._outline = Outline(acceptance.to_dict() | {name: gap(name) for name in _VARYING})
        return acceptance


def _read_varying(told: dict[str, bytes]) -> dict[str, Any] | None:
    """What acceptances of one commitment differ in, of its JSON, where each is in its form and without escapes; else None."""
    if not (_BETS.fullmatch(told["bets"]) and _PLAIN.fullmatch(told["key"]) and _NONCE.fullmatch(told["nonce"])):
        return None
    pairs = [(name.decode(), int(stake)) for name, stake in _BET.findall(told["bets"])]
    bets, nonce = dict(pairs), int(told["nonce"])
    if nonce > MAX_NONCE or list(bets) != sorted(bets) or len(bets) < len(pairs):
        return None
    try:
        key, time = _read_text(told["key"][1:-1].decode()), _read_quoted_time(told["time"].decode())
    except (BaccaratError, ValueError):
        return None
    return {"nonce": nonce, "bets": MappingProxyType(bets), "key": key, "time": time}


class ReceiptStatement(Statement):
    """Signed when a coup is settled: its whole record, without the server seed."""

    kind = "receipt"
    called = "receipt"
    key: Text
    record: RoundRecord

    @classmethod
    def of(cls, record: RoundRecord, bettor: str, key: str) -> Self:
        """The receipt for a record of a settled round that is known to be right. A server seed in it is left out."""
        if record.server_seed is not None:
            record = RoundRecord.model_construct(**{**dict(record), "server_seed": None})
        return cls.model_construct(version=STATEMENT_VERSION, time=record.settled_at, bettor=bettor, key=key, record=record)

    def to_json(self) -> bytes:
        """The statement as RFC 8785 canonical JSON, around the record's own."""
        names = json.dumps([self.bettor, self.key], ensure_ascii=False, separators=(',"key":', ":"))[1:-1]
        return b'{"bettor":%b,"record":%b,"time":"%b","version":1}' % (
            names.encode(),
            self.record.to_json(),
            write_time(self.time).encode(),
        )

    @model_validator(mode="after")
    def _hold_together(self) -> Self:
        if self.record.server_seed is not None:
            raise StatementFormError("receipt, record.server_seed", "null", "a server seed")
        if self.record.commitment is None or self.record.accepted_at is None or self.record.settled_at != self.time:
            raise StatementFormError("receipt, record", "a commitment, and the times of acceptance and of the receipt", "others or none")
        return self

    @property
    def commitment_text(self) -> str:
        """The commitment that the coup is under."""
        return str(self.record.commitment)

    @property
    def coup(self) -> int | None:
        """The nonce of the coup."""
        return self.record.nonce


class ClosingStatement(Statement):
    """Signed when a commitment takes no more bets: how many coups there are under it."""

    kind = "closing"
    called = "closing"
    commitment: CommitmentText
    coups: Annotated[int, Field(ge=0, le=MAX_NONCE)]

    @property
    def commitment_text(self) -> str:
        """The commitment that is closed."""
        return str(self.commitment)


AnyStatement: TypeAlias = OpeningStatement | AcceptanceStatement | ReceiptStatement | ClosingStatement

FORMS: Final[dict[Kind, type[AnyStatement]]] = {
    "opening": OpeningStatement,
    "acceptance": AcceptanceStatement,
    "receipt": ReceiptStatement,
    "closing": ClosingStatement,
}
"""The form of each kind."""


def _told(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, datetime):
        return time_text(value)
    return str(value) if isinstance(value, (Commitment, ClientSeed)) else value
