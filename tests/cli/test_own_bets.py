"""`--bets`: the operator's own bets, from a module in the working folder."""

from __future__ import annotations

import json
import sys

import pytest

from provably_fair_baccarat import Bet, PayTable
from provably_fair_baccarat.house import House, SqliteStore, Vault, add_key

MODULE = """
from provably_fair_baccarat import Bet, PayTable

def both_draw(coup):
    return coup.cards_used == 6

OWN = [Bet("both_draw", both_draw, needs="scores")]
TABLE = PayTable(side_bets={"both_draw": "3.0"}, bets=OWN)
LIES = [Bet("both_draw", lambda coup: coup.cards_used != 6, needs="scores")]
SECRET = "hunter2"
"""
DATABASE = ("--database", "sqlite:///house.db")


def both_draw(coup):
    return coup.cards_used == 6


@pytest.fixture
def pair(tmp_path):
    """The id of a revealed pair with two rounds, whose records are in rounds.jsonl."""
    (tmp_path / "casino_bets.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("raise SystemExit('no')")
    add_key(tmp_path / "house.keys", "first")
    table = PayTable(side_bets={"both_draw": "3.0"}, bets=[Bet("both_draw", both_draw, needs="scores")])
    with House(SqliteStore(tmp_path / "house.db"), Vault.from_key_file(tmp_path / "house.keys"), pay_table=table) as house:
        house.deposit("ann", 1000, "deposit")
        pair = house.choose_client_seed(house.commit("ann"), "lucky")
        for bet in ("banker", "both_draw"):
            house.play(pair, {bet: 10}, bet)
        house.rotate(pair)
        (tmp_path / "rounds.jsonl").write_bytes(b"".join(house.export(pair=pair)))
    return pair.id


def test_records_are_verified_with_them(pfb, pair):
    refused = pfb("verify", "rounds.jsonl")
    assert refused.code == 1
    assert "on the command line, with --bets" in refused.err
    for named in ("casino_bets:OWN", "casino_bets:TABLE"):
        ran = pfb("verify", "rounds.jsonl", "--bets", named)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.endswith("2 rounds verified, 0 failed.\n")
    lied = pfb("verify", "rounds.jsonl", "--bets", "casino_bets:LIES")
    assert lied.code == 1
    assert "verification.settlement" in lied.err


def test_a_house_is_verified_with_them(pfb, pair):
    refused = pfb("house", "verify", pair, *DATABASE, "--json")
    assert refused.code == 2
    assert json.loads(refused.out)["error"]["code"] == "house.own_bet"
    ran = pfb("house", "verify", pair, *DATABASE, "--bets", "casino_bets:OWN", "--json")
    assert (ran.code, json.loads(ran.out)["rounds"]) == (0, 2)


def test_a_pair_with_them_is_played_and_rotated(pfb, pair):
    keys = (*DATABASE, "--key-file", "house.keys")
    following = json.loads(pfb("house", "rotate", pair, *keys, "--bets", "casino_bets:OWN", "--json").out)["next_pair"]["pair"]
    assert pfb("house", "choose", following, "--client-seed", "lucky", *DATABASE).code == 0
    bet = ("--bet", "both_draw=5", "--key", "1")
    assert pfb("house", "play", following, *bet, *keys).code == 2
    assert pfb("house", "play", following, *bet, *keys, "--bets", "casino_bets:OWN").code == 0
    assert pfb("house", "rotate", following, *keys).code == 2
    assert pfb("house", "rotate", following, *keys, "--bets", "casino_bets:OWN").code == 0


def test_rounds_are_recalled_exported_and_dealt_with_them(pfb, pair, tmp_path):
    named, keys = ("--bets", "casino_bets:OWN"), ("--key-file", "house.keys")
    for command in (("recall", "ann"), ("export", "--bettor", "ann")):
        refused = pfb("house", *command, *DATABASE)
        assert refused.code == 2
        assert "house.own_bet" in refused.err
        assert pfb("house", *command, *DATABASE, *named).code == 0
    assert pfb("house", "export", *DATABASE, *named).out == (tmp_path / "rounds.jsonl").read_text()
    with House(
        SqliteStore(tmp_path / "house.db"),
        Vault.from_key_file(tmp_path / "house.keys"),
        pay_table=PayTable(side_bets={"both_draw": "3.0"}, bets=[Bet("both_draw", both_draw, needs="scores")]),
    ) as house:
        following = house.choose_client_seed(house.commit("ann"), "lucky")
        house.accept(following, {"both_draw": 10}, "later")
    assert pfb("house", "recover", *DATABASE, *keys).code == 2
    assert "1 accepted coup dealt" in pfb("house", "recover", *DATABASE, *keys, *named).out


def test_an_audit_knows_them(pfb, pair):
    pytest.importorskip("numpy", reason="audits need numpy: pip install 'provably-fair-baccarat[audit]'")
    pytest.importorskip("pyarrow", reason="audits need pyarrow: pip install 'provably-fair-baccarat[audit]'")
    for rounds in ("sqlite:///house.db", "rounds.jsonl"):
        assert pfb("audit", rounds).code == 1
        ran = pfb("audit", rounds, "--bets", "casino_bets:OWN")
        assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("casino_bets", "a module and a name in it, like casino_bets:OWN"),
        ("../casino_bets:OWN", "a module and a name in it"),
        ("casino_bets:NOTHING", "casino_bets:NOTHING is no list of Bet values"),
        ("casino_bets:SECRET", "is no list of Bet values"),
        ("casino_bets:both_draw", "is no list of Bet values"),
        ("not_there:OWN", "the module not_there could not be imported: ModuleNotFoundError"),
        ("broken:OWN", "the module broken could not be imported: SystemExit"),
    ],
)
def test_what_no_bets_are(pfb, pair, named, told):
    ran = pfb("verify", "rounds.jsonl", "--bets", named)
    assert (ran.code, ran.out) == (2, "")
    assert told in " ".join(ran.err.split())


def test_the_help_says_that_it_runs_code(pfb):
    for command in (("verify",), ("house", "verify"), ("audit",)):
        assert "This runs the module's code" in " ".join(pfb(*command, "--help", COLUMNS="200").out.replace("│", " ").split())


def test_the_installed_command_finds_the_working_folder(pair, tmp_path, monkeypatch):
    """`python -m` has the working folder on its path already, the installed command does not."""
    from provably_fair_baccarat.cli.own_bets import read_own_bets

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in ("", str(tmp_path))])
    monkeypatch.delitem(sys.modules, "casino_bets", raising=False)
    (own,) = read_own_bets("casino_bets:OWN").bets
    assert own.name == "both_draw"
    monkeypatch.delitem(sys.modules, "casino_bets")
