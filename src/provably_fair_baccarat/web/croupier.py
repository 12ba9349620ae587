"""The croupier: plays the bets that came in at the same time together, many in one transaction and one wait for the disk.

While a handful of bets is being played, those that come in meanwhile make the next one. So nobody waits for others to come, and under
load a COMMIT, a thread's turn and a way through the interpreter's lock are shared. A refusal spoils nobody else's bet, and a handful that
waits for a lock of the database holds the next one up for a moment only.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ..errors import BaccaratError
    from ..house import BetRequest
    from ..records import RoundRecord

    _Bet = tuple[BetRequest, asyncio.Future[RoundRecord]]
    PlayMany = Callable[[list[BetRequest]], Awaitable[list[RoundRecord | BaccaratError]]]

HANDFUL: Final = 64
"""How many bets are played together at most."""

AT_ONCE: Final = 4
"""How many handfuls are on their way at most, where the first ones are held up."""

PATIENCE: Final = 0.1
"""For how many seconds bets wait behind a handful that doesn't come back."""


class Croupier:
    """Plays bets with a function that plays many."""

    def __init__(self, play_many: PlayMany) -> None:
        self._play_many = play_many
        self._trays: WeakKeyDictionary[asyncio.AbstractEventLoop, _Tray] = WeakKeyDictionary()

    async def play(self, request: BetRequest) -> RoundRecord:
        """Play a bet with whatever else is waiting. Raises the refusal of it."""
        loop = asyncio.get_running_loop()
        tray = self._trays.setdefault(loop, _Tray())
        answer: asyncio.Future[RoundRecord] = loop.create_future()
        tray.waiting.append((request, answer))
        if not tray.busy:
            self._begin(tray, loop)
        elif tray.watch is None:
            tray.watch = loop.call_later(PATIENCE, self._look, tray, loop, tray.played)
        return await answer

    def _begin(self, tray: _Tray, loop: asyncio.AbstractEventLoop) -> None:
        tray.busy += 1
        hand = loop.create_task(self._work(tray))
        tray.hands.add(hand)  # a loop keeps no hold of its tasks
        hand.add_done_callback(tray.hands.discard)

    def _look(self, tray: _Tray, loop: asyncio.AbstractEventLoop, played: int) -> None:
        """If nothing was played in the meantime, begin beside what is held up; and look again while there are bets that wait."""
        tray.watch = None
        if tray.waiting:
            if tray.played == played and tray.busy < AT_ONCE:
                self._begin(tray, loop)
            tray.watch = loop.call_later(PATIENCE, self._look, tray, loop, tray.played)

    async def _work(self, tray: _Tray) -> None:
        try:
            while tray.waiting:
                await self._play(tray, [tray.waiting.popleft() for _ in range(min(HANDFUL, len(tray.waiting)))])
        finally:
            tray.busy -= 1  # nothing comes between the last look at what waits and this

    async def _play(self, tray: _Tray, handful: list[_Bet]) -> None:
        try:
            answers: list[RoundRecord | BaccaratError] = await self._play_many([request for request, _ in handful])
        except Exception as fault:  # noqa: BLE001 (whatever it was, nobody may wait for ever)
            for _, answer in handful:
                _give(answer, fault)
            return
        tray.played += 1
        for (_, answer), given in zip(handful, answers, strict=True):
            _give(answer, given)


@dataclass(slots=True)
class _Tray:
    """The bets that wait on one event loop, and the tasks that play them."""

    waiting: deque[_Bet] = field(default_factory=deque["_Bet"])
    hands: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    busy: int = 0
    """How many of them will look at what waits once more."""
    watch: asyncio.TimerHandle | None = None
    played: int = 0
    """How many handfuls came back."""


def _give(answer: asyncio.Future[RoundRecord], given: RoundRecord | Exception) -> None:
    if answer.done():  # whoever asked has gone; the round is played all the same
        return
    if isinstance(given, Exception):
        answer.set_exception(given)
    else:
        answer.set_result(given)
