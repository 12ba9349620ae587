"""From columns to values and back: times, amounts, and the select lists that name every column once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from ..rows import LegRow, PairRow, RoundRow
from ..vault import Sealed

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


def _time_or_none(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else read_time(microseconds)


SELECT_PAIR: Final = """
SELECT pair.number, pair.id, account.bettor, account.currency, pair.scheme, pair.decks, pair.commitment, pair.pay_table, pay_table.form,
    pair.cap, pair.is_remote, pair.state, pair.key_id, pair.sealed, pair.server_seed, pair.client_seed, pair.made_by,
    pair.next_nonce, pair.settled, pair.settled_in_order, pair.committed_at, pair.chosen_at, pair.closed_at, pair.revealed_at,
    successor.id, pair.chain_anchor, pair.chain_length, pair.newest_link,
    EXISTS (
        SELECT 1 FROM statement WHERE statement.pair = pair.number AND coalesce(statement.nonce, -1) = -1 AND statement.kind = 'opening'
    )
FROM pair
JOIN account ON account.number = pair.account
JOIN pay_table ON pay_table.digest = pair.pay_table
LEFT JOIN pair AS successor ON successor.number = pair.successor
"""


def pair_row(columns: tuple[Any, ...]) -> PairRow:
    """A pair from the columns of SELECT_PAIR."""
    (number, id_, bettor, currency, scheme, decks, commitment, digest, form, cap, is_remote, state, key_id, sealed, *rest) = columns
    server_seed, client_seed, made_by, next_nonce, settled, settled_in_order, *times, successor, anchor, length, newest_link, is_signed = (
        rest
    )
    return PairRow(
        number,
        id_,
        bettor,
        currency,
        scheme,
        decks,
        commitment,
        digest,
        form,
        cap,
        bool(is_remote),
        state,
        Sealed(key_id, sealed),
        server_seed,
        client_seed,
        made_by,
        next_nonce,
        settled,
        settled_in_order,
        read_time(times[0]),
        _time_or_none(times[1]),
        _time_or_none(times[2]),
        _time_or_none(times[3]),
        successor,
        anchor,
        length,
        newest_link,
        bool(is_signed),
    )


SELECT_ROUND: Final = """
SELECT round.id, round.pair, pair.id, round.nonce, round.place, round.key, round.bets, stake.amount, round.exposure, round.accepted_at,
    stake.balance, pair.settled_in_order, coup.cut, coup.cards, coup.returned, paid.balance, coup.settled_at
FROM round
JOIN pair ON pair.number = round.pair
JOIN transfer AS stake ON stake.id = round.transfer
LEFT JOIN coup ON coup.round = round.id
LEFT JOIN transfer AS paid ON paid.id = coup.transfer
"""


def round_row(columns: tuple[Any, ...]) -> RoundRow:
    """A round from the columns of SELECT_ROUND."""
    id_, pair, pair_id, nonce, place, key, bets, staked, exposure, accepted_at, after_stake, in_order, *dealt = columns
    accepted = (id_, pair, pair_id, nonce, place, key, bets, int(staked), int(exposure), read_time(accepted_at))
    before = int(after_stake) + int(staked)
    cut, cards, returned, after, settled_at = dealt
    if cards is None:
        return RoundRow(*accepted, before, settled_in_order=in_order)
    left = int(after_stake if after is None else after)
    return RoundRow(*accepted, before, cut, cards, int(returned), left, read_time(settled_at), in_order)


SELECT_LEG: Final = """
SELECT leg.id, leg.kind, leg.pair, pair.id, account.bettor, account.currency, leg.key, leg.bets, leg.amount, leg.state, leg.reason,
    leg.at
FROM leg
JOIN pair ON pair.number = leg.pair
JOIN account ON account.number = leg.account
"""


def leg_row(columns: tuple[Any, ...]) -> LegRow:
    """A wallet's transaction from the columns of SELECT_LEG."""
    id_, kind, pair, pair_id, bettor, currency, key, bets, amount, state, reason, at = columns
    return LegRow(id_, kind, pair, pair_id, bettor, currency, key, bets, int(amount), state, reason, read_time(at))


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
