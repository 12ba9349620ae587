"""`pfb house`: a whole house from the command line, where every answer is durable, and no secret is ever told before its time."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
import stat
import sys

import pytest

from provably_fair_baccarat import RoundRecord, verify_record
from provably_fair_baccarat.cli.app import HOUSE_EXAMPLES
from provably_fair_baccarat.house import House, SqliteStore, Vault
from provably_fair_baccarat.house.dealing import binding_of
from provably_fair_baccarat.house.sqlite.schema import MIGRATIONS
from provably_fair_baccarat.house.wallets import MemoryWallet

NOBODY = "0" * 32


@pytest.fixture
def house(call, monkeypatch):
    """Call `pfb house` on a database with tables and a vault with a key."""
    monkeypatch.setenv("PFB_DATABASE", "sqlite:///house.db")
    monkeypatch.setenv("PFB_KEY_FILE", "house.keys")
    monkeypatch.setenv("PFB_CURRENCY", "USD/2")
    assert call("db", "migrate").code == 0
    assert call("house", "key", "house.keys").code == 0

    def run(*arguments, code=0):
        ran = call("house", *arguments)
        assert ran.code == code, ran
        return json.loads(ran.out) if "--json" in arguments and ran.out.count("\n") == 1 else ran

    return run


@pytest.fixture
def pair(house):
    """An active pair of a bettor with money."""
    house("deposit", "ann", "100000", "--key", "deposit 1")
    pair = house("commit", "ann", "--json")["pair"]
    house("choose", pair, "--client-seed", "lucky 8s")
    return pair


@pytest.fixture
def open_house(tmp_path):
    """Open the same house as a program does."""
    stores = []

    def open_(**options):
        stores.append(SqliteStore(tmp_path / "house.db"))
        return House(stores[-1], Vault.from_key_file(tmp_path / "house.keys"), currency=("USD", 2), **options)

    yield open_
    for store in stores:
        store.close()


def test_the_first_day_of_the_help_is_a_real_one(pfb, tmp_path):
    said = [line.strip() for line in HOUSE_EXAMPLES.splitlines() if line.startswith("  ")]
    variables = dict(word.split("=", 1) for word in said.pop(0).removeprefix("export ").split())
    pair, out = "", ""
    for line in said:
        words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line)][1:]
        ran = pfb(*(pair if word == "PAIR" else word for word in words), **variables)
        assert (ran.code, ran.err) == (0, "")
        out += ran.out
        pair = pair or "".join(re.findall(r"^pair +([0-9a-f]{32})$", ran.out, re.MULTILINE))
    assert f"{len(MIGRATIONS)} migrations applied." in out
    assert "client seed  lucky 8s (made by the bettor)" in out
    assert re.search(r"^player  500  (won|lost|pushed) +returned (0|500|1000)$", out, re.MULTILINE)
    assert out.endswith("1 round verified, 0 failed.\n")
    assert {path.name for path in tmp_path.iterdir()} >= {"house.db", "house.keys"}


def test_every_answer_is_json_too(house, pair):
    record = RoundRecord.parse_json(json.dumps(house("play", pair, "--bet", "player=500", "--bet", "tie=100", "--key", "1", "--json")))
    assert (record.nonce, record.server_seed, str(record.client_seed), record.currency.code) == (0, None, "lucky 8s", "USD")
    left = 100_000 + record.totals.net
    assert house("balance", "ann", "--json") == {"bettor": "ann", "balance": str(left), "currency": {"code": "USD", "decimals": 2}}
    rotated = house("rotate", pair, "--json")
    assert rotated["revealed"]["state"] == "revealed"
    assert rotated["next_pair"]["state"] == "committed"
    assert rotated["next_pair"]["server_seed"] is None
    (recalled,) = house("recall", "ann", "--json")["rounds"]
    assert (recalled["key"], recalled["balance_before"], recalled["balance_after"]) == ("1", "100000", str(left))
    verify_record(RoundRecord.parse_json(json.dumps(recalled["record"])))
    verified = house("verify", pair, "--json")
    assert (verified["verified"], verified["rounds"], verified["staked"]) == (True, 1, "600")
    assert verified["commitment"] == rotated["revealed"]["commitment"]
    assert house("recover", "--json") == {"dealt": 0, "pending": {"credits": 0, "debits": 0, "roll_backs": 0, "rounds": 0}}


def test_a_forgotten_currency_is_told(house, monkeypatch):
    house("deposit", "ann", "100", "--key", "1")
    assert "EUR" not in house("balance", "ann").err
    monkeypatch.delenv("PFB_CURRENCY")
    ran = house("balance", "ann")
    assert ran.out.splitlines()[-1].endswith(" 0")
    assert ran.err == "ann has accounts in USD/2: --currency or PFB_CURRENCY says which is meant.\n"
    house("deposit", "ann", "5", "--key", "2")
    assert "a currency without a name, USD/2" in house("balance", "ann", "--currency", "EUR/2").err
    assert house("balance", "nobody").err == ""


def test_every_answer_is_readable(house, pair):
    assert "balance  100000 (1000.00 USD)" in house("deposit", "ann", "100000", "--key", "deposit 1").out.splitlines()
    assert "balance  100000 (1000.00 USD)" in house("balance", "ann").out.splitlines()
    played = house("play", pair, "--bet", "banker=500", "--key", "1").out
    recalled = house("recall", "ann").out
    for told in (r"^Player  .* = \d ", r"^Banker  .* = \d ", r"^banker  500  ", r"^(The (player|banker) wins|A tie), "):
        assert re.search(told, played, re.MULTILINE)
        assert re.search(told, recalled, re.MULTILINE)
    assert re.search(r"^Balance now \d+ \(\d+\.\d\d USD\)\.$", played, re.MULTILINE)
    assert re.search(rf"^Nonce 0 of pair {pair}, accepted \d{{4}}-.* UTC$", recalled, re.MULTILINE)
    assert house("recall", "bob").out == "bob has played no round in USD.\n"
    assert house("recover").out == "Nothing was left to deal.\n"


def test_the_same_key_is_the_same_round_and_never_another(house, pair):
    bet = ("play", pair, "--bet", "player=500", "--key", "1", "--json")
    assert house(*bet) == house(*bet)
    assert house("play", pair, "--bet", "player=501", "--key", "1", "--json", code=2)["error"]["code"] == "house.key_conflict"
    assert house("play", pair, "--bet", "player=5", "--key", "2", "--nonce", "0", "--json", code=2)["error"]["code"] == "house.pair.nonce"
    assert house("play", pair, "--bet", "player=5", "--key", "2", "--nonce", "1", "--json")["nonce"] == 1
    deposit = ("deposit", "ann", "7", "--key", "deposit 2", "--json")
    assert house(*deposit) == house(*deposit)


def test_the_next_pair_is_like_the_one_before(house):
    pair = house("commit", "ann", "--decks", "6", "--pay-table", "super_six", "--json")
    following = house("rotate", pair["pair"], "--json")["next_pair"]
    same = ("bettor", "decks", "pay_table_digest", "currency", "cap", "label")
    assert [following[name] for name in same] == [pair[name] for name in same]
    assert following["commitment"] != pair["commitment"]
    assert house("rotate", pair["pair"], "--json")["next_pair"] == following


def test_a_client_seed_of_the_house_is_recorded_as_that(house):
    chosen = house("choose", house("commit", "ann", "--json")["pair"], "--json")
    assert chosen["client_seed_made_by"] == "operator"
    assert chosen["client_seed"].endswith(chosen["commitment"][:16])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("play", NOBODY, "--bet", "player=5", "--key", "1"), "house.pair"),
        (("play", "PAIR", "--bet", "player=100001", "--key", "1"), "house.funds"),
        (("play", "PAIR", "--bet", "dragon7=5", "--key", "1"), "money.bet.unknown"),
        (("play", "PAIR", "--bet", "player", "--key", "1"), "money.bet"),
        (("play", "PAIR", "--bet", "player=5", "--key", "\n"), "house.request"),
        (("choose", "PAIR", "--client-seed", "again"), "house.pair.state"),
        (("choose", "PAIR", "--client-seed", " x"), "seed.client_seed"),
        (("rotate", "nonsense"), "house.pair"),
        (("verify", NOBODY), "house.pair"),
        (("export", "--pair", NOBODY), "house.pair"),
        (("deposit", "ann", "1.5", "--key", "1"), "money.amount"),
        (("deposit", "ann", "0", "--key", "1"), "money.amount"),
        (("deposit", "", "5", "--key", "1"), "house.request"),
        (("commit", "ann", "--decks", "9"), "seed.decks"),
        (("commit", "ann", "--currency", "usd"), "usage"),
        (("commit", "ann", "--key-file", "absent"), "house.vault.key"),
        (("recall", "ann", "-n", "0"), "usage"),
        (("export", "--form", "csv"), "usage"),
        (("export", "--form", "xml"), "usage"),
    ],
)
def test_what_is_refused_exits_with_2(house, pair, arguments, code):
    error = house(*(pair if word == "PAIR" else word for word in arguments), "--json", code=2)["error"]
    assert error["code"] == code


def test_what_does_not_verify_exits_with_1(house, pair, tmp_path):
    assert house("verify", pair, "--json", code=1)["error"]["code"] == "verification.not_revealed"
    for key in "abc":
        house("play", pair, "--bet", "player=500", "--key", key)
    house("rotate", pair)
    assert house("verify", pair).out.endswith("3 rounds verified, 0 failed.\n")
    database = sqlite3.connect(tmp_path / "house.db", isolation_level=None)
    for (trigger,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("UPDATE coup SET cut = (cut + 1) % 416 WHERE round = 2")
    database.close()
    ran = house("verify", pair, code=1)
    assert ran.out == ""
    assert "verification.cut" in ran.err


def test_what_only_reads_needs_no_key_and_no_lock(house, pair, open_house, monkeypatch):
    monkeypatch.delenv("PFB_KEY_FILE")
    with open_house() as other:
        other.play(pair, {"player": 5}, "1")
        other.rotate(pair)
        for arguments in (["balance", "ann"], ["recall", "ann"], ["verify", pair], ["export"]):
            house(*arguments)
        assert house("deposit", "ann", "5", "--key", "1", "--json", code=2)["error"]["code"] == "house.store.busy"
    house("deposit", "ann", "5", "--key", "1")
    assert "Missing option '--key-file'" in house("play", pair, "--bet", "player=5", "--key", "1", code=2).err


def test_exported_records_verify_and_csv_is_harmless(house, pair, call, tmp_path):
    bettor = '=HYPERLINK("x")'
    house("deposit", bettor, "1000", "--key", "1")
    other = house("commit", bettor, "--json")["pair"]
    house("choose", other)
    house("play", other, "--bet", "player=5", "--key", "1")
    for key in "ab":
        house("play", pair, "--bet", "player=5", "--key", key)
    house("rotate", pair)
    assert len(house("export").out.splitlines()) == 3
    (tmp_path / "rounds.jsonl").write_text(house("export", "--pair", pair).out, encoding="utf-8")
    assert call("verify", "rounds.jsonl").out.endswith("2 rounds verified, 0 failed.\n")
    (row,) = csv.DictReader(io.StringIO(house("export", "--bettor", bettor, "--form", "csv").out))
    assert row["bettor"] == f"'{bettor}"
    assert row["server_seed"] == ""


def test_what_a_crash_cut_off_is_dealt_or_says_why_not(house, pair, open_house, call):
    with open_house() as other:
        other.accept(pair, {"player": 5}, "1")
    call("house", "key", "other.keys")
    ran = house("recover", "--key-file", "other.keys", code=2)
    assert "house.vault" in ran.err
    assert f"nonce 0 of pair {pair}" in ran.err
    assert "Not dealt yet: player 5." in house("recall", "ann").out
    assert house("recover").out == "1 accepted coup dealt.\n"
    assert house("recover").out == "Nothing was left to deal.\n"
    assert "Not dealt yet" not in house("recall", "ann").out


def test_a_pair_of_an_operators_wallet_is_left_alone(house, open_house):
    with open_house(wallet=MemoryWallet({"ann": 1000})) as other:
        pair = other.choose_client_seed(other.commit("ann"), "lucky 8s").id
    for arguments in (("play", pair, "--bet", "player=5", "--key", "1"), ("rotate", pair)):
        assert house(*arguments, "--json", code=2)["error"]["code"] == "house.wallet"
    with open_house() as other:
        assert other.pair(pair).state.value == "active"


def test_money_in_an_operators_wallet_is_told_by_nobody_else(house, pair, open_house, call):
    with open_house(wallet=MemoryWallet({"ann": 1000, "bob": 1000})) as other:
        for bettor in ("ann", "bob"):
            other.commit(bettor)
    error = house("balance", "bob", "--json", code=2)["error"]
    assert error["code"] == "house.wallet.elsewhere"
    assert house("deposit", "bob", "5", "--key", "x", "--json", code=2)["error"]["code"] == "house.wallet"
    left = house("balance", "ann", "--json")["balance"]
    assert int(left) > 0, "what was in the ledger before"
    ran = call("house", "balance", "ann")
    assert ran.code == 0
    assert "Bets are paid from the operator's own wallet" in ran.err
    assert house("withdraw", "ann", left, "--key", "the rest", "--json")["balance"] == "0"


def test_a_key_file_is_new_and_its_owners_only(call, tmp_path):
    assert call("house", "key", "my.keys", "--id", "2026-11").out == "key file  my.keys\nkey id    2026-11\n"
    content = (tmp_path / "my.keys").read_text()
    assert re.fullmatch("2026-11 [0-9a-f]{64}\n", content)
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "my.keys").stat().st_mode) == 0o600
    ran = call("house", "key", "my.keys", "--json")
    assert ran.code == 2
    assert "File exists" in ran.err
    assert (tmp_path / "my.keys").read_text() == content
    assert call("house", "key", "new.keys", "--id", "no space").code == 2
    assert not (tmp_path / "new.keys").exists()


@pytest.mark.parametrize(
    "url",
    [
        "house.db",
        "sqlite:house.db",
        "sqlite:///",
        "sqlite:///:memory:",
        "mysql://ann:hunter2@db/house",
        "ann:hunter2@db",
        "ann:hunter2@db://house",
        "postgresql://ann:hunter2@127.0.0.1:1/house",
        "postgresql://ann:hunter2@[/house",
    ],
)
def test_a_database_that_is_none_is_refused_without_its_password(call, url):
    if url.startswith("postgresql:"):
        pytest.importorskip("psycopg_pool")
    ran = call("house", "balance", "ann", "--database", url)
    assert (ran.code, ran.out) == (2, "")
    assert "hunter2" not in ran.err
    assert "Traceback" not in ran.err


def test_without_its_extra_postgresql_says_what_to_install(pfb, tmp_path):
    (tmp_path / "psycopg.py").write_text("raise ImportError('as if it were not installed')")
    ran = pfb("house", "balance", "ann", "--database", "postgresql://db/house", PYTHONPATH=str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert "provably-fair-baccarat[postgres]" in ran.err


def test_at_a_terminal_long_work_shows_that_it_goes_on(house, pair, terminal):
    house("play", pair, "--bet", "player=5", "--key", "1")
    house("rotate", pair)
    shown = terminal("house", "verify", pair, PFB_DATABASE="sqlite:///house.db").read()
    assert "verifying" in shown
    assert "1 round verified, 0 failed." in shown


def test_an_export_at_a_terminal_shows_progress_beside_its_file(house, pair, tmp_path, environment):
    pexpect = pytest.importorskip("pexpect")
    house("play", pair, "--bet", "player=5", "--key", "1")
    command = f"exec '{sys.executable}' -m provably_fair_baccarat house export --pair {pair} > rounds.jsonl"
    variables = {**environment, "PFB_DATABASE": "sqlite:///house.db"}
    child = pexpect.spawn("/bin/sh", ["-c", command], cwd=tmp_path, env=variables, encoding="utf-8", timeout=60)
    assert "exporting" in child.read()
    child.close()
    assert RoundRecord.parse_json((tmp_path / "rounds.jsonl").read_bytes()).nonce == 0


def test_no_secret_is_told_before_its_time(house, call, tmp_path):
    """Not in an answer, not in an error, not in the database: neither the server seeds nor the vault's key."""
    said = []

    def tell(*arguments):
        for form in ((), ("--json",)):
            ran = call("house", *arguments, *form)
            said.append(ran.out + ran.err)

    house("deposit", "ann", "1000", "--key", "1")
    pair = house("commit", "ann", "--json")["pair"]
    tell("choose", pair, "--client-seed", "lucky 8s")
    for key in "ab":
        tell("play", pair, "--bet", "player=5", "--key", key)
    for arguments in (
        ("verify", pair),
        ("recall", "ann"),
        ("export",),
        ("recover",),
        ("play", pair, "--bet", "player=6", "--key", "a"),
        ("commit", "ann", "--key-file", "house.db"),
        ("commit", "bob"),
    ):
        tell(*arguments)
    key = (tmp_path / "house.keys").read_text().split()[1]
    (tmp_path / "bad.keys").write_text(f"{key}\nkey-1 {key.upper()}\n")
    tell("commit", "ann", "--key-file", "bad.keys")
    (tmp_path / "bad.keys").write_text(f"key-1 {key.upper()}\n")
    tell("commit", "ann", "--key-file", "bad.keys")
    secrets = [bytes.fromhex(key)]
    with SqliteStore(tmp_path / "house.db") as store:
        vault = Vault.from_key_file(tmp_path / "house.keys")
        rows = [row for row in store.pairs_sealed_under("key-1", 100) if row.state != "revealed"]
        secrets += [vault.open(row.sealed, binding_of(row)).reveal_bytes() for row in rows]
    assert len(secrets) == 4
    database = b"".join(path.read_bytes() for path in tmp_path.glob("house.db*"))
    revealed = house("rotate", pair, "--json")["revealed"]["server_seed"]
    assert bytes.fromhex(revealed) in secrets
    for secret in secrets:
        for spelling in (secret.hex(), secret.hex().upper(), repr(secret), str(int.from_bytes(secret, "big"))):
            assert not any(spelling in text for text in said)
        assert secret not in database
