"""How long the odds take: the main bets, every bet of the catalogue, and asking again. Medians of several runs, in milliseconds.

Run it with the package on the path: `python benchmarks/odds.py`.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from provably_fair_baccarat.rules.bets import Bet
from provably_fair_baccarat.rules.odds import mix_odds, odds, table_odds
from provably_fair_baccarat.rules.odds.figures import forget
from provably_fair_baccarat.rules.pay_table import PayTable
from provably_fair_baccarat.rules.ready_tables import ALL_BETS, PUNTO_BANCO

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 9


def measure(name: str, ask: Callable[[], object], *, first: bool, runs: int = RUNS) -> None:
    """Print the median of several runs."""
    times: list[float] = []
    for _ in range(runs):
        if first:
            forget()
        start = perf_counter()
        ask()
        times.append(perf_counter() - start)
    print(f"{name:58}{1000 * median(times):12.2f}")


def main() -> None:
    """Print one line for each question."""
    own = Bet("own", lambda coup: coup.player.cards[0].suit is coup.banker.cards[0].suit, "suits")
    own_table = PayTable(side_bets={"own": "4.0"}, bets=[own])
    stakes = dict.fromkeys(ALL_BETS.offers, 20)
    print(f"{'8 decks':58}{'ms':>12}")
    measure("three main bets, first", lambda: table_odds(PUNTO_BANCO), first=True)
    measure("every bet of the catalogue, first", lambda: table_odds(ALL_BETS), first=True)
    measure("every bet of the catalogue, again", lambda: table_odds(ALL_BETS), first=False)
    measure("a mix of banker and tie", lambda: mix_odds({"banker": 20, "tie": 1}), first=True)
    measure("a mix of every bet of the catalogue", lambda: mix_odds(stakes, ALL_BETS), first=True)
    measure("an operator's own bet on suits, first", lambda: odds("own", own_table), first=True, runs=3)


if __name__ == "__main__":
    main()
