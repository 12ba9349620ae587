"""What somebody has kept of a round or a history apart from what is to be verified, and the verification against all of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Final

from ..fairness.seeds import Commitment
from ..verify.known import Known
from .failures import misused
from .screen import at_work
from .signed import read_checkpoint_text, read_key_set, read_note_keys, read_statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..cards import Card
    from ..errors import BaccaratError
    from ..receipts.history import ProvedHistory
    from ..records import RoundRecord
    from ..rules.bets import Bet
    from ..rules.pay_table import PayTable
    from ..verify import VerifiedRound

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(Known):
    """What somebody has kept of a round, as options name it."""

    pay_table: PayTable | None = None
    cards: tuple[Card, ...] | None = None
    own_bets: tuple[Bet, ...] = ()

    def verify_record(self, record: RoundRecord) -> VerifiedRound:
        """Verify a record against all that is kept."""
        return self.verify(record, pay_table=self.pay_table, own_bets=self.own_bets)

    def verify_alone(self) -> VerifiedRound:
        """Verify the round that the options name, without a record. Raises a usage error where too few of them are given."""
        needed = self.needed()
        missing = [name for name, value in needed.items() if value is None]
        if missing == ["commitment"]:
            raise misused(
                "Without --commitment nothing shows that the server seed was fixed before the bet, so this would verify nothing. To see "
                "which cards the seeds give, and what commitment they have, open the page that pfb page writes."
            )
        if missing:
            raise misused(f"Name a FILE, or all of {', '.join(f'--{name}'.replace('_', '-') for name in needed)}.")
        if self.pay_table is not None:
            raise misused("A pay table settles the bets of a record: name the record's FILE too.")
        return self.verify(cards=self.cards)

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
        texts = [read_checkpoint_text(each) for each in self.checkpoints]
        commitments = [Commitment.parse(text) for text in self.commitments]
        statements = () if self.signed is None else read_statements(self.signed)
        with at_work("verifying"):
            return verify_history_file(
                stream,
                keys=keys,
                log=log,
                witnesses=witnesses,
                checkpoints=texts,
                pay_table=pay_table,
                own_bets=own_bets,
                commitments=commitments,
                statements=statements,
            )
