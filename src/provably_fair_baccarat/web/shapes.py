"""The shapes of what goes over the wire: bodies are read by them, and OpenAPI shows them. Answers are written elsewhere, and never through them.

Amounts are text on the wire, in whole smallest currency units: no JSON number can lose a digit of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from ..fairness.chain import MAX_LENGTH
from ..fairness.inputs import MAX_DECKS, MAX_NONCE

Amount: TypeAlias = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,37})$", examples=["975"])]
Stake: TypeAlias = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,37}$", examples=["500"])]
Statement: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$")]
Net: TypeAlias = Annotated[str, Field(pattern=r"^(0|-?[1-9][0-9]{0,37})$")]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PairId: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Name: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Multiplier: TypeAlias = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,5}\.[0-9]{1,6}$")]
Payout: TypeAlias = Annotated[str, Field(pattern=r"^(push|[1-9][0-9]{0,5}\.[0-9]{1,6})$")]
Card: TypeAlias = Annotated[str, Field(pattern=r"^[A23456789TJQK][shdc]$")]
Time: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$")]
Fraction: TypeAlias = Annotated[str, Field(pattern=r"^-?[0-9]+(/[1-9][0-9]*)?$")]
Decimal: TypeAlias = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
Nonce: TypeAlias = Annotated[int, Field(ge=0, le=MAX_NONCE)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Hand: TypeAlias = Literal["player", "banker"]
Winner: TypeAlias = Literal["player", "banker", "tie"]
MadeBy: TypeAlias = Literal["bettor", "operator"]
Grade: TypeAlias = Literal["proved", "claimed", "unknown"]


class Shape(BaseModel):
    """An object with these keys, all of them and no others."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)


# What is asked


class Bets(Shape):
    """Bets on the next coup."""

    bets: Annotated[dict[Name, Stake], Field(min_length=1, max_length=64, description="Stakes by the names of bets.")]
    nonce: Annotated[Nonce | None, Field(description="Refuse the bet unless this nonce comes next.")] = None


class ChosenSeed(Shape):
    """The bettor's client seed; null lets the operator make one, which is recorded as the operator's."""

    client_seed: Annotated[str, Field(min_length=1, max_length=128)] | None


class ChainClaim(Shape):
    """A seed chain: its anchor and its length."""

    anchor: Hash
    length: Annotated[int, Field(ge=1, le=MAX_LENGTH)]


class Claim(Shape):
    """A round to verify: from its seeds, from its record, or both. What is left out is taken from the record."""

    server_seed: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    client_seed: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    commitment: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    nonce: Nonce | None = None
    index: Annotated[int, Field(ge=0, le=52 * MAX_DECKS)] | None = None
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] | None = None
    scheme: Annotated[str, Field(min_length=1, max_length=32)] | None = None
    chain: ChainClaim | None = None
    record: dict[str, Any] | None = None
    pay_table: Annotated[dict[str, Any] | None, Field(description="The offer that the bettor kept, as a record has it.")] = None


# What is answered


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


class Acceptance(Shape):
    """An accepted bet: its nonce is spent, its stake is taken, nothing is dealt yet."""

    pair: PairId
    nonce: Nonce
    key: str
    bets: dict[Name, Stake]
    exposure: Amount
    accepted_at: Time


class SignedAcceptance(Acceptance):
    """An accepted bet, and the signed acceptance, to be kept before the deal; null where the house does not sign."""

    statement: Statement | None


class HandOfCards(Shape):
    """A hand: its cards and its score."""

    cards: Annotated[list[Card], Field(min_length=2, max_length=3)]
    score: Annotated[int, Field(ge=0, le=9)]


class SettledBet(Shape):
    """What became of a bet."""

    stake: Stake
    status: Literal["won", "pushed", "lost"]
    returned: Amount


class Totals(Shape):
    """The sums over all bets."""

    staked: Amount
    returned: Amount
    net: Net


class Record(Shape):
    """One round as it is published, in canonical JSON: these bytes are what one digests and keeps."""

    format_version: Literal[1]
    scheme: str
    label: str
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] | None
    commitment: Hash | None
    chain: ChainClaim | None
    server_seed: str | None
    client_seed: str
    client_seed_hex: Annotated[str, Field(pattern=r"^([0-9a-f]{2}){1,128}$")]
    client_seed_made_by: MadeBy | None
    nonce: Nonce
    index: Count | None
    cut: Count | None
    cards: Annotated[list[Card], Field(min_length=4, max_length=6)]
    player: HandOfCards
    banker: HandOfCards
    natural: bool
    winner: Winner
    bets: dict[Name, SettledBet]
    totals: Totals
    pay_table: PayTable
    pay_table_digest: Hash
    currency: Currency | None
    accepted_at: Time | None
    settled_at: Time | None


class Round(Shape):
    """A round as the house keeps it; `record` and `balance_after` are null until it is dealt, and balances that only a wallet knows.

    In a list `record` is null too while the house does not know a bet of it, one of the operator's own.
    """

    id: Annotated[int, Field(ge=1)]
    pair: PairId
    nonce: Nonce
    key: str
    bets: dict[Name, Stake]
    exposure: Amount
    accepted_at: Time
    balance_before: Amount | None
    balance_after: Amount | None
    record: Record | None


class SignedRound(Round):
    """A round, and what is signed about it: the receipt, or the acceptance until it is dealt; null where the house does not sign."""

    statement: Statement | None


class KeptStatement(Shape):
    """A signed statement: its kind, the nonce that it is about or null for the pair itself, and its place in the log once it has one."""

    kind: Literal["opening", "acceptance", "receipt", "closing"]
    nonce: Nonce | None
    place: Count | None
    statement: Statement


class Statements(Shape):
    """Signed statements in the order of their nonces, those about the pair first, and where the next page begins; null on the last."""

    statements: list[KeptStatement]
    next: Nonce | None


class Rounds(Shape):
    """Rounds in order, and where the next page begins: pass `next` as `after`. It is null on the last page."""

    rounds: list[Round]
    next: Annotated[int, Field(ge=1)] | None


class Balance(Shape):
    """What the bettor has."""

    balance: Amount
    currency: Currency | None


class Figure(Shape):
    """An exact figure, and the same to twelve decimals."""

    fraction: Fraction
    decimal: Decimal


class BetOdds(Shape):
    """The odds of one bet, per unit staked."""

    hit_frequency: Figure
    push_probability: Figure
    expected_return: Figure
    house_edge: Figure
    standard_deviation: Decimal


class Odds(Shape):
    """The exact odds of every bet on offer, counted and never sampled."""

    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)]
    pay_table_digest: Hash
    bets: dict[Name, BetOdds]


class Bead(Shape):
    """A cell of the bead plate: one coup."""

    column: Count
    row: Annotated[int, Field(ge=0, le=5)]
    winner: Winner
    player_pair: bool
    banker_pair: bool
    natural: bool


class Win(Bead):
    """A cell of the big road: one win, and the ties behind it."""

    ties: Count


class Mark(Shape):
    """A cell of a derived road."""

    column: Count
    row: Annotated[int, Field(ge=0, le=5)]
    mark: Literal["red", "blue"]


class BigRoad(Shape):
    """The big road: its streaks, and the ties before the first win."""

    leading_ties: Count
    streaks: list[list[Win]]


class NextMarks(Shape):
    """What each derived road would mark next."""

    big_eye_boy: Literal["red", "blue"] | None
    small_road: Literal["red", "blue"] | None
    cockroach: Literal["red", "blue"] | None


class Roads(Shape):
    """The scoreboards of the bettor's latest coups under one pair. They tell what happened, and nothing about what will."""

    pair: PairId | None
    coups: Count
    rows: Literal[6]
    bead_plate: list[Bead]
    big_road: BigRoad
    big_eye_boy: list[Mark]
    small_road: list[Mark]
    cockroach: list[Mark]
    ask: dict[Hand, NextMarks]


class Check(Shape):
    """Something that was recomputed and found right."""

    code: str
    sentence: str


class Guarantee(Shape):
    """How far something a bettor wants to be sure of holds, and why."""

    grade: Grade
    sentence: str


class Slip(Shape):
    """A likely mistake."""

    code: str
    sentence: str


class Difference(Shape):
    """What differs, and the slips that would explain it, best guess first."""

    code: str
    subject: str
    expected: str
    found: str
    hint: str | None
    slips: list[Slip]


class VerifiedRound(Shape):
    """The round that was recomputed."""

    scheme: str
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] | None
    commitment: Hash | None
    client_seed: str
    nonce: Nonce
    index: Count | None
    cut: Count | None
    cards: list[Card]
    winner: Winner


class Verdict(Shape):
    """What a verification says: verified with all that was checked, or the first thing that differs."""

    verified: bool
    round: VerifiedRound | None
    checks: list[Check]
    guarantees: dict[str, Guarantee]
    error: Difference | None


class Problem(Shape):
    """Problem details (RFC 9457) with the library's own code."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    subject: str | None
    expected: str | None
    found: str | None
    hint: str | None
    slips: list[Slip]
