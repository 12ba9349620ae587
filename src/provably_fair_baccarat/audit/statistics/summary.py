"""All comparisons of an audit, as one family."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ...errors import PayTableError
from ...rules.pay_table import PayTable
from ..refusal_tally import RefusalTally
from .comparison import Comparison, Omission, correct
from .frequencies import compare_shoe
from .returns import Return, compare_returns
from .sequence import compare_sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...rules.bets import Bet
    from ..serial import SerialTally
    from ..tally import Tally

ALPHA: Final = 0.01
"""The level of the family: of a hundred audits of fair games, one is flagged by chance."""

_NOTHING_REFUSED: Final = RefusalTally()


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the statistics of an audit say.

    `comparisons` are one family, with corrected p-values, in the order in which they are printed; `omissions` are those that were not made.
    `returns` and `refused_returns` are the figures behind those of bets taken and refused.
    """

    comparisons: tuple[Comparison, ...]
    omissions: tuple[Omission, ...]
    returns: tuple[Return, ...]
    refused_returns: tuple[Return, ...]
    alpha: float = ALPHA

    @classmethod
    def of(
        cls,
        tally: Tally,
        serial: SerialTally,
        refusals: RefusalTally = _NOTHING_REFUSED,
        *,
        bets: Iterable[Bet] = (),
        alpha: float = ALPHA,
    ) -> Statistics:
        """Compare all that was counted; `bets` are the operator's own that its pay tables may offer."""
        pay_tables = read_tables(tally.pay_tables, bets)
        returns, unknown = compare_returns(tally.bets, pay_tables)
        refused, unknown_refused = compare_returns(refusals.bets, pay_tables, "refused_return")
        made: list[Comparison | Omission] = [*unknown, *unknown_refused]
        for decks, shoe in tally.shoes.items():
            made += compare_shoe(decks, shoe)
        made += compare_sequence(serial)
        for name, compared in (("return", returns), ("refused_return", refused)):
            made += [comparison for each in compared for comparison in each.comparisons(name)]
        comparisons = correct(each for each in made if isinstance(each, Comparison))
        omissions = tuple(each for each in made if isinstance(each, Omission))
        return cls(comparisons, omissions, tuple(returns), tuple(refused), alpha)

    @property
    def family(self) -> int:
        """How many comparisons there are: what p-values are corrected for."""
        return len(self.comparisons)

    @property
    def flagged(self) -> tuple[Comparison, ...]:
        """The comparisons whose corrected p-value is below the level, the oddest first."""
        below = (each for each in self.comparisons if each.corrected < self.alpha)
        return tuple(sorted(below, key=lambda each: (each.p_value, each.name, each.subject)))

    def comparison(self, name: str, subject: str | None = None) -> Comparison:
        """The comparison of that name and, where told, that subject. Raises KeyError."""
        for each in self.comparisons:
            if each.name == name and subject in (None, each.subject):
                return each
        raise KeyError(name, subject)

    def to_dict(self) -> dict[str, Any]:
        """The statistics as JSON."""
        return {
            "alpha": self.alpha,
            "family": self.family,
            "flagged": len(self.flagged),
            "comparisons": [each.to_dict() for each in self.comparisons],
            "omissions": [{"name": each.name, "subject": each.subject, "reason": each.reason} for each in self.omissions],
            "returns": [each.to_dict() for each in self.returns],
            "refused_returns": [each.to_dict() for each in self.refused_returns],
        }


def read_tables(texts: Mapping[str, str], bets: Iterable[Bet]) -> Mapping[str, PayTable]:
    """Pay tables from their JSON, by digest; one that offers a bet which is not known here is left out."""
    own = tuple(bets)
    tables: dict[str, PayTable] = {}
    for digest, text in texts.items():
        with suppress(PayTableError):
            tables[digest] = PayTable.parse_json(text, own)
    return MappingProxyType(tables)
