"""Seed chains: what a chain of a million links costs to set up, to deal from and to verify.

Ratios are taken in one run against the bare hashes themselves.

    python benchmarks/chains.py
"""

from __future__ import annotations

import statistics
import time
from hashlib import sha256
from typing import TYPE_CHECKING

from provably_fair_baccarat import RevealedChain, RoundRecord, SeedChain, Seeds, ServerSeed, play_round, settle, verify_record, verify_round
from provably_fair_baccarat.fairness.chain import Link

if TYPE_CHECKING:
    from collections.abc import Callable

LENGTH = 1_000_000
COUPS = 10_000
REPEATS = 5


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def bare_hashes(count: int) -> None:
    digest = bytes(32)
    for _ in range(count):
        digest = sha256(digest).digest()


def main() -> None:
    last = ServerSeed(bytes(32))
    bare, ours = [], []
    for _ in range(REPEATS):
        bare.append(seconds(lambda: bare_hashes(LENGTH)))
        ours.append(seconds(lambda: SeedChain(last, LENGTH)))
    ratio = statistics.median(mine / theirs for mine, theirs in zip(ours, bare, strict=True))
    print(f"medians of {REPEATS} runs")
    print(f"set up {LENGTH:,} links: {statistics.median(ours):.3f} s, {ratio:.2f} x the bare hashes")

    chain = SeedChain(last, LENGTH)
    held = len(chain._ladder._marks) + len(chain._ladder._top)  # noqa: SLF001
    worst = []
    for nonce in range(0, LENGTH, 9_973):
        start = time.perf_counter()
        play_round(Seeds(chain.link(nonce), "bettor", chain.commitment, chain=chain.chain), nonce)
        worst.append(time.perf_counter() - start)
    print(f"deal any nonce of it: median {statistics.median(worst) * 1e3:.3f} ms, worst {max(worst) * 1e3:.3f} ms; {held:,} bytes held")

    link = chain.link(COUPS - 1).server_seed
    bare = [seconds(lambda: bare_hashes(COUPS)) for _ in range(REPEATS)]
    ours = [seconds(lambda: Link(chain.chain, COUPS - 1, link)) for _ in range(REPEATS)]
    ratio = statistics.median(mine / theirs for mine, theirs in zip(ours, bare, strict=True))
    print(f"verify the link of nonce {COUPS - 1:,}: {statistics.median(ours) * 1e3:.2f} ms, {ratio:.2f} x its {COUPS:,} hashes")

    whole = SeedChain(last, COUPS)
    records = []
    for nonce in range(COUPS):
        seeds = Seeds(whole.link(nonce), "bettor", whole.commitment, chain=whole.chain)
        played = play_round(seeds, nonce)
        records.append(RoundRecord.from_round(played, settle(played.coup, {"player": 100}), server_seed=seeds.server_seed))

    def one_pass() -> None:
        revealed = RevealedChain(whole.chain, ServerSeed.parse(records[-1].server_seed or ""), COUPS - 1)
        for record in records:
            seeds = Seeds(revealed.link(record.nonce), record.client_seed, record.commitment, chain=whole.chain)
            verify_round(seeds, record.nonce, record=record)

    print(f"verify a revealed chain of {COUPS:,} coups with their records in one pass: {seconds(one_pass):.2f} s")
    print(f"the last of them by itself, from its record alone: {seconds(lambda: verify_record(records[-1])) * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
