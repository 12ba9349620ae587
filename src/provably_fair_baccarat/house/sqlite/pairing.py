"""The life of a seed pair in SQLite: committed, active, closing, revealed. The triggers hold the one direction against everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import PairStateError
from ..refusals import chosen_already, no_pair, require_settled
from .money import open_purse
from .rows import SELECT_PAIR, pair_row, write_time
from .saying import add_statement, openings_of

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from ...records import MadeBy
    from ..rows import PairRow
    from ..store import NewPair, Signs
    from ..vault import Sealed

_BY_NUMBER: Final = f"{SELECT_PAIR} WHERE pair.number = ?"

_ADD_PAY_TABLE: Final = "INSERT INTO pay_table (digest, form) VALUES (?, ?) ON CONFLICT DO NOTHING"

_ADD: Final = """
INSERT INTO pair (
    id, account, scheme, decks, commitment, seed_mark, pay_table, cap, is_remote, chain_anchor, chain_length,
    state, sealed, key_id, committed_at, latest_at
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'committed', ?, ?, ?14, ?14)
"""

_CHOOSE: Final = """
UPDATE pair SET client_seed = ?, made_by = ?, chosen_at = ?3, latest_at = ?3, state = 'active' WHERE number = ? AND state = 'committed'
"""

_CLOSE: Final = "UPDATE pair SET state = 'closing', closed_at = ?1, latest_at = ?1 WHERE number = ? AND state IN ('committed', 'active')"

_REVEAL: Final = """
UPDATE pair SET state = 'revealed', server_seed = ?, revealed_at = ?2, latest_at = ?2, successor = ?
WHERE number = ? AND state = 'closing' AND settled = next_nonce
"""

_RESEAL: Final = "UPDATE pair SET sealed = ?, key_id = ? WHERE number = ? AND sealed = ? AND key_id = ?"

_ADD_EVENT: Final = """
INSERT INTO event (kind, pair, nonce, bets, key, reason, at)
VALUES (?1, (SELECT number FROM pair WHERE number = ?2), (SELECT next_nonce FROM pair WHERE number = ?2), ?3, ?4, ?5, ?6)
"""


def find_pair(database: sqlite3.Connection, number: int) -> PairRow:
    """A pair by its number."""
    columns = database.execute(_BY_NUMBER, (number,)).fetchone()
    if columns is None:
        raise no_pair()
    return pair_row(columns)


def add_pair(database: sqlite3.Connection, new: NewPair, at: datetime) -> PairRow:
    """Store a pair as committed."""
    purse = open_purse(database, new.bettor, new.currency)
    database.execute(_ADD_PAY_TABLE, (new.pay_table_digest, new.pay_table_form))
    promised = (new.scheme, new.decks, new.commitment, new.seed_mark, new.pay_table_digest, new.cap, int(new.is_remote))
    chain = (new.chain_anchor, new.chain_length)
    sealed = (new.sealed.seal, new.sealed.key_id, write_time(at))
    number = database.execute(_ADD, (new.id, purse.account, *promised, *chain, *sealed)).lastrowid or 0
    add_event(database, "committed", number, at)
    if new.say is not None:
        add_statement(database, "opening", number, None, new.say(*openings_of(database, purse.account), at))
    return find_pair(database, number)


def choose_client_seed(database: sqlite3.Connection, number: int, client_seed: bytes, made_by: MadeBy, at: datetime) -> PairRow:
    """Fix the client seed, once."""
    pair = find_pair(database, number)
    at = max(at, pair.latest_at)
    if database.execute(_CHOOSE, (client_seed, made_by, write_time(at), number)).rowcount != 1:
        raise chosen_already(pair)
    add_event(database, "chosen", number, at, reason=f"client seed made by the {made_by}")
    return find_pair(database, number)


def close_pair(database: sqlite3.Connection, number: int, at: datetime, signs: Signs | None) -> PairRow:
    """Take no more bets."""
    pair = find_pair(database, number)
    at = max(at, pair.latest_at)
    if database.execute(_CLOSE, (write_time(at), number)).rowcount != 1:
        return pair
    add_event(database, "closed", number, at)
    if signs is not None:
        add_statement(database, "closing", number, None, signs.closed(pair.next_nonce, at))
    return find_pair(database, number)


def reveal_pair(database: sqlite3.Connection, number: int, server_seed: bytes, successor: NewPair | None, at: datetime) -> PairRow:
    """Reveal, once, with every coup settled, and store the pair that follows."""
    pair = find_pair(database, number)
    if pair.state == "revealed":
        return pair
    require_settled(pair)
    at = max(at, pair.latest_at)
    following = None if successor is None else add_pair(database, successor, at)
    revealed = (server_seed, write_time(at), None if following is None else following.number, number)
    if database.execute(_REVEAL, revealed).rowcount != 1:
        raise PairStateError(f"pair {pair.id}", "one that can be revealed", "one that is not closed and settled")
    add_event(database, "revealed", number, at, reason="" if following is None else f"followed by {following.id}")
    return find_pair(database, number)


def reseal_pair(database: sqlite3.Connection, number: int, old: Sealed, new: Sealed, at: datetime) -> None:
    """Exchange a seal, unless somebody else has done so."""
    if database.execute(_RESEAL, (new.seal, new.key_id, number, old.seal, old.key_id)).rowcount == 1:
        add_event(database, "resealed", number, at, reason=f"from key {old.key_id} to {new.key_id}")


def add_event(
    database: sqlite3.Connection, kind: str, pair: int | None, at: datetime, *, bets: str = "", key: str = "", reason: str = ""
) -> None:
    """Keep an event, with the nonce that comes next in its pair."""
    database.execute(_ADD_EVENT, (kind, pair, bets, key, reason, write_time(at)))
