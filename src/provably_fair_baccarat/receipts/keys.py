"""The operator's public keys: what statements are checked with, each for its time, published as a JWK set (RFC 7517, RFC 8037)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self, cast

from ..canonical import canonical_json, parse_json
from ..errors import SigningKeyError, describe
from . import base64url
from .ed25519_key import read_public_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    from ..canonical import Json

_FIXED: Final = {"alg": "Ed25519", "crv": "Ed25519", "kty": "OKP", "use": "sig"}
_MEMBERS: Final = frozenset({*_FIXED, "kid", "nbf", "x"})

MAX_KEYS: Final = 1000
"""The most keys of a set."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR_10000: Final = 253_402_300_800


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """A public key and the time in which it signs: from `not_before` on, and before `not_after` where there is an end.

    Times are whole seconds since 1970 in UTC. `raw` is the key's 32 bytes, `kid` its RFC 7638 thumbprint. Raises SigningKeyError for what
    is no key that one should trust, and for a time that ends before it begins.
    """

    raw: bytes
    not_before: int
    not_after: int | None = None
    kid: str = field(init=False, repr=False)
    point: Ed25519PublicKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        point = read_public_key(self.raw, "public key")
        _require_seconds(self.not_before, "nbf of a key")
        if self.not_after is not None:
            _require_seconds(self.not_after, "exp of a key")
        if self.not_after is not None and self.not_after <= self.not_before:
            raise SigningKeyError("time of a key", "an end after its beginning", f"{self.not_before} to {self.not_after}")
        object.__setattr__(self, "point", point)
        object.__setattr__(self, "kid", thumbprint(self.raw))

    def signs_at(self, seconds: int) -> bool:
        """Whether the key signs at a time, in whole seconds since 1970 rounded down."""
        return self.not_before <= seconds and (self.not_after is None or seconds < self.not_after)

    @property
    def period(self) -> str:
        """The key's time in words, in seconds since 1970."""
        return f"from {self.not_before} on" + ("" if self.not_after is None else f" and before {self.not_after}")

    def to_jwk(self) -> dict[str, Json]:
        """The key as a JWK with exactly the members that a statement's reader needs."""
        end = {} if self.not_after is None else {"exp": self.not_after}
        return {**_FIXED, **end, "kid": self.kid, "nbf": self.not_before, "x": base64url.encode(self.raw)}

    @classmethod
    def from_jwk(cls, jwk: object) -> Self:
        """Read a key. Raises SigningKeyError unless it has exactly the members of `to_jwk`."""
        if not isinstance(jwk, Mapping):
            raise SigningKeyError("key of a set", "an object", describe(jwk))
        members = cast("Mapping[str, object]", jwk)
        if not _MEMBERS <= members.keys() <= {*_MEMBERS, "exp"}:
            raise SigningKeyError(
                "key of a set", f"the members {', '.join(sorted(_MEMBERS))}, and exp or not", ", ".join(map(str, members))
            )
        for name, value in _FIXED.items():
            if members[name] != value:
                raise SigningKeyError(f"{name} of a key", value, describe(members[name]))
        x = members["x"]
        raw = base64url.decode(x) if isinstance(x, str) else None
        key = cls(cast("bytes", raw), cast("int", members["nbf"]), cast("int | None", members.get("exp")))
        if "exp" in members and members["exp"] is None:
            raise SigningKeyError("exp of a key", "whole seconds, or no such member", "null")
        if members["kid"] != key.kid:
            raise SigningKeyError("kid of a key", f"its thumbprint {key.kid}", describe(members["kid"]))
        return key

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.raw, self.not_before, self.not_after)


@dataclass(frozen=True, slots=True, init=False)
class KeySet:
    """The operator's public keys by their `kid`, the present one and all earlier ones. Raises SigningKeyError for one that is there twice."""

    keys: Mapping[str, VerificationKey]

    def __init__(self, keys: Iterable[VerificationKey]) -> None:
        given = tuple(keys)
        by_kid = {key.kid: key for key in given}
        if not 1 <= len(given) <= MAX_KEYS or len(by_kid) != len(given):
            raise SigningKeyError("key set", f"1 to {MAX_KEYS:,} keys, each once", f"{len(given)} keys, of which {len(by_kid)} differ")
        object.__setattr__(self, "keys", MappingProxyType(by_kid))

    @classmethod
    def parse_jwks(cls, text: str | bytes) -> Self:
        """Read a JWK set as it is published. Raises SigningKeyError for anything but `{"keys": [...]}` with keys of Ed25519."""
        return cls.from_dict(parse_json(text, subject="key set", error=SigningKeyError))

    @classmethod
    def from_dict(cls, jwks: object) -> Self:
        """Read a JWK set from its JSON value."""
        if isinstance(jwks, Mapping) and jwks.keys() == {"keys"} and isinstance(jwks["keys"], list):
            return cls(map(VerificationKey.from_jwk, cast("list[object]", jwks["keys"])))
        raise SigningKeyError("key set", 'an object with the one member "keys", a list', "something else")

    def to_dict(self) -> dict[str, Json]:
        """The set as a JSON value, keys in the order in which their times begin."""
        ordered = sorted(self.keys.values(), key=lambda key: (key.not_before, key.kid))
        return {"keys": [key.to_jwk() for key in ordered]}

    def to_jwks(self) -> bytes:
        """The set as canonical JSON, to be published."""
        return canonical_json(self.to_dict())

    def __hash__(self) -> int:
        return hash(frozenset(self.keys.values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (tuple(self.keys.values()),)


def whole_seconds(time: datetime) -> int:
    """A time with a time zone in seconds since 1970-01-01 in UTC, rounded down, exactly."""
    return (time - _EPOCH) // timedelta(seconds=1)


def thumbprint(raw: bytes) -> str:
    """The RFC 7638 thumbprint of an Ed25519 public key: base64url of the SHA-256 of its required members."""
    members = f'{{"crv":"Ed25519","kty":"OKP","x":"{base64url.encode(raw)}"}}'
    return base64url.encode(sha256(members.encode()).digest())


def _require_seconds(time: object, subject: str) -> None:
    """Raise SigningKeyError unless this is a time in whole seconds since 1970-01-01 in UTC, up to the year 9999."""
    if type(time) is not int or not 0 <= time < _YEAR_10000:
        raise SigningKeyError(subject, "whole seconds since 1970 in UTC, before the year 10000", describe(time))
