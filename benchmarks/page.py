"""How fast the bettor's page verifies records in Chromium, beside `verify_record` in Python.

    python benchmarks/page.py [ROUNDS]

Needs Chromium and the extra `test-all`. Prints the median of five runs: from the moment a file of records is chosen to the verdict.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from provably_fair_baccarat import RoundRecord, Seeds, play_round, settle, verify_record
from provably_fair_baccarat.web import page

RUNS = 5
SEEDS = Seeds.commit(bytes(range(32)).hex(), "lucky 8s")


def records(rounds):
    for nonce in range(rounds):
        played = play_round(SEEDS, nonce)
        yield RoundRecord.from_round(played, settle(played.coup, {"banker": 500, "tie": 50}), server_seed=SEEDS.server_seed)


def in_python(lines):
    began = time.perf_counter()
    for line in lines:
        verify_record(RoundRecord.parse_json(line))
    return time.perf_counter() - began


def in_chromium(visited, path):
    visited.click("#clear")
    began = time.perf_counter()
    visited.set_input_files("#file", path)
    visited.wait_for_selector(".verdict[data-verdict=proved]", timeout=120_000)
    return time.perf_counter() - began


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    lines = [record.to_json() for record in records(rounds)]
    file = Path(page.__file__).with_name(page.PAGE_NAME)
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "rounds.jsonl")
        path.write_bytes(b"\n".join(lines))
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        visited = started.new_page()
        visited.goto(file.as_uri())
        visited.wait_for_selector("#selftest[data-state=passed]")
        shown = statistics.median(in_chromium(visited, path) for _ in range(RUNS))
        started.close()
    python = statistics.median(in_python(lines) for _ in range(3))
    print(f"{rounds:,} records, {sum(map(len, lines)) / 2**20:.1f} MiB, the page of {file.stat().st_size / 1024:.1f} KiB")
    print(f"page in Chromium  {shown:6.2f} s  {rounds / shown:9,.0f} a second")
    print(f"Python            {python:6.2f} s  {rounds / python:9,.0f} a second, {python / shown:.1f} times as long as the page")


if __name__ == "__main__":
    main()
