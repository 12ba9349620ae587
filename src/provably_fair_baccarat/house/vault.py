"""The vault: server seeds, or last links of seed chains, at rest are sealed with AES-256-GCM, each bound to its pair, label and commitment.

A seal that is moved to another pair, opened with another key or changed in one bit doesn't open. Keys come from a file or a function,
never from code; each has an id, so that seals can be renewed under a new key while old ones still open. Money and records don't need a key.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedWriter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NoReturn, Self, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ..durable import private_file
from ..errors import SealError, SecretError, Slip, VaultError, VaultKeyError, describe
from ..fairness.hex_form import describe_secret, read_hex
from ..fairness.seeds import ServerSeed, operating_system_entropy

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..fairness.seeds import Entropy

FindKey: TypeAlias = Callable[[str], bytes]
"""From a key's id to its 32 bytes; raises LookupError where there is none."""

NONCE_BYTES: Final = 12
SEAL_BYTES: Final = NONCE_BYTES + 32 + 16
"""The size of a seal: AES-GCM nonce, encrypted server seed, tag. With random nonces one key should make at most 2^32 seals."""

_KEY_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed server seed and the id of the key that opens it: 60 bytes that tell nothing without that key."""

    key_id: str
    seal: bytes


@dataclass(frozen=True, slots=True)
class Binding:
    """What a seal is bound to: it opens for this pair, label and commitment, and for no other."""

    pair: str
    label: str
    commitment: bytes

    @property
    def data(self) -> bytes:
        """The associated data of the encryption. Its last part has a fixed size and a pair's id holds no colon: no two bindings share it."""
        return f"provably-fair-baccarat seal:{self.pair}:{self.label}:".encode() + self.commitment


class Vault:
    """Seals server seeds under one key, and opens what it or an older key sealed.

    `find_key` gives a key's 32 bytes by its id, like a key management service does; `key_id` names the one to seal with. Raises
    VaultKeyError where that is no key. It is redacted in `repr` and can't be pickled.
    """

    __slots__ = ("_entropy", "_find_key", "key_id")

    def __init__(self, find_key: FindKey, key_id: str, *, entropy: Entropy = operating_system_entropy) -> None:
        self._find_key = find_key
        self._entropy = entropy
        self.key_id = read_key_id(key_id)
        self._cipher(self.key_id)

    @classmethod
    def from_key_file(cls, path: str | os.PathLike[str], *, entropy: Entropy = operating_system_entropy) -> Self:
        """A vault with the keys of a file: a line for each, its id and 64 hex digits; the last one seals. Raises VaultKeyError."""
        keys = _read_key_file(Path(path))
        return cls(keys.__getitem__, list(keys)[-1], entropy=entropy)

    def seal(self, server_seed: ServerSeed, binding: Binding) -> Sealed:
        """Seal a server seed under this vault's key."""
        nonce = self._entropy(NONCE_BYTES)
        if not isinstance(nonce, bytes) or len(nonce) != NONCE_BYTES:
            raise VaultError("entropy", f"{NONCE_BYTES} bytes", describe_secret(nonce))
        return Sealed(self.key_id, nonce + self._cipher(self.key_id).encrypt(nonce, server_seed.reveal_bytes(), binding.data))

    def open(self, sealed: Sealed, binding: Binding) -> ServerSeed:
        """Open a seal. Raises VaultKeyError where its key is gone, SealError where it is another key, a changed byte or another pair."""
        if len(sealed.seal) != SEAL_BYTES:
            raise SealError(f"seal of pair {binding.pair}", f"{SEAL_BYTES} bytes", f"{len(sealed.seal)}")
        nonce, ciphertext = sealed.seal[:NONCE_BYTES], sealed.seal[NONCE_BYTES:]
        try:
            return ServerSeed(self._cipher(sealed.key_id).decrypt(nonce, ciphertext, binding.data))
        except InvalidTag:
            expected = f"a seal made for it under key {sealed.key_id!r}"
            raise SealError(f"seal of pair {binding.pair}", expected, "another key, a changed byte, or the seal of another pair") from None

    def reseal(self, sealed: Sealed, binding: Binding) -> Sealed:
        """The same secret, sealed anew under this vault's key. Raises like `open`."""
        return self.seal(self.open(sealed, binding), binding)

    def __repr__(self) -> str:
        return f"Vault(key_id={self.key_id!r})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise SecretError("vault", "a secret that stays in this process", "an attempt to pickle it")

    def __getstate__(self) -> NoReturn:
        raise SecretError("vault", "a secret that stays in this process", "an attempt to copy it out")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def _cipher(self, key_id: str) -> AESGCM:
        try:
            key = self._find_key(key_id)
        except LookupError:
            raise VaultKeyError("key of the vault", f"a key with the id {key_id!r}", "none") from None
        if not isinstance(key, bytes) or len(key) != 32:
            raise VaultKeyError(f"key {key_id!r} of the vault", "32 bytes", describe_secret(key))
        return AESGCM(key)


def read_key_id(key_id: object) -> str:
    """A key's id: 1 to 64 letters, digits and `._:/-`. Raises VaultKeyError."""
    if isinstance(key_id, str) and _KEY_ID.fullmatch(key_id):
        return str(key_id)
    raise _no_key_id(key_id)


def _no_key_id(key_id: object) -> VaultKeyError:
    return VaultKeyError("id of a key", "1 to 64 letters, digits and . _ : / -", describe(key_id))


def add_key(path: str | os.PathLike[str], key_id: str, *, entropy: Entropy = operating_system_entropy) -> None:
    """Make a key and append it to a key file, which only its owner may read; from now on that key seals. It is on the disk then.

    Raises VaultKeyError where the file has a key of that id, or can't be written.
    """
    file = Path(path)
    is_new = not file.exists()
    if read_key_id(key_id) in ({} if is_new else _read_key_file(file)):
        raise VaultKeyError("id of a key", "one that the file does not have", describe(key_id))
    try:
        begin = "" if is_new or file.read_bytes().endswith((b"\n", b"\r")) else "\n"  # an editor may leave the last line without its end
        with private_file(file) if is_new else _longer_file(file) as lines:
            lines.write(f"{begin}{key_id} {entropy(32).hex()}\n".encode("ascii"))
    except OSError as error:
        raise VaultKeyError(f"key file {file}", "a file that can be written", error.strerror or "an error") from None


@contextmanager
def _longer_file(file: Path) -> Generator[IO[bytes]]:
    """A file that is there, to write behind its end: what is written is on the disk in the end or, if anything goes wrong, none of it is."""
    with file.open("ab", buffering=0) as longer:
        size = longer.tell()
        try:
            lines = BufferedWriter(longer)
            yield lines
            lines.flush()
            os.fsync(longer.fileno())
        except BaseException:
            longer.truncate(size)
            raise


def _read_key_file(path: Path) -> dict[str, bytes]:
    """The keys of a file by their ids. No traceback shows one, not even with local variables: what is refused is raised without them."""
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        slips = (Slip("key_file_missing", "pfb house key makes one, and add_key does."),)
        raise VaultKeyError(f"key file {path}", "a file with keys", "no such file", slips) from None
    except OSError as error:
        raise VaultKeyError(f"key file {path}", "a readable file", error.strerror or "an error") from None
    except UnicodeDecodeError:
        raise VaultKeyError(f"key file {path}", "ASCII text", "other bytes") from None
    keys = _parse_keys(text, f"key file {path}")
    del text
    if isinstance(keys, VaultKeyError):
        raise keys
    return keys


def _parse_keys(text: str, subject: str) -> dict[str, bytes] | VaultKeyError:
    """The keys of a file's text by their ids, or what is wrong with it."""
    keys: dict[str, bytes] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key_id, _, digits = line.strip().partition(" ")
        key = read_hex(digits.strip(), f"{subject}, line {number}", VaultKeyError)
        if isinstance(key, VaultKeyError):
            return key
        if not _KEY_ID.fullmatch(key_id):
            return _no_key_id(key_id)
        if key_id in keys:
            return VaultKeyError(f"{subject}, line {number}", "each id once", describe(key_id))
        keys[key_id] = key
    return keys or VaultKeyError(subject, "a line with an id and 64 hex digits", "none")
