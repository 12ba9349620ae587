"""Money: whole units up to 10^38 - 1, double entry, never negative, once for each key."""

from __future__ import annotations

import pytest

from provably_fair_baccarat import PayTable
from provably_fair_baccarat.errors import AmountError, FundsError, KeyConflictError, LedgerMismatchError, RequestError
from provably_fair_baccarat.house import BetRequest
from provably_fair_baccarat.rules.settlement import MAX_AMOUNT


def test_deposits_and_withdrawals_happen_once_for_each_key(house):
    first = house.deposit("ann", 100, "a")
    assert (first.kind, first.amount, first.balance) == ("deposit", 100, 100)
    house.deposit("ann", 50, "b")
    assert house.deposit("ann", 100, "a") == first
    out = house.withdraw("ann", 120, "c")
    assert house.withdraw("ann", 120, "c") == out
    assert house.balance("ann") == 30
    for call in (
        lambda: house.deposit("ann", 101, "a"),
        lambda: house.withdraw("ann", 100, "a"),
        lambda: house.deposit("ann", 120, "c"),
    ):
        with pytest.raises(KeyConflictError):
            call()
    assert house.deposit("ben", 7, "a").balance == 7


def test_no_balance_is_negative(house):
    house.deposit("ann", 100, "a")
    with pytest.raises(FundsError, match="at least 101, found 100"):
        house.withdraw("ann", 101, "b")
    house.withdraw("ann", 100, "b")
    assert house.balance("ann") == 0
    with pytest.raises(FundsError):
        house.withdraw("nobody", 1, "a")


@pytest.mark.parametrize("amount", [0, -1, 1.0, "1", None, True, 10**38, pytest.param(10**5000, id="huge")])
def test_what_is_no_amount(house, amount):
    for call in (house.deposit, house.withdraw):
        with pytest.raises(AmountError):
            call("ann", amount, "a")


@pytest.mark.parametrize("key", ["", None, "a\tb", 5])
def test_what_is_no_key(house, key):
    with pytest.raises(RequestError):
        house.deposit("ann", 5, key)


def test_the_largest_amounts_stay_exact(open_house):
    house = open_house(currency=("ETH", 18))
    assert house.deposit("ann", MAX_AMOUNT, "a").balance == MAX_AMOUNT
    with pytest.raises(AmountError):
        house.deposit("ann", 1, "b")
    house.withdraw("ann", 10**37 + 1, "c")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    stake = 10**37 - 1
    record = house.play(pair, {"player": stake}, "d")
    assert house.balance("ann") == MAX_AMOUNT - 10**37 - 1 - stake + record.totals.returned
    sheet = house.verify_books()[0]
    assert sheet.bettors + sheet.house == sheet.outside == MAX_AMOUNT - 10**37 - 1
    house.rotate(pair)
    house.verify_history(pair)


def test_there_is_always_room_for_what_is_open(open_house):
    """An accepted bet must be paid, so neither a deposit nor another bet may use the room that it needs."""
    house = open_house(pay_table=PayTable(tie_multiplier="9.0"))
    house.deposit("ann", 5 * 10**37, "a")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(AmountError):
        house.accept(pair, {"tie": 10**37}, "too much")
    acceptance = house.accept(pair, {"tie": 5 * 10**36}, "b")
    with pytest.raises(AmountError, match="whatever open rounds return"):
        house.deposit("ann", 10**37, "c")
    with pytest.raises(AmountError):
        house.accept(pair, {"tie": 2 * 10**36}, "d")
    house.deal(acceptance)
    house.deposit("ann", 10**37, "c")


def test_each_currency_has_its_own_accounts(open_house):
    dollars = open_house(currency=("USD", 2))
    dollars.deposit("ann", 100, "a")
    ether = open_house(currency=("ETH", 18))
    assert ether.balance("ann") == 0
    ether.deposit("ann", 7, "a")
    nameless = open_house(currency=None)
    nameless.deposit("ann", 9, "a")
    assert {sheet.currency: sheet.bettors for sheet in nameless.verify_books()} == {"USD/2": 100, "ETH/18": 7, "": 9}
    pair = nameless.choose_client_seed(nameless.commit("ann"), "lucky")
    assert nameless.play(pair, {"player": 5}, "b").currency is None


def test_who_has_not_enough_is_told_of_money_in_other_currencies(open_house):
    for currency in (("USD", 2), ("ETH", 18), None):
        open_house(currency=currency).deposit("ann", 100, "a")
    open_house(currency=("USD", 2)).deposit("ben", 3, "a")
    house = open_house(currency=("EUR", 2))
    assert house.currencies("ann") == (None, ("ETH", 18), ("USD", 2))
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    (answer,) = house.play_many([BetRequest(pair, {"player": 5}, "a")])
    refusals = [answer]
    for call in (
        lambda: house.play(pair, {"player": 5}, "a"),
        lambda: house.accept(pair, {"player": 5}, "a"),
        lambda: house.withdraw("ann", 5, "a"),
    ):
        with pytest.raises(FundsError, match="expected at least 5, found 0") as caught:
            call()
        refusals.append(caught.value)
    told = "There is money of this bettor in a currency without a name, ETH/18, USD/2"
    assert all(refusal.hint.startswith(told) and refusal.slips[0].code == "other_currency" for refusal in refusals)
    house = open_house(currency=("USD", 2))
    house.withdraw("ben", 3, "b")
    with pytest.raises(FundsError) as caught:
        open_house(currency=("EUR", 2)).withdraw("ben", 5, "c")
    assert caught.value.slips == ()


def test_the_books_add_up_and_say_where_not(house, pair, engine):
    for number in range(20):
        house.play(pair, {"player": 100, "tie": 10}, f"{number}")
    sheet = house.verify_books()[0]
    assert sheet.bettors + sheet.house == sheet.outside == 1_000_000
    engine.tamper("UPDATE account SET balance = '5' WHERE bettor = 'ann'")
    with pytest.raises(LedgerMismatchError, match="'ann'"):
        house.verify_books()


def test_postings_are_the_transfers_twice(house, pair, engine):
    house.play(pair, {"tie": 7}, "key")
    sums = {}
    for sign, amount in engine.query("SELECT sign, amount FROM posting"):
        sums[sign] = sums.get(sign, 0) + int(amount)
    assert sums["+"] == sums["-"] >= 1_000_007
