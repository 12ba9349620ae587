"""Export: rounds as canonical JSON lines for programs, and as CSV for people with spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from ..errors import RequestError, describe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..records import RoundRecord
    from .history import RecalledRound

ExportForm: TypeAlias = Literal["jsonl", "csv"]

CSV_COLUMNS: Final = (
    "accepted_at",
    "settled_at",
    "bettor",
    "pair",
    "commitment",
    "server_seed",
    "client_seed",
    "client_seed_made_by",
    "decks",
    "nonce",
    "key",
    "cut",
    "cards",
    "player",
    "banker",
    "winner",
    "bets",
    "staked",
    "returned",
    "currency",
    "balance_before",
    "balance_after",
    "pay_table_digest",
)

_RISKY: Final = ("=", "+", "-", "@", "\t", "\r")


def export_rounds(rounds: Iterable[RecalledRound], form: ExportForm) -> Iterator[bytes]:
    """Dealt rounds as UTF-8 lines, each ending with U+000A; rounds that aren't dealt yet are left out. Raises RequestError for a form.

    `jsonl` has the canonical record in each line. `csv` begins with a line of column names, and a cell that a spreadsheet could take for
    a formula (one that begins with = + - @, a tab or a carriage return) gets an apostrophe in front.
    """
    write = _WRITERS.get(form) if isinstance(form, str) else None
    if write is None:
        raise RequestError("form of an export", " or ".join(_WRITERS), describe(form))
    return write(rounds)


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_RISKY) else cell


def _json_lines(rounds: Iterable[RecalledRound]) -> Iterator[bytes]:
    for kept in rounds:
        if kept.record is not None:
            yield kept.record.to_json() + b"\n"


def _csv(rounds: Iterable[RecalledRound]) -> Iterator[bytes]:
    yield _line(CSV_COLUMNS)
    for kept in rounds:
        if kept.record is not None:
            yield _line(map(harmless, _cells(kept, kept.record)))


def _cells(kept: RecalledRound, record: RoundRecord) -> Iterator[str]:
    told = record.to_dict()
    yield str(told["accepted_at"] or "")
    yield str(told["settled_at"] or "")
    yield kept.acceptance.bettor
    yield kept.acceptance.pair
    yield str(record.commitment)
    yield record.server_seed or ""
    yield record.client_seed.text
    yield record.client_seed_made_by or ""
    yield str(record.decks)
    yield str(record.nonce)
    yield kept.acceptance.key
    yield str(record.cut)
    yield " ".join(map(str, record.cards))
    yield " ".join(map(str, record.player.cards))
    yield " ".join(map(str, record.banker.cards))
    yield record.winner.value
    yield " ".join(f"{name}:{bet.stake}:{bet.status}:{bet.returned}" for name, bet in sorted(record.bets.items()))
    yield str(record.totals.staked)
    yield str(record.totals.returned)
    yield "" if record.currency is None else record.currency.code
    yield "" if kept.balance_before is None else str(kept.balance_before)
    yield "" if kept.balance_after is None else str(kept.balance_after)
    yield record.pay_table_digest


def _line(cells: Iterable[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()


_WRITERS: Final[dict[str, Callable[[Iterable[RecalledRound]], Iterator[bytes]]]] = {"jsonl": _json_lines, "csv": _csv}
