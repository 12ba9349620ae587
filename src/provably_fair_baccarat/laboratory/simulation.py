"""Simulation: very many coups counted, beside what the exact odds say of so many.

Counts, probabilities and expectations are whole numbers and fractions. Only what is a root or an exponential is a float: how many standard
deviations a count lies from its expectation, and how likely a deviation as large is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import exp, sqrt
from typing import TYPE_CHECKING, Final

from .. import kernel
from ..errors import PayTableError, describe
from ..rules.multiplier import UNIT
from ..rules.odds import CoupOdds, Shoe, coup_odds, odds
from ..rules.odds.figures import classes_of
from ..rules.pay_table import PayTable
from ..rules.ready_tables import PUNTO_BANCO
from .pairs import read_rounds, seed_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..fairness.seed_pair import Seeds
    from ..rules.coup import Outcome
    from ..rules.odds import BetOdds, CoupClass
    from ..rules.pay_table import Offer

PIECE: Final = 1 << 22
"""Coups between two moments at which a simulation tells how far it is: a tenth of a second."""

PYTHON_PIECE: Final = 1 << 14
"""The same without the native kernel."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often a coup ended one way, beside how often it should have."""

    outcome: Outcome
    count: int
    rounds: int
    probability: Fraction

    @property
    def expected(self) -> Fraction:
        """The count that the exact probability makes of so many rounds."""
        return self.rounds * self.probability

    @property
    def z(self) -> float:
        """How many standard deviations the count lies above what is expected, or below it if negative."""
        return float(self.count - self.expected) / sqrt(self.expected * (1 - self.probability))


@dataclass(frozen=True, slots=True)
class Return:
    """What a bet of one unit on every round came to, beside what it should have."""

    odds: BetOdds
    rounds: int
    paid: int
    """All that came back, stakes included, in millionths of a unit."""

    @property
    def observed(self) -> Fraction:
        """What came back on average per unit staked (RTP)."""
        return Fraction(self.paid, self.rounds * UNIT)

    @property
    def exact(self) -> Fraction:
        """What comes back on average by the exact odds."""
        return self.odds.expected_return

    @property
    def z(self) -> float:
        """How many standard deviations the observed return lies above the exact one, or below it if negative."""
        return float(self.observed - self.exact) / sqrt(self.odds.variance / self.rounds)


@dataclass(frozen=True, slots=True)
class Simulation:
    """So many coups from fresh shoes of `decks` decks: how often each class of them came up, beside the exact odds."""

    decks: int
    pay_table: PayTable
    classes: Mapping[CoupClass, int]

    @property
    def rounds(self) -> int:
        """How many coups were dealt."""
        return sum(self.classes.values())

    @property
    def shares(self) -> tuple[Share, ...]:
        """Player, banker and tie, each beside its exact probability."""
        exact, rounds = coup_odds(self.decks), self.rounds
        counts = CoupOdds(exact.shoe, self.classes).outcomes
        return tuple(Share(outcome, count, rounds, exact.probability(exact.outcomes[outcome])) for outcome, count in counts.items())

    @property
    def returns(self) -> tuple[Return, ...]:
        """What each bet of the pay table came to that looks at scores and numbers of cards alone; the bets on pairs look at more."""
        offers = [offer for offer in self.pay_table.offers.values() if offer.bet.needs == "scores"]
        return tuple(Return(odds(offer.bet.name, self.pay_table, self.decks), self.rounds, self._paid(offer)) for offer in offers)

    @property
    def chi_square(self) -> float:
        """How far player, banker and tie together lie from what is expected: with 2 degrees of freedom."""
        return float(sum((share.count - share.expected) ** 2 / share.expected for share in self.shares))

    @property
    def p_value(self) -> float:
        """How likely exact odds give a chi-square as large as this: with 2 degrees of freedom, e^(-chi-square / 2), which is exact."""
        return exp(-self.chi_square / 2)

    def _paid(self, offer: Offer) -> int:
        """What a unit on every round comes back as, in millionths."""
        examples = classes_of(Shoe.of_decks(self.decks))
        payments = {coup: offer.payments[offer.bet.result(examples[coup].example)] for coup in self.classes}
        return sum(count * payments[coup].multiplier for coup, count in self.classes.items())


def simulate(
    rounds: int,
    key: bytes,
    *,
    decks: int = 8,
    pairs: int = 1000,
    pay_table: PayTable = PUNTO_BANCO,
    threads: int = 1,
    path: str | None = None,
) -> Iterator[Simulation]:
    """Deal so many coups and compare: a growing simulation again and again, the last of them whole.

    The coups are those of the nonces from 0 of the first `pairs` seed pairs that come from the 32 bytes of `key`, as many of each pair as it
    goes; fewer pairs where there are fewer rounds. So the key, the rounds, the pairs and the decks say all: threads and path change nothing
    but the time. Raises LaboratoryError, DecksError, PayTableError or KernelError at once.
    """
    pairs = min(read_rounds(pairs, "seed pairs"), read_rounds(rounds))
    if not isinstance(pay_table, PayTable):
        raise PayTableError("pay table", "a PayTable", describe(pay_table))
    made = seed_pairs(key, decks)
    kernel.tally(next(seed_pairs(key, decks)), range(0), threads=threads, path=path)  # refuses threads and paths that cannot be
    is_native = kernel.kernel_info().native and path != kernel.PYTHON
    piece = PIECE if is_native else PYTHON_PIECE
    nothing = Simulation(decks, pay_table, {})
    return _grow(
        nothing, _pieces(made, rounds, pairs, piece), lambda seeds, nonces: kernel.tally(seeds, nonces, threads=threads, path=path)
    )


def _pieces(made: Iterator[Seeds], rounds: int, pairs: int, piece: int) -> Iterator[list[tuple[Seeds, range]]]:
    """What is dealt between two moments: seeds and nonces, of about a piece together."""
    gathered: list[tuple[Seeds, range]] = []
    size = 0
    for turn, seeds in enumerate(islice(made, pairs)):
        nonces = range(rounds // pairs + (turn < rounds % pairs))
        for start in range(0, len(nonces), piece):
            gathered.append((seeds, nonces[start : start + piece]))
            size += len(gathered[-1][1])
            if size >= piece:
                yield gathered
                gathered, size = [], 0
    if gathered:
        yield gathered


def _grow(
    simulation: Simulation, pieces: Iterator[list[tuple[Seeds, range]]], tally: Callable[[Seeds, range], Mapping[CoupClass, int]]
) -> Iterator[Simulation]:
    classes = Counter(simulation.classes)
    for piece in pieces:
        for seeds, nonces in piece:
            classes.update(tally(seeds, nonces))
        yield Simulation(simulation.decks, simulation.pay_table, dict(classes))
