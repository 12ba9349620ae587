"""Seed pairs without end, made as a house and its bettors make them, from entropy that can be had again."""

from __future__ import annotations

import hmac
from itertools import count
from typing import TYPE_CHECKING, Final

from ..errors import LaboratoryError, describe
from ..fairness.hex_form import describe_secret
from ..fairness.inputs import parse_decks
from ..fairness.seed_pair import Seeds, commit
from ..fairness.seeds import ClientSeed, ServerSeed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..fairness.seeds import Entropy

ENTROPY_BYTES: Final = 32
"""How much entropy everything here comes from."""

MAX_ROUNDS: Final = 10**15
"""The most rounds of a run: more than a year of any machine, and few enough for every nonce to be one."""

_BLOCK: Final = 32


def repeatable_entropy(key: bytes) -> Entropy:
    """A source of random bytes that gives the same ones for the same key of 32 bytes.

    Each request takes the next blocks that it needs, HMAC-SHA-256 of `pfb laboratory:0`, `pfb laboratory:1` and so on under the key, and
    drops what it does not need of the last one. Raises LaboratoryError for anything but 32 bytes.
    """
    if type(key) is not bytes or len(key) != ENTROPY_BYTES:
        raise LaboratoryError("entropy", f"{ENTROPY_BYTES} bytes", describe_secret(key))
    numbers = count()

    def entropy(size: int) -> bytes:
        blocks = [hmac.digest(key, b"pfb laboratory:%d" % next(numbers), "sha256") for _ in range(-(-size // _BLOCK))]
        return b"".join(blocks)[:size]

    return entropy


def seed_pairs(key: bytes, decks: int = 8) -> Iterator[Seeds]:
    """Seed pairs of the scheme pfb1 without end: a new server seed, its commitment, and the marked client seed of a bettor who saw it.

    The same key of 32 bytes gives the same pairs. Raises LaboratoryError and DecksError at once.
    """
    return _pairs(repeatable_entropy(key), parse_decks(decks))


def _pairs(entropy: Entropy, decks: int) -> Iterator[Seeds]:
    while True:
        server_seed = ServerSeed.generate(entropy)
        commitment = commit(server_seed, decks)
        yield Seeds(server_seed, ClientSeed.generate(commitment, entropy), commitment, decks)


def read_rounds(rounds: object, subject: str = "rounds") -> int:
    """A number of rounds as it is: a whole number from 1 to 10^15. Raises LaboratoryError for anything else."""
    if type(rounds) is not int or not 1 <= rounds <= MAX_ROUNDS:
        raise LaboratoryError(subject, "a whole number from 1 to 10^15", describe(rounds))
    return rounds
