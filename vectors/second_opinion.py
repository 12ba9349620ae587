"""The pfb1 protocol once more, from its text alone: hashlib, hmac and whole numbers, and nothing of the package.

It is slow and plain on purpose. `generate.py` makes known answers with it, and the tests hold the package against both. Functions name the
step of docs/reference/protocol.md that they follow.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from itertools import product

RANKS, SUITS = "A23456789TJQK", "shdc"
DRAWS = {  # step 6: the banker's two-card score, and the third cards of the player on which the banker draws; - is a player who stood
    0: "-0123456789",
    1: "-0123456789",
    2: "-0123456789",
    3: "-012345679",
    4: "-234567",
    5: "-4567",
    6: "67",
    7: "",
}


def commitment(label, server_seed):  # step 2
    return hashlib.sha256(f"{label}:{server_seed}".encode("ascii")).hexdigest()


def words(server_seed, label, client_seed, nonce):  # step 3
    i = 0
    while True:
        message = b":".join([label.encode(), client_seed.encode(), str(nonce).encode(), str(i).encode()])
        block = hmac.new(bytes.fromhex(server_seed), message, hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        i += 1


def draw(stream, n):  # step 4
    while True:
        word = next(stream)
        if word < (1 << 32) - (1 << 32) % n:
            return word % n


def cut_and_cards(server_seed, label, client_seed, nonce, decks, count=6):  # step 5
    size = 52 * decks
    stream = words(server_seed, label, client_seed, nonce)
    cut = draw(stream, size)
    slots = [(cut + slot) % size for slot in range(size)]
    for k in range(min(count, size - 1)):
        j = k + draw(stream, size - k)
        slots[k], slots[j] = slots[j], slots[k]
    return cut, [RANKS[card % 13] + SUITS[card % 52 // 13] for card in slots[:count]]


def points(card):  # step 6
    return 0 if card[0] in "TJQK" else RANKS.index(card[0]) + 1


def score(hand):
    return sum(map(points, hand)) % 10


def deal(cards):  # steps 6.1 to 6.4
    player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], list(cards[4:])
    if max(score(player), score(banker)) < 8:
        third = "-"
        banker_has = score(banker)
        if score(player) <= 5:
            player.append(rest.pop(0))
            third = str(points(player[2]))
        if third in DRAWS[banker_has]:
            banker.append(rest.pop(0))
    return player, banker


def coup(cards):  # step 6.5
    player, banker = deal(cards)
    one, other = score(player), score(banker)
    return {
        "player": player,
        "banker": banker,
        "player_score": one,
        "banker_score": other,
        "natural": any(len(hand) == 2 and score(hand) >= 8 for hand in (player, banker)),
        "winner": "player" if one > other else "banker" if other > one else "tie",
    }


def links(last_link, length):  # step 8
    chain = [bytes.fromhex(last_link)]
    for _ in range(length):
        chain.append(hashlib.sha256(chain[-1]).digest())
    return [link.hex() for link in reversed(chain)]


def shoe(server_seed, client_seed, nonce, decks):  # step 10
    size = 52 * decks
    cut, order = cut_and_cards(server_seed, f"pfb1-shoe:{decks}", client_seed, nonce, decks, size)
    at = burnt = 1 + (points(order[0]) or 10)
    left, coups = None, []
    while left != 0:
        if left is None and at >= size - 14:
            left = 1
        dealt = coup(order[at : at + 6])
        at += len(dealt["player"]) + len(dealt["banker"])
        coups.append({"index": len(coups), **{key: dealt[key] for key in ("player", "banker", "winner")}})
        if left is not None:
            left -= 1
        elif at - 1 >= size - 14:
            left = 1
    return {"cut": cut, "order": order, "burnt": burnt, "coups": coups}


# Step 7, with docs/reference/bets.md


def millionths(multiplier):
    whole, fraction = multiplier.split(".")
    return int(whole) * 10**6 + int(fraction.ljust(6, "0"))


def digest(pay_table):  # step 11
    text = json.dumps(pay_table, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def settle(dealt, stakes, pay_table):
    """What came of each bet: its stake, status and return as a record has them, and the sums."""
    bets = {}
    for name, stake in stakes.items():
        status, pays = payment(name, dealt, pay_table)
        bets[name] = {"stake": stake, "status": status, "returned": str(int(stake) * pays // 10**6)}
    staked, returned = (sum(int(bet[key]) for bet in bets.values()) for key in ("stake", "returned"))
    return {"bets": bets, "totals": {"staked": str(staked), "returned": str(returned), "net": str(returned - staked)}}


def payment(name, dealt, pay_table):
    """The status of a bet, and its multiplier in millionths."""
    answer = ANSWERS[name](dealt)
    if answer in ("lost", "pushed"):
        return answer, 10**6 * (answer == "pushed")
    if name in ("player", "tie"):
        pays = pay_table[f"{name}_multiplier"]
    elif name == "banker":
        pays = pay_table["banker_exceptions"].get(answer, pay_table["banker_multiplier"])
    else:
        pays = pay_table["side_bets"][name][answer]
    return ("pushed", 10**6) if pays == "push" else ("won", millionths(pays))


def _won(condition):
    return lambda dealt: "won" if condition(dealt) else "lost"


def _banker(dealt):
    if dealt["winner"] != "banker":
        return "pushed" if dealt["winner"] == "tie" else "lost"
    three_card_seven = dealt["banker_score"] == 7 and len(dealt["banker"]) == 3
    return "six" if dealt["banker_score"] == 6 else "three_card_seven" if three_card_seven else "won"


def _dragon_bonus(side):
    def answer(dealt):
        if dealt["winner"] == "tie":
            return "pushed" if dealt["natural"] else "lost"
        margin = abs(dealt["player_score"] - dealt["banker_score"])
        if dealt["winner"] != side or (margin < 4 and not dealt["natural"]):
            return "lost"
        return "natural" if dealt["natural"] else f"by_{margin}"

    return answer


def _wins_on(side, number):
    return lambda dealt: ("lost", "two_cards", "three_cards")[
        (dealt["winner"] == side and dealt[f"{side}_score"] == number) * (len(dealt[side]) - 1)
    ]


def _pair(dealt, side):
    return dealt[side][0][0] == dealt[side][1][0]


def _same(dealt, side):
    return dealt[side][0] == dealt[side][1]


def _tiger_pair(dealt):
    sides = [side for side in ("player", "banker") if _pair(dealt, side)]
    both = "both_same" if dealt["player"][0][0] == dealt["banker"][0][0] else "both"
    return ("lost", "one", both)[len(sides)]


def _royal_match(dealt):
    suited = [
        dealt[side][0][1] == dealt[side][1][1] for side in ("player", "banker") if {dealt[side][0][0], dealt[side][1][0]} == {"K", "Q"}
    ]
    if len(suited) == 2:
        return {0: "two_unsuited", 1: "suited_and_unsuited", 2: "two_suited"}[sum(suited)]
    return ("suited" if suited[0] else "unsuited") if suited else "lost"


def _cards(dealt):
    return len(dealt["player"]) + len(dealt["banker"])


def _tie_on(number):
    return _won(lambda dealt: dealt["winner"] == "tie" and dealt["player_score"] == number)


def _three_cards(side, number):
    return _won(lambda dealt: dealt["winner"] == side and dealt[f"{side}_score"] == number and len(dealt[side]) == 3)


ANSWERS = {
    "player": lambda dealt: {"player": "won", "tie": "pushed", "banker": "lost"}[dealt["winner"]],
    "banker": _banker,
    "tie": _won(lambda dealt: dealt["winner"] == "tie"),
    "player_pair": _won(lambda dealt: _pair(dealt, "player")),
    "banker_pair": _won(lambda dealt: _pair(dealt, "banker")),
    "either_pair": _won(lambda dealt: _pair(dealt, "player") or _pair(dealt, "banker")),
    "perfect_pair": lambda dealt: ("lost", "one", "both")[_same(dealt, "player") + _same(dealt, "banker")],
    "perfect_pair_flat": _won(lambda dealt: _same(dealt, "player") or _same(dealt, "banker")),
    "big": _won(lambda dealt: _cards(dealt) > 4),
    "small": _won(lambda dealt: _cards(dealt) == 4),
    "four_cards": _won(lambda dealt: _cards(dealt) == 4),
    "five_cards": _won(lambda dealt: _cards(dealt) == 5),
    "six_cards": _won(lambda dealt: _cards(dealt) == 6),
    "dragon_bonus_player": _dragon_bonus("player"),
    "dragon_bonus_banker": _dragon_bonus("banker"),
    "dragon7": _three_cards("banker", 7),
    "panda8": _three_cards("player", 8),
    "super6": _won(lambda dealt: dealt["winner"] == "banker" and dealt["banker_score"] == 6),
    "tiger": _wins_on("banker", 6),
    "small_tiger": _won(lambda dealt: _wins_on("banker", 6)(dealt) == "two_cards"),
    "big_tiger": _three_cards("banker", 6),
    "tiger_tie": _tie_on(6),
    "tiger_pair": _tiger_pair,
    "lucky7": _wins_on("player", 7),
    "royal_match": _royal_match,
    **{f"egalite_{number}": _tie_on(number) for number in range(10)},
}
OPENING = {"player_pair", "banker_pair", "either_pair", "tiger_pair"}
SUITED = {"perfect_pair", "perfect_pair_flat", "royal_match"}


# Odds: ordered deals of six cards, counted


def count(decks):
    """In how many ordered six-card deals each bet of the catalogue gives each of its answers."""
    ways = {}
    by_class = _classes(decks)
    for name, answer in ANSWERS.items():
        if name in OPENING:
            coups = _openings(decks)
        elif name in SUITED:
            coups = _suited_openings(decks, name)
        else:
            coups = by_class.items()
        ways[name] = {}
        for dealt, number in coups:
            told = answer(dict(dealt))
            ways[name][told] = ways[name].get(told, 0) + number
    return {name: {answer: number for answer, number in sorted(told.items()) if number} for name, told in ways.items()}


def _classes(decks):
    """Coups by scores and numbers of cards, as tuples that a dictionary can be made of, and their ways."""
    left = [16 * decks, *[4 * decks] * 9]
    size, classes = 52 * decks, {}
    for a, b, c, d in product(range(10), repeat=4):
        ways = 1
        for card in (a, b, c, d):
            ways *= left[card]
            left[card] -= 1
        if ways:
            for one, other, number in _ends(a, b, c, d, left, size):
                key = one, other
                classes[key] = classes.get(key, 0) + ways * number
        for card in (a, b, c, d):
            left[card] += 1
    return {_dealt(*key): number for key, number in classes.items()}


def _ends(a, b, c, d, left, size):
    """How a coup ends after its first four cards: (score, cards) of both hands, and in how many ways positions 5 and 6 do that."""
    one, other = (a + c) % 10, (b + d) % 10
    if max(one, other) >= 8:
        yield (one, 2), (other, 2), (size - 4) * (size - 5)
        return
    for fifth in range(10):
        drawn = fifth if one <= 5 else None
        banker_draws = ("-" if drawn is None else str(drawn)) in DRAWS[other]
        if drawn is None:
            yield (one, 2), ((other + fifth) % 10, 3) if banker_draws else (other, 2), left[fifth] * (size - 5)
        elif not banker_draws:
            yield ((one + drawn) % 10, 3), (other, 2), left[fifth] * (size - 5)
        else:
            for sixth in range(10):
                yield ((one + drawn) % 10, 3), ((other + sixth) % 10, 3), left[fifth] * (left[sixth] - (fifth == sixth))


def _dealt(one, other):
    """A coup by its scores and numbers of cards, without cards."""
    (player, player_cards), (banker, banker_cards) = one, other
    natural = (player_cards == 2 and player >= 8) or (banker_cards == 2 and banker >= 8)
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    hands = (("player", "?" * player_cards), ("banker", "?" * banker_cards))
    return (*hands, ("player_score", player), ("banker_score", banker), ("natural", natural), ("winner", winner))


def _deal_counts(kinds, decks):
    """Every four cards of so many kinds, each given as (card, how many there are), in order, with their ways times those of two more."""
    size = 52 * decks
    for cards in product(range(len(kinds)), repeat=4):
        ways = (size - 4) * (size - 5)
        taken = [0] * len(kinds)
        for kind in cards:
            ways *= kinds[kind][1] - taken[kind]
            taken[kind] += 1
        if ways:
            a, b, c, d = (kinds[kind][0] for kind in cards)
            yield (("player", (a, c)), ("banker", (b, d))), ways


def _openings(decks):
    return _deal_counts([(rank + "s", 4 * decks) for rank in RANKS], decks)


def _suited_openings(decks, name):
    if name == "royal_match":
        royals = [(rank + suit, decks) for rank in "KQ" for suit in SUITS]
        return _deal_counts([*royals, ("2s", 44 * decks)], decks)
    return _perfect_pairs(decks)


def _perfect_pairs(decks):
    """Both hands by whether their first two cards are the same card, by inclusion and exclusion."""
    size, n = 52 * decks, decks
    tail = (size - 4) * (size - 5)
    both = 52 * n * (n - 1) * ((n - 2) * (n - 3) + 51 * n * (n - 1))
    player = 52 * n * (n - 1) * (size - 2) * (size - 3)
    hands = {True: ("2s", "2s"), False: ("2s", "3s")}
    counts = {(True, True): both, (True, False): player - both, (False, True): player - both}
    counts[False, False] = size * (size - 1) * (size - 2) * (size - 3) - sum(counts.values())
    for (one, other), ways in counts.items():
        yield (("player", hands[one]), ("banker", hands[other])), ways * tail
