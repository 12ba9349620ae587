"""From a signed text to what it says, if the key set's owner said it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import KeyTimeError
from ..records.spelling import write_time
from .jws import HeaderTable
from .keys import whole_seconds
from .log.entry import LogEntry, digest_of
from .statements import FORMS, AnyStatement

if TYPE_CHECKING:
    from datetime import datetime

    from .jws import Kind
    from .keys import KeySet, VerificationKey


@dataclass(frozen=True, slots=True)
class SignedStatement:
    """A statement, the text that was signed and the key that signed it. `read_statement` makes one; its signature has verified."""

    statement: AnyStatement
    text: str
    key: VerificationKey

    @property
    def digest(self) -> str:
        """SHA-256 of the text, as 64 hex digits."""
        return digest_of(self.text)

    @property
    def entry(self) -> LogEntry:
        """The statement's entry in a log."""
        return LogEntry.of(self.statement.kind, self.statement.commitment_text, self.statement.coup, self.text)


def read_statement(text: str, keys: KeySet, kind: Kind | None = None) -> SignedStatement:
    """Read a signed text with the operator's key set; with `kind`, one of that kind.

    Raises StatementFormError, StatementHeaderError, StatementKindError, UnknownKeyError, SignatureError or KeyTimeError: nothing that it
    returns is less than signed, canonical and complete. Raises SigningKeyError for what is no KeySet.
    """
    return read_with(HeaderTable(keys), text, kind)


def read_with(headers: HeaderTable, text: str, kind: Kind | None = None) -> SignedStatement:
    """As `read_statement`, for many statements of one key set."""
    found, key, payload = headers.open(text, kind)
    statement = FORMS[found].parse_payload(payload)
    require_time(key, found, statement.time)
    return SignedStatement(statement, text, key)


def require_time(key: VerificationKey, kind: Kind, time: datetime) -> None:
    """Raise KeyTimeError unless the time at which a statement of that kind says that it was signed is in the time of its key."""
    if not key.signs_at(whole_seconds(time)):
        raise KeyTimeError(f"time of the {kind}", f"one {key.period}, in which key {key.kid} signs", write_time(time))
