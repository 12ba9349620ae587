"""A batch held against the table of seeds, and times against the reveal of the seeds (protocol steps 8 and 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..fairness.inputs import MAX_NONCE
from .arrow import pc
from .columns import as_flags
from .dealt import UNKNOWN_TIME
from .facts import nullable
from .origins import WRONG_CLIENT_SEED
from .rows import CHAIN, distinct

if TYPE_CHECKING:
    from .dealt import Flags, Numbers
    from .seed_book import SeedBook
    from .told import Told


def compare_client_seeds(told: Told, book: SeedBook | None) -> None:
    """The client seeds against those in the table of seeds, where these are known."""
    rows = told.rows
    if book is None or book.client_seeds.null_count == len(book):
        return
    groups, firsts = distinct(rows.pair, rows.client)
    places = book.find(rows.commitments[rows.pair[firsts]])
    known = book.client_seeds.take(nullable(places, -1))
    given = rows.client_seeds.take(nullable(rows.client[firsts], -1))
    differs = as_flags(pc.fill_null(pc.not_equal(known, given), False))
    told.tell(
        "client_seed",
        told.is_readable & differs[groups] & (told.origins.state != WRONG_CLIENT_SEED),
        "the client seed in the table of seeds",
        "another one",
    )


def _revealed(told: Told, book: SeedBook | None) -> Numbers:
    """When the server seed of each round was revealed, as the round or the table of seeds tells, whichever says it was earlier."""
    rows, origins = told.rows, told.origins
    if book is None:
        return rows.revealed_at
    places = book.find(rows.commitments)
    has_seed = (places >= 0) & book.has_seed[np.maximum(places, 0)]
    known = np.where(places >= 0, book.revealed_at[np.maximum(places, 0)], UNKNOWN_TIME)[rows.pair]
    is_chain = rows.way == CHAIN
    if is_chain.any():  # a link gives away those below it, and a time without a link is that of all
        reach = np.where(has_seed, 0, MAX_NONCE + 1)
        leads = origins.leads > 0
        reach[rows.pair[origins.chain_rows[leads]]] = origins.leads[leads]
        known = np.where(is_chain & (rows.nonce >= reach[rows.pair]), UNKNOWN_TIME, known)
    earlier = np.where((known != UNKNOWN_TIME) & (known < rows.revealed_at), known, rows.revealed_at)
    return np.where(rows.revealed_at == UNKNOWN_TIME, known, earlier)


def compare_times(told: Told, book: SeedBook | None) -> Flags:
    """Accepted, then settled, then revealed (protocol step 9), as far as the times are known. Returns which rounds are after the reveal."""
    rows = told.rows
    accepted, settled, revealed = rows.accepted_at, rows.settled_at, _revealed(told, book)
    latest = np.maximum(accepted, settled)
    told.tell(
        "time",
        told.is_readable & (settled != UNKNOWN_TIME) & (settled < accepted),
        lambda row: f"settled from {_time(accepted[row])} on",
        lambda row: _time(settled[row]),
    )
    is_late: Flags = told.is_readable & (revealed != UNKNOWN_TIME) & (latest > revealed)
    told.tell(
        "time",
        is_late,
        lambda row: f"accepted and settled before the reveal at {_time(revealed[row])}",
        lambda row: _time(latest[row]),
    )
    return is_late


def _time(microseconds: Any) -> str:
    return f"{np.datetime64(int(microseconds), 'us')}Z"
