"""What a specimen is made of, and the seed pairs of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from itertools import cycle, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ...errors import AuditError, describe, nearest
from ...fairness.chain import MAX_LENGTH
from ...fairness.inputs import parse_decks
from ...laboratory.pairs import read_rounds, repeatable_entropy
from ...rules.ready_tables import ALL_BETS, DRAGON_BONUS, EZ_BACCARAT, PUNTO_BANCO, SUPER_SIX
from .faults import FAULTS, SEED_FAULTS, SHOE_FAULTS, of_chains, of_shoes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...rules.pay_table import PayTable

KINDS: Final = (*FAULTS, *SEED_FAULTS, *SHOE_FAULTS)
"""Every kind of fault."""


def kinds_for(*, chains: bool, shoes: bool, seeds: bool) -> tuple[str, ...]:
    """The kinds of faults that can be planted, and found, in a specimen that has chains, shoes and a table of seeds, or has not."""
    ours = tuple(kind for kind in FAULTS if chains or not of_chains(kind))
    return (*ours, *(SEED_FAULTS if seeds else ()), *(SHOE_FAULTS if shoes else ()))


FEWEST: Final = 4
"""Rounds that a pair must have for a fault to be planted inside it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """So many rounds over so many seed pairs, all of it from 32 bytes of entropy.

    Pairs take their decks and pay tables in turn; each `chains`-th pair is a seed chain, none where that is 0. `faults` says how often each
    kind is planted, each in a pair of its own. Behind the rounds come those of so many `shoes` dealt through, each with a pair of its own.
    Raises AuditError, LaboratoryError or DecksError for what cannot be.
    """

    rounds: int
    key: bytes = bytes(32)
    pairs: int = 1000
    decks: tuple[int, ...] = (8, 6)
    pay_tables: tuple[PayTable, ...] = (PUNTO_BANCO, SUPER_SIX, EZ_BACCARAT, DRAGON_BONUS, ALL_BETS)
    chains: int = 0
    faults: Mapping[str, int] = field(default_factory=dict[str, int])
    shoes: int = 0

    def __post_init__(self) -> None:
        read_rounds(self.rounds)
        if read_rounds(self.pairs, "pairs") > self.rounds:
            raise AuditError("pairs of a specimen", "at most as many as rounds", describe(self.pairs))
        if not self.decks or not self.pay_tables:
            raise AuditError("decks and pay tables of a specimen", "at least one of each", "none")
        for decks in self.decks:
            parse_decks(decks)
        repeatable_entropy(self.key)
        if type(self.chains) is not int or self.chains < 0 or (self.chains and -(-self.rounds // self.pairs) > MAX_LENGTH):
            raise AuditError("chains of a specimen", f"0 or more, of at most {MAX_LENGTH} rounds each", describe(self.chains))
        self._require_places()
        object.__setattr__(self, "faults", MappingProxyType(dict(self.faults)))

    def _require_places(self) -> None:
        """Raise AuditError unless every fault has a pair, or a shoe, of its own."""
        for kind, number in self.faults.items():
            if kind not in KINDS:
                raise AuditError("fault", f"one of {', '.join(KINDS)}", describe(kind), nearest(kind, KINDS))
            if type(number) is not int or number < 0:
                raise AuditError(f"faults of kind {kind}", "a whole number from 0", describe(number))
        if type(self.shoes) is not int or self.shoes < 0:
            raise AuditError("shoes of a specimen", "a whole number from 0", describe(self.shoes))
        in_shoes = sum(number for kind, number in self.faults.items() if of_shoes(kind))
        if in_shoes > self.shoes:
            raise AuditError("faults of shoes", "a shoe for each", f"{in_shoes} faults and {self.shoes} shoes")
        links = sum(number for kind, number in self.faults.items() if of_chains(kind))
        pairs = self.pairs, self.pairs // self.chains if self.chains else 0
        if self.faults and self.rounds // self.pairs < FEWEST:
            raise AuditError("rounds of a specimen with faults", f"at least {FEWEST} for each pair", f"{self.rounds // self.pairs}")
        if links > pairs[1] or sum(self.faults.values()) - in_shoes > pairs[0] - pairs[1] + links:
            raise AuditError(
                "faults of a specimen", "a pair for each, and a seed chain for those of chains", describe(sum(self.faults.values()))
            )

    def is_chain(self, pair: int) -> bool:
        """Whether that pair is a seed chain."""
        return bool(self.chains) and pair % self.chains == self.chains - 1

    def rounds_of(self, pair: int) -> int:
        """How many rounds that pair has: as many as the others, or one more."""
        return self.rounds // self.pairs + (pair < self.rounds % self.pairs)


@dataclass(frozen=True, slots=True)
class Pair:
    """One seed pair, or seed chain, of a specimen: server seeds one behind the other, one of them or one for each nonce."""

    number: int
    decks: int
    pay_table: int
    rounds: int
    commitment: bytes
    server_seeds: bytes
    client_seed: bytes
    anchor: bytes | None
    """link(0), or None where there is no chain."""


def pairs_of(plan: Plan) -> Iterator[Pair]:
    """The pairs of a plan in order: a secret, the commitment to it, and a marked client seed (protocol steps 2, 8 and 9)."""
    entropy = repeatable_entropy(plan.key)
    turns = zip(cycle(plan.decks), cycle(range(len(plan.pay_tables))), strict=False)
    for number, (decks, pay_table) in enumerate(islice(turns, plan.pairs)):
        rounds, secret, anchor = plan.rounds_of(number), entropy(32), None
        if plan.is_chain(number):
            *links, anchor = islice(_links(secret), rounds + 1)
            server_seeds = b"".join(reversed(links))
            commitment = sha256(f"pfb1-chain:{decks}:{rounds}:{anchor.hex()}".encode()).digest()
        else:
            server_seeds = secret
            commitment = sha256(f"pfb1:{decks}:{secret.hex()}".encode()).digest()
        client_seed = f"{entropy(8).hex()}-{commitment.hex()[:16]}".encode()
        yield Pair(number, decks, pay_table, rounds, commitment, server_seeds, client_seed, anchor)


def _links(last: bytes) -> Iterator[bytes]:
    """The last link of a chain, the one before it, and so on."""
    while True:
        yield last
        last = sha256(last).digest()
