"""What somebody has kept of a round or a history apart from what is to be verified, and the verification against all of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Final, TypeVar

from ..fairness.inputs import MAX_DECKS
from ..fairness.schemes import scheme_named
from ..fairness.schemes.pfb1 import PFB1
from ..fairness.seed_pair import Seeds
from ..fairness.seeds import Commitment
from ..verify import VerifiedRound, verify_record, verify_round
from .failures import misused
from .screen import at_work
from .signed import read_key_set, read_note_keys, read_statements, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..cards import Card
    from ..errors import BaccaratError
    from ..fairness.chain import Chain
    from ..receipts.history import ProvedHistory
    from ..records import RoundRecord
    from ..rules.bets import Bet
    from ..rules.pay_table import PayTable

_Kept = TypeVar("_Kept")
_Recorded = TypeVar("_Recorded")

GIVEN: Final = "you gave"
RECORDED: Final = "the record says"
_FOLLOWS: Final[Mapping[str, str]] = {
    "verification.cut": "the seeds give",
    "verification.cards": "the seeds give",
    "verification.coup": "the cards give",
    "verification.settlement": "the pay table gives",
}
"""What the expected value follows from where a record differs, by the code of the error."""

_OPTIONS: Final[Mapping[str, str]] = {
    "verification.client_seed": "client_seed",
    "verification.nonce": "nonce",
    "verification.decks": "decks",
    "verification.scheme": "scheme",
    "verification.index": "index",
    "verification.chain": "chain",
    "verification.commitment": "commitment",
    "verification.pay_table": "pay_table",
}
"""Which of the kept values a record is held against, by the code of the error."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What somebody knows of a round apart from its record; None where that is taken from the record, or has its default."""

    server_seed: str | None
    client_seed: str | None
    commitment: str | None
    nonce: int | None
    index: int | None
    decks: int | None
    scheme: str | None
    chain: Chain | None
    pay_table: PayTable | None
    cards: tuple[Card, ...] | None = None
    own_bets: tuple[Bet, ...] = ()

    def verify(self, record: RoundRecord) -> VerifiedRound:
        """Verify a record against all that is kept."""
        server_seed = _first(self.server_seed, record.server_seed)
        if server_seed is None:
            return verify_record(record, pay_table=self.pay_table, own_bets=self.own_bets)  # which says that it is not revealed
        seeds = Seeds(
            server_seed,
            _first(self.client_seed, record.client_seed),
            _first(self.commitment, record.commitment),
            _first(self.decks, record.decks) or MAX_DECKS,
            scheme=_first(self.scheme, record.scheme),
            chain=_first(self.chain, None if record.chain is None else record.chain.chain()),
        )
        nonce, index = _first(self.nonce, record.nonce), _first(self.index, record.index)
        return verify_round(seeds, nonce, index=index, record=record, pay_table=self.pay_table, own_bets=self.own_bets)

    def verify_alone(self) -> VerifiedRound:
        """Verify the round that the options name, without a record."""
        scheme = scheme_named(_first(self.scheme, PFB1.name))
        needed: dict[str, object] = {"--server-seed": self.server_seed, "--client-seed": self.client_seed}
        if scheme.needs_commitment:
            needed["--commitment"] = self.commitment
        if scheme.has_nonces:
            needed["--nonce"] = self.nonce
        if [option for option, value in needed.items() if value is None] == ["--commitment"]:
            raise misused(
                "Without --commitment nothing shows that the server seed was fixed before the bet, so this would verify nothing. To see "
                "which cards the seeds give, and what commitment they have, open the page that pfb page writes."
            )
        if self.server_seed is None or self.client_seed is None or None in needed.values():
            raise misused(f"Name a FILE, or all of {', '.join(needed)}.")
        if self.pay_table is not None:
            raise misused("A pay table settles the bets of a record: name the record's FILE too.")
        decks = _first(self.decks, MAX_DECKS)
        seeds = Seeds(self.server_seed, self.client_seed, self.commitment, decks, scheme=scheme.name, chain=self.chain)
        return verify_round(seeds, self.nonce, index=self.index, cards=self.cards)

    def name_sources(self, error: BaccaratError) -> tuple[str, str] | None:
        """Whose values an error tells, what was expected and what was found; None where that is not known."""
        committed = GIVEN if self.commitment is not None else RECORDED
        known = {
            "commitment of the server seed": (committed, "the server seed gives"),
            "commitment of the seed chain": (committed, "the chain gives"),
            "cards that were seen": (_FOLLOWS["verification.cards"], GIVEN),
            "record, digest of the pay table": ("the pay table gives", RECORDED),
        }
        if error.subject in known or not error.subject.startswith("record, "):
            return known.get(error.subject)
        name = _OPTIONS.get(error.code)
        expected = GIVEN if name is not None and getattr(self, name) is not None else _FOLLOWS.get(error.code)
        return None if expected is None else (expected, RECORDED)


@dataclass(frozen=True, slots=True)
class KeptHistory:
    """What somebody has kept to hold a history file against."""

    keys: str | None = None
    log_key: str | None = None
    checkpoints: list[str] = field(default_factory=list[str])
    witnesses: list[str] | None = None
    commitments: list[str] = field(default_factory=list[str])
    signed: str | None = None

    def verify(self, stream: IO[bytes], pay_table: PayTable | None, own_bets: tuple[Bet, ...] = ()) -> ProvedHistory:
        """Verify a history file. Raises the VerificationError that fits."""
        from ..receipts.history import verify_history_file  # noqa: PLC0415 (signatures are loaded by those who look at one)

        keys = None if self.keys is None else read_key_set(self.keys)
        log = None if self.log_key is None else read_note_keys([self.log_key])[0]
        witnesses = None if self.witnesses is None else read_note_keys(self.witnesses)
        texts = [read_text(each) for each in self.checkpoints]
        commitments = [Commitment.parse(text) for text in self.commitments]
        statements = () if self.signed is None else read_statements(self.signed)
        bets = (*own_bets, *(() if pay_table is None else pay_table.bets))
        with at_work("verifying"):
            return verify_history_file(
                stream,
                keys=keys,
                log=log,
                witnesses=witnesses,
                checkpoints=texts,
                own_bets=bets,
                commitments=commitments,
                statements=statements,
            )


def _first(kept: _Kept | None, otherwise: _Recorded) -> _Kept | _Recorded:
    return otherwise if kept is None else kept
