"""The lines of a history file: each in one spelling, read by the very form in which it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias, cast

from pydantic import Field, InstanceOf, PlainSerializer, ValidationError

from ...canonical import MAX_INTEGER, canonical_json
from ...errors import BaccaratError, HistoryFileError, describe
from ...records import CurrencyForm
from ...records.forms import Form
from ...records.spelling import Time, reads
from .. import base64url
from ..beacon import BeaconValue
from ..keys import KeySet
from ..log.note import NoteKey
from ..one_spelling import read_canonical
from ..statements import Number, Text
from .layout import changed_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...canonical import Json
    from ..jws import Kind

MAX_LINE_BYTES: Final = 128 * 1024
"""The longest line, with its U+000A."""

_STATEMENT: Final = re.compile(rb'\{"index":(null|0|[1-9][0-9]{0,15}),"kind":"(opening|acceptance|receipt|closing)",')
_PROOF: Final = b'"proof":'
_TEXT: Final = b',"statement":"'
_BEACON: Final = re.compile(
    rb'\{"chain":"([0-9a-f]{64})","kind":"beacon","randomness":"([0-9a-f]{64})","round":([1-9][0-9]{0,15}),"signature":"([0-9a-f]+)"\}\n'
)
_REVEAL: Final = re.compile(
    rb'\{"commitment":"([0-9a-f]{64})","kind":"reveal","nonce":(null|0|[1-9][0-9]{0,15}),"server_seed":"([0-9a-f]{64})"\}\n'
)


def _write_keys(keys: KeySet) -> dict[str, Any]:
    return keys.to_dict()


LogKey: TypeAlias = Annotated[InstanceOf[NoteKey], reads(NoteKey.parse), PlainSerializer(str)]


class HistoryHeader(Form):
    """The first line: whose history it is, when it was made, the operator's keys, and the log with its checkpoint."""

    format: Literal["pfb-history"]
    version: Annotated[int, Field(ge=1, le=1)]
    bettor: Text
    currency: CurrencyForm | None
    made_at: Time
    keys: Annotated[InstanceOf[KeySet], PlainSerializer(_write_keys)]
    log: LogKey | None
    checkpoint: str | None
    witnesses: Annotated[tuple[LogKey, ...], Field(strict=False, max_length=100)]
    openings: Number
    statements: Number

    @classmethod
    def parse(cls, line: bytes) -> Self:
        """Read the first line. Raises HistoryFileError."""
        if not line.startswith(b'{"bettor":') or not line.endswith(b"\n") or len(line) > MAX_LINE_BYTES:
            raise HistoryFileError(
                "first line of a history file", f"a canonical object of at most {MAX_LINE_BYTES:,} bytes", "something else"
            )
        try:
            members = read_canonical(line[:-1], "first line of a history file", HistoryFileError)
            header = cls.model_validate({**members, "keys": KeySet.from_dict(members.get("keys"))})
        except ValidationError as error:
            detail = error.errors(include_url=False, include_input=False)[0]
            path = ".".join(map(str, detail["loc"]))
            refusal = HistoryFileError(f"first line, {path}", "what the form of the file says", detail["msg"])
        except HistoryFileError:
            raise
        except BaccaratError as error:
            refusal = HistoryFileError(f"first line, {error.subject}", error.expected, error.found, error.slips)
        else:
            if header.to_line() != line:
                raise HistoryFileError("first line of a history file", "RFC 8785 canonical JSON", "another spelling")
            roles = [key.role for key in header.witnesses]
            if (header.log is None) != (header.checkpoint is None) or (header.log and header.log.role != "log") or "log" in roles:
                expected = "a checkpoint with the key of a log, and keys of witnesses"
                raise HistoryFileError("first line of a history file", expected, "something else")
            return header
        raise refusal

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
    head, _, tail = line.partition(_TEXT)
    head, _, proof = head.partition(_PROOF)
    if tail.endswith(b'"}\n') and (match := _STATEMENT.fullmatch(head)):
        index, kind = match.groups()  # other characters than a statement's are refused where it is read
        return StatementLine(cast("Kind", kind.decode("ascii")), tail[:-3].decode("latin-1"), *_read_proof(index, proof))
    if match := _REVEAL.fullmatch(line):
        commitment, nonce, server_seed = (part.decode("ascii") for part in match.groups())
        return RevealLine(commitment, None if nonce == "null" else int(nonce), server_seed)
    if match := _BEACON.fullmatch(line):
        chain, randomness, number, signature = (part.decode("ascii") for part in match.groups())
        if int(number) <= MAX_INTEGER:
            return BeaconValue.of(chain, int(number), signature, randomness)
    raise HistoryFileError("line of a history file", "one of its forms, in canonical JSON", describe(line[:80]))


def read_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file. Raises HistoryFileError for one that is too long or doesn't end as it should."""
    for line in iter(partial(stream.readline, MAX_LINE_BYTES + 1), b""):
        if len(line) > MAX_LINE_BYTES:
            raise HistoryFileError("line of a history file", f"at most {MAX_LINE_BYTES:,} bytes that end with U+000A", "another")
        if not line.endswith(b"\n") or line.endswith(b"\r\n"):
            raise changed_end(line)
        yield line


def _read_proof(index: bytes, proof: bytes) -> tuple[int | None, bytes]:
    if index == proof == b"null":
        return None, b""
    path = base64url.decode(proof[1:-1].decode("latin-1")) if proof[:1] == proof[-1:] == b'"' else None
    if path is None or len(path) % 32 or index == b"null":
        expected = "an index with hashes of 32 bytes in base64url without padding, or neither"
        raise HistoryFileError("log proof of a line", expected, f"{describe(index)} with {describe(proof[:80])}")
    return int(index), path
