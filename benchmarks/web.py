"""How many durable rounds one uvicorn worker plays over HTTP, and how long a verification takes.

A server process mounts the router over a SQLite House (synchronous FULL) in a temporary folder. The client, in this process, keeps 32
connections open and speaks HTTP over bare sockets, so that it takes as little as possible of the cores that it shares with the server.
Beside the rounds stands their ratio to the yardstick: an endpoint of plain FastAPI that reads the same body and answers a kilobyte,
measured between the runs. Medians of several runs.

Run it with the package on the path and the extra `serve`: `python benchmarks/web.py [FOLDER]`; the folder should be on the disk in question.
"""

from __future__ import annotations

import asyncio
import gc
import json
import multiprocessing
import socket
import sys
import tempfile
import threading
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep

import uvicorn
from fastapi import FastAPI, Header, Request, Response

from provably_fair_baccarat import RoundRecord, Seeds, play_round, settle
from provably_fair_baccarat.house import House, SqliteStore, Vault
from provably_fair_baccarat.web import router

RUNS = 5
CONNECTIONS, OF_EACH = 32, 100
VERIFICATIONS = 500
BETS = json.dumps({"bets": {"player": "500", "tie": "20"}}).encode()

_keys = count()


def serve(folder: Path, ready: socket.socket) -> None:
    """The server's process."""
    house = House(SqliteStore(folder / "house.db"), Vault(lambda _: b"k" * 32, "key"), currency=("USD", 2), cap=10**7)
    for number in range(CONNECTIONS):
        house.deposit(f"bettor {number}", 10**12, "deposit")
    app = FastAPI()

    async def bettor(authorization: str = Header()) -> str:
        return authorization

    app.include_router(router(house, current_bettor=bettor))

    @app.post("/plain")
    async def plain(request: Request) -> Response:
        json.loads(await request.body())
        return Response(b"x" * 1000)

    gc.collect()
    gc.freeze()  # as docs/how-to/mount-the-router.md says
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[ready])


class Connection:
    """One keep-alive connection that asks and waits."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str) -> None:
        self._reader, self._writer, self._name = reader, writer, name

    async def ask(self, method: str, path: str, body: bytes = b"", key: str = "") -> tuple[int, bytes]:
        """Send a request, and return the status and the body of its answer."""
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {self._name}\r\nContent-Type: application/json\r\n"
        head += f"Content-Length: {len(body)}\r\n" + (f"Idempotency-Key: {key}\r\n" if key else "")
        self._writer.write(head.encode() + b"\r\n" + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        size = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return int(answer[9:12]), await self._reader.readexactly(size)


async def measure(port: int) -> None:
    """Measure in turns, so that whatever slows the machine down slows everything down."""
    clients = [Connection(*await asyncio.open_connection("127.0.0.1", port), f"bettor {number}") for number in range(CONNECTIONS)]
    paths = []
    for client in clients:
        status, opened = await client.ask("POST", "/pairs")
        pair = json.loads(opened)["id"]
        await client.ask("PUT", f"/pairs/{pair}/client-seed", b'{"client_seed":"lucky 8s"}')
        paths.append(f"/pairs/{pair}/rounds")

    async def load(of_each: int, path_of: list[str], expected: int) -> tuple[float, list[float]]:
        times: list[float] = []

        async def one(client: Connection, path: str) -> None:
            for _ in range(of_each):
                start = perf_counter()
                status, _ = await client.ask("POST", path, BETS, f"018f3a5e-7b1c-7def-8a90-{next(_keys):012d}")
                assert status == expected, status
                times.append(1000 * (perf_counter() - start))

        start = perf_counter()
        await asyncio.gather(*(one(client, path) for client, path in zip(clients, path_of, strict=True)))
        return len(times) / (perf_counter() - start), times

    seeds = Seeds.commit(bytes(range(32)).hex(), "lucky 8s")
    played = play_round(seeds, 14)
    record = RoundRecord.from_round(played, settle(played.coup, {"player": 500}), server_seed=seeds.server_seed)
    claim = b'{"record":' + record.to_json() + b"}"

    await load(10, paths, 201)
    plain, rounds, slowest, verifications = [], [], [], []
    for _ in range(RUNS):
        plain.append((await load(OF_EACH, ["/plain"] * CONNECTIONS, 200))[0])
        rate, times = await load(OF_EACH, paths, 201)
        rounds.append(rate)
        slowest.append(quantiles(times, n=100)[98])
        for _ in range(VERIFICATIONS // RUNS):
            start = perf_counter()
            status, _ = await clients[0].ask("POST", "/verify", claim)
            assert status == 200, status
            verifications.append(1000 * (perf_counter() - start))
    print(f"{'':52}{'per second':>12}{'x plain':>10}")
    print(f"{f'plain FastAPI, {CONNECTIONS} connections':52}{median(plain):12,.0f}{1:10.2f}")
    print(f"{f'durable rounds, {CONNECTIONS} connections':52}{median(rounds):12,.0f}{median(rounds) / median(plain):10.2f}")
    print(f"{'99 of 100 rounds answered within, ms':52}{median(slowest):12.1f}")
    print(f"{'a verification, one connection, median in ms':52}{median(verifications):12.2f}")


def main() -> None:
    """Start the server, measure, and stop it."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        listening = socket.socket(proto=socket.IPPROTO_TCP)  # by which asyncio knows that it may turn off waiting for more to send
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        server = multiprocessing.get_context("fork").Process(target=serve, args=(Path(name), listening), daemon=True)
        server.start()
        try:
            sleep(1)
            asyncio.run(measure(listening.getsockname()[1]))
        finally:
            server.terminate()
            server.join()


if __name__ == "__main__":
    assert threading.active_count() == 1, "a process with threads must not fork"
    main()
