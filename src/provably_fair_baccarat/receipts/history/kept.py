"""What a bettor kept, held against a history file: what is not in there was left out, and no file can show that by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import CommitmentError, LeftOutError, StatementFormError, describe
from ...fairness.seeds import Commitment

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

_TEXT: Final = b'"statement":"'


class Kept:
    """Commitments and signed statements that must be in a file.

    Raises CommitmentError and StatementFormError for what is neither, before anything is read.
    """

    def __init__(self, commitments: Iterable[Commitment], statements: Iterable[str]) -> None:
        self._commitments = tuple(commitments)
        self._statements: dict[bytes, int] = {}
        for commitment in self._commitments:
            if not isinstance(commitment, Commitment):
                raise CommitmentError("commitment that was kept", "a Commitment", describe(commitment))
        for number, text in enumerate(statements, start=1):
            if not isinstance(text, str) or text.count(".") != 2 or not text.isascii():
                raise StatementFormError(f"statement {number} of those that were kept", "three parts of base64url", describe(text))
            self._statements.setdefault(text.encode("ascii"), number)

    def see(self, line: bytes) -> None:
        """A line of the file. What is kept must be there byte for byte."""
        if self._statements:
            self._statements.pop(line.partition(_TEXT)[2].removesuffix(b'"}\n'), None)

    def require_all(self, openings: Container[str]) -> None:
        """Raise a LeftOutError for the first that was not in the file, whose openings are of these commitments."""
        for commitment in self._commitments:
            if str(commitment) not in openings:
                expected = f"an opening of {commitment}, the commitment that you were shown"
                raise LeftOutError("commitments of the history file", expected, "no such commitment: it was left out")
        for text, number in self._statements.items():
            expected = f"statement {number} of those that you kept, byte for byte: {text[:24].decode()}..."
            raise LeftOutError(
                "statements of the history file", expected, "no such statement: it was left out, or exchanged for another one"
            )
