"""The bets of a batch, read into long form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import describe
from ..rules.settlement import MAX_AMOUNT
from .arrow import kinds, pa
from .columns import Faults, amounts, as_codes, as_flags, as_known, places_of, read_column
from .schema import AMOUNT, LINE

if TYPE_CHECKING:
    from .dealt import Amounts, Bytes, Codes, Numbers

STATUSES: Final = ("lost", "pushed", "won")
"""What becomes of a bet, by its code."""

_FEW: Final = 8  # bets of a round: so many are compared one by one

_PARTS: Final = {"bet": pa.string(), "stake": AMOUNT, "status": pa.string(), "returned": AMOUNT}


@dataclass(slots=True, eq=False)
class Lines:
    """The bet lines of a batch in long form. `large_stakes` and `large_returns` are the amounts that an int64 does not hold, by line."""

    row: Codes
    bet: Codes
    bets: tuple[str, ...]
    status: Bytes
    stake: Numbers
    large_stakes: dict[int, int]
    returned: Numbers
    large_returns: dict[int, int]


def read_bets(given: Any, faults: Faults) -> Lines:
    """Read a column of bets. A round whose bets cannot be read has a fault, and no lines."""
    column = _as_list(given)
    if column is None or not kinds.is_struct(column.type.value_type):
        return _no_lines(given, "a list of bets, each with bet, stake, status and returned", faults)
    names = [column.type.value_type.field(place).name for place in range(column.type.value_type.num_fields)]
    if not set(_PARTS) <= set(names):
        return _no_lines(given, "bets with bet, stake, status and returned", faults)
    if column.null_count:
        for place in places_of(as_flags(column.is_null())):
            faults.add(place, "bets", "a list", "null")
    items = column.flatten()
    row = _rows_of(column)
    line_faults = Faults(len(items))
    parts = {name: read_column(items.field(names.index(name)), name, kind, line_faults) for name, kind in _PARTS.items()}
    for name, part in parts.items():
        if part.null_count or items.null_count:
            missing = as_flags(part.is_null()) | (as_flags(items.is_null()) if items.null_count else False)
            for line in places_of(missing):
                line_faults.add(line, name, "a value", "null")
    bet, names_seen = _names(parts["bet"])
    status = as_known(parts["status"], STATUSES)
    stake, large_stakes = amounts(parts["stake"])
    returned, large_returns = amounts(parts["returned"])
    lines = Lines(row, bet, names_seen, status, stake, large_stakes, returned, large_returns)
    _bound(line_faults, lines, parts["status"])
    _refuse_twice(line_faults, row, bet, names_seen)
    for line, (name, expected, found) in sorted(line_faults.told.items()):
        faults.add(int(row[line]), f"bets, {name}", expected, found)
    return lines


def _as_list(column: Any) -> Any:
    """A column of lists in the one form that is read on, or None for what are no lists."""
    kind = column.type
    if kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind) or kinds.is_list_view(kind) or kinds.is_large_list_view(kind):
        column = column.cast(pa.list_(kind.value_type))
    if kinds.is_map(kind) or not kinds.is_list(column.type):
        return None
    return column.cast(pa.list_(LINE)) if kinds.is_null(column.type.value_type) else column


def _no_lines(column: Any, expected: str, faults: Faults) -> Lines:
    for row in range(len(column)):
        faults.add(row, "bets", expected, f"type {column.type}")
    none = np.zeros(0, np.int64)
    codes = np.zeros(0, np.int32)
    return Lines(codes, codes, (), np.zeros(0, np.uint8), none, {}, none, {})


def _rows_of(column: Any) -> Codes:
    """The row of each line."""
    sizes = np.diff(column.offsets.to_numpy())
    if column.null_count:
        sizes = np.where(as_flags(column.is_valid()), sizes, 0)
    rows = np.arange(len(column), dtype=np.int32)
    return rows if (sizes == 1).all() else np.repeat(rows, sizes)


def _names(column: Any) -> tuple[Codes, tuple[str, ...]]:
    """Codes of the bets' names, each name once and in order, so that batches of the same bets have the same codes."""
    codes, values = as_codes(column)
    given = ["" if name is None else name for name in values.to_pylist()]
    names = {name: code for code, name in enumerate(sorted(set(given)))}
    table = np.asarray([*(names[name] for name in given), -1], np.int32)
    return table.take(codes, mode="wrap"), tuple(names) or ("",)


def _bound(faults: Faults, lines: Lines, statuses: Any) -> None:
    small_stakes = lines.stake < 1
    small_stakes[list(lines.large_stakes)] = False
    for line in places_of(small_stakes):
        faults.add(line, "stake", "1 to 10^38 - 1", str(int(lines.stake[line])))
    for line in places_of(lines.returned < 0):
        faults.add(line, "returned", "0 to 10^38 - 1", str(int(lines.returned[line])))
    for name, large in (("stake", lines.large_stakes), ("returned", lines.large_returns)):
        for line, amount in large.items():
            if not 0 <= amount <= MAX_AMOUNT:
                faults.add(line, name, "an amount of at most 10^38 - 1", describe(amount))
    for line in places_of(lines.status > 2):
        faults.add(line, "status", "won, pushed or lost, spelled so", describe(statuses[line].as_py()))


def _refuse_twice(faults: Faults, row: Codes, bet: Codes, names: tuple[str, ...]) -> None:
    """A round has each bet at most once."""
    if _are_once(row, bet):
        return
    known = np.flatnonzero(bet >= 0)  # a line without a name is refused already
    if len(known) < len(bet):
        row, bet = row[known], bet[known]
    keys = row.astype(np.int64) * max(len(names), 1) + bet
    order = np.argsort(keys, kind="stable")
    twice: Amounts = order[1:][keys[order[1:]] == keys[order[:-1]]]
    for line in twice.tolist():
        faults.add(int(known[line]), "bet", "each bet once", f"{describe(names[bet[line]])} more than once")


def _are_once(row: Codes, bet: Codes) -> bool:
    """Whether no round has a bet twice, where rounds have few bets: each line is held against those close behind it."""
    for step in range(1, _FEW):
        is_same_round = row[step:] == row[:-step]
        if not is_same_round.any():
            return True
        if (is_same_round & (bet[step:] == bet[:-step])).any():
            return False
    return False
