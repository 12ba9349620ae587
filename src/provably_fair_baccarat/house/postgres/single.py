"""One bet in one statement: lock, check, change, in the one round trip that a durable answer needs anyway.

The cards depend on the nonce, and the nonce is given in the statement. So the store guesses which nonce comes next, has the coup dealt for
that, and sends everything along; the statement does all of it if it finds the pair active at this very nonce, the key fresh and the money
there, and otherwise nothing at all. Then `betting` takes the bet or finds the reason, in a transaction of several statements. A deal that
came to nothing is forgotten: it was dealt for that nonce, and will be the same for the bet that spends it. A link of a seed chain is not
sent along on a guess, so the bets that are dealt from one at once are not taken here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, LiteralString

from ...errors import BaccaratError, StoreError
from ..rows import RoundRow

if TYPE_CHECKING:
    from datetime import datetime

    from ..store import BetOrder
    from .database import Database

# Lock the bettor's account if the money is there and the key is fresh; lock the pair if it is active at the expected nonce. Every change
# depends on both. Without both nothing changes, and no row comes back. A key that is used at the same moment fails the UNIQUE constraint.
_TAKE: Final[LiteralString] = """
WITH asked AS (
    SELECT %(pair)s::bigint AS pair, %(nonce)s::bigint AS nonce, %(key)s::text AS key,
        %(staked)s::text::numeric AS staked, %(exposure)s::text::numeric AS exposure,
        %(cards)s::text AS cards, %(returned)s::text::numeric AS returned
), purse AS MATERIALIZED (
    SELECT account.number, account.balance, account.currency
    FROM asked, house.account
    WHERE account.number = (SELECT account FROM house.pair WHERE number = %(pair)s::bigint)
        AND account.balance - account.owed >= staked
        AND account.balance - staked + account.exposed + exposure < 1e38
        AND NOT EXISTS (SELECT FROM house.round WHERE round.account = account.number AND round.key = asked.key)
    FOR NO KEY UPDATE OF account
), ready AS MATERIALIZED (
    SELECT asked.*, pair.id AS pair_id, pair.account, purse.balance, purse.balance - staked AS after_stake,
        purse.balance - staked + coalesce(returned, 0) AS after_return,
        settled_in_order + CASE WHEN cards IS NOT NULL AND settled_in_order = next_nonce THEN 1 ELSE 0 END AS in_order,
        (SELECT number FROM house.account WHERE kind = 'house' AND currency = purse.currency AND bettor = '') AS house
    FROM asked, purse, house.pair
    WHERE pair.number = %(pair)s::bigint AND pair.account = purse.number
        AND pair.state = 'active' AND pair.next_nonce = asked.nonce AND pair.next_nonce < pair.cap
        AND pair.latest_at <= %(accepted_at)s  -- a clock that is behind is put right in a transaction of several statements
    FOR NO KEY UPDATE OF pair
), spent AS (
    UPDATE house.pair
    SET next_nonce = next_nonce + 1, settled = settled + CASE WHEN ready.cards IS NULL THEN 0 ELSE 1 END, settled_in_order = ready.in_order,
        latest_at = coalesce(%(settled_at)s, %(accepted_at)s)
    FROM ready
    WHERE number = ready.pair
), paid AS (
    UPDATE house.account
    SET balance = after_return, exposed = exposed + CASE WHEN ready.cards IS NULL THEN ready.exposure ELSE 0 END
    FROM ready
    WHERE number = ready.account
), stake AS (
    INSERT INTO house.transfer (payer, payee, kind, amount, balance)
    SELECT account, house, 'stake', staked, after_stake FROM ready
    RETURNING id
), accepted AS (
    INSERT INTO house.round (pair, nonce, account, transfer, accepted_at, exposure, key, bets)
    SELECT ready.pair, ready.nonce, ready.account, stake.id, %(accepted_at)s, ready.exposure, ready.key, %(bets)s
    FROM ready, stake
    RETURNING id
), return AS (
    INSERT INTO house.transfer (payer, payee, kind, amount, balance)
    SELECT house, account, 'return', returned, after_return FROM ready, accepted WHERE returned > 0
    RETURNING id
), dealt AS (
    INSERT INTO house.coup (round, transfer, settled_at, cut, returned, cards)
    SELECT accepted.id, (SELECT id FROM return), %(settled_at)s, %(cut)s, ready.returned, ready.cards
    FROM ready, accepted WHERE ready.cards IS NOT NULL
)
SELECT accepted.id, ready.pair_id, ready.balance::text, ready.in_order
FROM ready, accepted
"""


class _NoPast:
    """The past of a bet that nobody guards, which nobody asks about."""

    __slots__ = ()

    def last_accepted_at(self) -> datetime | None:
        """Refused."""
        raise _no_past()

    def net_since(self, time: datetime) -> int:  # noqa: ARG002 (refused for any time)
        """Refused."""
        raise _no_past()

    def rounds_since(self, time: datetime) -> int:  # noqa: ARG002 (refused for any time)
        """Refused."""
        raise _no_past()


def _no_past() -> StoreError:
    return StoreError("past of a bettor", "an order that is guarded", "one that is not")


class Guesses:
    """Which nonce comes next in which pair, as far as this store has seen."""

    LARGEST: Final = 100_000

    def __init__(self) -> None:
        self._next: dict[int, int] = {}

    def note(self, row: RoundRow) -> None:
        """Remember what was spent last."""
        if len(self._next) >= self.LARGEST:
            self._next.clear()
        self._next[row.pair] = max(row.nonce + 1, self._next.get(row.pair, 0))

    def next_nonce(self, order: BetOrder) -> int | None:
        """The nonce to deal an order for; None where it has to be looked up, or the order needs a transaction of several statements."""
        if order.is_guarded or order.leg is not None or order.signs is not None or (order.deal is not None and order.tell is not None):
            return None
        return self._next.get(order.pair) if order.nonce is None else order.nonce


def permits(order: BetOrder, nonce: int) -> bool:
    """Whether the limits permit an unguarded bet. What they refuse is refused in a transaction."""
    try:
        order.examine(nonce, _NoPast())
    except BaccaratError:
        return False
    return True


def take_at(database: Database, order: BetOrder, nonce: int) -> RoundRow | None:
    """Take a bet at this nonce and deal it where the order says so; None if it can't be, and then nothing has changed.

    Raises UniqueViolation, and has changed nothing either, where the key is being used at this very moment.
    """
    try:
        dealt = None if order.deal is None else order.deal(nonce, order.bets).not_before(order.at)
    except BaccaratError:
        return None
    asked = {
        "pair": order.pair,
        "nonce": nonce,
        "key": order.key,
        "bets": order.bets,
        "staked": str(order.staked),
        "exposure": str(order.exposure),
        "accepted_at": order.at,
        "cut": None if dealt is None else dealt.cut,
        "cards": None if dealt is None else dealt.cards,
        "returned": None if dealt is None else str(dealt.returned),
        "settled_at": None if dealt is None else dealt.at,
    }
    columns = database.row(_TAKE, asked)
    if columns is None:
        return None
    id_, pair_id, balance, in_order = columns
    accepted = (id_, order.pair, pair_id, nonce, 0, order.key, order.bets, order.staked, order.exposure, order.at, int(balance))
    if dealt is None:
        return RoundRow(*accepted, settled_in_order=in_order)
    return RoundRow(*accepted, dealt.cut, dealt.cards, dealt.returned, int(balance) - order.staked + dealt.returned, dealt.at, in_order)
