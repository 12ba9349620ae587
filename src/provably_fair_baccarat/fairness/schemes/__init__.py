"""Schemes: the ways from seeds to cards.

A scheme is one small object. It says what a server seed is committed to, and derives cut and cards from the seeds; everything behind the
cards, dealing, settling and verifying, is the same for all of them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ...errors import SchemeError, describe, nearest
from .pfb1 import PFB1, PFB1_CHAIN, PFB1_SHOE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..seeds import ClientSeed, Commitment, ServerSeed
    from ..shoe import CutAndCards

Source: TypeAlias = "Callable[[int], CutAndCards]"
"""Where cards come from once the seeds are fixed: from a nonce to the cut and the cards in the order of their positions."""


class Scheme(Protocol):
    """What every scheme can do."""

    @property
    def name(self) -> str:
        """How seeds, records and the command line call the scheme."""
        ...

    @property
    def deals_shoes(self) -> bool:
        """Whether a nonce stands for a whole shoe with many coups, and not for one coup."""
        ...

    @property
    def deals_from_chains(self) -> bool:
        """Whether a server seed is a link of a seed chain, so that the commitment is to the chain."""
        ...

    def label(self, decks: int) -> str:
        """The text that names the scheme, its version and the shoe in everything that is hashed."""
        ...

    def commit(self, server_seed: ServerSeed, decks: int) -> Commitment:
        """The commitment to a server seed; where it is to a chain, `Chain.commitment` makes it."""
        ...

    def source(self, server_seed: ServerSeed, client_seed: ClientSeed, decks: int) -> Source:
        """The cards of every nonce under these seeds. What can be prepared is prepared here, once."""
        ...


SCHEMES: Mapping[str, Scheme] = MappingProxyType({scheme.name: scheme for scheme in (PFB1, PFB1_CHAIN, PFB1_SHOE)})
"""Every scheme by its name."""


def scheme_named(name: object) -> Scheme:
    """The scheme of that name, or SchemeError with the nearest known one."""
    scheme = SCHEMES.get(name) if isinstance(name, str) else None
    if scheme is None:
        raise SchemeError("scheme", f"one of {', '.join(SCHEMES)}", describe(name), nearest(str(name), SCHEMES))
    return scheme
