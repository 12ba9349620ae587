"""PostgreSQL on a disk that is full, for real: a database on a small file system of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

psycopg = pytest.importorskip("psycopg")

from provably_fair_baccarat.errors import BaccaratError, StoreFullError  # noqa: E402
from provably_fair_baccarat.house import BetRequest, House  # noqa: E402

from .conftest import make_vault, repeating_entropy  # noqa: E402
from .postgres_engine import PostgresEngine  # noqa: E402
from .postgres_server import shared_server  # noqa: E402

MEBIBYTES = 24
ROOM_LEFT = 300_000


@pytest.fixture
def disk():
    """A file system of a few mebibytes, as a tablespace of the server's."""
    server = shared_server()
    folder = server.folder / "small-disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEBIBYTES}m", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        pytest.skip("nobody may mount a file system here")
    try:
        place = folder / "tablespace"
        place.mkdir(mode=0o700)
        owner = server.data.stat()
        os.chown(place, owner.st_uid, owner.st_gid)
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        yield folder
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


@pytest.fixture
def engine(disk):
    engine = PostgresEngine(is_new=True)
    with psycopg.connect(engine.server.url(), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {engine.database} SET TABLESPACE small")
    yield engine
    engine.close()


def test_a_full_disk_is_told_and_nothing_is_half_done(engine, disk):
    house = House(engine.open(), make_vault(), entropy=repeating_entropy())
    house.deposit("ann", 10**9, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    free = os.statvfs(disk)
    filler = disk / "filler"
    filler.write_bytes(bytes(free.f_bavail * free.f_frsize - ROOM_LEFT))
    played, refusal = 0, None
    while refusal is None and played < 20_000:
        requests = [BetRequest(pair, {"player": 10}, f"bet {played + number}") for number in range(200)]
        try:
            answers = house.play_many(requests)
        except StoreFullError as error:
            refusal = error
        else:
            played += sum(not isinstance(answer, BaccaratError) for answer in answers)
    assert refusal is not None
    assert refusal.found == "a full disk or a size limit"
    assert len(house.history(pair=pair, limit=1000).rounds) == min(played, 1000)
    house.verify_books()
    filler.unlink()
    again = house.play_many([BetRequest(pair, {"player": 10}, f"bet {played + number}") for number in range(200)])
    assert [record.nonce for record in again] == list(range(played, played + 200))
    house.rotate(pair)
    assert house.verify_history(pair).rounds == played + 200
