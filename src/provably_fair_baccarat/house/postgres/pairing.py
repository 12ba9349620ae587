"""The life of a seed pair in PostgreSQL: committed, active, closing, revealed. The triggers hold the one direction against everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, LiteralString

from ...errors import PairStateError
from ..refusals import chosen_already, no_pair, require_settled
from .money import open_purse
from .rows import SELECT_PAIR, pair_row
from .saying import add_statements, openings_of

if TYPE_CHECKING:
    from datetime import datetime

    from ...records import MadeBy
    from ..rows import PairRow
    from ..store import NewPair, Signs
    from ..vault import Sealed
    from .database import Database

_BY_NUMBER: Final[LiteralString] = f"{SELECT_PAIR} WHERE pair.number = %s"

# Whatever changes a pair waits here for the bets of its bettor that are on their way, and they for it.
_LOCK: Final[LiteralString] = """
SELECT number FROM house.account WHERE number = (SELECT account FROM house.pair WHERE pair.number = %s) FOR NO KEY UPDATE
"""

_ADD_PAY_TABLE: Final[LiteralString] = "INSERT INTO house.pay_table (digest, form) VALUES (%s, %s) ON CONFLICT DO NOTHING"

_ADD: Final[LiteralString] = """
INSERT INTO house.pair
    (id, account, scheme, decks, commitment, seed_mark, pay_table, cap, is_remote, chain_anchor, chain_length,
    state, sealed, key_id, committed_at, latest_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 'committed', %s, %s, %s, %s)
RETURNING number
"""

_CHOOSE: Final[LiteralString] = """
UPDATE house.pair SET client_seed = %s, made_by = %s, chosen_at = %s, latest_at = %s, state = 'active'
WHERE number = %s AND state = 'committed'
RETURNING number
"""

_CLOSE: Final[LiteralString] = """
UPDATE house.pair SET state = 'closing', closed_at = %s, latest_at = %s
WHERE number = %s AND state IN ('committed', 'active')
RETURNING number
"""

_REVEAL: Final[LiteralString] = """
UPDATE house.pair SET state = 'revealed', server_seed = %s, revealed_at = %s, latest_at = %s, successor = %s
WHERE number = %s AND state = 'closing' AND settled = next_nonce
RETURNING number
"""

_RESEAL: Final[LiteralString] = """
UPDATE house.pair SET sealed = %s, key_id = %s WHERE number = %s AND sealed = %s AND key_id = %s RETURNING number
"""

_ADD_EVENT: Final[LiteralString] = """
INSERT INTO house.event (kind, pair, nonce, bets, key, reason, at)
VALUES (%(kind)s, %(pair)s, (SELECT next_nonce FROM house.pair WHERE number = %(pair)s), %(bets)s, %(key)s, %(reason)s, %(at)s)
"""


def find_pair(database: Database, number: int) -> PairRow:
    """A pair by its number."""
    columns = database.row(_BY_NUMBER, (number,))
    if columns is None:
        raise no_pair()
    return pair_row(columns)


def lock_pair(database: Database, number: int) -> PairRow:
    """A pair that stays as it is until the end of this transaction."""
    database.run(_LOCK, (number,))
    return find_pair(database, number)


def add_pair(database: Database, new: NewPair, at: datetime) -> PairRow:
    """Store a pair as committed."""
    purse = open_purse(database, new.bettor, new.currency)
    database.run(_ADD_PAY_TABLE, (new.pay_table_digest, new.pay_table_form))
    promised = (new.scheme, new.decks, new.commitment, new.seed_mark, new.pay_table_digest, new.cap, new.is_remote)
    chain = (new.chain_anchor, new.chain_length)
    added = database.rows(_ADD, (new.id, purse.account, *promised, *chain, new.sealed.seal, new.sealed.key_id, at, at))
    number: int = added[0][0]
    add_event(database, "committed", number, at)
    if new.say is not None:
        add_statements(database, [("opening", number, None, new.say(*openings_of(database, purse.account), at))])
    return find_pair(database, number)


def choose_client_seed(database: Database, number: int, client_seed: bytes, made_by: MadeBy, at: datetime) -> PairRow:
    """Fix the client seed, once."""
    pair = lock_pair(database, number)
    at = max(at, pair.latest_at)
    if database.row(_CHOOSE, (client_seed, made_by, at, at, number)) is None:
        raise chosen_already(pair)
    add_event(database, "chosen", number, at, reason=f"client seed made by the {made_by}")
    return find_pair(database, number)


def close_pair(database: Database, number: int, at: datetime, signs: Signs | None) -> PairRow:
    """Take no more bets."""
    pair = lock_pair(database, number)
    at = max(at, pair.latest_at)
    if database.row(_CLOSE, (at, at, number)) is None:
        return pair
    add_event(database, "closed", number, at)
    if signs is not None:
        add_statements(database, [("closing", number, None, signs.closed(pair.next_nonce, at))])
    return find_pair(database, number)


def reveal_pair(database: Database, number: int, server_seed: bytes, successor: NewPair | None, at: datetime) -> PairRow:
    """Reveal, once, with every coup settled, and store the pair that follows."""
    pair = lock_pair(database, number)
    if pair.state == "revealed":
        return pair
    require_settled(pair)
    at = max(at, pair.latest_at)
    following = None if successor is None else add_pair(database, successor, at)
    if database.row(_REVEAL, (server_seed, at, at, None if following is None else following.number, number)) is None:
        raise PairStateError(f"pair {pair.id}", "one that stays closing and settled", "one that changed")
    add_event(database, "revealed", number, at, reason="" if following is None else f"followed by {following.id}")
    return find_pair(database, number)


def reseal_pair(database: Database, number: int, old: Sealed, new: Sealed, at: datetime) -> None:
    """Exchange a seal, unless somebody else has done so."""
    database.run(_LOCK, (number,))
    if database.row(_RESEAL, (new.seal, new.key_id, number, old.seal, old.key_id)) is not None:
        add_event(database, "resealed", number, at, reason=f"from key {old.key_id} to {new.key_id}")


def add_event(database: Database, kind: str, pair: int | None, at: datetime, *, bets: str = "", key: str = "", reason: str = "") -> None:
    """Keep an event, with the nonce that comes next in its pair."""
    database.run(_ADD_EVENT, {"kind": kind, "pair": pair, "bets": bets, "key": key, "reason": reason, "at": at})
