"""The front door: a change of the public API is always a line here."""

from __future__ import annotations

import subprocess
import sys

import provably_fair_baccarat as package

FRONT_DOOR = """
    ALL_BETS DRAGON_BONUS DRAGON_BONUS_PAIRED EZ_BACCARAT PAY_TABLES PUNTO_BANCO STANDARD_SIDE_BETS SUPER_SIX
    BaccaratError Bet Card Chain Check ClientSeed Commitment Coup Grade Guarantee Hand KernelInfo Outcome PayTable PayTableError Rank RevealedChain Round RoundRecord
    SeedChain Seeds ServerSeed SettledBet Settlement ShoeSession Slip Suit VerificationError VerifiedRound
    __version__ commit deal_coup diagnose errors kernel_info play_round play_shoe settle stake_step verify_record verify_round
""".split()

HEAVY = [
    "rich",
    "typer",
    "hypothesis",
    "sqlite3",
    "psycopg",
    "http",
    "urllib.request",
    "pyarrow",
    "numpy",
    "matplotlib",
    "fastapi",
    "asyncio",
]


def test_the_front_door_is_this_list():
    assert package.__all__ == FRONT_DOOR
    assert [name for name in FRONT_DOOR if not hasattr(package, name)] == []


def test_importing_the_package_loads_nothing_heavy_of_its_own():
    """What pydantic itself loads when it is imported and a model is defined does not count."""
    before = "import pydantic, sys\nclass Model(pydantic.BaseModel):\n    x: int\nbefore = set(sys.modules)\n"
    code = f"{before}import provably_fair_baccarat\nprint([name for name in {HEAVY!r} if name in set(sys.modules) - before])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
