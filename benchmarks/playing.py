"""What both benchmarks of a House have in common: how it is played, and how the figures are told. There is nothing to run here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from statistics import median, quantiles
from time import perf_counter
from typing import TYPE_CHECKING

from provably_fair_baccarat.house import BetRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provably_fair_baccarat.house import House, SeedPair

THREADS = 32
MANY = 1_000
BETS = {"player": 500, "tie": 20}

_keys = count()


def key() -> str:
    """A key like those that backends make: 36 characters."""
    return f"018f3a5e-7b1c-7def-8a90-{next(_keys):012d}"


class Table:
    """A house with a pair for each of its bettors, and how many rounds it has played."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.pairs = [self._pair(f"bettor {number}") for number in range(THREADS)]
        self.played = 0

    def _pair(self, bettor: str) -> SeedPair:
        self.house.deposit(bettor, 10**12, "deposit")
        return self.house.choose_client_seed(self.house.commit(bettor), "lucky 8s")

    def one_caller(self, rounds: int, pair: SeedPair | None = None) -> float:
        """Rounds per second of one caller."""
        pair = self.pairs[0] if pair is None else pair
        start = perf_counter()
        for _ in range(rounds):
            self.house.play(pair, BETS, key())
        self.played += rounds
        return rounds / (perf_counter() - start)

    def threads(self, of_each: int) -> tuple[float, float]:
        """Rounds per second of 32 threads, and the milliseconds within which 99 of 100 were answered."""

        def play(thread: int) -> list[float]:
            times = []
            for _ in range(of_each):
                start = perf_counter()
                self.house.play(self.pairs[thread], BETS, key())
                times.append(perf_counter() - start)
            return times

        with ThreadPoolExecutor(THREADS) as pool:
            start = perf_counter()
            times = [time for thread in pool.map(play, range(THREADS)) for time in thread]
            rate = len(times) / (perf_counter() - start)
        self.played += len(times)
        return rate, 1000 * quantiles(times, n=100)[98]

    def many(self) -> float:
        """Rounds per second of one caller that plays a thousand at a time."""
        requests = [BetRequest(self.pairs[number % THREADS], BETS, key()) for number in range(MANY)]
        start = perf_counter()
        self.house.play_many(requests)
        self.played += MANY
        return MANY / (perf_counter() - start)


def show_rates(rates: Mapping[str, Sequence[float]]) -> None:
    """A line for each median, beside its ratio to the first one."""
    bare = median(next(iter(rates.values())))
    print(f"{'':44}{'per second':>12}{'x floor':>10}")
    for what, measured in rates.items():
        print(f"{what:44}{median(measured):12,.0f}{median(measured) / bare:10.2f}")
