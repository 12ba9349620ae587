"""One batch of rounds, held against what follows from seeds, cards and pay tables: findings, and what was read.

Nothing is believed that can be recomputed. Where the seeds give a coup, money is held against that coup; where the claimed cards are others,
hands, scores and winner are held against the cards as they were claimed, so that each finding tells something of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..cards import DECK
from ..errors import BaccaratError
from ..rounds import play_round
from ..rules.pay_table import PayTable
from ..rules.settlement import MAX_AMOUNT
from ..verify.slips import replay_slips
from .columns import places_of, rows_differ
from .coups import Coups, deal_coups
from .dealt import CUT_BEFORE, UNKNOWN_TIME, UNUSED, Dealt
from .findings import Finding
from .lines import STATUSES
from .origins import (
    NO_SUCH_NONCE,
    NOT_FOLLOWED,
    NOT_REVEALED,
    OTHER_SCHEME,
    REPLAYED,
    UNREADABLE,
    WRONG_CLIENT_SEED,
    WRONG_COMMITMENT,
    WRONG_LINK,
    replay_rows,
    seeds_of,
)
from .rows import COUPS, SHOE, WINNERS, distinct
from .sums import sum_rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cards import Card
    from .chains import Chains
    from .dealt import Amounts, Bytes, Codes, Flags, Numbers
    from .origins import Origins
    from .rows import Rows
    from .seed_book import SeedBook
    from .settling import Settled, Settler

DIAGNOSED: Final = 20
"""How many differing rounds of a batch are looked at for the likely slip."""

TOLD: Final = 10_000
"""How many findings of a batch are told one by one for each code; the rest are counted."""

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
    dealt: Dealt
    pay_tables: dict[str, PayTable]
    """The pay tables of the rounds by their digests."""


def check_rows(
    rows: Rows, settler: Settler, book: SeedBook | None = None, path: str | None = None, chains: Chains | None = None
) -> Checked:
    """Check a batch of rounds; `chains` are what earlier ones proved of seed chains."""
    origins = replay_rows(rows, book, path, chains)
    told = _Told(rows, origins)
    _tell_states(told)
    _tell_differences(told)
    coups = _compare_cards(told)
    _compare_coups(told, coups)
    tables, table_of_row = _read_tables(told, settler)
    settles = _settles(told, tables, table_of_row)
    settled = settler.settle(rows, _coups_to_pay(origins, coups), tables, table_of_row)
    _compare_lines(told, settled, settles, lambda row: _step(tables[int(table_of_row[row])]))
    _compare_totals(told, settles, settled, path)
    _compare_times(told, book)
    known = {table.digest: table for table in tables if isinstance(table, PayTable)}
    return Checked(rows, origins, told.findings, told.counts, told.is_sound, _dealt(told, coups, tables, table_of_row), known)


class _Told:
    """Findings as they are made. Each row is told of one thing at most once."""

    def __init__(self, rows: Rows, origins: Origins) -> None:
        self.rows = rows
        self.origins = origins
        self.findings: list[Finding] = []
        self.counts: dict[str, int] = {}
        self.is_sound: Flags = np.ones(len(rows), np.bool_)
        self.is_readable: Flags = origins.state != UNREADABLE

    def tell(self, code: str, where: Flags, expected: Callable[[int], str] | str, found: Callable[[int], str] | str) -> None:
        """Tell of every row where something is so."""
        places = places_of(where)
        if not places:
            return
        self.is_sound[places] = False
        self.counts[code] = self.counts.get(code, 0) + len(places)
        for row in places[: max(0, TOLD + len(places) - self.counts[code])]:
            self.findings.append(
                self.at(
                    code, row, expected if isinstance(expected, str) else expected(row), found if isinstance(found, str) else found(row)
                )
            )

    def at(self, code: str, row: int, expected: str, found: str) -> Finding:
        """A finding of a row."""
        rows = self.rows
        source = rows.source if isinstance(rows.source, str | None) else rows.source[row].as_py()
        place = int(rows.place[row]) or None
        if self.origins.state[row] == UNREADABLE:
            return Finding(code, expected, found, source, place)
        index = int(rows.index[row])
        commitment = rows.commitments[rows.pair[row]].tobytes().hex()
        return Finding(code, expected, found, source, place, commitment, int(rows.nonce[row]), None if index < 0 else index)


def _tell_states(told: _Told) -> None:
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


def _tell_differences(told: _Told) -> None:
    """What records tell twice must be the same twice."""
    by_code: dict[str, dict[int, dict[str, str]]] = {}
    for row, differences in told.rows.differences.items():
        for each in differences:
            by_code.setdefault(each["code"], {})[row] = each
    for code, found in by_code.items():
        where = np.zeros(len(told.rows), np.bool_)
        where[list(found)] = True
        _tell_found(told, code, where & told.is_readable, found)


def _tell_found(told: _Told, code: str, where: Flags, found: dict[int, dict[str, str]]) -> None:
    told.tell(code, where, lambda row: found[row]["expected"], lambda row: found[row]["found"])


def _compare_cards(told: _Told) -> Coups:
    """Cut and cards against the seeds (protocol step 5). Returns the coups that the claimed cards give."""
    rows, origins = told.rows, told.origins
    replayed = origins.state == REPLAYED
    derived = origins.coups.cards
    cut_differs = replayed & (rows.cut != origins.cut)
    cards_differ = replayed & rows_differ(rows.cards.view(np.uint16), derived.view(np.uint16))
    told.tell("cut", cut_differs, lambda row: str(int(origins.cut[row])), lambda row: str(int(rows.cut[row])))
    told.tell("cards", cards_differ, lambda row: _text(derived[row]), lambda row: _text(rows.cards[row]))
    if cards_differ.any():
        _diagnose(told, np.flatnonzero(cards_differ))
    others = told.is_readable & (cards_differ | ~replayed)
    places = places_of(others)
    if not places:
        return origins.coups
    coups = origins.coups.replaced(places, deal_coups(rows.cards[places]))
    told.tell(
        "cards",
        others & (rows.way == SHOE) & (rows.used != coups.used),
        lambda row: f"{coups.used[row]} cards, as the tableau says",
        lambda row: f"{rows.used[row]}",
    )
    return coups


def _text(cards: Bytes) -> str:
    return " ".join(str(card) for card in _cards(cards))


def _cards(numbers: Bytes) -> tuple[Card, ...]:
    places: list[int] = numbers.tolist()
    return tuple(DECK[place] for place in places if place < len(DECK))


def _diagnose(told: _Told, differing: Numbers) -> None:
    """Name the likely slip behind the first differing rounds."""
    rows, origins = told.rows, told.origins
    hints: dict[int, str] = {}
    for row in differing[:DIAGNOSED].tolist():
        if rows.way[row] != COUPS:
            continue
        try:
            seeds = seeds_of(rows, origins.keys, origins.key, row)
            slips = list(replay_slips(seeds, play_round(seeds, int(rows.nonce[row])), _cards(rows.cards[row])))
        except BaccaratError:  # pragma: no cover (these seeds were just replayed)
            continue
        if slips:
            hints[int(rows.place[row])] = " ".join(slip.sentence for slip in slips)
    told.findings = [
        replace(finding, hint=hints[finding.row])
        if finding.code in ("cut", "cards") and finding.row is not None and finding.row in hints
        else finding
        for finding in told.findings
    ]


def _compare_coups(told: _Told, coups: Coups) -> None:
    """Hands, scores, natural and winner against the cards (protocol step 6)."""
    rows, readable = told.rows, told.is_readable
    if rows.player_cards is not None or rows.banker_cards is not None:
        for name, dealt, given in zip(("player", "banker"), coups.hands(), (rows.player_cards, rows.banker_cards), strict=True):
            if given is not None:
                differs = readable & rows_differ(given, dealt) & (given[:, 0] != UNUSED)
                _tell_hands(told, name, differs, dealt, given)
    _tell_scores(told, "player", coups.player_score, rows.player_score)
    _tell_scores(told, "banker", coups.banker_score, rows.banker_score)
    natural = coups.natural
    told.tell(
        "natural",
        readable & (rows.natural != natural) & (rows.natural >= 0),
        lambda row: str(bool(natural[row])).lower(),
        lambda row: str(bool(rows.natural[row])).lower(),
    )
    told.tell(
        "winner",
        readable & (rows.winner != coups.winner),
        lambda row: WINNERS[int(coups.winner[row])],
        lambda row: WINNERS[int(rows.winner[row])],
    )


def _tell_scores(told: _Told, name: str, dealt: Bytes, claimed: Bytes) -> None:
    differs = told.is_readable & (claimed != dealt) & (claimed != 255)
    told.tell("score", differs, lambda row: f"{name} {int(dealt[row])}", lambda row: f"{name} {int(claimed[row])}")


def _tell_hands(told: _Told, name: str, differs: Flags, dealt: Bytes, given: Bytes) -> None:
    told.tell("hands", differs, lambda row: f"{name} {_text(dealt[row])}", lambda row: f"{name} {_text(given[row])}")


def _read_tables(told: _Told, settler: Settler) -> tuple[list[PayTable | str], Codes]:
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


def _settles(told: _Told, tables: list[PayTable | str], table_of_row: Codes) -> Flags:
    """Which rounds can be settled: they can be read, and their pay table is one."""
    is_table = np.asarray([isinstance(table, PayTable) for table in tables], np.bool_)
    return told.is_readable if is_table.all() else told.is_readable & is_table[table_of_row]


def _step(table: PayTable | str) -> int:
    return table.stake_step if isinstance(table, PayTable) else 1


def _compare_lines(told: _Told, settled: Settled, settles: Flags, step: Callable[[int], int]) -> None:
    """Each bet's status and return against the pay table (protocol step 7)."""
    lines = told.rows.lines

    def name(line: int) -> str:
        return lines.bets[int(lines.bet[line])]

    is_line = settles[lines.row] if not settles.all() else np.ones(len(lines.row), np.bool_)
    of_table = is_line & (settled.fault == 0)
    _tell_lines(told, "bet", is_line & (settled.fault == 1), lambda line: f"a bet on offer, for {name(line)}", lambda _line: "none")
    _tell_lines(
        told,
        "bet",
        is_line & (settled.fault == 2),
        lambda line: f"a stake on {name(line)} in steps of {step(int(lines.row[line]))}",
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


def _tell_lines(told: _Told, code: str, where: Flags, expected: Callable[[int], str], found: Callable[[int], str]) -> None:
    """Tell of lines: a round is told of the first line of each kind."""
    wrong = places_of(where)
    if not wrong:
        return
    line_of: dict[int, int] = dict(zip(reversed(told.rows.lines.row[wrong].tolist()), reversed(wrong), strict=True))
    is_told = np.zeros(len(told.rows), np.bool_)
    is_told[list(line_of)] = True
    told.tell(code, is_told, lambda row: expected(line_of[row]), lambda row: found(line_of[row]))


def _coups_to_pay(origins: Origins, claimed: Coups) -> Coups:
    """The coups that money is held against: those of the seeds, and where there are none, those of the claimed cards."""
    places = places_of(origins.state != REPLAYED)
    return origins.coups.replaced(places, claimed.taken(places)) if places else origins.coups


def _compare_totals(told: _Told, settles: Flags, settled: Settled, path: str | None) -> None:
    rows, lines = told.rows, told.rows.lines
    no_faults = np.ones(len(rows), np.bool_)
    no_faults[lines.row[settled.fault > 0]] = False
    settles = settles & no_faults
    staked = sum_rounds(lines.row, lines.stake, lines.large_stakes, len(rows), path)
    returned = sum_rounds(lines.row, settled.returned, settled.large, len(rows), path)
    _tell_totals(told, "staked", settles, rows.staked, staked)
    _tell_totals(told, "returned", settles, rows.returned, returned)


def _tell_totals(told: _Told, name: str, settles: Flags, claimed: Any, computed: Amounts) -> None:
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


def _compare_times(told: _Told, book: SeedBook | None) -> None:
    """Accepted, then settled, then revealed (protocol step 9), as far as the times are known."""
    rows = told.rows
    accepted, settled, revealed = rows.accepted_at, rows.settled_at, rows.revealed_at
    if book is not None:
        places = book.find(rows.commitments)
        known = np.where(places >= 0, book.revealed_at[np.maximum(places, 0)], UNKNOWN_TIME)[rows.pair]
        revealed = np.where(revealed == UNKNOWN_TIME, known, revealed)
    latest = np.maximum(accepted, settled)
    told.tell(
        "time",
        told.is_readable & (settled != UNKNOWN_TIME) & (settled < accepted),
        lambda row: f"settled from {_time(accepted[row])} on",
        lambda row: _time(settled[row]),
    )
    told.tell(
        "time",
        told.is_readable & (revealed != UNKNOWN_TIME) & (latest > revealed),
        lambda row: f"accepted and settled before the reveal at {_time(revealed[row])}",
        lambda row: _time(latest[row]),
    )


def _time(microseconds: Any) -> str:
    return f"{np.datetime64(int(microseconds), 'us')}Z"


def _dealt(told: _Told, coups: Coups, tables: list[PayTable | str], table_of_row: Codes) -> Dealt:
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
