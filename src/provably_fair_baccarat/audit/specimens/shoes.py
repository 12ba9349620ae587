"""Shoes dealt through (protocol step 10) for a specimen, each with a seed pair and one nonce of its own, and what can be wrong with them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from itertools import count, cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ...canonical import canonical_json
from ...fairness.seed_pair import Seeds
from ...fairness.seeds import ServerSeed
from ...rounds import play_shoe
from ...rules.settlement import settle
from ..arrow import pa
from .faults import SHOE_FAULTS, Expected, Planted, Row, claims_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyarrow import RecordBatch

    from ...rules.pay_table import PayTable
    from .plan import Plan

_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_BETS: Final = ("player", "banker", "tie")


def shoe_commitments(plan: Plan) -> Iterator[bytes]:
    """The commitments of a plan's shoes, in order."""
    for seeds, _ in _shoes(plan):
        yield bytes.fromhex(str(seeds.commitment))


def shoe_batches(plan: Plan, schema: Any, planted: list[Planted]) -> Iterator[RecordBatch]:
    """The rounds of a plan's shoes, a batch for each, with its faults of shoes; each of these is added to `planted`."""
    chance = Random(sha256(b"shoe faults" + plan.key).digest())  # noqa: S311 (nobody needs to be surprised by it)
    kinds: list[str | None] = [kind for kind in SHOE_FAULTS for _ in range(plan.faults.get(kind, 0))]
    kinds += [None] * (plan.shoes - len(kinds))
    chance.shuffle(kinds)
    first = plan.rounds
    for kind, (seeds, table) in zip(kinds, _shoes(plan), strict=True):
        rows = _rows(seeds, table)
        size = len(rows)
        if kind is not None:
            place = chance.randint(1, size - 2)
            code = _PLANT[kind](rows, place, (seeds, table))
            commitment = str(seeds.commitment)
            planted.append(Planted(kind, first + place, commitment, 0, (Expected(code, commitment, 0),)))
        first += size
        batch: RecordBatch = pa.RecordBatch.from_pylist(rows, schema=schema)
        yield batch


_Shoe: TypeAlias = "tuple[Seeds, PayTable]"


def _shoes(plan: Plan) -> Iterator[_Shoe]:
    """The seeds of each shoe, and the pay table of its bets."""
    chance = Random(sha256(b"shoes" + plan.key).digest())  # noqa: S311 (specimens are no secret)
    turns = zip(cycle(plan.decks), cycle(plan.pay_tables), strict=False)
    for decks, table in islice(turns, plan.shoes):
        server_seed = ServerSeed(chance.randbytes(32))
        commitment = sha256(f"pfb1-shoe:{decks}:{server_seed.reveal()}".encode()).hexdigest()
        client_seed = f"{chance.randbytes(8).hex()}-{commitment[:16]}"
        yield Seeds.commit(server_seed, client_seed, decks, scheme="pfb1-shoe"), table


def _rows(seeds: Seeds, table: PayTable) -> list[Row]:
    """Every coup of a shoe, each with a bet."""
    text, digest = canonical_json(table.to_dict()).decode(), bytes.fromhex(table.digest)
    played = play_shoe(seeds, 0)
    rows: list[Row] = []
    for index, each in enumerate(played):
        settlement = settle(each.coup, {_BETS[index % 3]: 100 * (index + 1)}, table)
        accepted_at = _BEGIN + timedelta(seconds=30 * index)
        row: Row = {
            "scheme": "pfb1-shoe",
            "decks": seeds.decks,
            "commitment": bytes.fromhex(str(seeds.commitment)),
            "server_seed": bytes.fromhex(seeds.server_seed.reveal()),
            "client_seed": str(seeds.client_seed).encode(),
            "nonce": 0,
            "index": index,
            "cut": each.cut,
            "cards": "".join(map(str, each.coup.cards)),
            **claims_of(each.coup),
            "bets": [
                {"bet": line.bet, "stake": Decimal(line.stake), "status": line.status, "returned": Decimal(line.returned)}
                for line in settlement.lines.values()
            ],
            "staked": Decimal(settlement.staked),
            "returned": Decimal(settlement.returned),
            "pay_table": text,
            "pay_table_digest": digest,
            "currency": "EUR",
            "accepted_at": accepted_at,
            "settled_at": accepted_at + timedelta(seconds=20),
            "revealed_at": _BEGIN + timedelta(seconds=30 * len(played)),
        }
        rows.append(row)
    return rows


def _missing(rows: list[Row], place: int, _: _Shoe) -> str:
    """A coup is not there."""
    del rows[place]
    return "coup_missing"


def _repeated(rows: list[Row], place: int, _: _Shoe) -> str:
    """A coup is there twice."""
    rows.insert(place, rows[place])
    return "nonce_twice"


def _beyond(rows: list[Row], _place: int, _: _Shoe) -> str:
    """The last coup once more, at a place that the shoe does not have."""
    rows.append({**rows[-1], "index": len(rows)})
    return "nonce"


def _two_client_seeds(rows: list[Row], place: int, shoe: _Shoe) -> str:
    """A coup of the same server seed and another client seed, right in itself: the shoe was dealt with two."""
    seeds, table = shoe
    for number in count():
        other = Seeds.commit(seeds.server_seed, f"{number}-{seeds.client_seed}", rows[0]["decks"], scheme="pfb1-shoe")
        dealt = _rows(other, table)
        if place < len(dealt) <= len(rows):  # a longer shoe would miss coups
            times = {name: rows[place][name] for name in ("accepted_at", "settled_at", "revealed_at")}
            rows[place] = {**dealt[place], **times}
            break
    return "client_seed_twice"


_PLANT: Final[dict[str, Callable[[list[Row], int, _Shoe], str]]] = {
    "coup_missing": _missing,
    "coup_repeated": _repeated,
    "coup_beyond": _beyond,
    "two_client_seeds": _two_client_seeds,
}
