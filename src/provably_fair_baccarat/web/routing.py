"""The router: the endpoints put together, for a backend to mount under a prefix of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter

from .endpoints import Desk
from .endpoints.bets import add_bets
from .endpoints.offer import add_offer
from .endpoints.pairs import add_pairs
from .endpoints.past import add_past
from .endpoints.proofs import add_proofs
from .endpoints.published import add_keys, add_log
from .endpoints.signed import add_history_file, add_statements
from .feed import Feed
from .pages import add_verifier
from .problems import problem_route
from .teller import Teller

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..house import House
    from .endpoints import CurrentBettor
    from .endpoints.published import Keys, Log


def router(
    house: House | Callable[[], House],
    *,
    current_bettor: CurrentBettor,
    feed: Feed | None = None,
    keys: Keys | None = None,
    log: Log | None = None,
    problem_types: str | None = None,
    threads: int = 32,
) -> APIRouter:
    """The endpoints of a house.

    `house` is a House, or a function that gives the one that is open, for a backend that opens it later. `current_bettor` is a FastAPI
    dependency of the backend's own: it returns the name of the bettor who is logged in, or raises an HTTPException with status 401. `feed`
    bounds the live feeds, and tells them of rounds that the backend plays itself. An operator that signs publishes its public `keys`
    and its `log`, or functions that give those of now; with the keys, bettors get their history files, and with the log the proofs in them.
    `problem_types` is what the `type` of a problem begins with, before its code. `threads`
    ask the house at once.
    """
    teller = Teller(house, threads)
    desk = Desk(teller, current_bettor, Feed() if feed is None else feed)
    routes = APIRouter(route_class=problem_route(problem_types), tags=["baccarat"])
    add_bets(routes, desk)  # first, since routes are tried in order, and this is the way that most requests go
    add_pairs(routes, desk)
    add_past(routes, desk)
    add_statements(routes, desk)
    add_proofs(routes, teller)
    add_offer(routes, teller)
    add_verifier(routes)
    if keys is not None:
        add_keys(routes, keys)
        add_history_file(routes, desk, keys, log)
    if log is not None:
        add_log(routes, log, teller)
    return routes
