"""A House that is put together wrongly says so when it is made, and never shows what it was given."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from provably_fair_baccarat import Bet, PayTable
from provably_fair_baccarat.errors import BaccaratError, PayTableError, RequestError
from provably_fair_baccarat.house import Exclusion, House, Limits, LossLimit, MinimumInterval, SessionTime, Vault
from provably_fair_baccarat.house.wallets import MemoryWallet

from .conftest import make_vault


def both_draw(coup):
    return coup.cards_used == 6


OWN = Bet("both_draw", both_draw, needs="scores")


class Secretive:
    def __repr__(self):
        return "hunter2"


class Awaited(MemoryWallet):
    async def credit(self, transaction):
        """A House would call this and think that it is done."""


WRONG = {
    "limits as a mapping": (
        {"limits": {"max_stake": 5}},
        "limits: expected Limits, found a value of type dict",
        "Say Limits(max_stake=...).",
    ),
    "limits as a number": ({"limits": 5}, "limits: expected Limits, found a value of type int", None),
    "a bet that is misspelt": (
        {"limits": Limits(per_bet={"bankr": (1, 2)})},
        "limits, per_bet: expected a bet of the house, like player, banker, tie, found 'bankr'",
        "Did you mean 'banker'?",
    ),
    "a bet that is nowhere": ({"limits": Limits(per_bet={"zzz": (1, 2)})}, "found 'zzz'", None),
    "no wallet": (
        {"wallet": Secretive()},
        "wallet: expected one with the methods debit, credit and roll_back, found a value of type Sec",
        None,
    ),
    "a wallet that has to be awaited": (
        {"wallet": Awaited({})},
        "wallet: expected one with the methods debit, credit and roll_back, found a method credit that has to be awaited.",
        "A wallet's methods are plain functions, which may wait: AsyncHouse calls them in a thread.",
    ),
    "a class of wallets": ({"wallet": MemoryWallet}, "found the class MemoryWallet itself", None),
    "one guard": (
        {"guards": LossLimit(amount=300, window=timedelta(hours=1))},
        "guards: expected guards in a list, found a value of type LossLimit",
        "Put it into a list, even if there is only one.",
    ),
    "no guards": ({"guards": None}, "guards: expected guards in a list, found None", None),
    "a guard that never objects": ({"guards": [Secretive()]}, "guard: expected one with the method objection, found", None),
    "one bet": ({"own_bets": OWN}, "own_bets: expected bets in a list", "Put it into a list, even if there is only one."),
    "no bet": ({"own_bets": ["both_draw"]}, "own_bets: expected values of type Bet, found a value of type str", None),
    "text": ({"own_bets": "both_draw"}, "own_bets: expected bets in a list, found a value of type str", None),
    "a time": ({"clock": timedelta(0)}, "clock: expected a function, found a value of type timedelta", None),
    "bytes": ({"entropy": b"1" * 32}, "entropy: expected a function", None),
    "seconds": ({"wallet": MemoryWallet({}), "pause": 1.5}, "pause: expected a function", None),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_house_is_made_with(engine, name):
    parts, message, hint = WRONG[name]
    with pytest.raises(RequestError) as caught:
        House(engine.open(), make_vault(), **parts)
    assert message in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert caught.value.hint == hint


def test_store_and_vault(engine, tmp_path):
    store, vault = engine.open(), make_vault()
    for wrong, message, hint in (
        (("house.db", vault), "store: expected an open store, like SqliteStore, found a value of type str", "Open it: SqliteStore(path)"),
        ((tmp_path, vault), "store: expected an open store", "Open it"),
        ((type(store), vault), f"found the class {type(store).__name__} itself", ""),
        ((vault, store), "store: expected an open store, like SqliteStore, found a value of type Vault", "in each other's place"),
        ((None, vault), "store: expected an open store, like SqliteStore, found None", ""),
        ((store, "house.keys"), "vault: expected a Vault, found a value of type str", "Read its keys: Vault.from_key_file(path)."),
        ((store, None), "vault: expected a Vault, found None", ""),
        ((store, Vault), "vault: expected a Vault, found the class Vault itself", ""),
    ):
        with pytest.raises(RequestError) as caught:
            House(*wrong)
        assert message in str(caught.value)
        assert hint in (caught.value.hint or "")


@pytest.mark.parametrize("time", [datetime(2026, 11, 29, 12), 1764417600.0, None])
def test_a_clock_tells_its_zone(engine, time):
    house = House(engine.open(), make_vault(), clock=lambda: time)
    with pytest.raises(RequestError, match="clock: expected one that tells a datetime with a time zone"):
        house.commit("ann")


def test_a_clock_may_be_in_any_zone(engine):
    """What leaves the house is in UTC, and is so the first time as ever after."""
    seen = []

    class Guard:
        def objection(self, bet, past):
            seen.append(bet.at)

    there = datetime(2026, 11, 29, 17, tzinfo=timezone(timedelta(hours=5)))
    house = House(engine.open(), make_vault(), clock=lambda: there, guards=[Guard()])
    house.deposit("ann", 100, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    acceptance = house.accept(pair, {"player": 5}, "key")
    assert house.accept(pair, {"player": 5}, "key") == acceptance
    assert {time.isoformat() for time in (*seen, acceptance.accepted_at, pair.committed_at)} == {"2026-11-29T12:00:00+00:00"}


def test_a_pay_table(engine):
    with pytest.raises(PayTableError, match="pay table: expected a PayTable, found 'punto_banco'"):
        House(engine.open(), make_vault(), pay_table="punto_banco")


def test_limits_of_bets_that_there_are(engine):
    """Earlier pairs may still offer what the present table does not."""
    table = PayTable(side_bets={"both_draw": "3.0"}, bets=[OWN])
    engine.open()
    for options in (
        {"limits": Limits(per_bet={"banker": (1, 2), "dragon7": (1, 2)})},
        {"limits": Limits(per_bet={"both_draw": (1, 2)}), "pay_table": table},
        {"limits": Limits(per_bet={"both_draw": (1, 2)}), "own_bets": [OWN]},
    ):
        House(engine.open(is_read_only=True), make_vault(), **options)
    with pytest.raises(RequestError, match="found 'both_draw'"):
        House(engine.open(is_read_only=True), make_vault(), limits=Limits(per_bet={"both_draw": (1, 2)}))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Exclusion({"cat"}),
        lambda: LossLimit(300, 3600),
        lambda: MinimumInterval(3),
        lambda: MinimumInterval(timedelta(-1)),
        lambda: SessionTime(60, {}.get),
        lambda: SessionTime(timedelta(minutes=1), {}),
    ],
)
def test_guards_that_could_never_answer(make):
    with pytest.raises(BaccaratError, match=r"of a guard: expected a (function|timedelta)"):
        make()
