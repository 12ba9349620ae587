"""What guards may ask about a bettor's past, answered inside the transaction that takes the bet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, LiteralString

from .rows import read_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from .database import Database

_LAST: Final[LiteralString] = "SELECT accepted_at FROM house.round WHERE account = %s ORDER BY id DESC LIMIT 1"

_COUNT: Final[LiteralString] = "SELECT count(*) FROM house.round WHERE account = %s AND accepted_at >= %s"

_NET: Final[LiteralString] = """
SELECT coalesce(sum(stake.amount), 0)::text, coalesce(sum(coup.returned), 0)::text
FROM house.round
JOIN house.transfer AS stake ON stake.id = round.transfer
LEFT JOIN house.coup ON coup.round = round.id
WHERE round.account = %s AND round.accepted_at >= %s
"""


class PostgresPast:
    """The past of one account, as the transaction sees it; `write` puts down first what it has decided and not written yet."""

    __slots__ = ("_account", "_database", "_write")

    def __init__(self, database: Database, account: int, write: Callable[[], None]) -> None:
        self._database = database
        self._account = account
        self._write = write

    def last_accepted_at(self) -> datetime | None:
        """When the last round was accepted."""
        self._write()
        columns = self._database.row(_LAST, (self._account,))
        return None if columns is None else read_time(columns[0])

    def net_since(self, time: datetime) -> int:
        """What the rounds accepted since then gained or lost; open ones count as lost."""
        self._write()
        ((staked, returned),) = self._database.rows(_NET, (self._account, time))
        return int(returned) - int(staked)

    def rounds_since(self, time: datetime) -> int:
        """How many rounds were accepted since then."""
        self._write()
        ((count,),) = self._database.rows(_COUNT, (self._account, time))
        return int(count)
