"""The shapes of bets, rounds and their records, of what is signed about them, and of balances."""

from typing import Annotated, Literal

from pydantic import Field

from ...fairness.inputs import MAX_DECKS
from .pairs import ChainClaim, Currency, PayTable
from .texts import Amount, Card, Count, Hash, MadeBy, Name, Net, Nonce, PairId, Shape, Stake, Statement, Time, Winner


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
