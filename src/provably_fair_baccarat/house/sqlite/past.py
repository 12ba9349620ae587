"""What guards may ask about a bettor's past, answered inside the transaction that takes the bet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .rows import read_time, write_time

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

_LAST: Final = "SELECT accepted_at FROM round WHERE account = ? ORDER BY id DESC LIMIT 1"

_COUNT: Final = "SELECT count(*) FROM round WHERE account = ? AND accepted_at >= ?"

_NET: Final = """
SELECT coalesce(amount_sum(stake.amount), '0'), coalesce(amount_sum(coup.returned), '0')
FROM round
JOIN transfer AS stake ON stake.id = round.transfer
LEFT JOIN coup ON coup.round = round.id
WHERE round.account = ? AND round.accepted_at >= ?
"""


class SqlitePast:
    """The past of one account, as the transaction sees it."""

    __slots__ = ("_account", "_database")

    def __init__(self, database: sqlite3.Connection, account: int) -> None:
        self._database = database
        self._account = account

    def last_accepted_at(self) -> datetime | None:
        """When the last round was accepted."""
        columns = self._database.execute(_LAST, (self._account,)).fetchone()
        return None if columns is None else read_time(columns[0])

    def net_since(self, time: datetime) -> int:
        """What the rounds accepted since then gained or lost; open ones count as lost."""
        staked, returned = self._database.execute(_NET, (self._account, write_time(time))).fetchone()
        return int(returned) - int(staked)

    def rounds_since(self, time: datetime) -> int:
        """How many rounds were accepted since then."""
        count: int = self._database.execute(_COUNT, (self._account, write_time(time))).fetchone()[0]
        return count
