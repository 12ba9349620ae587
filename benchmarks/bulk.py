"""How long many coups take: ratios to the two-lane SHA-NI HMAC loop alone, measured side by side, and to what sites publish.

Run it with the package on the path: `python benchmarks/bulk.py`. A client seed of 16 bytes and nonces below 10^9, so that a message is one
block. Each run measures everything once, next to the yardstick of the same run; the figures are medians of the runs. `--check` makes the
exit status 1 where a target is missed.

With the extra `audit` it also makes rounds of many seed pairs with bets, and audits Parquet files of one and of four million of them on one
and two threads, with settlement and completeness; of one million, a fixed part (bets that are learnt, files that are opened) shows. The target of three million rounds a second is told as a ratio too: 333 ns are 8.7 yardsticks of 38 ns.
"""

from __future__ import annotations

import argparse
import hmac
import tempfile
from collections import deque
from functools import reduce
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from provably_fair_baccarat import ClientSeed, Seeds, ServerSeed, kernel, play_round
from provably_fair_baccarat.laboratory import stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY = bytes(range(32))
CLIENT_SEED = "0123456789abcdef"
FIRST = 500_000_000
COUPS = 1 << 20
ROUNDS = 1_000_000
MANY = 4_000_000

SUITS = "♠♥♦♣"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def time_of(work: Callable[[], object], count: int) -> float:
    """Nanoseconds for each of so many coups."""
    start = perf_counter()
    work()
    return (perf_counter() - start) / count * 1e9


# What sites publish, taken over from JavaScript line by line: text keys, bytes one by one, floats, cards as text.

CARDS = [suit + rank for rank in RANKS for suit in SUITS]


def byte_generator(server_seed: str, client_seed: str, nonce: int, cursor: int) -> Iterator[int]:
    current_round, place = divmod(cursor, 32)
    while True:
        mac = hmac.new(server_seed.encode(), digestmod="sha256")
        mac.update(f"{client_seed}:{nonce}:{current_round}".encode())
        buffer = mac.digest()
        while place < 32:
            yield buffer[place]
            place += 1
        place = 0
        current_round += 1


def generate_floats(server_seed: str, client_seed: str, nonce: int, cursor: int, count: int) -> list[float]:
    generator = byte_generator(server_seed, client_seed, nonce, cursor)
    chunk: list[int] = []
    while len(chunk) < count * 4:
        chunk.append(next(generator))
    chunks = [chunk[start : start + 4] for start in range(0, len(chunk), 4)]
    return [reduce(lambda total, item: total + item[1] / 256 ** (item[0] + 1), enumerate(part), 0.0) for part in chunks]


def value_of(card: str) -> int:
    rank = card[1:]
    if rank == "A":
        return 1
    return 0 if rank in {"10", "J", "Q", "K"} else int(rank)


def score_of(hand: list[str]) -> int:
    return sum(value_of(card) for card in hand) % 10


def banker_takes(banker: int, third: str | None) -> bool:
    if third is None:
        return banker <= 5
    value = value_of(third)
    return (
        banker <= 2
        or (banker == 3 and value != 8)
        or (banker == 4 and 2 <= value <= 7)
        or (banker == 5 and 4 <= value <= 7)
        or (banker == 6 and 6 <= value <= 7)
    )


def winner_of(cards: list[str]) -> str:
    player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], cards[4:]
    if score_of(player) < 8 and score_of(banker) < 8:
        third = None
        if score_of(player) <= 5:
            third = rest.pop(0)
            player.append(third)
        if banker_takes(score_of(banker), third):
            banker.append(rest.pop(0))
    if score_of(player) == score_of(banker):
        return "tie"
    return "player" if score_of(player) > score_of(banker) else "banker"


def float_coup(server_seed: str, client_seed: str, nonce: int) -> str:
    """Six cards from one HMAC, a float each, with replacement."""
    floats = generate_floats(server_seed, client_seed, nonce, 0, 6)
    return winner_of([CARDS[int(value * 52)] for value in floats])


def float_coup_by_card(server_seed: str, client_seed: str, nonce: int) -> str:
    """Six cards from an HMAC and a float each, with replacement."""
    floats = [generate_floats(server_seed, client_seed, nonce, 32 * k, 1)[0] for k in range(6)]
    return winner_of([CARDS[int(value * 52)] for value in floats])


def shuffled_coup(server_seed: str, client_seed: str, nonce: int) -> str:
    """A shoe of 416 cards, shuffled whole with an HMAC, and a float of it, for each card."""
    shoe = CARDS * 8
    for k in range(len(shoe) - 1, 0, -1):
        (value,) = generate_floats(server_seed, client_seed, nonce, 32 * k, 1)
        j = int(value * (k + 1))
        shoe[k], shoe[j] = shoe[j], shoe[k]
    return winner_of(shoe[:6])


def measure(seeds: Seeds, records: bytearray) -> dict[str, float]:
    """One run: nanoseconds by name."""
    from provably_fair_baccarat import _kernel  # noqa: PLC0415 (the yardstick is nobody else's business)

    paths = kernel.kernel_info().paths
    nonces = range(FIRST, FIRST + COUPS)
    few = range(FIRST, FIRST + COUPS // 8)
    key = KEY.hex()
    python = range(FIRST, FIRST + 2000)
    source = kernel.coup_source(seeds.server_seed, "pfb1:8", seeds.client_seed, 8)

    def times(name: str, work: Callable[[], object], count: int) -> tuple[str, float]:
        return name, time_of(work, count)

    result = dict(
        [
            times("yardstick", lambda: _kernel.yardstick(COUPS), COUPS),
            times("counting", lambda: kernel.count(seeds, nonces, path="shani"), COUPS),
            times("two threads", lambda: kernel.count(seeds, nonces, path="shani", threads=2), COUPS),
            times("writing", lambda: kernel.derive(seeds, nonces, path="shani", out=records), COUPS),
            times("yardstick again", lambda: _kernel.yardstick(COUPS), COUPS),
            times("portable", lambda: kernel.count(seeds, few, path="portable"), len(few)),
            times("one at a time", lambda: deque(map(source, few), 0), len(few)),
            times("play_round", lambda: deque((play_round(seeds, nonce) for nonce in python), 0), len(python)),
            times("python", lambda: kernel.count(seeds, python, path="python"), len(python)),
            times("floats script", lambda: [float_coup(key, CLIENT_SEED, nonce) for nonce in python], len(python)),
            times("floats script, HMAC a card", lambda: [float_coup_by_card(key, CLIENT_SEED, nonce) for nonce in python], len(python)),
            times("shuffle script", lambda: [shuffled_coup(key, CLIENT_SEED, nonce) for nonce in python[:20]], 20),
        ]
    )
    result["words"] = time_of(lambda: deque(stream("words", KEY, rounds=COUPS), 0), COUPS)
    if "avx2" in paths:
        result["avx2"] = time_of(lambda: kernel.count(seeds, nonces, path="avx2"), COUPS)
    result["yardstick"] = (result["yardstick"] + result.pop("yardstick again")) / 2
    return result


def make_tables(folder: Path) -> None:
    """Write rounds to audit: as `pfb generate` writes them (LZ4), and as pyarrow does unless told (Snappy, every column as a dictionary)."""
    import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)

    from provably_fair_baccarat.audit.specimens import Plan, honest_batches, write_specimen  # noqa: PLC0415 (an extra)

    for name, rounds in (("rounds", ROUNDS), ("many", MANY)):
        write_specimen(honest_batches(Plan(rounds, KEY, pairs=rounds // 100)), folder / f"{name}.parquet")
    pq.write_table(pq.read_table(folder / "rounds.parquet"), folder / "plain.parquet", row_group_size=1 << 17)


def measure_tables(folder: Path) -> dict[str, float]:
    """One run over tables: nanoseconds for each round by name."""
    from provably_fair_baccarat.audit import audit  # noqa: PLC0415 (an extra)
    from provably_fair_baccarat.audit.specimens import Plan, honest_batches  # noqa: PLC0415 (an extra)

    plan = Plan(ROUNDS, KEY, pairs=ROUNDS // 100)

    def audited(name: str, rounds: int, workers: int) -> float:
        return time_of(lambda: audit(folder / f"{name}.parquet", workers=workers), rounds)

    return {
        "making rounds": time_of(lambda: deque(honest_batches(plan), 0), ROUNDS),
        "audit, two threads": audited("rounds", ROUNDS, 2),
        "audit, one thread": audited("rounds", ROUNDS, 1),
        "audit of 4 M, two threads": audited("many", MANY, 2),
        "audit of 4 M, one thread": audited("many", MANY, 1),
        "audit of pyarrow's file, two threads": audited("plain", ROUNDS, 2),
    }


TARGETS: tuple[tuple[str, str, str, str, float], ...] = (
    ("counting", "counting", "yardstick", "<=", 1.35),
    ("writing records", "writing", "yardstick", "<=", 1.7),
    ("two threads against one", "counting", "two threads", ">=", 1.85),
    ("forced AVX2", "avx2", "yardstick", "<=", 3),
    ("forced portable", "portable", "yardstick", "<=", 14),
    ("floats script against counting", "floats script", "counting", ">=", 500),
    ("the same, with an HMAC a card", "floats script, HMAC a card", "counting", ">=", 500),
    ("shuffle script against counting", "shuffle script", "counting", ">=", 20_000),
    ("writing the words of a coup", "words", "yardstick", "<=", 10),
    ("making a round with its bets", "making rounds", "yardstick", "<=", 26),
    ("audit of a round, two threads", "audit, two threads", "yardstick", "<=", 8.7),
    ("audit on two threads against one", "audit, one thread", "audit, two threads", ">=", 1.6),
    ("audit of a round of 4 M", "audit of 4 M, two threads", "yardstick", "<=", 8.7),
    ("the same on two threads against one", "audit of 4 M, one thread", "audit of 4 M, two threads", ">=", 1.6),
)


RATES = (
    ("counting", 1, "M coups"),
    ("words", 32, "MB"),
    ("making rounds", 1, "M rounds"),
    ("audit, one thread", 1, "M rounds"),
    ("audit, two threads", 1, "M rounds"),
    ("audit of 4 M, one thread", 1, "M rounds"),
    ("audit of 4 M, two threads", 1, "M rounds"),
    ("audit of pyarrow's file, two threads", 1, "M rounds"),
)


def main() -> int:
    """Print nanoseconds and ratios; 1 where a target is missed and `--check` was given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a target is missed")
    arguments = parser.parse_args()
    info = kernel.kernel_info()
    print(f"paths: {', '.join(info.paths)}")
    if "shani" not in info.paths:
        print(f"the yardstick needs the path shani: {info.reason or 'this processor has no SHA instructions'}")
        return 1
    seeds = Seeds.commit(ServerSeed(KEY), ClientSeed(CLIENT_SEED))
    records = bytearray(kernel.RECORD.size * COUPS)
    measure(seeds, records)
    with tempfile.TemporaryDirectory() as folder:
        has_tables = find_spec("pyarrow") is not None
        if has_tables:
            make_tables(Path(folder))
        runs = [{**measure(seeds, records), **(measure_tables(Path(folder)) if has_tables else {})} for _ in range(arguments.runs)]
    print(f"\n{'a coup (or an HMAC)':38}{'ns':>12}")
    for name in runs[0]:
        print(f"{name:38}{median(run[name] for run in runs):12,.1f}")
    print(f"\n{'a second':38}{'median':>12}")
    for name, of_one, unit in RATES:
        if name in runs[0]:
            print(f"{name:38}{1e3 * of_one / median(run[name] for run in runs):12,.1f} {unit}")
    print(f"\n{'ratio':36}{'median':>12}{'target':>14}")
    missed = False
    for title, upper, lower, relation, target in TARGETS:
        if upper not in runs[0]:
            continue
        ratio = median(run[upper] / run[lower] for run in runs)
        holds = ratio <= target if relation == "<=" else ratio >= target
        missed |= not holds
        print(f"{title:36}{ratio:12,.2f}{relation:>6}{target:8,}{'' if holds else '   missed'}")
    return int(missed and arguments.check)


if __name__ == "__main__":
    raise SystemExit(main())
