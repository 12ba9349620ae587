"""One bettor at a table: the rounds under one commitment and the purse that pays for them.

Nothing here asks, prints or knows the time: the command `play` does that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..fairness.seed_pair import Seeds, commit
from ..records import RoundRecord
from ..rounds import play_round
from ..rules.ready_tables import PUNTO_BANCO
from ..rules.settlement import settle
from ..verify import verify_record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from ..fairness.seeds import ClientSeed, ServerSeed
    from ..rounds import Round
    from ..rules.pay_table import PayTable
    from ..rules.settlement import Settlement
    from ..verify import VerifiedRound


@dataclass(frozen=True, slots=True)
class SettledRound:
    """A round and what its bets came to, in cents, with the purse after it and its record, which has no server seed yet."""

    round: Round
    settlement: Settlement
    purse: int
    record: RoundRecord


class Seat:
    """A bettor's rounds from nonce 0 on, under one commitment and one pay table; amounts are cents."""

    def __init__(
        self, server_seed: ServerSeed, client_seed: ClientSeed, purse: int, decks: int = 8, pay_table: PayTable = PUNTO_BANCO
    ) -> None:
        self.commitment = commit(server_seed, decks)
        """What the house has committed to."""
        self._seeds = Seeds(server_seed, client_seed, self.commitment, decks)
        self._start = purse
        self.pay_table = pay_table
        self.rounds: list[SettledRound] = []

    @property
    def label(self) -> str:
        """The text that begins everything that is hashed (protocol step 1)."""
        return self._seeds.origin.label

    @property
    def client_seed(self) -> ClientSeed:
        """What the bettor has chosen."""
        return self._seeds.client_seed

    @property
    def purse(self) -> int:
        """What the bettor holds now."""
        return self.rounds[-1].purse if self.rounds else self._start

    @property
    def net(self) -> int:
        """What the bettor has gained since the start, or lost if negative."""
        return self.purse - self._start

    def play(self, bets: Mapping[str, int], now: datetime) -> SettledRound:
        """Deal and settle the next round. Bets are cents by name, none for a bettor who watches; what settling refuses spends no nonce."""
        played = play_round(self._seeds, len(self.rounds))
        settlement = settle(played.coup, bets, self.pay_table)
        record = RoundRecord.from_round(
            played, settlement, client_seed_made_by="bettor", currency=("USD", 2), accepted_at=now, settled_at=now
        )
        settled = SettledRound(played, settlement, self.purse + settlement.net, record)
        self.rounds.append(settled)
        return settled

    def reveal(self) -> tuple[RoundRecord, ...]:
        """The records of all rounds, with the server seed in them. No round can follow."""
        server_seed = self._seeds.server_seed
        return tuple(settled.record.reveal(server_seed) for settled in self.rounds)

    def verify(self) -> tuple[VerifiedRound, ...]:
        """Verify every revealed record against the pay table that was offered. Raises a VerificationError for what differs."""
        return tuple(verify_record(record, pay_table=self.pay_table) for record in self.reveal())
