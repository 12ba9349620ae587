"""The likely slips behind seeds that do not fit their commitment.

Each guess is tried before it is told. Nothing is mended here and no server seed is repeated: a slip says what to look at.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ..errors import Slip
from .hex_form import hex_slips, mend_hex
from .inputs import MAX_DECKS
from .schemes import SCHEMES
from .seeds import Commitment, ServerSeed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .chain import Chain
    from .schemes import Scheme


_DECKS = range(1, MAX_DECKS + 1)


def seed_slips(server_seed: object, client_seed: object, commitment: object, decks: int, scheme: Scheme) -> tuple[Slip, ...]:
    """What may have gone wrong with these three inputs, each a value or the text a person gave, best guess first."""
    return tuple(_guesses(_text(server_seed), _text(client_seed), _text(commitment), decks, scheme))


def chain_slips(chain: Chain, commitment: Commitment, decks: int) -> tuple[Slip, ...]:
    """What may have gone wrong where a commitment is not that of the chain."""
    return tuple(_decks_slip(number) for number in _DECKS if number != decks and chain.commitment(number) == commitment)


def _guesses(server_seed: str, client_seed: str, commitment: str, decks: int, scheme: Scheme) -> Iterator[Slip]:
    server, other, published = mend_hex(server_seed), mend_hex(client_seed), mend_hex(commitment)
    if server is not None and server == published:
        yield Slip(
            "commitment_as_server_seed",
            "This is the commitment in place of the server seed; the server seed is told when the seed pair is rotated.",
        )
        return
    if published is not None and other is not None and any(_commits(scheme, other, number, published) for number in _DECKS):
        yield Slip("seeds_swapped", "The server seed and the client seed are swapped.")
        return
    if published is not None and server is not None:
        if _commits(scheme, published, decks, server):
            yield Slip("commitment_swapped", "The server seed and the commitment are swapped.")
            return
        unchained = (known for known in SCHEMES.values() if not known.deals_from_chains)
        for known, number in product(unchained, _DECKS):
            if (known, number) != (scheme, decks) and _commits(known, server, number, published):
                yield _other_label(known, number, scheme)
    yield from hex_slips(server_seed)
    yield from (Slip(slip.code, f"In the commitment: {slip.sentence}") for slip in hex_slips(commitment))


def _other_label(scheme: Scheme, decks: int, given: Scheme) -> Slip:
    if scheme is given:
        return _decks_slip(decks)
    return Slip("scheme", f"The commitment is for the scheme {scheme.name} with {decks} deck{'s' * (decks > 1)}.")


def _decks_slip(decks: int) -> Slip:
    return Slip("decks", f"The commitment is for a shoe of {decks} deck{'s' * (decks > 1)}.")


def _commits(scheme: Scheme, server_seed: str, decks: int, commitment: str) -> bool:
    return scheme.commit(ServerSeed.parse(server_seed), decks) == Commitment.parse(commitment)


def _text(value: object) -> str:
    return value.reveal() if isinstance(value, ServerSeed) else str(value)
