"""The money of a batch, held against its coups: pay tables, what became of each bet, and what came back (protocol step 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..rules.pay_table import PayTable
from ..rules.settlement import MAX_AMOUNT
from .columns import places_of
from .lines import STATUSES
from .origins import REPLAYED
from .rows import distinct
from .sums import sum_rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from .coups import Coups
    from .dealt import Amounts, Codes, Flags, Numbers
    from .origins import Origins
    from .rows import Rows
    from .settling import Settled, Settler
    from .told import Told


def read_pay_tables(told: Told, settler: Settler) -> tuple[list[PayTable | str], Codes]:
    """The pay table of each round, and what is wrong with those that are none."""
    rows = told.rows
    groups, firsts = distinct(rows.pay_table, rows.digest)
    tables: list[PayTable | str] = []
    faults: dict[int, tuple[str, str]] = {}
    for group, first in enumerate(firsts.tolist()):
        text = rows.pay_tables[rows.pay_table[first]] if rows.pay_table[first] >= 0 else None
        digest = rows.digests[rows.digest[first]] if rows.digest[first] >= 0 else None
        table: PayTable | str | None = settler.pay_table(text) if text is not None else settler.pay_table_of(digest or "")
        if isinstance(table, PayTable):
            if digest is not None and table.digest != digest:
                faults[group] = (f"the digest {table.digest}", digest)
        else:
            faults[group] = ("a pay table", table if table is not None else f"the digest {digest} of one that nobody knows")
        tables.append(table if table is not None else "unknown")
    if faults:
        told.tell(
            "pay_table",
            told.is_readable & np.isin(groups, list(faults)),
            lambda row: faults[int(groups[row])][0],
            lambda row: faults[int(groups[row])][1],
        )
    return tables, groups


def digests_of(rows: Rows, tables: list[PayTable | str], table_of_row: Codes) -> tuple[str | None, ...]:
    """The digest of each pay table; where it cannot be read, the one that is given with it, or None."""
    given = np.full(len(tables), -1, np.int32)
    given[table_of_row] = rows.digest
    told = [rows.digests[digest] if digest >= 0 else None for digest in given.tolist()]
    return tuple(table.digest if isinstance(table, PayTable) else digest for table, digest in zip(tables, told, strict=True))


def can_settle(told: Told, tables: list[PayTable | str], table_of_row: Codes) -> Flags:
    """Which rounds can be settled: they can be read, and their pay table is one."""
    is_table = np.asarray([isinstance(table, PayTable) for table in tables], np.bool_)
    return told.is_readable if is_table.all() else told.is_readable & is_table[table_of_row]


def compare_lines(told: Told, settles: Flags, settled: Settled, tables: list[PayTable | str], table_of_row: Codes) -> None:
    """Each bet's status and return against the pay table."""
    lines = told.rows.lines

    def step(line: int) -> int:
        table = tables[int(table_of_row[lines.row[line]])]
        return table.stake_step if isinstance(table, PayTable) else 1

    def name(line: int) -> str:
        return lines.bets[int(lines.bet[line])]

    is_line = settles[lines.row] if not settles.all() else np.ones(len(lines.row), np.bool_)
    of_table = is_line & (settled.fault == 0)
    _tell_lines(told, "bet", is_line & (settled.fault == 1), lambda line: f"a bet on offer, for {name(line)}", lambda _line: "none")
    _tell_lines(
        told,
        "bet",
        is_line & (settled.fault == 2),
        lambda line: f"a stake on {name(line)} in steps of {step(line)}",
        lambda line: str(_amount(lines.stake, lines.large_stakes, line)),
    )
    _tell_lines(
        told,
        "status",
        of_table & (settled.status != lines.status),
        lambda line: f"{name(line)} {STATUSES[settled.status[line]]}",
        lambda line: f"{name(line)} {STATUSES[lines.status[line]]}",
    )
    differs = settled.returned != lines.returned
    for line in {*settled.large, *lines.large_returns}:
        differs[line] = settled.large.get(line, int(settled.returned[line])) != _amount(lines.returned, lines.large_returns, line)
    _tell_lines(
        told,
        "returned",
        of_table & differs,
        lambda line: f"{name(line)} {_amount(settled.returned, settled.large, line)}",
        lambda line: f"{name(line)} {_amount(lines.returned, lines.large_returns, line)}",
    )


def _amount(amounts: Numbers, large: dict[int, int], line: int) -> int:
    return large.get(line, int(amounts[line]))


def _tell_lines(told: Told, code: str, where: Flags, expected: Callable[[int], str], found: Callable[[int], str]) -> None:
    """Tell of lines: a round is told of the first line of each kind."""
    wrong = places_of(where)
    if not wrong:
        return
    line_of: dict[int, int] = dict(zip(reversed(told.rows.lines.row[wrong].tolist()), reversed(wrong), strict=True))
    is_told = np.zeros(len(told.rows), np.bool_)
    is_told[list(line_of)] = True
    told.tell(code, is_told, lambda row: expected(line_of[row]), lambda row: found(line_of[row]))


def coups_to_pay(origins: Origins, claimed: Coups) -> Coups:
    """The coups that money is held against: those of the seeds, and where there are none, those of the claimed cards."""
    places = places_of(origins.state != REPLAYED)
    return origins.coups.replaced(places, claimed.taken(places)) if places else origins.coups


def compare_totals(told: Told, settles: Flags, settled: Settled, path: str | None) -> None:
    """Each round's sums against its bets: what was staked, as the bets say, and what came back, as it should."""
    rows, lines = told.rows, told.rows.lines
    no_faults = np.ones(len(rows), np.bool_)
    no_faults[lines.row[settled.fault > 0]] = False
    settles = settles & no_faults
    staked = sum_rounds(lines.row, lines.stake, lines.large_stakes, len(rows), path)
    returned = sum_rounds(lines.row, settled.returned, settled.large, len(rows), path)
    _tell_totals(told, "staked", settles, rows.staked, staked)
    _tell_totals(told, "returned", settles, rows.returned, returned)


def _tell_totals(told: Told, name: str, settles: Flags, claimed: Any, computed: Amounts) -> None:
    differs = np.zeros(len(computed), np.bool_)
    if claimed is not None:
        small, large = claimed
        differs = np.asarray(computed != small, np.bool_) & (small != -1)
        for row, amount in large.items():
            differs[row] = int(computed[row]) != amount
    if computed.dtype == object:
        differs |= np.asarray(computed > MAX_AMOUNT, np.bool_)
    told.tell("totals", settles & differs, lambda row: f"{name} {int(computed[row])}", lambda row: f"{name} {_claim(claimed, row)}")


def _claim(claimed: Any, row: int) -> str:
    return (
        "none" if claimed is None or (row not in claimed[1] and claimed[0][row] == -1) else str(claimed[1].get(row, int(claimed[0][row])))
    )
