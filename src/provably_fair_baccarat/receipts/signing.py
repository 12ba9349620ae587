"""The operator's side: private keys, and the signer that makes statements with the one whose time it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Self, final

from ..errors import SecretError, SigningKeyError, describe
from ..fairness.seeds import Frozen
from . import base64url
from .jws import header_part
from .keys import KeySet, VerificationKey, whole_seconds

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from datetime import datetime

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from .statements import Statement


@final
class PrivateKey(Frozen):
    """A private key: redacted in `repr`, never pickled. `public` is the key that everybody may know, with its time.

    Raises SigningKeyError where the two are not of one pair.
    """

    __slots__ = ("_secret", "public")
    _secret: Ed25519PrivateKey
    public: VerificationKey

    def __init__(self, secret: Ed25519PrivateKey, public: VerificationKey) -> None:
        if secret.public_key().public_bytes_raw() != public.raw:
            raise SigningKeyError("private key", f"that of key {public.kid}", "another one")
        object.__setattr__(self, "_secret", secret)
        object.__setattr__(self, "public", public)

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of a signature."""
        return self._secret.sign(message)

    def until(self, seconds: int) -> Self:
        """The same key, with an end to its time."""
        return type(self)(self._secret, VerificationKey(self.public.raw, self.public.not_before, seconds))

    def reveal_bytes(self) -> bytes:
        """The secret itself, 32 bytes: for a key file, and nothing else."""
        return self._secret.private_bytes_raw()

    def __repr__(self) -> str:
        return f"PrivateKey(<secret>, kid={self.public.kid!r})" if hasattr(self, "public") else "PrivateKey(<refused>)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise SecretError("private key", "a secret that stays in this process", "an attempt to pickle it")

    def __getstate__(self) -> NoReturn:
        raise SecretError("private key", "a secret that stays in this process", "an attempt to copy it out")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@final
class Signer(Frozen):
    """Signs statements with the key whose time it is when they say that they were signed.

    `keys` are the operator's private keys with times that don't leave one another in doubt: where two sign at a time, the one that began
    later does. Any number of threads may use one Signer. It is redacted in `repr` and can't be pickled.
    """

    __slots__ = ("_keys", "key_set")
    _keys: tuple[tuple[PrivateKey, dict[str, bytes]], ...]
    key_set: KeySet

    def __init__(self, keys: Iterable[PrivateKey]) -> None:
        given = tuple(keys)
        for key in given:
            if not isinstance(key, PrivateKey):
                raise SigningKeyError("key of a signer", "a PrivateKey", f"a value of type {type(key).__name__}")
        ordered = sorted(given, key=lambda key: key.public.not_before, reverse=True)
        object.__setattr__(self, "key_set", KeySet(key.public for key in given))
        object.__setattr__(self, "_keys", tuple((key, dict[str, bytes]()) for key in ordered))

    @classmethod
    def from_key_file(cls, path: str | os.PathLike[str]) -> Self:
        """A signer with the keys of a file. Raises SigningKeyError."""
        from .key_file import read_key_file  # noqa: PLC0415 (it makes keys of this module)

        return cls(read_key_file(path))

    def sign(self, statement: Statement) -> str:
        """The statement as compact JWS: always the same text for the same statement. Raises SigningKeyError where no key's time it is."""
        key, headers = self._key_at(statement.time)
        header = headers.get(statement.kind)
        if header is None:
            header = headers[statement.kind] = header_part(statement.kind, key.public.kid).encode() + b"."
        signed = header + base64url.encode_bytes(statement.to_json())
        return (signed + b"." + base64url.encode_bytes(key.sign(signed))).decode("ascii")

    def _key_at(self, time: datetime) -> tuple[PrivateKey, dict[str, bytes]]:
        seconds = whole_seconds(time)
        for key, headers in self._keys:
            if key.public.signs_at(seconds):
                return key, headers
        raise SigningKeyError("signer", f"a key whose time it is at {describe(time)}", "none")

    def __repr__(self) -> str:
        return f"Signer(<secret>, {len(self._keys)} keys)" if hasattr(self, "_keys") else "Signer(<refused>)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise SecretError("signer", "a secret that stays in this process", "an attempt to pickle it")

    def __getstate__(self) -> NoReturn:
        raise SecretError("signer", "a secret that stays in this process", "an attempt to copy it out")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self
