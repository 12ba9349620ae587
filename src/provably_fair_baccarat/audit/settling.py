"""Settlement of many bets at once, to the last unit (protocol step 7).

What a bet comes to depends on what its event looks at, and on nothing else. So its own event is asked once for each kind of coup that it can
tell apart, by the same `deal_coup` that deals everywhere, and the answer is remembered. Amounts are int64 where stake x multiplier fits, and
whole numbers of Python where it does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import numpy as np

from ..cards import DECK
from ..errors import BaccaratError
from ..rules.bets import CATALOGUE, LOST, PUSHED
from ..rules.coup import deal_coup
from ..rules.multiplier import UNIT
from ..rules.pay_table import PayTable
from ..rules.ready_tables import PAY_TABLES
from .lines import STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..cards import Card
    from ..rules.bets import Bet
    from .coups import Coups
    from .dealt import Amounts, Bytes, Codes, Flags, Numbers
    from .lines import Lines
    from .rows import Rows

_CLASSES: Final = {"scores": 400, "points": 11**6}
_UNKNOWN: Final = -1
_INT64: Final = np.iinfo(np.int64).max
_PLACES: Final = {name: place for place, name in enumerate(STATUSES)}


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What every line of a batch comes to. `fault` is 0, or 1 for a bet that is not on offer and 2 for a stake out of step.

    `large` has, by line, the returns that are not as `returned` says: those that an int64 does not hold.
    """

    status: Bytes
    returned: Numbers
    large: dict[int, int]
    fault: Bytes


class Settler:
    """Pay tables by their text, and the answers of bets by kinds of coups. What is remembered never changes an answer."""

    def __init__(self, pay_tables: Iterable[PayTable] = (), own_bets: Iterable[Bet] = ()) -> None:
        given = tuple(pay_tables)
        self._own_bets = tuple({bet.name: bet for bet in (*(bet for table in given for bet in table.bets), *own_bets)}.values())
        self._by_digest = {table.digest: table for table in (*PAY_TABLES.values(), *given)}
        self._by_text: dict[str, PayTable | str] = {}
        self._answers: dict[str, Codes] = {}
        self._hands: dict[str, Codes] = {}

    def pay_table(self, text: str) -> PayTable | str:
        """The pay table of a text in its one spelling, or what is wrong with it."""
        if text not in self._by_text:
            self._by_text[text] = self._read(text)
        return self._by_text[text]

    def pay_table_of(self, digest: str) -> PayTable | None:
        """The pay table of this digest, where it is a ready one or was handed over."""
        return self._by_digest.get(digest)

    def _read(self, text: str) -> PayTable | str:
        try:
            table = PayTable.parse_json(text, self._own_bets)
        except BaccaratError as error:
            return str(error)
        if table.digest != sha256(text.encode()).hexdigest():
            return "not in its one spelling: canonical JSON with every key"
        return PayTable.from_dict(table.to_dict(), [bet for bet in self._own_bets if bet.name in table.side_bets])

    def settle(self, rows: Rows, coups: Coups, tables: list[PayTable | str], table_of_row: Codes) -> Settled:
        """What each line comes to under its round's table. Lines of rounds whose table is none come to nothing, and have no fault."""
        lines = rows.lines
        count = len(lines.row)
        status, multiplier, fault = np.zeros(count, np.uint8), np.zeros(count, np.int64), np.zeros(count, np.uint8)
        table_of_line = table_of_row[lines.row]
        classes = coups.classes()
        for place, table in enumerate(tables):
            if not isinstance(table, PayTable):
                continue
            of_table = None if len(tables) == 1 else table_of_line == place
            for code, name in enumerate(lines.bets):
                chosen = _chosen(of_table, lines.bet == code)
                if not len(chosen):
                    continue
                if name not in table.offers:
                    fault[chosen] = 1
                    continue
                statuses, multipliers = _payments(table, name)
                answers = self._answer(table, name, coups, classes, lines.row[chosen])
                status[chosen], multiplier[chosen] = statuses[answers], multipliers[answers]
            if table.stake_step > 1:
                out_of_step = _out_of_step(lines, table.stake_step) & (True if of_table is None else of_table)
                fault[out_of_step & (fault == 0)] = 2
        returned, large = _multiply(lines, multiplier)
        return Settled(status, returned, large, fault)

    def _answer(self, table: PayTable, name: str, coups: Coups, classes: Codes, chosen: Codes) -> Codes:
        """What a bet's event answers for the coups of these rows: places in its payouts, then lost, then pushed."""
        bet = table.offers[name].bet
        kinds, count = (classes[chosen], _CLASSES["scores"]) if bet.needs == "scores" else self._kinds(bet, coups, chosen)
        known = self._answers.setdefault(name, np.full(count, _UNKNOWN, np.int32)) if name not in self._answers else self._answers[name]
        answers = known[kinds]
        unknown = np.flatnonzero(answers == _UNKNOWN)
        if len(unknown):
            asked, firsts = np.unique(kinds[unknown], return_index=True)
            names = (*bet.payouts, LOST, PUSHED)
            for kind, first in zip(asked.tolist(), firsts.tolist(), strict=True):
                cards = coups.cards[chosen[unknown[first]]]
                known[kind] = names.index(bet.result(deal_coup(_cards(cards))))
            answers = known[kinds]
        return answers

    def _kinds(self, bet: Bet, coups: Coups, chosen: Codes) -> tuple[Numbers, int]:
        """Which kind of coup each of these rows is, as far as a bet can tell, and how many kinds there are."""
        if bet.needs == "points":
            return _point_kinds(coups, chosen), _CLASSES["points"]
        hands = self._hands.setdefault(bet.name, _hand_kinds(bet)) if bet.name not in self._hands else self._hands[bet.name]
        cards = coups.cards[chosen, :4].astype(np.int64)
        player, banker = hands[cards[:, 0] * 52 + cards[:, 2]], hands[cards[:, 1] * 52 + cards[:, 3]]
        count = int(hands.max()) + 1
        return player.astype(np.int64) * count + banker, count * count


def _cards(numbers: Bytes) -> list[Card]:
    places: list[int] = numbers.tolist()
    return [DECK[place] for place in places if place < len(DECK)]


def _hand_kinds(bet: Bet) -> Codes:
    """Which kind of hand each two cards are, as far as a bet can tell."""
    kinds: dict[object, int] = {}
    of_two: list[int] = []
    for first in DECK:
        for second in DECK:
            if bet.kind is not None:
                kind: object = bet.kind(first, second)
            else:
                kind = (first.rank, second.rank) if bet.needs == "ranks" else (first, second)
            of_two.append(kinds.setdefault(kind, len(kinds)))
    return np.asarray(of_two, np.int32)


def _chosen(of_table: Flags | None, of_bet: Flags) -> Numbers:
    return np.flatnonzero(of_bet if of_table is None else of_bet & of_table)


def _payments(table: PayTable, name: str) -> tuple[Bytes, Numbers]:
    """Status and multiplier in millionths for each answer of a bet's event."""
    bet, _, payments = table.offers[name]
    paid = [payments[answer] for answer in (*bet.payouts, LOST, PUSHED)]
    return np.asarray([_PLACES[each.status] for each in paid], np.uint8), np.asarray([each.multiplier for each in paid], np.int64)


def _point_kinds(coups: Coups, chosen: Codes) -> Numbers:
    """One number for the points of every card of both hands."""
    points = np.asarray([card.points for card in DECK] + [10] * (256 - len(DECK)), np.int64)
    kinds = np.zeros(len(chosen), np.int64)
    for hand in coups.hands():
        for place in range(3):
            kinds = kinds * 11 + points[hand[chosen, place]]
    return kinds


def _out_of_step(lines: Lines, step: int) -> Flags:
    wrong: Flags = np.asarray(lines.stake % step != 0 if step <= _INT64 else lines.stake != 0, np.bool_)
    for line, stake in lines.large_stakes.items():
        wrong[line] = stake % step != 0
    return wrong


def _multiply(lines: Lines, multiplier: Numbers) -> tuple[Numbers, dict[int, int]]:
    """`(stake x M) div 10^6`: the one rounding, down."""
    stake = lines.stake
    largest = int(multiplier.max(initial=1))
    if not lines.large_stakes and int(stake.max(initial=0)) <= _INT64 // largest:
        return stake * multiplier // UNIT, {}
    fits = stake <= _INT64 // np.maximum(multiplier, 1)
    returned = np.where(fits, stake, 0) * multiplier // UNIT
    large: dict[int, int] = {}
    for line in {*np.flatnonzero(~fits).tolist(), *lines.large_stakes}:
        exact = lines.large_stakes.get(line, int(stake[line])) * int(multiplier[line]) // UNIT
        if exact <= _INT64:
            returned[line] = exact
        else:
            returned[line], large[line] = 0, exact
    return returned, large


def sums(lines: Lines, amounts: Numbers, large: dict[int, int], count: int) -> Amounts:
    """The sum of a round's amounts for each of so many rounds: int64 where no sum can be too large for it."""
    if len(amounts) == count and not large and (lines.row == np.arange(count, dtype=np.int32)).all():
        return amounts
    exact = bool(large) or int(amounts.max(initial=0)) > _INT64 // max(1, len(CATALOGUE) * 64)
    totals: Amounts = np.zeros(count, object if exact else np.int64)
    if len(amounts):
        if exact:
            values = amounts.astype(object)
            for line, amount in large.items():
                values[line] = amount
            for row, amount in zip(lines.row.tolist(), values.tolist(), strict=True):
                totals[row] += amount
        else:
            starts = np.flatnonzero(np.diff(lines.row, prepend=-1))
            totals[lines.row[starts]] = np.add.reduceat(amounts, starts)
    return totals
