"""The House for asyncio: the same methods, each run in a worker thread, so that no event loop waits for a disk.

One House serves both. A call that is cancelled is still finished: ask again with the same key to learn its answer.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from ..errors import StoreError
from .house import MAX_ID, MAX_PAGE
from .process import OpeningProcess
from .wallet import GIVE_UP_AFTER

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping
    from datetime import datetime, timedelta

    from ..errors import BaccaratError
    from ..fairness.seeds import ClientSeed
    from ..receipts import KeySet
    from ..receipts.log import LogWriter, NoteKey, TileLog
    from ..records import RoundRecord
    from .desk import BetRequest
    from .export import ExportForm
    from .history import HistoryPage, RecalledRound
    from .house import House
    from .pairs import Acceptance, Currency, PairPage, Rotation, SeedPair
    from .proving import BalanceSheet, VerifiedHistory
    from .recovery import Pending, Recovery
    from .rows import CashRow, EventRow
    from .telling import StatementPage

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


class AsyncHouse:
    """A House whose methods are awaited; `threads` of them run at once. What is asked of one that is closed raises StoreError."""

    def __init__(self, house: House, *, threads: int = 32) -> None:
        self._house = house
        self._process = OpeningProcess("AsyncHouse")
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="house")
        self._is_open = True

    async def commit(self, bettor: str) -> SeedPair:
        """As `House.commit`."""
        return await self._run(self._house.commit, bettor)

    async def choose_client_seed(self, pair: SeedPair | str, client_seed: ClientSeed | str | None = None) -> SeedPair:
        """As `House.choose_client_seed`."""
        return await self._run(self._house.choose_client_seed, pair, client_seed)

    async def pair(self, pair: SeedPair | str) -> SeedPair:
        """As `House.pair`."""
        return await self._run(self._house.pair, pair)

    async def pairs(self, bettor: str) -> tuple[SeedPair, ...]:
        """As `House.pairs`."""
        return await self._run(self._house.pairs, bettor)

    async def open_pairs(self, *, after: SeedPair | str | None = None, limit: int = 100) -> PairPage:
        """As `House.open_pairs`."""
        return await self._run(self._house.open_pairs, after=after, limit=limit)

    async def close_pair(self, pair: SeedPair | str) -> SeedPair:
        """As `House.close_pair`."""
        return await self._run(self._house.close_pair, pair)

    async def rotate(self, pair: SeedPair | str) -> Rotation:
        """As `House.rotate`."""
        return await self._run(self._house.rotate, pair)

    async def accept(self, pair: SeedPair | str, bets: Mapping[str, int], key: str, *, nonce: int | None = None) -> Acceptance:
        """As `House.accept`."""
        return await self._run(self._house.accept, pair, bets, key, nonce=nonce)

    async def deal(self, acceptance: Acceptance) -> RoundRecord:
        """As `House.deal`."""
        return await self._run(self._house.deal, acceptance)

    async def play(self, pair: SeedPair | str, bets: Mapping[str, int], key: str, *, nonce: int | None = None) -> RoundRecord:
        """As `House.play`."""
        return await self._run(self._house.play, pair, bets, key, nonce=nonce)

    async def play_many(self, requests: Iterable[BetRequest]) -> list[RoundRecord | BaccaratError]:
        """As `House.play_many`."""
        return await self._run(self._house.play_many, requests)

    async def recover(self, *, after: timedelta = GIVE_UP_AFTER) -> Recovery:
        """As `House.recover`."""
        return await self._run(self._house.recover, after=after)

    async def pending(self) -> Pending:
        """As `House.pending`."""
        return await self._run(self._house.pending)

    async def statements(self, pair: SeedPair | str, nonce: int | None = None) -> tuple[str, ...]:
        """As `House.statements`."""
        return await self._run(self._house.statements, pair, nonce)

    async def statement_page(self, pair: SeedPair | str, *, after: int | None = None, limit: int = 100) -> StatementPage:
        """As `House.statement_page`."""
        return await self._run(self._house.statement_page, pair, after=after, limit=limit)

    async def sequence(self, log: LogWriter, limit: int = MAX_ID) -> int:
        """As `House.sequence`."""
        return await self._run(self._house.sequence, log, limit)

    async def prove(
        self, bettor: str, *, log: TileLog | None = None, keys: KeySet | None = None, witnesses: Iterable[NoteKey] = ()
    ) -> AsyncIterator[bytes]:
        """As `House.prove`, for `async for`."""
        lines = await self._run(self._house.prove, bettor, log=log, keys=keys, witnesses=witnesses)
        while (line := await self._run(next, lines, None)) is not None:
            yield line

    async def deposit(self, bettor: str, amount: int, key: str) -> CashRow:
        """As `House.deposit`."""
        return await self._run(self._house.deposit, bettor, amount, key)

    async def withdraw(self, bettor: str, amount: int, key: str) -> CashRow:
        """As `House.withdraw`."""
        return await self._run(self._house.withdraw, bettor, amount, key)

    async def balance(self, bettor: str) -> int:
        """As `House.balance`."""
        return await self._run(self._house.balance, bettor)

    async def currencies(self, bettor: str) -> tuple[Currency | None, ...]:
        """As `House.currencies`."""
        return await self._run(self._house.currencies, bettor)

    async def round_at(self, pair: SeedPair | str, nonce: int) -> RecalledRound | None:
        """As `House.round_at`."""
        return await self._run(self._house.round_at, pair, nonce)

    async def recall(self, bettor: str, n: int = 10) -> tuple[RecalledRound, ...]:
        """As `House.recall`."""
        return await self._run(self._house.recall, bettor, n)

    async def history(
        self,
        *,
        pair: SeedPair | str | None = None,
        bettor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        after: int | None = None,
        limit: int = 100,
        is_latest_first: bool = False,
        may_lack_records: bool = False,
    ) -> HistoryPage:
        """As `House.history`."""
        return await self._run(
            self._house.history,
            pair=pair,
            bettor=bettor,
            since=since,
            until=until,
            after=after,
            limit=limit,
            is_latest_first=is_latest_first,
            may_lack_records=may_lack_records,
        )

    async def events(self, pair: SeedPair | str | None = None, *, after: int = 0, limit: int = MAX_PAGE) -> list[EventRow]:
        """As `House.events`."""
        return await self._run(self._house.events, pair, after=after, limit=limit)

    async def export(
        self, form: ExportForm = "jsonl", *, pair: SeedPair | str | None = None, bettor: str | None = None
    ) -> AsyncIterator[bytes]:
        """As `House.export`, for `async for`."""
        lines = await self._run(self._house.export, form, pair=pair, bettor=bettor)
        while (line := await self._run(next, lines, None)) is not None:
            yield line

    async def verify_history(self, pair: SeedPair | str) -> VerifiedHistory:
        """As `House.verify_history`."""
        return await self._run(self._house.verify_history, pair)

    async def verify_books(self) -> tuple[BalanceSheet, ...]:
        """As `House.verify_books`."""
        return await self._run(self._house.verify_books)

    async def reseal(self, key_id: str, limit: int = MAX_PAGE) -> int:
        """As `House.reseal`."""
        return await self._run(self._house.reseal, key_id, limit)

    async def close(self) -> None:
        """Finish what was asked for, and close the House. Closing again does nothing, and neither does closing in a forked process."""
        if not self._process.is_here:
            return
        self._is_open = False
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._house.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _run(self, method: Callable[_Given, _Answer], /, *given: _Given.args, **named: _Given.kwargs) -> _Answer:
        self._process.require_here()  # the threads stayed behind
        if not self._is_open:
            raise StoreError("AsyncHouse", "an open one", "one that was closed")
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(method, *given, **named))
