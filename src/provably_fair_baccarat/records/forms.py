"""The parts of a record: hands, bets, sums, currency, chain and pay table, each frozen and complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field

from ..fairness.chain import MAX_LENGTH, Chain
from ..rules.pay_table import PayTable
from .spelling import Amount, Cards, CurrencyCode, FrozenMapping, Hex, Multiplier, Name, Net, Payout, Stake

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..rules.bets import Bet


class Form(BaseModel):
    """Frozen, strict, and without room for anything unknown or left out."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True, hide_input_in_errors=True, revalidate_instances="always"
    )

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} never changes: cannot delete {name!r}")


class HandForm(Form):
    """A hand: its two or three cards in the order they were dealt, and its score."""

    cards: Cards
    score: Annotated[int, Field(ge=0, le=9)]


class BetForm(Form):
    """A bet: stake and return in smallest currency units, and what became of it."""

    stake: Stake
    status: Literal["won", "pushed", "lost"]
    returned: Amount


class TotalsForm(Form):
    """The sums over all bets, in smallest currency units; net is what the bettor gained, or lost if negative."""

    staked: Amount
    returned: Amount
    net: Net


class CurrencyForm(Form):
    """The currency that amounts are in: its code, and how many decimals its smallest unit stands for."""

    code: CurrencyCode
    decimals: Annotated[int, Field(ge=0, le=38)]


class ChainForm(Form):
    """The seed chain that a commitment is to: its anchor, link(0), and how many coups it serves (protocol step 8)."""

    anchor: Hex
    length: Annotated[int, Field(ge=1, le=MAX_LENGTH)]

    def chain(self) -> Chain:
        """The chain as a value."""
        return Chain(self.anchor, self.length)


class PayTableForm(Form):
    """A pay table as a record holds it: every multiplier as text, nothing left out."""

    player_multiplier: Multiplier
    banker_multiplier: Multiplier
    tie_multiplier: Multiplier
    banker_exceptions: FrozenMapping[Name, Payout]
    side_bets: FrozenMapping[Name, FrozenMapping[Name, Payout]]
    stake_step: Stake
    rounding: Literal["down"]

    def pay_table(self, bets: Iterable[Bet] = ()) -> PayTable:
        """The table as a value. `bets` are the operator's own bets that it may offer. Raises PayTableError if it is none."""
        return PayTable.from_dict(self.model_dump(mode="json"), bets)
