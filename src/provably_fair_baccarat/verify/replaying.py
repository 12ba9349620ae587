"""The replay: the one round that seeds, nonce and, in a shoe, an index name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import IndexMismatchError, describe
from ..rounds import play_round, play_shoe, read_nonce

if TYPE_CHECKING:
    from ..fairness.seed_pair import Seeds
    from ..rounds import Round


def replay(seeds: Seeds, nonce: int | None, index: int | None) -> Round:
    """The round of this nonce, and in a shoe of this index. Raises NonceError and IndexMismatchError for others."""
    place = read_index(seeds, index)
    if place is None:
        return play_round(seeds, nonce)
    rounds = play_shoe(seeds, read_nonce(seeds, nonce))
    if place >= len(rounds):
        raise IndexMismatchError("index in a shoe", f"a whole number from 0 to {len(rounds) - 1}", describe(index))
    return rounds[place]


def read_index(seeds: Seeds, index: int | None) -> int | None:
    """The place in a shoe as it is, and None where there are no shoes. Raises IndexMismatchError for anything else."""
    if not seeds.way.deals_shoes:
        if index is not None:
            raise IndexMismatchError("index in a shoe", f"none, since {seeds.scheme} deals every coup from a fresh shoe", describe(index))
        return None
    if type(index) is not int or index < 0:
        raise IndexMismatchError("index in a shoe", "a whole number from 0", describe(index))
    return index
