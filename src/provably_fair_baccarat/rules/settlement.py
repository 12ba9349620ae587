"""Settlement: a coup and stakes in, amounts out, in whole numbers of the smallest currency unit.

There is one rounding in all of it: a return is `stake x multiplier`, rounded down, for each bet by itself (protocol step 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ..errors import AmountError, BetError, DealError, PayTableError, Slip, StakeError, UnknownBetError, describe, nearest
from ..frozen import open_twin
from .bets import ALIASES
from .coup import Coup
from .multiplier import UNIT
from .pay_table import PayTable
from .ready_tables import PAY_TABLES, PUNTO_BANCO

MAX_AMOUNT: Final = 10**38 - 1
"""The largest stake, return or sum, in smallest currency units."""


@dataclass(frozen=True, slots=True)
class SettledBet:
    """One line of a settlement, in whole smallest currency units: what was staked on a bet and what came back, stake included.

    `status` is "won", "pushed" or "lost".
    """

    bet: str
    stake: int
    returned: int
    status: str

    @property
    def net(self) -> int:
        """What the bettor gained, or lost if negative."""
        return self.returned - self.stake


@dataclass(frozen=True, slots=True)
class Settlement:
    """What one bettor's bets on one coup came to: a line for each bet by its name, and the pay table they were settled under."""

    lines: Mapping[str, SettledBet]
    pay_table: PayTable

    def __post_init__(self) -> None:
        lines = self.lines
        if not (isinstance(lines, Mapping) and all(isinstance(line, SettledBet) and line.bet == name for name, line in lines.items())):
            raise BetError("lines of a settlement", "a mapping from bet name to SettledBet", describe(lines))
        object.__setattr__(self, "lines", MappingProxyType(dict(lines)))

    def __hash__(self) -> int:
        return hash((frozenset(self.lines.values()), self.pay_table))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (tuple(self.lines.values()), self.pay_table)

    @property
    def staked(self) -> int:
        """The sum of the stakes."""
        return sum(line.stake for line in self.lines.values())

    @property
    def returned(self) -> int:
        """The sum of what came back, stakes included."""
        return sum(line.returned for line in self.lines.values())

    @property
    def net(self) -> int:
        """What the bettor gained in all, or lost if negative."""
        return self.returned - self.staked


def _restore(lines: tuple[SettledBet, ...], pay_table: PayTable) -> Settlement:
    return Settlement({line.bet: line for line in lines}, pay_table)


_OpenSettledBet = open_twin(SettledBet)
_OpenSettlement = open_twin(Settlement)


def settle(coup: Coup, bets: Mapping[str, int], pay_table: PayTable = PUNTO_BANCO) -> Settlement:
    """Settle one bettor's bets on a coup (protocol step 7).

    `bets` maps a bet's name to its stake: a whole number of the smallest currency unit from 1 to 10^38 - 1, in steps of the table's
    `stake_step`. No bets settle to nothing.

    Raises UnknownBetError for a bet that the table does not offer, StakeError for a stake, AmountError where a return or a sum would go
    above 10^38 - 1, and BetError, DealError or PayTableError for what are no bets, no coup or no pay table; then nothing is settled.
    """
    if not isinstance(coup, Coup):
        raise DealError("coup", "a Coup", describe(coup))
    if not isinstance(pay_table, PayTable):
        raise PayTableError("pay table", "a PayTable", describe(pay_table))
    offers = pay_table.offers
    step = pay_table.stake_step
    staked = paid = 0
    lines: dict[str, SettledBet] = {}
    if not isinstance(bets, (dict, Mapping)):  # a dict is seen at once, an abstract class takes its time
        raise BetError("bets", "a mapping from bet name to stake", describe(bets))
    for name, stake in bets.items():
        read_stake(name, stake, step)
        try:
            bet, event, payments = offers[name]
        except (KeyError, TypeError):
            raise unknown_bet(name, offers) from None
        answer = event(coup)
        try:
            status, multiplier = payments[answer]
        except (KeyError, TypeError):
            status, multiplier = payments[bet.read(answer)]
        returned = stake * multiplier // UNIT
        staked += stake
        paid += returned
        lines[name] = line = _OpenSettledBet()
        line.bet = name
        line.stake = stake
        line.returned = returned
        line.status = status
        line.__class__ = SettledBet
    if staked > MAX_AMOUNT or paid > MAX_AMOUNT:
        raise AmountError("settlement", "no amount above 10^38 - 1", f"{staked} staked and {paid} returned")
    settlement = _OpenSettlement()
    settlement.lines = MappingProxyType(lines)
    settlement.pay_table = pay_table
    settlement.__class__ = Settlement
    return settlement  # type: ignore[no-any-return]  # it is a Settlement since the line before


def read_stake(bet: str, stake: int, step: int) -> int:
    """A stake as it is: a whole number from 1 to 10^38 - 1, in the table's steps. Raises StakeError for anything else."""
    if type(stake) is int and 1 <= stake <= MAX_AMOUNT and stake % step == 0:
        return stake
    subject = f"stake on {bet}" if isinstance(bet, str) else "stake"
    if type(stake) is not int:
        slips = (Slip("stake_type", "Stakes are whole numbers of the smallest currency unit: 5 dollars are 500 cents."),)
        raise StakeError(subject, "an int", describe(stake), slips)
    if not 1 <= stake <= MAX_AMOUNT:
        raise StakeError(subject, "1 to 10^38 - 1 of the smallest currency unit", describe(stake))
    raise StakeError(subject, f"a multiple of the table's stake step {step}", describe(stake))


def unknown_bet(name: object, offers: Mapping[str, object]) -> UnknownBetError:
    """The refusal of a bet that a table does not offer, with the nearest one that it does, or the ready tables that have it."""
    return UnknownBetError("bet", f"one of {', '.join(offers)}", describe(name), _bet_slips(name, offers))


def _bet_slips(name: object, offers: Mapping[str, object]) -> tuple[Slip, ...]:
    if not isinstance(name, str):
        return ()
    known = ALIASES.get(name, name)
    if known in offers:
        return (Slip("alias", f"It is offered as {known!r}."),)
    tables = [table for table, ready in PAY_TABLES.items() if known in ready.offers]
    if tables:
        return (Slip("other_table", f"It is a bet of other pay tables: {', '.join(tables)}."),)
    return nearest(name, offers)
