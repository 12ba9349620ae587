"""Signed notes and checkpoints as C2SP has them: a log's size and root, signed by the log and cosigned by witnesses."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal, Self

from ...errors import CheckpointError, SigningKeyError, SplitViewError, describe
from ..ed25519_key import is_signed, read_public_key
from .merkle import MAX_SIZE, verify_consistency

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    from ..signing import PrivateKey

MAX_NOTE_BYTES: Final = 64 * 1024
MAX_SIGNATURES: Final = 100

_LOG: Final = 1
_WITNESS: Final = 4

_NAME = re.compile(r"[!-*,-~]{1,128}", re.ASCII)
_KEY_TEXT = re.compile(r"([!-*,-~]{1,128})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})", re.ASCII)
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_SIGNATURE = re.compile(r"— ([^ +\n]+) ([A-Za-z0-9+/]+={0,2})")


@dataclass(frozen=True, slots=True)
class NoteKey:
    """A public key of a log or of a witness, with its name: what signatures on checkpoints are checked with.

    `role` says what it signs. A name is 1 to 128 ASCII characters without spaces and `+`; `id` is the 4 bytes that name the key in a
    signature line. Raises SigningKeyError.
    """

    name: str
    raw: bytes
    role: Literal["log", "witness"] = "log"
    id: bytes = field(init=False, repr=False)
    point: Ed25519PublicKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise SigningKeyError("name of a log or a witness", "1 to 128 ASCII characters without spaces and +", describe(self.name))
        if self.role not in ("log", "witness"):
            raise SigningKeyError(f"role of {self.name}", "log or witness", describe(self.role))
        object.__setattr__(self, "point", read_public_key(self.raw, f"key of {self.name}"))
        object.__setattr__(self, "id", sha256(self.name.encode() + b"\n" + self._encoded).digest()[:4])

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a key as text, `<name>+<key id>+<base64>`. Raises SigningKeyError."""
        match = _KEY_TEXT.fullmatch(text) if isinstance(text, str) else None
        encoded = None if match is None else read_base64(match[3])
        if match is None or encoded is None or encoded[0] not in (_LOG, _WITNESS):
            raise SigningKeyError("key of a log or a witness", "a text like casino.example/log+0a1b2c3d+AW...", describe(text))
        key = cls(match[1], encoded[1:], "log" if encoded[0] == _LOG else "witness")
        if key.id.hex() != match[2]:
            raise SigningKeyError(f"key id of {key.name}", key.id.hex(), match[2])
        return key

    @property
    def _encoded(self) -> bytes:
        return bytes([_LOG if self.role == "log" else _WITNESS]) + self.raw

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(self._encoded).decode('ascii')}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.name, self.raw, self.role)


@dataclass(frozen=True, slots=True)
class Cosignature:
    """A witness's signature on a checkpoint: at `time`, in seconds since 1970, this was the largest tree that it had seen of the log."""

    witness: NoteKey
    time: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A log's size and root, as one who has its key may believe that the log said. `read_checkpoint` makes one; `text` is the whole note."""

    origin: str
    size: int
    root: bytes
    text: str = field(repr=False)
    cosignatures: tuple[Cosignature, ...] = ()


def read_checkpoint(text: str, log: NoteKey, witnesses: Iterable[NoteKey] = ()) -> Checkpoint:
    """Read a checkpoint that a log has signed, with the cosignatures of those witnesses that have cosigned it.

    Raises CheckpointError for another form, another origin, no signature of the log, or a signature by one of these keys that does not
    verify; signatures by other keys are passed over, as C2SP says. Raises SigningKeyError for keys that `require_independent` refuses.
    """
    keys = require_independent(log, witnesses)
    body, lines = _split(text)
    size, root = _read_body(body, log)
    found = _read_signatures(lines, keys, body)
    if log not in found:
        raise CheckpointError("checkpoint", f"a signature by {log}", "none")
    cosignatures = tuple(Cosignature(key, time) for key, time in found.items() if key is not log)
    return Checkpoint(log.name, size, root, text, cosignatures)


def require_independent(log: NoteKey, witnesses: Iterable[NoteKey]) -> tuple[NoteKey, ...]:
    """The key of a log and those of its witnesses, each once, if each of them is somebody else's.

    One key under two names is one witness, and a log is none of its own. Raises SigningKeyError.
    """
    keys = tuple(dict.fromkeys((log, *witnesses)))
    if log.role != "log" or any(key.role != "witness" for key in keys[1:]):
        raise SigningKeyError("keys of a log", "that of a log, and those of witnesses", ", ".join(map(str, keys))[:200])
    owners: dict[bytes, NoteKey] = {}
    for key in keys:
        owner = owners.setdefault(key.raw, key)
        if owner is not key:
            raise SigningKeyError(f"key of witness {key.name}", "one of its own", f"that of {owner.role} {owner.name}")
    return keys


def sign_checkpoint(size: int, root: bytes, log: NoteKey, secret: PrivateKey) -> str:
    """A checkpoint signed by a log."""
    body = f"{log.name}\n{size}\n{b64encode(root).decode('ascii')}\n"
    return f"{body}\n{_line(log, secret.sign(body.encode()))}"


def cosign_checkpoint(text: str, witness: NoteKey, secret: PrivateKey, time: int) -> str:
    """A checkpoint with a witness's cosignature added: for tests and for witnesses. What a witness must have seen first, it knows itself."""
    body, _ = _split(text)
    return text + _line(witness, time.to_bytes(8, "big") + secret.sign(_cosigned(body, time)))


def require_same_log(one: Checkpoint, other: Checkpoint, proof: Sequence[bytes] = ()) -> None:
    """Hold two checkpoints of one log against each other, with the consistency proof from the smaller to the larger.

    Raises SplitViewError for two roots of one size, CheckpointError for two logs, and ConsistencyError where the proof doesn't show that one
    continues the other. A log that can't give such a proof has shown two views.
    """
    if one.origin != other.origin:
        raise CheckpointError("checkpoints", "two of one log", f"{one.origin} and {other.origin}")
    old, new = sorted((one, other), key=lambda checkpoint: checkpoint.size)
    if old.size == new.size and old.root != new.root:
        raise SplitViewError(f"root of {old.origin} at size {old.size}", old.root.hex(), new.root.hex())
    verify_consistency(old.size, old.root, new.size, new.root, proof)


def read_base64(text: str) -> bytes | None:
    """The bytes of a text in standard base64, or None where it is not the one spelling of any."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        return None
    return data if b64encode(data).decode("ascii") == text else None


def _split(text: str) -> tuple[str, list[str]]:
    """The text of a note with its last line end, and its signature lines."""
    if not isinstance(text, str) or len(text) > MAX_NOTE_BYTES:
        raise CheckpointError("checkpoint", f"a text of at most {MAX_NOTE_BYTES:,} bytes", describe(text)[:100])
    if any((character < " " and character != "\n") or "\ud800" <= character <= "\udfff" for character in text):
        raise CheckpointError("checkpoint", "text without control characters", "one with some")
    body, _, rest = text.rpartition("\n\n")
    lines = rest.split("\n")
    if not body or lines.pop() or not 1 <= len(lines) <= MAX_SIGNATURES:
        raise CheckpointError("checkpoint", f"a text, an empty line, and 1 to {MAX_SIGNATURES} lines with signatures", "something else")
    return f"{body}\n", lines


def _read_body(body: str, log: NoteKey) -> tuple[int, bytes]:
    """The size and the root that a checkpoint of this log tells."""
    parts = body.split("\n")
    if len(parts) < 4 or not all(parts[:-1]):
        raise CheckpointError("checkpoint", "an origin, a size and a root, a line each, and no empty one", describe(body))
    origin, size, root64 = parts[:3]
    if origin != log.name:
        raise CheckpointError("origin of the checkpoint", log.name, describe(origin))
    root = read_base64(root64)
    if not _SIZE.fullmatch(size) or int(size) > MAX_SIZE or root is None or len(root) != 32:
        raise CheckpointError(
            "checkpoint", "a size in decimal digits and a root of 32 bytes in base64", f"{describe(size)} and {describe(root64)}"
        )
    return int(size), root


def _read_signatures(lines: Iterable[str], keys: Iterable[NoteKey], body: str) -> dict[NoteKey, int]:
    """Which of these keys have signed a note, each with the time of its cosignature, or 0."""
    known = {(key.name, key.id): key for key in keys}
    found: dict[NoteKey, int] = {}
    for line in lines:
        match = _SIGNATURE.fullmatch(line)
        data = None if match is None else read_base64(match[2])
        if match is None or data is None or len(data) < 5:
            raise CheckpointError("signature line of a checkpoint", "a dash, a name and base64", describe(line))
        key = known.get((match[1], data[:4]))
        if key is not None:
            if key in found:
                raise CheckpointError(f"signature of {key.name}", "one", "two")
            found[key] = _verify(key, data[4:], body)
    return found


def _verify(key: NoteKey, signature: bytes, body: str) -> int:
    """Verify a known key's signature on a note; the time of a cosignature, or 0."""
    message, time = body.encode(), 0
    if key.role == "witness":
        time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
        message = _cosigned(body, time)
    if len(signature) != 64 or time > MAX_SIZE or not is_signed(key.point, signature, message):
        raise CheckpointError(f"signature of {key.name}", "one that verifies", "one that does not")
    return time


def _cosigned(body: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{body}".encode()


def _line(key: NoteKey, signature: bytes) -> str:
    return f"— {key.name} {b64encode(key.id + signature).decode('ascii')}\n"
