"""The examples that OpenAPI shows: made by the package itself from a seed and a key that everybody knows, so that each of them verifies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ..fairness.seed_pair import Seeds
from ..fairness.seeds import ServerSeed
from ..house import Acceptance, HistoryPage, KeptStatement, Limits, PairState, RecalledRound, Rotation, SeedPair, StatementPage
from ..receipts import AcceptanceStatement, OpeningStatement, PrivateKey, ReceiptStatement, Signer, VerificationKey
from ..records import RoundRecord
from ..rounds import play_round
from ..rules.odds import table_odds
from ..rules.ready_tables import PUNTO_BANCO
from ..rules.settlement import settle
from ..verify import verify_round
from .telling import (
    acceptance_json,
    balance_json,
    odds_json,
    pair_json,
    roads_json,
    rotation_json,
    rounds_json,
    signed_pair_json,
    signed_round_json,
    statements_json,
    verdict_json,
)

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
        return signed_pair_json(self._pair, self._opening(self._pair))

    @cached_property
    def chosen(self) -> dict[str, Json]:
        """The pair in play."""
        return pair_json(self._active)

    @cached_property
    def active(self) -> dict[str, Json]:
        """The pair in play, with its signed opening."""
        return signed_pair_json(self._active, self._opening(self._pair))

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
        next_pair = replace(self._pair, id=NEXT_ID, commitment=following)
        return rotation_json(Rotation(revealed, next_pair), self._opening(next_pair, after=self._pair))

    @cached_property
    def _acceptance(self) -> Acceptance:
        accepted = AcceptanceStatement.make(
            time=_TIME,
            bettor="ann",
            commitment=self._pair.commitment,
            nonce=_NONCE,
            client_seed=_CLIENT_SEED,
            client_seed_made_by="bettor",
            bets={name: str(stake) for name, stake in BETS.items()},
            key=KEY,
            pay_table_digest=PUNTO_BANCO.digest,
            dealt=False,
            log=None,
        )
        return Acceptance(PAIR_ID, "ann", _NONCE, KEY, tuple(BETS.items()), 975, _TIME, self._signer.sign(accepted))

    @cached_property
    def acceptance(self) -> dict[str, Json]:
        """A bet that is accepted and not dealt."""
        return acceptance_json(self._acceptance)

    @cached_property
    def _round(self) -> RecalledRound:
        after = 10_000 - self.record.totals.staked + self.record.totals.returned
        return RecalledRound(15, self._acceptance, self.record, self.record.cards, 10_000, after)

    @cached_property
    def round(self) -> dict[str, Json]:
        """The round by itself."""
        return signed_round_json(self._round, self._receipt)

    @cached_property
    def statements(self) -> dict[str, Json]:
        """What is signed about the pair and the round."""
        told = (
            KeptStatement("opening", None, 20_852_100, self._opening(self._pair)),
            KeptStatement("acceptance", _NONCE, 20_852_162, self._acceptance.statement or ""),
            KeptStatement("receipt", _NONCE, None, self._receipt),
        )
        return statements_json(StatementPage(told, None))

    @cached_property
    def _signer(self) -> Signer:
        secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
        return Signer([PrivateKey(secret, VerificationKey(secret.public_key().public_bytes_raw(), 0))])

    @cached_property
    def _receipt(self) -> str:
        return self._signer.sign(ReceiptStatement.of(self.record, "ann", KEY))

    def _opening(self, pair: SeedPair, after: SeedPair | None = None) -> str:
        opening = OpeningStatement.make(
            time=_TIME,
            bettor="ann",
            scheme=pair.scheme,
            label=pair.label,
            decks=pair.decks,
            commitment=pair.commitment,
            chain=None,
            pay_table_digest=pair.pay_table.digest,
            cap=pair.cap,
            currency={"code": "USD", "decimals": 2},
            number=0 if after is None else 1,
            previous=None if after is None else after.commitment,
            beacon=None,
            log=None,
        )
        return self._signer.sign(opening)

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
        limits = Limits(min_stake=100, max_stake=50_000, per_bet={"tie": (100, 5_000)})
        keys = ("pay_table", "pay_table_digest", "decks", "cap", "currency")
        return {**{key: self.pair[key] for key in keys}, "bets": list(PUNTO_BANCO.offers), "chain_length": None, "limits": limits.to_dict()}

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
