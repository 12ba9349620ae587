"""A house to look at: the router and the table's page, with play money, for whoever opens it in a browser.

Each browser is a guest of its own, known by a cookie, and gets a purse. It is what a backend looks like around the router, and no casino:
whoever deletes the cookie is somebody else.
"""

from __future__ import annotations

import gc
import re
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import uvicorn
from fastapi import APIRouter, Cookie, Depends, FastAPI, HTTPException, Request, Response
from starlette.middleware.trustedhost import TrustedHostMiddleware

from ..fairness.seeds import operating_system_entropy
from .answers import answer
from .feed import Feed
from .pages import TABLE_POLICY, add_file, read_table, shows
from .routing import router

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterable

    from ..house import House

PURSE: Final = 100_000
"""What a guest has in the beginning, in smallest units."""

LEAST: Final = 100
"""Who has less than this gets another purse."""

COOKIE: Final = "pfb_guest"

_GUEST = re.compile(r"[0-9a-f]{32}", re.ASCII)
_YEAR = 365 * 24 * 3600


async def guest(pfb_guest: str | None = Cookie(None)) -> str:
    """The guest's name in the house: a hash, so that what is in the database opens nobody's purse."""
    if pfb_guest is None or not _GUEST.fullmatch(pfb_guest):
        raise HTTPException(401, "Open the table first: it gives you a purse.")
    return _name(pfb_guest)


def _name(secret: str) -> str:
    return f"guest {sha256(secret.encode()).hexdigest()[:16]}"


def table_app(house: House, hosts: Iterable[str] | None = None, feed: Feed | None = None) -> FastAPI:
    """The application: the table at `/`, the router at `/api`. It answers requests for these hosts only, unless None are named."""
    app = FastAPI(title="A house with play money", docs_url=None, redoc_url=None)
    if hosts is not None:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    app.include_router(router(house, current_bettor=guest, feed=feed), prefix="/api")
    table = dict(read_table())
    show = shows(table.pop("index.html"), "text/html", TABLE_POLICY)
    pages = APIRouter()

    @pages.get("/", include_in_schema=False)
    def open_table(request: Request) -> Response:
        """The table; a browser that comes for the first time gets a name and a purse."""
        response = show(request)
        if not _GUEST.fullmatch(request.cookies.get(COOKIE, "")):
            secret = operating_system_entropy(16).hex()
            house.deposit(_name(secret), PURSE, "purse")
            response.set_cookie(COOKIE, secret, max_age=_YEAR, httponly=True, samesite="strict")
        return response

    @pages.post("/api/refill", include_in_schema=False)
    def refill(bettor: str = Depends(guest)) -> Response:  # noqa: FAST002 (annotations are text here)
        """Another purse for a guest who has nothing left."""
        if house.balance(bettor) < LEAST:
            house.deposit(bettor, PURSE, f"refill {operating_system_entropy(8).hex()}")
        return answer({"balance": str(house.balance(bettor))})

    for name, content in table.items():
        add_file(pages, f"/{name}", content, TABLE_POLICY)
    app.include_router(pages)
    return app


class Server(uvicorn.Server):
    """A uvicorn that ends its live feeds when it is told to stop, instead of waiting for them."""

    def __init__(self, config: uvicorn.Config, feed: Feed) -> None:
        super().__init__(config)
        self._feed = feed

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the feeds, and then everything else."""
        self._feed.close()
        await super().shutdown(sockets)


def serve(house: House, listening: socket.socket, hosts: Iterable[str] | None = None) -> None:
    """Serve the table on a socket until the process is interrupted."""
    feed = Feed(per_bettor=8)
    config = uvicorn.Config(
        table_app(house, hosts, feed), log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=3
    )
    gc.collect()
    gc.freeze()  # what is here stays: no collection needs to look at it again, which would hold everybody up
    with suppress(KeyboardInterrupt):
        Server(config, feed).run(sockets=[listening])
