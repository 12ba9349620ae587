"""The live feed: a bettor's own rounds and roads as server-sent events, with nothing lost between two connections.

What is sent is read from the house's history, so it doesn't matter which thread, process or machine has played a round; `announce` only
makes it come sooner. An event's id is the last round up to which nothing is missing. Who connects again with that id gets whatever came
after it. A round that is accepted and not dealt yet holds the id back, so what follows it may be told a second time: rounds have ids of
their own.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from fastapi.responses import StreamingResponse

from ..canonical import canonical_json
from ..errors import StreamLimitError
from .answers import PRIVATE
from .telling import roads_json

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from starlette.types import Receive, Scope, Send

    from ..house import RecalledRound
    from .teller import Teller

PAGE: Final = 200
"""How many rounds are read at once, and how far a feed goes ahead of a round that isn't dealt yet."""

ROADS: Final = 300
"""How many of a pair's latest coups the scoreboards show unless told."""

EVENT_STREAM: Final = "text/event-stream"


class Feed:
    """Live feeds of a backend. Times are in seconds.

    `per_bettor` and `in_all` say how many connections there are at most. Each gets a heartbeat after `heartbeat` without news, looks for
    rounds that nobody announced every `poll`, and ends after `lifetime`, so that the backend's log-in is asked again.
    """

    def __init__(
        self, *, per_bettor: int = 4, in_all: int = 2000, heartbeat: float = 15.0, poll: float = 5.0, lifetime: float = 900.0
    ) -> None:
        self._per_bettor = per_bettor
        self._in_all = in_all
        self._heartbeat = heartbeat
        self._poll = poll
        self._lifetime = lifetime
        self._listeners: dict[str, set[_Listener]] = {}
        self._gate = threading.Lock()
        self._is_open = True

    def announce(self, bettor: str) -> None:
        """Say that there is news for a bettor, from whatever thread."""
        if bettor in self._listeners:
            with self._gate:
                for listener in self._listeners.get(bettor, ()):
                    listener.wake()

    def close(self) -> None:
        """End all feeds, from whatever thread: their readers will connect again."""
        with self._gate:
            self._is_open = False
            for listener in (each for listeners in self._listeners.values() for each in listeners):
                listener.wake()

    def follow(self, teller: Teller, bettor: str, after: int | None) -> StreamingResponse:
        """The feed of a bettor from a round's id on, or from now. Raises StreamLimitError."""
        listener = _Listener(asyncio.get_running_loop())
        with self._gate:
            listeners = self._listeners.get(bettor, set[_Listener]())
            if len(listeners) >= self._per_bettor:
                raise StreamLimitError("live feeds of a bettor", f"at most {self._per_bettor} at once", "one more")
            if sum(map(len, self._listeners.values())) >= self._in_all:
                raise StreamLimitError("live feeds", f"at most {self._in_all} at once", "one more")
            self._listeners.setdefault(bettor, listeners).add(listener)
        return _FeedResponse(partial(self._leave, bettor, listener), self._events(teller, bettor, listener, after))

    def _leave(self, bettor: str, listener: _Listener) -> None:
        """Forget a connection that has ended."""
        with self._gate:
            listeners = self._listeners.get(bettor, set[_Listener]())
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(bettor, None)

    async def _events(self, teller: Teller, bettor: str, listener: _Listener, after: int | None) -> AsyncGenerator[bytes, None]:
        reader = _Reader(teller, bettor)
        if after is None:
            await reader.begin_now()
        else:
            reader.complete_to = after
        yield b"retry: 2000\nid: %d\n\n" % reader.complete_to  # an id without data: it is remembered, and nothing is shown
        end, said = monotonic() + self._lifetime, monotonic()
        while self._is_open and (now := monotonic()) < end:
            listener.news.clear()
            async for event in reader.events():
                said = now
                yield event
            if now - said >= self._heartbeat:
                said = now
                yield b": heartbeat\n\n"
            try:
                await asyncio.wait_for(listener.news.wait(), min(self._poll, self._heartbeat))
            except TimeoutError:
                continue


@dataclass(eq=False, slots=True)
class _Listener:
    """One connection, waiting for news on its own event loop."""

    loop: asyncio.AbstractEventLoop
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Say that there is news."""
        try:
            self.loop.call_soon_threadsafe(self.news.set)
        except RuntimeError:  # its loop has ended, and it with it
            return


class _Reader:
    """Reads on from the last round up to which nothing is missing."""

    def __init__(self, teller: Teller, bettor: str) -> None:
        self._teller = teller
        self._bettor = bettor
        self._sent: set[int] = set()
        self.complete_to = 0

    async def begin_now(self) -> None:
        """Begin behind the latest round, but not behind one that is still to be dealt."""
        page = await self._teller.history(bettor=self._bettor, limit=PAGE, is_latest_first=True)
        rounds = page.rounds[::-1]
        self._sent = {kept.id for kept in rounds if kept.cards is not None}
        if rounds:
            self.complete_to = rounds[0].id - 1
            self._go_on(rounds)

    async def events(self) -> AsyncGenerator[bytes, None]:
        """What is new: each round once, and then the roads."""
        latest: RecalledRound | None = None
        while True:
            page = await self._teller.history(bettor=self._bettor, after=self.complete_to or None, limit=PAGE)
            before = self.complete_to
            for kept in page.rounds:
                if kept.cards is not None and kept.id not in self._sent:
                    self._sent.add(kept.id)
                    self._go_on(page.rounds)
                    latest = kept
                    yield b"id: %d\nevent: round\ndata: %b\n\n" % (self.complete_to, canonical_json(kept.to_dict()))
            self._go_on(page.rounds)
            if page.next is None or self.complete_to == before:
                break
        if latest is not None:
            pair = latest.acceptance.pair
            coups = await self._teller.history(pair=pair, limit=ROADS, is_latest_first=True)
            yield b"event: roads\ndata: %b\n\n" % canonical_json(roads_json(pair, coups.rounds))

    def _go_on(self, rounds: tuple[RecalledRound, ...]) -> None:
        """Go on with the id up to the first of these rounds that isn't sent."""
        for kept in rounds:
            if kept.id <= self.complete_to:
                continue
            if kept.id not in self._sent:
                return
            self.complete_to = kept.id
            self._sent.discard(kept.id)


class _FeedResponse(StreamingResponse):
    """A stream that is left when it ends, however it ends, even if it never began."""

    def __init__(self, leave: Callable[[], None], events: AsyncGenerator[bytes, None]) -> None:
        super().__init__(events, headers={**PRIVATE, "X-Accel-Buffering": "no"}, media_type=EVENT_STREAM)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()
