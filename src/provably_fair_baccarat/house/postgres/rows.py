"""From columns to values, and the select lists that name every column once.

Amounts leave PostgreSQL as text and become integers here, so that nothing on the way, whatever a connection is set up to do with numbers,
can make anything else of them.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, LiteralString

from ..rows import LegRow, PairRow, RoundRow
from ..vault import Sealed

if TYPE_CHECKING:
    from collections.abc import Sequence


def write_rows(rows: Sequence[dict[str, Any]]) -> str:
    """Rows for a statement's json_to_recordset: one JSON array of objects. Amounts are JSON integers, which become numeric exactly."""
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def storable(text: str) -> str:
    """A reason as a text column can hold it, whoever worded it: without U+0000 and lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")


def read_time(time: datetime) -> datetime:
    """A stored time, in UTC whatever time zone the connection is in."""
    return time.astimezone(UTC)


def _time_or_none(time: datetime | None) -> datetime | None:
    return None if time is None else read_time(time)


SELECT_PAIR: Final[LiteralString] = """
SELECT pair.number, pair.id, account.bettor, account.currency, pair.scheme, pair.decks, pair.commitment, pair.pay_table, pay_table.form,
    pair.cap, pair.is_remote, pair.state, pair.key_id, pair.sealed, pair.server_seed, pair.client_seed, pair.made_by,
    pair.next_nonce, pair.settled, pair.settled_in_order, pair.committed_at, pair.chosen_at, pair.closed_at, pair.revealed_at,
    successor.id, pair.chain_anchor, pair.chain_length, pair.newest_link,
    EXISTS (
        SELECT 1 FROM house.statement WHERE statement.pair = pair.number AND coalesce(statement.nonce, -1) = -1 AND statement.kind = 'opening'
    )
FROM house.pair
JOIN house.account ON account.number = pair.account
JOIN house.pay_table ON pay_table.digest = pair.pay_table
LEFT JOIN house.pair AS successor ON successor.number = pair.successor
"""


def pair_row(columns: Sequence[Any]) -> PairRow:
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
        is_remote,
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


def round_row(columns: Sequence[Any]) -> RoundRow:
    """A round from the columns of SELECT_ROUND."""
    id_, pair, pair_id, nonce, place, key, bets, staked, exposure, accepted_at, after_stake, in_order, *dealt = columns
    accepted = (id_, pair, pair_id, nonce, place, key, bets, int(staked), int(exposure), read_time(accepted_at))
    before = int(after_stake) + int(staked)
    cut, cards, returned, after, settled_at = dealt
    if cards is None:
        return RoundRow(*accepted, before, settled_in_order=in_order)
    left = int(after_stake if after is None else after)
    return RoundRow(*accepted, before, cut, cards, int(returned), left, read_time(settled_at), in_order)


SELECT_LEG: Final[LiteralString] = """
SELECT leg.id, leg.kind, leg.pair, pair.id, account.bettor, account.currency, leg.key, leg.bets, leg.amount::text, leg.state, leg.reason,
    leg.at
FROM house.leg
JOIN house.pair ON pair.number = leg.pair
JOIN house.account ON account.number = leg.account
"""


def leg_row(columns: Sequence[Any]) -> LegRow:
    """A wallet's transaction from the columns of SELECT_LEG."""
    id_, kind, pair, pair_id, bettor, currency, key, bets, amount, state, reason, at = columns
    return LegRow(id_, kind, pair, pair_id, bettor, currency, key, bets, int(amount), state, reason, read_time(at))
