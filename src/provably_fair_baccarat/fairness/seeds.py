"""The three values that a provably fair round is made from: server seed, client seed and commitment.

A server seed and a commitment are both 32 bytes and are types of their own, so that one can never stand in for the other. A server seed is
a secret until it is revealed: nothing writes it but `reveal()`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from secrets import token_bytes  # the one random source of the package, for new seeds alone
from typing import NoReturn, Self, TypeAlias, final

from ..errors import ClientSeedError, CommitmentError, SecretError, ServerSeedError, Slip, describe
from .hex_form import describe_secret, read_hex, same_bytes

Entropy: TypeAlias = Callable[[int], bytes]
"""A source of random bytes: so many bytes of a cryptographically secure generator."""

operating_system_entropy: Entropy = token_bytes
"""The operating system's generator: where new seeds come from unless a caller brings another source."""

MAX_CLIENT_SEED_BYTES = 128
MAX_TEXT_SEED_BYTES = 256
MARK_DIGITS = 16

_EDGE = "\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_REFUSED_ANYWHERE = re.compile("[\u0000-\u001f\u007f-\u009f\ud800-\udfff]")
_REFUSED_AT_EDGE = re.compile(f"\\A[{_EDGE}]|[{_EDGE}]\\Z")


class Frozen:
    """A value that never changes after its birth."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: cannot delete {name!r}")


class _Secret(Frozen):
    """A secret in bytes: redacted in `repr` and `str`, never pickled, and compared in constant time."""

    __slots__ = ("_key",)
    _key: bytes

    def reveal_bytes(self) -> bytes:
        """The secret as bytes: the key of an HMAC."""
        return self._key

    def __eq__(self, other: object) -> bool:
        return same_bytes(self._key, other._key) if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self._key))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<secret>)"

    __str__ = __repr__

    def __format__(self, specification: str) -> str:
        return format(repr(self), specification)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise SecretError("server seed", "a secret that stays in this process", "an attempt to pickle it")

    def __getstate__(self) -> NoReturn:
        raise SecretError("server seed", "a secret that stays in this process", "an attempt to copy it out")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@final
class ServerSeed(_Secret):
    """The operator's secret: 32 bytes (protocol step 1).

    It is redacted in `repr` and `str`, cannot be pickled, and compares in constant time. `generate()` makes a new one, `parse(hex)` reads
    one, `reveal()` tells it. Raises ServerSeedError for anything but 32 bytes.
    """

    __slots__ = ()

    def __init__(self, key: bytes) -> None:
        if type(key) is not bytes or len(key) != 32:
            found = describe_secret(key)
            slips = (Slip("text_for_bytes", "ServerSeed.parse reads the text form."),) if isinstance(key, str) else ()
            del key
            raise ServerSeedError("server seed", "32 bytes", found, slips)
        object.__setattr__(self, "_key", key)

    @classmethod
    def generate(cls, entropy: Entropy = operating_system_entropy) -> Self:
        """Make a new server seed from the operating system's generator, or from `entropy`; raises ServerSeedError if that gives less."""
        return cls(entropy(32))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a server seed from 64 lower-case hex digits, or raise ServerSeedError, which never repeats the text."""
        key = read_hex(text, "server seed", ServerSeedError)
        del text
        if isinstance(key, ServerSeedError):
            raise key
        return cls(key)

    def reveal(self) -> str:
        """The secret as 64 lower-case hex digits. After this the seed must not serve another coup (protocol step 9)."""
        return self._key.hex()


@final
class TextServerSeed(_Secret):
    """The secret of another house that uses its seed's text as it is shown: 1 to 256 bytes of UTF-8, whatever they look like.

    As secret as a `ServerSeed`. Raises ServerSeedError for anything else, and never repeats it.
    """

    __slots__ = ()

    def __init__(self, text: str) -> None:
        key = b""
        if isinstance(text, str) and not _REFUSED_ANYWHERE.search(text):
            key = text.encode()
        if not 1 <= len(key) <= MAX_TEXT_SEED_BYTES:
            found = describe_secret(text)
            del text, key
            raise ServerSeedError("server seed", f"1 to {MAX_TEXT_SEED_BYTES} bytes of text without control characters", found)
        object.__setattr__(self, "_key", key)

    def reveal(self) -> str:
        """The secret as the text that the house shows."""
        return self._key.decode()


@final
class Commitment(Frozen):
    """The published hash that fixes a server seed before the bettor chooses a client seed: 32 bytes (protocol step 2).

    `str` is its text form. Raises CommitmentError for anything but 32 bytes.
    """

    __slots__ = ("digest",)
    digest: bytes

    def __init__(self, digest: bytes) -> None:
        if type(digest) is not bytes or len(digest) != 32:
            slips = (Slip("text_for_bytes", "Commitment.parse reads the text form."),) if isinstance(digest, str) else ()
            raise CommitmentError("commitment", "32 bytes", describe_secret(digest), slips)
        object.__setattr__(self, "digest", digest)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a commitment from 64 lower-case hex digits, or raise CommitmentError."""
        digest = read_hex(text, "commitment", CommitmentError)
        del text  # which is a server seed where someone has mixed them up
        if isinstance(digest, CommitmentError):
            raise digest
        return cls(digest)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Commitment) else NotImplemented

    def __hash__(self) -> int:
        return hash((Commitment, self.digest))

    def __str__(self) -> str:
        return self.digest.hex()

    def __repr__(self) -> str:
        return f"Commitment.parse({str(self)!r})" if hasattr(self, "digest") else "Commitment(<refused>)"

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return Commitment, (self.digest,)


@final
class ClientSeed(Frozen):
    """The bettor's text, used as its exact UTF-8 bytes: never trimmed, folded, normalised or replaced (protocol step 1).

    1 to 128 bytes; control characters and surrogates are refused, and white space at either end. Raises ClientSeedError, which says what
    was found where.
    """

    __slots__ = ("text", "utf8")
    text: str
    utf8: bytes

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise ClientSeedError("client seed", "text", describe(text))
        text = str(text)
        if refusal := _refusal(text):
            raise ClientSeedError("client seed", *refusal, _trim_slip(text))
        object.__setattr__(self, "utf8", text.encode())
        object.__setattr__(self, "text", text)

    @classmethod
    def generate(cls, commitment: Commitment, entropy: Entropy = operating_system_entropy) -> Self:
        """Make a marked client seed on the bettor's side: 16 random hex digits, `-`, the commitment's first 16 (protocol step 9).

        It cannot have been chosen before the commitment existed, and anyone can see that from the round alone. Raises CommitmentError for
        what is no Commitment.
        """
        return cls(f"{entropy(8).hex()}{_mark(commitment)}")

    def marks(self, commitment: Commitment) -> bool:
        """Whether this client seed ends with the mark of that commitment, so that it was chosen after it (protocol step 9)."""
        return self.text.endswith(_mark(commitment))

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, ClientSeed) else NotImplemented

    def __hash__(self) -> int:
        return hash((ClientSeed, self.text))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"ClientSeed({self.text!r})" if hasattr(self, "text") else "ClientSeed(<refused>)"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return ClientSeed, (self.text,)


def _mark(commitment: Commitment) -> str:
    if not isinstance(commitment, Commitment):
        slips = (Slip("text_for_value", "Commitment.parse reads the text form."),) if isinstance(commitment, str) else ()
        raise CommitmentError("commitment", "a Commitment", describe_secret(commitment), slips)
    return f"-{str(commitment)[:MARK_DIGITS]}"


def _refusal(text: str) -> tuple[str, str] | None:
    """What protocol step 1 expects of a client seed and what was found instead, or None if it may be one."""
    for pattern, expected in (
        (_REFUSED_ANYWHERE, "no control characters or surrogates"),
        (_REFUSED_AT_EDGE, "no white space at either end"),
    ):
        if refused := pattern.search(text):
            return expected, f"U+{ord(refused.group()):04X} at place {refused.start()}"
    size = len(text.encode())
    return None if 1 <= size <= MAX_CLIENT_SEED_BYTES else (f"1 to {MAX_CLIENT_SEED_BYTES} bytes of UTF-8", f"{size} bytes")


def _trim_slip(text: str) -> tuple[Slip, ...]:
    trimmed = text.strip().strip("\ufeff")
    if trimmed == text or _refusal(trimmed):
        return ()
    return (Slip("white_space", "There is white space around it; was the client seed meant without?"),)
