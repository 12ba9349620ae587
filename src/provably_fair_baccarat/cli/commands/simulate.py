"""`pfb simulate`: very many coups beside the exact odds."""

import os
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from ...canonical import Json as JsonValue
from ...fairness.seeds import operating_system_entropy
from ...kernel import MAX_THREADS, kernel_info
from ...rules.odds.figures import exact_form
from ...rules.ready_tables import PUNTO_BANCO
from ..failures import INTERRUPTED, OK
from ..options import Decks, Entropy, Json, PayTableOption, read_count
from ..screen import ERR, progress_bar, show, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...laboratory import Return, Share, Simulation

EXAMPLES = """\b
Examples:
  pfb simulate --rounds 1e9
  pfb simulate --rounds 10_000_000 --decks 6 --pay-table super_six
  pfb simulate --rounds 1e6 --entropy 0001...1f --json
"""


def simulate(
    *,
    rounds: Annotated[int, typer.Option(parser=read_count, metavar="N", help="How many rounds: 1000000, 1_000_000 or 1e6.")],
    decks: Decks = 8,
    seed_pairs: Annotated[int, typer.Option(parser=read_count, metavar="N", help="Over how many new seed pairs they are spread.")] = 1000,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help=f"1 to {MAX_THREADS}; one for each processor unless told.", show_default=False),
    ] = None,
    pay_table: PayTableOption = None,
    entropy: Entropy = None,
    json: Json = False,
) -> int:
    """Deal very many rounds, and compare with the exact odds.

    Every round takes the way of a real one: seed pairs, words, draws, cards, coup. The exact probabilities are counted over a fresh shoe
    and never sampled. z says how many standard deviations lie between the two: beyond 4 or 5 something is wrong. Returns are those of one
    unit on every round, for the bets of the pay table that look at scores and numbers of cards alone. Seeds, rounds and decks alone decide
    what is dealt: the entropy that is shown gives the same counts again, on any number of threads.

    Ctrl-C ends a run early and shows what was dealt so far.
    """
    from ...laboratory import ENTROPY_BYTES  # noqa: PLC0415 (loaded by nobody else here)
    from ...laboratory import simulate as run  # noqa: PLC0415 (loaded by nobody else here)

    key = operating_system_entropy(ENTROPY_BYTES) if entropy is None else entropy
    growing = run(
        rounds,
        key,
        decks=decks,
        pairs=seed_pairs,
        pay_table=pay_table or PUNTO_BANCO,
        threads=min(os.cpu_count() or 1, MAX_THREADS) if threads is None else threads,
    )
    if not kernel_info().native:
        ERR.print(f"pfb: this takes long without the native kernel: {kernel_info().reason}", soft_wrap=True)
    simulation = _last(growing, rounds)
    if simulation is None:
        raise KeyboardInterrupt
    if json:
        write_json(_to_json(simulation, rounds, min(seed_pairs, rounds), key))
    else:
        _show(simulation, rounds, min(seed_pairs, rounds), key)
    return OK if simulation.rounds == rounds else INTERRUPTED


def _last(growing: "Iterator[Simulation]", rounds: int) -> "Simulation | None":
    """The simulation when it is whole, or as far as it was when somebody interrupted it."""
    simulation = None
    try:
        with progress_bar("dealing", rounds) as show_done:
            for simulation in growing:
                show_done(simulation.rounds)
    except KeyboardInterrupt:
        ERR.print("pfb: interrupted")
    return simulation


def _show(simulation: "Simulation", rounds: int, seed_pairs: int, key: bytes) -> None:
    decks = f"{simulation.decks} deck{'s' * (simulation.decks > 1)}"
    of_all = "" if simulation.rounds == rounds else f" of {rounds:,}"
    pairs = f"{seed_pairs:,} seed pair{'s' * (seed_pairs > 1)}"
    show(f"{simulation.rounds:,}{of_all} rounds with {decks}, from {pairs}", f"entropy {key.hex()}", "")
    show(_shares_view(simulation.shares), f"chi-square {simulation.chi_square:.4f}, p = {simulation.p_value:.4f}", "")
    show(_returns_view(simulation.returns))


def _shares_view(shares: "tuple[Share, ...]") -> Table:
    table = _table("", "count", "expected", "share %", "exact %", "z")
    for share in shares:
        observed = Fraction(share.count, share.rounds)
        expected = f"{round(share.expected):,}"
        table.add_row(share.outcome, f"{share.count:,}", expected, _percent(observed), _percent(share.probability), f"{share.z:+.3f}")
    return table


def _returns_view(returns: "tuple[Return, ...]") -> Table:
    table = _table("bet", "return %", "exact %", "z")
    for each in returns:
        table.add_row(each.odds.bet, _percent(each.observed), _percent(each.exact), f"{each.z:+.3f}")
    return table


def _table(*names: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, name in enumerate(names):
        table.add_column(name, justify="right" if place else "left", no_wrap=True)
    return table


def _to_json(simulation: "Simulation", rounds: int, seed_pairs: int, key: bytes) -> dict[str, JsonValue]:
    shares: dict[str, JsonValue] = {
        share.outcome: {
            "count": share.count,
            "expected": exact_form(share.expected),
            "probability": exact_form(share.probability),
            "z": _rounded(share.z),
        }
        for share in simulation.shares
    }
    returns: dict[str, JsonValue] = {
        each.odds.bet: {"observed": exact_form(each.observed), "exact": exact_form(each.exact), "z": _rounded(each.z)}
        for each in simulation.returns
    }
    return {
        "rounds": simulation.rounds,
        "rounds_asked": rounds,
        "seed_pairs": seed_pairs,
        "decks": simulation.decks,
        "entropy": key.hex(),
        "outcomes": shares,
        "chi_square": {"value": _rounded(simulation.chi_square), "degrees_of_freedom": 2, "p": _rounded(simulation.p_value)},
        "returns": returns,
    }


def _percent(value: Fraction) -> str:
    return f"{float(100 * value):.4f}"


def _rounded(value: float) -> str:
    return f"{value:.6f}"
