"""The examples that OpenAPI shows: made by the package itself from a server seed that everybody knows, so that each of them verifies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ..fairness.seed_pair import Seeds
from ..fairness.seeds import ServerSeed
from ..house import Acceptance, HistoryPage, PairState, RecalledRound, Rotation, SeedPair
from ..records import RoundRecord
from ..rounds import play_round
from ..rules.odds import table_odds
from ..rules.ready_tables import PUNTO_BANCO
from ..rules.settlement import settle
from ..verify import verify_round
from .telling import balance_json, odds_json, pair_json, roads_json, rotation_json, rounds_json, verdict_json

if TYPE_CHECKING:
    from ..canonical import Json

PAIR_ID: Final = "5e6f0c1d2b3a49588776655443322110"
NEXT_ID: Final = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
KEY: Final = "018f3a5e-7b1c-7def-8a90-3e2d8157faae"
BETS: Final = {"banker": 500, "tie": 50}
_CLIENT_SEED: Final = "7c5e1d9b3f8a2046-3e2d8157faae5379"
_TIME: Final = datetime(2026, 11, 29, 12, 0, 0, 250_000, UTC)
_NONCE: Final = 14


@dataclass(frozen=True)
class Examples:
    """One evening of one bettor, seen from everywhere."""

    @cached_property
    def seeds(self) -> Seeds:
        """The seeds of the protocol's worked example."""
        return Seeds.commit(bytes(range(32)).hex(), _CLIENT_SEED)

    @cached_property
    def record(self) -> RoundRecord:
        """The record of a round, its server seed not revealed yet."""
        played = play_round(self.seeds, _NONCE)
        return RoundRecord.from_round(
            played,
            settle(played.coup, BETS),
            client_seed_made_by="bettor",
            currency=("USD", 2),
            accepted_at=_TIME,
            settled_at=_TIME,
        )

    @cached_property
    def _pair(self) -> SeedPair:
        origin = self.seeds.origin
        commitment = self.seeds.commitment
        assert commitment is not None, "pfb1 always has one"  # noqa: S101 (for the type checker)
        return SeedPair(
            PAIR_ID,
            "ann",
            commitment,
            origin.scheme,
            8,
            PUNTO_BANCO,
            100_000,
            ("USD", 2),
            PairState.COMMITTED,
            None,
            None,
            None,
            None,
            None,
            0,
            0,
            0,
            _TIME,
            None,
            None,
            None,
        )

    @cached_property
    def _active(self) -> SeedPair:
        return replace(
            self._pair,
            state=PairState.ACTIVE,
            client_seed=self.seeds.client_seed,
            client_seed_made_by="bettor",
            chosen_at=_TIME,
            next_nonce=_NONCE + 1,
            settled=_NONCE + 1,
            settled_in_order=_NONCE + 1,
        )

    @cached_property
    def pair(self) -> dict[str, Json]:
        """A pair that was just committed to."""
        return pair_json(self._pair)

    @cached_property
    def active(self) -> dict[str, Json]:
        """The pair in play."""
        return pair_json(self._active)

    @cached_property
    def closing(self) -> dict[str, Json]:
        """The pair that takes no more bets."""
        return pair_json(replace(self._active, state=PairState.CLOSING, closed_at=_TIME))

    @cached_property
    def rotation(self) -> dict[str, Json]:
        """The pair revealed, and the next one."""
        revealed = replace(
            self._active, state=PairState.REVEALED, server_seed=ServerSeed(bytes(range(32))), closed_at=_TIME, revealed_at=_TIME
        )
        following = Seeds.commit(bytes(range(1, 33)).hex(), "x").commitment
        assert following is not None, "pfb1 always has one"  # noqa: S101 (for the type checker)
        return rotation_json(Rotation(revealed, replace(self._pair, id=NEXT_ID, commitment=following)))

    @cached_property
    def _acceptance(self) -> Acceptance:
        return Acceptance(PAIR_ID, "ann", _NONCE, KEY, tuple(BETS.items()), 975, _TIME)

    @cached_property
    def acceptance(self) -> dict[str, Json]:
        """A bet that is accepted and not dealt."""
        return self._acceptance.to_dict()

    @cached_property
    def _round(self) -> RecalledRound:
        after = 10_000 - self.record.totals.staked + self.record.totals.returned
        return RecalledRound(15, self._acceptance, self.record, 10_000, after)

    @cached_property
    def round(self) -> dict[str, Json]:
        """The round as history shows it."""
        return self._round.to_dict()

    @cached_property
    def rounds(self) -> dict[str, Json]:
        """A page of history."""
        return rounds_json(HistoryPage((self._round,), None))

    @cached_property
    def roads(self) -> dict[str, Json]:
        """The scoreboards after one coup."""
        return roads_json(PAIR_ID, (self._round,))

    @cached_property
    def balance(self) -> dict[str, Json]:
        """What the bettor has then."""
        return balance_json(self._round.balance_after or 0, ("USD", 2))

    @cached_property
    def offer(self) -> dict[str, Json]:
        """The classic table."""
        keys = ("pay_table", "pay_table_digest", "decks", "cap", "currency")
        return {**{key: self.pair[key] for key in keys}, "bets": list(PUNTO_BANCO.offers), "chain_length": None}

    @cached_property
    def odds(self) -> dict[str, Json]:
        """The odds of the classic table."""
        return odds_json(8, PUNTO_BANCO, table_odds())

    @cached_property
    def claim(self) -> dict[str, Json]:
        """A round to verify, from its seeds alone."""
        return {
            "server_seed": bytes(range(32)).hex(),
            "client_seed": _CLIENT_SEED,
            "commitment": str(self.seeds.commitment),
            "nonce": _NONCE,
        }

    @cached_property
    def verdict(self) -> dict[str, Json]:
        """What verifying it says."""
        return verdict_json(verify_round(self.seeds, _NONCE))


EXAMPLES: Final = Examples()
