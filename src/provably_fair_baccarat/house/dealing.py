"""Open pairs: the unsealed seeds of pairs in play, prepared once and kept for the next coups.

This is where server seeds and seed chains are in memory while they are secret. There are at most so many of them, the least used go first,
and a pair's goes before it is revealed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..errors import PairStateError, SchemeError, SealError, SigningKeyError, Slip, VaultError
from ..fairness.chain import SeedChain
from ..fairness.seed_pair import Seeds, commit
from ..fairness.seeds import ServerSeed
from ..rounds import play_round
from ..rules.settlement import settle
from .amounts import parse_bets
from .history import find_pair
from .links import last_place
from .pairs import PairState
from .recording import Recorder
from .refusals import reason_of
from .store import DealtCoup
from .vault import Binding

if TYPE_CHECKING:
    from ..rules.pay_table import PayTable
    from .clock import Clock
    from .history import PairReader
    from .pairs import SeedPair
    from .rows import PairRow
    from .signing import Mouth
    from .store import Signs, Store, Tell
    from .vault import Vault

MAX_OPEN_PAIRS: Final = 4096
"""How many pairs' seeds are kept ready at most."""


@dataclass(frozen=True, slots=True)
class OpenPair:
    """A pair ready to deal: what never changes about it, and its seeds, None where they aren't both fixed."""

    number: int
    pair: SeedPair
    """As it was when it was opened: its state and counters may have gone on."""
    is_remote: bool
    clock: Clock = field(repr=False)
    seeds: Seeds | None
    chain: SeedChain | None
    """The seed chain in place of one server seed, None where there is none or the client seed isn't fixed."""
    recorder: Recorder = field(repr=False)
    signs: Signs | None = field(repr=False, default=None)
    """Signs what is said about the pair, where its opening is signed."""

    @property
    def pay_table(self) -> PayTable:
        """The table that the pair was committed with."""
        return self.pair.pay_table

    def deal(self, nonce: int, bets: str) -> DealtCoup:
        """Deal the coup of a nonce and settle it (protocol steps 3 to 7). The same for the same nonce and bets, whenever it is called."""
        played = play_round(self._seeds(nonce), nonce)
        if played.cut is None:
            raise SchemeError("scheme", "one that cuts its shoe, like 'pfb1'", repr(self.pair.scheme))
        returned = settle(played.coup, parse_bets(bets), self.pay_table).returned
        return DealtCoup(played.cut, "".join(map(str, played.cards)), returned, self.clock())

    @property
    def tell(self) -> Tell | None:
        """From how many coups are settled in order to the link that proves them; None without a seed chain (protocol step 8)."""
        chain = self.chain
        return None if chain is None else lambda settled: chain.link(settled - 1).server_seed.reveal_bytes()

    def _seeds(self, nonce: int) -> Seeds:
        if self.seeds is not None:
            return self.seeds
        if self.chain is None or self.pair.client_seed is None:
            raise PairStateError(f"pair {self.pair.id}", "one whose client seed is chosen", "one without")
        link = self.chain.link(nonce)
        return Seeds(link, self.pair.client_seed, self.pair.commitment, self.pair.decks, chain=link.chain)


class Dealer:
    """Opens pairs, and keeps those in play.

    A seed chain is hashed through when it is opened, a million links in some tenths of a second, and then takes up to 64 KiB, so that a
    coup's link is a few hashes away.
    """

    def __init__(
        self,
        store: Store,
        vault: Vault,
        reader: PairReader,
        clock: Clock,
        *,
        mouth: Mouth | None = None,
        capacity: int = MAX_OPEN_PAIRS,
    ) -> None:
        self._store = store
        self._vault = vault
        self._reader = reader
        self._clock = clock
        self._mouth = mouth
        self._capacity = capacity
        self._open: OrderedDict[str, OpenPair] = OrderedDict()
        self._gate = threading.Lock()

    def open(self, pair_id: str) -> OpenPair:
        """The pair of this id, ready to deal if both of its seeds are fixed. Raises PairError, and VaultError where it doesn't unseal."""
        with self._gate:
            known = self._open.get(pair_id)
            if known is not None:
                self._open.move_to_end(pair_id)
                return known
        row = find_pair(self._store, pair_id)
        opened = self._prepare(row)
        if row.state in ("active", "closing"):
            with self._gate:
                self._open[pair_id] = opened
                while len(self._open) > self._capacity:
                    self._open.popitem(last=False)
        return opened

    def forget(self, pair_id: str) -> None:
        """Drop a pair's seeds."""
        with self._gate:
            self._open.pop(pair_id, None)

    def revelation(self, row: PairRow) -> ServerSeed:
        """What the reveal of a closed pair tells: its server seed, or a link that proves all of its coups. Raises VaultError."""
        secret = self._secret(row)
        return secret if isinstance(secret, ServerSeed) else secret.link(last_place(secret.chain, row.next_nonce)).server_seed

    def signs_of(self, row: PairRow, pair: SeedPair, recorder: Recorder) -> Signs | None:
        """Who signs what is said about a pair; None where its opening is not signed. Raises SigningKeyError without a signer."""
        if not row.is_signed:
            return None
        if self._mouth is None:
            slip = Slip("signer", "Its opening is signed, and what follows must be too: open the House with signer=...")
            raise SigningKeyError(f"signer for pair {row.id}", "one", "none", (slip,))
        return self._mouth.about(pair, recorder)

    def _secret(self, row: PairRow) -> ServerSeed | SeedChain:
        """The server seed or the seed chain that was committed to, or VaultError, which is recorded."""
        try:
            secret = self._vault.open(row.sealed, binding_of(row))
            chain = None if row.chain_length is None else SeedChain(secret, row.chain_length, row.decks)
            commitment = commit(secret, row.decks, scheme=row.scheme) if chain is None else chain.commitment
            if commitment.digest != row.commitment:
                raise SealError(f"seal of pair {row.id}", "the server seed that was committed to", "another one")
        except VaultError as error:
            self._store.record_event("error", row.number, self._clock(), reason=reason_of(error))
            raise
        return secret if chain is None else chain

    def _prepare(self, row: PairRow) -> OpenPair:
        pair = self._reader.pair(row)
        seeds = chain = None
        if pair.client_seed is not None and pair.state is not PairState.REVEALED:
            secret = self._secret(row)
            if isinstance(secret, ServerSeed):
                seeds = Seeds(secret, pair.client_seed, pair.commitment, pair.decks, scheme=pair.scheme)
            else:
                chain = secret
        recorder = Recorder(pair, chain)
        return OpenPair(row.number, pair, row.is_remote, self._clock, seeds, chain, recorder, self.signs_of(row, pair, recorder))


def binding_of(row: PairRow) -> Binding:
    """What a pair's seal is bound to."""
    return Binding(row.id, f"{row.scheme}:{row.decks}", row.commitment)
