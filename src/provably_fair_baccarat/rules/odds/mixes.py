"""Mixes: what several bets on one coup come to together, for an operator who wants to know how far results may stray.

The bets of one coup depend on each other, and that is counted exactly: what they return is added up coup by coup. Bets that look at whole
coups and bets on ranks or suits meet in the points of the first four cards. Once these are known, the third cards tell nothing more about
the first four cards' ranks and suits, nor these about the third cards' points, so that there the two returns are independent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from statistics import NormalDist
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ...errors import BetError, OddsError, describe
from ..bets import LOST, PUSHED
from ..multiplier import UNIT
from ..ready_tables import PUNTO_BANCO
from ..settlement import read_stake
from .counting import coup_of, kind_of, opening_coups, point_deals
from .figures import find_offer, root
from .shoe import Shoe, read_shoe
from .witnesses import require_needs

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from ...cards import Card
    from ..bets import Bet
    from ..coup import Coup
    from ..pay_table import PayTable

Number: TypeAlias = "Fraction | Decimal | float | int"

_MAX_EXPONENT: Final = 400
"""Beyond it a decimal is further from 1 than any float, and its fraction takes for ever."""

_Four: TypeAlias = "tuple[tuple[int, int], tuple[int, int]]"
"""The points of the first four cards: the player's two, then the banker's, each in the order they were dealt."""


@dataclass(frozen=True, slots=True)
class MixOdds:
    """What bets on the same coup come to together, in whole smallest currency units, each return rounded down.

    `expected_return` is what comes back per round on average, stakes included, and `variance` that of what comes back, in units squared:
    the covariances between the bets are in it. Of bets on different coups, add the figures of a mix for each: they are independent.
    """

    stakes: Mapping[str, int]
    pay_table: PayTable
    shoe: Shoe
    expected_return: Fraction
    variance: Fraction

    @property
    def staked(self) -> int:
        """The sum of the stakes."""
        return sum(self.stakes.values())

    @property
    def expected_win(self) -> Fraction:
        """What the house wins per round on average; negative if it loses."""
        return self.staked - self.expected_return

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps on average per unit staked, pushes counted as staked."""
        return self.expected_win / self.staked

    @property
    def standard_deviation(self) -> Decimal:
        """The root of the variance, in units per round, to 28 significant digits; after n rounds it is the root of n times as much."""
        return root(self.variance)

    def rounds_needed(self, half_width: Number, confidence: Number = 0.95) -> int:
        """After how many rounds the return per unit staked is known to within `half_width` either side, with this confidence.

        `half_width` is above 0, 0.001 for a tenth of a percent, and `confidence` between 0 and 1. The mean of many rounds is taken to be
        normally distributed. That is an approximation, and a bad one where the answer comes to few hits of a rare payout. Raises OddsError
        for other numbers.
        """
        width = _read_number(half_width)
        if width is None or width <= 0:
            raise OddsError("half width", "a number above 0", describe(half_width))
        sure = _read_number(confidence)
        tail = 0.0 if sure is None or not 0 < sure < 1 else float((1 - sure) / 2)
        if tail <= 0:
            raise OddsError("confidence", "a number between 0 and 1", describe(confidence))
        # the quantile of the lower tail: a float can say what is near 0 better than what is near 1
        quantile = Fraction(NormalDist().inv_cdf(tail))
        return max(1, ceil(quantile**2 * self.variance / (self.staked * width) ** 2))


def mix_odds(stakes: Mapping[str, int], pay_table: PayTable = PUNTO_BANCO, shoe: Shoe | int = 8) -> MixOdds:
    """What bets on the same coup come to together: `stakes` maps a bet's name to its stake in whole smallest currency units.

    `shoe` is a `Shoe`, or the number of decks of a fresh one. Takes half a second at most, but some ten seconds with an operator's own bet
    on suits without a `kind`. Raises UnknownBetError for a bet that the table does not offer, StakeError for a stake, BetError for stakes
    that are no mapping or empty, DecksError for a number of decks, and NeedsError and PayTableError as `odds`.
    """
    if not isinstance(stakes, Mapping) or not stakes:
        raise BetError("stakes", "a mapping from bet name to stake, with at least one bet", describe(stakes))
    shoe = read_shoe(shoe)
    lines = [_Line.read(name, stake, pay_table) for name, stake in stakes.items()]
    opening = [line for line in lines if line.bet.needs in ("ranks", "suits")]
    whole = [line for line in lines if line not in opening]
    first = _Sums(_opening_returns(opening, shoe) if opening else ())
    last = _Sums(_whole_returns(whole, shoe, ordered=any(line.bet.needs != "scores" for line in lines)) if whole else ())
    deals = shoe.deals
    expected = Fraction(first.returned + last.returned, deals)
    square = Fraction(first.squared + last.squared, deals)
    if opening and whole:
        square += 2 * sum(
            Fraction(returned * last.returned_after[four], deals * last.ways_after[four]) for four, returned in first.returned_after.items()
        )
    return MixOdds(MappingProxyType(dict(stakes)), pay_table, shoe, expected, square - expected**2)


class _Line(NamedTuple):
    """A bet of the mix, and what comes back of its stake by the answer of its event."""

    bet: Bet
    returns: Mapping[str, int]

    @classmethod
    def read(cls, name: str, stake: int, pay_table: PayTable) -> _Line:
        offer = find_offer(name, pay_table)
        read_stake(name, stake, pay_table.stake_step)
        require_needs(offer.bet)
        answers = (*offer.bet.payouts, PUSHED, LOST)
        return cls(offer.bet, {answer: stake * offer.payments[answer].multiplier // UNIT for answer in answers})

    def returned(self, coup: Coup) -> int:
        answer = self.bet.event(coup)
        try:
            return self.returns[answer]  # type: ignore[index]  # an answer that is no str is read below
        except (KeyError, TypeError):
            return self.returns[self.bet.read(answer)]


class _Sums:
    """What came back, summed over deals: in all, squared, and by the points of the first four cards."""

    def __init__(self, terms: Iterable[tuple[_Four, int, int]]) -> None:
        self.returned = self.squared = 0
        self.ways_after: defaultdict[_Four, int] = defaultdict(int)
        self.returned_after: defaultdict[_Four, int] = defaultdict(int)
        for four, returned, ways in terms:
            self.ways_after[four] += ways
            if returned:
                weighed = ways * returned
                self.returned += weighed
                self.squared += weighed * returned
                self.returned_after[four] += weighed


def _whole_returns(lines: Sequence[_Line], shoe: Shoe, *, ordered: bool) -> Iterator[tuple[_Four, int, int]]:
    """What the bets on scores and points return, for each way that a coup can go by its points.

    `ordered` tells the two orders of a hand's first two cards apart, which only bets on scores can do without.
    """
    by_class: dict[tuple[int, int, int, int], int] = {}
    on_scores = [line for line in lines if line.bet.needs == "scores"]
    on_points = [line for line in lines if line.bet.needs == "points"]
    for player, banker, ways in point_deals(shoe, ordered=ordered):
        key = (player.score, banker.score, player.size, banker.size)
        if key not in by_class:
            by_class[key] = _returned(on_scores, coup_of(player.hand, banker.hand))
        returned = by_class[key]
        if on_points:
            returned += _returned(on_points, coup_of(player.hand, banker.hand))
        yield (player.first, banker.first), returned, ways


def _opening_returns(lines: Sequence[_Line], shoe: Shoe) -> Iterator[tuple[_Four, int, int]]:
    """What the bets on ranks and suits return: for all first four cards that these bets or their points can tell apart."""
    kinds = [kind_of(line.bet) for line in lines]

    def kind(first: Card, second: Card) -> Hashable:
        return first.points, second.points, *(kind(first, second) for kind in kinds)

    for coup, ways in opening_coups(shoe, kind, by_rank=all(line.bet.needs == "ranks" for line in lines)):
        player, banker = coup.player.cards, coup.banker.cards
        four = (player[0].points, player[1].points), (banker[0].points, banker[1].points)
        yield four, _returned(lines, coup), ways


def _returned(lines: Sequence[_Line], coup: Coup) -> int:
    return sum(line.returned(coup) for line in lines)


def _read_number(value: Number) -> Fraction | None:
    """A number as a fraction, a float by its shortest spelling; None for anything else and for what is not finite."""
    if isinstance(value, bool) or not isinstance(value, (Fraction, Decimal, float, int)):
        return None
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) > _MAX_EXPONENT:
        return None
    try:
        return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, OverflowError):
        return None
