"""All comparisons of an audit, as one family."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ...errors import PayTableError
from ...rules.pay_table import PayTable
from ..refusal_tally import RefusalTally
from .comparison import FINE, POOLED, Comparison, Omission, correct, shares
from .frequencies import compare_shoe
from .hits import compare_hits
from .house import pool_house
from .returns import Return, compare_returns, pool
from .sequence import compare_sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    `returns` are the figures behind them by bet, pay table, decks and currency; `pooled` by bet and currency, and last those of all bets
    together, by currency. `refused_returns` and `refused_pooled` are those of refused bets.
    """

    comparisons: tuple[Comparison, ...]
    omissions: tuple[Omission, ...]
    returns: tuple[Return, ...]
    pooled: tuple[Return, ...]
    refused_returns: tuple[Return, ...]
    refused_pooled: tuple[Return, ...]
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
        pooled, refused_pooled = ((*pool(each), *pool_house(each, pay_tables)) for each in (returns, refused))
        made += compare_pooled("return", returns, pooled)
        made += compare_hits(returns)
        made += compare_pooled("refused_return", refused, refused_pooled)
        comparisons = correct(each for each in made if isinstance(each, Comparison))
        omissions = tuple(each for each in made if isinstance(each, Omission))
        return cls(comparisons, omissions, tuple(returns), pooled, tuple(refused), refused_pooled, alpha)

    @property
    def family(self) -> int:
        """How many comparisons there are: what p-values are corrected for."""
        return len(self.comparisons)

    @property
    def flagged(self) -> tuple[Comparison, ...]:
        """The comparisons whose corrected p-value is below the level, the oddest first."""
        below = (each for each in self.comparisons if each.corrected < self.alpha)
        return tuple(sorted(below, key=lambda each: (each.p_value, each.name, each.subject)))

    def limit(self, level: int = POOLED) -> float:
        """The p-value below which a comparison of this level is flagged by itself, however well all others do."""
        share = shares(self.comparisons).get(level, 1.0)
        return self.alpha * share / max(1, sum(each.level == level for each in self.comparisons))

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
            "pooled": [self._pooled(each) for each in self.pooled],
            "refused_returns": [each.to_dict() for each in self.refused_returns],
            "refused_pooled": [self._pooled(each) for each in self.refused_pooled],
        }

    def _pooled(self, each: Return) -> dict[str, Any]:
        """A pooled return as JSON, with the smallest biases that nine in ten such audits find."""
        return {**each.to_dict(), "smallest_bias": list(each.smallest_bias(self.limit()))}


def compare_pooled(name: str, returns: Sequence[Return], pooled: Sequence[Return]) -> Iterator[Comparison]:
    """The comparisons of pooled returns; and where a bet has several pay tables or decks, of each of these."""
    for each in pooled:
        yield each.compare(name if each.scope.bet or name != "return" else "house_win", POOLED)
        parts = [part for part in returns if (part.scope.bet, part.scope.currency) == (each.scope.bet, each.scope.currency)]
        if len(parts) > 1:
            yield from (part.compare(name, FINE) for part in parts)


def read_tables(texts: Mapping[str, str], bets: Iterable[Bet]) -> Mapping[str, PayTable]:
    """Pay tables from their JSON, by digest; one that offers a bet which is not known here is left out."""
    own = tuple(bets)
    tables: dict[str, PayTable] = {}
    for digest, text in texts.items():
        with suppress(PayTableError):
            tables[digest] = PayTable.parse_json(text, own)
    return MappingProxyType(tables)
