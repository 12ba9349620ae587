"""Refused bets, held against the outcomes (protocol step 9): how each would have gone, as far as its nonce was dealt after all.

A refused bet spends no nonce, so the next accepted round has it, and the same cards. What the refused bet would have come to is told by who
won there, for the three main bets. A house that refuses what would win shows more won than lost.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import Faults, as_codes, as_numbers, fixed_bytes, read_column
from .facts import unpack
from .refusal_tally import RefusedBet, gather
from .rows import WINNERS
from .runs import rounds_of
from .schema import REFUSALS, field_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..canonical import Json
    from .fragments import Fragment
    from .refusal_tally import Refused


def gather_refusals(table: Any) -> Refused:
    """What was refused, with the stakes, by its commitments and nonces: for rounds to be held against as they come."""
    places, faults, _ = _read(table)
    bets = (
        RefusedBet(*place, stakes)
        for place, is_bad, given in zip(places, faults.is_bad.tolist(), _chunk(table, "bets").to_pylist(), strict=True)
        if not is_bad and (stakes := _stakes(given or ()))
    )
    return gather(bets)


def _stakes(bets: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The stakes of a refused bet by name; one that is no amount was refused for that."""
    stakes: dict[str, int] = {}
    for bet in bets:
        with suppress(ValueError, TypeError, ArithmeticError):
            stakes[bet["bet"]] = stakes.get(bet["bet"], 0) + int(bet["stake"])
    return stakes


def _read(table: Any) -> tuple[list[tuple[bytes, int]], Faults, Any]:
    """The places and the reasons of refused bets, and which rows cannot be read."""
    faults = Faults(table.num_rows)
    parts = {
        name: read_column(_chunk(table, name), name, field_of(REFUSALS, name).type, faults) for name in ("commitment", "nonce", "reason")
    }
    commitments = fixed_bytes(parts["commitment"])
    nonces = as_numbers(parts["nonce"], -1, np.int64).tolist()
    return [(commitment.tobytes(), nonce) for commitment, nonce in zip(commitments, nonces, strict=True)], faults, parts["reason"]


def weigh_refusals(table: Any, fragments: Iterable[Fragment]) -> dict[str, Json]:
    """Count the refused bets by how they would have gone, in all and by the reasons that were given."""
    places, faults, reasons = _read(table)
    asked = {place for place, is_bad in zip(places, faults.is_bad.tolist(), strict=True) if not is_bad}
    winners = _winners(asked, fragments)
    counts: dict[str, dict[str, int]] = {}
    for place, bets, reason in zip(places, _chunk(table, "bets").to_pylist(), reasons.to_pylist(), strict=True):
        winner = winners.get(place)
        of_reason = counts.setdefault(reason or "", dict.fromkeys(("won", "pushed", "lost", "unknown"), 0))
        for bet in bets or ():
            of_reason[_status(bet["bet"], winner)] += 1
    total = {name: sum(each[name] for each in counts.values()) for name in ("won", "pushed", "lost", "unknown")}
    by_reason: dict[str, Json] = {reason: dict(each) for reason, each in sorted(counts.items())}
    return {"refusals": table.num_rows, "unreadable": int(faults.is_bad.sum()), "bets": dict(total), "by_reason": by_reason}


def _chunk(table: Any, name: str) -> Any:
    return table.column(name).combine_chunks()


def _winners(asked: set[tuple[bytes, int]], fragments: Iterable[Fragment]) -> dict[tuple[bytes, int], str]:
    """Who won at these nonces."""
    found: dict[tuple[bytes, int], str] = {}
    known = np.unique(np.asarray([nonce for _, nonce in asked], np.int64))
    pairs = {commitment for commitment, _ in asked}
    for fragment in fragments if asked else ():
        for entry, payload in fragment.payloads("rounds", "runs"):
            batch: Any = unpack(payload) if entry.kind == "rounds" else rounds_of(unpack(payload))
            code, texts = as_codes(batch.column(0))
            of_interest = np.asarray([text in pairs for text in texts.to_pylist()], np.bool_)
            nonce = as_numbers(batch.column(1), -1, np.int64)
            chosen = np.flatnonzero(of_interest[code] & np.isin(nonce, known))
            winner = as_numbers(batch.column(3), 255, np.uint8)
            for row in chosen.tolist():
                place = (texts[int(code[row])].as_py(), int(nonce[row]))
                if place in asked and winner[row] < len(WINNERS):
                    found[place] = WINNERS[winner[row]]
    return found


def _status(bet: str, winner: str | None) -> str:
    if winner is None or bet not in WINNERS:
        return "unknown"
    if bet == winner:
        return "won"
    return "pushed" if winner == "tie" else "lost"
