"""The desk: from a bettor's request to the order that a store takes.

What a request can't be wrong about in the transaction is read here, before it; what depends on the moment, limits and guards included, is
asked in it. Every refusal of a pair that exists is kept, with its commitment, the nonce that comes next, the bets and the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ..errors import BaccaratError, FundsError, RequestError, WalletError, describe
from ..fairness.inputs import parse_nonce
from .amounts import read_bets, read_name, tell_bets, write_bets
from .arguments import read_pair_id
from .forgotten import require_known
from .funds import with_other_currencies
from .guards import IntendedBet, ask_guards
from .limits import exposure
from .refusals import reason_of
from .store import BetOrder, CoupOrder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from ..records import RoundRecord
    from .clock import Clock
    from .dealing import Dealer, OpenPair
    from .guards import BetGuard
    from .limits import Limits
    from .pairs import SeedPair
    from .rows import RoundRow
    from .store import Past, Store
    from .wallet import RemoteMoney


@dataclass(frozen=True, slots=True)
class BetRequest:
    """One bet to play: stakes in whole smallest currency units by the names of bets, and an idempotency key that is the bettor's own.

    `nonce`, where given, is the one that the caller expects to come next.
    """

    pair: SeedPair | str
    bets: Mapping[str, int]
    key: str
    nonce: int | None = None


class Desk:
    """Takes and settles bets under a house's limits and guards, with the store's money or the wallet's."""

    def __init__(
        self, store: Store, dealer: Dealer, limits: Limits, guards: Sequence[BetGuard], *, remote: RemoteMoney | None, clock: Clock
    ) -> None:
        self._store = store
        self._dealer = dealer
        self._limits = limits
        self._guards = tuple(guards)
        self._remote = remote
        self._clock = clock

    def take(self, opened: OpenPair, request: BetRequest, *, is_dealt: bool) -> RoundRow:
        """Take a bet, and deal it in the same transaction if `is_dealt`; or the round that its key stands for."""
        order = self._order(opened, request, is_dealt=is_dealt)
        if not opened.is_remote:
            try:
                return self._store.take_bet(order)
            except FundsError as refusal:
                raise self._explained(refusal, opened.pair) from None
        remote = self._require_remote(opened.pair.id)
        row = remote.take_bet(order, opened.pair.id)
        if row.cards is not None:
            remote.pay(row)
        return row

    def play_many(self, requests: Iterable[BetRequest]) -> list[RoundRecord | BaccaratError]:
        """Take and deal many bets; where the money is the store's, many in one transaction."""
        answers: list[RoundRecord | BaccaratError | None] = []
        orders: list[BetOrder] = []
        places: list[tuple[int, OpenPair]] = []
        for request in requests:
            try:
                if not isinstance(request, BetRequest):
                    raise RequestError("bet to play", "a BetRequest", describe(request))
                opened = self._dealer.open(read_pair_id(request.pair))
                if opened.is_remote:
                    answers.append(opened.recorder.record(self.take(opened, request, is_dealt=True)))
                    continue
                orders.append(self._order(opened, request, is_dealt=True))
                places.append((len(answers), opened))
                answers.append(None)
            except BaccaratError as error:
                answers.append(error)
        for (place, opened), answer in zip(places, self._store.take_bets(orders), strict=True):
            try:
                answers[place] = answer if isinstance(answer, BaccaratError) else opened.recorder.record(answer)
            except BaccaratError as error:  # a row that was tampered with spoils its own answer only
                answers[place] = error
            if isinstance(answer, FundsError):
                answers[place] = self._explained(answer, opened.pair)
        return [answer for answer in answers if answer is not None]

    def settle(self, row: RoundRow) -> RoundRow:
        """Deal an accepted round, whoever accepted it, and pay what it returns."""
        opened = self._dealer.open(row.pair_id)
        remote = self._require_remote(opened.pair.id) if opened.is_remote else None
        credit = None if remote is None else remote.credit_of(row)
        settled = self._store.settle_round(CoupOrder(row.pair, row.nonce, opened.deal, self._clock(), credit, opened.tell, opened.signs))
        if remote is not None:
            remote.pay(settled)
        return settled

    def _order(self, opened: OpenPair, request: BetRequest, *, is_dealt: bool) -> BetOrder:
        """The order of a request; one that no store could take is refused and recorded here."""
        at = self._clock()
        try:
            key = read_name(request.key, "key")
            bets = read_bets(request.bets, opened.pay_table)
            require_known(bets, opened.pay_table)
            nonce = None if request.nonce is None else parse_nonce(request.nonce)
            most = exposure(bets, opened.pay_table)
            if opened.is_remote:
                self._require_remote(opened.pair.id)
        except BaccaratError as error:
            known_key = request.key if isinstance(request.key, str) and request.key.isprintable() else ""
            self._store.record_event(
                "refused", opened.number, at, bets=tell_bets(request.bets), key=known_key[:128], reason=reason_of(error)
            )
            raise
        staked = sum(bets.values())
        examine = partial(self._examine, opened.pair, bets, at)
        deal = opened.deal if is_dealt else None
        named = (opened.number, key, write_bets(bets), nonce)
        return BetOrder(*named, staked, most, at, examine, deal, is_guarded=bool(self._guards), tell=opened.tell, signs=opened.signs)

    def _examine(self, pair: SeedPair, bets: Mapping[str, int], at: datetime, next_nonce: int, past: Past) -> None:
        """Raise what limits and guards have against a bet."""
        self._limits.examine(bets, pair.pay_table)
        if self._guards:
            ask_guards(self._guards, IntendedBet(pair.bettor, pair.id, next_nonce, dict(bets), sum(bets.values()), at), past)

    def _explained(self, refusal: FundsError, pair: SeedPair) -> FundsError:
        return with_other_currencies(self._store, refusal, pair.bettor, pair.currency)

    def _require_remote(self, pair_id: str) -> RemoteMoney:
        if self._remote is None:
            raise WalletError(f"pair {pair_id}", "a House with the wallet that its money is in", "a House without one")
        return self._remote
