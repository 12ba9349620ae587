"""Refused bets, held against the outcomes (protocol step 9): how each would have gone, as far as its nonce was dealt after all.

A refused bet spends no nonce, so the next accepted round has it, and the same cards. What the refused bet would have come to is told by who
won there, for the three main bets. A house that refuses what would win shows more won than lost.

What a table of refused bets says of itself is nobody's proof, so that nothing in it is a finding. But what cannot be held against any round
is counted, by why.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from ..fairness.inputs import MAX_NONCE
from .columns import Faults, as_codes, as_flags, as_numbers, fixed_bytes, read_column
from .facts import unpack
from .refusal_tally import RefusedBet, gather
from .rows import WINNERS
from .runs import rounds_of
from .schema import REFUSALS, field_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..canonical import Json
    from .fragments import Fragment
    from .refusal_tally import Refused
    from .seed_book import SeedBook

_Place = tuple[bytes, int]
"""The 32 bytes of a commitment, and a nonce."""

_STAKE: Final = re.compile(r"[1-9][0-9]{0,37}", re.ASCII)
_STATUSES: Final = ("won", "pushed", "lost", "unknown")


class _Line(NamedTuple):
    """A bet of a row; its stake is None where it is no amount, which may be what it was refused for."""

    bet: str
    stake: int | None


class _Row(NamedTuple):
    """A row that can be read: the nonce that was next, the bets that were refused there, and why."""

    place: _Place
    lines: tuple[_Line, ...]
    reason: str


def gather_refusals(table: Any) -> Refused:
    """What was refused, with the stakes, by its commitments and nonces: for rounds to be held against as they come."""
    return gather(RefusedBet(*row.place, stakes) for row in _rows(table) if (stakes := _stakes(row.lines)))


def _stakes(lines: Iterable[_Line]) -> dict[str, int]:
    """The stakes of a refused bet by name."""
    stakes: dict[str, int] = {}
    for line in lines:
        if line.stake is not None:
            stakes[line.bet] = stakes.get(line.bet, 0) + line.stake
    return stakes


def weigh_refusals(table: Any, fragments: Iterable[Fragment], seeds: SeedBook | None = None) -> dict[str, Json]:
    """Count the refused bets by how they would have gone, in all and by the reasons that were given; and what can't be held against a round.

    A pair is known by its rounds, or from the table of seeds.
    """
    rows = list(_rows(table))
    asked = {row.place for row in rows}
    winners, pairs = _winners(asked, fragments)
    if seeds is not None:
        pairs |= {commitment for commitment, _ in asked} & {each.tobytes() for each in seeds.commitments}
    counts: dict[str, dict[str, int]] = {}
    for row in rows:
        of_reason = counts.setdefault(row.reason, dict.fromkeys(_STATUSES, 0))
        for line in row.lines:
            of_reason[_status(line.bet, winners.get(row.place))] += 1
    by_reason: dict[str, Json] = {reason: dict(each) for reason, each in sorted(counts.items())}
    return {
        "refusals": table.num_rows,
        "unreadable": table.num_rows - len(rows),
        "no_pair": sum(row.place[0] not in pairs for row in rows),
        "no_round": sum(row.place[0] in pairs and row.place not in winners for row in rows),
        "no_stake": sum(line.stake is None for row in rows for line in row.lines),
        "bets": {name: sum(each[name] for each in counts.values()) for name in _STATUSES},
        "by_reason": by_reason,
    }


def _rows(table: Any) -> Iterator[_Row]:
    """The rows that can be read: with a commitment, a nonce that can be, and a list of bets, each with its name and its stake."""
    faults = Faults(table.num_rows)
    commitment, nonce, reason = (
        read_column(_chunk(table, name), name, field_of(REFUSALS, name).type, faults) for name in ("commitment", "nonce", "reason")
    )
    nonces = as_numbers(nonce, -1, np.int64)
    is_right = ~faults.is_bad & as_flags(commitment.is_valid()) & (nonces >= 0) & (nonces <= MAX_NONCE)
    keys, bets = fixed_bytes(commitment), _chunk(table, "bets")
    for row in np.flatnonzero(is_right).tolist():
        lines = _lines(_value(bets[row]))
        if lines is not None:
            yield _Row((keys[row].tobytes(), int(nonces[row])), lines, str(_value(reason[row]) or ""))


def _value(scalar: Any) -> object:
    """A value of Arrow's as Python has it; None for text that is none."""
    try:
        return cast("object", scalar.as_py())
    except UnicodeDecodeError:
        return None


def _lines(given: object) -> tuple[_Line, ...] | None:
    """The bets of a row, also as text like `player:500 tie:25`; None for what is no list of bets."""
    if isinstance(given, str):
        return _lines([dict(zip(("bet", "stake"), part.split(":", 1), strict=False)) for part in given.split()])
    if not isinstance(given, list):
        return None
    lines: list[_Line] = []
    for each in cast("list[object]", given):
        line = cast("dict[str, object]", each) if isinstance(each, dict) else dict[str, object]()
        name, stake = line.get("bet"), line.get("stake")
        if not isinstance(name, str) or stake is None:
            return None
        lines.append(_Line(name, _stake(stake)))
    return tuple(lines)


def _stake(given: object) -> int | None:
    """A stake in whole smallest units, or None for what is no such amount."""
    text = f"{given:f}" if isinstance(given, Decimal) else str(given) if type(given) is int else given
    return int(text) if isinstance(text, str) and _STAKE.fullmatch(text) else None


def _chunk(table: Any, name: str) -> Any:
    return table.column(name).combine_chunks()


def _winners(asked: set[_Place], fragments: Iterable[Fragment]) -> tuple[dict[_Place, str], set[bytes]]:
    """Who won at these nonces, "" where nobody knows, and which of the commitments have rounds at all."""
    found: dict[_Place, str] = {}
    pairs = {commitment for commitment, _ in asked}
    seen: set[bytes] = set()
    known = np.unique(np.asarray([nonce for _, nonce in asked], np.int64))
    for fragment in fragments if asked else ():
        for entry, payload in fragment.payloads("rounds", "runs"):
            batch: Any = unpack(payload) if entry.kind == "rounds" else rounds_of(unpack(payload))
            code, texts = as_codes(batch.column(0))
            of_interest = np.asarray([text in pairs for text in texts.to_pylist()], np.bool_)
            nonce = as_numbers(batch.column(1), -1, np.int64)
            is_named = of_interest[code]
            seen |= {texts[each].as_py() for each in np.unique(code[is_named]).tolist()}
            winner = as_numbers(batch.column(3), 255, np.uint8)
            for row in np.flatnonzero(is_named & np.isin(nonce, known)).tolist():
                place = (texts[int(code[row])].as_py(), int(nonce[row]))
                if place in asked:
                    found[place] = WINNERS[winner[row]] if winner[row] < len(WINNERS) else found.get(place, "")
    return found, seen


def _status(bet: str, winner: str | None) -> str:
    if not winner or bet not in WINNERS:
        return "unknown"
    if bet == winner:
        return "won"
    return "pushed" if winner == "tie" else "lost"
