"""The console game's rules, without a console."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import ALL_BETS, PUNTO_BANCO, ClientSeed, ServerSeed
from provably_fair_baccarat.cli.coup_view import dollars
from provably_fair_baccarat.cli.game import CHIP, PURSE, chips_allowed, is_over, prices, read_entry
from provably_fair_baccarat.cli.seat import Seat
from provably_fair_baccarat.errors import BetError, StakeError, UnknownBetError

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("entry", "bets"),
    [
        ("player 5", {"player": 500}),
        ("b 3", {"banker": 300}),
        ("  TIE   1 ", {"tie": 100}),
        ("player 3, tie 1", {"player": 300, "tie": 100}),
        ("p 1 b 1 t 1", {"player": 100, "banker": 100, "tie": 100}),
        ("", {}),
        ("   ", {}),
    ],
)
def test_entries_that_are_bets(entry, bets):
    assert read_entry(entry, PUNTO_BANCO.offers, PURSE) == bets


@pytest.mark.parametrize(
    ("entry", "purse", "error"),
    [
        ("5", PURSE, BetError),
        ("5 player", PURSE, UnknownBetError),
        ("player five", PURSE, StakeError),
        ("player 05", PURSE, StakeError),
        ("player ٥", PURSE, StakeError),
        ("player 6", PURSE, StakeError),
        ("player 3 tie 3", PURSE, StakeError),
        ("player 3", 299, StakeError),
        ("player 1 p 1", PURSE, BetError),
        ("panda8 1", PURSE, UnknownBetError),
    ],
)
def test_entries_that_are_none(entry, purse, error):
    with pytest.raises(error):
        read_entry(entry, PUNTO_BANCO.offers, purse)


def test_side_bets_are_entries_where_they_are_offered():
    assert read_entry("panda8 1", ALL_BETS.offers, PURSE) == {"panda8": 100}


@pytest.mark.parametrize(
    ("entry", "table", "hint"),
    [
        ("dragon7 1", PUNTO_BANCO, "It is a side bet, which pays 40 to one: pfb play --side-bets offers it."),
        ("perfect_pair 1", PUNTO_BANCO, "It is a side bet, which pays 25/200 to one: pfb play --side-bets offers it."),
        ("dragon8 1", ALL_BETS, "Did you mean 'dragon7'?"),
        ("bankr 1", PUNTO_BANCO, "Did you mean 'banker'?"),
        ("zzz 1", PUNTO_BANCO, None),
    ],
)
def test_a_bet_that_is_not_offered_is_told_where_it_is(entry, table, hint):
    with pytest.raises(UnknownBetError) as caught:
        read_entry(entry, table.offers, PURSE)
    assert caught.value.hint == hint


def test_a_bet_that_is_none_is_told_the_side_bets_and_their_prices():
    with pytest.raises(UnknownBetError) as caught:
        read_entry("zzz 1", ALL_BETS.offers, PURSE)
    assert caught.value.hint.startswith("Side bets, and what they pay to one: banker_pair 11, big 0.54, big_tiger 50, ")
    assert caught.value.hint.count(",") == len(ALL_BETS.side_bets)


def test_prices_are_those_of_the_table():
    assert prices(PUNTO_BANCO) == {}
    assert list(prices(ALL_BETS)) == [name for name in ALL_BETS.offers if name in ALL_BETS.side_bets]
    assert {name: prices(ALL_BETS)[name] for name in ("big", "small", "tiger", "dragon_bonus_player")} == {
        "big": "0.54",
        "small": "1.5",
        "tiger": "12/20",
        "dragon_bonus_player": "1/1/2/4/6/10/30",
    }


@given(st.text(max_size=30), st.integers(0, 10_000))
def test_any_entry_is_read_within_the_limits_or_refused(entry, purse):
    try:
        bets = read_entry(entry, PUNTO_BANCO.offers, purse)
    except BetError:
        return
    assert sum(bets.values()) <= min(500, purse)
    assert all(stake > 0 and stake % CHIP == 0 for stake in bets.values())


@pytest.mark.parametrize(("purse", "chips"), [(5000, 5), (500, 5), (499, 4), (195, 1), (99, 0), (0, 0)])
def test_no_more_chips_than_the_purse_holds(purse, chips):
    assert chips_allowed(purse) == chips
    assert is_over(0, purse) is (chips == 0)


def test_ten_rounds_are_the_end():
    assert not is_over(9, PURSE)
    assert is_over(10, PURSE)


def test_a_seat_pays_by_the_settlements_and_verifies_them():
    seat = Seat(ServerSeed(bytes(32)), ClientSeed("lucky 8s"), PURSE)
    for number in range(10):
        before = seat.purse
        settled = seat.play({"banker": 500} if number % 2 else {}, NOW)
        assert settled.round.nonce == number
        assert seat.purse == settled.purse == before + settled.settlement.net
    assert seat.net == seat.purse - PURSE
    assert len(seat.verify()) == 10
    assert all(record.server_seed == bytes(32).hex() for record in seat.reveal())


def test_a_refused_bet_spends_no_nonce():
    seat = Seat(ServerSeed(bytes(32)), ClientSeed("lucky 8s"), PURSE)
    with pytest.raises(UnknownBetError):
        seat.play({"panda8": 100}, NOW)
    assert seat.play({"player": 100}, NOW).round.nonce == 0


@pytest.mark.parametrize(("cents", "text"), [(5000, "$50.00"), (5, "$0.05"), (-1925, "-$19.25"), (123456789, "$1,234,567.89")])
def test_money_is_written_in_dollars(cents, text):
    assert dollars(cents) == text
