"""The lines of a history file: each in one spelling, read by the very form in which it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias, cast

from pydantic import BeforeValidator, Field, InstanceOf, PlainSerializer, model_validator

from ...canonical import MAX_INTEGER, canonical_json
from ...errors import HistoryFileError, SigningKeyError, describe
from ...records import CurrencyForm
from ...records.spelling import Time, reads
from .. import base64url
from ..beacon import BeaconValue
from ..keys import KeySet
from ..log.note import NoteKey, require_independent
from ..one_spelling import read_canonical
from ..spoken import SpokenForm
from ..statements import Number, Text
from .layout import changed_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...canonical import Json
    from ..jws import Kind

MAX_LINE_BYTES: Final = 128 * 1024
"""The longest line, with its U+000A."""

_STATEMENT: Final = re.compile(
    rb'\{"index":(null|0|[1-9][0-9]{0,15}),"kind":"(opening|acceptance|receipt|closing)","proof":(?:null|"([^"]*)"),"statement":"([^"]*)"\}\n'
)
_BEACON: Final = re.compile(
    rb'\{"chain":"([0-9a-f]{64})","kind":"beacon","randomness":"([0-9a-f]{64})","round":([1-9][0-9]{0,15}),"signature":"([0-9a-f]+)"\}\n'
)
_REVEAL: Final = re.compile(
    rb'\{"commitment":"([0-9a-f]{64})","kind":"reveal","nonce":(null|0|[1-9][0-9]{0,15}),"server_seed":"([0-9a-f]{64})"\}\n'
)


def _read_keys(keys: object) -> KeySet:
    return keys if isinstance(keys, KeySet) else KeySet.from_dict(keys)


def _write_keys(keys: KeySet) -> dict[str, Any]:
    return keys.to_dict()


LogKey: TypeAlias = Annotated[InstanceOf[NoteKey], reads(NoteKey.parse), PlainSerializer(str)]


class HistoryHeader(SpokenForm):
    """The first line: whose history it is, when it was made, the operator's keys, and the log with its checkpoint. Raises HistoryFileError."""

    called = "first line of a history file"
    refusal = HistoryFileError
    format: Literal["pfb-history"]
    version: Annotated[int, Field(ge=1, le=1)]
    bettor: Text
    currency: CurrencyForm | None
    made_at: Time
    keys: Annotated[InstanceOf[KeySet], BeforeValidator(_read_keys), PlainSerializer(_write_keys)]
    log: LogKey | None
    checkpoint: str | None
    witnesses: Annotated[tuple[LogKey, ...], Field(strict=False, max_length=100)]
    openings: Number
    statements: Number

    @classmethod
    def parse(cls, line: bytes) -> Self:
        """Read the first line. Raises HistoryFileError."""
        if not line.startswith(b'{"bettor":') or not line.endswith(b"\n") or len(line) > MAX_LINE_BYTES:
            raise HistoryFileError(cls.called, f"a canonical object of at most {MAX_LINE_BYTES:,} bytes", describe(line[:80]))
        header = cls.model_validate(read_canonical(line[:-1], cls.called, HistoryFileError))
        if header.to_line() != line:
            raise HistoryFileError(cls.called, "keys in the order in which their times begin", "another order")
        return header

    @model_validator(mode="after")
    def _hold_together(self) -> Self:
        if (self.log is None) != (self.checkpoint is None):
            raise HistoryFileError(f"{self.called}, checkpoint", "one with a log, and none without", "the other way round")
        try:
            if self.log is not None:
                require_independent(self.log, self.witnesses)
        except SigningKeyError as error:
            raise HistoryFileError(f"{self.called}, {error.subject}", error.expected, error.found) from None
        return self

    def to_line(self) -> bytes:
        """The line with its U+000A."""
        return canonical_json(cast("Json", self.model_dump(mode="json"))) + b"\n"


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A statement, and where it is in the log if that is shown, with the hashes of its proof one behind the other."""

    kind: Kind
    text: str
    index: int | None = None
    path: bytes = b""

    def to_line(self) -> bytes:
        """The line with its U+000A."""
        index, path = ("null", "null") if self.index is None else (str(self.index), f'"{base64url.encode(self.path)}"')
        return f'{{"index":{index},"kind":"{self.kind}","proof":{path},"statement":"{self.text}"}}\n'.encode("ascii")


@dataclass(frozen=True, slots=True)
class RevealLine:
    """A revealed server seed; of a seed chain, the link of `nonce`."""

    commitment: str
    nonce: int | None
    server_seed: str

    def to_line(self) -> bytes:
        """The line with its U+000A."""
        nonce = "null" if self.nonce is None else self.nonce
        text = f'{{"commitment":"{self.commitment}","kind":"reveal","nonce":{nonce},"server_seed":"{self.server_seed}"}}\n'
        return text.encode("ascii")


def write_beacon(value: BeaconValue) -> bytes:
    """The line of a beacon's round, with its U+000A."""
    named = value.named
    members: dict[str, Json] = {
        "chain": named.chain,
        "kind": "beacon",
        "randomness": value.randomness,
        "round": named.round,
        "signature": value.signature,
    }
    return canonical_json(members) + b"\n"


AnyLine = StatementLine | RevealLine | BeaconValue


def read_line(line: bytes) -> AnyLine:
    """A line behind the first one. Raises HistoryFileError for another form, and BeaconError for a beacon that can't be."""
    if match := _STATEMENT.fullmatch(line):
        index, kind, proof, text = match.groups()  # other characters than a statement's are refused where it is read
        return StatementLine(cast("Kind", kind.decode("ascii")), text.decode("latin-1"), *_read_proof(index, proof))
    if match := _REVEAL.fullmatch(line):
        commitment, nonce, server_seed = (part.decode("ascii") for part in match.groups())
        return RevealLine(commitment, None if nonce == "null" else int(nonce), server_seed)
    if match := _BEACON.fullmatch(line):
        chain, randomness, number, signature = (part.decode("ascii") for part in match.groups())
        if int(number) <= MAX_INTEGER:
            return BeaconValue.of(chain, int(number), signature, randomness)
    raise HistoryFileError("line of a history file", "one of its forms, in canonical JSON", describe(line[:80]))


def read_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file, of which no more than one is ever in memory. Raises HistoryFileError for one that is too long or doesn't end as it should."""
    for line in iter(partial(stream.readline, MAX_LINE_BYTES + 1), b""):
        if len(line) > MAX_LINE_BYTES:
            raise HistoryFileError("line of a history file", f"at most {MAX_LINE_BYTES:,} bytes that end with U+000A", "another")
        if not line.endswith(b"\n") or line.endswith(b"\r\n"):
            raise changed_end(line)
        yield line


def _read_proof(index: bytes, proof: bytes | None) -> tuple[int | None, bytes]:
    """A statement's index and its proof, which is None where it is null."""
    if index == b"null" and proof is None:
        return None, b""
    path = None if proof is None else base64url.decode(proof.decode("latin-1"))
    if path is None or len(path) % 32 or index == b"null":
        expected = "an index with hashes of 32 bytes in base64url without padding, or neither"
        raise HistoryFileError("log proof of a line", expected, f"{index.decode('ascii')} with {describe(proof and proof[:80])}")
    return int(index), path
