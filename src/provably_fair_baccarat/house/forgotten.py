"""Bets of an operator's own that a House does not know any more: an earlier pair's pay table offers them, and nobody has passed their event.

Such a table is read all the same, with a bet in place of each that has the right name and payouts and no answer. So the pair can be told,
closed and revealed, and bets on everything else go on; only what needs the answer is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, cast

from ..canonical import parse_json
from ..errors import OwnBetError, PayTableError, Slip
from ..rules.bets import ALIASES, CATALOGUE, Bet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..rules.coup import Coup
    from ..rules.pay_table import PayTable


@dataclass(frozen=True, slots=True)
class _Forgotten:
    """The event of a bet that is not known."""

    name: str

    def __call__(self, coup: Coup) -> NoReturn:  # noqa: ARG002 (an event is given the coup)
        raise _forgotten(self.name)


def stand_ins(form: str, own_bets: Iterable[Bet]) -> Iterator[Bet]:
    """Bets in place of those that a stored pay table offers, and that are neither in the catalogue nor among the operator's own."""
    known = {*CATALOGUE, *ALIASES, *(bet.name for bet in own_bets)}
    for name, payouts in _members(_members(parse_json(form, subject="pay table", error=PayTableError)).get("side_bets")).items():
        if name not in known:
            yield Bet(name, _Forgotten(name), "suits", tuple(_members(payouts)))


def require_known(bets: Iterable[str], pay_table: PayTable) -> None:
    """Raise OwnBetError for the first bet that nobody could settle."""
    for name in bets:
        if isinstance(pay_table.offers[name].bet.event, _Forgotten):
            raise _forgotten(name)


def _forgotten(name: str) -> OwnBetError:
    sentence = f"This House no longer knows the bet {name!r} of an earlier pair: pass it in `own_bets`, or with --bets on the command line."
    return OwnBetError(
        f"bet {name!r}",
        "a bet that this House knows",
        "one of the operator's own that it was not opened with",
        (Slip("own_bet", sentence),),
    )


def _members(value: object) -> Mapping[str, object]:
    """The members of a JSON object; none of anything else, which is refused where the table is read."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}
