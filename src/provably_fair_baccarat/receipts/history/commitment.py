"""One commitment of a history while its lines are read: opening, reveal, acceptances and receipts in turn, closing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from ...errors import (
    BeaconError,
    CommitmentMismatchError,
    EquivocationError,
    HistoryFileError,
    HistoryMismatchError,
    NotRevealedError,
    Slip,
)
from ...fairness.chain import RevealedChain
from ...fairness.seed_pair import commit
from ...fairness.seeds import ServerSeed
from ...verify import Grade, Guarantee
from ..guarantees import Facts, guarantees_of
from ..proof import compare_opening, is_made_of, require_later, require_named, tell_beacon
from .replaying import Replay, compare_receipt
from .results import ProvedCommitment

if TYPE_CHECKING:
    from datetime import datetime

    from ...rules.bets import Bet
    from ..beacon import BeaconValue
    from ..log.note import Checkpoint
    from ..statements import AcceptanceStatement, ClosingStatement, OpeningStatement, ReceiptStatement
    from .lines import RevealLine

_UNSEEN: Final = "The server seed is not revealed yet, so the coup cannot be dealt again. Ask the operator to reveal it."
_NOT_VERIFIED: Final = ("seed_fixed", "client_seed_after_commitment", "unbiased_cards", "settlement_exact")


class _Kind(NamedTuple):
    """What the grades of a coup depend on, besides its commitment."""

    dealt: bool
    is_settled: bool
    is_accepted_logged: bool
    is_logged: bool
    is_promised: bool


class OpenCommitment:
    """A commitment whose lines are being read."""

    def __init__(self, opening: OpeningStatement, index: int | None, checkpoint: Checkpoint | None) -> None:
        self.opening = opening
        self._index = index
        self._checkpoint = checkpoint
        self._latest_time = opening.time
        self._latest_place = -1 if index is None else index
        """The time of the latest acceptance, or of the opening, and the last place that one of these is proved to have in the log."""
        self._beacon: BeaconValue | None = None
        self._is_beacon_s = False
        self._reveal: RevealLine | None = None
        self._own_bets: tuple[Bet, ...] = ()
        self._replay: Replay | None = None
        self._first: AcceptanceStatement | None = None
        self.waiting: AcceptanceStatement | None = None
        """The acceptance whose receipt comes next."""
        self._waiting_index: int | None = None
        self._accepted = self._settled = self._verified_coups = self._staked = self._returned = 0
        self._closing: ClosingStatement | None = None
        self._kinds: Counter[_Kind] = Counter()
        self._examples: dict[_Kind, tuple[str, int | None, int | None]] = {}

    @property
    def is_revealed(self) -> bool:
        """Whether the coup of the acceptance that waits can be dealt again."""
        reveal = self._reveal
        return reveal is not None and (reveal.nonce is None or (self.waiting is not None and self.waiting.nonce <= reveal.nonce))

    def name_beacon(self, value: BeaconValue) -> None:
        """Step 10: the beacon's round is the one that the opening names."""
        if self._beacon is not None or self._reveal is not None or self._accepted or self._closing:
            raise HistoryFileError("beacon", "one behind its opening", "one in another place")
        require_named(self.opening, value)
        self._beacon = value

    def reveal(self, line: RevealLine, own_bets: tuple[Bet, ...]) -> None:
        """Step 9: the server seed is the one that was committed to."""
        opening = self.opening
        if self._reveal is not None or self._accepted or self._closing:
            raise HistoryFileError("reveal", "one behind its opening", "one in another place")
        if line.commitment != opening.commitment_text or (line.nonce is None) != (opening.chain is None):
            raise HistoryFileError("reveal", "one of the opening before it, with a nonce if that is of a chain", "another one")
        server_seed = ServerSeed.parse(line.server_seed)
        if opening.chain is not None:
            RevealedChain(opening.chain.chain(), server_seed, line.nonce or 0)
        elif (made := commit(server_seed, opening.decks, scheme=opening.scheme)) != opening.commitment:
            raise CommitmentMismatchError("commitment of the server seed", str(opening.commitment), str(made))
        self._reveal = line
        self._own_bets = own_bets

    def accept(self, acceptance: AcceptanceStatement, index: int | None, kid: str) -> None:
        """Step 7: the next nonce, under the same client seed and table."""
        self._end_waiting(kid)
        if self._closing is not None:
            raise EquivocationError(f"coups under {acceptance.commitment}", "none behind the closing", f"nonce {acceptance.nonce}")
        if self._settled < self._accepted and self._reveal is not None and self._reveal.nonce is None:
            raise HistoryMismatchError(f"receipt of nonce {self._accepted - 1}", "one, as the server seed is revealed", "none")
        if acceptance.nonce != self._accepted:
            subject = f"nonces under {acceptance.commitment}"
            slip = Slip("dropped", f"Nonce {self._accepted} is not in this file: its coup was dropped, or this is not the whole file.")
            slips = (slip,) if acceptance.nonce > self._accepted else ()
            raise HistoryMismatchError(subject, f"nonce {self._accepted} next", f"nonce {acceptance.nonce}", slips)
        compare_opening(self.opening, acceptance, None)
        first = self._first
        if first is None:
            self._first = acceptance
            if self._reveal is not None:
                self._replay = Replay(self.opening, self._reveal, acceptance.client_seed, self._own_bets)
        elif (acceptance.client_seed, acceptance.client_seed_made_by) != (first.client_seed, first.client_seed_made_by):
            raise HistoryMismatchError(f"client seed of nonce {acceptance.nonce}", str(first.client_seed), str(acceptance.client_seed))
        self._require_order("acceptance", index)
        require_later(f"acceptance {acceptance.nonce}", self._latest_time, acceptance.time)
        self._latest_time = acceptance.time
        if index is not None:
            self._latest_place = index
        self._accepted += 1
        self._staked += sum(acceptance.bets.values())
        self.waiting, self._waiting_index = acceptance, index

    def settle(self, settled_at: datetime, payload: bytes) -> None:
        """Step 9: the receipt says what the seeds and the bets give."""
        if self._replay is None or self.waiting is None:
            raise HistoryMismatchError("receipt", "one behind its acceptance", "one without")
        _, returned = self._replay.compare(self.waiting, settled_at, payload)
        self._verified_coups += 1
        self._returned += returned

    def settle_unseen(self, receipt: ReceiptStatement) -> None:
        """A receipt of a coup that can't be dealt again yet: it must be about its acceptance."""
        if self.waiting is None:
            raise HistoryMismatchError("receipt", "one behind its acceptance", "one without")
        compare_receipt(self.opening, self.waiting, receipt)
        self._returned += receipt.record.totals.returned

    def place_receipt(self, index: int | None, kid: str) -> None:
        """Where the receipt of the acceptance that waits is in the log."""
        self._require_order("receipt", index)
        self._settled += 1
        self._count(kid, index, is_settled=True)
        self.waiting = None

    def close(self, closing: ClosingStatement, index: int | None) -> None:
        """Step 8: the closing counts the coups, comes after all acceptances, and all are settled, before it or after."""
        if self._closing is not None:
            raise EquivocationError(f"closing of {closing.commitment}", "one", "two")
        self._end_waiting("")
        if self._settled != self._accepted:
            raise HistoryMismatchError(f"receipts before the closing of {closing.commitment}", f"{self._accepted}", f"{self._settled}")
        if closing.coups != self._accepted:
            slip = Slip("dropped", f"Nonce {self._accepted} is not in this file: its coup was dropped, or this is not the whole file.")
            slips, told = (slip,) if closing.coups > self._accepted else (), f"{closing.coups}, as the closing says"
            raise HistoryMismatchError(f"coups under {closing.commitment}", told, f"{self._accepted}", slips)
        self._require_order("closing", index)
        require_later("the closing", self._latest_time, closing.time)
        self._closing = closing

    def end(self) -> tuple[ProvedCommitment, list[tuple[tuple[Guarantee, ...], int]]]:
        """The end of the commitment's lines: what it proves, and the guarantees of its coups with how many they are."""
        self._end_waiting("")
        opening, reveal, first = self.opening, self._reveal, self._first
        if self._closing is not None:
            if reveal is None and self._accepted:
                raise NotRevealedError(f"server seed of {opening.commitment}", "a revealed one behind its closing", "none")
            if reveal is not None and reveal.nonce is not None and reveal.nonce < self._accepted - 1:
                raise NotRevealedError(
                    f"links of {opening.commitment}", f"up to that of nonce {self._accepted - 1}", f"up to {reveal.nonce}"
                )
        elif reveal is not None and reveal.nonce is None:
            slip = Slip(
                "closing", "Nobody may bet under a server seed that is told: the operator did not close it, or the closing was dropped."
            )
            raise HistoryMismatchError(f"closing of {opening.commitment}", "one, as the server seed is revealed", "none", (slip,))
        elif reveal is not None and reveal.nonce is not None and self._verified_coups <= reveal.nonce:
            told = f"{reveal.nonce + 1} that are settled, as the link of nonce {reveal.nonce} is revealed"
            raise HistoryMismatchError(f"coups under {opening.commitment}", told, f"{self._verified_coups}")
        self._is_beacon_s = self._compare_beacon()
        proved = ProvedCommitment(
            opening.commitment_text,
            opening.label,
            opening.time,
            None if first is None else first.client_seed.text,
            None if first is None else first.client_seed_made_by,
            self._accepted,
            self._settled,
            self._verified_coups,
            self._closing is not None,
            self._staked,
            self._returned,
        )
        return proved, [(self._grade(kind), coups) for kind, coups in self._kinds.items()]

    def _compare_beacon(self) -> bool:
        """Step 10: whether the client seed is the beacon's; what the operator's side makes where one is named must be."""
        opening, beacon, first = self.opening, self._beacon, self._first
        if opening.beacon is None or first is None:
            return False
        if beacon is not None:
            return is_made_of(first.client_seed, first.client_seed_made_by, opening, beacon)
        if first.client_seed_made_by == "operator":
            raise BeaconError(f"beacon of {opening.commitment}", f"{opening.beacon}, which its client seed must be made of", "none")
        return False

    def _end_waiting(self, kid: str) -> None:
        """An acceptance whose receipt doesn't come: it is not settled."""
        if self.waiting is not None:
            self._count(kid, None, is_settled=False)
            self.waiting = None

    def _count(self, kid: str, index: int | None, *, is_settled: bool) -> None:
        acceptance = self.waiting
        if acceptance is not None:
            is_accepted_logged = self._waiting_index is not None
            kind = _Kind(acceptance.dealt, is_settled, is_accepted_logged, index is not None, acceptance.log is not None)
            self._kinds[kind] += 1
            self._examples.setdefault(kind, (kid, self._waiting_index, index))

    def _grade(self, kind: _Kind) -> tuple[Guarantee, ...]:
        kid, accepted_at, settled_at = self._examples[kind]
        first, checkpoint = self._first, self._checkpoint
        facts = Facts(
            key=kid if kind.is_settled else None,
            has_opening=True,
            is_marked=first is not None and first.client_seed.marks(self.opening.commitment),
            is_dealt_at_once=kind.dealt,
            opening_index=self._index,
            acceptance_index=accepted_at,
            receipt_index=settled_at,
            history="closed" if self._closing is not None else "open",
            is_promised=kind.is_promised,
            log=None if checkpoint is None else checkpoint.origin,
            size=None if checkpoint is None else checkpoint.size,
            witnesses=() if checkpoint is None else tuple(each.witness.name for each in checkpoint.cosignatures),
        )
        told = {guarantee.code: guarantee for guarantee in (*self._verified(kind), *guarantees_of(facts))}
        if self._beacon is not None and self._is_beacon_s:
            told["client_seed_after_commitment"] = tell_beacon(self._beacon)
        return tuple(told.values())

    def _verified(self, kind: _Kind) -> tuple[Guarantee, ...]:
        verified = None if self._replay is None else self._replay.verified
        if verified is None or not kind.is_settled:
            return tuple(Guarantee(code, Grade.UNKNOWN, _UNSEEN) for code in _NOT_VERIFIED)
        return tuple(verified.guarantees.values())

    def _require_order(self, kind: str, index: int | None) -> None:
        """Step 4: in the log, what comes after an acceptance or the opening stands behind it. No bet comes after a closing, but receipts may."""
        if index is not None and index < self._latest_place:
            raise HistoryMismatchError(f"place of the {kind} in the log", f"one behind {self._latest_place}", f"{index}")
