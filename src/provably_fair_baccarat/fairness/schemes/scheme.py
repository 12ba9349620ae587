"""What a scheme is: one small object that says what is committed to and derives cut and cards from the seeds.

Everything behind the cards, dealing, settling and verifying, is the same for all schemes. A scheme of one's own is any object with these
members; it is passed as `Seeds(..., scheme=that_object)` and never registered anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from ..seeds import ServerSeed, TextServerSeed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cards import Card
    from ..seeds import ClientSeed, Commitment

AnyServerSeed: TypeAlias = ServerSeed | TextServerSeed

Derived: TypeAlias = "tuple[int | None, tuple[Card, ...]]"
"""What a scheme derives: the slot at which the shoe is cut, None where it is not, and the cards in the order of their positions."""

Source: TypeAlias = "Callable[[int], Derived]"
"""Where cards come from once the seeds are fixed: from a nonce to what is derived."""


class Scheme(Protocol):
    """What every scheme can do."""

    @property
    def name(self) -> str:
        """How seeds, records and the command line call the scheme: `[a-z0-9-]+`, up to 32 characters."""
        ...

    @property
    def deals_shoes(self) -> bool:
        """Whether a nonce stands for a whole shoe with many coups, and not for one coup."""
        ...

    @property
    def deals_from_chains(self) -> bool:
        """Whether a server seed is a link of a seed chain, so that the commitment is to the chain."""
        ...

    @property
    def has_nonces(self) -> bool:
        """Whether one pair of seeds serves many nonces; without them, every round has its own seed and the nonce is 0 or None."""
        ...

    @property
    def needs_commitment(self) -> bool:
        """Whether there is always a commitment; where there need not be, it may be None, and nothing is known about it then."""
        ...

    @property
    def is_unbiased(self) -> bool:
        """Whether the way of drawing favours no card, exactly."""
        ...

    @property
    def drawing(self) -> str:
        """What the bettor should know about the way of drawing, in whole sentences: bias, an infinite deck."""
        ...

    def read_decks(self, decks: int) -> int | None:
        """The number of decks as the scheme takes it, None for an infinite deck. Raises DecksError for one it does not deal from.

        It is asked with 8, the default, where nobody gave a number.
        """
        ...

    def read_server_seed(self, text: str) -> AnyServerSeed:
        """A server seed from its text. Raises ServerSeedError."""
        ...

    def label(self, decks: int | None) -> str:
        """The text that names scheme and shoe in a record, and in whatever the scheme hashes with it."""
        ...

    def commit(self, server_seed: AnyServerSeed, decks: int | None) -> Commitment:
        """The commitment to a server seed; where it is to a chain, `Chain.commitment` makes it."""
        ...

    def source(self, server_seed: AnyServerSeed, client_seed: ClientSeed, decks: int | None) -> Source:
        """The cards of every nonce under these seeds. What can be prepared is prepared here, once."""
        ...
