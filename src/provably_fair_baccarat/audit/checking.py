"""One batch of rounds, held against what follows from seeds, cards and pay tables: findings, and what was read.

Nothing is believed that can be recomputed. Where the seeds give a coup, money is held against that coup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..rules.pay_table import PayTable
from .coup_checks import compare_cards, compare_coups
from .dealt import CUT_BEFORE, Dealt
from .money_checks import can_settle, compare_lines, compare_totals, coups_to_pay, digests_of, read_pay_tables
from .origins import (
    NO_SUCH_NONCE,
    NOT_FOLLOWED,
    NOT_REVEALED,
    OTHER_SCHEME,
    UNREADABLE,
    WRONG_CLIENT_SEED,
    WRONG_COMMITMENT,
    WRONG_LINK,
    replay_rows,
)
from .seed_checks import compare_client_seeds, compare_times
from .told import Told

if TYPE_CHECKING:
    from .chains import Chains
    from .coups import Coups
    from .dealt import Amounts, Bytes, Codes, Flags
    from .findings import Finding
    from .origins import Origins
    from .rows import Rows
    from .seed_book import SeedBook
    from .settling import Settler

_STATES: Final[dict[int, tuple[str, str, str]]] = {
    NOT_REVEALED: ("not_revealed", "a revealed server seed", "none"),
    WRONG_COMMITMENT: ("commitment", "the server seed, or chain, that was committed to", "another one"),
    WRONG_LINK: ("link", "a link that leads to the anchor of its chain", "another one"),
    NOT_FOLLOWED: (
        "not_followed",
        "a link that few enough hashes lead from to the anchor",
        "one too far away: sort by commitment and nonce",
    ),
    NO_SUCH_NONCE: ("nonce", "a nonce and a place that this commitment has", "one beyond its end"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """What came of a batch: the rows and where they come from, the findings, how many there are of each code, and the readable rounds."""

    rows: Rows
    origins: Origins
    findings: list[Finding]
    counts: dict[str, int]
    is_sound: Flags
    is_late: Flags
    """Which rounds are after the reveal that they tell, or the one in the table of seeds."""
    dealt: Dealt
    pay_tables: dict[str, PayTable]
    """The pay tables of the rounds by their digests."""
    digests: tuple[str | None, ...]
    """The digests that the rounds' pay tables have, or are said to have; None where that cannot be read."""
    digest_of_row: Codes


def check_rows(
    rows: Rows, settler: Settler, book: SeedBook | None = None, path: str | None = None, chains: Chains | None = None
) -> Checked:
    """Check a batch of rounds; `chains` are what earlier ones proved of seed chains."""
    book = book if book is not None and len(book) else None
    origins = replay_rows(rows, book, path, chains)
    told = Told(rows, origins)
    _tell_states(told)
    _tell_differences(told)
    coups = compare_cards(told)
    compare_coups(told, coups)
    tables, table_of_row = read_pay_tables(told, settler)
    settled = settler.settle(rows, coups_to_pay(origins, coups), tables, table_of_row)
    settles = can_settle(told, tables, table_of_row)
    compare_lines(told, settles, settled, tables, table_of_row)
    compare_totals(told, settles, settled, path)
    compare_client_seeds(told, book)
    is_late = compare_times(told, book)
    known = {table.digest: table for table in tables if isinstance(table, PayTable)}
    dealt, digests = _dealt(told, coups, tables, table_of_row), digests_of(rows, tables, table_of_row)
    return Checked(rows, origins, told.findings, told.counts, told.is_sound, is_late, dealt, known, digests, table_of_row)


def _tell_states(told: Told) -> None:
    state, rows = told.origins.state, told.rows
    if not state.any():
        return
    faults = rows.faults.told

    def fault(row: int) -> str:
        return f"{faults[row][0]}: {faults[row][1]}"

    told.tell("unreadable", state == UNREADABLE, fault, lambda row: faults[row][2])
    told.tell("scheme", state == OTHER_SCHEME, "pfb1, pfb1-chain or pfb1-shoe", "another scheme")
    wrong = told.origins.client_seeds
    told.tell(
        "client_seed",
        state == WRONG_CLIENT_SEED,
        lambda row: wrong[int(rows.client[row])][0],
        lambda row: wrong[int(rows.client[row])][1],
    )
    for value, (code, expected, found) in _STATES.items():
        told.tell(code, state == value, expected, found)


def _tell_differences(told: Told) -> None:
    """What records tell twice must be the same twice."""
    by_code: dict[str, dict[int, dict[str, str]]] = {}
    for row, differences in told.rows.differences.items():
        for each in differences:
            by_code.setdefault(each["code"], {})[row] = each
    for code, found in by_code.items():
        where = np.zeros(len(told.rows), np.bool_)
        where[list(found)] = True
        _tell_found(told, code, where & told.is_readable, found)


def _tell_found(told: Told, code: str, where: Flags, found: dict[int, dict[str, str]]) -> None:
    told.tell(code, where, lambda row: found[row]["expected"], lambda row: found[row]["found"])


def _dealt(told: Told, coups: Coups, tables: list[PayTable | str], table_of_row: Codes) -> Dealt:
    """The readable rows, as they were claimed."""
    rows, lines = told.rows, told.rows.lines
    claimed: list[Amounts] = []
    for amounts, large in ((lines.stake, lines.large_stakes), (lines.returned, lines.large_returns)):
        values: Amounts = amounts.astype(object) if large else amounts
        for line, amount in large.items():
            values[line] = amount
        claimed.append(values)
    stake, returned = claimed
    digests = tuple(table.digest if isinstance(table, PayTable) else "" for table in tables)
    parts: dict[str, Any] = {
        "cards": rows.cards,
        "used": coups.used,
        "player_score": _claimed_scores(rows.player_score, coups.player_score),
        "banker_score": _claimed_scores(rows.banker_score, coups.banker_score),
        "winner": rows.winner,
        "cut": np.where(rows.index > 0, np.uint16(CUT_BEFORE), rows.cut),
        "decks": rows.decks,
        "pair": rows.pair,
        "nonce": rows.nonce,
        "accepted_at": rows.accepted_at,
        "is_sound": told.is_sound,
        "currency": rows.currency,
    }
    row, bet = lines.row, lines.bet
    if not told.is_readable.all():
        kept = np.flatnonzero(told.is_readable)
        parts = {name: None if values is None else values[kept] for name, values in parts.items()}
        place = np.full(len(rows), -1, np.int32)
        place[kept] = np.arange(len(kept), dtype=np.int32)
        of_kept = np.flatnonzero(told.is_readable[row])
        table_of_row = table_of_row[kept]
        row, bet, stake, returned = place[row[of_kept]], bet[of_kept], stake[of_kept], returned[of_kept]
    return Dealt(
        **parts,
        commitments=rows.commitments,
        line_row=row,
        line_bet=bet,
        line_pay_table=table_of_row[row],
        line_stake=stake,
        line_returned=returned,
        bets=lines.bets,
        pay_tables=digests,
        currencies=rows.currencies,
    )


def _claimed_scores(claimed: Bytes, dealt: Bytes) -> Bytes:
    return claimed if (claimed != 255).all() else np.where(claimed == 255, dealt, claimed)
