"""A house in PostgreSQL is audited from its database: honest, and with faults planted behind its back; what is no house is told."""

from __future__ import annotations

import json
import sys

import pytest

pytest.importorskip("pyarrow", reason="audits need pyarrow")
pytest.importorskip("psycopg_pool", reason="a house in PostgreSQL needs psycopg_pool: pip install 'provably-fair-baccarat[postgres]'")
pytest.importorskip("psycopg", reason="a house in PostgreSQL needs psycopg: pip install 'provably-fair-baccarat[postgres]'")

import provably_fair_baccarat.audit.databases as shown
from provably_fair_baccarat.audit import audit
from provably_fair_baccarat.cli import run
from provably_fair_baccarat.errors import FundsError, SchemaError, StoreError
from provably_fair_baccarat.house import House, Vault

from ..house.postgres_engine import PostgresEngine


@pytest.fixture
def engine():
    engine = PostgresEngine()
    yield engine
    engine.close()


@pytest.fixture
def url(engine):
    """The address, with a password, of a house with three revealed pairs, a revealed seed chain and refused bets."""
    vault = Vault({"key": bytes(32)}.__getitem__, "key")
    store = engine.open()
    with House(store, vault, currency=("USD", 2)) as house:
        house.deposit("Zoë", 10_000, key="deposit")
        for client_seed in ("=lucky", "'=lucky", "lucky 8s"):
            pair = house.choose_client_seed(house.commit("Zoë"), client_seed)
            for number in range(4):
                house.play(pair, {"player": 100, "tie": 5}, key=f"{client_seed} {number}")
            with pytest.raises(FundsError):
                house.play(pair, {"banker": 10**9}, key=f"{client_seed} too much")
            house.play(pair, {"banker": 20}, key=f"{client_seed} last")
            house.rotate(pair)
    with House(engine.open(), vault, chain_length=50, currency=("USD", 2)) as house:
        pair = house.choose_client_seed(house.commit("Zoë"), "on a chain")
        for number in range(6):
            house.play(pair, {"banker": 100}, key=f"chain {number}")
        house.rotate(pair)
    return engine.server.url(engine.database, over_tcp=True)


def test_an_honest_house(url):
    result = audit(url)
    assert (dict(result.finding_counts), result.rounds, result.pairs.sound, result.pairs.counted) == ({}, 21, 4, 4)
    assert result.refusals["refusals"] == 3
    assert result.refusals["bets"]["unknown"] == 0


def test_what_was_changed_behind_its_back(engine, url):
    (paid,) = engine.query("SELECT min(round) FROM coup WHERE returned <> 0")[0]
    others = [number for (number,) in engine.query("SELECT round FROM coup WHERE round <> %s ORDER BY round", (paid,))]
    engine.tamper("UPDATE coup SET returned = returned + 1 WHERE round = %s", (paid,))
    engine.tamper("UPDATE coup SET cut = (cut + 1) %% 416 WHERE round = %s", (others[0],))
    engine.tamper("DELETE FROM coup WHERE round = %s", (others[1],))
    result = audit(url)
    assert dict(result.finding_counts) == {"totals": 1, "cut": 1, "unreadable": 1, "nonce_missing": 1}
    name = f"postgresql://127.0.0.1:{engine.server.port}/{engine.database}"
    assert {finding.source for finding in result.findings if finding.row is not None} == {name}


def test_another_client_seed_gives_other_cards(engine, url):
    engine.tamper("UPDATE pair SET client_seed = 'other'::bytea WHERE client_seed = 'lucky 8s'::bytea")
    result = audit(url)
    assert (result.finding_counts["cut"], result.finding_counts["cards"], result.pairs.sound) == (5, 5, 3)


def test_seeds_and_refusals_of_a_house_for_rounds_from_elsewhere(engine, url, tmp_path):
    with House(engine.open(is_read_only=True), Vault({"key": bytes(32)}.__getitem__, "key")) as house:
        lines = b"".join(house.export("jsonl")).splitlines(keepends=True)
    (tmp_path / "rounds.jsonl").write_bytes(b"".join(lines[:4] + lines[5:]))
    result = audit(tmp_path / "rounds.jsonl", seeds=url, refusals=url)
    assert dict(result.finding_counts) == {"nonce_missing": 1}
    assert (result.pairs.counted, result.refusals["refusals"]) == (4, 3)


@pytest.fixture
def said(capfd, monkeypatch):
    """Run a command as a person would, and return its exit code and everything it said."""

    def say(*arguments):
        monkeypatch.setattr(sys, "argv", ["pfb", *arguments])
        code = run()
        return code, "".join(capfd.readouterr())

    return say


def test_the_password_is_shown_nowhere(engine, url, said, tmp_path):
    pytest.importorskip("matplotlib", reason="the report needs matplotlib: pip install 'provably-fair-baccarat[report]'")
    engine.tamper("UPDATE coup SET cut = 415 - cut WHERE round = (SELECT min(round) FROM coup)")
    where = {name: str(tmp_path / name) for name in ("findings", "work", "report")}
    options = [part for name, place in where.items() for part in (f"--{name}", place)]
    code, text = said("audit", url, "--json", *options)
    assert code == 1
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in written} >= {"findings", "report.html", "report.json", "audit.json"}
    for each in (text.encode(), *(path.read_bytes() for path in written)):
        assert engine.server.password.encode() not in each
    manifest = json.loads(text)["manifest"]
    assert manifest["command"].startswith("pfb audit postgresql://... --json")
    assert manifest["inputs"][0]["name"] == f"postgresql://127.0.0.1:{engine.server.port}/{engine.database}"


SECRET = "hunter2"


@pytest.mark.parametrize(
    "wrong",
    [
        "postgresql://owner:{secret}@127.0.0.1:1/house",
        "postgresql://owner:{secret}@nowhere.invalid/house",
        "postgres://owner:{secret} @127.0.0.1/house",
        "postgresql://owner:x@{secret}@127.0.0.1/house",
        "postgresql://owner:x/{secret}@127.0.0.1/house",
        "postgresql://owner:1/{secret}@127.0.0.1/house",
        "postgresql:/owner:{secret}@127.0.0.1/house",
        "mysql://owner:{secret}@127.0.0.1/house",
        "host=127.0.0.1 password={secret}",
        "postgresql://127.0.0.1:1/house?password={secret}",
    ],
)
def test_a_wrong_address_is_an_error_that_does_not_repeat_it(wrong, said):
    given = wrong.format(secret=SECRET)
    for arguments in ((given,), ("rounds.parquet", "--seeds", given), ("rounds.parquet", "--refusals", given)):
        code, text = said("audit", *arguments)
        assert code == 2
        assert SECRET not in text
        assert "Traceback" not in text


def test_a_database_that_holds_no_house(engine, said, url):
    with pytest.raises(SchemaError, match=r"no tables of a house.*pfb db migrate"):
        audit(engine.server.url("postgres", over_tcp=True))
    for other, expected in (
        (engine.server.url("nowhere", over_tcp=True), 'database "nowhere" does not exist'),
        (url.replace(engine.server.password, SECRET), "password authentication failed"),
    ):
        code, text = said("audit", other)
        assert code == 2
        assert expected in text
        assert engine.server.password not in text
        assert SECRET not in text


def test_a_server_that_goes_away_during_the_audit(engine, url, monkeypatch):
    """No result is better than half of one."""
    monkeypatch.setattr("provably_fair_baccarat.audit.house_reader._PAGE", 4)
    monkeypatch.setattr("provably_fair_baccarat.house.postgres.store.Pooled", _impatient)
    seen = []

    def progress(done, _):
        seen.append(done)
        if len(seen) == 1:
            engine.server.stop("immediate")

    try:
        with pytest.raises(StoreError):
            audit(url, workers=1, progress=progress)
    finally:
        if seen:
            engine.server.start()


def _impatient(*arguments, **options):
    from provably_fair_baccarat.house.postgres.sessions import Pooled

    return Pooled(*arguments, **{**options, "patience": 0.5})


def test_a_command_is_shown_without_its_addresses():
    given = "pfb audit postgresql://a:b@c/d --seeds=POSTGRES://e:f@g/h sqlite:///house.db"
    assert shown.shown_command(given) == "pfb audit postgresql://... --seeds=POSTGRES://... sqlite:///house.db"
