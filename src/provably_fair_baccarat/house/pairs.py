"""Seed pairs as everyone may see them: a commitment, whose it is, what it promises, and how far its life has gone.

There is no server seed in here before the reveal, not even a sealed one, and no link of a seed chain before its coup is settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

    from ..fairness.chain import Chain
    from ..fairness.seeds import ClientSeed, Commitment, ServerSeed
    from ..records import MadeBy
    from ..rules.pay_table import PayTable

Currency: TypeAlias = "tuple[str, int]"
"""A currency's code and the number of its decimals, like ("USD", 2)."""


class PairState(Enum):
    """How far a pair's life has gone; there is no way back."""

    COMMITTED = "committed"
    """The commitment is stored and may be shown; the bettor hasn't chosen a client seed yet."""
    ACTIVE = "active"
    """Both seeds are fixed; bets are taken."""
    CLOSING = "closing"
    """No more bets; what was accepted is dealt and settled."""
    REVEALED = "revealed"
    """The server seed is told, and never deals again."""


@dataclass(frozen=True, slots=True)
class SeedPair:
    """A server seed's commitment and everything that was published with it (protocol steps 2 and 9).

    `decks`, `pay_table`, `cap` and `currency` are those of the House that committed to it, and stay so whatever a House is opened with
    later. `next_nonce` is how many coups were accepted, 0 to `cap`; `settled` how many of them are dealt and settled, `settled_in_order` how
    many before the first that is not. With a seed chain those are proved already (protocol step 8).
    """

    id: str
    """32 lower-case hex digits."""
    bettor: str
    commitment: Commitment
    scheme: str
    decks: int
    pay_table: PayTable
    cap: int
    """How many coups this pair deals at most; then it must be rotated."""
    currency: Currency | None
    state: PairState
    client_seed: ClientSeed | None
    client_seed_made_by: MadeBy | None
    server_seed: ServerSeed | None
    """None until it is revealed. Of a seed chain it is the link that the next coup would have had, or the last one; each coup has its own."""
    chain: Chain | None
    """The seed chain that the commitment is to, None where it is to one server seed."""
    newest_link: ServerSeed | None
    """Of a seed chain: the link of the newest coup that is settled in order, which proves it and all before it."""
    next_nonce: int
    settled: int
    settled_in_order: int
    committed_at: datetime
    chosen_at: datetime | None
    closed_at: datetime | None
    revealed_at: datetime | None


@dataclass(frozen=True, slots=True)
class PairPage:
    """Some pairs in order, and where the next page begins: pass `next` as `after`; it is None on the last page."""

    pairs: tuple[SeedPair, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Acceptance:
    """An accepted bet: its nonce is spent and its stake is taken, and nothing is dealt yet (protocol step 9).

    Amounts are whole smallest currency units. `exposure` is the most that the coup can return.
    """

    pair: str
    bettor: str
    nonce: int
    key: str
    bets: tuple[tuple[str, int], ...]
    exposure: int
    accepted_at: datetime
    statement: str | None = None
    """The signed acceptance, where the house has a signer: for the bettor to keep, before the deal."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """What a rotation leaves: the pair whose server seed is now revealed, and the one that comes after it, not chosen for yet."""

    revealed: SeedPair
    next_pair: SeedPair
