"""Seed pairs as everyone may see them: a commitment, whose it is, what it promises, and how far its life has gone.

There is no server seed in here before the reveal, not even a sealed one, and no link of a seed chain before its coup is settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from ..fairness.schemes import scheme_named
from ..records.spelling import currency_form, time_text

if TYPE_CHECKING:
    from datetime import datetime

    from ..canonical import Json
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

    @property
    def label(self) -> str:
        """The text that begins everything that is hashed for this pair (protocol step 1)."""
        return scheme_named(self.scheme).label(self.decks)

    def to_dict(self) -> dict[str, Json]:
        """The pair as JSON; every key is always there."""
        return {
            "id": self.id,
            "bettor": self.bettor,
            "state": self.state.value,
            "commitment": str(self.commitment),
            "label": self.label,
            "scheme": self.scheme,
            "decks": self.decks,
            "cap": self.cap,
            "pay_table": self.pay_table.to_dict(),
            "pay_table_digest": self.pay_table.digest,
            "currency": currency_form(self.currency),
            "client_seed": None if self.client_seed is None else self.client_seed.text,
            "client_seed_made_by": self.client_seed_made_by,
            "server_seed": None if self.server_seed is None else self.server_seed.reveal(),
            "chain": None if self.chain is None else {"anchor": self.chain.anchor, "length": self.chain.length},
            "newest_link": None if self.newest_link is None else self.newest_link.reveal(),
            "next_nonce": self.next_nonce,
            "settled": self.settled,
            "settled_in_order": self.settled_in_order,
            "committed_at": time_text(self.committed_at),
            "chosen_at": time_text(self.chosen_at),
            "closed_at": time_text(self.closed_at),
            "revealed_at": time_text(self.revealed_at),
        }


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

    def to_dict(self) -> dict[str, Json]:
        """The accepted bet as JSON, without its bettor and its statement; amounts are texts."""
        return {
            "pair": self.pair,
            "nonce": self.nonce,
            "key": self.key,
            "bets": {name: str(stake) for name, stake in self.bets},
            "exposure": str(self.exposure),
            "accepted_at": time_text(self.accepted_at),
        }


@dataclass(frozen=True, slots=True)
class Rotation:
    """What a rotation leaves: the pair whose server seed is now revealed, and the one that comes after it, not chosen for yet."""

    revealed: SeedPair
    next_pair: SeedPair
