"""What shows that statements are in a log: a checkpoint, and an inclusion proof for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import InclusionError
from .log.merkle import hash_leaf, verify_inclusion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .log.note import Checkpoint
    from .reading import SignedStatement


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """Where an entry is in a log, and RFC 6962's audit path that shows it."""

    index: int
    path: tuple[bytes, ...]

    def verify(self, entry: bytes, checkpoint: Checkpoint) -> None:
        """Prove that the entry is there. Raises InclusionError."""
        verify_inclusion(hash_leaf(entry), self.index, checkpoint.size, self.path, checkpoint.root)


@dataclass(frozen=True, slots=True)
class LogEvidence:
    """A checkpoint that was read with the log's key, and the inclusion proofs of statements by their digests."""

    checkpoint: Checkpoint
    proofs: Mapping[str, InclusionProof] = field(default_factory=dict[str, InclusionProof])

    def index_of(self, signed: SignedStatement) -> int | None:
        """Where a statement is proved to be in the log, or None where nothing shows that. Raises InclusionError for a wrong proof."""
        proof = self.proofs.get(signed.digest)
        if proof is None:
            return None
        try:
            proof.verify(signed.entry.to_json(), self.checkpoint)
        except InclusionError as error:
            raise InclusionError(f"{error.subject} of the {signed.statement.kind}", error.expected, error.found) from None
        return proof.index
