"""The croupier: plays the bets that came in at the same time together, many in one transaction and one wait for the disk.

While a few handfuls of bets are being played, those that come in meanwhile make the next one. So nobody waits for others to come, and
under load a COMMIT, a thread's turn and a way through the interpreter's lock are shared. A refusal spoils nobody else's bet.
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

    PlayMany = Callable[[list[BetRequest]], Awaitable[list[RoundRecord | BaccaratError]]]

HANDFUL: Final = 64
"""How many bets are played together at most."""

AT_ONCE: Final = 2
"""How many handfuls are on their way at most: one waits for the disk while the other is made ready."""


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
        if len(tray.hands) < AT_ONCE:
            hand = loop.create_task(self._work(tray))
            tray.hands.add(hand)
            hand.add_done_callback(tray.hands.discard)
        return await answer

    async def _work(self, tray: _Tray) -> None:
        while tray.waiting:
            handful = [tray.waiting.popleft() for _ in range(min(HANDFUL, len(tray.waiting)))]
            try:
                answers: list[RoundRecord | BaccaratError] = await self._play_many([request for request, _ in handful])
            except Exception as fault:  # noqa: BLE001 (whatever it was, nobody may wait for ever)
                for _, answer in handful:
                    _give(answer, fault)
                continue
            for (_, answer), given in zip(handful, answers, strict=True):
                _give(answer, given)


@dataclass(slots=True)
class _Tray:
    """The bets that wait on one event loop, and the tasks that play them."""

    waiting: deque[tuple[BetRequest, asyncio.Future[RoundRecord]]] = field(
        default_factory=deque["tuple[BetRequest, asyncio.Future[RoundRecord]]"]
    )
    hands: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])


def _give(answer: asyncio.Future[RoundRecord], given: RoundRecord | Exception) -> None:
    if answer.done():  # whoever asked has gone; the round is played all the same
        return
    if isinstance(given, Exception):
        answer.set_exception(given)
    else:
        answer.set_result(given)
