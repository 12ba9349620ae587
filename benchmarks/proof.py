"""What it costs to sign, to log and to prove, against bare Ed25519: `python benchmarks/proof.py [COUPS]`.

Prints medians of several runs; the yardstick of signing is a bare signature, that of a history file its bare signature checks,
each in processor time and both in turn.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provably_fair_baccarat import PUNTO_BANCO, ClientSeed, RoundRecord, Seeds, ServerSeed, commit, play_round, settle
from provably_fair_baccarat.receipts import (
    AcceptanceStatement,
    ClosingStatement,
    InclusionProof,
    OpeningStatement,
    PrivateKey,
    ReceiptStatement,
    Signer,
    VerificationKey,
    base64url,
    read_statement,
)
from provably_fair_baccarat.receipts.history import HistoryWriter, verify_history_file
from provably_fair_baccarat.receipts.history.lines import StatementLine, read_line
from provably_fair_baccarat.receipts.log import LogWriter, NoteKey, TileLog
from provably_fair_baccarat.receipts.log.tiles import TiledTree

START = datetime(2026, 11, 29, 12, tzinfo=UTC)
RUNS = 5
BETS = {"banker": 333, "tie": 50}


def microseconds(work, times):
    """The median of several runs, for one call, in microseconds."""
    runs = []
    for _ in range(RUNS):
        begin = process_time()
        for _ in range(times):
            work()
        runs.append((process_time() - begin) / times * 1e6)
    return median(runs)


def private_key(number):
    secret = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    return PrivateKey(secret, VerificationKey(secret.public_key().public_bytes_raw(), 0))


KEY, LOG_KEY = private_key(1), private_key(2)
SIGNER = Signer([KEY])
LOG = NoteKey("casino.example/log", LOG_KEY.public.raw)
SERVER_SEED = ServerSeed(bytes(range(32)))
COMMITMENT = commit(SERVER_SEED)
CLIENT_SEED = ClientSeed(f"lucky 8s-{str(COMMITMENT)[:16]}")
SEEDS = Seeds(SERVER_SEED, CLIENT_SEED, COMMITMENT)


def opening():
    return OpeningStatement.make(
        time=START, bettor="ann", scheme="pfb1", label="pfb1:8", decks=8, commitment=COMMITMENT, chain=None,
        pay_table_digest=PUNTO_BANCO.digest, cap=10**6, currency={"code": "USD", "decimals": 2}, number=0, previous=None, beacon=None, log=None,
    )  # fmt: skip


def acceptance(nonce, at):
    return AcceptanceStatement.model_construct(
        version=1, time=at, bettor="ann", commitment=COMMITMENT, nonce=nonce, client_seed=CLIENT_SEED, client_seed_made_by="bettor",
        bets=BETS, key=f"bet {nonce}", pay_table_digest=PUNTO_BANCO.digest, dealt=False, log=None,
    )  # fmt: skip


def receipt(nonce, at):
    played = play_round(SEEDS, nonce)
    record = RoundRecord.from_round(
        played, settle(played.coup, BETS), client_seed_made_by="bettor", currency=("USD", 2), accepted_at=at, settled_at=at
    )
    return ReceiptStatement.of(record, "ann", f"bet {nonce}")


def signing():
    secret, message = KEY, bytes(1500)
    bare = microseconds(lambda: secret.sign(message), 2000)
    accepted, settled = acceptance(14, START), receipt(14, START)
    one = microseconds(lambda: SIGNER.sign(accepted), 2000)
    other = microseconds(lambda: SIGNER.sign(settled), 2000)
    print(f"sign     bare Ed25519 {bare:6.1f} us")
    for name, cost in (("acceptance", one), ("receipt", other), ("both of a round", one + other)):
        print(f"sign     {name:<16} {cost:6.1f} us  {cost / bare:4.2f} x bare")


def logging(folder):
    with LogWriter(folder / "log", LOG, LOG_KEY) as log:
        entries = [bytes(195)] * 5000
        begin = perf_counter()
        for _ in range(6):
            log.append(entries)
        print(f"log      {30_000 / (perf_counter() - begin):,.0f} entries/s appended in batches of 5,000, each durable")
    (folder / "tile").write_bytes(random.Random(1).randbytes(8192))
    chance, size, runs = random.Random(2), 10_000_000, []
    for _ in range(50):
        begin = perf_counter()
        TiledTree(size, lambda _: (folder / "tile").read_bytes()).inclusion_proof(chance.randrange(size))
        runs.append((perf_counter() - begin) * 1e3)
    print(f"log      {median(runs):.2f} ms for an inclusion proof from 10 million entries, each tile read and hashed anew")


def history(folder, coups):
    said, at = [("opening", SIGNER.sign(opening()))], START
    for nonce in range(coups):
        at += timedelta(seconds=1)
        said += [("acceptance", SIGNER.sign(acceptance(nonce, at))), ("receipt", SIGNER.sign(receipt(nonce, at)))]
    said.append(("closing", SIGNER.sign(ClosingStatement.make(time=at, bettor="ann", commitment=COMMITMENT, coups=coups))))
    with LogWriter(folder / "history", LOG, LOG_KEY) as log:
        log.append([read_statement(text, SIGNER.key_set).entry.to_json() for _, text in said])
    tiles = TileLog(folder / "history", LOG)
    writer = HistoryWriter(checkpoint=tiles.checkpoint, log=LOG, prove=lambda i: InclusionProof(i, tuple(tiles.tree.inclusion_proof(i))))
    lines = [writer.statement(kind, text, place) for place, (kind, text) in enumerate(said)]
    lines.insert(1, writer.reveal(str(COMMITMENT), SERVER_SEED.reveal()))
    data = writer.header("ann", ("USD", 2), at, SIGNER.key_set, openings=1, statements=len(said)) + b"".join(lines)
    runs = []
    for _ in range(RUNS):
        run = Alternating(data)
        begin = process_time()
        verify_history_file(run, keys=SIGNER.key_set, log=LOG)
        runs.append((process_time() - begin - run.bare, run.bare))
    whole, bare, ratio = (median(each) for each in zip(*((whole, bare, whole / bare) for whole, bare in runs), strict=True))
    print(f"history  {coups:,} coups, {len(data) / 1e6:.0f} MB: {whole:.2f} s on one core", end="")
    print(f", {ratio:.2f} x its bare signature checks ({bare:.2f} s)")


def signature_check(text):
    """A statement's signature, and the bytes that it is over."""
    signed, _, signature = text.rpartition(".")
    return base64url.decode(signature), signed.encode("ascii")


class Alternating(io.BytesIO):
    """A history file that has its signatures checked alone, 200 lines at a time, before they are read: both see the same machine."""

    def __init__(self, data):
        super().__init__(data)
        self.bare = 0.0
        read = map(read_line, data.splitlines(keepends=True)[1:])
        checks = [signature_check(line.text) for line in read if isinstance(line, StatementLine)]
        self.checks = [checks[at : at + 200] for at in range(0, len(checks), 200)]
        self.lines = 0

    def readline(self, limit):
        """The next line."""
        if self.lines % 200 == 0 and self.checks:
            checks, begin = self.checks.pop(0), process_time()
            for signature, signed in checks:
                KEY.public.point.verify(signature, signed)
            self.bare += process_time() - begin
        self.lines += 1
        return super().readline(limit)


def main():
    coups = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        signing()
        logging(Path(name))
        history(Path(name), coups)


if __name__ == "__main__":
    main()
