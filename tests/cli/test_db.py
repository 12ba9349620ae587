"""`pfb db`: the tables of a house's database, made and brought up to date by nobody else."""

from __future__ import annotations

import json
import sqlite3
import sys
from hashlib import sha256

import pytest

from provably_fair_baccarat.house import SqliteStore
from provably_fair_baccarat.house.sqlite.schema import MIGRATIONS

URL = "sqlite:///house.db"


def digest(path):
    return sha256(path.read_bytes()).hexdigest()


def test_a_new_database_is_made_once(pfb, tmp_path):
    made = pfb("db", "migrate", "--database", f"sqlite:///{tmp_path}/house.db")
    assert (made.code, made.err) == (0, "")
    assert made.out.count(" applied\n") == len(MIGRATIONS)
    assert made.out.endswith(f"{len(MIGRATIONS)} migrations applied.\n")
    again = pfb("db", "migrate", "--json", PFB_DATABASE=URL)
    names = [{"number": step.number, "name": step.name, "is_applied": True} for step in MIGRATIONS]
    assert json.loads(again.out) == {"applied_now": 0, "migrations": names}


def test_status_changes_nothing(call, tmp_path):
    file = tmp_path / "house.db"
    ran = call("db", "status", "--database", URL)
    assert ran.code == 2
    assert "pfb db migrate makes it" in ran.err
    assert not list(tmp_path.iterdir())
    SqliteStore.migrate(file, migrations=MIGRATIONS[:1])
    before = digest(file)
    told = json.loads(call("db", "status", "--database", URL, "--json").out)
    assert told["is_current"] is False
    assert [step["is_applied"] for step in told["migrations"]] == [True] + [False] * (len(MIGRATIONS) - 1)
    assert f"{len(MIGRATIONS) - 1} to apply: pfb db migrate does that." in call("db", "status", "--database", URL).out
    assert digest(file) == before


def test_an_older_database_waits_for_its_migration(call, tmp_path):
    SqliteStore.migrate(tmp_path / "house.db", migrations=MIGRATIONS[:1])
    for arguments in (["balance", "ann"], ["deposit", "ann", "5", "--key", "1"]):
        ran = call("house", *arguments, "--database", URL)
        assert ran.code == 2
        assert "house.store.schema" in ran.err
        assert "pfb db migrate brings it up to date" in ran.err
    assert json.loads(call("db", "migrate", "--database", URL, "--json").out)["applied_now"] == len(MIGRATIONS) - 1
    assert call("house", "balance", "ann", "--database", URL).code == 0


def test_no_house_command_makes_a_database(call, tmp_path):
    for arguments in (["balance", "ann"], ["deposit", "ann", "5", "--key", "1"], ["choose", "0" * 32]):
        ran = call("house", *arguments, "--database", URL)
        assert ran.code == 2
        assert "pfb db migrate makes it" in ran.err
    assert not list(tmp_path.iterdir())


def test_somebody_elses_database_and_a_changed_one_are_refused(call, tmp_path):
    for name, statement in (("other.db", "CREATE TABLE music (title)"), ("house.db", "UPDATE schema_migration SET checksum = 'x'")):
        if name == "house.db":
            SqliteStore.migrate(tmp_path / name)
        database = sqlite3.connect(tmp_path / name)
        with database:
            database.execute(statement)
        database.close()
        before = digest(tmp_path / name)
        for command in ("status", "migrate"):
            ran = call("db", command, "--database", f"sqlite:///{name}", "--json")
            assert ran.code == 2
            assert json.loads(ran.out)["error"]["code"] == "house.store.schema"
        assert digest(tmp_path / name) == before


@pytest.mark.skipif(sys.platform == "win32", reason="the server of the tests needs POSIX")
def test_postgresql_is_served_in_the_same_way(call, monkeypatch):
    psycopg = pytest.importorskip("psycopg")
    from ..house.postgres_server import PostgresServer, find_binaries

    binaries = find_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server is installed: initdb and pg_ctl aren't there")
    server = PostgresServer(binaries)
    try:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE casino")
        monkeypatch.setenv("PFB_DATABASE", server.url("casino", over_tcp=True))
        monkeypatch.setenv("PFB_KEY_FILE", "house.keys")
        said = live_a_house(call)
        assert server.password not in said
    finally:
        server.remove()


def live_a_house(call):
    said = []

    def pfb(*arguments, code=0):
        ran = call(*arguments)
        said.append(ran.out + ran.err)
        assert ran.code == code, ran
        return ran.out

    assert "missing" in pfb("db", "status")
    pfb("house", "balance", "ann", code=2)
    from provably_fair_baccarat.house.postgres.schema import MIGRATIONS as STEPS

    assert f"{len(STEPS)} migrations applied." in pfb("db", "migrate")
    assert "It is up to date." in pfb("db", "status")
    pfb("house", "key", "house.keys")
    pfb("house", "deposit", "ann", "1000", "--key", "1")
    pair = json.loads(pfb("house", "commit", "ann", "--json"))["pair"]
    pfb("house", "choose", pair, "--client-seed", "lucky 8s")
    bet = ("house", "play", pair, "--bet", "player=5", "--key", "1", "--json")
    assert pfb(*bet) == pfb(*bet)
    pfb("house", "verify", pair, code=1)
    pfb("house", "rotate", pair)
    assert "1 round verified, 0 failed." in pfb("house", "verify", pair)
    assert len(json.loads(pfb("house", "recall", "ann", "--json"))["rounds"]) == 1
    assert len(pfb("house", "export", "--form", "csv").splitlines()) == 2
    assert "Nothing was left to deal." in pfb("house", "recover")
    return "".join(said)


def test_a_folder_is_no_database(call, tmp_path):
    (tmp_path / "house").mkdir()
    for command in (("db", "migrate"), ("db", "status"), ("house", "books")):
        ran = call(*command, "--database", "sqlite:///house", "--json")
        error = json.loads(ran.out)["error"]
        assert (ran.code, error["code"], error["found"]) == (2, "house.store", "a folder")
