"""base64url without padding (RFC 4648, section 5), in its one spelling."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode


def encode(data: bytes) -> str:
    """Bytes as base64url text without padding."""
    return encode_bytes(data).decode("ascii")


def encode_bytes(data: bytes) -> bytes:
    """Bytes as the ASCII bytes of base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=")


def decode(text: str) -> bytes | None:
    """The bytes of a text, or None where it is not the one spelling of any: padded, with other characters, or with unused bits set."""
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if encode(data) == text else None
