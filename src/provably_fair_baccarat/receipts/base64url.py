"""base64url without padding (RFC 4648, section 5), in its one spelling."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from binascii import Error, a2b_base64
from typing import Final

_STANDARD: Final = bytes.maketrans(b"-_+/=", b"+/!!!")
_LAST: Final = (b"", frozenset(b"AEIMQUYcgkosw048"), frozenset(b"AQgw"))
"""How a text may end that lacks so many characters to a multiple of four: with its unused bits at zero."""


def encode(data: bytes) -> str:
    """Bytes as base64url text without padding."""
    return encode_bytes(data).decode("ascii")


def encode_bytes(data: bytes) -> bytes:
    """Bytes as the ASCII bytes of base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=")


def decode(text: str) -> bytes | None:
    """The bytes of a text, or None where it is not the one spelling of any: padded, with other characters, or with unused bits set."""
    lacking = -len(text) % 4
    try:
        digits = text.encode("ascii")
        if lacking == 3 or (lacking and digits[-1] not in _LAST[lacking]):
            return None
        return a2b_base64(digits.translate(_STANDARD) + b"=="[:lacking], strict_mode=True)
    except (Error, UnicodeEncodeError):
        return None
