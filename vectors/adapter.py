"""The package behind the conformance runner: `python vectors/conformance.py -- python vectors/adapter.py`."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from itertools import islice, repeat

import provably_fair_baccarat as pfb
from provably_fair_baccarat.fairness.inputs import parse_decks, parse_nonce
from provably_fair_baccarat.fairness.stream import draw, hmac_blocks, words_of
from provably_fair_baccarat.rules.odds import odds
from provably_fair_baccarat.rules.roads import Mark, Scoreboard

LETTERS = {"banker": "B", "player": "P", Mark.RED: "R", Mark.BLUE: "B"}
RECORD = pfb.RoundRecord.from_round(
    played := pfb.play_round(pfb.Seeds.commit("00" * 32, "x"), 0), pfb.settle(played.coup, {"player": 1})
).to_dict()


def _stream(ask):
    blocks = hmac_blocks(pfb.ServerSeed.parse(ask["server_seed"]), ask["label"], pfb.ClientSeed(ask["client_seed"]))
    return words_of(blocks, ask["nonce"])


def _texts(cards):
    return [str(card) for card in cards]


def _hands(coup):
    return {
        "player": _texts(coup.player.cards),
        "banker": _texts(coup.banker.cards),
        "player_score": coup.player.score,
        "banker_score": coup.banker.score,
        "winner": coup.winner,
    }


def _round(played):
    return {"cut": played.cut, "cards": _texts(played.cards), **_hands(played.coup), "natural": played.coup.natural}


def _settle(ask):
    coup = pfb.deal_coup(map(pfb.Card.parse, ask["cards"]))
    settlement = pfb.settle(coup, {bet: int(stake) for bet, stake in ask["stakes"].items()}, pfb.PayTable.from_dict(ask["pay_table"]))
    lines = settlement.lines.items()
    bets = {bet: {"stake": str(line.stake), "status": line.status, "returned": str(line.returned)} for bet, line in lines}
    return {"bets": bets, "totals": {name: str(getattr(settlement, name)) for name in ("staked", "returned", "net")}}


def _shoe(ask):
    seeds = pfb.Seeds.commit(ask["server_seed"], ask["client_seed"], ask["decks"], scheme="pfb1-shoe")
    cut, order = seeds.source(ask["nonce"])
    rounds = pfb.play_shoe(seeds, ask["nonce"])
    coups = [{"index": each.index, **{key: _hands(each.coup)[key] for key in ("player", "banker", "winner")}} for each in rounds]
    order_sha256 = sha256(" ".join(_texts(order)).encode()).hexdigest()
    return {"cut": cut, "order_sha256": order_sha256, "burnt": len(pfb.ShoeSession(order).burnt), "coups": coups}


def _chain(ask):
    chain = pfb.SeedChain(pfb.ServerSeed.parse(ask["last_link"]), ask["length"], ask["decks"])
    return {"anchor": chain.chain.anchor, "commitment": str(chain.commitment)}


def _chain_coup(ask):
    chain = pfb.Chain(ask["anchor"], ask["length"])
    seeds = pfb.Seeds(ask["link"], ask["client_seed"], chain.commitment(ask["decks"]), ask["decks"], chain=chain)
    return _round(pfb.play_round(seeds, ask["nonce"]))


def _odds(ask):
    return {"ways": {answer: ways for answer, ways in odds(ask["bet"], pfb.ALL_BETS, ask["decks"]).ways.items() if ways}}


def _roads(ask):
    board = Scoreboard.parse(ask["seq"])
    road = board.big_road
    marks = {"big_eye": board.big_eye_boy, "small": board.small_road, "cockroach": board.cockroach}
    return {
        "leading_ties": road.leading_ties,
        "columns": [[LETTERS[streak[0].entry.winner], len(streak)] for streak in road.streaks],
        "ties_after": [[cell.ties for cell in streak] for streak in road.streaks],
        **{name: "".join(LETTERS[cell.mark] for cell in cells) for name, cells in marks.items()},
        "cells": [[cell.column, cell.row, LETTERS[cell.entry.winner]] for cell in road.cells],
        "big_eye_cells": [[cell.column, cell.row, LETTERS[cell.mark]] for cell in board.big_eye_boy],
    }


def _scheme(ask):
    seeds = pfb.Seeds(ask["server_seed"], ask["client_seed"], None, scheme=ask["scheme"])
    hands = _hands(pfb.play_round(seeds, ask["nonce"]).coup)
    return {key: hands[key] for key in ("player", "banker")}


def _verify(ask):
    pfb.verify_record(pfb.RoundRecord.parse_json(ask["record"]))
    return {"verified": True}


def _in_record(key, part, value):
    pfb.RoundRecord.model_validate({**RECORD, key: {**RECORD[key], part: value}})


READERS = {
    "server_seed": pfb.ServerSeed.parse,
    "commitment": pfb.Commitment.parse,
    "anchor": lambda value: pfb.Chain(value, 1),
    "length": lambda value: pfb.Chain("0" * 64, value),
    "nonce": parse_nonce,
    "decks": parse_decks,
    "draw": lambda value: draw(repeat(0), value),
    "client_seed": pfb.ClientSeed,
    "multiplier": lambda value: _in_record("pay_table", "player_multiplier", value),
    "stake": lambda value: _in_record("bets", "player", {**RECORD["bets"]["player"], "stake": value}),
    "amount": lambda value: _in_record("totals", "staked", value),
    "card": pfb.Card.parse,
}


def _read(ask):
    READERS[ask["what"]](ask["value"])
    return {"accepted": True}


ANSWERS = {
    "words": lambda ask: {"words": list(islice(_stream(ask), ask["count"]))},
    "draws": lambda ask: {"draws": [draw(stream, n) for stream in [_stream(ask)] for n in ask["sizes"]]},
    "commitment": lambda ask: {"commitment": sha256(f"{ask['label']}:{ask['server_seed']}".encode()).hexdigest()},
    "coup": lambda ask: _round(pfb.play_round(pfb.Seeds.commit(ask["server_seed"], ask["client_seed"], ask["decks"]), ask["nonce"])),
    "deal": lambda ask: _hands(pfb.deal_coup(map(pfb.Card.parse, ask["cards"]))),
    "settle": _settle,
    "digest": lambda ask: {"digest": pfb.PayTable.from_dict(ask["pay_table"]).digest},
    "shoe": _shoe,
    "chain": _chain,
    "chain_coup": _chain_coup,
    "odds": _odds,
    "roads": _roads,
    "scheme": _scheme,
    "verify": _verify,
    "read": _read,
}


def main():
    """Answer every request in turn."""
    for line in sys.stdin:
        ask = json.loads(line)
        try:
            answer = ANSWERS[ask["do"]](ask)
        except pfb.BaccaratError as error:
            answer = {"error": error.code}
        print(json.dumps({"id": ask["id"], **answer}), flush=True)


if __name__ == "__main__":
    main()
