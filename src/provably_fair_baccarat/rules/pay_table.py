"""Pay tables: which bets a game offers and what it pays for each, as data.

A pay table is an operator's own; the events that it pays for are the catalogue's, or an operator's own bets handed over with it. Equal
tables have equal digests, and the digest goes into every record.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from math import gcd, lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..canonical import canonical_json, parse_json
from ..errors import PayTableError, describe, nearest
from .bets import ALIASES, BANKER, CATALOGUE, LOST, PLAYER, PUSHED, TIE, WON, Bet, Event
from .multiplier import UNIT, MultiplierLike, in_millionths, odds_slips, parse_multiplier

if TYPE_CHECKING:
    from ..canonical import Json

PUSH: Final = "push"
"""What a pay table says in place of a multiplier where the stake only comes back, like a banker's three-card seven at EZ baccarat."""

MAX_STAKE_STEP: Final = 10**38 - 1

MAX_TABLE_BYTES: Final = 16 * 1024
"""The longest pay table, as JSON: with bets on all that it offers, a record of it can still be read."""

Payouts: TypeAlias = "Mapping[str, MultiplierLike]"
"""What a bet pays: a multiplier, or `PUSH`, for each of its payouts."""


class Payment(NamedTuple):
    """What one answer of a bet's event comes to: the status of the line, and the multiplier in millionths."""

    status: str
    multiplier: int


class Offer(NamedTuple):
    """A bet that a table offers, its event, and the payment for each answer of the event."""

    bet: Bet
    event: Event
    payments: Mapping[str | bool, Payment]


@dataclass(frozen=True, slots=True, init=False, eq=False)
class PayTable:
    """What each bet of a game pays, and the steps in which stakes are taken.

    The three main bets have one multiplier each, stake included, at least 1.0 and with at most 6 digits before and after the point;
    text, whole numbers, Decimals and floats (by their shortest spelling) are kept as a Decimal in one spelling. `stake_step` is a
    whole number of the smallest currency unit. `banker_exceptions` says what a banker win pays that ends with a `six` or a
    `three_card_seven`, where that differs: a multiplier, or "push". `side_bets` maps a bet's name to what it pays: a multiplier for each
    of its payouts, or just one where it has a single payout. `bets` are the operator's own bets, offered by their names in `side_bets`.

    Raises PayTableError for anything else.
    """

    player_multiplier: Decimal
    banker_multiplier: Decimal
    tie_multiplier: Decimal
    stake_step: int
    banker_exceptions: Mapping[str, Decimal | str]
    side_bets: Mapping[str, Mapping[str, Decimal | str]]
    bets: tuple[Bet, ...]
    digest: str = field(repr=False)
    """SHA-256 of the table's canonical JSON, as 64 hex digits."""
    offers: Mapping[str, Offer] = field(repr=False)
    """Every bet on offer by its name, ready to settle: for `settle` and the odds."""

    def __init__(
        self,
        player_multiplier: MultiplierLike = "2.0",
        banker_multiplier: MultiplierLike = "1.95",
        tie_multiplier: MultiplierLike = "9.0",
        stake_step: int = 1,
        *,
        banker_exceptions: Payouts | None = None,
        side_bets: Mapping[str, MultiplierLike | Payouts] | None = None,
        bets: Iterable[Bet] = (),
    ) -> None:
        known = _known_bets(bets)
        main = {
            "player_multiplier": parse_multiplier(player_multiplier, "player_multiplier"),
            "banker_multiplier": parse_multiplier(banker_multiplier, "banker_multiplier"),
            "tie_multiplier": parse_multiplier(tie_multiplier, "tie_multiplier"),
        }
        exceptions = _read_payouts(BANKER, {} if banker_exceptions is None else banker_exceptions, exceptions_to=WON)
        sides = _read_side_bets({} if side_bets is None else side_bets, known)
        player, banker, tie = main.values()
        offers = {
            PLAYER.name: _offer(PLAYER, {WON: player}),
            BANKER.name: _offer(BANKER, {**dict.fromkeys(BANKER.payouts, banker), **exceptions}),
            TIE.name: _offer(TIE, {WON: tie}),
            **{name: _offer(known[name], payouts) for name, payouts in sides.items()},
        }
        values = {
            **main,
            "stake_step": _read_stake_step(stake_step),
            "banker_exceptions": MappingProxyType(exceptions),
            "side_bets": MappingProxyType({name: MappingProxyType(payouts) for name, payouts in sides.items()}),
            "bets": tuple(bet for bet in known.values() if bet.name not in CATALOGUE),
            "offers": MappingProxyType(offers),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        text = canonical_json(self.to_dict())
        if len(text) > MAX_TABLE_BYTES:
            raise PayTableError(
                "pay table", f"at most {MAX_TABLE_BYTES:,} bytes of JSON, so that its records can be read", f"{len(text):,}"
            )
        object.__setattr__(self, "digest", sha256(text).hexdigest())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], bets: Iterable[Bet] = ()) -> PayTable:
        """Read a table from a mapping as `to_dict` makes it; what is left out has its default.

        Raises PayTableError, for an unknown key with the nearest known one.
        """
        if not isinstance(data, Mapping):
            raise PayTableError("pay table", f"a mapping with keys of {', '.join(_KEYS)}", describe(data))
        for key in data:
            if key not in _KEYS:
                raise PayTableError("pay table", f"keys of {', '.join(_KEYS)}", describe(key), nearest(key, _KEYS))
        arguments = dict(data)
        if (rounding := arguments.pop("rounding", "down")) != "down":
            raise PayTableError("rounding", "'down', the one rounding there is", describe(rounding))
        step = arguments.get("stake_step", 1)
        if isinstance(step, str) and re.fullmatch(r"[1-9][0-9]{0,37}", step, re.ASCII):
            arguments["stake_step"] = int(step)
        return cls(**arguments, bets=bets)

    @classmethod
    def parse_json(cls, text: str | bytes, bets: Iterable[Bet] = ()) -> PayTable:
        """Read a table from JSON text; multipliers may be numbers or strings. Raises PayTableError."""
        data = parse_json(text, subject="pay table", error=PayTableError, parse_fraction=_read_number)
        return cls.from_dict(data, bets)  # type: ignore[arg-type]  # from_dict refuses what is not a mapping

    @classmethod
    def parse_toml(cls, text: str, bets: Iterable[Bet] = ()) -> PayTable:
        """Read a table from TOML text of up to 16 KiB; multipliers may be numbers or strings. Raises PayTableError."""
        if not isinstance(text, str) or len(text) > MAX_TABLE_BYTES:
            raise PayTableError("pay table", f"TOML text of at most {MAX_TABLE_BYTES:,} characters", describe(text))
        try:
            data = tomllib.loads(text, parse_float=_read_number)
        except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
            values = re.finditer(r"=[ \t]*([0-9][^\n#]*)", text)
            slips = [slip for value in values for slip in odds_slips(value[1])]  # odds without quotes around them are no TOML
            raise PayTableError("pay table", "TOML text", str(error), slips[:1]) from None
        return cls.from_dict(data, bets)

    def to_dict(self) -> dict[str, Json]:
        """The table as JSON: amounts and multipliers are strings, every key is there. This is what is digested."""
        return {
            "player_multiplier": str(self.player_multiplier),
            "banker_multiplier": str(self.banker_multiplier),
            "tie_multiplier": str(self.tie_multiplier),
            "banker_exceptions": {name: str(multiplier) for name, multiplier in self.banker_exceptions.items()},
            "side_bets": {bet: {name: str(multiplier) for name, multiplier in payouts.items()} for bet, payouts in self.side_bets.items()},
            "stake_step": str(self.stake_step),
            "rounding": "down",
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PayTable):
            return NotImplemented
        return self.digest == other.digest and self.bets == other.bets

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[object, ...]:
        return PayTable.from_dict, (self.to_dict(), self.bets)


_KEYS = ("player_multiplier", "banker_multiplier", "tie_multiplier", "banker_exceptions", "side_bets", "stake_step", "rounding")


def stake_step(pay_table: PayTable) -> int:
    """The smallest step of stakes at which every return of this table is exact: 20 units for a banker at 1.95.

    At any multiple of it, rounding down loses nothing. Raises PayTableError for what is no pay table.
    """
    if not isinstance(pay_table, PayTable):
        raise PayTableError("pay table", "a PayTable", describe(pay_table))
    multipliers = [payment.multiplier for offer in pay_table.offers.values() for payment in offer.payments.values()]
    return lcm(*(UNIT // gcd(UNIT, multiplier) for multiplier in multipliers))


def _read_number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except ArithmeticError:
        raise PayTableError("number in a pay table", "one that a decimal can hold", describe(text)) from None


def _known_bets(own: Iterable[Bet]) -> dict[str, Bet]:
    known = dict(CATALOGUE)
    if not isinstance(own, Iterable):
        raise PayTableError("bets", "Bet values", describe(own))
    for bet in own:
        if not isinstance(bet, Bet):
            raise PayTableError("bets", "Bet values", describe(bet))
        if bet.name in known or bet.name in ALIASES:
            raise PayTableError("bets", "names that are not taken", describe(bet.name))
        known[bet.name] = bet
    return known


def _read_side_bets(offered: Mapping[str, MultiplierLike | Payouts], known: Mapping[str, Bet]) -> dict[str, dict[str, Decimal | str]]:
    if not isinstance(offered, Mapping):
        raise PayTableError("side_bets", "a mapping from bet name to multipliers", describe(offered))
    sides: dict[str, dict[str, Decimal | str]] = {}
    main = (PLAYER.name, BANKER.name, TIE.name)
    names = [name for name in (*known, *ALIASES) if name not in main]
    for given, payouts in offered.items():
        name = ALIASES.get(given, given) if isinstance(given, str) else given
        if name in main:
            raise PayTableError("side_bets", "side bets only", f"{name!r}, whose multiplier is {name}_multiplier")
        if name not in known:
            raise PayTableError("side bet", f"one of {', '.join(names)}", describe(given), nearest(given, names))
        if name in sides:
            raise PayTableError("side_bets", "each bet once", f"{given!r} a second time")
        bet = known[name]
        sides[name] = _read_payouts(bet, payouts if isinstance(payouts, Mapping) else dict.fromkeys(bet.payouts[:1], payouts))
    return dict(sorted(sides.items()))


def _read_payouts(bet: Bet, payouts: Payouts, exceptions_to: str | None = None) -> dict[str, Decimal | str]:
    """Read what a bet pays: for all of its payouts, or for some of them where they are exceptions to one."""
    expected = [name for name in bet.payouts if name != exceptions_to]
    if not isinstance(payouts, Mapping):
        raise PayTableError(f"payouts of {bet.name}", f"a mapping from {', '.join(expected)}", describe(payouts))
    for name in payouts:
        if name not in expected:
            raise PayTableError(f"payout of {bet.name}", " or ".join(expected), describe(name), nearest(name, expected))
    missing = [name for name in expected if name not in payouts]
    if missing and exceptions_to is None:
        raise PayTableError(f"payouts of {bet.name}", f"a multiplier for each of {', '.join(expected)}", f"none for {', '.join(missing)}")
    return {
        name: PUSH if payouts[name] == PUSH else parse_multiplier(payouts[name], f"{bet.name}, {name}")
        for name in sorted(expected)
        if name in payouts
    }


def _read_stake_step(step: object) -> int:
    if type(step) is not int or not 1 <= step <= MAX_STAKE_STEP:
        raise PayTableError("stake_step", "a whole number from 1 to 10^38 - 1", describe(step))
    return step


def _offer(bet: Bet, payouts: Mapping[str, Decimal | str]) -> Offer:
    payments: dict[str | bool, Payment] = {LOST: Payment("lost", 0), PUSHED: Payment("pushed", UNIT)}
    for name, multiplier in payouts.items():
        payments[name] = Payment("won", in_millionths(multiplier)) if isinstance(multiplier, Decimal) else Payment("pushed", UNIT)
    return Offer(bet, bet.event, MappingProxyType(payments))
