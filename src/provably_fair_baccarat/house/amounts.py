"""What a request is made of: amounts, bettors' names, keys and bets, read once at the edge.

Everything here goes from what a caller passes to what a store keeps, or back. Nothing is trimmed, folded or mended.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from ..errors import AmountError, BetError, RequestError, Slip, UnknownBetError, describe, nearest
from ..rules.settlement import MAX_AMOUNT, read_stake

if TYPE_CHECKING:
    from ..rules.pay_table import PayTable

MAX_NAME_CHARACTERS: Final = 128
"""The longest name of a bettor and the longest idempotency key."""

_NAME = re.compile("[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]{1,128}")


def read_name(name: object, subject: str) -> str:
    """A bettor's name or an idempotency key: 1 to 128 characters, none of them a control character or a surrogate. Raises RequestError."""
    if isinstance(name, str) and _NAME.fullmatch(name):
        return str(name)
    slips = (Slip("uuid_for_text", f"Pass str({subject})."),) if isinstance(name, UUID) else ()
    raise RequestError(subject, f"text of 1 to {MAX_NAME_CHARACTERS} characters without control characters", describe(name), slips)


def read_amount(amount: object, subject: str) -> int:
    """An amount to move: a whole number of smallest currency units, 1 to 10^38 - 1. Raises AmountError."""
    if type(amount) is int and 1 <= amount <= MAX_AMOUNT:
        return amount
    slips = () if type(amount) is int else (Slip("stake_type", "Amounts are whole numbers of the smallest unit: 5 dollars are 500 cents."),)
    raise AmountError(subject, "a whole number from 1 to 10^38 - 1", describe(amount), slips)


def read_bets(bets: object, pay_table: PayTable) -> dict[str, int]:
    """Bets of a request in the order of their names: stakes that this table can settle, and at least one.

    Raises BetError, UnknownBetError or StakeError like `settle` does.
    """
    if not isinstance(bets, (dict, Mapping)):  # a dict is seen at once, an abstract class takes its time
        raise BetError("bets", "a mapping from bet name to stake", describe(bets))
    items = cast("Mapping[object, object]", bets).items()
    read: dict[str, int] = {}
    for name, stake in items:
        if not isinstance(name, str) or name not in pay_table.offers:
            offers = list(pay_table.offers)
            raise UnknownBetError("bet", f"one of {', '.join(offers)}", describe(name), nearest(str(name), offers))
        read[name] = read_stake(name, stake, pay_table.stake_step)  # type: ignore[arg-type]  # read_stake refuses what is not an int
    if not read:
        raise BetError("bets", "at least one bet", "none")
    if sum(read.values()) > MAX_AMOUNT:
        raise AmountError("stakes in all", "at most 10^38 - 1", describe(sum(read.values())))
    return dict(sorted(read.items()))


def write_bets(bets: Mapping[str, int]) -> str:
    """Bets as a store keeps them, `banker:200 tie:5`: one spelling, so that equal requests have equal texts."""
    return " ".join(f"{name}:{stake}" for name, stake in bets.items())


@lru_cache(maxsize=4096)
def parse_bets(text: str) -> Mapping[str, int]:
    """What `write_bets` wrote; the last 4,096 texts are remembered. Raises BetError for anything else: then somebody else wrote it."""
    bets: dict[str, int] = {}
    for part in text.split(" "):
        name, _, stake = part.partition(":")
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,63}:[1-9][0-9]{0,37}", part, re.ASCII) or name in bets:
            raise BetError("stored bets", "bets like 'banker:200 tie:5'", describe(text))
        bets[name] = int(stake)
    return MappingProxyType(bets)


def tell_bets(bets: object) -> str:
    """Bets as the event of a refusal keeps them, whatever they are: as far as a person can read them."""
    if isinstance(bets, Mapping):
        text = " ".join(f"{name}:{describe(stake)}" for name, stake in cast("Mapping[object, object]", bets).items())
    else:
        text = describe(bets)
    return storable(text)[:500]


def storable(text: str) -> str:
    """Text as every database can hold it, whoever worded it: without U+0000 and lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
