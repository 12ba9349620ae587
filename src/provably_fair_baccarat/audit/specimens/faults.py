"""Faults to plant in a specimen, one row each, and every finding that each of them must give: that one and no other.

A fault gets the honest row as a mapping, with the number of `spent` nonces of its pair, and gives the rows that stand in its place: another one, none, or two. What an audit must then find
follows from the rules: each fault says it in plain Python, round by round, and asks nothing of the audit's own code.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from hashlib import sha256
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ...cards import DECK, Card
from ...fairness.seed_pair import Seeds
from ...rounds import play_round
from ...rules.coup import deal_coup
from ...rules.pay_table import PayTable
from ...rules.settlement import settle
from ..arrow import pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pyarrow import RecordBatch

    from ...rules.coup import Coup
    from .plan import Plan

Row: TypeAlias = dict[str, Any]


class Expected(NamedTuple):
    """A finding that must be told: its code, the commitment as hex, and the nonce; None where it is of a whole pair, or of no known round."""

    code: str
    commitment: str | None
    nonce: int | None


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault and its place: the row of the honest table, from 0, with its commitment and nonce; and the findings that it must give."""

    kind: str
    row: int
    commitment: str
    nonce: int
    expected: tuple[Expected, ...]


class Place(NamedTuple):
    """Where a fault goes: its kind, how many nonces its pair has spent, and its own chance."""

    kind: str
    spent: int
    chance: Random


Fault: TypeAlias = "Callable[[Row, Random], tuple[list[Row], list[Expected]]]"


def places_of(plan: Plan) -> dict[int, Place]:
    """Where the faults of a plan go: from the row to the kind, each in a pair of its own and never in its first or last round."""
    chance = Random(sha256(b"places" + plan.key).digest())  # noqa: S311 (nobody needs to be surprised by it)
    chains = [pair for pair in range(plan.pairs) if plan.is_chain(pair)]
    others = [pair for pair in range(plan.pairs) if not plan.is_chain(pair)]
    for pairs in (chains, others):
        chance.shuffle(pairs)
    places: dict[int, Place] = {}
    for kind, number in sorted(plan.faults.items()):
        for _ in range(0 if of_shoes(kind) else number):
            pair = (chains if of_chains(kind) else others).pop()
            nonce = chance.randint(1, plan.rounds_of(pair) - 2)
            row = plan.rounds // plan.pairs * pair + min(pair, plan.rounds % plan.pairs) + nonce
            places[row] = Place(kind, plan.rounds_of(pair), Random(chance.randbytes(16)))  # noqa: S311 (as above)
    return places


def plant(batches: Iterable[RecordBatch], places: Mapping[int, Place], planted: list[Planted]) -> Iterator[RecordBatch]:
    """The same batches with faults at these places, each of which is told to `planted`."""
    first = 0
    for batch in batches:
        here = sorted(row - first for row in places if first <= row < first + batch.num_rows)
        yield _with_faults(batch, first, here, places, planted) if here else batch
        first += batch.num_rows


def _with_faults(batch: Any, first: int, here: list[int], places: Mapping[int, Place], planted: list[Planted]) -> RecordBatch:
    parts: list[Any] = []
    start = 0
    for place in here:
        (row,) = batch.slice(place, 1).to_pylist()
        kind, spent, chance = places[first + place]
        rows, expected = {**FAULTS, **SEED_FAULTS}[kind]({**row, "spent": spent}, chance)
        planted.append(Planted(kind, first + place, row["commitment"].hex(), row["nonce"], tuple(expected)))
        parts.append(batch.slice(start, place - start))
        parts.append(pa.RecordBatch.from_pylist(rows, schema=batch.schema))
        start = place + 1
    parts.append(batch.slice(start))
    table: Any = pa.Table.from_batches(parts).unify_dictionaries().combine_chunks()
    made: RecordBatch = table.to_batches()[0]
    return made


def _at(row: Row, *codes: str) -> list[Expected]:
    """Findings about a row."""
    return [Expected(code, row["commitment"].hex(), row["nonce"]) for code in codes]


def _coup_of(cards: str) -> Coup:
    return deal_coup(Card.parse(cards[place : place + 2]) for place in range(0, 12, 2))


def _hand(cards: Iterable[Card]) -> str:
    return "".join(map(str, cards))


def _other_card(row: Row, chance: Random, place: int) -> str:
    """The cards with another one at a place."""
    cards: str = row["cards"]
    others = [str(card) for card in DECK if str(card) != cards[2 * place : 2 * place + 2]]
    return cards[: 2 * place] + chance.choice(others) + cards[2 * place + 2 :]


def claims_of(coup: Coup) -> dict[str, Any]:
    """What a row claims about a coup, besides its cards."""
    return {
        "player_cards": _hand(coup.player.cards),
        "banker_cards": _hand(coup.banker.cards),
        "player_score": coup.player.score,
        "banker_score": coup.banker.score,
        "winner": coup.winner.value,
        "natural": coup.natural,
    }


def _paid(row: Row, coup: Coup) -> dict[str, Any]:
    """What a row claims about its bets where a coup is this one."""
    settlement = settle(coup, {line["bet"]: int(line["stake"]) for line in row["bets"]}, PayTable.parse_json(row["pay_table"]))
    bets = [
        {"bet": line.bet, "stake": Decimal(line.stake), "status": line.status, "returned": Decimal(line.returned)}
        for line in settlement.lines.values()
    ]
    return {"bets": bets, "returned": Decimal(settlement.returned)}


_CODE_OF: Final = {
    "player_cards": "hands",
    "banker_cards": "hands",
    "player_score": "score",
    "banker_score": "score",
    "winner": "winner",
    "natural": "natural",
}


def _card(row: Row, chance: Random) -> tuple[list[Row], list[Expected]]:
    """A card is another one, and nothing else is changed: all that the new cards would give is held against what the row still claims."""
    made = {**row, "cards": _other_card(row, chance, chance.randrange(6))}
    claims = claims_of(_coup_of(made["cards"]))
    return [made], _at(row, "cards", *(_CODE_OF[name] for name, value in claims.items() if row[name] != value))


def _coup(row: Row, chance: Random) -> tuple[list[Row], list[Expected]]:
    """Another coup, dealt and paid without a contradiction: only the seeds tell, and the money that they do not give."""
    made: Row = dict(row)
    while made["winner"] == row["winner"]:
        made = {**row, "cards": _other_card(row, chance, chance.randrange(4))}
        made |= claims_of(_coup_of(made["cards"]))
    made |= _paid(row, _coup_of(made["cards"]))
    lines: list[tuple[Row, Row]] = list(zip(row["bets"], made["bets"], strict=True))
    differs = {
        "status": any(honest["status"] != other["status"] for honest, other in lines),
        "returned": any(honest["returned"] != other["returned"] for honest, other in lines),
        "totals": row["returned"] != made["returned"],
    }
    return [made], _at(row, "cards", *(code for code, is_so in differs.items() if is_so))


def _cut(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "cut": (row["cut"] + 1) % (52 * row["decks"])}], _at(row, "cut")


def _hands(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """The player's hand in another order."""
    cards: str = row["player_cards"]
    other = "As" if cards[:2] != "As" else "Ah"
    return [{**row, "player_cards": other + cards[2:]}], _at(row, "hands")


def _score(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "banker_score": (row["banker_score"] + 1) % 10}], _at(row, "score")


def _natural(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "natural": not row["natural"]}], _at(row, "natural")


def _winner(row: Row, chance: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "winner": chance.choice([name for name in ("player", "banker", "tie") if name != row["winner"]])}], _at(row, "winner")


def _payment(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """A bet returns one unit more, and so does the round."""
    first, *others = row["bets"]
    made = {**row, "bets": [{**first, "returned": first["returned"] + 1}, *others], "returned": row["returned"] + 1}
    return [made], _at(row, "returned", "totals")


def _status(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    *others, last = row["bets"]
    return [{**row, "bets": [*others, {**last, "status": "won" if last["status"] != "won" else "lost"}]}], _at(row, "status")


def _totals(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "staked": row["staked"] + 1}], _at(row, "totals")


def _bet(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """A bet that no table offers."""
    first, *others = row["bets"]
    return [{**row, "bets": [{**first, "bet": "dragon_9"}, *others]}], _at(row, "bet")


def _pay_table(row: Row, chance: Random) -> tuple[list[Row], list[Expected]]:
    """The digest of another pay table."""
    return [{**row, "pay_table_digest": chance.randbytes(32)}], _at(row, "pay_table")


def _client_seed(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """A client seed with white space at its end, which none can have (protocol step 1)."""
    return [{**row, "client_seed": row["client_seed"] + b" "}], _at(row, "client_seed")


def _scheme(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "scheme": "stake"}], _at(row, "scheme")


def _not_revealed(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "server_seed": None}], _at(row, "not_revealed")


def _server_seed(row: Row, chance: Random) -> tuple[list[Row], list[Expected]]:
    """Another server seed than was committed to: the row fails, and the pair has two."""
    commitment = row["commitment"].hex()
    return [{**row, "server_seed": chance.randbytes(32)}], [*_at(row, "commitment"), Expected("two_server_seeds", commitment, None)]


def _commitment(row: Row, chance: Random) -> tuple[list[Row], list[Expected]]:
    """Another commitment: a pair that begins at this nonce, and the true one misses it."""
    made = {**row, "commitment": chance.randbytes(32)}
    return [made], [*_at(made, "commitment"), *_at(row, "nonce_missing"), Expected("nonce_missing", made["commitment"].hex(), 0)]


def _pay_table_changed(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """Settled without a mistake by a pay table that none of the other rounds has."""
    text = row["pay_table"].replace('"player_multiplier":"2.0"', '"player_multiplier":"1.9"')
    made = {**row, "pay_table": text, "pay_table_digest": bytes.fromhex(PayTable.parse_json(text).digest)}
    return [{**made, **_paid(made, _coup_of(row["cards"]))}], [Expected("pay_table_changed", row["commitment"].hex(), None)]


def _currency_changed(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    return [{**row, "currency": "USD"}], [Expected("currency_changed", row["commitment"].hex(), None)]


def _early_reveal(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """The server seed is revealed after this round: bets go on to be taken, the last of them on the last nonce."""
    return [{**row, "revealed_at": row["settled_at"]}], [Expected("time", row["commitment"].hex(), row["spent"] - 1)]


def _early_link(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """The link of this round is revealed before the round below it is settled, which it gives away; this one's own times are not told."""
    made = {**row, "accepted_at": None, "settled_at": None, "revealed_at": row["accepted_at"] - timedelta(seconds=10)}
    return [made], [Expected("time", row["commitment"].hex(), row["nonce"] - 1)]


def _at_a_pair_of(secret: bytes, row: Row) -> tuple[list[Row], list[Expected]]:
    """An honest round of another commitment, to this secret of a chain, in place of one of that chain."""
    seeds = Seeds.commit(secret.hex(), row["client_seed"].decode(), row["decks"])
    played = play_round(seeds, row["nonce"])
    made: Row = {**row, **claims_of(played.coup), **_paid(row, played.coup), "scheme": "pfb1", "chain_anchor": None, "chain_length": None}
    made |= {"commitment": bytes.fromhex(str(seeds.commitment)), "server_seed": secret, "cut": played.cut}
    made["cards"] = "".join(map(str, played.cards))
    later = max(row["commitment"], made["commitment"]).hex()
    expected = [*_at(row, "nonce_missing"), Expected("nonce_missing", made["commitment"].hex(), 0)]
    return [made], [*expected, Expected("server_seed_reused", later, None)]


def _public_seed(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """A server seed that everybody knew: the anchor of a chain."""
    return _at_a_pair_of(row["chain_anchor"], row)


def _link_reused(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """A server seed that is a link of a chain, one that no round of this chain shows."""
    return _at_a_pair_of(row["server_seed"], row)


def _reused(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """The server seed serves a second commitment, to another number of decks: an honest round, and a pair that begins at this nonce."""
    seeds = Seeds.commit(row["server_seed"].hex(), row["client_seed"].decode(), row["decks"] % 8 + 1)
    played = play_round(seeds, row["nonce"])
    settled = _paid(row, played.coup)
    made: Row = {**row, **claims_of(played.coup), **settled, "commitment": bytes.fromhex(str(seeds.commitment)), "decks": seeds.decks}
    made |= {"cut": played.cut, "cards": "".join(map(str, played.cards))}
    both = sorted((row["commitment"].hex(), made["commitment"].hex()))
    expected = [*_at(row, "nonce_missing"), Expected("nonce_missing", made["commitment"].hex(), 0)]
    return [made], [*expected, Expected("server_seed_reused", both[1], None)]


def _missing(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """The round is not there."""
    return [], _at(row, "nonce_missing")


def _repeated(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """The round is there twice."""
    return [row, row], _at(row, "nonce_twice")


def _late(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """Settled after the reveal, when everybody could compute the coup."""
    return [{**row, "settled_at": row["revealed_at"] + timedelta(seconds=1)}], _at(row, "time")


def _backwards(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """Settled before it was accepted."""
    return [{**row, "settled_at": row["accepted_at"] - timedelta(microseconds=1)}], _at(row, "time")


def _order(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """Accepted long before the rounds with lower nonces."""
    return [{**row, "accepted_at": row["accepted_at"] - timedelta(days=36_500)}], _at(row, "time_order")


def _unreadable(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """Cards that are none: the row says nothing any more, not even that its nonce has a round."""
    return [{**row, "cards": "??" + row["cards"][2:]}], [Expected("unreadable", None, None), *_at(row, "nonce_missing")]


def _link(row: Row, chance: Random) -> tuple[list[Row], list[Expected]]:
    """A link that does not lead to the anchor (protocol step 8)."""
    return [{**row, "server_seed": chance.randbytes(32)}], _at(row, "link")


def _beyond(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """A nonce behind the end of the chain: accepted before its last coup, and missing where it was."""
    made = {**row, "nonce": row["chain_length"]}
    return [made], [*_at(made, "nonce", "time_order"), *_at(row, "nonce_missing")]


def _unspent(row: Row, _: Random) -> tuple[list[Row], list[Expected]]:
    """One more round, of a nonce that nobody spent: right in every card and every payment, and accepted behind all others."""
    made: Row = {**row, "nonce": row["spent"], "accepted_at": row["revealed_at"] - timedelta(seconds=1), "settled_at": row["revealed_at"]}
    seeds = Seeds(row["server_seed"].hex(), row["client_seed"].decode(), row["commitment"].hex(), row["decks"])
    played = play_round(seeds, made["nonce"])
    made |= {"cut": played.cut, "cards": "".join(map(str, played.cards)), **claims_of(played.coup), **_paid(row, played.coup)}
    return [row, made], _at(made, "nonce_beyond")


FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(
    {
        "card": _card,
        "coup": _coup,
        "cut": _cut,
        "hands": _hands,
        "score": _score,
        "natural": _natural,
        "winner": _winner,
        "payment": _payment,
        "status": _status,
        "totals": _totals,
        "bet": _bet,
        "pay_table": _pay_table,
        "client_seed": _client_seed,
        "scheme": _scheme,
        "not_revealed": _not_revealed,
        "server_seed": _server_seed,
        "commitment": _commitment,
        "reused": _reused,
        "missing": _missing,
        "repeated": _repeated,
        "late": _late,
        "backwards": _backwards,
        "order": _order,
        "unreadable": _unreadable,
        "link": _link,
        "beyond": _beyond,
        "pay_table_changed": _pay_table_changed,
        "currency_changed": _currency_changed,
        "early_reveal": _early_reveal,
        "early_link": _early_link,
        "public_seed": _public_seed,
        "link_reused": _link_reused,
    }
)
"""Every kind of fault that can be planted. Those of `of_chains` are of seed chains."""

SEED_FAULTS: Final[Mapping[str, Fault]] = MappingProxyType({"unspent": _unspent})
"""Kinds of faults that only an audit with the specimen's table of seeds can find, since it says how many nonces were spent."""

SHOE_FAULTS: Final = ("coup_missing", "coup_repeated", "coup_beyond", "two_client_seeds")
"""Kinds of faults that are planted in shoes dealt through; `shoes` has them."""

_OF_CHAINS: Final = frozenset({"link", "beyond", "early_link", "public_seed", "link_reused"})


def of_seeds(kind: str) -> bool:
    """Whether a fault can only be found with the specimen's table of seeds."""
    return kind in SEED_FAULTS


def of_shoes(kind: str) -> bool:
    """Whether a fault can only be planted in a shoe dealt through."""
    return kind in SHOE_FAULTS


def of_chains(kind: str) -> bool:
    """Whether a fault can only be planted in a seed chain."""
    return kind in _OF_CHAINS
