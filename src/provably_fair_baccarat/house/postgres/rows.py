"""How PostgreSQL spells what is stored, and the select lists that name every column once.

Amounts leave it as text, so that nothing on the way, whatever a connection is set up to do with numbers, can make anything else of them.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, LiteralString

from ..columns import ColumnReader

if TYPE_CHECKING:
    from collections.abc import Sequence


def write_rows(rows: Sequence[dict[str, Any]]) -> str:
    """Rows for a statement's json_to_recordset: one JSON array of objects. Amounts are JSON integers, which become numeric exactly."""
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def read_time(time: datetime) -> datetime:
    """A stored time, in UTC whatever time zone the connection is in."""
    return time.astimezone(UTC)


SELECT_PAIR: Final[LiteralString] = """
SELECT pair.number, pair.id, account.bettor, account.currency, pair.scheme, pair.decks, pair.commitment, pair.pay_table, pay_table.form,
    pair.cap, pair.is_remote, pair.state, pair.key_id, pair.sealed, pair.server_seed, pair.client_seed, pair.made_by,
    pair.next_nonce, pair.settled, pair.settled_in_order, pair.committed_at, pair.chosen_at, pair.closed_at, pair.revealed_at,
    successor.id, pair.chain_anchor, pair.chain_length, pair.newest_link,
    EXISTS (
        SELECT 1 FROM house.statement WHERE statement.pair = pair.number AND coalesce(statement.nonce, -1) = -1 AND statement.kind = 'opening'
    ),
    pair.latest_at
FROM house.pair
JOIN house.account ON account.number = pair.account
JOIN house.pay_table ON pay_table.digest = pair.pay_table
LEFT JOIN house.pair AS successor ON successor.number = pair.successor
"""

SELECT_ROUND: Final[LiteralString] = """
SELECT round.id, round.pair, pair.id, round.nonce, round.place, round.key, round.bets, stake.amount::text, round.exposure::text,
    round.accepted_at, stake.balance::text, pair.settled_in_order,
    coup.cut, coup.cards, coup.returned::text, paid.balance::text, coup.settled_at
FROM house.round
JOIN house.pair ON pair.number = round.pair
JOIN house.transfer AS stake ON stake.id = round.transfer
LEFT JOIN house.coup ON coup.round = round.id
LEFT JOIN house.transfer AS paid ON paid.id = coup.transfer
"""

SELECT_LEG: Final[LiteralString] = """
SELECT leg.id, leg.kind, leg.pair, pair.id, account.bettor, account.currency, leg.key, leg.bets, leg.amount::text, leg.state, leg.reason,
    leg.at
FROM house.leg
JOIN house.pair ON pair.number = leg.pair
JOIN house.account ON account.number = leg.account
"""


_reader = ColumnReader(read_time)
pair_row, round_row, leg_row, event_row = _reader.pair, _reader.round, _reader.leg, _reader.event
