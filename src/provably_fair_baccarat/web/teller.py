"""The teller: asks the House for one bettor at a time, in threads, so that no event loop waits for a disk.

It knows whose a pair is, and speaks of nobody else's: a pair of another bettor's is refused in the same words as one that isn't there.
Bets that come at the same time are asked for at the same time, so that they share the database's COMMIT.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from ..errors import KeyInFlightError, NotFoundError, OwnBetError, PairError, describe
from ..house import BetRequest, House, PairState
from .croupier import Croupier

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from datetime import datetime

    from ..house import Acceptance, HistoryPage, RecalledRound, SeedPair
    from ..records import RoundRecord

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")

MAX_OWNERS: Final = 65_536
"""How many pairs' bettors are remembered; they never change."""

_LOG: Final = logging.getLogger("provably_fair_baccarat.web")


class Teller:
    """Asks a House in `threads` threads. `house` is a House, or a function that gives the one that is open."""

    def __init__(self, house: House | Callable[[], House], threads: int) -> None:
        self._house = house
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="house-web")
        self._croupier = Croupier(lambda requests: self.ask(self.house.play_many, requests))
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._in_flight: set[tuple[str, str]] = set()
        self._gate = threading.Lock()

    @property
    def house(self) -> House:
        """The House that is open now."""
        return self._house if isinstance(self._house, House) else self._house()

    async def ask(self, question: Callable[_Given, _Answer], /, *given: _Given.args, **named: _Given.kwargs) -> _Answer:
        """Ask in a thread, and wait for the answer without holding up anybody else."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(question, *given, **named))

    async def pair(self, bettor: str, pair_id: str) -> SeedPair:
        """A pair of this bettor's. Raises PairError for any other."""
        return await self.ask(self._own, bettor, pair_id)

    async def open_pair(self, bettor: str) -> tuple[SeedPair, bool]:
        """The pair that waits for the bettor's client seed under the present offer, or a new one; and whether it is new."""
        return await self.ask(self._open, bettor)

    async def choose(self, bettor: str, pair_id: str, client_seed: str | None) -> SeedPair:
        """Fix the client seed; choosing the same one again changes nothing. Raises PairStateError for another one."""
        return await self.ask(self._choose, bettor, pair_id, client_seed)

    async def play(self, bettor: str, pair_id: str, bets: Mapping[str, int], key: str, nonce: int | None) -> RoundRecord:
        """Take a bet, deal it and settle it. Raises KeyInFlightError while the key's first request isn't answered, and like `House.play`."""
        with self._once(bettor, key):
            await self._require_own(bettor, pair_id)
            if self.house.has_wallet:  # which may take its time, so that nobody else's bet waits with this one
                return await self.ask(self.house.play, pair_id, bets, key, nonce=nonce)
            return await self._croupier.play(BetRequest(pair_id, bets, key, nonce))

    async def accept(self, bettor: str, pair_id: str, bets: Mapping[str, int], key: str, nonce: int | None) -> Acceptance:
        """Take a bet and deal nothing yet. Raises as `play` does."""
        with self._once(bettor, key):
            await self._require_own(bettor, pair_id)
            return await self.ask(self.house.accept, pair_id, bets, key, nonce=nonce)

    async def deal(self, bettor: str, pair_id: str, nonce: int) -> RoundRecord:
        """Deal what was accepted at this nonce. Raises NotFoundError where nothing was."""
        return await self.ask(self.house.deal, (await self.round(bettor, pair_id, nonce)).acceptance)

    async def round(self, bettor: str, pair_id: str, nonce: int) -> RecalledRound:
        """The round of this nonce. Raises NotFoundError where no bet has spent it."""
        await self._require_own(bettor, pair_id)
        kept = await self.ask(self.house.round_at, pair_id, nonce)
        if kept is None:
            raise NotFoundError("round", "a nonce that an accepted bet has spent", f"{nonce}")
        return kept

    async def history(
        self,
        *,
        bettor: str | None = None,
        pair: SeedPair | str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        after: int | None = None,
        limit: int,
        is_latest_first: bool = False,
    ) -> HistoryPage:
        """A page of rounds, as `House.history` reads it. One with a bet that is not known any more is told without its record, and logged."""
        page = await self.ask(
            self.house.history,
            bettor=bettor,
            pair=pair,
            since=since,
            until=until,
            after=after,
            limit=limit,
            is_latest_first=is_latest_first,
            may_lack_records=True,
        )
        lacking = [kept.acceptance for kept in page.rounds if kept.record is None and kept.cards is not None]
        if lacking:
            text = "%s: rounds told without their records: %d, like nonce %d of pair %s. Pass the bets of its pay table in `own_bets`."
            _LOG.error(text, OwnBetError.code, len(lacking), lacking[0].nonce, lacking[0].pair)
        return page

    async def opening(self, pair: SeedPair) -> str | None:
        """The signed opening of a pair, None where it is not signed."""
        return next(iter(await self.ask(self.house.statements, pair.id)), None)

    async def latest_said(self, pair_id: str, nonce: int) -> str | None:
        """What was signed last about a round: its receipt, or its acceptance until it is dealt; None where nothing is signed."""
        return next(reversed(await self.ask(self.house.statements, pair_id, nonce)), None)

    async def _require_own(self, bettor: str, pair_id: str) -> None:
        owner = self._owners.get(pair_id)
        if owner is None:
            await self.ask(self._own, bettor, pair_id)
        elif owner != bettor:
            raise _not_there(pair_id)

    # In a thread

    def _own(self, bettor: str, pair_id: str) -> SeedPair:
        try:
            pair = self.house.pair(pair_id)
        except PairError:
            pair = None
        if pair is None or pair.bettor != bettor:
            raise _not_there(pair_id)
        self._remember(pair_id, bettor)
        return pair

    def _remember(self, pair_id: str, bettor: str) -> None:
        with self._gate:
            self._owners[pair_id] = bettor
            while len(self._owners) > MAX_OWNERS:
                self._owners.popitem(last=False)

    def _open(self, bettor: str) -> tuple[SeedPair, bool]:
        house = self.house
        offer = (house.pay_table.digest, house.decks, house.cap, house.chain_length)
        for pair in reversed(house.pairs(bettor)):
            length = None if pair.chain is None else pair.chain.length
            if pair.state is PairState.COMMITTED and (pair.pay_table.digest, pair.decks, pair.cap, length) == offer:
                return pair, False
        return house.commit(bettor), True

    def _choose(self, bettor: str, pair_id: str, client_seed: str | None) -> SeedPair:
        pair = self._own(bettor, pair_id)
        if pair.client_seed is not None:
            is_same = pair.client_seed_made_by == "operator" if client_seed is None else pair.client_seed.text == client_seed
            if is_same:
                return pair
        return self.house.choose_client_seed(pair, client_seed)

    @contextmanager
    def _once(self, bettor: str, key: str) -> Generator[None, None, None]:
        request = (bettor, key)
        with self._gate:
            if request in self._in_flight:
                raise KeyInFlightError(f"key {describe(key)}", "one whose first request is answered", "one that is being worked on")
            self._in_flight.add(request)
        try:
            yield
        finally:
            with self._gate:
                self._in_flight.discard(request)


def _not_there(pair_id: str) -> PairError:
    return PairError("seed pair", "one of the bettor's own", describe(pair_id))
