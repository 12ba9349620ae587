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
from ..rules.bets import LOST, PUSHED
from ..rules.coup import deal_coup
from ..rules.multiplier import UNIT
from ..rules.pay_table import PayTable
from ..rules.ready_tables import PAY_TABLES
from .lines import STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..cards import Card
    from ..rules.bets import Bet, Kind
    from .coups import Coups
    from .dealt import Bytes, Codes, Flags, Numbers
    from .lines import Lines
    from .rows import Rows

_CLASSES: Final = {"scores": 400, "points": 11**6}
_UNKNOWN: Final = -1
_MOST_KEYS: Final = 1 << 14
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


@dataclass(frozen=True, slots=True, eq=False)
class _Offers:
    """What bets come to by pay tables, as arrays over keys: each key is a bet's name and a table.

    `fault` is by key; `status` and `multiplier`, in millionths, are by key times `width`, plus what the event answers. `start` is where the
    answers of a key's bet begin, of bets on scores one behind the other; `other` is the place, from 1 on, among the `others`, bets that see
    more than scores.
    """

    width: int
    fault: Bytes
    status: Bytes
    multiplier: Numbers
    start: Codes
    on_scores: tuple[Bet, ...]
    other: Codes
    others: tuple[Bet, ...]

    @classmethod
    def of(cls, keys: Iterable[tuple[str, PayTable | str]]) -> _Offers:
        """Look up every bet; what is no pay table offers nothing, and that is no fault of its bets."""
        looked_up = [(table.offers.get(name) if isinstance(table, PayTable) else None, isinstance(table, PayTable)) for name, table in keys]
        bets = {offer.bet.name: offer.bet for offer, _ in looked_up if offer is not None}
        on_scores = tuple(bet for bet in bets.values() if bet.needs == "scores")
        others = tuple(bet for bet in bets.values() if bet.needs != "scores")
        starts = {bet.name: _CLASSES["scores"] * place for place, bet in enumerate(on_scores, 1)}
        places = {bet.name: place for place, bet in enumerate(others, 1)}
        width = max((len(_answers_to(bet)) for bet in bets.values()), default=1)
        status, multiplier = np.zeros((len(looked_up), width), np.uint8), np.zeros((len(looked_up), width), np.int64)
        start, other = np.zeros(len(looked_up), np.int32), np.zeros(len(looked_up), np.int32)
        for key, (offer, _) in enumerate(looked_up):
            if offer is not None:
                paid = [offer.payments[answer] for answer in _answers_to(offer.bet)]
                status[key, : len(paid)] = [_PLACES[each.status] for each in paid]
                multiplier[key, : len(paid)] = [each.multiplier for each in paid]
                start[key], other[key] = starts.get(offer.bet.name, 0), places.get(offer.bet.name, 0)
        fault = np.asarray([offer is None and is_table for offer, is_table in looked_up], np.uint8)
        return cls(width, fault, status.reshape(-1), multiplier.reshape(-1), start, on_scores, other, others)


class Settler:
    """Pay tables by their text, and the answers of bets by kinds of coups. What is remembered never changes an answer."""

    def __init__(self, pay_tables: Iterable[PayTable] = (), own_bets: Iterable[Bet] = ()) -> None:
        given = tuple(pay_tables)
        self._own_bets = tuple({bet.name: bet for bet in (*(bet for table in given for bet in table.bets), *own_bets)}.values())
        self._by_digest = {table.digest: table for table in (*PAY_TABLES.values(), *given)}
        self._by_text: dict[str, PayTable | str] = {}
        self._answers: dict[str, Codes] = {}
        self._hands: dict[tuple[str, Kind | None], Codes] = {}
        self._offers: dict[tuple[tuple[str, ...], tuple[str | None, ...]], _Offers] = {}

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
        """Settle every line of a batch. A line of a round without a pay table has fault 0, and means nothing."""
        lines = rows.lines
        table_of_line = table_of_row.take(lines.row)
        offers, keys = self._offers_for(lines, tables, table_of_line)
        places = keys * np.int32(offers.width) + self._answer_lines(keys, offers, coups, lines.row)
        fault = offers.fault.take(keys)
        for number, table in enumerate(tables):
            if isinstance(table, PayTable) and table.stake_step > 1:
                fault[_out_of_step(lines, table.stake_step) & (table_of_line == number) & (fault == 0)] = 2
        returned, large = _multiply(lines, offers.multiplier.take(places))
        return Settled(offers.status.take(places), returned, large, fault)

    def _offers_for(self, lines: Lines, tables: list[PayTable | str], table_of_line: Codes) -> tuple[_Offers, Codes]:
        """What the bets of some lines come to, and the key of each line."""
        count = len(lines.bets) * len(tables)
        if count > _MOST_KEYS:  # more than an honest house has: only those that occur
            names, keys = np.unique(lines.bet.astype(np.int64) * len(tables) + table_of_line, return_inverse=True)
            occurring: list[tuple[int, int]] = [divmod(name, len(tables)) for name in names.tolist()]
            return _Offers.of((lines.bets[bet], tables[table]) for bet, table in occurring), keys.astype(np.int32)
        known = lines.bets, tuple(table.digest if isinstance(table, PayTable) else None for table in tables)
        if known not in self._offers:
            self._offers = {known: _Offers.of((bet, table) for bet in lines.bets for table in tables)}
        return self._offers[known], lines.bet * np.int32(len(tables)) + table_of_line

    def _answer_lines(self, keys: Codes, offers: _Offers, coups: Coups, row: Codes) -> Codes:
        """What each line's event answers: a place in its bet's payouts, then lost, then pushed; 0 for a bet that nobody offers."""
        kinds = coups.classes().take(row)
        kinds += offers.start.take(keys)
        answers = self._of_scores(offers).take(kinds)
        is_unknown = answers == _UNKNOWN
        if is_unknown.any():
            self._ask_all(offers, coups, row[is_unknown])
            answers = self._of_scores(offers).take(kinds)
        other = offers.other.take(keys) if offers.others else None
        for place, bet in enumerate(offers.others, 1):
            chosen = np.flatnonzero(other == place)
            if len(chosen):
                answers[chosen] = self._answer(bet, coups, row[chosen])
        return answers

    def _of_scores(self, offers: _Offers) -> Codes:
        """The answers of all bets on scores by class, one bet behind the other, and before them some for no bet at all."""
        none = np.zeros(_CLASSES["scores"], np.int32)
        return np.concatenate([none, *(self._known(bet, _CLASSES["scores"]) for bet in offers.on_scores)])

    def _known(self, bet: Bet, count: int) -> Codes:
        """What a bet's event is known to answer, by kinds of coups."""
        return (
            self._answers.setdefault(bet.name, np.full(count, _UNKNOWN, np.int32))
            if bet.name not in self._answers
            else self._answers[bet.name]
        )

    def _ask_all(self, offers: _Offers, coups: Coups, chosen: Codes) -> None:
        """Ask every bet on scores about every class of coups that these rows have: dealing a coup takes longer than asking about it."""
        kinds, firsts = np.unique(coups.classes()[chosen], return_index=True)
        dealt = [deal_coup(_cards(coups.cards[row])) for row in chosen[firsts].tolist()]
        for bet in offers.on_scores:
            answers = _answers_to(bet)
            self._known(bet, _CLASSES["scores"])[kinds] = [answers.index(bet.result(coup)) for coup in dealt]

    def _answer(self, bet: Bet, coups: Coups, chosen: Codes) -> Codes:
        """What the event of a bet that sees more than scores answers for the coups of these rows."""
        kinds, count = self._kinds(bet, coups, chosen)
        known = self._known(bet, count)
        answers = known[kinds]
        unknown = np.flatnonzero(answers == _UNKNOWN)
        if len(unknown):
            asked, firsts = np.unique(kinds[unknown], return_index=True)
            for kind, first in zip(asked.tolist(), firsts.tolist(), strict=True):
                cards = coups.cards[chosen[unknown[first]]]
                known[kind] = _answers_to(bet).index(bet.result(deal_coup(_cards(cards))))
            answers = known[kinds]
        return answers

    def _kinds(self, bet: Bet, coups: Coups, chosen: Codes) -> tuple[Numbers, int]:
        """Which kind of coup each of these rows is, as far as a bet can tell, and how many kinds there are."""
        if bet.needs == "points":
            return _point_kinds(coups, chosen), _CLASSES["points"]
        seen = bet.needs, bet.kind
        hands = self._hands.setdefault(seen, _hand_kinds(bet)) if seen not in self._hands else self._hands[seen]
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


def _answers_to(bet: Bet) -> tuple[str, ...]:
    """Everything that a bet's event can answer."""
    return (*bet.payouts, LOST, PUSHED)


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
        if abs(exact) <= _INT64:  # a negative stake is a fault of its round already
            returned[line] = exact
        else:
            returned[line], large[line] = 0, exact
    return returned, large
