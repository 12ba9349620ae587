"""Dealing the coups of a revealed commitment again, and comparing their receipts to the last byte.

The first receipt is read and verified as any record is. What every other one must say follows from it, the seeds and the bets, so it is
computed and compared as bytes: one that differs is read after all, so that the error says where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...canonical import canonical_json
from ...errors import HistoryMismatchError, LinkMismatchError
from ...fairness.chain import RevealedChain
from ...fairness.seed_pair import Seeds
from ...fairness.seeds import ServerSeed
from ...records.spelling import write_time
from ...rounds import play_round
from ...rules.settlement import settle
from ...verify import VerifiedRound, verify_round
from ..outline import Outline, gap
from ..proof import compare_acceptance, compare_opening
from ..statements import ReceiptStatement

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from ...cards import Card
    from ...fairness.seeds import ClientSeed
    from ...rules.bets import Bet
    from ...rules.coup import Hand
    from ...rules.pay_table import PayTable
    from ...rules.settlement import SettledBet
    from ..statements import AcceptanceStatement, OpeningStatement
    from .lines import RevealLine


_VARYING: Final = ("accepted_at", "banker", "bets", "cards", "cut", "natural", "nonce", "player", "totals", "winner")
"""What a record says that the record of another coup under the same commitment may say otherwise, besides when it was settled."""


class Replay:
    """The coups of one commitment, from its revealed server seed. Raises CommitmentMismatchError or LinkMismatchError for another seed."""

    def __init__(self, opening: OpeningStatement, reveal: RevealLine, client_seed: ClientSeed, own_bets: Iterable[Bet]) -> None:
        self._opening = opening
        self._client_seed = client_seed
        self._own_bets = tuple(own_bets)
        server_seed = ServerSeed.parse(reveal.server_seed)
        self._links: RevealedChain | None = None
        self._seeds: Seeds | None = None
        if opening.chain is None:
            self._seeds = Seeds(server_seed, client_seed, opening.commitment, opening.decks, scheme=opening.scheme)
        else:
            self._links = RevealedChain(opening.chain.chain(), server_seed, reveal.nonce or 0)
        self._outline: Outline | None = None
        self._table: PayTable | None = None
        self.verified: VerifiedRound | None = None
        """The verification of the first receipt; the others are the same but for what they say."""

    def seeds(self, nonce: int) -> Seeds:
        """The seeds of a nonce. Raises LinkMismatchError where its link is not revealed."""
        if self._seeds is not None:
            return self._seeds
        chain = self._opening.chain
        if self._links is None or chain is None:
            raise LinkMismatchError(f"link of nonce {nonce}", "a revealed one", "none")
        return Seeds(self._links.link(nonce), self._client_seed, self._opening.commitment, self._opening.decks, chain=chain.chain())

    def compare(self, acceptance: AcceptanceStatement, settled_at: datetime, payload: bytes) -> tuple[int, int]:
        """Compare a receipt's payload with what the coup gives; what was staked and returned. Raises a VerificationError."""
        if self._outline is None or self._table is None:
            return self._read(acceptance, payload)
        played = play_round(self.seeds(acceptance.nonce), acceptance.nonce)
        settlement = settle(played.coup, acceptance.bets, self._table)
        staked, returned = settlement.staked, settlement.returned
        expected = self._outline.fill(
            {
                "key": canonical_json(acceptance.key).decode(),
                "nonce": played.nonce,
                "cut": "null" if played.cut is None else played.cut,
                "cards": _cards(played.cards),
                "player": _hand(played.coup.player),
                "banker": _hand(played.coup.banker),
                "natural": "true" if played.coup.natural else "false",
                "winner": f'"{played.coup.winner.value}"',
                "bets": f"{{{','.join([_bet(line) for _, line in sorted(settlement.lines.items())])}}}",
                "totals": f'{{"net":"{returned - staked}","returned":"{returned}","staked":"{staked}"}}',
                "accepted_at": f'"{write_time(acceptance.time)}"',
                "time": f'"{write_time(settled_at)}"',
            }
        )
        if expected != payload or settled_at < acceptance.time:
            return self._read(acceptance, payload)
        return staked, returned

    def _read(self, acceptance: AcceptanceStatement, payload: bytes) -> tuple[int, int]:
        """Read a receipt and verify its record, as anybody would with one record at hand."""
        receipt = ReceiptStatement.parse_payload(payload)
        record = receipt.record
        compare_receipt(self._opening, acceptance, receipt)
        table = record.pay_table.pay_table(self._own_bets)
        verified = verify_round(self.seeds(acceptance.nonce), acceptance.nonce, record=record, pay_table=table)
        if self._outline is None:
            self._outline, self._table, self.verified = _outline(receipt), table, verified
        return record.totals.staked, record.totals.returned


def _outline(receipt: ReceiptStatement) -> Outline:
    """What all receipts under a commitment have in common with one of them."""
    told = receipt.to_dict()
    record = receipt.record.to_dict() | {name: gap(name) for name in _VARYING} | {"settled_at": gap("time")}
    return Outline({**told, "key": gap("key"), "record": record, "time": gap("time")})


def _cards(cards: Iterable[Card]) -> str:
    texts = '","'.join(map(str, cards))
    return f'["{texts}"]'


def _hand(hand: Hand) -> str:
    return f'{{"cards":{_cards(hand.cards)},"score":{hand.score}}}'


def _bet(line: SettledBet) -> str:
    return f'"{line.bet}":{{"returned":"{line.returned}","stake":"{line.stake}","status":"{line.status}"}}'


def compare_receipt(opening: OpeningStatement, acceptance: AcceptanceStatement, receipt: ReceiptStatement) -> None:
    """What was settled against what was accepted and opened. Raises HistoryMismatchError."""
    compare_opening(opening, acceptance, receipt)
    compare_acceptance(acceptance, receipt.record)
    for name, expected, found in (("bettor", opening.bettor, receipt.bettor), ("key", acceptance.key, receipt.key)):
        if expected != found:
            raise HistoryMismatchError(f"{name} of receipt {acceptance.nonce}", repr(expected), repr(found))
