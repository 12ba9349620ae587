"""Killed while it signs and logs: no statement that was handed out is lost, none is in the log twice, and the log never forgets."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from provably_fair_baccarat.house import House, SqliteStore, Vault, add_key
from provably_fair_baccarat.receipts import Signer, new_key_file, read_statement
from provably_fair_baccarat.receipts.history import verify_history_file
from provably_fair_baccarat.receipts.log import LogEntry, LogWriter, NoteKey, TileLog
from provably_fair_baccarat.receipts.log.merkle import hash_leaf, root_of

PROGRAM = Path(__file__).parent / "sign_until_killed.py"
KILLS = int(os.environ.get("HOUSE_KILLS", "10"))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")


def test_killed_while_it_signs_and_logs(tmp_path):
    chance, begin = random.Random(5), datetime(2025, 1, 1, tzinfo=UTC)
    add_key(tmp_path / "vault.keys", "k1")
    new_key_file(tmp_path / "signing.keys", begin)
    log_key = NoteKey("casino.example/log", new_key_file(tmp_path / "log.key", begin).public.raw)
    accepted, checkpoints = {}, {}
    for _ in range(KILLS):
        with subprocess.Popen([sys.executable, PROGRAM, tmp_path], stdout=subprocess.PIPE) as process:
            first = process.stdout.readline()
            time.sleep(chance.uniform(0.02, 0.25))
            process.send_signal(signal.SIGKILL)
            lines = (first + process.stdout.read()).decode().splitlines()
        assert process.returncode == -signal.SIGKILL
        assert lines[0] == "begun"
        for line in lines:
            what, *told = line.split(" ")
            if what == "accepted":
                accepted[told[0], int(told[1])] = told[2]
            elif what == "logged":
                checkpoints[int(told[0])] = told[1]
        log = TileLog(tmp_path / "log", log_key)
        log.verify()
        leaves = [hash_leaf(entry) for entry in log.entries()]
        assert all(size <= len(leaves) and root_of(leaves[:size]).hex() == root for size, root in checkpoints.items())

    signer = Signer.from_key_file(tmp_path / "signing.keys")
    with House(SqliteStore(tmp_path / "house.db"), Vault.from_key_file(tmp_path / "vault.keys"), signer=signer) as house:
        house.recover()
        for pair in house.pairs("ann"):
            house.rotate(pair)
        with LogWriter.from_key_file(tmp_path / "log", "casino.example/log", tmp_path / "log.key") as log:
            house.sequence(log)
        log = TileLog(tmp_path / "log", log_key)
        entries = [LogEntry.parse(entry) for entry in log.entries()]
        assert len({entry.digest for entry in entries}) == len({(e.kind, e.commitment, e.nonce) for e in entries}) == len(entries)
        for (pair, nonce), text in accepted.items():
            assert house.statements(pair, nonce)[0] == text
            assert read_statement(text, signer.key_set).digest in {entry.digest for entry in entries}
        data = b"".join(house.prove("ann", log=log))
        history = verify_history_file(io.BytesIO(data), keys=signer.key_set, log=log_key)
        assert history.logged == history.statements == len(entries)
        assert history.open_coups == 0
        assert history.coups >= len(accepted) > 0
