"""What a log keeps of a statement: its kind, what it is about, and its digest. No name, no bet, no seed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Self

from ...errors import StatementFormError, describe

if TYPE_CHECKING:
    from ..jws import Kind

_FORM: Final = re.compile(
    rb'\{"commitment":"([0-9a-f]{64})","digest":"([0-9a-f]{64})","kind":"(opening|acceptance|receipt|closing)",'
    rb'"nonce":(null|0|[1-9][0-9]{0,15})\}'
)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry: which statement there is, and about what. `nonce` is None where it is about a commitment as a whole."""

    kind: Kind
    commitment: str
    nonce: int | None
    digest: str

    @classmethod
    def of(cls, kind: Kind, commitment: str, nonce: int | None, text: str) -> Self:
        """The entry of a signed text."""
        return cls(kind, commitment, nonce, digest_of(text))

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Read an entry of a log. Raises StatementFormError for other bytes."""
        match = _FORM.fullmatch(data)
        if match is None:
            raise StatementFormError("entry of a log", "the canonical JSON of an entry", describe(data[:200]))
        commitment, digest, kind, nonce = (part.decode("ascii") for part in match.groups())
        return cls(kind, commitment, None if nonce == "null" else int(nonce), digest)  # type: ignore[arg-type]  # the form has four kinds

    def to_json(self) -> bytes:
        """The entry as canonical JSON: the bytes that are hashed into the tree."""
        nonce = "null" if self.nonce is None else self.nonce
        return f'{{"commitment":"{self.commitment}","digest":"{self.digest}","kind":"{self.kind}","nonce":{nonce}}}'.encode("ascii")


def digest_of(text: str) -> str:
    """A statement's digest: SHA-256 of its text, as 64 hex digits."""
    return sha256(text.encode("ascii")).hexdigest()
