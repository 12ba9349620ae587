"""Makes the known answers that come from the second opinion: `python vectors/generate.py` writes them again, each time the same.

What the second opinion does not compute is written down here by hand, from the reference pages: which inputs are refused, and by which
error code.
"""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path

import second_opinion

HERE = Path(__file__).parent
SEED = bytes(range(32)).hex()
OTHER_SEED = hashlib.sha256(b"another server seed").hexdigest()
STEP_7 = "7"
TABLE = {
    "player_multiplier": "2.0",
    "banker_multiplier": "1.95",
    "tie_multiplier": "9.0",
    "banker_exceptions": {},
    "side_bets": {},
    "stake_step": "1",
    "rounding": "down",
}
DRAGON_BONUS = {"natural": "2.0", "by_4": "2.0", "by_5": "3.0", "by_6": "5.0", "by_7": "7.0", "by_8": "11.0", "by_9": "31.0"}
USUAL = {  # docs/reference/bets.md
    "player_pair": {"won": "12.0"},
    "banker_pair": {"won": "12.0"},
    "either_pair": {"won": "6.0"},
    "perfect_pair": {"one": "26.0", "both": "201.0"},
    "perfect_pair_flat": {"won": "26.0"},
    "big": {"won": "1.54"},
    "small": {"won": "2.5"},
    "four_cards": {"won": "2.5"},
    "five_cards": {"won": "3.0"},
    "six_cards": {"won": "3.0"},
    "dragon_bonus_player": DRAGON_BONUS,
    "dragon_bonus_banker": DRAGON_BONUS,
    "dragon7": {"won": "41.0"},
    "panda8": {"won": "26.0"},
    "super6": {"won": "13.0"},
    "tiger": {"two_cards": "13.0", "three_cards": "21.0"},
    "small_tiger": {"won": "23.0"},
    "big_tiger": {"won": "51.0"},
    "tiger_tie": {"won": "46.0"},
    "tiger_pair": {"one": "5.0", "both": "21.0", "both_same": "101.0"},
    "lucky7": {"two_cards": "7.0", "three_cards": "16.0"},
    "royal_match": {"unsuited": "30.0", "suited": "75.0", "two_unsuited": "60.0", "suited_and_unsuited": "105.0", "two_suited": "150.0"},
    **{f"egalite_{score}": {"won": f"{pays}.0"} for score, pays in enumerate((151, 216, 226, 201, 121, 111, 46, 46, 81, 81))},
}
TABLES = {
    "punto_banco": TABLE,
    "super_six": {**TABLE, "banker_multiplier": "2.0", "banker_exceptions": {"six": "1.5"}, "side_bets": {"super6": USUAL["super6"]}},
    "ez_baccarat": {
        **TABLE,
        "banker_multiplier": "2.0",
        "banker_exceptions": {"three_card_seven": "push"},
        "side_bets": {name: USUAL[name] for name in ("dragon7", "panda8")},
    },
    "all_bets": {**TABLE, "side_bets": dict(sorted(USUAL.items()))},
    "in_steps_of_20": {**TABLE, "stake_step": "20"},
    "extremes": {**TABLE, "player_multiplier": "1.0", "banker_multiplier": "1.000001", "tie_multiplier": "999999.999999"},
}


def read(name):
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def words():
    """Words of the stream, across blocks and for the longest client seed."""
    vectors = []
    for number, (label, client_seed, nonce, how_many) in enumerate(
        [
            ("pfb1:8", "lucky 8s", 0, 8),
            ("pfb1:8", "lucky 8s", 2**53 - 1, 20),
            ("pfb1:1", "a:1:2", 9, 9),
            ("pfb1-shoe:8", "lucky 8s", 1, 30),
            ("pfb1-chain:3", "Zo\u00eb", 7, 8),
            ("pfb1:8", "Zoe\u0308", 7, 8),
            ("pfb1:6", "x" * 128, 7, 8),
            ("pfb1:6", "\U0001f0a1" * 32, 7, 8),
        ]
    ):
        stream = second_opinion.words(SEED, label, client_seed, nonce)
        vectors.append(
            {
                "id": f"words-{number}",
                "step": "3",
                "server_seed": SEED,
                "label": label,
                "client_seed": client_seed,
                "nonce": nonce,
                "words": [next(stream) for _ in range(how_many)],
            }
        )
    return {"about": "Words of the stream (protocol step 3), computed by second_opinion.py.", "words": vectors}


def draws():
    """Draws of many sizes: powers of two, 1, 2^32, sizes that reject half of all words, and the published rejections."""
    inputs = [
        ("one", "lucky 8s", 0, [1] * 4 + [7]),
        ("powers-of-two", "lucky 8s", 1, [2**power for power in range(33)]),
        ("half-rejected", "lucky 8s", 2, [2**31 + 1] * 12),
        ("third-rejected", "lucky 8s", 3, [2**32 // 3 * 2 + 5] * 12),
        ("largest", "lucky 8s", 4, [2**32 - 1, 2**32, 2**32 - 1]),
        ("a-shoe", "lucky 8s", 5, list(range(416, 0, -1))),
    ]
    vectors = [("pfb1:8", SEED, *each) for each in inputs]
    for coup in read("rejections")["coups"]:
        size = 52 * coup["decks"]
        sizes = [size, *range(size, size - 6, -1)]
        vectors.append((f"pfb1:{coup['decks']}", coup["server_seed"], coup["id"], coup["client_seed"], coup["nonce"], sizes))
    made = []
    for label, server_seed, name, client_seed, nonce, sizes in vectors:
        stream = second_opinion.words(server_seed, label, client_seed, nonce)
        drawn = [second_opinion.draw(stream, n) for n in sizes]
        made.append(
            {
                "id": name,
                "step": "4",
                "server_seed": server_seed,
                "label": label,
                "client_seed": client_seed,
                "nonce": nonce,
                "sizes": sizes,
                "draws": drawn,
            }
        )
    return {"about": "Draws (protocol step 4), computed by second_opinion.py.", "draws": made}


def settlements():
    """Bets on the coups of coups.json: the three main bets under several tables, and every side bet."""
    main, sides = [], []
    stakes = ("1", "3", "100", "333", "19", "12345678901234567890")
    tables = [name for name in TABLES if name not in ("all_bets", "in_steps_of_20")]
    for number, coup in enumerate(read("coups")["coups"]):
        table, stake = tables[number % len(tables)], stakes[number % len(stakes)]
        cards, dealt = coup["cards"], second_opinion.coup(coup["cards"])
        for made, name, bets in ((main, table, ("player", "banker", "tie")), (sides, "all_bets", tuple(sorted(USUAL)))):
            staked = dict.fromkeys(bets, stake)
            made.append(
                {
                    "id": f"{name}-{coup['id']}",
                    "step": STEP_7,
                    "cards": cards,
                    "pay_table": name,
                    "stakes": staked,
                    **second_opinion.settle(dealt, staked, TABLES[name]),
                }
            )
    tie = next(coup["cards"] for coup in read("coups")["coups"] if coup["winner"] == "tie")
    for name, staked in (("nothing", {}), ("largest", {"player": str(10**38 - 1)})):
        settled = second_opinion.settle(second_opinion.coup(tie), staked, TABLE)
        main.append({"id": name, "step": STEP_7, "cards": tie, "pay_table": "punto_banco", "stakes": staked, **settled})
    pay_tables = {name: {"pay_table": table, "digest": second_opinion.digest(table)} for name, table in TABLES.items()}
    about = "Settlements (protocol step 7) of the coups of coups.json, and digests of pay tables (step 11), computed by second_opinion.py."
    return {"about": about, "pay_tables": pay_tables, "settlements": main, "side_bets": sides}


def odds():
    """The exact counts of every bet of the catalogue."""
    made = [
        {"id": f"{name}-{decks}", "decks": decks, "bet": name, "ways": ways}
        for decks in (1, 6, 8)
        for name, ways in second_opinion.count(decks).items()
    ]
    about = "In how many ordered deals of six cards each bet gives each answer that it can, counted by second_opinion.py."
    return {"about": about, "odds": made}


def _record(label, server_seed, client_seed, nonce, decks, stakes, table=TABLE, **more):
    """A record by the pages of the protocol and of the record, made without the package."""
    scheme = label.partition(":")[0]
    if scheme == "pfb1-shoe":
        dealt = second_opinion.shoe(server_seed, client_seed, nonce, decks)
        one = dealt["coups"][more["index"]]
        used = sum(len(each["player"]) + len(each["banker"]) for each in dealt["coups"][: more["index"]])
        at = dealt["burnt"] + used
        cut, cards = dealt["cut"], dealt["order"][at : at + len(one["player"]) + len(one["banker"])]
    else:
        cut, cards = second_opinion.cut_and_cards(server_seed, label, client_seed, nonce, decks)
    coup = second_opinion.coup(cards)
    chain = more.get("chain")
    anchor = f"{label}:{chain['length']}" if chain else label
    return {
        "format_version": 1,
        "scheme": scheme,
        "label": label,
        "decks": decks,
        "commitment": second_opinion.commitment(anchor, chain["anchor"] if chain else server_seed),
        "chain": chain,
        "server_seed": server_seed,
        "client_seed": client_seed,
        "client_seed_hex": client_seed.encode().hex(),
        "client_seed_made_by": more.get("made_by"),
        "nonce": nonce,
        "index": more.get("index"),
        "cut": cut,
        "cards": cards,
        "player": {"cards": coup["player"], "score": coup["player_score"]},
        "banker": {"cards": coup["banker"], "score": coup["banker_score"]},
        "natural": coup["natural"],
        "winner": coup["winner"],
        **second_opinion.settle(coup, stakes, table),
        "pay_table": table,
        "pay_table_digest": second_opinion.digest(table),
        "currency": more.get("currency"),
        "accepted_at": more.get("accepted_at"),
        "settled_at": more.get("settled_at"),
    }


def _good_records():
    bets = {"player": "200", "banker": "333", "tie": "50"}
    links = second_opinion.links(OTHER_SEED, 12)
    chain = {"anchor": links[0], "length": 12}
    times = {"accepted_at": "2026-11-29T12:00:00.25Z", "settled_at": "2026-11-29T12:00:01Z"}
    marked = "7c5e1d9b3f8a2046-3e2d8157faae5379"
    return {
        "marked": _record("pfb1:8", SEED, marked, 14, 8, bets, made_by="bettor", currency={"code": "USD", "decimals": 2}, **times),
        "no-bets": _record("pfb1:1", SEED, "lucky 8s", 0, 1, {}),
        "utf-8": _record("pfb1:6", SEED, "\U0001f0a1 Zo\u00eb:7", 2**53 - 1, 6, {"tie": "1"}, made_by="operator"),
        "exceptions": _record("pfb1:8", SEED, "lucky 8s", 5, 8, {"banker": "19", "super6": "3"}, TABLES["super_six"]),
        "every-bet": _record("pfb1:8", SEED, "lucky 8s", 6, 8, dict.fromkeys(sorted(USUAL), "10"), TABLES["all_bets"]),
        "chain-first": _record("pfb1-chain:8", links[1], "lucky 8s", 0, 8, bets, chain=chain),
        "chain-last": _record("pfb1-chain:8", links[12], "lucky 8s", 11, 8, bets, chain=chain),
        "shoe": _record("pfb1-shoe:8", SEED, "lucky 8s", 1, 8, bets, index=7),
    }


_LIES = {  # a record that is well formed and not true: what is changed, and what a verifier says
    "server-seed": ({"server_seed": OTHER_SEED}, "verification.commitment"),
    "commitment": ({"commitment": "0" * 64}, "verification.commitment"),
    "not-revealed": ({"server_seed": None}, "verification.not_revealed"),
    "decks": ({"decks": 7}, "verification.commitment"),
    "label": ({"label": "pfb1:7"}, "verification.scheme"),
    "scheme": ({"scheme": "pfb1-shoe", "label": "pfb1-shoe:8", "index": 0}, "verification.commitment"),
    "index": ({"index": 0}, "verification.index"),
    "client-seed": ({"client_seed": "lucky 9s"}, "verification.client_seed"),
    "client-seed-hex": ({"client_seed_hex": "6c"}, "verification.client_seed"),
    "nonce": ({"nonce": 15}, "verification.cut"),
    "cut": ({"cut": 1}, "verification.cut"),
    "cards": ({"cards": ["As"] * 6}, "verification.cards"),
    "player": ({"player.score": 5}, "verification.coup"),
    "banker": ({"banker.cards": ["8d", "3s", "7d"]}, "verification.coup"),
    "natural": ({"natural": True}, "verification.coup"),
    "winner": ({"winner": "player"}, "verification.coup"),
    "status": ({"bets.player.status": "won"}, "verification.settlement"),
    "return-up": ({"bets.banker.returned": "650"}, "verification.settlement"),
    "return-down": ({"bets.banker.returned": "648"}, "verification.settlement"),
    "staked": ({"totals.staked": "584"}, "verification.settlement"),
    "returned": ({"totals.returned": "650"}, "verification.settlement"),
    "net": ({"totals.net": "67"}, "verification.settlement"),
    "unoffered-bet": ({"bets.dragon7": {"stake": "1", "status": "lost", "returned": "0"}}, "verification.settlement"),
    "multiplier": ({"pay_table.banker_multiplier": "2.0"}, "verification.pay_table"),
    "digest": ({"pay_table_digest": "0" * 64}, "verification.pay_table"),
    "own-bet": ({"pay_table.side_bets": {"house_special": {"won": "2.0"}}}, "money.bet.unknown"),
}
_MALFORMED = {  # text that is no record: what is changed
    "unknown-key": {"salt": "x"},
    "format-version": {"format_version": 2},
    "decks-0": {"decks": 0},
    "decks-9": {"decks": 9},
    "decks-text": {"decks": "8"},
    "decks-null": {"decks": None},
    "upper-case": {"commitment": "AB" * 32},
    "short-server-seed": {"server_seed": "0b" * 31},
    "server-seed-line-end": {"server_seed": f"{SEED}\n"},
    "client-seed-empty": {"client_seed": ""},
    "client-seed-long": {"client_seed": "x" * 129},
    "client-seed-white-space": {"client_seed": " x"},
    "nonce-negative": {"nonce": -1},
    "nonce-large": {"nonce": 2**53},
    "nonce-true": {"nonce": True},
    "cut-large": {"cut": 416},
    "card": {"cards": ["10h", "3s", "Qh", "8d", "4c", "7d"]},
    "seven-cards": {"cards": ["As"] * 7},
    "score": {"player.score": 10},
    "natural-number": {"natural": 0},
    "winner": {"winner": "Banker"},
    "stake-zero": {"bets.player.stake": "0"},
    "stake-number": {"bets.player.stake": 200},
    "stake-leading-zero": {"bets.player.stake": "0200"},
    "stake-large": {"bets.player.stake": "1" + "0" * 38},
    "status": {"bets.player.status": "win"},
    "bet-key": {"bets.player.odds": "1"},
    "net-plus": {"totals.net": "+66"},
    "net-minus-zero": {"totals.net": "-0"},
    "multiplier-zeros": {"pay_table.banker_multiplier": "1.950"},
    "multiplier-below-1": {"pay_table.banker_multiplier": "0.95"},
    "multiplier-digits": {"pay_table.banker_multiplier": "1.9500001"},
    "rounding": {"pay_table.rounding": "up"},
    "digest-short": {"pay_table_digest": "0" * 63},
    "currency": {"currency": {"code": "usd", "decimals": 2}},
    "time-offset": {"accepted_at": "2026-11-29T12:00:00+00:00"},
    "time-zeros": {"accepted_at": "2026-11-29T12:00:00.250Z"},
    "time-february-30": {"accepted_at": "2026-02-30T12:00:00Z"},
    "settled-before-accepted": {"settled_at": "2026-11-29T11:59:59Z"},
}


def _changed(record, changes):
    changed = copy.deepcopy(record)
    for path, value in changes.items():
        place, *steps, last = changed, *path.split(".")
        for step in steps:
            place = place[step]
        place[last] = value
    return changed


def _spoilt_texts(text):
    """Texts that many JSON readers take, and that are no record."""
    return {
        "key-twice": text.replace('"nonce": 14', '"nonce": 13, "nonce": 14'),
        "fraction": text.replace('"nonce": 14', '"nonce": 14.0'),
        "exponent": text.replace('"nonce": 14', '"nonce": 1.4e1'),
        "minus-zero": text.replace('"nonce": 14', '"nonce": -0'),
        "nan": text.replace('"nonce": 14', '"nonce": NaN'),
        "two-values": f"{text} {text}",
        "cut-off": text[:-1],
        "nested": text.replace('"nonce": 14', f'"nonce": {"[" * 20}{"]" * 20}'),
        "missing-key": text.replace('"nonce": 14, ', ""),
        "a-list": f"[{text}]",
        "nothing": "",
        "byte-order-mark": f"\ufeff{text}",
    }


def records():
    """Records that verify, records that do not, and texts that are no record."""
    good = _good_records()
    marked, text = good["marked"], json.dumps(good["marked"], ensure_ascii=False)
    made = [{"id": name, "step": "11", "record": json.dumps(record, ensure_ascii=False), "verified": True} for name, record in good.items()]
    spaced = json.dumps(dict(reversed(marked.items())), indent=1)
    made.append({"id": "white-space-order-escapes", "step": "11", "record": spaced, "verified": True})
    lies = {f"untrue-{name}": (_changed(marked, changes), error) for name, (changes, error) in _LIES.items()}
    lies["untrue-link"] = _changed(good["chain-first"], {"server_seed": good["chain-last"]["server_seed"]}), "verification.link"
    lies["untrue-chain"] = _changed(good["chain-first"], {"chain.length": 13}), "verification.commitment"
    lies["untrue-place"] = _changed(good["shoe"], {"index": 8}), "verification.cards"
    lies["no-such-place"] = _changed(good["shoe"], {"index": 400}), "verification.index"
    made += [
        {"id": name, "step": "11", "record": json.dumps(record, ensure_ascii=False), "error": error}
        for name, (record, error) in lies.items()
    ]
    texts = {name: json.dumps(_changed(marked, changes), ensure_ascii=False) for name, changes in _MALFORMED.items()} | _spoilt_texts(text)
    made += [{"id": f"malformed-{name}", "step": "11", "record": spoilt, "error": "record"} for name, spoilt in texts.items()]
    about = "Records, made by second_opinion.py, and what a verifier says of each; the error codes are written down by hand."
    return {"about": about, "records": made}


ANYWHERE = [*range(0x20), *range(0x7F, 0xA0), 0xD800, 0xDBFF, 0xDC00, 0xDFFF]
AT_EDGES = [0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]
NOWHERE = [0x21, 0x7E, 0xA1, 0x180E, 0x200B, 0x2027, 0x202A, 0x2060, 0x3001, 0xD7FF, 0xE000, 0xFEFE, 0x1F0A1, 0x10FFFF]


def _client_seeds():
    for code in ANYWHERE:
        yield from ((f"U+{code:04X}-{place}", text, True) for place, text in _around(chr(code)))
    for code in AT_EDGES:
        yield from ((f"U+{code:04X}-{place}", text, place != "inside") for place, text in _around(chr(code)))
    for code in NOWHERE:
        yield from ((f"U+{code:04X}-{place}", text, False) for place, text in _around(chr(code)))
    yield from (("empty", "", True), ("1-byte", "x", False), ("128-bytes", "x" * 128, False), ("129-bytes", "x" * 129, True))
    yield from (("128-bytes-utf-8", "\u00eb" * 64, False), ("130-bytes-utf-8", "\u00eb" * 65, True))


def _around(character):
    return (("first", f"{character}a"), ("inside", f"a{character}b"), ("last", f"a{character}"))


_HEX_FAULTS = {
    "upper-case": SEED.upper(),
    "mixed-case": f"{SEED[:-1]}F",
    "prefix": f"0x{SEED}",
    "short": SEED[:-1],
    "long": f"{SEED}0",
    "line-end": f"{SEED}\n",
    "space": f" {SEED}",
    "not-hex": f"{SEED[:-1]}g",
    "full-width": SEED.replace("0", "\uff10"),
    "empty": "",
    "number": 7,
    "null": None,
}
_WHOLE = {"text": "3", "true": True, "negative": -1, "null": None}
_MULTIPLIERS = ("2", "1.950", "1.95 ", "0.95", "01.5", "1.", ".5", "1,95", "+1.5", "1e1", "1000000.0", "1.0000001", "", "NaN", "\u0661.5")
_TAKEN = ("1.0", "1.95", "2.0", "9.0", "999999.999999", "1.000001")
_AMOUNTS = ("00", "01", "-1", "+1", "1.0", "", " 1", "1_000", "\u0661", "1" + "0" * 38)


def _seeds_and_cards():
    """What is refused, and what is not: what is read, the step, a name, the value and the error or None."""
    for what, step, error in (
        ("server_seed", "1", "seed.server_seed"),
        ("commitment", "1", "seed.commitment"),
        ("anchor", "8", "seed.chain"),
    ):
        yield from ((what, step, name, value, error) for name, value in _HEX_FAULTS.items())
        yield what, step, "right", SEED, None
    for name, text, refused in _client_seeds():
        yield "client_seed", "1", name, text, "seed.client_seed" if refused else None
    for name, text in {"ten": "10h", "lower": "kh", "symbol": "K\u2665", "suit": "Kx", "rank": "1h", "empty": "", "both": "KhKh"}.items():
        yield "card", "1", name, text, "card"
    yield "card", "1", "right", "Th", None


def _numbers():
    for what, step, lowest, highest, error in (
        ("nonce", "1", 0, 2**53 - 1, "seed.nonce"),
        ("decks", "1", 1, 8, "seed.decks"),
        ("length", "8", 1, 1_000_000, "seed.chain"),
        ("draw", "4", 1, 2**32, "seed.draw"),
    ):
        wrong = {**_WHOLE, "below": lowest - 1, "above": highest + 1}
        yield from ((what, step, name, value, error) for name, value in wrong.items())
        yield what, step, "lowest", lowest, None
        yield what, step, "highest", highest, None


def _money():
    yield from (("multiplier", STEP_7, f"wrong-{number}", text, "record") for number, text in enumerate(_MULTIPLIERS))
    yield from (("multiplier", STEP_7, f"right-{number}", text, None) for number, text in enumerate(_TAKEN))
    for what, lowest in (("stake", "1"), ("amount", "0")):
        yield from ((what, STEP_7, f"wrong-{number}", text, "record") for number, text in enumerate(_AMOUNTS))
        yield what, STEP_7, "lowest", lowest, None
        yield what, STEP_7, "highest", "9" * 38, None
    yield "stake", STEP_7, "zero", "0", "record"


def refusals():
    """Inputs that must be refused, each with the code of its error, and their neighbours that must not be."""
    made = [
        {"id": f"{what}-{name}", "step": step, "what": what, "value": value, **({"error": error} if error else {"accepted": True})}
        for inputs in (_seeds_and_cards(), _numbers(), _money())
        for what, step, name, value, error in inputs
    ]
    about = "Inputs that must be refused, with the code of the error, and neighbours that must be accepted; written down by hand."
    return {"about": about, "refusals": made}


def files():
    """Every file that is made here, by its name."""
    return {function.__name__: function() for function in (words, draws, settlements, odds, records, refusals)}


def text_of(content):
    """How a file is written: one vector a line."""
    parts = []
    for key, value in content.items():
        if isinstance(value, list):
            lines = ",\n".join(f"    {json.dumps(each)}" for each in value)
            parts.append(f"  {json.dumps(key)}: [\n{lines}\n  ]")
        elif isinstance(value, dict):
            lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(each)}" for name, each in value.items())
            parts.append(f"  {json.dumps(key)}: {{\n{lines}\n  }}")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for file_name, made_here in files().items():
        (HERE / f"{file_name}.json").write_text(text_of(made_here), encoding="utf-8")
