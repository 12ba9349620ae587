"""One round at a time from Python: microseconds, and ratios to two yardsticks that are measured in the same run.

The first yardstick is the fastest HMAC-SHA-256 of the same message that the standard library can do: inner and outer hash objects that
are prepared once and copied for each message. The second is the way most sites publish: one `hmac.new(...).hexdigest()` for each card of
a full 416-card list that is shuffled with floats.

    python benchmarks/online.py
"""

from __future__ import annotations

import hashlib
import hmac
import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from provably_fair_baccarat import RoundRecord, Seeds, kernel_info, play_round, settle, verify_round
from provably_fair_baccarat.fairness.schemes.pfb1 import FASTER_SOURCES

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 15
ROUNDS = 2_000
SERVER_SEED, CLIENT_SEED = "0b" * 32, "0123456789abcdef"

seeds = Seeds.commit(SERVER_SEED, CLIENT_SEED)
faster = dict(FASTER_SOURCES)
FASTER_SOURCES.clear()
plain_seeds = Seeds.commit(SERVER_SEED, CLIENT_SEED)  # from the reference in Python, whatever else is installed
FASTER_SOURCES.update(faster)
key = bytes.fromhex(SERVER_SEED).ljust(64, b"\0")
inner = hashlib.sha256(bytes(octet ^ 0x36 for octet in key))
outer = hashlib.sha256(bytes(octet ^ 0x5C for octet in key))


def fastest_hmac(nonce: int) -> bytes:
    first = inner.copy()
    first.update(b"pfb1:8:0123456789abcdef:%d:0" % nonce)
    second = outer.copy()
    second.update(first.digest())
    return second.digest()


def full_shuffle(nonce: int) -> list[int]:
    cards = list(range(416))
    for i in range(415, 0, -1):
        digest = hmac.new(SERVER_SEED.encode(), f"{CLIENT_SEED}:{nonce}:{i}".encode(), hashlib.sha256).hexdigest()
        j = int(int(digest[:8], 16) / 2**32 * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards[:6]


records = []
for number in range(ROUNDS):
    played = play_round(seeds, number)
    records.append(RoundRecord.from_round(played, settle(played.coup, {"player": 100}), server_seed=seeds.server_seed))

CONTESTANTS: dict[str, tuple[Callable[[int], object], int]] = {
    "HMAC, standard library at its best": (fastest_hmac, ROUNDS),
    "play_round, plain Python": (lambda nonce: play_round(plain_seeds, nonce), ROUNDS),
    "play_round + settle, plain Python": (lambda nonce: settle(play_round(plain_seeds, nonce).coup, {"player": 100}), ROUNDS),
    "play_round": (lambda nonce: play_round(seeds, nonce), ROUNDS),
    "play_round + settle, one bet": (lambda nonce: settle(play_round(seeds, nonce).coup, {"player": 100}), ROUNDS),
    "play_round + settle, three bets": (
        lambda nonce: settle(play_round(seeds, nonce).coup, {"player": 100, "banker": 20, "tie": 5}),
        ROUNDS,
    ),
    "verify_round without a record": (lambda nonce: verify_round(seeds, nonce), ROUNDS),
    "verify_round with its record": (lambda nonce: verify_round(seeds, nonce, record=records[nonce]), ROUNDS // 4),
    "full shuffle, an HMAC a card": (full_shuffle, 10),
}


def microseconds(call: Callable[[int], object], rounds: int) -> float:
    start = time.perf_counter()
    for nonce in range(rounds):
        call(nonce)
    return (time.perf_counter() - start) / rounds * 1e6


def import_milliseconds(statement: str) -> float:
    code = f"import time; start = time.perf_counter()\n{statement}\nprint((time.perf_counter() - start) * 1e3)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def main() -> None:
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, {kernel_info().path} kernel; medians of {REPEATS} runs in turn\n")
    runs: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for _ in range(REPEATS):
        for name, (call, rounds) in CONTESTANTS.items():
            runs[name].append(microseconds(call, rounds))
    yardstick, *_, shuffle = runs
    print(f"{'':36}{'microseconds':>14}{'x HMAC':>10}{'faster than':>14}")
    print(f"{'':60}{'the shuffle':>14}")
    for name, times in runs.items():
        to_hmac = statistics.median(time / base for time, base in zip(times, runs[yardstick], strict=True))
        to_shuffle = statistics.median(base / time for time, base in zip(times, runs[shuffle], strict=True))
        print(f"{name:36}{statistics.median(times):14.2f}{to_hmac:10.2f}{to_shuffle:13.0f}x")
    model = "import pydantic\nclass Model(pydantic.BaseModel):\n    x: int"
    base, whole = [], []
    for _ in range(7):
        base.append(import_milliseconds(model))
        whole.append(import_milliseconds(f"{model}\nimport provably_fair_baccarat"))
    added = statistics.median(with_us - without for with_us, without in zip(whole, base, strict=True))
    print(f"\nimport pydantic and define a model: {statistics.median(base):.0f} ms; importing this package adds {added:.0f} ms")


if __name__ == "__main__":
    main()
