"""The links of a pair's seed chain that everyone may know: those of the coups that are settled in order (protocol step 8).

A pair keeps the newest of them. It is proved by hashing down to the anchor, once, and proves all earlier ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import ChainError, LinkMismatchError
from ..fairness.chain import RevealedChain

if TYPE_CHECKING:
    from ..fairness.chain import Chain
    from ..fairness.seeds import ServerSeed
    from .pairs import SeedPair


def told_links(pair: SeedPair) -> RevealedChain:
    """The links of a pair's coups that are settled in order, one at least. Raises LinkMismatchError where the stored link isn't theirs."""
    if pair.chain is None or not pair.settled_in_order:
        raise ChainError(f"pair {pair.id}", "one with a seed chain and a settled coup", "another one")
    if pair.newest_link is None:
        raise LinkMismatchError(f"newest link of pair {pair.id}", f"that of nonce {pair.settled_in_order - 1}", "none")
    return _proved(pair.chain, pair.newest_link, pair.settled_in_order - 1)


def last_place(chain: Chain, next_nonce: int) -> int:
    """The nonce whose link the reveal of a pair tells, once this many coups are all there will be: the one that would have come next.

    Bets that were refused there can be held against it (protocol step 9). Nothing was ever asked of the links behind it; they stay secret.
    """
    return min(next_nonce, chain.length - 1)


@lru_cache(maxsize=64)
def _proved(chain: Chain, link: ServerSeed, nonce: int) -> RevealedChain:
    return RevealedChain(chain, link, nonce)
