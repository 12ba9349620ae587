"""Settling in PostgreSQL: deal a round that was accepted, and pay what it returns.

Lock the bettor's account, read, deal, and change everything in one statement that compares what was read once more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, LiteralString

from ..refusals import no_nonce
from ..rows import settled_row
from .legs import add_credit
from .money import interfered
from .rows import SELECT_ROUND, read_time, round_row
from .saying import add_statements

if TYPE_CHECKING:
    from ..rows import RoundRow
    from ..store import CoupOrder
    from .database import Database

LOCK: Final[LiteralString] = """
SELECT number
FROM house.account
WHERE number IN (SELECT account FROM house.pair WHERE pair.number = ANY (%s::bigint[]))
ORDER BY number
FOR NO KEY UPDATE
"""

READ_PAIRS: Final[LiteralString] = """
SELECT pair.number, pair.id, pair.state, pair.next_nonce, pair.settled_in_order, pair.cap, pair.latest_at,
    bettor.number, bettor.balance::text, bettor.exposed::text, bettor.owed::text, house.number, outside.number
FROM house.pair
JOIN house.account AS bettor ON bettor.number = pair.account
JOIN house.account AS house ON house.kind = 'house' AND house.currency = bettor.currency AND house.bettor = ''
JOIN house.account AS outside ON outside.kind = 'outside' AND outside.currency = bettor.currency AND outside.bettor = ''
WHERE pair.number = ANY (%s::bigint[])
"""

_BY_NONCE: Final[LiteralString] = f"{SELECT_ROUND} WHERE round.pair = %s AND round.nonce = %s AND round.place = 0"

# Lock the pair and its account as expected, and change everything; or change nothing.
_SETTLE: Final[LiteralString] = """
WITH ready AS MATERIALIZED (
    SELECT pair.number AS pair, account.number AS account
    FROM house.pair
    JOIN house.account ON account.number = pair.account
    WHERE pair.number = %(pair)s AND pair.state IN ('active', 'closing') AND pair.settled_in_order = %(in_order)s
        AND account.balance = %(balance)s::text::numeric
    FOR NO KEY UPDATE OF pair, account
), settled AS (
    UPDATE house.pair
    SET settled = settled + 1, latest_at = %(at)s, settled_in_order = %(to_order)s, newest_link = coalesce(%(link)s::bytea, newest_link)
    FROM ready WHERE number = ready.pair
), paid AS (
    UPDATE house.account SET balance = %(after)s::text::numeric, exposed = exposed - %(exposure)s::text::numeric,
        owed = owed + %(owed)s::text::numeric
    FROM ready WHERE number = ready.account
), transferred AS (
    INSERT INTO house.transfer (payer, payee, kind, amount, balance)
    SELECT %(house)s::bigint, ready.account, 'return', %(returned)s::text::numeric, %(after)s::text::numeric
    FROM ready WHERE %(returned)s::text::numeric > 0
    RETURNING id
)
INSERT INTO house.coup (round, transfer, settled_at, cut, returned, cards)
SELECT %(round)s, (SELECT id FROM transferred), %(at)s, %(cut)s, %(returned)s::text::numeric, %(cards)s
FROM ready
RETURNING round
"""

_FIRST_OPEN_AFTER: Final[LiteralString] = """
SELECT round.nonce FROM house.round LEFT JOIN house.coup ON coup.round = round.id
WHERE round.pair = %s AND round.nonce > %s AND coup.round IS NULL
ORDER BY round.nonce LIMIT 1
"""


def settle_round(database: Database, order: CoupOrder) -> RoundRow:
    """Deal an accepted round and pay what it returns; one that is dealt stays as it is. Whatever it raises, nothing has changed."""
    pairs = f"{{{order.pair}}}"
    database.run(LOCK, (pairs,))
    read = database.row(READ_PAIRS, (pairs,))
    row = round_at(database, order.pair, order.nonce)
    if row is None or read is None:
        raise no_nonce(order.nonce)
    if row.cards is not None:
        return row
    next_nonce, in_order, _, latest_at, account, balance, _, _, house, _ = read[3:]
    dealt = order.deal(order.nonce, row.bets).not_before(read_time(latest_at))
    balance = int(balance)
    to_order = in_order
    if order.nonce == in_order:
        first_open = database.row(_FIRST_OPEN_AFTER, (order.pair, order.nonce))
        to_order = next_nonce if first_open is None else first_open[0]
    settled = settled_row(row, dealt, balance + dealt.returned, to_order)
    receipt = None if order.signs is None else order.signs.settled(settled)
    written = {
        "pair": order.pair,
        "balance": str(balance),
        "after": str(balance + dealt.returned),
        "exposure": str(row.exposure),
        "owed": str(0 if order.credit is None else dealt.returned),
        "house": house,
        "returned": str(dealt.returned),
        "round": row.id,
        "at": dealt.at,
        "cut": dealt.cut,
        "cards": dealt.cards,
        "in_order": in_order,
        "to_order": to_order,
        "link": None if order.tell is None or to_order == in_order else order.tell(to_order),
    }
    if database.row(_SETTLE, written) is None:
        raise interfered(f"pair of nonce {order.nonce}", "a pair that is not revealed, and the balance as this transaction read it")
    if order.credit is not None and dealt.returned:
        add_credit(database, order.credit, row, account=account, amount=dealt.returned, at=order.at)
    if receipt is not None:
        add_statements(database, [("receipt", order.pair, order.nonce, receipt)])
    return settled


def round_at(database: Database, pair: int, nonce: int) -> RoundRow | None:
    """The round of a nonce."""
    columns = database.row(_BY_NONCE, (pair, nonce))
    return None if columns is None else round_row(columns)
