"""The House for asyncio has the same methods, and keeps the loop free."""

from __future__ import annotations

import asyncio
import inspect
import threading

import pytest

from provably_fair_baccarat.errors import FundsError, StoreError
from provably_fair_baccarat.house import AsyncHouse, BetRequest, House
from provably_fair_baccarat.receipts import KeySet, new_key_file


def test_the_surface_is_the_same():
    for name, method in inspect.getmembers(House, inspect.isfunction):
        if not name.startswith("_"):
            twin = getattr(AsyncHouse, name)
            assert list(inspect.signature(twin).parameters) == list(inspect.signature(method).parameters)
            assert inspect.iscoroutinefunction(twin) or inspect.isasyncgenfunction(twin)
            assert f"As `House.{name}`" in twin.__doc__ or name == "close"


def test_a_life_awaited(open_house):
    async def life():
        async with AsyncHouse(open_house(), threads=8) as house:
            await house.deposit("ann", 10_000, "deposit")
            pair = await house.choose_client_seed(await house.commit("ann"), "lucky")
            records = await asyncio.gather(*(house.play(pair, {"player": 5}, f"{number}") for number in range(40)))
            assert sorted(record.nonce for record in records) == list(range(40))
            assert await house.deal(await house.accept(pair, {"player": 5}, "a")) == (await house.recall("ann", 1))[0].record
            (many,) = await house.play_many([BetRequest(pair, {"tie": 5}, "b")])
            with pytest.raises(FundsError):
                await house.withdraw("ann", 10**6, "w")
            assert [line async for line in house.export(pair=pair)][-1] == many.to_json() + b"\n"
            await house.close_pair(pair)
            rotation = await house.rotate(pair)
            assert (await house.pair(pair)) == rotation.revealed
            assert len(await house.pairs("ann")) == 2
            assert (await house.verify_history(pair)).rounds == 42
            assert len((await house.history(pair=pair)).rounds) == 42
            (sheet,) = await house.verify_books()
            assert sheet.bettors == await house.balance("ann")
            assert (await house.events(pair))[0].kind == "committed"
            assert (await house.reseal("k1"), (await house.recover()).pending) == (0, await house.pending())

    asyncio.run(life())


def test_what_was_asked_for_is_finished_before_the_house_is_closed(house, pair):
    has_begun, may_end = threading.Event(), threading.Event()

    def requests():
        has_begun.set()
        may_end.wait()
        yield BetRequest(pair, {"player": 5}, "key")

    async def close_in_between():
        awaited = AsyncHouse(house, threads=2)
        playing = asyncio.create_task(awaited.play_many(requests()))
        await asyncio.to_thread(has_begun.wait)
        closing = asyncio.create_task(awaited.close())
        await asyncio.sleep(0.05)  # for a House to be closed too early
        may_end.set()
        (record,) = await playing
        await closing
        await awaited.close()
        with pytest.raises(StoreError, match="closed"):
            await awaited.balance("ann")
        return record.nonce

    assert asyncio.run(close_in_between()) == 0


def test_the_loop_waits_for_no_disk(house, pair, monkeypatch, tmp_path):
    """Not even where the lines of a file begin."""
    keys = KeySet([new_key_file(tmp_path / "signing.keys", pair.committed_at).public])
    readers, read = set(), house._store._read

    def note(work):
        readers.add(threading.current_thread())
        return read(work)

    monkeypatch.setattr(house._store, "_read", note)

    async def read_all():
        awaited = AsyncHouse(house)
        lines = [line async for line in awaited.export(pair=pair)] + [line async for line in awaited.prove("ann", keys=keys)]
        await awaited.close()
        return lines

    asyncio.run(read_all())
    assert readers
    assert threading.main_thread() not in readers
