"""Public randomness as a client seed: a round of a drand chain that was named before it existed, for bettors who bring no seed of their own.

The network of drand signs each round, and the round's randomness is the hash of that signature. Whether the signature is the network's is for
a program that knows BLS12-381; here it is only compared and hashed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Self

from ..errors import BeaconError, describe
from ..fairness.seeds import MARK_DIGITS, ClientSeed
from .statements import BeaconRound

if TYPE_CHECKING:
    from ..fairness.seeds import Commitment

_HEX: Final = re.compile(r"([0-9a-f]{2}){48}|([0-9a-f]{2}){96}", re.ASCII)


@dataclass(frozen=True, slots=True)
class BeaconValue:
    """What a drand chain published as a round: its signature, 48 or 96 bytes in lower-case hex. Raises BeaconError for anything else."""

    named: BeaconRound
    signature: str

    def __post_init__(self) -> None:
        if not isinstance(self.signature, str) or not _HEX.fullmatch(self.signature):
            raise BeaconError("signature of a beacon", "48 or 96 bytes in lower-case hex", describe(self.signature))

    @classmethod
    def of(cls, chain: str, number: int, signature: str, randomness: str) -> Self:
        """A round with the randomness that was told with it. Raises BeaconError where that is not the hash of its signature."""
        value = cls(BeaconRound(chain=chain, round=number), signature)
        if value.randomness != randomness:
            raise BeaconError(f"randomness of round {number}", value.randomness, describe(randomness))
        return value

    @property
    def randomness(self) -> str:
        """SHA-256 of the signature, as 64 hex digits."""
        return sha256(bytes.fromhex(self.signature)).hexdigest()

    def client_seed(self, commitment: Commitment) -> ClientSeed:
        """The client seed that this round is for a commitment: `drand-<round>-<randomness>-<first 16 digits of the commitment>`."""
        return ClientSeed(f"drand-{self.named.round}-{self.randomness}-{str(commitment)[:MARK_DIGITS]}")


def round_at(seconds: int, genesis: int, period: int) -> int:
    """The first round of a chain that doesn't exist yet at a time in seconds since 1970: name it in an opening.

    `genesis` and `period` are the chain's, in seconds. Round 1 is published at `genesis`. Raises BeaconError for a period below 1.
    """
    if type(period) is not int or period < 1:
        raise BeaconError("period of a beacon", "a whole number of seconds, from 1", describe(period))
    return max(1, (seconds - genesis) // period + 2)
