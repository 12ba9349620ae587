"""What somebody knows of a round apart from its record, and the verification of the round from it, of the record against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..fairness.inputs import MAX_DECKS
from ..fairness.schemes import scheme_named
from ..fairness.schemes.pfb1 import PFB1
from ..fairness.seed_pair import Seeds
from .verification import verify_record, verify_round

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..cards import Card
    from ..fairness.chain import Chain
    from ..records import RoundRecord
    from ..rules.bets import Bet
    from ..rules.pay_table import PayTable
    from .values import VerifiedRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a round; None where that is taken from its record or, without one, has its default."""

    server_seed: str | None = None
    client_seed: str | None = None
    commitment: str | None = None
    nonce: int | None = None
    index: int | None = None
    decks: int | None = None
    scheme: str | None = None
    chain: Chain | None = None

    def needed(self) -> dict[str, str | int | None]:
        """What a round without a record cannot be verified without, by its name. Raises SchemeError for a scheme that nobody knows."""
        scheme = scheme_named(PFB1.name if self.scheme is None else self.scheme)
        return {
            "server_seed": self.server_seed,
            "client_seed": self.client_seed,
            **({"commitment": self.commitment} if scheme.needs_commitment else {}),
            **({"nonce": self.nonce} if scheme.has_nonces else {}),
        }

    def verify(
        self,
        record: RoundRecord | None = None,
        *,
        pay_table: PayTable | None = None,
        cards: Iterable[Card] | None = None,
        own_bets: Iterable[Bet] = (),
    ) -> VerifiedRound:
        """Verify a record against all that is known or, without one, the round that is known. Raises as `verify_round`."""

        def told(name: str) -> Any:
            known = getattr(self, name)
            return getattr(record, name) if known is None and record is not None else known

        if record is not None and told("server_seed") is None:
            return verify_record(record, pay_table=pay_table, own_bets=own_bets)  # which says that it is not revealed
        chain = record.chain.chain() if self.chain is None and record is not None and record.chain is not None else self.chain
        seeds = Seeds(
            told("server_seed"),
            told("client_seed"),
            told("commitment"),
            told("decks") or MAX_DECKS,
            scheme=told("scheme") or PFB1.name,
            chain=chain,
        )
        return verify_round(seeds, told("nonce"), index=told("index"), record=record, pay_table=pay_table, cards=cards, own_bets=own_bets)
