"""How SQLite spells what is stored, times and sums of amounts, and the select lists that name every column once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from ..columns import ColumnReader

if TYPE_CHECKING:
    import sqlite3

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def write_time(time: datetime) -> int:
    """Whole microseconds since 1970 in UTC."""
    return (time - _EPOCH) // _MICROSECOND


def read_time(microseconds: int) -> datetime:
    """The time of so many microseconds since 1970, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)


SELECT_PAIR: Final = """
SELECT pair.number, pair.id, account.bettor, account.currency, pair.scheme, pair.decks, pair.commitment, pair.pay_table, pay_table.form,
    pair.cap, pair.is_remote, pair.state, pair.key_id, pair.sealed, pair.server_seed, pair.client_seed, pair.made_by,
    pair.next_nonce, pair.settled, pair.settled_in_order, pair.committed_at, pair.chosen_at, pair.closed_at, pair.revealed_at,
    successor.id, pair.chain_anchor, pair.chain_length, pair.newest_link,
    EXISTS (
        SELECT 1 FROM statement WHERE statement.pair = pair.number AND coalesce(statement.nonce, -1) = -1 AND statement.kind = 'opening'
    ),
    pair.latest_at
FROM pair
JOIN account ON account.number = pair.account
JOIN pay_table ON pay_table.digest = pair.pay_table
LEFT JOIN pair AS successor ON successor.number = pair.successor
"""

SELECT_ROUND: Final = """
SELECT round.id, round.pair, pair.id, round.nonce, round.place, round.key, round.bets, stake.amount, round.exposure, round.accepted_at,
    stake.balance, pair.settled_in_order, coup.cut, coup.cards, coup.returned, paid.balance, coup.settled_at
FROM round
JOIN pair ON pair.number = round.pair
JOIN transfer AS stake ON stake.id = round.transfer
LEFT JOIN coup ON coup.round = round.id
LEFT JOIN transfer AS paid ON paid.id = coup.transfer
"""

SELECT_LEG: Final = """
SELECT leg.id, leg.kind, leg.pair, pair.id, account.bettor, account.currency, leg.key, leg.bets, leg.amount, leg.state, leg.reason,
    leg.at
FROM leg
JOIN pair ON pair.number = leg.pair
JOIN account ON account.number = leg.account
"""


_reader = ColumnReader(read_time)
pair_row, round_row, leg_row, event_row = _reader.pair, _reader.round, _reader.leg, _reader.event


class AmountSum:
    """The aggregate `amount_sum`: adds amounts, which are text, exactly. The sum is text too."""

    def __init__(self) -> None:
        self._sum = 0

    def step(self, amount: str | None, /) -> None:
        """Add one amount; NULL counts nothing."""
        self._sum += int(amount or 0)

    def finalize(self) -> str:
        """The sum."""
        return str(self._sum)


def register_functions(database: sqlite3.Connection) -> None:
    """Give a connection the functions that the statements here use."""
    database.create_aggregate("amount_sum", 1, AmountSum)  # type: ignore[arg-type]  # typeshed knows aggregates of integers only
