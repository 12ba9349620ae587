"""From a signed text to what it says, if the key set's owner said it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from ..errors import KeyTimeError, SigningKeyError, describe
from ..records.spelling import write_time
from .jws import HeaderTable
from .keys import KeySet
from .log.entry import LogEntry
from .statements import FORMS, AnyStatement

if TYPE_CHECKING:
    from .jws import Kind
    from .keys import VerificationKey


@dataclass(frozen=True, slots=True)
class SignedStatement:
    """A statement, the text that was signed and the key that signed it. `read_statement` makes one; its signature has verified."""

    statement: AnyStatement
    text: str
    key: VerificationKey

    @property
    def digest(self) -> str:
        """SHA-256 of the text, as 64 hex digits."""
        return sha256(self.text.encode("ascii")).hexdigest()

    @property
    def entry(self) -> LogEntry:
        """The statement's entry in a log."""
        return LogEntry(self.statement.kind, self.statement.commitment_text, self.statement.coup, self.digest)


def read_statement(text: str, keys: KeySet, kind: Kind | None = None) -> SignedStatement:
    """Read a signed text with the operator's key set; with `kind`, one of that kind.

    Raises StatementFormError, StatementHeaderError, StatementKindError, UnknownKeyError, SignatureError or KeyTimeError: nothing that it
    returns is less than signed, canonical and complete.
    """
    if not isinstance(keys, KeySet):
        raise SigningKeyError("key set", "a KeySet", describe(keys))
    return read_with(HeaderTable(keys), text, kind)


def read_with(headers: HeaderTable, text: str, kind: Kind | None = None) -> SignedStatement:
    """As `read_statement`, for many statements of one key set."""
    found, key, payload = headers.open(text, kind)
    statement = FORMS[found].parse_payload(payload)
    require_time(key, statement)
    return SignedStatement(statement, text, key)


def require_time(key: VerificationKey, statement: AnyStatement) -> None:
    """Raise KeyTimeError unless a statement says that it was signed in the time of its key."""
    if not key.signs_at(int(statement.time.timestamp() // 1)):
        end = "on" if key.not_after is None else f"to {key.not_after}"
        raise KeyTimeError(
            f"time of the {statement.kind}", f"one from {key.not_before} {end}, in which its key signs", write_time(statement.time)
        )
