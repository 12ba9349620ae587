"""A casino's backend in one file: FastAPI, a log-in, and a House behind the router. Bettors verify what they play.

    pip install 'provably-fair-baccarat[serve]'
    python examples/fastapi_backend.py            serves it at http://127.0.0.1:8000, with its API at /docs
    python examples/fastapi_backend.py --try      plays an evening against it and ends

The database and the vault's key are in the folder `casino`; with `--try` they are in a temporary one.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI, Header, HTTPException

from provably_fair_baccarat.house import House, Limits, SqliteStore, Vault, add_key
from provably_fair_baccarat.web import Feed, router

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

TOKENS = {"Bearer 4f9c": "ann", "Bearer 77ab": "bob"}
"""Who has which token. A real log-in has sessions, and no tokens in its source."""


async def logged_in(authorization: str = Header("")) -> str:
    """The bettor who is logged in: all that the router wants to know of the backend."""
    if authorization not in TOKENS:
        raise HTTPException(401, "log in first", {"WWW-Authenticate": "Bearer"})
    return TOKENS[authorization]


def make_backend(folder: Path) -> FastAPI:
    """The application, with its house in a folder."""
    feed = Feed()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
        keys = folder / "house.keys"  # a real one lives apart from the database
        if not keys.exists():
            add_key(keys, "first")
        limits = Limits(min_stake=100, max_stake=50_000)
        with House(SqliteStore(folder / "house.db"), Vault.from_key_file(keys), limits=limits, currency=("USD", 2)) as house:
            house.recover()  # deals what a crash left accepted and not dealt
            for bettor in TOKENS.values():
                house.deposit(bettor, 20_000, key="welcome")  # once for each, however often this runs
            app.state.house = house
            yield
            feed.close()

    app = FastAPI(title="A casino", lifespan=lifespan)
    app.include_router(router(lambda: app.state.house, current_bettor=logged_in, feed=feed), prefix="/baccarat")
    return app


async def play_an_evening(app: FastAPI) -> None:
    """What a bettor's program does, without a network: see the commitment, choose, bet, reveal, verify."""
    import httpx  # noqa: PLC0415 (only this needs it)

    transport, token = httpx.ASGITransport(app), {"Authorization": "Bearer 4f9c"}
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://casino/baccarat", headers=token) as ann,
    ):
        pair = (await ann.post("/pairs")).json()
        print(f"Ann sees the commitment {pair['commitment']}, and chooses her seed after it.")
        await ann.put(f"/pairs/{pair['id']}/client-seed", json={"client_seed": "lucky 8s"})
        for number, bets in enumerate(({"player": "500"}, {"banker": "1000", "tie": "100"}), start=1):
            path, key = f"/pairs/{pair['id']}/rounds", {"Idempotency-Key": f"bet {number}"}
            first, again = [await ann.post(path, json={"bets": bets}, headers=key) for _ in range(2)]
            assert first.content == again.content, "asked twice, played once"
            record = first.json()
            print(f"Nonce {record['nonce']}: {record['winner']} wins, {record['totals']['returned']} cents returned.")
        rotation = (await ann.post(f"/pairs/{pair['id']}/rotation")).json()
        print(f"The house reveals {rotation['revealed']['server_seed']}.")
        for kept in (await ann.get(f"/pairs/{pair['id']}/rounds")).json()["rounds"]:
            verdict = (await ann.post("/verify", json={"record": kept["record"]})).json()
            print(f"Nonce {kept['nonce']} verified: {verdict['verified']}.")
        balance = (await ann.get("/balance")).json()["balance"]
        print(f"Ann has {balance} cents, and sees the next commitment {rotation['next_pair']['commitment']}.")


def main() -> None:
    """Serve, or try it out."""
    if "--try" in sys.argv[1:]:
        with TemporaryDirectory() as folder:
            asyncio.run(play_an_evening(make_backend(Path(folder))))
        return
    Path("casino").mkdir(exist_ok=True)
    uvicorn.run(make_backend(Path("casino")), host="127.0.0.1", port=8000)


if __name__ == "__main__":
    main()
