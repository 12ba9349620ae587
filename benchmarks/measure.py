"""Writes docs/measured.md: runs every benchmark, one after another, and keeps what each prints, with the command and the machine.

    python benchmarks/measure.py            all of them, which takes a while; nothing else should run
    python benchmarks/measure.py odds       only these; the others keep what they printed last

A benchmark whose parts are absent here is left as it was, and the script says so and ends with exit code 1.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from provably_fair_baccarat import kernel_info

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "measured.md"

OPENING = """\
# Measured

What the package does on one machine, as its own benchmarks print it. `python benchmarks/measure.py` writes this page; each section names the
command that measures its figures again. Times are medians. A ratio is taken against a yardstick that ran in the same minute, and says more
than a time: machines differ, ratios hardly.
"""

BENCHMARKS = {
    "online": "One round at a time",
    "bulk": "Many coups at once",
    "month": "A hundred million rounds in any order",
    "odds": "Exact odds",
    "chains": "Seed chains",
    "house": "A House on SQLite",
    "house_postgres": "A House on PostgreSQL",
    "proof": "Signed statements and the log",
    "page": "The page in a browser",
    "web": "The router over HTTP",
}


def machine() -> str:
    """What it was measured on."""
    names = re.findall(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text(encoding="ascii")) if sys.platform == "linux" else []
    processor = names[0] if names else platform.processor()
    return f"{processor}, {os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}, kernel path {kernel_info().path}"


def measure(name: str) -> str:
    """A section of the page, from a fresh run."""
    command = f"python benchmarks/{name}.py"
    done = subprocess.run([sys.executable, f"benchmarks/{name}.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
    printed = "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())
    today = datetime.now(UTC).date()
    return f"## {BENCHMARKS[name]}\n\n`{command}`, on {today}: {machine()}.\n\n```text\n{printed}\n```\n"


def kept() -> dict[str, str]:
    """The sections that the page has, by their heading."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {part.splitlines()[0][3:]: part for part in re.split(r"^(?=## )", text, flags=re.MULTILINE) if part.startswith("## ")}


def main(names: list[str]) -> int:
    sections, failed = kept(), 0
    for name in names or BENCHMARKS:
        print(f"{name} ...", flush=True)
        try:
            sections[BENCHMARKS[name]] = measure(name)
        except RuntimeError as error:
            print(error)
            failed = 1
    ordered = [sections[title].strip() + "\n" for title in BENCHMARKS.values() if title in sections]
    PAGE.write_text("\n".join([OPENING, *ordered]), encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
