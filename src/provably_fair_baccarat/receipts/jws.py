"""Compact JWS (RFC 7515) with one algorithm, one header for each kind and key, and one spelling.

The header is compared and not interpreted: a text with any other header is no statement, so there is nothing to negotiate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from ..canonical import parse_json
from ..errors import (
    SignatureError,
    SigningKeyError,
    StatementFormError,
    StatementHeaderError,
    StatementKindError,
    UnknownKeyError,
    describe,
)
from . import base64url
from .ed25519_key import is_signed
from .keys import KeySet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .keys import VerificationKey

Kind: TypeAlias = Literal["opening", "acceptance", "receipt", "closing"]

KINDS: Final[tuple[Kind, ...]] = ("opening", "acceptance", "receipt", "closing")

MAX_PAYLOAD_BYTES: Final = 64 * 1024
"""The longest payload."""

MAX_STATEMENT_CHARACTERS: Final = 96 * 1024
"""The longest statement: a longest payload in base64url, its header and its signature."""

_SIGNATURE_BYTES: Final = 64


def typ_of(kind: Kind) -> str:
    """The `typ` of a kind's header."""
    return f"pfb-{kind}+jws"


def header_part(kind: Kind, kid: str) -> str:
    """The first part of every statement of a kind and a key."""
    return base64url.encode(f'{{"alg":"Ed25519","kid":"{kid}","typ":"{typ_of(kind)}"}}'.encode())


class HeaderTable:
    """Every header that a statement of a key set can have, with the kind and the key that it stands for. Raises SigningKeyError for no KeySet."""

    __slots__ = ("_headers", "_kids")

    def __init__(self, keys: KeySet) -> None:
        if not isinstance(keys, KeySet):
            raise SigningKeyError("key set", "a KeySet", describe(keys))
        self._kids = tuple(keys.keys)
        self._headers: dict[str, tuple[Kind, VerificationKey]] = {
            header_part(kind, kid): (kind, key) for kid, key in keys.keys.items() for kind in KINDS
        }

    def open(self, text: str, kind: Kind | None = None) -> tuple[Kind, VerificationKey, bytes]:
        """The kind, key and payload of a signed text whose signature verifies; `kind` is the only one that is wanted, if any.

        Raises a StatementError. The payload is the signer's, and may be anything.
        """
        if not isinstance(text, str) or len(text) > MAX_STATEMENT_CHARACTERS:
            raise StatementFormError("statement", f"a text of at most {MAX_STATEMENT_CHARACTERS:,} characters", describe(text))
        if text.count(".") != 2:
            raise StatementFormError("statement", "three parts with full stops between them", f"{text.count('.') + 1}")
        signed, _, last = text.rpartition(".")
        header, _, body = signed.partition(".")
        known = self._headers.get(header)
        if known is None:
            raise self._unknown(header)
        if kind is not None and known[0] != kind:
            raise StatementKindError("typ of a statement", typ_of(kind), typ_of(known[0]))
        payload, signature = base64url.decode(body), base64url.decode(last)
        if payload is None or len(payload) > MAX_PAYLOAD_BYTES:
            expected = f"at most {MAX_PAYLOAD_BYTES:,} bytes in base64url without padding"
            raise StatementFormError("payload of a statement", expected, describe(body))
        if signature is None or len(signature) != _SIGNATURE_BYTES:
            expected = f"{_SIGNATURE_BYTES} bytes in base64url without padding"
            raise StatementFormError("signature of a statement", expected, describe(last))
        found, key = known
        if not is_signed(key.point, signature, signed.encode("ascii")):
            raise SignatureError(f"signature of the {found}", f"one by key {key.kid}", "one that does not verify")
        return found, key, payload

    def _unknown(self, part: str) -> StatementFormError | StatementHeaderError | StatementKindError | UnknownKeyError:
        """What is wrong about a header that is not in the table."""
        text = base64url.decode(part)
        if text is None:
            return StatementFormError("header of a statement", "base64url without padding", describe(part))
        header = parse_json(text, subject="header of a statement", error=StatementHeaderError)
        if not isinstance(header, dict) or header.keys() != {"alg", "kid", "typ"}:
            return StatementHeaderError("header of a statement", "an object of alg, kid and typ, and nothing else", describe(text))
        algorithm, kid, typ = (cast("Mapping[str, object]", header)[name] for name in ("alg", "kid", "typ"))
        typs = [typ_of(kind) for kind in KINDS]
        refusals = (
            (algorithm != "Ed25519", StatementHeaderError("alg of a statement", "Ed25519", describe(algorithm))),
            (not isinstance(kid, str), StatementHeaderError("kid of a statement", "text", describe(kid))),
            (typ not in typs, StatementKindError("typ of a statement", " or ".join(typs), describe(typ))),
            (kid not in self._kids, UnknownKeyError("kid of a statement", "a key of the set", describe(kid))),
        )
        other = StatementHeaderError("header of a statement", "its one spelling", describe(text))
        return next((error for is_wrong, error in refusals if is_wrong), other)
