"""What a House is opened and asked with, read once: the offer, counts, times, currencies and the ids of pairs."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ..errors import BettorEdgeError, PairError, PayTableError, RequestError, Slip, describe
from ..rules.odds import bettor_edges
from ..rules.pay_table import PayTable
from .pairs import SeedPair

if TYPE_CHECKING:
    from .pairs import Currency

_PAIR_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_CURRENCY = re.compile(r"[A-Z][A-Z0-9]{0,15}", re.ASCII)


def read_pair_id(pair: SeedPair | str) -> str:
    """The id of a pair, 32 lower-case hex digits, from a pair or its id. Raises PairError for anything else."""
    pair_id = pair.id if isinstance(pair, SeedPair) else pair
    if isinstance(pair_id, str) and _PAIR_ID.fullmatch(pair_id):
        return str(pair_id)
    raise PairError("seed pair", "a SeedPair, or an id of 32 lower-case hex digits", describe(pair_id))


def read_offer(pay_table: PayTable, decks: int, *, allow_bettor_edge: bool) -> PayTable:
    """A pay table to play under. Raises BettorEdgeError for one that the bettor beats, PayTableError for what is none."""
    if not isinstance(pay_table, PayTable):
        raise PayTableError("pay table", "a PayTable", describe(pay_table))
    edges = bettor_edges(pay_table, decks)
    if edges and not allow_bettor_edge:
        slip = Slip("bettor_edge", "Pass allow_bettor_edge=True if that is meant.")
        expected = f"no bet that returns more than it takes with {decks} decks"
        raise BettorEdgeError("pay table", expected, ", ".join(edges), (slip,))
    return pay_table


def read_count(number: int, subject: str, most: int) -> int:
    """A whole number from 1 to `most`. Raises RequestError."""
    if type(number) is int and 1 <= number <= most:
        return number
    raise RequestError(subject, f"a whole number from 1 to {most}", describe(number))


def read_time(time: datetime | None, subject: str) -> datetime | None:
    """A time with its zone, or None. Raises RequestError."""
    if time is None or (isinstance(time, datetime) and time.tzinfo is not None):
        return time
    raise RequestError(subject, "a datetime with a time zone", describe(time))


def read_duration(duration: timedelta, subject: str) -> timedelta:
    """A length of time, 0 or more. Raises RequestError."""
    if isinstance(duration, timedelta) and duration >= timedelta(0):
        return duration
    raise RequestError(subject, "a timedelta that is not negative", describe(duration))


def read_currency(currency: Currency | None) -> Currency | None:
    """A currency's code of 1 to 16 upper-case letters and digits, and its decimals, 0 to 38; or None. Raises RequestError."""
    if currency is None:
        return None
    if isinstance(currency, tuple) and len(currency) == 2:
        code, decimals = currency
        if isinstance(code, str) and _CURRENCY.fullmatch(code) and type(decimals) is int and 0 <= decimals <= 38:
            return currency
    raise RequestError("currency", 'a code and its decimals, like ("USD", 2)', describe(currency))
