"""Public keys of Ed25519 (RFC 8032): 32 bytes that are one point of the curve in its one spelling, and not of small order.

With a key of small order a signature says nothing: some signatures fit every text. `cryptography` takes such a key, so they are refused here.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ..errors import SigningKeyError
from ..fairness.hex_form import describe_secret

_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P
_OF_ORDER_8: Final = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_ORDER: Final = frozenset({0, 1, _P - 1, _OF_ORDER_8, _P - _OF_ORDER_8})
"""The y coordinates of the eight points whose order divides 8."""


def read_public_key(raw: object, subject: str) -> Ed25519PublicKey:
    """A public key from its 32 bytes. Raises SigningKeyError for what is no point, is spelled otherwise, or has small order."""
    if not isinstance(raw, bytes) or len(raw) != 32:
        raise SigningKeyError(subject, "the 32 bytes of an Ed25519 public key", describe_secret(raw))
    number = int.from_bytes(raw, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= _P:
        raise SigningKeyError(subject, "a point in its one spelling", "a coordinate that is not reduced")
    if y in _SMALL_ORDER:
        raise SigningKeyError(subject, "a point of large order", "one of small order, which signs everything")
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if pow(square, (_P - 1) // 2, _P) not in (0, 1) or (square == 0 and sign):
        raise SigningKeyError(subject, "a point of the curve", "32 bytes that are none")
    return Ed25519PublicKey.from_public_bytes(raw)


def is_signed(key: Ed25519PublicKey, signature: bytes, message: bytes) -> bool:
    """Whether a signature is that of a key over a message."""
    try:
        key.verify(signature, message)
    except InvalidSignature:
        return False
    return True
