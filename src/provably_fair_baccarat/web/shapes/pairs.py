"""The shapes of what a house offers and commits to: its pay table and limits, and seed pairs."""

from typing import Annotated, Literal

from pydantic import Field

from ...fairness.chain import MAX_LENGTH
from ...fairness.inputs import MAX_DECKS, MAX_NONCE
from .texts import Hash, MadeBy, Multiplier, Name, Nonce, PairId, Payout, Shape, Stake, Statement, Time


class ChainClaim(Shape):
    """A seed chain: its anchor and its length."""

    anchor: Hash
    length: Annotated[int, Field(ge=1, le=MAX_LENGTH)]


class Currency(Shape):
    """A currency, and how many decimals its smallest unit stands for."""

    code: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{0,15}$")]
    decimals: Annotated[int, Field(ge=0, le=38)]


class PayTable(Shape):
    """What each bet pays, stake included."""

    player_multiplier: Multiplier
    banker_multiplier: Multiplier
    tie_multiplier: Multiplier
    banker_exceptions: dict[Name, Payout]
    side_bets: dict[Name, dict[Name, Payout]]
    stake_step: Stake
    rounding: Literal["down"]


class BetLimits(Shape):
    """What may be staked on one bet."""

    min_stake: Stake
    max_stake: Stake


class Limits(BetLimits):
    """What may be staked on each bet, or what `per_bet` says for it; on all bets of a coup; and what a coup may return."""

    min_total: Stake
    max_total: Stake
    max_payout: Stake
    stake_step: Stake
    per_bet: dict[Name, BetLimits]


class Offer(Shape):
    """What new pairs are committed with."""

    pay_table: PayTable
    pay_table_digest: Hash
    bets: list[Name]
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)]
    cap: Annotated[int, Field(ge=1, le=MAX_NONCE + 1)]
    chain_length: Annotated[int, Field(ge=1, le=MAX_LENGTH)] | None
    currency: Currency | None
    limits: Limits


class Pair(Shape):
    """A seed pair: its commitment and everything that was published with it. The server seed is null until it is revealed.

    Of a seed chain, `newest_link` proves the first `settled_in_order` coups.
    """

    id: PairId
    state: Literal["committed", "active", "closing", "revealed"]
    commitment: Hash
    label: str
    scheme: str
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)]
    cap: Annotated[int, Field(ge=1, le=MAX_NONCE + 1)]
    pay_table: PayTable
    pay_table_digest: Hash
    currency: Currency | None
    client_seed: str | None
    client_seed_made_by: MadeBy | None
    server_seed: Hash | None
    chain: ChainClaim | None
    newest_link: Hash | None
    next_nonce: Nonce
    settled: Nonce
    settled_in_order: Nonce
    committed_at: Time
    chosen_at: Time | None
    closed_at: Time | None
    revealed_at: Time | None


class SignedPair(Pair):
    """A pair, and its signed opening, to be kept before anything is bet; null where the house does not sign."""

    statement: Statement | None


class Pairs(Shape):
    """Pairs, the latest first, and where the next page begins; null on the last."""

    pairs: list[Pair]
    next: PairId | None


class Rotation(Shape):
    """The pair whose server seed is now revealed, and the one that comes after it."""

    revealed: Pair
    next_pair: SignedPair
