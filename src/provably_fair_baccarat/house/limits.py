"""Limits: how much may be staked on a bet and in all, in which steps, and how much a coup may pay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ..errors import AmountError, LimitError, RequestError, describe
from ..rules.bets import BANKER, PLAYER, TIE
from ..rules.multiplier import UNIT
from ..rules.settlement import MAX_AMOUNT

if TYPE_CHECKING:
    from ..canonical import Json
    from ..rules.pay_table import PayTable

_MAIN: Final = (PLAYER.name, BANKER.name, TIE.name)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a House takes, in whole smallest currency units, each 1 to 10^38 - 1.

    `min_stake` and `max_stake` hold for each bet, or what `per_bet` says for it: (minimum, maximum). `min_total` and `max_total` hold for
    all bets of one coup together, `max_payout` for the most that the coup could return, stakes included. Stakes are multiples of
    `stake_step`, besides the pay table's own step. Raises RequestError for anything else.

    Whatever the limits, a stake is refused if a win would return no more than the stake, by rounding down, unless the multiplier is 1.0.
    """

    min_stake: int = 1
    max_stake: int = MAX_AMOUNT
    min_total: int = 1
    max_total: int = MAX_AMOUNT
    max_payout: int = MAX_AMOUNT
    stake_step: int = 1
    per_bet: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, "tuple[int, int]"])

    def __post_init__(self) -> None:
        for name in ("min_stake", "max_stake", "min_total", "max_total", "max_payout", "stake_step"):
            _read(getattr(self, name), name)
        _read_range(self.min_stake, self.max_stake, "stakes")
        _read_range(self.min_total, self.max_total, "totals")
        if not isinstance(self.per_bet, Mapping):
            raise RequestError("limits, per_bet", "a mapping from bet name to (minimum, maximum)", describe(self.per_bet))
        for bet, limits in self.per_bet.items():
            if not (isinstance(limits, tuple) and len(limits) == 2):
                raise RequestError(f"limits of {bet}", "(minimum, maximum)", describe(limits))
            _read_range(_read(limits[0], f"{bet}, minimum"), _read(limits[1], f"{bet}, maximum"), str(bet))
        object.__setattr__(self, "per_bet", MappingProxyType(dict(self.per_bet)))

    def to_dict(self) -> dict[str, Json]:
        """The limits as JSON; amounts are texts."""
        names = ("min_stake", "max_stake", "min_total", "max_total", "max_payout", "stake_step")
        per_bet: dict[str, Json] = {bet: {"min_stake": str(low), "max_stake": str(high)} for bet, (low, high) in self.per_bet.items()}
        return {**{name: str(getattr(self, name)) for name in names}, "per_bet": per_bet}

    def examine(self, bets: Mapping[str, int], pay_table: PayTable) -> None:
        """Raise LimitError for the first thing about these bets that is outside the limits."""
        extremes = _payments(pay_table)
        for name, stake in bets.items():
            low, high = self.per_bet.get(name, (self.min_stake, self.max_stake))
            if not low <= stake <= high:
                raise LimitError(f"stake on {name}", f"{low} to {high}", describe(stake))
            if stake % self.stake_step:
                raise LimitError(f"stake on {name}", f"a multiple of {self.stake_step}", describe(stake))
            win = extremes[name].smallest_win
            if win is not None and stake * win // UNIT <= stake:
                raise LimitError(f"stake on {name}", "one whose win returns more than itself", f"{stake}, which returns {stake}")
        staked = sum(bets.values())
        if not self.min_total <= staked <= self.max_total:
            raise LimitError("stakes in all", f"{self.min_total} to {self.max_total}", describe(staked))
        if self.max_payout < MAX_AMOUNT and (payout := exposure(bets, pay_table)) > self.max_payout:
            raise LimitError("largest payout", f"at most {self.max_payout}", describe(payout))


def exposure(bets: Mapping[str, int], pay_table: PayTable) -> int:
    """The most that a coup can return for these bets, stakes included, 1 to 10^38 - 1; never less than what it does return.

    Of the three main bets only what can happen together is added; side bets count in full. Raises AmountError above 10^38 - 1.
    """
    extremes = _payments(pay_table)
    best = {name: stake * extremes[name].largest // UNIT for name, stake in bets.items()}
    player, banker, tie = (best.get(name, 0) for name in _MAIN)
    pushed = bets.get(PLAYER.name, 0) + bets.get(BANKER.name, 0)
    most = max(player, banker, tie + pushed) + sum(amount for name, amount in best.items() if name not in _MAIN)
    if most > MAX_AMOUNT:
        raise AmountError("largest payout", "at most 10^38 - 1", describe(most))
    return max(most, 1)


@dataclass(frozen=True, slots=True)
class _Extremes:
    largest: int
    smallest_win: int | None
    """The smallest multiplier of a win in millionths, of those above 1.0; None where there is none."""


@lru_cache(maxsize=64)
def _payments(pay_table: PayTable) -> Mapping[str, _Extremes]:
    extremes: dict[str, _Extremes] = {}
    for name, offer in pay_table.offers.items():
        wins = [payment.multiplier for payment in offer.payments.values() if payment.multiplier > UNIT]
        extremes[name] = _Extremes(max(payment.multiplier for payment in offer.payments.values()), min(wins, default=None))
    return MappingProxyType(extremes)


def _read(amount: object, name: str) -> int:
    if type(amount) is not int or not 1 <= amount <= MAX_AMOUNT:
        raise RequestError(f"limits, {name}", "a whole number from 1 to 10^38 - 1", describe(amount))
    return amount


def _read_range(low: int, high: int, name: str) -> None:
    if low > high:
        raise RequestError(f"limits, {name}", "a minimum that is not above the maximum", f"{low} to {high}")
