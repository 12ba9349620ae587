"""An operator in memory that signs, logs and writes history files, and can be made to cheat."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provably_fair_baccarat import PUNTO_BANCO, ClientSeed, RoundRecord, SeedChain, Seeds, ServerSeed, commit, play_round, settle
from provably_fair_baccarat.receipts import (
    AcceptanceStatement,
    ClosingStatement,
    InclusionProof,
    OpeningStatement,
    PrivateKey,
    ReceiptStatement,
    Signer,
    VerificationKey,
    read_statement,
)
from provably_fair_baccarat.receipts.history import HistoryWriter, verify_history_file
from provably_fair_baccarat.receipts.log import Checkpoint, NoteKey, cosign_checkpoint, read_checkpoint, sign_checkpoint
from provably_fair_baccarat.receipts.log.merkle import hash_leaf, root_of
from provably_fair_baccarat.receipts.log.tiles import Tile, TiledTree
from provably_fair_baccarat.records.spelling import write_time

START = datetime(2026, 11, 29, 12, tzinfo=UTC)
CURRENCY = ("USD", 2)


def private_key(number):
    secret = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    return PrivateKey(secret, VerificationKey(secret.public_key().public_bytes_raw(), int(START.timestamp()) - 86400))


class MemoryLog:
    """A log in memory, one that can be forked."""

    def __init__(self, key, secret, witness=None, witness_secret=None):
        self.key, self.secret, self.witness, self.witness_secret = key, secret, witness, witness_secret
        self.entries = []

    def append(self, entry):
        self.entries.append(entry)
        return len(self.entries) - 1

    def tree(self):
        leaves = [hash_leaf(entry) for entry in self.entries]
        rows = {0: leaves}
        while len(rows[len(rows) - 1]) >= 256:
            below = rows[len(rows) - 1]
            rows[len(rows)] = [root_of(below[place : place + 256]) for place in range(0, len(below) - 255, 256)]

        def read(tile: Tile):
            return b"".join(rows[tile.level][tile.number * 256 : tile.number * 256 + tile.width])

        return TiledTree(len(leaves), read, cached=4096)

    def checkpoint(self, time=START) -> Checkpoint:
        text = sign_checkpoint(len(self.entries), self.tree().root(), self.key, self.secret)
        if self.witness is None:
            return read_checkpoint(text, self.key)
        return read_checkpoint(cosign_checkpoint(text, self.witness, self.witness_secret, int(time.timestamp())), self.key, [self.witness])


@dataclass
class Pair:
    """What the operator knows of a commitment, and the lines about it as (kind, text, index in the log)."""

    server_seed: ServerSeed
    seeds: Seeds
    opening: str
    nonce: int = 0
    lines: list = field(default_factory=list)
    is_revealed: bool = False
    records: list = field(default_factory=list)
    chain: SeedChain | None = None
    revealed: int | None = None
    """Of a seed chain, the nonce whose link is revealed."""

    def seeds_of(self, nonce) -> Seeds:
        if self.chain is None:
            return self.seeds
        return Seeds(self.chain.link(nonce), self.seeds.client_seed, self.chain.commitment, chain=self.chain.chain)

    @property
    def reveal(self):
        """What the line of the reveal says, or None."""
        if self.chain is None:
            return (str(self.seeds.commitment), self.server_seed.reveal()) if self.is_revealed else None
        if self.revealed is None:
            return None
        return (str(self.chain.commitment), self.chain.link(self.revealed).server_seed.reveal(), self.revealed)


class Operator:
    """Signs and logs everything as it should. Tests change what it has said."""

    def __init__(self, *, bettor="Zoë", has_log=True, has_witness=False, seed=1):
        self.bettor = bettor
        self.key = private_key(1)
        self.signer = Signer([self.key])
        self.now = START
        self.pairs = []
        self.seed = seed
        witness_secret = private_key(3)
        witness = NoteKey("witness.example/w1", witness_secret.public.raw, "witness") if has_witness else None
        log_secret = private_key(2)
        self.log = MemoryLog(NoteKey("casino.example/log", log_secret.public.raw), log_secret, witness, witness_secret) if has_log else None

    @property
    def keys(self):
        return self.signer.key_set

    @property
    def promise(self):
        return None if self.log is None else {"key": str(self.log.key), "maximum_delay": 3600}

    def tick(self, **time):
        self.now += timedelta(**(time or {"seconds": 1}))
        return self.now

    def say(self, pair, statement, *, is_logged=True):
        text = self.signer.sign(statement)
        index = None
        if self.log is not None and is_logged:
            index = self.log.append(read_statement(text, self.keys).entry.to_json())
        pair.lines.append((statement.kind, text, index))
        return text

    def replace(self, pair, place, statement):
        """Sign another statement in place of one, and log that instead."""
        text = self.signer.sign(statement)
        index = pair.lines[place][2]
        if index is not None:
            self.log.entries[index] = read_statement(text, self.keys).entry.to_json()
        pair.lines[place] = (statement.kind, text, index)

    def log_again(self, pair, order):
        """Make the log anew, of those lines of the only pair that are in `order`; the others are not in it."""
        self.log.entries = [read_statement(pair.lines[place][1], self.keys).entry.to_json() for place in order]
        pair.lines = [(kind, text, order.index(place) if place in order else None) for place, (kind, text, _) in enumerate(pair.lines)]

    def date_acceptance(self, pair, nonce, time):
        """Give the acceptance of a nonce another time, and its receipt an `accepted_at` that agrees."""
        accepted, settled = (read_statement(pair.lines[place][1], self.keys).statement for place in (1 + 2 * nonce, 2 + 2 * nonce))
        pair.records[nonce] = settled.record.model_copy(update={"accepted_at": write_time(time)})
        self.replace(pair, 1 + 2 * nonce, accepted.model_copy(update={"time": time}))
        self.replace(pair, 2 + 2 * nonce, ReceiptStatement.of(pair.records[nonce], self.bettor, settled.key))

    def date_closing(self, pair, time):
        """Give the closing another time."""
        closing = read_statement(pair.lines[-1][1], self.keys).statement
        self.replace(pair, len(pair.lines) - 1, closing.model_copy(update={"time": time}))

    def open(self, client_seed=None, *, cap=100_000, beacon=None, made_by="bettor", **change):
        server_seed = ServerSeed(bytes([self.seed, len(self.pairs)]) * 16)
        commitment = commit(server_seed)
        chosen = ClientSeed(f"lucky 8s-{str(commitment)[:16]}") if client_seed is None else ClientSeed(client_seed)
        pair = Pair(server_seed, Seeds(server_seed, chosen, commitment), "")
        pair.made_by = made_by
        previous = str(self.pairs[-1].seeds.commitment) if self.pairs else None
        members = {
            "time": self.tick(), "bettor": self.bettor, "scheme": "pfb1", "label": "pfb1:8", "decks": 8, "commitment": commitment, "chain": None,
            "pay_table_digest": PUNTO_BANCO.digest, "cap": cap, "currency": {"code": "USD", "decimals": 2}, "number": len(self.pairs),
            "previous": previous, "beacon": beacon, "log": self.promise,
        }  # fmt: skip
        statement = OpeningStatement.make(**{**members, **change})
        self.pairs.append(pair)
        pair.opening = self.say(pair, statement)
        return pair

    def open_chain(self, length=10, **change):
        """Open a pair with a seed chain, whose links are revealed as far as `pair.revealed` says."""
        chain = SeedChain(ServerSeed(bytes([self.seed, len(self.pairs)]) * 16), length)
        told = {"scheme": "pfb1-chain", "label": "pfb1-chain:8", "commitment": chain.commitment}
        pair = self.open("lucky 8s", cap=length, chain={"anchor": chain.chain.anchor, "length": length}, **{**told, **change})
        pair.chain, pair.seeds = chain, Seeds(chain.link(0), "lucky 8s", chain.commitment, chain=chain.chain)
        return pair

    def acceptance(self, pair, bets, nonce, **change):
        members = {
            "time": self.now, "bettor": self.bettor, "commitment": pair.seeds.commitment, "nonce": nonce, "client_seed": pair.seeds.client_seed,
            "client_seed_made_by": pair.made_by, "bets": {name: str(stake) for name, stake in bets.items()},
            "key": f"bet {nonce} of {len(self.pairs)}", "pay_table_digest": PUNTO_BANCO.digest, "dealt": False, "log": self.promise,
        }  # fmt: skip
        return AcceptanceStatement.make(**{**members, **change})

    def record(self, pair, bets, nonce, accepted_at, table=PUNTO_BANCO):
        played = play_round(pair.seeds_of(nonce), nonce)
        settlement = settle(played.coup, bets, table)
        times = {"accepted_at": accepted_at, "settled_at": self.tick()}
        return RoundRecord.from_round(played, settlement, client_seed_made_by=pair.made_by, currency=CURRENCY, **times)

    def play(self, pair, bets=None, *, is_settled=True, **change):
        bets = {"banker": 333, "tie": 50} if bets is None else bets
        accepted_at = self.tick()
        acceptance = self.acceptance(pair, bets, pair.nonce, **change)
        self.say(pair, acceptance)
        if is_settled:
            record = self.record(pair, bets, pair.nonce, accepted_at)
            pair.records.append(record)
            self.say(pair, ReceiptStatement.of(record, self.bettor, acceptance.key))
        pair.nonce += 1

    def close(self, pair, *, coups=None, is_revealed=True):
        closing = ClosingStatement.make(
            time=self.tick(), bettor=self.bettor, commitment=pair.seeds.commitment, coups=pair.nonce if coups is None else coups
        )
        self.say(pair, closing)
        pair.is_revealed = is_revealed

    def history(self, *, keys=None, beacon=None, made_at=None, checkpoint=None) -> list[bytes]:
        """The lines of the history file."""
        writer = HistoryWriter()
        if self.log is not None:
            tree = self.log.tree()
            writer = HistoryWriter(
                checkpoint=self.log.checkpoint(self.now) if checkpoint is None else checkpoint,
                log=self.log.key,
                prove=lambda index: InclusionProof(index, tuple(tree.inclusion_proof(index))),
            )
        lines = []
        for pair in self.pairs:
            for place, said in enumerate(pair.lines):
                lines.append(writer.statement(*said))
                if place == 0:
                    lines += [] if beacon is None else [writer.beacon(beacon)]
                    lines += [] if pair.reveal is None else [writer.reveal(*pair.reveal)]
        head = writer.header(
            self.bettor, CURRENCY, self.now if made_at is None else made_at, self.keys if keys is None else keys,
            openings=sum(kind == "opening" for pair in self.pairs for kind, *_ in pair.lines),
            statements=sum(len(pair.lines) for pair in self.pairs),
            witnesses=[] if self.log is None or self.log.witness is None else [self.log.witness],
        )  # fmt: skip
        return [head, *lines]

    def verify(self, lines=None, **known):
        """Verify the history file as somebody does who knows the operator's keys."""
        told = self.history() if lines is None else lines
        return verify_history_file(io.BytesIO(b"".join(told)), **{"keys": self.keys, **known})


@pytest.fixture
def operator():
    """An honest operator with a log, one closed commitment of three coups, and an open one of two."""
    one = Operator()
    first = one.open()
    for _ in range(3):
        one.play(first)
    one.close(first)
    second = one.open("chosen freely")
    one.play(second, {"player": 100})
    one.play(second, {"player": 100}, dealt=True)
    return one


@pytest.fixture
def make_operator():
    return Operator
