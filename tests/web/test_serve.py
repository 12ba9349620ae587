"""`pfb serve`: a table that opens with nothing given, says where everything is, and closes when it is told to."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from provably_fair_baccarat.cli import run

httpx = pytest.importorskip("httpx", reason="the table is asked over HTTP with httpx")
pytest.importorskip("fastapi", reason="the table needs the extra serve")
pytest.importorskip("uvicorn", reason="the table needs the extra serve")

COMMAND = [sys.executable, "-m", "provably_fair_baccarat", "serve"]


@contextmanager
def table(*arguments, cwd=None):
    """A table in a process of its own, by its URL and what it says."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=cwd, text=True
    ) as process:
        try:
            opened, where = process.stdout.readline(), process.stdout.readline()
            yield re.search(r"http://\S+", opened)[0], where, process
        finally:
            if process.poll() is None:
                process.kill()


def close(process):
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.fixture(scope="module")
def opened():
    with table("--port", "0") as (url, where, process):
        yield url, where
        assert close(process)[0] == 0


@pytest.fixture
def guest(opened):
    with httpx.Client(base_url=opened[0]) as client:
        assert client.get("/").status_code == 200
        yield client


posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


@posix
def test_with_nothing_given_it_just_works_and_leaves_nothing():
    with table("--port", "0") as (url, where, process):
        folder = Path(re.search(r"are in (\S+), and go with it", where)[1])
        assert {"house.db", "house.keys"} <= {path.name for path in folder.iterdir()}
        with httpx.Client(base_url=url) as client:
            client.get("/")
            with client.stream("GET", "/api/events") as feed:
                assert feed.status_code == 200
                code, out, err = close(process)
        assert (code, out, err) == (0, "The table is closed.\n", "")
        assert not folder.exists()


@posix
def test_a_folder_keeps_everything(tmp_path):
    with table("--port", "0", "--folder", "casino", cwd=tmp_path) as (url, where, process):
        assert "in casino, and stay." in where
        with httpx.Client(base_url=url) as client:
            client.get("/")
            cookie = client.cookies["pfb_guest"]
            pair = client.post("/api/pairs").json()["id"]
        assert close(process)[0] == 0
    with table("--port", "0", "--folder", "casino", cwd=tmp_path) as (url, _, process):
        with httpx.Client(base_url=url, cookies={"pfb_guest": cookie}) as client:
            assert client.get("/api/pairs").json()["pairs"][0]["id"] == pair
            assert client.get("/api/balance").json()["balance"] == "100000"
        assert close(process)[0] == 0


@posix
def test_a_guest_has_a_purse_and_nothing_of_anybody_else_s(opened, guest):
    assert guest.get("/api/balance").json() == {"balance": "100000", "currency": {"code": "USD", "decimals": 2}}
    guest.get("/")
    assert guest.get("/api/balance").json()["balance"] == "100000", "one purse"
    pair = guest.post("/api/pairs").json()["id"]
    with httpx.Client(base_url=opened[0]) as other:
        assert other.get("/api/balance").status_code == 401
        other.get("/")
        assert other.get(f"/api/pairs/{pair}").status_code == 404
    assert guest.post("/api/refill").json() == {"balance": "100000"}, "only an empty purse is filled again"
    header = httpx.get(opened[0]).headers["set-cookie"]
    assert "HttpOnly" in header
    assert "SameSite=strict" in header


@posix
def test_the_page_may_load_nothing_but_itself(opened, guest):
    page = guest.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    for name in set(re.findall(r'(?:src|href)="([^"#]+)"', page.text)):
        assert guest.get(f"/{name}").status_code == 200, name
    assert guest.get("/", headers={"If-None-Match": page.headers["etag"]}).status_code == 304
    assert "http://" not in page.text
    assert "https://" not in page.text


@posix
def test_it_answers_to_its_own_name_only(opened, guest):
    assert guest.get("/", headers={"Host": "evil.example"}).status_code == 400


def call(capfd, *arguments):
    code = run(["serve", *arguments])
    out, err = capfd.readouterr()
    return code, out, err


def test_a_port_in_use_is_told(capfd):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = call(capfd, "--port", str(port))
    assert (code, out) == (2, "")
    assert f"Port {port} of 127.0.0.1 cannot be listened on" in err
    assert "--port" in err


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--host", "0.0.0.0"], "say --expose"),
        (["--host", "casino.example"], "say --expose"),
        (["--database", "sqlite:///house.db"], "--key-file together"),
        (["--key-file", "house.keys"], "--key-file together"),
        (["--database", "sqlite:///house.db", "--key-file", "house.keys", "--folder", "x"], "or none of them"),
        (["--database", "sqlite:///none.db", "--key-file", "none.keys", "--port", "0"], "none.db"),
        (["--port", "65536"], "--port"),
    ],
)
def test_a_wrong_command_line_opens_nothing(capfd, tmp_path, monkeypatch, arguments, found):
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capfd, *arguments)
    assert (code, out) == (2, "")
    assert found in err
    assert not list(tmp_path.iterdir())


@posix
def test_who_lets_others_in_is_warned():
    with table("--port", "0", "--host", "0.0.0.0", "--expose") as (url, _, process):
        port = url.rpartition(":")[2].strip("/")
        assert httpx.get(f"http://127.0.0.1:{port}/", headers={"Host": "casino.example"}).status_code == 200
        code, _, err = close(process)
    assert code == 0
    assert "whoever reaches 0.0.0.0 may play" in err


@posix
def test_a_database_that_is_there_stays(tmp_path):
    for words in (["db", "migrate", "--database", "sqlite:///house.db"], ["house", "key", "house.keys"]):
        subprocess.run([*COMMAND[:3], *words], cwd=tmp_path, check=True, capture_output=True)
    with table("--port", "0", "--database", "sqlite:///house.db", "--key-file", "house.keys", cwd=tmp_path) as (url, where, process):
        assert "is yours, and stays" in where
        assert httpx.get(url).status_code == 200
        assert close(process)[0] == 0
