"""The whole numbers that a derivation starts from: the nonce and the number of decks (protocol step 1)."""

from __future__ import annotations

from typing import Final

from ..errors import DecksError, NonceError, Slip, describe
from .hex_form import describe_secret, mend_hex

MAX_NONCE: Final = 2**53 - 1
"""The largest nonce: the last whole number that an IEEE 754 double holds exactly."""

MAX_DECKS: Final = 8
"""The most 52-card decks in a shoe."""


def parse_nonce(nonce: object) -> int:
    """Take a nonce, 0 to 2^53 - 1, or raise NonceError. Only an int is one: neither True nor 3.0 nor "3"."""
    if type(nonce) is not int or not 0 <= nonce <= MAX_NONCE:
        raise NonceError("nonce", "a whole number from 0 to 2^53 - 1", _describe(nonce), _number_slips(nonce))
    return nonce


def parse_decks(decks: object) -> int:
    """Take a number of decks, 1 to 8, or raise DecksError. Only an int is one."""
    if type(decks) is not int or not 1 <= decks <= MAX_DECKS:
        raise DecksError("decks", "a whole number from 1 to 8", _describe(decks), _number_slips(decks))
    return decks


def _describe(value: object) -> str:
    """Tell what was given for a number; where it looks like a seed, without repeating it."""
    return describe_secret(value) if isinstance(value, str) and mend_hex(value) else describe(value)


def _number_slips(value: object) -> tuple[Slip, ...]:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 16:
        return (Slip("number_as_text", f"It is text: pass the number {int(value)}."),)
    return ()
