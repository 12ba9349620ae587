"""A public log of statements: an append-only Merkle tree (RFC 6962) in C2SP's tiles, with signed and cosigned checkpoints.

It says which statements exist and nothing of what they say. It knows no bettor, no bet and no key of statements.
"""

from .entry import LogEntry
from .log import LogWriter, TileLog
from .note import Checkpoint, Cosignature, NoteKey, cosign_checkpoint, read_checkpoint, require_same_log, sign_checkpoint

__all__ = [
    "Checkpoint",
    "Cosignature",
    "LogEntry",
    "LogWriter",
    "NoteKey",
    "TileLog",
    "cosign_checkpoint",
    "read_checkpoint",
    "require_same_log",
    "sign_checkpoint",
]
