"""What a house offers with its new pairs, and how one is made: a server seed or a seed chain, sealed, and the commitment to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from ..canonical import canonical_json
from ..fairness.chain import SeedChain
from ..fairness.schemes.pfb1 import PFB1, PFB1_CHAIN
from ..fairness.seed_pair import commit
from ..fairness.seeds import ServerSeed
from .history import write_currency
from .store import NewPair
from .vault import Binding

if TYPE_CHECKING:
    from ..fairness.seeds import Entropy
    from ..rules.pay_table import PayTable
    from .pairs import Currency
    from .signing import Mouth
    from .vault import Vault


@dataclass(frozen=True, slots=True)
class Offer:
    """What a pair is committed with and keeps, whatever its house offers later."""

    pay_table: PayTable
    decks: int
    cap: int
    chain_length: int | None
    currency: Currency | None
    is_remote: bool


class PairMaker:
    """Makes new pairs of one offer, with secrets from `entropy` that leave here sealed, and their openings signed where there is a mouth."""

    def __init__(self, offer: Offer, vault: Vault, entropy: Entropy, mouth: Mouth | None) -> None:
        self._offer = offer
        self._vault = vault
        self._entropy = entropy
        self._mouth = mouth

    def make(self, bettor: str) -> NewPair:
        """A new pair of this bettor (protocol steps 1, 2 and 8)."""
        offer = self._offer
        secret = ServerSeed.generate(self._entropy)
        seed_chain = None if offer.chain_length is None else SeedChain(secret, offer.chain_length, offer.decks)
        chain = None if seed_chain is None else seed_chain.chain
        scheme = PFB1 if chain is None else PFB1_CHAIN
        commitment = commit(secret, offer.decks) if seed_chain is None else seed_chain.commitment
        pair_id = self._entropy(16).hex()
        sealed = self._vault.seal(secret, Binding(pair_id, scheme.label(offer.decks), commitment.digest))
        new = NewPair(
            pair_id,
            bettor,
            write_currency(offer.currency),
            scheme.name,
            offer.decks,
            commitment.digest,
            sha256(b"provably-fair-baccarat server seed in use:" + secret.reveal_bytes()).digest(),
            sealed,
            offer.pay_table.digest,
            canonical_json(offer.pay_table.to_dict()).decode(),
            offer.cap,
            offer.is_remote,
            None if chain is None else bytes.fromhex(chain.anchor),
            None if chain is None else chain.length,
        )
        if self._mouth is None:
            return new
        return replace(new, say=self._mouth.say_opened(new, scheme.label(offer.decks), offer.currency))
