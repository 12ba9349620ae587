"""`pfb odds`: the exact figures, readable and as fractions."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from provably_fair_baccarat.rules.odds import Shoe, odds
from provably_fair_baccarat.rules.ready_tables import ALL_BETS


def test_the_classic_table(pfb):
    ran = pfb("odds")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["player", "44.6247", "9.5156", "98.7649", "1.2351", "0.9512"] in rows
    assert ["banker", "45.8597", "9.5156", "98.9421", "1.0579", "0.9274"] in rows
    assert ["tie", "9.5156", "0.0000", "85.6404", "14.3596", "2.6409"] in rows


def test_json_has_exact_fractions(pfb):
    told = json.loads(pfb("odds", "--pay-table", "all_bets", "--bet", "dragon7", "--decks", "6", "--json").out)
    figure = odds("dragon7", ALL_BETS, 6)
    assert told["decks"] == 6
    assert list(told["bets"]) == ["dragon7"]
    edge = told["bets"]["dragon7"]["house_edge"]
    assert Fraction(edge["fraction"]) == figure.house_edge
    assert edge["decimal"] == f"{float(figure.house_edge):.12f}"
    assert told["bets"]["dragon7"]["standard_deviation"] == str(figure.standard_deviation)


def test_a_bet_for_the_bettor_has_a_negative_edge(call, tmp_path):
    (tmp_path / "generous.toml").write_text("tie_multiplier = 12")
    edge = json.loads(call("odds", "--pay-table", "generous.toml", "--bet", "tie", "--json").out)["bets"]["tie"]["house_edge"]
    assert Fraction(edge["fraction"]) < 0
    assert edge["decimal"].startswith("-0.14")


def test_infinitely_many_decks(call):
    told = json.loads(call("odds", "--infinite", "--bet", "banker", "--json").out)
    assert told["decks"] is None
    assert Fraction(told["bets"]["banker"]["expected_return"]["fraction"]) == odds("banker", shoe=Shoe.infinite()).expected_return
    assert "infinitely many decks" in call("odds", "--infinite").out


def test_every_bet_of_a_table_fits_80_columns(pfb):
    ran = pfb("odds", "--pay-table", "all_bets", "--decks", "1", COLUMNS="80")
    assert len(ran.out.splitlines()) == 2 + len(ALL_BETS.offers)
    assert "…" not in ran.out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ('"8:1"', "8 to 1 is 9.0"),
        ("8:1", "8 to 1 is 9.0"),
        ("11 to 1 # a tie", "11 to 1 is 12.0"),
        ('"0.95 to 1"', "0.95 to 1 is 1.95"),
        ('"3/2"', "3 to 2 is 2.5"),
        ('"9 for 1"', "9 for 1 is 9.0"),
        ('"1 to 3"', "has at most 6 digits after the point"),
    ],
)
def test_odds_in_place_of_a_multiplier_are_told_with_the_stake(call, tmp_path, typed, told):
    (tmp_path / "table.toml").write_text(f"# of 2026-11-30\ntie_multiplier = {typed}\n")
    ran = call("odds", "--pay-table", "table.toml")
    assert ran.code == 2
    assert f"A multiplier includes the stake{'' if 'most' in told else ':'}" in ran.err
    assert told in ran.err


@pytest.mark.parametrize("columns", ["20", "40"])
def test_no_figure_is_cut_off_on_a_narrow_terminal(pfb, columns):
    ran = pfb("odds", COLUMNS=columns)
    assert ran.out == pfb("odds", COLUMNS="80").out
    ran = pfb("db", "migrate", "--database", "sqlite:///house.db", COLUMNS=columns)
    assert "…" not in ran.out
    assert "number   migration" in ran.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--bet", "bankr"], "Did you mean 'banker'?"),
        (["--decks", "0"], "1 to 8"),
        (["--decks", "x"], "1 to 8"),
        (["--pay-table", "bogus"], "punto_banco, super_six"),
    ],
)
def test_wrong_input(call, arguments, told):
    ran = call("odds", *arguments)
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.parametrize(
    "command",
    [("odds", "--bet", "dragon7"), ("deal", "--seed-file", "seed.txt", "--client-seed", "x", "--nonce", "0", "--bet", "dragon7=1")],
)
def test_a_bet_of_another_table_is_told_which_tables_have_it(pfb, tmp_path, command):
    (tmp_path / "seed.txt").write_text("0b" * 32 + "\n")
    ran = pfb(*command)
    assert ran.code == 2
    assert "It is a bet of other pay tables: ez_baccarat, all_bets." in " ".join(ran.err.split())
