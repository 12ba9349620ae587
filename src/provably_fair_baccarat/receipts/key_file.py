"""Key files of the operator: private Ed25519 keys, each with the time in which it signs, readable by their owner alone.

A line is `<from> <until> <64 hex digits>`; times are RFC 3339 in UTC in whole seconds, and `-` is no end yet. Lines that begin with `#` are
skipped, and lost when a key is rotated. A key is never taken out: statements are checked with it for ever.
"""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ..durable import private_file, sync_folder
from ..errors import SigningKeyError, describe
from ..fairness.hex_form import read_hex
from ..fairness.seeds import operating_system_entropy
from .keys import VerificationKey, whole_seconds
from .signing import PrivateKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..fairness.seeds import Entropy

_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"


def read_key_file(path: str | os.PathLike[str]) -> tuple[PrivateKey, ...]:
    """The keys of a file in its order. Raises SigningKeyError, which never repeats a key."""
    file = Path(path)
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        raise SigningKeyError(f"key file {file}", "a file with keys", "no such file") from None
    except OSError as error:
        raise SigningKeyError(f"key file {file}", "a readable file", error.strerror or "an error") from None
    except UnicodeDecodeError:
        raise SigningKeyError(f"key file {file}", "ASCII text", "other bytes") from None
    keys: list[PrivateKey] = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            key = _read_line(line, f"key file {file}, line {number}")
            if isinstance(key, SigningKeyError):
                del line, lines  # no traceback with local variables shall show a key
                raise key
            keys.append(key)
    if not keys:
        raise SigningKeyError(f"key file {file}", "a line with two times and 64 hex digits", "none")
    return tuple(keys)


def new_key_file(path: str | os.PathLike[str], at: datetime, *, entropy: Entropy = operating_system_entropy) -> PrivateKey:
    """Make a key file with one new key that signs from `at` on. Raises SigningKeyError where there is such a file, or it can't be written."""
    file = Path(path)
    key = _generate(_whole_seconds(at), entropy)
    try:
        with private_file(file) as made:
            _write(made, (key,))
    except OSError as error:
        raise SigningKeyError(f"key file {file}", "a new file that can be written", error.strerror or "an error") from None
    return key


def rotate_key_file(path: str | os.PathLike[str], at: datetime, *, entropy: Entropy = operating_system_entropy) -> PrivateKey:
    """Let the present key of a file end at a time, and a new one begin there. The file is replaced as a whole or not at all.

    Whoever signs must have read the file anew by then. Raises SigningKeyError where the file can't be read or written, or the time is
    before the present key begins.
    """
    file = Path(path)
    seconds = _whole_seconds(at)
    keys = read_key_file(file)
    kept = [key.until(seconds) if key.public.not_after is None or key.public.not_after > seconds else key for key in keys]
    new = _generate(seconds, entropy)
    try:
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")  # which only its owner may read
        try:
            with os.fdopen(descriptor, "wb") as made:
                _write(made, (*kept, new))
                made.flush()
                os.fsync(made.fileno())
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        sync_folder(file.parent)
    except OSError as error:
        raise SigningKeyError(f"key file {file}", "a file that can be replaced", error.strerror or "an error") from None
    return new


def _generate(seconds: int, entropy: Entropy) -> PrivateKey:
    secret = Ed25519PrivateKey.from_private_bytes(entropy(32))
    return PrivateKey(secret, VerificationKey(secret.public_key().public_bytes_raw(), seconds))


def _read_line(line: str, subject: str) -> PrivateKey | SigningKeyError:
    parts = line.split()
    del line
    if len(parts) != 3:
        return SigningKeyError(subject, "two times and 64 hex digits", f"{len(parts)} parts")
    secret = read_hex(parts.pop(), subject, SigningKeyError)
    if isinstance(secret, SigningKeyError):
        return secret
    try:
        begin, end = _read_time(parts[0]), None if parts[1] == "-" else _read_time(parts[1])
    except ValueError:
        return SigningKeyError(subject, "times like 2026-11-29T12:00:00Z, or - for no end", " ".join(map(describe, parts)))
    private = Ed25519PrivateKey.from_private_bytes(secret)
    del secret
    try:
        return PrivateKey(private, VerificationKey(private.public_key().public_bytes_raw(), begin, end))
    except SigningKeyError as error:
        return SigningKeyError(f"{subject}, {error.subject}", error.expected, error.found)


def _write(lines: IO[bytes], keys: Sequence[PrivateKey]) -> None:
    for key in keys:
        end = "-" if key.public.not_after is None else _tell_time(key.public.not_after)
        lines.write(f"{_tell_time(key.public.not_before)} {end} {key.reveal_bytes().hex()}\n".encode("ascii"))


def _read_time(text: str) -> int:
    """A time of a line, in its one spelling. Raises ValueError."""
    time = datetime.strptime(text, _FORMAT).replace(tzinfo=UTC)
    if time.strftime(_FORMAT) != text:
        raise ValueError(text)
    return whole_seconds(time)


def _tell_time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime(_FORMAT)


def _whole_seconds(at: datetime) -> int:
    if not isinstance(at, datetime) or at.utcoffset() is None:
        raise SigningKeyError("time of a key", "a datetime with a time zone", describe(at))
    return whole_seconds(at)
