"""The bridge: a round is a coup and where it came from.

Dealing and verifying both run `play_round`; there is no second pipeline. This is the lowest room that knows both seeds and rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import DealError, SchemeError, SeedTextError, Slip, describe
from .fairness.inputs import parse_nonce
from .fairness.seed_pair import Origin, Seeds
from .fairness.shoe import POSITIONS
from .frozen import open_twin
from .rules.coup import Coup, deal_coup
from .rules.shoe_session import ShoeSession

if TYPE_CHECKING:
    from .cards import Card
    from .fairness.seeds import ClientSeed, Commitment


@dataclass(frozen=True, slots=True)
class Round:
    """A coup and where it came from. It holds no server seed: anyone may see it.

    `cut` is the slot at which the shoe was cut, 0 to 52 x decks - 1, or None where the scheme of another house has no cut. `cards` are the
    cards of positions 1 to 6, whether the coup used them or not; of a shoe dealt through, the cards that the coup used. `index` is the
    coup's place in such a shoe, else None.
    """

    origin: Origin
    nonce: int
    cut: int | None
    cards: tuple[Card, ...]
    coup: Coup
    index: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.origin, Origin):
            raise SeedTextError("origin of a round", "an Origin", describe(self.origin))
        parse_nonce(self.nonce)
        size = 52 * (self.decks or 1)
        if self.cut is not None and (type(self.cut) is not int or not 0 <= self.cut < size):
            raise DealError("cut", f"None or a whole number from 0 to {size - 1}", describe(self.cut))
        if self.index is not None and (type(self.index) is not int or self.index < 0):
            raise DealError("index in a shoe", "None or a whole number from 0", describe(self.index))
        if not isinstance(self.coup, Coup) or deal_coup(self.cards) != self.coup:
            raise DealError("coup of a round", "the one that its cards give", describe(self.coup))

    @property
    def client_seed(self) -> ClientSeed:
        """The bettor's seed."""
        return self.origin.client_seed

    @property
    def commitment(self) -> Commitment | None:
        """The commitment that the server seed answers to; None where another house gave none."""
        return self.origin.commitment

    @property
    def decks(self) -> int | None:
        """How many decks the shoe is made of, 1 to 8; None for an infinite deck."""
        return self.origin.decks

    @property
    def scheme(self) -> str:
        """The way from the seeds to the cards."""
        return self.origin.scheme


_OpenRound = open_twin(Round)


def play_round(seeds: Seeds, nonce: int | None) -> Round:
    """Derive and deal the coup of this nonce (protocol steps 3 to 6).

    The same seeds and nonce always give the same round. Raises NonceError unless nonce is a whole number from 0 to 2^53 - 1, or None with a
    scheme that has no nonces, SchemeError for seeds whose scheme deals shoes, and LinkMismatchError for the link of another nonce.
    """
    require_seeds(seeds)
    nonce = read_nonce(seeds, nonce)
    cut, cards = seeds.source(nonce)
    if len(cards) != POSITIONS:
        raise SchemeError("scheme", "one that deals coups, like 'pfb1'", repr(seeds.scheme), (Slip("deal_shoe", "Use play_shoe."),))
    played = _OpenRound()
    played.origin = seeds.origin
    played.nonce = nonce
    played.cut = cut
    played.cards = cards
    played.coup = deal_coup(cards)
    played.index = None
    played.__class__ = Round
    return played  # type: ignore[no-any-return]  # it is a Round since the line before


def play_shoe(seeds: Seeds, nonce: int) -> tuple[Round, ...]:
    """Derive the shoe of this nonce and deal it through: a round for every coup, in order (protocol step 10).

    The seeds are of a scheme that deals shoes, like `pfb1-shoe`. Raises SchemeError for another one, and NonceError for the nonce.
    """
    require_seeds(seeds)
    parse_nonce(nonce)
    if not seeds.way.deals_shoes:
        raise SchemeError("scheme", "one that deals shoes, like 'pfb1-shoe'", repr(seeds.scheme), (Slip("deal_coup", "Use play_round."),))
    cut, cards = seeds.source(nonce)
    return tuple(Round(seeds.origin, nonce, cut, coup.cards, coup, index) for index, coup in enumerate(ShoeSession(cards)))


def read_nonce(seeds: Seeds, nonce: int | None) -> int:
    """A nonce as it is, and 0 for None where the scheme has no nonces. Raises NonceError for anything else."""
    return 0 if nonce is None and not seeds.way.has_nonces else parse_nonce(nonce)


def require_seeds(seeds: Seeds) -> None:
    """Refuse what is no Seeds value, with SeedTextError."""
    if not isinstance(seeds, Seeds):
        raise SeedTextError("seeds", "a Seeds value", f"a value of type {type(seeds).__name__}")
