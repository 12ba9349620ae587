"""The router over PostgreSQL: the tutorial's evening, and two backends of one house that never deal a bet twice."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from ..house.postgres_engine import PostgresEngine
from .conftest import make_house

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorials" / "fastapi-backend.md"
THEIRS = "postgresql://backend@db.example/house"


@pytest.fixture
def engine():
    for module in ("fastapi", "uvicorn", "httpx"):
        pytest.importorskip(module, reason=f"the router's tests need {module}")
    engine = PostgresEngine()
    engine.open().close()
    yield engine
    engine.close()


def test_the_tutorial_s_evening_is_the_same_on_postgresql(engine):
    blocks = re.findall(r"^```python\n(.*?)^```$", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert THEIRS in blocks[-2]
    names, printed = {"__name__": "__main__"}, StringIO()
    with redirect_stdout(printed):
        for block in blocks:
            exec(compile(block.replace(THEIRS, engine.url), str(TUTORIAL), "exec"), names)
    lines = printed.getvalue().splitlines()
    assert len(lines) == 12
    assert lines[:6] == lines[6:]


def test_two_backends_of_one_house(start, tmp_path, engine):
    one, other = (make_house(tmp_path, store=engine.open(connections=8)) for _ in range(2))
    one.deposit("ann", 1_000_000, "deposit")
    backends = [start(one)("ann"), start(other)("ann")]
    pair = backends[0].open()

    def play(number):
        """Every key is asked of both backends."""
        return [backend.play(pair, {"player": "500"}, f"{number}") for backend in backends[:: 1 if number % 2 else -1]]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(play, range(24)))
    for pairwise in answers:
        assert {answer.status_code for answer in pairwise} == {201}
        assert len({answer.content for answer in pairwise}) == 1
    assert sorted(first.json()["nonce"] for first, _ in answers) == list(range(24))
    net = sum(int(first.json()["totals"]["net"]) for first, _ in answers)
    assert backends[1].get("/balance").json()["balance"] == str(1_000_000 + net)
    assert [kept["nonce"] for kept in backends[1].get(f"/pairs/{pair}/rounds").json()["rounds"]] == list(range(24))
    one.rotate(pair)
    assert other.verify_history(pair).rounds == 24
