"""A program for the conformance runner, made of the second opinion, with a fault in it if one is named: `second_program.py FAULT`."""

import hashlib
import hmac
import json
import os
import sys
import time
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "vectors"))
import second_opinion as so


def modulo(stream, n):
    return next(stream) % n


def cut_last(server_seed, label, client_seed, nonce, decks):
    size = 52 * decks
    stream = so.words(server_seed, label, client_seed, nonce)
    cut = so.draw(stream, size)
    slots = list(range(size))
    for k in range(6):
        j = k + so.draw(stream, size - k)
        slots[k], slots[j] = slots[j], slots[k]
    return cut, [so.RANKS[slots[(cut + k) % size] % 13] + so.SUITS[slots[(cut + k) % size] % 52 // 13] for k in range(6)]


def hex_key(server_seed, label, client_seed, nonce):
    i = 0
    while True:
        block = hmac.new(server_seed.encode(), f"{label}:{client_seed}:{nonce}:{i}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        i += 1


def tens_as_ten(card):
    return 10 if card[0] in "TJQK" else so.RANKS.index(card[0]) + 1


def rounds_up(multiplier):
    return millionths(multiplier) + 1


millionths = so.millionths
FAULTS = {
    "modulo": {"draw": modulo},
    "cut-last": {"cut_and_cards": cut_last},
    "hex-key": {"words": hex_key},
    "tens-as-ten": {"points": tens_as_ten},
    "generous": {"millionths": rounds_up},
}


def stream_of(ask):
    return so.words(ask["server_seed"], ask["label"], ask["client_seed"], ask["nonce"])


def coup_of(ask):
    cut, cards = so.cut_and_cards(ask["server_seed"], f"pfb1:{ask['decks']}", ask["client_seed"], ask["nonce"], ask["decks"])
    return {"cut": cut, "cards": cards, **so.coup(cards)}


def answer(ask):
    if ask["do"] == "words":
        return {"words": list(islice(stream_of(ask), ask["count"]))}
    if ask["do"] == "draws":
        stream = stream_of(ask)
        return {"draws": [so.draw(stream, n) for n in ask["sizes"]]}
    if ask["do"] == "coup":
        return coup_of(ask)
    if ask["do"] == "deal":
        return {key: value for key, value in so.coup(ask["cards"]).items() if key != "natural"}
    if ask["do"] == "settle":
        return so.settle(so.coup(ask["cards"]), ask["stakes"], ask["pay_table"])
    return {"error": "unknown"}


def main(fault):
    for name, value in FAULTS.get(fault, {}).items():
        setattr(so, name, value)
    for number, line in enumerate(sys.stdin):
        ask = json.loads(line)
        if fault == "hangs" and number == 1:
            time.sleep(60)
        if fault == "crashes" and number == 1:
            os._exit(7)
        told = {"id": "?" if fault == "other-id" else ask["id"], **answer(ask), **({"more": 1} if fault == "more" else {})}
        sys.stdout.write("eight of hearts\n" if fault == "garbage" else f"{json.dumps(told)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:] or [""])
