"""What a house says about its pairs, signed: the opening, each acceptance and receipt, and the closing.

A statement is made in the transaction of what it states, from the row that is stored there and nothing else. So it is the same text whenever
it is made, and there is none about what did not happen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import LedgerMismatchError, SigningKeyError, describe
from ..fairness.seeds import Commitment
from ..receipts import (
    AcceptanceStatement,
    ClosingStatement,
    LogPromise,
    OpeningStatement,
    ReceiptStatement,
    Signer,
)
from .amounts import parse_bets

if TYPE_CHECKING:
    from datetime import datetime

    from .pairs import SeedPair
    from .recording import Recorder
    from .rows import RoundRow
    from .store import NewPair, Say


class Mouth:
    """Signs for a house, with its signer and its promise to log what is signed."""

    def __init__(self, signer: Signer, promise: LogPromise | None) -> None:
        if not isinstance(signer, Signer):
            raise SigningKeyError("signer", "a Signer", f"a value of type {type(signer).__name__}")
        if promise is not None and not isinstance(promise, LogPromise):
            raise SigningKeyError("promise to log", "a LogPromise", describe(promise))
        self.signer = signer
        self.promise = promise

    def say_opened(self, new: NewPair, label: str, currency: tuple[str, int] | None) -> Say:
        """Signs the opening of a new pair, once it is known how many there were before."""

        def say(number: int, previous: bytes | None, at: datetime) -> str:
            chain = None
            if new.chain_anchor is not None:
                chain = {"anchor": new.chain_anchor.hex(), "length": new.chain_length}
            opening = OpeningStatement.make(
                time=at,
                bettor=new.bettor,
                scheme=new.scheme,
                label=label,
                decks=new.decks,
                commitment=Commitment(new.commitment),
                chain=chain,
                pay_table_digest=new.pay_table_digest,
                cap=new.cap,
                currency=None if currency is None else {"code": currency[0], "decimals": currency[1]},
                number=number,
                previous=None if previous is None else previous.hex(),
                beacon=None,
                log=self.promise,
            )
            return self.signer.sign(opening)

        return say

    def about(self, pair: SeedPair, recorder: Recorder) -> PairMouth:
        """Signs what is said about a pair that is open already."""
        return PairMouth(self, pair, recorder)


class PairMouth:
    """Signs what is said about one pair; a store's `Signs`."""

    def __init__(self, mouth: Mouth, pair: SeedPair, recorder: Recorder) -> None:
        self._mouth = mouth
        self._pair = pair
        self._recorder = recorder

    def accepted(self, row: RoundRow) -> str:
        """The signed acceptance of a round."""
        pair = self._pair
        if pair.client_seed is None:
            raise LedgerMismatchError(f"pair {pair.id}", "one whose client seed is chosen", "one without")
        acceptance = AcceptanceStatement.model_construct(
            version=1,
            time=row.accepted_at,
            bettor=pair.bettor,
            commitment=pair.commitment,
            nonce=row.nonce,
            client_seed=pair.client_seed,
            client_seed_made_by=pair.client_seed_made_by,
            bets=parse_bets(row.bets),
            key=row.key,
            pay_table_digest=pair.pay_table.digest,
            dealt=row.cards is not None,
            log=self._mouth.promise,
        )
        return self._mouth.signer.sign(acceptance)

    def settled(self, row: RoundRow) -> str:
        """The signed receipt of a dealt round."""
        return self._mouth.signer.sign(ReceiptStatement.of(self._recorder.record(row), self._pair.bettor, row.key))

    def closed(self, coups: int, at: datetime) -> str:
        """The signed closing of the pair."""
        pair = self._pair
        closing = ClosingStatement.make(time=at, bettor=pair.bettor, commitment=pair.commitment, coups=coups)
        return self._mouth.signer.sign(closing)
