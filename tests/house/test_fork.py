"""A process that forks must not take an open house along: the child is told so at once, and the parent goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import warnings

import pytest

from provably_fair_baccarat.errors import BaccaratError
from provably_fair_baccarat.house import AsyncHouse, House

from .conftest import make_vault
from .postgres_engine import PostgresEngine

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

REFUSED = "house.store: expected one that was opened in this process, found one that was opened in another process"


def said_in_a_child(call):
    """What becomes of a call in a forked process: it has 20 s."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks where there are threads, as we do here
        child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            said = f"an answer: {call()}"
        except BaccaratError as error:
            said = f"{error.code}: expected {error.expected}, found {error.found}"
        except BaseException as error:  # noqa: BLE001 (no child may go on with the tests)
            said = repr(error)
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        said = told.read()
    os.waitpid(child, 0)
    return said or "nothing"


def test_a_store_of_the_parent_is_refused(house, pair):
    house.play(pair, {"player": 5}, "a")  # so that there are threads, and connections at hand
    for call in (
        lambda: house.play(pair, {"player": 5}, "b").nonce,
        lambda: house.accept(pair, {"player": 5}, "b").nonce,
        lambda: house.balance("ann"),
        lambda: house.commit("ann").id,
        house.verify_books,
    ):
        assert said_in_a_child(call) == REFUSED
    assert said_in_a_child(house.close) == "an answer: None"
    assert house.play(pair, {"player": 5}, "b").nonce == 1


def test_a_house_for_asyncio_is_refused(house, pair):
    awaited = AsyncHouse(house, threads=2)

    async def play(key):
        return (await awaited.play(pair, {"player": 5}, key)).nonce

    assert asyncio.run(play("a")) == 0
    assert said_in_a_child(lambda: asyncio.run(play("b"))) == REFUSED
    assert said_in_a_child(lambda: asyncio.run(awaited.close())) == "an answer: None"
    assert asyncio.run(play("b")) == 1
    awaited._threads.shutdown()


@pytest.fixture
def lender():
    engine = PostgresEngine()
    engine.open()
    yield engine
    engine.close()


def test_a_borrowed_connection_is_refused(lender):
    from provably_fair_baccarat.house import PostgresStore  # its driver is an extra

    with lender.psycopg.connect(lender.url) as connection:
        house = House(PostgresStore.on(connection), make_vault())
        pair = house.commit("ann")
        assert said_in_a_child(lambda: house.pair(pair).id) == REFUSED
        assert said_in_a_child(lambda: house.commit("ann").id) == REFUSED
        assert house.pair(pair) == pair
