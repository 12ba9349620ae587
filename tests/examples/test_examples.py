"""The examples run as they are, and say what they should."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*words, is_quiet=True):
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, *words], cwd=EXAMPLES, env=environment, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert not is_quiet or done.stderr == b""
    return done.stdout.decode()


def test_every_example_is_run_here():
    names = [
        *("audit_on_spark.py", "fastapi_backend.py"),
        *("house_backend.py", "minimal_backend.py", "operators_own_bet.py", "remote_wallet.py", "ten_rounds.py"),
        "test_tableau_property.py",
    ]
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == names


def test_ten_rounds():
    text = run("ten_rounds.py")
    rounds = re.findall(r"^Round +(\d+): (.*) The purse holds (\d+) chips\.$", text, re.MULTILINE)
    purse = 50
    for number, (told, coup, after) in enumerate(rounds, start=1):
        assert int(told) == number
        stake = min(5, purse)
        purse += stake if "player wins" in coup else -stake if "banker wins" in coup else 0
        assert int(after) == purse
    assert len(rounds) == 10 or purse == 0
    assert text.endswith(f"{len(rounds)} rounds verified.\n")


def test_the_reveal_of_ten_rounds_is_that_of_its_commitment():
    text = run("ten_rounds.py")
    commitment, server_seed = re.findall(r"[0-9a-f]{64}", text)
    assert run("-c", f"import hashlib; print(hashlib.sha256(b'pfb1:8:{server_seed}').hexdigest())").strip() == commitment


def test_minimal_backend():
    text = run("minimal_backend.py")
    first, server_seed, following = re.findall(r"[0-9a-f]{64}", text)
    assert len({first, server_seed, following}) == 3
    assert text.count("Nonce ") == 4
    assert "4 rounds verified." in text


def test_house_backend():
    text = run("house_backend.py")
    first, following = re.findall(r"[0-9a-f]{64}", text)
    assert first != following
    assert text.startswith("Ada has 10000 cents.\n")
    returned = [int(cents) for cents in re.findall(r"^Nonce \d: \w+ wins, (\d+) cents returned\.$", text, re.MULTILINE)]
    assert len(returned) == 3
    assert f"played once: Ada has {10_000 - 1_850 + sum(returned)} cents." in text
    assert "spends nothing (house.limit)" in text
    assert "all 3 rounds and the money" in text


def test_operators_own_bet():
    text = run("operators_own_bet.py")
    assert "Flush comes in 74,746,547,695,872 of 4,998,398,275,503,360 deals." in text
    assert "It pays 62 to one: the house keeps 5.7892%, which is 32602/563155 exactly." in text
    assert "Declare needs='suits'." in text
    cards, returned = re.search(r"After \d+ rounds: (.*), (\d+) cents for 100\.", text).groups()
    assert len({card[1] for card in cards.split()}) == 1
    assert returned == "6300"
    assert text.endswith("nobody pretends to.\n")


def test_remote_wallet():
    text = run("remote_wallet.py", is_quiet=False)  # the house logs a credit that is not done at once
    played, refused, unanswered, lost = map(int, re.match(r"(\d+) bets were played, (\d+) .* money, (\d+) given up; (\d+)", text).groups())
    assert played + refused + unanswered == 40
    assert played >= 5
    assert lost >= 5
    balance, net = re.search(r"Ada's balance is (\d+) cents, which is 2000 ([+-]\d+)\.", text).groups()
    assert int(balance) == 2_000 + int(net)


def test_fastapi_backend():
    for module in ("fastapi", "uvicorn", "httpx"):
        pytest.importorskip(module, reason=f"the backend needs {module}")
    text = run("fastapi_backend.py", "--try")
    first, server_seed, following = re.findall(r"[0-9a-f]{64}", text)
    assert run("-c", f"import hashlib; print(hashlib.sha256(b'pfb1:8:{server_seed}').hexdigest())").strip() == first
    assert following != first
    assert text.count("verified: True") == 2
    returned = [int(cents) for cents in re.findall(r"wins, (\d+) cents returned", text)]
    assert f"Ann has {20_000 - 1_600 + sum(returned)} cents" in text


def test_audit_on_spark():
    for module in ("numpy", "pyarrow", "pyspark"):
        pytest.importorskip(module, reason=f"the audit on Spark needs {module}")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    text = run("audit_on_spark.py", is_quiet=False)  # Java has something to say
    assert re.match(r"19,999 rounds, [0-9,]+ bets, 200 seed pairs, 197 of them sound\.\n", text)
    counts = dict(reversed(line.split()) for line in text.splitlines() if re.fullmatch(r" +[0-9]+ [a-z_]+", line))
    assert {code: counts[code] for code in ("cards", "returned", "totals", "nonce_missing")} == dict.fromkeys(
        ("cards", "returned", "totals", "nonce_missing"), "1"
    )
    assert re.search(r"commitment [0-9a-f]{16}\.\.\., nonce [0-9]+: cards: expected .*, found ", text)
    assert text.endswith("This audit failed.\n")


def test_tableau_property():
    text = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(EXAMPLES), "-c", os.devnull, "test_tableau_property.py")
    assert "4 passed" in text
