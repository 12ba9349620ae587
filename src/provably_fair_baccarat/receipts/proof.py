"""One round and what was signed about it: whether the statements say what the replay says, and how far that carries."""

from __future__ import annotations

from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeVar

from ..errors import BeaconError, EquivocationError, HistoryMismatchError, StatementError, describe
from ..fairness.seeds import ClientSeed, Commitment
from ..records.spelling import write_time
from ..verify import Grade, Guarantee, VerifiedRound
from .guarantees import Facts, guarantees_of
from .jws import HeaderTable
from .reading import SignedStatement, read_with
from .statements import AcceptanceStatement, ClosingStatement, OpeningStatement, ReceiptStatement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from ..records import MadeBy, RoundRecord
    from .beacon import BeaconValue
    from .evidence import LogEvidence
    from .jws import Kind
    from .keys import KeySet
    from .statements import AnyStatement

_Statement = TypeVar("_Statement", bound="AnyStatement")


def verify_proof(
    verified: VerifiedRound,
    statements: Iterable[str],
    log_proofs: LogEvidence | None,
    keys: KeySet,
    *,
    beacon: BeaconValue | None = None,
) -> Mapping[str, Guarantee]:
    """Hold a verified round against what the operator signed about it, and grade every guarantee for this round.

    `statements` are signed texts about the round's commitment: the opening, the acceptances, the receipts and the closing, as many as there
    are. `keys` is the key set that the operator publishes, `log_proofs` what shows that the statements are in its log. `beacon` is the
    drand round that the opening named, if the client seed is made of it. Returns the guarantees of the round and those of
    `PROOF_GUARANTEES` by their codes.

    Raises a StatementError or InclusionError for what can't be believed, BeaconError for a beacon that the opening didn't name, or that the
    operator's side didn't make its client seed of, EquivocationError for statements that contradict each other, and HistoryMismatchError
    for one that contradicts the round.
    """
    if not isinstance(verified, VerifiedRound):
        raise StatementError("verified round", "a VerifiedRound", describe(verified))
    told = _Told(str(verified.round.commitment), verified.round.nonce, HeaderTable(keys))
    for text in statements:
        told.add(text)
    told.compare(verified)
    facts = told.facts(verified.round.client_seed, log_proofs)
    by_code = {**verified.guarantees, **{guarantee.code: guarantee for guarantee in guarantees_of(facts)}}
    if beacon is not None and told.compare_beacon(verified.round.client_seed, beacon):
        by_code["client_seed_after_commitment"] = tell_beacon(beacon)
    return MappingProxyType(by_code)


class _Told:
    """What was signed about one commitment, and the part of it that is about one nonce."""

    def __init__(self, commitment: str, nonce: int, headers: HeaderTable) -> None:
        self._commitment = commitment
        self._nonce = nonce
        self._headers = headers
        self._found: dict[tuple[str, int | None], SignedStatement] = {}

    def add(self, text: str) -> None:
        """Read a signed text; two different ones about the same convict who signed them."""
        signed = read_with(self._headers, text)
        statement = signed.statement
        _compare(f"commitment of the {statement.kind}", self._commitment, statement.commitment_text)
        if self._found.setdefault((statement.kind, statement.coup), signed).text != text:
            place = "the commitment" if statement.coup is None else f"nonce {statement.coup}"
            raise EquivocationError(f"{statement.kind} of {place}", "one statement", "two that differ")

    def compare(self, verified: VerifiedRound) -> None:
        """What was signed against the round, and against each other."""
        bettors = sorted({signed.statement.bettor for signed in self._found.values()})
        if len(bettors) > 1:
            raise HistoryMismatchError("bettor of the statements", "one", ", ".join(map(describe, bettors)))
        opening, acceptance, receipt = self._opening, self._acceptance, self._receipt
        self._compare_times()
        if opening is not None:
            compare_opening(opening, acceptance, receipt)
        if acceptance is not None:
            _compare(f"client seed of acceptance {self._nonce}", verified.round.client_seed, acceptance.client_seed)
            if verified.record is not None:
                compare_acceptance(acceptance, verified.record)
        if receipt is not None:
            _compare(f"cards of receipt {self._nonce}", verified.round.cards, receipt.record.cards)
            if verified.record is not None and receipt.record != verified.record.model_copy(update={"server_seed": None}):
                raise EquivocationError(f"record of receipt {self._nonce}", "the record that was verified", "another one")
        if acceptance is not None and receipt is not None:
            compare_acceptance(acceptance, receipt.record)
            _compare(f"key of receipt {self._nonce}", acceptance.key, receipt.key)

    def compare_beacon(self, client_seed: ClientSeed, beacon: BeaconValue) -> bool:
        """Whether the client seed is that of a beacon, which must be the one that the opening named."""
        opening, acceptance = self._opening, self._acceptance
        if opening is None:
            return False
        require_named(opening, beacon)
        return is_made_of(client_seed, None if acceptance is None else acceptance.client_seed_made_by, opening, beacon)

    def facts(self, client_seed: ClientSeed, log_proofs: LogEvidence | None) -> Facts:
        """What the guarantees are graded by."""
        opening, acceptance, checkpoint = self._opening, self._acceptance, None if log_proofs is None else log_proofs.checkpoint
        indexes = {} if log_proofs is None else {about: log_proofs.index_of(signed) for about, signed in self._found.items()}
        self._compare_indexes(indexes)
        is_signed = acceptance is not None and self._receipt is not None
        return Facts(
            key=self._found["receipt", self._nonce].key.kid if is_signed else None,
            has_opening=opening is not None,
            is_marked=opening is not None and client_seed.marks(opening.commitment),
            is_dealt_at_once=None if acceptance is None else acceptance.dealt,
            opening_index=indexes.get(("opening", None)),
            acceptance_index=indexes.get(("acceptance", self._nonce)),
            receipt_index=indexes.get(("receipt", self._nonce)),
            history=self._history(),
            is_promised=acceptance is not None and acceptance.log is not None,
            log=None if checkpoint is None else checkpoint.origin,
            size=None if checkpoint is None else checkpoint.size,
            witnesses=() if checkpoint is None else tuple(each.witness.name for each in checkpoint.cosignatures),
        )

    def _compare_indexes(self, indexes: Mapping[tuple[str, int | None], int | None]) -> None:
        order = [(about, index) for about in self._line() if (index := indexes.get(about)) is not None]
        in_order = [index for _, index in order]
        if in_order != sorted(in_order):
            told = "opening, acceptances by their nonces, and closing in this order"
            raise HistoryMismatchError("places in the log", told, ", ".join(map(str, in_order)))
        receipt = indexes.get(("receipt", self._nonce))
        before = [index for (kind, nonce), index in order if kind != "closing" and (nonce is None or nonce <= self._nonce)]
        if receipt is not None and before and receipt < before[-1]:
            raise HistoryMismatchError("places in the log", f"the receipt behind {before[-1]}", f"{receipt}")

    def _compare_times(self) -> None:
        for before, (kind, nonce) in pairwise(self._line()):
            what = f"the {kind}" if nonce is None else f"{kind} {nonce}"
            require_later(what, self._found[before].statement.time, self._found[kind, nonce].statement.time)

    def _line(self) -> list[tuple[str, int | None]]:
        """What was said one after the other, as far as it is there: opening, acceptances by their nonces, closing."""
        nonces = sorted(nonce for kind, nonce in self._found if kind == "acceptance" and nonce is not None)
        line = (("opening", None), *(("acceptance", nonce) for nonce in nonces), ("closing", None))
        return [about for about in line if about in self._found]

    def _history(self) -> Literal["closed", "open", "unknown"]:
        accepted = {nonce for kind, nonce in self._found if kind == "acceptance" and nonce is not None}
        settled = {nonce for kind, nonce in self._found if kind == "receipt"}
        closing = self._statement("closing", ClosingStatement)
        if closing is None:
            return "open" if self._nonce in accepted and accepted == set(range(len(accepted))) else "unknown"
        if max({self._nonce, *accepted}) >= closing.coups:
            raise HistoryMismatchError("nonces under the commitment", f"below the {closing.coups} coups of the closing", "one more")
        return "closed" if accepted == settled == set(range(closing.coups)) else "unknown"

    @property
    def _opening(self) -> OpeningStatement | None:
        return self._statement("opening", OpeningStatement)

    @property
    def _acceptance(self) -> AcceptanceStatement | None:
        return self._statement("acceptance", AcceptanceStatement, self._nonce)

    @property
    def _receipt(self) -> ReceiptStatement | None:
        return self._statement("receipt", ReceiptStatement, self._nonce)

    def _statement(self, kind: Kind, form: type[_Statement], nonce: int | None = None) -> _Statement | None:
        signed = self._found.get((kind, nonce))
        return signed.statement if signed is not None and isinstance(signed.statement, form) else None


def compare_opening(opening: OpeningStatement, acceptance: AcceptanceStatement | None, receipt: ReceiptStatement | None) -> None:
    """What stands in an opening against what was accepted and settled under it. Raises HistoryMismatchError for the first difference."""
    if acceptance is not None:
        _compare(f"pay table of acceptance {acceptance.nonce}", opening.pay_table_digest, acceptance.pay_table_digest)
        if acceptance.nonce >= opening.cap:
            raise HistoryMismatchError("nonce of an acceptance", f"one below the cap {opening.cap}", f"{acceptance.nonce}")
    if receipt is not None:
        record = receipt.record
        for name in ("scheme", "label", "decks", "commitment", "chain", "pay_table_digest", "currency"):
            _compare(f"{name} of receipt {record.nonce}", getattr(opening, name), getattr(record, name))


def require_later(what: str, before: datetime, time: datetime) -> None:
    """Raise HistoryMismatchError where a statement is dated before one that it comes after. Both may have one time."""
    if time < before:
        told = f"not before {write_time(before)}, that of the statement before it"
        raise HistoryMismatchError(f"time of {what}", told, write_time(time))


def compare_acceptance(acceptance: AcceptanceStatement, record: RoundRecord) -> None:
    """What was accepted against the record of what was settled. Raises HistoryMismatchError for the first difference."""
    stakes = {name: bet.stake for name, bet in record.bets.items()}
    _compare(f"bets of nonce {acceptance.nonce}", dict(acceptance.bets), stakes)
    for name in ("commitment", "nonce", "client_seed", "client_seed_made_by", "pay_table_digest"):
        _compare(f"{name.replace('_', ' ')} of the record of nonce {acceptance.nonce}", getattr(acceptance, name), getattr(record, name))
    _compare(f"time of acceptance {acceptance.nonce}", acceptance.time, record.accepted_at)


def require_named(opening: OpeningStatement, beacon: BeaconValue) -> None:
    """Raise BeaconError unless a beacon is the one that the opening names."""
    if beacon.named != opening.beacon:
        raise BeaconError("beacon", f"the one that was named, {opening.beacon}", f"{beacon.named}")


def is_made_of(client_seed: ClientSeed, made_by: MadeBy | None, opening: OpeningStatement, beacon: BeaconValue) -> bool:
    """Whether a client seed is that of the beacon that was named. Raises BeaconError where the operator's side made another one."""
    made = beacon.client_seed(opening.commitment)
    if made_by == "operator" and client_seed != made:
        raise BeaconError(f"client seed under {opening.commitment}", f"{made}", f"{client_seed}")
    return client_seed == made


def tell_beacon(beacon: BeaconValue) -> Guarantee:
    """The guarantee of a client seed that is a beacon's."""
    sentence = (
        f"The client seed is round {beacon.named.round} of the drand chain {beacon.named.chain[:16]}..., which was named with the "
        "commitment. If that round was published after the opening, neither side could choose it: look its signature up with drand."
    )
    return Guarantee("client_seed_after_commitment", Grade.PROVED, sentence)


def _compare(subject: str, expected: object, found: object) -> None:
    if expected != found:
        raise HistoryMismatchError(subject, _tell(expected), _tell(found))


def _tell(value: object) -> str:
    return str(value) if isinstance(value, (ClientSeed, Commitment, int)) else describe(value)
