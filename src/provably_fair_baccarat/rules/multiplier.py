"""Multipliers: what a winning stake is multiplied by, stake included, as exact decimals.

Arithmetic uses the integer `multiplier x 10^6` and never a decimal context, whose precision could round a long stake.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, TypeAlias

from ..errors import PayTableError, Slip, describe

UNIT: Final = 10**6
"""The integer form of the multiplier 1.0."""

MultiplierLike: TypeAlias = "Decimal | str | int | float"

_TEXT = re.compile(r"[1-9][0-9]{0,5}(\.[0-9]{1,6})?", re.ASCII)
_ODDS = re.compile(r"(?<![\w.])([0-9]{1,5}(?:\.[0-9]{1,6})?) ?(:|/|-|to|for) ?([1-9][0-9]{0,4})(?![\w.])", re.ASCII)
_EXPECTED = "a number from 1.0 to 999999.999999 with at most 6 digits after the point"


def parse_multiplier(value: MultiplierLike, subject: str = "multiplier") -> Decimal:
    """Read a multiplier: a Decimal in the one spelling of protocol step 7, `2.0` or `1.95`.

    Takes text of ASCII digits with a point, whole numbers, Decimals, and floats by their shortest spelling. Raises PayTableError for
    anything that is not exactly a multiplier from 1.0 on.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal)):
        raise PayTableError(subject, _EXPECTED, describe(value))
    text = _spell(value)
    if not _TEXT.fullmatch(text):
        raise PayTableError(subject, _EXPECTED, describe(value), _slips(text))
    whole, _, fraction = text.partition(".")
    return Decimal(f"{whole}.{fraction.rstrip('0') or '0'}")


def in_millionths(multiplier: Decimal) -> int:
    """The integer M = multiplier x 10^6 of protocol step 7, exactly."""
    whole, _, fraction = str(multiplier).partition(".")
    return int(whole) * UNIT + int(fraction.ljust(6, "0"))


def _spell(value: MultiplierLike) -> str:
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, Decimal):
        if not (value.is_finite() and -7 <= value.adjusted() <= 6):
            return str(value)
        text = f"{value:f}"
        return text.rstrip("0").removesuffix(".") if "." in text else text
    if isinstance(value, int):
        return int.__repr__(value) if abs(value) < UNIT else "too large"
    return str(value)


def _slips(text: str) -> tuple[Slip, ...]:
    plain = text.strip().replace(",", ".").removeprefix("+")
    if plain != text and _TEXT.fullmatch(plain):
        return (Slip("multiplier_spelling", f"Write it as {plain!r}."),)
    if re.fullmatch(r"0(\.[0-9]{1,6})?", plain, re.ASCII):
        return (Slip("multiplier_without_stake", "A multiplier includes the stake: one that pays 0.95 to one is 1.95."),)
    return odds_slips(plain)


def odds_slips(text: str) -> tuple[Slip, ...]:
    """The slip of odds in place of a multiplier, where a text has some: `8:1`, `0.95 to 1` or `3/2` without the stake, `9 for 1` with it."""
    odds = _ODDS.search(text)
    if odds is None:
        return ()
    word = "for" if odds[2] == "for" else "to"
    millionths, rest = divmod(in_millionths(Decimal(odds[1])), int(odds[3]))
    if rest:
        return (Slip("multiplier_as_odds", "A multiplier includes the stake, and has at most 6 digits after the point."),)
    whole, fraction = divmod(millionths + (UNIT if word == "to" else 0), UNIT)
    spelled = f"{whole}.{f'{fraction:06}'.rstrip('0') or '0'}"
    return (Slip("multiplier_as_odds", f"A multiplier includes the stake: {odds[1]} {word} {odds[3]} is {spelled}."),)
