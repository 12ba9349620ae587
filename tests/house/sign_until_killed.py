"""A program that plays, signs and logs until somebody kills it, and tells what was acknowledged, a line each, the moment it was.

python sign_until_killed.py FOLDER DATABASE
"""

from __future__ import annotations

import os
import sys
import threading
from itertools import count
from pathlib import Path

from until_killed import open_store, tell

from provably_fair_baccarat.house import House, Vault
from provably_fair_baccarat.receipts import LogPromise, Signer
from provably_fair_baccarat.receipts.log import LogWriter


def main(folder, database):
    log = LogWriter.from_key_file(folder / "log", "casino.example/log", folder / "log.key")
    signer = Signer.from_key_file(folder / "signing.keys")
    promise = LogPromise(key=str(log.key), maximum_delay=3600)
    house = House(open_store(database), Vault.from_key_file(folder / "vault.keys"), signer=signer, log_promise=promise)
    house.recover()
    house.deposit("ann", 10**12, "money")
    pairs = [pair for pair in house.pairs("ann") if pair.state.value == "active"]
    pair = pairs[-1] if pairs else house.choose_client_seed(house.commit("ann"), "lucky 8s")

    def play():
        for number in count():
            key = f"{os.getpid()} {number}"
            if number % 3:
                house.play(pair, {"banker": 20}, key)
                tell("played", pair.id, house.round_at(pair, 0).acceptance.pair, number)
            else:
                acceptance = house.accept(pair, {"player": 5}, key)
                tell("accepted", pair.id, acceptance.nonce, acceptance.statement)
                house.deal(acceptance)

    threading.Thread(target=play, daemon=True).start()
    tell("begun")
    while True:
        house.sequence(log)
        tell("logged", log.size, log.checkpoint.root.hex())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
