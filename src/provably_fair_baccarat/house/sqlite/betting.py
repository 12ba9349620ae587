"""Bets in SQLite: find the key, look at the pair, examine, take the stake, spend the nonce; and settling what was dealt.

One writer has the database to itself while this runs, so what is read at the beginning still holds at the end. The conditions stand in the
statements all the same, and the tables' triggers hold them against everyone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ...errors import PairNonceError, StoreError
from ..refusals import no_nonce, no_pair, require_funds, require_open, require_room, require_same
from ..rows import RoundRow, settled_row
from .legs import add_credit, known_debit, note_debit, use_debit
from .money import add_transfer, change_purse, read_purse
from .past import SqlitePast
from .rows import SELECT_ROUND, read_time, round_row, write_time
from .saying import add_statement

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from ..rows import LegRow
    from ..store import BetOrder, CoupOrder, DealtCoup, Signs, Tell
    from .money import Purse

_READ_PAIR: Final = """
SELECT pair.state, pair.next_nonce, pair.settled_in_order, pair.cap, pair.id, pair.latest_at,
    (SELECT id FROM round WHERE account = bettor.number AND key = ?),
    bettor.number, bettor.balance, bettor.exposed, bettor.owed, house.number, outside.number
FROM pair
JOIN account AS bettor ON bettor.number = pair.account
JOIN account AS house ON house.kind = 'house' AND house.currency = bettor.currency AND house.bettor = ''
JOIN account AS outside ON outside.kind = 'outside' AND outside.currency = bettor.currency AND outside.bettor = ''
WHERE pair.number = ?
"""

_BY_ID: Final = f"{SELECT_ROUND} WHERE round.id = ?"
_BY_NONCE: Final = f"{SELECT_ROUND} WHERE round.pair = ? AND round.nonce = ? AND round.place = 0"

_SPEND: Final = "UPDATE pair SET next_nonce = next_nonce + 1, latest_at = ? WHERE number = ? AND state = 'active' AND next_nonce = ?"
_SPEND_AND_SETTLE: Final = """
UPDATE pair
SET next_nonce = next_nonce + 1, latest_at = ?, settled = settled + 1, settled_in_order = ?, newest_link = coalesce(?, newest_link)
WHERE number = ? AND state = 'active' AND next_nonce = ?
"""
_SETTLE: Final = "UPDATE pair SET settled = settled + 1, latest_at = ? WHERE number = ? AND state IN ('active', 'closing')"
_NEXT_OPEN: Final = """
SELECT round.nonce FROM round CROSS JOIN open_round ON open_round.round = round.id
WHERE round.pair = ? AND round.nonce > ?
ORDER BY round.nonce LIMIT 1
"""
_GO_ON: Final = "UPDATE pair SET settled_in_order = ?, newest_link = coalesce(?, newest_link) WHERE number = ?"

_ADD_ROUND: Final = """
INSERT INTO round (pair, nonce, account, key, bets, exposure, transfer, accepted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_ADD_OPEN: Final = "INSERT INTO open_round (round, account) VALUES (?, ?)"
_END_OPEN: Final = "DELETE FROM open_round WHERE round = ?"
_ADD_COUP: Final = "INSERT INTO coup (round, cut, cards, returned, transfer, settled_at) VALUES (?, ?, ?, ?, ?, ?)"


class _Locked(NamedTuple):
    """A pair and its bettor's money, as they are in this transaction."""

    state: str
    next_nonce: int
    settled_in_order: int
    cap: int
    id: str
    latest_at: datetime
    known_round: int | None
    """The round that the bettor's key already stands for."""
    purse: Purse


def is_refused_first(order: BetOrder) -> bool:
    """Whether `take_bet` refuses an order before it changes anything, if at all. A wallet's debit is used, and signers are asked, later."""
    return order.leg is None and order.signs is None


def take_bet(database: sqlite3.Connection, order: BetOrder) -> RoundRow:
    """Take a bet, deal it where the order says so, or return the round of its key."""
    pair = _lock(database, order.pair, order.key)
    purse = pair.purse
    if known := _known_round(database, pair, order):
        coup = order.coup(known.nonce)
        return known if coup is None or known.cards is not None else settle_round(database, coup)
    require_open(pair.id, pair.state, pair.next_nonce, pair.cap, order.nonce)
    order.examine(pair.next_nonce, SqlitePast(database, purse.account))
    at = max(order.at, pair.latest_at)
    accepted_at = write_time(at)
    if order.leg is not None:
        purse = use_debit(database, order.leg, purse, order)
    require_funds(purse.free, order.staked)
    after_stake = purse.balance - order.staked
    require_room(after_stake, purse.exposed, order.exposure)

    dealt = None if order.deal is None else order.deal(pair.next_nonce, order.bets).not_before(at)
    in_order = pair.settled_in_order
    if dealt is None:
        spent = database.execute(_SPEND, (accepted_at, order.pair, pair.next_nonce))
    else:
        link = None
        if in_order == pair.next_nonce:  # nothing before it is open
            in_order += 1
            link = None if order.tell is None else order.tell(in_order)
        spent = database.execute(_SPEND_AND_SETTLE, (write_time(dealt.at), in_order, link, order.pair, pair.next_nonce))
    if spent.rowcount != 1:
        raise PairNonceError(f"next nonce of pair {pair.id}", f"{pair.next_nonce}", "another one")
    if dealt is None:
        change_purse(database, purse, purse.holding(after_stake, purse.exposed + order.exposure, purse.owed))
    else:
        owed = purse.owed if order.credit is None else purse.owed + dealt.returned
        change_purse(database, purse, purse.holding(after_stake + dealt.returned, purse.exposed, owed))
    stake = add_transfer(database, "stake", purse, order.staked, after_stake)
    written = (order.pair, pair.next_nonce, purse.account, order.key, order.bets, str(order.exposure), stake, accepted_at)
    round_id = database.execute(_ADD_ROUND, written).lastrowid or 0
    accepted = (round_id, order.pair, pair.id, pair.next_nonce, 0, order.key, order.bets, order.staked, order.exposure, at)
    if dealt is None:
        database.execute(_ADD_OPEN, (round_id, purse.account))
        row = RoundRow(*accepted, purse.balance, settled_in_order=in_order)
        _sign(database, order.signs, row, is_new=True)
        return row
    after = _pay(database, round_id, purse, after_stake, dealt)
    row = RoundRow(*accepted, purse.balance, dealt.cut, dealt.cards, dealt.returned, after, dealt.at, in_order)
    if order.credit is not None and dealt.returned:
        add_credit(database, order.credit, purse, row, amount=dealt.returned, at=order.at)
    _sign(database, order.signs, row, is_new=True)
    return row


def settle_round(database: sqlite3.Connection, order: CoupOrder) -> RoundRow:
    """Deal an accepted round and pay what it returns; one that is dealt stays as it is."""
    row = round_at(database, order.pair, order.nonce)
    if row is None:
        raise no_nonce(order.nonce)
    if row.cards is not None:
        return row
    locked = _lock(database, order.pair, row.key)
    purse = locked.purse
    dealt = order.deal(order.nonce, row.bets).not_before(locked.latest_at)
    if database.execute(_SETTLE, (write_time(dealt.at), order.pair)).rowcount != 1:
        raise StoreError(f"pair of nonce {order.nonce}", "a pair that is not revealed", "one that is")
    owed = purse.owed if order.credit is None else purse.owed + dealt.returned
    change_purse(database, purse, purse.holding(purse.balance + dealt.returned, purse.exposed - row.exposure, owed))
    if order.credit is not None and dealt.returned:
        add_credit(database, order.credit, purse, row, amount=dealt.returned, at=order.at)
    after = _pay(database, row.id, purse, purse.balance, dealt)
    database.execute(_END_OPEN, (row.id,))
    settled = settled_row(row, dealt, after, _go_on(database, order.pair, locked, order.nonce, order.tell))
    _sign(database, order.signs, settled, is_new=False)
    return settled


def round_at(database: sqlite3.Connection, pair: int, nonce: int) -> RoundRow | None:
    """The round of a nonce."""
    columns = database.execute(_BY_NONCE, (pair, nonce)).fetchone()
    return None if columns is None else round_row(columns)


def _known_round(database: sqlite3.Connection, pair: _Locked, order: BetOrder) -> RoundRow | None:
    """The round that the order's key stands for. Raises KeyConflictError if that was another request."""
    if pair.known_round is None:
        return None
    row = round_row(database.execute(_BY_ID, (pair.known_round,)).fetchone())
    require_same(order, row)
    return row


def _sign(database: sqlite3.Connection, signs: Signs | None, row: RoundRow, *, is_new: bool) -> None:
    """Keep the signed acceptance of a new round, and the receipt of one that is dealt."""
    if signs is None:
        return
    if is_new:
        add_statement(database, "acceptance", row.pair, row.nonce, signs.accepted(row))
    if row.cards is not None:
        add_statement(database, "receipt", row.pair, row.nonce, signs.settled(row))


def _go_on(database: sqlite3.Connection, number: int, pair: _Locked, nonce: int, tell: Tell | None) -> int:
    """Up to where coups are settled in order, now that this one is; the link of the last of them is told (protocol step 8)."""
    if nonce != pair.settled_in_order:
        return pair.settled_in_order
    next_open = database.execute(_NEXT_OPEN, (number, nonce)).fetchone()
    in_order: int = pair.next_nonce if next_open is None else next_open[0]
    database.execute(_GO_ON, (in_order, None if tell is None else tell(in_order), number))
    return in_order


def _lock(database: sqlite3.Connection, number: int, key: str) -> _Locked:
    columns = database.execute(_READ_PAIR, (key, number)).fetchone()
    if columns is None:
        raise no_pair()
    state, next_nonce, in_order, cap, pair_id, latest_at, known, *purse = columns
    return _Locked(state, next_nonce, in_order, cap, pair_id, read_time(latest_at), known, read_purse(purse))


def _pay(database: sqlite3.Connection, round_id: int, purse: Purse, balance: int, dealt: DealtCoup) -> int:
    """Write down what was dealt and paid; `balance` is the bettor's before the return, the answer the one after it."""
    after, paid = balance + dealt.returned, None
    if dealt.returned:
        paid = add_transfer(database, "return", purse, dealt.returned, after)
    database.execute(_ADD_COUP, (round_id, dealt.cut, dealt.cards, str(dealt.returned), paid, write_time(dealt.at)))
    return after


def begin_debit(database: sqlite3.Connection, order: BetOrder, leg: str) -> RoundRow | LegRow:
    """Note that a wallet is about to be debited for a bet that would be taken now, or find what its key already stands for."""
    pair = _lock(database, order.pair, order.key)
    purse = pair.purse
    known = _known_round(database, pair, order) or known_debit(database, purse.account, order)
    if known is not None:
        return known
    require_open(pair.id, pair.state, pair.next_nonce, pair.cap, order.nonce)
    order.examine(pair.next_nonce, SqlitePast(database, purse.account))
    require_room(purse.balance, purse.exposed, order.exposure)
    return note_debit(database, purse.account, order, leg)
