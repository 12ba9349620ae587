"""Writing a history file, line by line, from statements as they were signed. Nothing is signed here, and nothing is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...records.spelling import currency_form, time_text
from .lines import HistoryHeader, RevealLine, StatementLine, write_beacon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from ..beacon import BeaconValue
    from ..evidence import InclusionProof
    from ..jws import Kind
    from ..keys import KeySet
    from ..log.note import Checkpoint, NoteKey


class HistoryWriter:
    """Makes the lines of one bettor's history. `prove` gives the inclusion proof of an index under the checkpoint."""

    def __init__(
        self, *, checkpoint: Checkpoint | None = None, log: NoteKey | None = None, prove: Callable[[int], InclusionProof] | None = None
    ) -> None:
        self._checkpoint = checkpoint
        self._log = log
        self._prove = prove

    def header(
        self,
        bettor: str,
        currency: tuple[str, int] | None,
        made_at: datetime,
        keys: KeySet,
        *,
        openings: int,
        statements: int,
        witnesses: Iterable[NoteKey] = (),
    ) -> bytes:
        """The first line; `made_at` has a time zone. Raises HistoryFileError for one that no file can have, and RecordError for no such time."""
        members = {
            "format": "pfb-history",
            "version": 1,
            "bettor": bettor,
            "currency": currency_form(currency),
            "made_at": time_text(made_at),
            "keys": keys,
            "log": None if self._log is None else str(self._log),
            "checkpoint": None if self._checkpoint is None else self._checkpoint.text,
            "witnesses": [str(witness) for witness in witnesses],
            "openings": openings,
            "statements": statements,
        }
        line = HistoryHeader.model_validate(members).to_line()
        HistoryHeader.parse(line)
        return line

    def statement(self, kind: Kind, text: str, index: int | None) -> bytes:
        """The line of a statement. An index that the checkpoint doesn't have is left out: it is not proved yet."""
        if index is None or self._prove is None or self._checkpoint is None or index >= self._checkpoint.size:
            return StatementLine(kind, text).to_line()
        proof = self._prove(index)
        return StatementLine(kind, text, proof.index, b"".join(proof.path)).to_line()

    def reveal(self, commitment: str, server_seed: str, nonce: int | None = None) -> bytes:
        """The line of a revealed server seed, or of the highest link of a chain that is revealed."""
        return RevealLine(commitment, nonce, server_seed).to_line()

    def beacon(self, value: BeaconValue) -> bytes:
        """The line of a beacon's round."""
        return write_beacon(value)
