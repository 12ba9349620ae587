"""A program that plays on a house until somebody kills it, and tells what was acknowledged, a line each, the moment it was.

python play_until_killed.py DATABASE KEY_FILE RUN
"""

from __future__ import annotations

import sys
import threading
from itertools import count

from until_killed import open_store, tell

from provably_fair_baccarat.errors import BaccaratError
from provably_fair_baccarat.house import BetRequest, House, Vault


def main(database, key_file, run):
    house = House(open_store(database), Vault.from_key_file(key_file), chain_length=100_000 if int(run) % 2 else None)
    house.recover()
    house.deposit("ann", 10**12, f"deposit {run}")
    pairs = [pair for pair in house.pairs("ann") if pair.state.value == "active"]
    pair = pairs[-1] if pairs else house.choose_client_seed(house.commit("ann"), f"lucky {run}")

    def play(thread):
        for number in count():
            key = f"{run} {thread} {number}"
            if number % 4 == 0:
                acceptance = house.accept(pair, {"player": 5}, key)
                tell("accepted", pair.id, acceptance.nonce, key.replace(" ", "_"))
                house.deal(acceptance)
                tell("dealt", pair.id, acceptance.nonce, key.replace(" ", "_"))
            elif number % 4 == 1:
                requests = [BetRequest(pair, {"tie": 7}, f"{key} {item}") for item in range(5)]
                for request, record in zip(requests, house.play_many(requests), strict=True):
                    if isinstance(record, BaccaratError):
                        raise record
                    tell("dealt", pair.id, record.nonce, request.key.replace(" ", "_"))
            else:
                record = house.play(pair, {"banker": 20}, key)
                tell("dealt", pair.id, record.nonce, key.replace(" ", "_"))

    for thread in range(3):
        threading.Thread(target=play, args=(thread,), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
