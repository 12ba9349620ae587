"""The one text form of 32 bytes: 64 lower-case hex digits, and the slips that people make when they copy it.

Refusals never repeat the text, since it may be a server seed that is still secret: they count its characters and tell their kind.
"""

from __future__ import annotations

import re
from hmac import compare_digest
from typing import TYPE_CHECKING, Final, TypeVar

from ..errors import Slip

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..errors import BaccaratError

_Error = TypeVar("_Error", bound="BaccaratError")

EXPECTED: Final = "64 lower-case hex digits"

_FORM = re.compile(r"[0-9a-f]{64}", re.ASCII)

_SLIPS: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("white_space", "Remove the white space or line end around it.", str.strip),
    ("quotes", "Remove the quotes around it.", lambda text: text.strip("'\"`")),
    ("prefix", "Remove the 0x in front of it.", lambda text: text.removeprefix("0x").removeprefix("0X")),
    ("white_space_inside", "Remove the white space or separators inside it.", lambda text: re.sub(r"[\s:_-]", "", text)),
    ("upper_case", "Write its letters in lower case.", str.lower),
)

_WRONG_FORMS = (
    ("digits", "One digit is missing.", re.compile(r"[0-9a-f]{63}", re.ASCII)),
    ("digits", "There is one digit too many.", re.compile(r"[0-9a-f]{65}", re.ASCII)),
    ("base64", "It is base64 of 32 bytes: write them in hex.", re.compile(r"[A-Za-z0-9+/_-]{43}=?", re.ASCII)),
)


def digit_slips(one: str, other: str) -> tuple[Slip, ...]:
    """The slip of two texts of one length that differ in one digit."""
    places = [place for place, (a, b) in enumerate(zip(one, other, strict=True), start=1) if a != b]
    return (Slip("one_digit", f"They differ at digit {places[0]} only."),) if len(places) == 1 else ()


def read_hex(text: object, subject: str, error: type[_Error]) -> bytes | _Error:
    """Read 32 bytes from `[0-9a-f]{64}`, or return the refusal, which names the likely slip and never the text.

    It is returned and not raised so that the caller can drop the text first: no traceback with local variables shall show a secret.
    """
    if isinstance(text, str) and _FORM.fullmatch(text):
        return bytes.fromhex(text)
    return error(subject, EXPECTED, describe_secret(text), hex_slips(text))


def mend_hex(text: str) -> str | None:
    """The form that a text has when every slip in it is mended, or None if it has none. For diagnoses only: nothing is mended silently."""
    for _, _, mend in _SLIPS:
        text = mend(text)
    return text if _FORM.fullmatch(text) else None


def hex_slips(text: object) -> tuple[Slip, ...]:
    """The slips in a text that would be right without them, or the one that it cannot be right with."""
    if not isinstance(text, str):
        return ()
    if mend_hex(text) is None:
        return tuple(Slip(code, sentence) for code, sentence, form in _WRONG_FORMS if form.fullmatch(text))
    slips: list[Slip] = []
    for code, sentence, mend in _SLIPS:
        mended = mend(text)
        if mended != text:
            slips.append(Slip(code, sentence))
        text = mended
    return tuple(slips)


def describe_secret(value: object) -> str:
    """Tell what was given in place of a secret, without repeating any of it."""
    if isinstance(value, str):
        kinds = {
            "lower-case hex digits": r"[0-9a-f]",
            "upper-case hex digits": r"[A-F]",
            "white space": r"\s",
            "other characters": r"[^0-9a-fA-F\s]",
        }
        counts = {kind: len(re.findall(pattern, value)) for kind, pattern in kinds.items()}
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        return f"{len(value)} character{'s' * (len(value) > 1)} ({told})" if value else "an empty text"
    if isinstance(value, (bytes, bytearray)):
        return f"{len(value)} bytes"
    return f"a value of type {type(value).__name__}"


def same_bytes(one: bytes, other: bytes) -> bool:
    """Whether two secrets are equal, in a time that does not tell where they differ."""
    return compare_digest(one, other)
