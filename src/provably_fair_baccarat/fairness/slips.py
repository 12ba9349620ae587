"""The likely slips behind seeds that do not fit their commitment.

Each guess is tried before it is told. Nothing is mended here and no server seed is repeated: a slip says what to look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import SeedError, Slip
from .hex_form import hex_slips, mend_hex
from .inputs import MAX_DECKS
from .schemes import SCHEMES, AnyServerSeed
from .seeds import ClientSeed, Commitment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .chain import Chain
    from .schemes import Scheme

_DECKS = range(1, MAX_DECKS + 1)


def seed_slips(server_seed: object, client_seed: object, commitment: object, decks: int | None, scheme: Scheme) -> tuple[Slip, ...]:
    """What may have gone wrong with these three inputs, each a value or the text a person gave, best guess first."""
    return tuple(_guesses(_text(server_seed), _text(client_seed), _text(commitment), decks, scheme))


def chain_slips(chain: Chain, commitment: Commitment, decks: int) -> tuple[Slip, ...]:
    """What may have gone wrong where a commitment is not that of the chain."""
    return tuple(_decks_slip(number) for number in _DECKS if number != decks and chain.commitment(number) == commitment)


def _guesses(server_seed: str, client_seed: str, commitment: str, decks: int | None, scheme: Scheme) -> Iterator[Slip]:
    server, published = mend_hex(server_seed) or server_seed, mend_hex(commitment)
    if published is not None:
        if server == published:
            yield Slip(
                "commitment_as_server_seed",
                "The same text was given as the server seed and as the commitment; the server seed is told when the seed pair is rotated.",
            )
            return
        if any(_commits(scheme, mend_hex(client_seed) or client_seed, number, published) for number in _numbers(scheme)):
            yield Slip("seeds_swapped", "The server seed and the client seed are swapped.")
            return
        if any(_commits(known, published, number, server) for known in SCHEMES.values() for number in _numbers(known)):
            yield Slip("commitment_swapped", "The server seed and the commitment are swapped.")
            return
        yield from _labels(server, published, decks, scheme)
    if scheme.needs_commitment:
        yield from hex_slips(server_seed)
    yield from (Slip(slip.code, f"In the commitment: {slip.sentence}") for slip in hex_slips(commitment))


def _labels(server_seed: str, commitment: str, decks: int | None, scheme: Scheme) -> Iterator[Slip]:
    """Another number of decks, or else another scheme, under which the server seed has this commitment."""
    for number in _numbers(scheme):
        if number is not None and number != decks and _commits(scheme, server_seed, number, commitment):
            yield _decks_slip(number)
            return
    for known in SCHEMES.values():
        if known is not scheme and any(_commits(known, server_seed, number, commitment) for number in _numbers(known)):
            yield Slip("scheme", f"The commitment is that of another scheme, {known.name}.")
            return


def _numbers(scheme: Scheme) -> Iterable[int | None]:
    """The numbers of decks that a scheme deals from: all of them, or its own."""
    return _DECKS if scheme.read_decks(MAX_DECKS) == MAX_DECKS else (scheme.read_decks(MAX_DECKS),)


def _commits(scheme: Scheme, server_seed: str, decks: int | None, commitment: str) -> bool:
    if scheme.deals_from_chains:
        return False
    try:
        return str(scheme.commit(scheme.read_server_seed(server_seed), decks)) == commitment
    except SeedError:
        return False


def _decks_slip(decks: int) -> Slip:
    return Slip("decks", f"The commitment is for a shoe of {decks} deck{'s' * (decks > 1)}.")


def _text(value: object) -> str:
    if isinstance(value, AnyServerSeed):
        return value.reveal()
    return str(value) if isinstance(value, (str, Commitment, ClientSeed)) else ""
