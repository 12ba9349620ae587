"""A casino backend in one file, to show where each step of a provably fair round belongs.

It keeps everything in memory and knows one bettor at a time by name. A real one keeps the same things in a database, in one transaction a
round: the balance, the nonce and the record.

    python examples/minimal_backend.py
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provably_fair_baccarat import (
    PUNTO_BANCO,
    ClientSeed,
    Commitment,
    RoundRecord,
    Seeds,
    ServerSeed,
    commit,
    play_round,
    settle,
    verify_record,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

CENTS = ("USD", 2)


@dataclass
class SeedPair:
    """One commitment of one bettor: its secret, the client seed once it is chosen, and the rounds so far."""

    server_seed: ServerSeed
    commitment: Commitment
    seeds: Seeds | None = None
    records: list[RoundRecord] = field(default_factory=list[RoundRecord])


class Backend:
    """Balances in cents and the current seed pair of each bettor."""

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}
        self._pairs: dict[str, SeedPair] = {}

    def open_account(self, bettor: str, balance: int) -> Commitment:
        """Take the bettor in, and commit to the first server seed."""
        self._balances[bettor] = balance
        return self._commit(bettor)

    def balance(self, bettor: str) -> int:
        """What the bettor owns, in cents."""
        return self._balances[bettor]

    def choose_client_seed(self, bettor: str, client_seed: str) -> None:
        """Take the bettor's seed, once, after the commitment was shown."""
        pair = self._pairs[bettor]
        if pair.seeds is not None:
            raise ValueError("the client seed is chosen already: rotate first")
        pair.seeds = Seeds(pair.server_seed, client_seed, pair.commitment)

    def play(self, bettor: str, bets: Mapping[str, int]) -> RoundRecord:
        """Accept bets, deal the next nonce and settle; the record does not reveal the server seed yet."""
        pair = self._pairs[bettor]
        if pair.seeds is None:
            raise ValueError("there is no client seed yet")
        if sum(bets.values()) > self._balances[bettor]:
            raise ValueError("the balance is too low")
        played = play_round(pair.seeds, nonce=len(pair.records))
        settlement = settle(played.coup, bets, PUNTO_BANCO)  # a wrong bet raises here, before anything has changed
        record = RoundRecord.from_round(played, settlement, client_seed_made_by="bettor", currency=CENTS)
        pair.records.append(record)
        self._balances[bettor] += settlement.net
        return record

    def rotate(self, bettor: str) -> tuple[list[RoundRecord], Commitment]:
        """End the pair: reveal its server seed in all of its records, and commit to the next one."""
        pair = self._pairs.pop(bettor)
        return [record.reveal(pair.server_seed) for record in pair.records], self._commit(bettor)

    def _commit(self, bettor: str) -> Commitment:
        server_seed = ServerSeed.generate()
        commitment = commit(server_seed)
        self._pairs[bettor] = SeedPair(server_seed, commitment)
        return commitment


def main() -> None:
    """A bettor's session: what the backend tells, and how the bettor checks it."""
    backend = Backend()
    commitment = backend.open_account("ada", balance=10_000)
    print(f"Ada sees the commitment {commitment}.")
    backend.choose_client_seed("ada", str(ClientSeed.generate(commitment)))
    for bets in ({"player": 500}, {"banker": 1_000, "tie": 100}, {}, {"banker": 250}):
        record = backend.play("ada", bets)
        returned = record.totals.returned
        print(f"Nonce {record.nonce}: {record.winner.value} wins, {returned} cents returned, balance {backend.balance('ada')}.")
    records, following = backend.rotate("ada")
    for record in records:
        verified = verify_record(record, pay_table=PUNTO_BANCO)
        assert verified.round.commitment == commitment, "Ada compares with what she was shown"
    print(f"The server seed was {records[0].server_seed}: {len(records)} rounds verified.")
    print(f"Ada sees the next commitment {following}.")


if __name__ == "__main__":
    main()
