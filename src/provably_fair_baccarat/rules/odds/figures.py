"""Odds: what a bet comes to for the bettor and for the house, exactly, and what a coup is likely to be.

A figure is a fraction of whole numbers that were counted, never sampled; only a standard deviation, which is a root, is a decimal. What
was counted is kept, by the cards of the shoe, so that asking again costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

from ...errors import PayTableError, describe
from ..coup import Outcome
from ..multiplier import UNIT
from ..pay_table import Offer, Payment, PayTable
from ..ready_tables import PUNTO_BANCO
from ..settlement import read_stake, unknown_bet
from .counting import Counted, CoupClass, count_answers, count_classes, weighted_coups
from .shoe import Shoe, read_shoe
from .witnesses import require_needs

if TYPE_CHECKING:
    from ...canonical import Json
    from ..bets import Bet

DEVIATION_DIGITS: Final = 28
"""How many significant digits a standard deviation has, the last one rounded to nearest."""


FORM_DECIMALS: Final = 12
"""How many decimals a fraction has beside its exact form."""


def exact_form(value: Fraction) -> dict[str, Json]:
    """A fraction as JSON, and the same to twelve decimals, rounded to nearest: exactly, since a float has too few digits for some of them."""
    scaled = round(value * 10**FORM_DECIMALS)
    whole, rest = divmod(abs(scaled), 10**FORM_DECIMALS)
    return {"fraction": str(value), "decimal": f"{'-' * (scaled < 0)}{whole}.{rest:0{FORM_DECIMALS}}"}


@dataclass(frozen=True, slots=True)
class BetOdds:
    """The odds of one bet of a pay table: how often each answer of its event comes, and what follows.

    `ways` says in how many of the `deals` ordered deals of six cards the event gives each answer; an answer that never comes is there with
    0. Returns include the stake. Every figure is per unit staked, and a stake that is pushed counts as staked: a push of probability p
    adds p to the return, nothing to the edge and nothing to the hits.
    """

    bet: str
    pay_table: PayTable
    shoe: Shoe
    ways: Mapping[str, int]

    @property
    def deals(self) -> int:
        """What the ways are out of, and sum to."""
        return self.shoe.deals

    @property
    def probabilities(self) -> Mapping[str, Fraction]:
        """The probability of each answer: each payout of the bet, `PUSHED` and `LOST`; they sum to 1."""
        return MappingProxyType({answer: Fraction(ways, self.deals) for answer, ways in self.ways.items()})

    @property
    def statuses(self) -> Mapping[str, Fraction]:
        """The probability that the bet is settled as "won", "pushed" or "lost".

        A payout that the pay table says to push is pushed here, like a banker's three-card seven at EZ baccarat.
        """
        statuses: dict[str, Fraction] = {status: Fraction(0) for status in ("won", "pushed", "lost")}
        payments = self.payments
        for answer, probability in self.probabilities.items():
            statuses[payments[answer].status] += probability
        return MappingProxyType(statuses)

    @property
    def payments(self) -> Mapping[str, Payment]:
        """What the pay table says each answer comes to: the status, and the multiplier in millionths."""
        payments = self.pay_table.offers[self.bet].payments
        return MappingProxyType({answer: payments[answer] for answer in self.ways})

    @property
    def expected_return(self) -> Fraction:
        """What comes back on average per unit staked, stake included (RTP): at most 1 unless the edge is the bettor's."""
        return Fraction(sum(ways * multiplier for ways, multiplier in self._multipliers()), self.deals * UNIT)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps on average per unit staked, pushes counted as staked; negative if the edge is the bettor's."""
        return 1 - self.expected_return

    @property
    def hit_frequency(self) -> Fraction:
        """The probability that the bet is won; a push is no hit."""
        return self.statuses["won"]

    @property
    def variance(self) -> Fraction:
        """The variance of what comes back per unit staked, in units squared; a win's is the same, since the stake is certain."""
        square = sum(ways * multiplier**2 for ways, multiplier in self._multipliers())
        return Fraction(square, self.deals * UNIT**2) - self.expected_return**2

    @property
    def standard_deviation(self) -> Decimal:
        """The root of the variance, in units, to 28 significant digits."""
        return root(self.variance)

    def return_on(self, stake: int) -> Fraction:
        """What comes back on average, in whole smallest currency units, on a real stake: each return rounded down (protocol step 7).

        `stake` is a whole number from 1 to 10^38 - 1 in the table's steps. At multiples of `stake_step(pay_table)` this is
        `stake * expected_return`, and never more. Raises StakeError.
        """
        read_stake(self.bet, stake, self.pay_table.stake_step)
        returned = sum(ways * (stake * multiplier // UNIT) for ways, multiplier in self._multipliers())
        return Fraction(returned, self.deals)

    def to_dict(self) -> dict[str, Json]:
        """The figures as JSON, those that are fractions exactly."""
        return {
            "hit_frequency": exact_form(self.hit_frequency),
            "push_probability": exact_form(self.statuses["pushed"]),
            "expected_return": exact_form(self.expected_return),
            "house_edge": exact_form(self.house_edge),
            "standard_deviation": str(self.standard_deviation),
        }

    def _multipliers(self) -> list[tuple[int, int]]:
        """The ways of each answer, and its multiplier in millionths."""
        payments = self.payments
        return [(ways, payments[answer].multiplier) for answer, ways in self.ways.items()]


@dataclass(frozen=True, slots=True)
class CoupOdds:
    """How coups of a shoe go, bets aside.

    `classes` says in how many of the `deals` ordered deals of six cards each class of coups comes up; the other tables are sums of it.
    """

    shoe: Shoe
    classes: Mapping[CoupClass, int]

    @property
    def deals(self) -> int:
        """What the ways are out of, and what those of each table sum to."""
        return self.shoe.deals

    @property
    def outcomes(self) -> Mapping[Outcome, int]:
        """The ways that the player wins, the banker wins, and a coup ends in a tie."""
        return self._table(_outcome, tuple(Outcome))

    @property
    def scores(self) -> Mapping[tuple[int, int], int]:
        """The ways of each pair of final scores: the player's, then the banker's."""
        return self._table(lambda coup: (coup.player_score, coup.banker_score), tuple((p, b) for p in range(10) for b in range(10)))

    @property
    def outcome_scores(self) -> Mapping[tuple[Outcome, int], int]:
        """The ways of each outcome with each score of the winner; a tie has the score of both hands."""
        keys = tuple((outcome, score) for outcome in Outcome for score in range(10))
        return self._table(lambda coup: (_outcome(coup), max(coup.player_score, coup.banker_score)), keys)

    @property
    def cards_used(self) -> Mapping[int, int]:
        """The ways that a coup takes 4, 5 and 6 cards."""
        return self._table(lambda coup: coup.player_cards + coup.banker_cards, (4, 5, 6))

    @property
    def naturals(self) -> Mapping[tuple[bool, bool], int]:
        """The ways by whether the player and whether the banker has a natural."""
        return self._table(_naturals, ((False, False), (True, False), (False, True), (True, True)))

    @property
    def natural(self) -> int:
        """The ways that either hand is a natural, or both."""
        return self.deals - self.naturals[False, False]

    def probability(self, ways: int) -> Fraction:
        """The probability of something that comes up in so many ways."""
        return Fraction(ways, self.deals)

    def _table(self, key_of: Callable[[CoupClass], _Key], keys: tuple[_Key, ...]) -> Mapping[_Key, int]:
        table: defaultdict[_Key, int] = defaultdict(int, dict.fromkeys(keys, 0))
        for coup, ways in self.classes.items():
            table[key_of(coup)] += ways
        return MappingProxyType(dict(table))


_Key = TypeVar("_Key", bound=Hashable)


def odds(bet: str, pay_table: PayTable = PUNTO_BANCO, shoe: Shoe | int = 8) -> BetOdds:
    """The odds of a bet that the pay table offers, by its name; `shoe` is a `Shoe`, or the number of decks of a fresh one.

    All bets of the catalogue are counted in well under a second, and so is an operator's own bet, except one on suits without a `kind`,
    which takes some seconds. Raises UnknownBetError for a bet that the table does not offer, DecksError for a number of decks, NeedsError
    where an operator's own event can be seen to look at more than its bet declares, and PayTableError where it gives an answer that it must
    not.
    """
    offer = find_offer(bet, pay_table)
    shoe = read_shoe(shoe)
    return BetOdds(bet, pay_table, shoe, answers_of(offer.bet, shoe))


def table_odds(pay_table: PayTable = PUNTO_BANCO, shoe: Shoe | int = 8) -> Mapping[str, BetOdds]:
    """The odds of every bet of a pay table, by name. Raises like `odds`."""
    return MappingProxyType({name: odds(name, pay_table, shoe) for name in read_pay_table(pay_table).offers})


def bettor_edges(pay_table: PayTable, shoe: Shoe | int = 8) -> tuple[str, ...]:
    """The names of the bets that return more than 100 %, so that the bettor wins in the long run. Raises like `odds`."""
    return tuple(name for name, bet_odds in table_odds(pay_table, shoe).items() if bet_odds.house_edge < 0)


def coup_odds(shoe: Shoe | int = 8) -> CoupOdds:
    """How coups of a shoe go: outcomes, scores, cards used and naturals. Raises DecksError for a number of decks."""
    shoe = read_shoe(shoe)
    return CoupOdds(shoe, MappingProxyType({coup: counted.ways for coup, counted in classes_of(shoe).items()}))


def find_offer(bet: str, pay_table: PayTable) -> Offer:
    """The offer of a bet by its name. Raises UnknownBetError."""
    offers = read_pay_table(pay_table).offers
    if not isinstance(bet, str) or bet not in offers:
        raise unknown_bet(bet, offers)
    return offers[bet]


def read_pay_table(pay_table: PayTable) -> PayTable:
    """A pay table as it is. Raises PayTableError for anything else."""
    if not isinstance(pay_table, PayTable):
        raise PayTableError("pay table", "a PayTable", describe(pay_table))
    return pay_table


def root(value: Fraction) -> Decimal:
    """The square root of a fraction from 0, to 28 significant digits."""
    wide = Context(prec=2 * DEVIATION_DIGITS + 10)
    return Context(prec=DEVIATION_DIGITS).plus(wide.sqrt(wide.divide(Decimal(value.numerator), Decimal(value.denominator))))


@lru_cache(maxsize=64)
def classes_of(shoe: Shoe) -> Mapping[CoupClass, Counted]:
    """`count_classes`, kept for the last 64 shoes."""
    return MappingProxyType(count_classes(shoe))


def answers_of(bet: Bet, shoe: Shoe) -> Mapping[str, int]:
    """`count_answers`, kept for the last 1,024 bets and shoes unless the bet's event is something that can't be a key."""
    try:
        hash(bet)
    except TypeError:
        return _count(bet, shoe)
    return _answers(bet, shoe)


def forget() -> None:
    """Drop everything that was counted and kept, so that the next question is counted anew."""
    classes_of.cache_clear()
    _answers.cache_clear()


def _count(bet: Bet, shoe: Shoe) -> Mapping[str, int]:
    require_needs(bet)
    classes = classes_of(shoe) if bet.needs == "scores" else None
    return MappingProxyType(count_answers(bet, weighted_coups(bet, shoe, classes)))


_answers = lru_cache(maxsize=1024)(_count)


def _outcome(coup: CoupClass) -> Outcome:
    if coup.player_score == coup.banker_score:
        return Outcome.TIE
    return Outcome.PLAYER if coup.player_score > coup.banker_score else Outcome.BANKER


def _naturals(coup: CoupClass) -> tuple[bool, bool]:
    return coup.player_cards == 2 and coup.player_score >= 8, coup.banker_cards == 2 and coup.banker_score >= 8
