"""What the tests of the web share: a backend with its own log-in that mounts the router, served by a real uvicorn in a thread."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from time import sleep

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provably_fair_baccarat.house import House, SqliteStore, Vault
from provably_fair_baccarat.receipts import PrivateKey, Signer, VerificationKey

KEYS = {"k1": b"1" * 32, "k2": b"2" * 32}


def make_house(folder, **options):
    store = options.pop("store", None) or SqliteStore(folder / "house.db")
    return House(store, options.pop("vault", None) or Vault(KEYS.__getitem__, "k1"), **{"currency": ("USD", 2), **options})


def make_signer():
    """A signer whose key everybody knows, and whose time it always is."""
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    return Signer([PrivateKey(secret, VerificationKey(secret.public_key().public_bytes_raw(), 0))])


def make_app(house, *, prefix="/baccarat", **options):
    """A backend with a log-in of its own: whoever names themselves is believed, but for those it doesn't know."""
    from fastapi import FastAPI, Header, HTTPException

    from provably_fair_baccarat.web import router

    async def logged_in(x_bettor: str | None = Header(None)):
        if x_bettor is None:
            raise HTTPException(401, "log in first", {"WWW-Authenticate": "Bettor"})
        return x_bettor

    app = FastAPI(title="A backend")
    app.include_router(router(house, current_bettor=logged_in, **options), prefix=prefix)
    return app


@contextmanager
def served(app, **options):
    """The app behind a real uvicorn; gives the base of its URLs."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="on", timeout_graceful_shutdown=1, **options))
    thread = threading.Thread(target=server.run, name="tests-uvicorn", daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)
        assert not thread.is_alive()


class Bettor:
    """A bettor's program: it knows the API, and keeps what it was answered."""

    def __init__(self, client, name):
        self.client, self.name, self.seen = client, name, []

    def ask(self, method, path, **options):
        headers = {"X-Bettor": self.name, **options.pop("headers", {})}
        answer = self.client.request(method, f"/baccarat{path}", headers={name: text for name, text in headers.items() if text}, **options)
        self.seen.append(answer)
        return answer

    def get(self, path, **query):
        return self.ask("GET", path, params=query)

    def open(self, client_seed="lucky 8s"):
        pair = self.ask("POST", "/pairs").json()["id"]
        assert self.ask("PUT", f"/pairs/{pair}/client-seed", json={"client_seed": client_seed}).status_code == 200
        return pair

    def play(self, pair, bets, key, **body):
        return self.ask("POST", f"/pairs/{pair}/rounds", json={"bets": bets, **body}, headers={"Idempotency-Key": key})


@pytest.fixture
def start(tmp_path):
    """Start backends; returns a function from a name to its bettor."""
    httpx = pytest.importorskip("httpx", reason="the router's tests ask over HTTP with httpx")
    pytest.importorskip("fastapi", reason="the router needs the extra web")
    pytest.importorskip("uvicorn", reason="the router's tests serve it with uvicorn")
    running = []

    def start_(house=None, **options):
        house = make_house(tmp_path) if house is None else house
        serving = served(make_app(house, **options))
        # 32 threads share it: a client that thinks it has too many idle connections may close one that another thread has just been given.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=None)
        client = httpx.Client(base_url=serving.__enter__(), timeout=60, limits=limits)
        running.append((serving, client, house))
        return lambda name: Bettor(client, name)

    yield start_
    for serving, client, house in running:
        client.close()
        serving.__exit__(None, None, None)
        house.close()


@pytest.fixture
def house(tmp_path):
    house = make_house(tmp_path)
    house.deposit("ann", 1_000_000, "deposit")
    yield house
    house.close()


@pytest.fixture
def ann(start, house):
    return start(house)("ann")
