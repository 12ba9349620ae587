"""The contract of a store by itself, for what a House never asks of it: wrong orders, wrong moments, and calls that are undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from provably_fair_baccarat.errors import (
    GuardError,
    HouseError,
    PairError,
    PairNonceError,
    PairStateError,
    StoreError,
    WalletGivenUpError,
)
from provably_fair_baccarat.house.rows import LegRow, RoundQuery
from provably_fair_baccarat.house.store import BetOrder, CashOrder, CoupOrder, DealtCoup, NewPair
from provably_fair_baccarat.house.vault import Sealed

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
SEED = b"s" * 32


def new_pair(name, bettor="ann"):
    digest = name.encode().ljust(32, b"\0")
    return NewPair(
        name.ljust(32, "0"), bettor, "USD/2", "pfb1", 8, digest, digest, Sealed("k1", b"x" * 60), "digest", "{}", 10, is_remote=False
    )


def order(pair, key="key", **changes):
    return replace(BetOrder(pair, key, "player:5", None, 5, 10, AT, lambda nonce, past: None), **changes)


def returns(amount):
    return lambda nonce, bets: DealtCoup(nonce, "AsKsQsJsTs9s", amount, AT)


@pytest.fixture
def store(engine):
    return engine.open()


@pytest.fixture
def number(store):
    """An active pair whose bettor has 100."""
    row = store.add_pair(new_pair("a"), AT)
    store.choose_client_seed(row.number, b"lucky", "bettor", AT)
    store.move_cash(CashOrder("deposit", "ann", "USD/2", 100, "deposit", AT))
    return row.number


def test_a_pair_comes_back_as_it_was_stored(store):
    row = store.add_pair(new_pair("a"), AT)
    assert store.pair(row.id) == row
    assert (row.bettor, row.currency, row.sealed, row.state, row.committed_at) == ("ann", "USD/2", Sealed("k1", b"x" * 60), "committed", AT)
    assert store.pairs("ann", "USD/2") == store.pairs_sealed_under("k1", 5) == [row]
    assert store.pairs("ann", "") == store.pairs_sealed_under("k2", 5) == []
    assert store.pair("nothing") is None


def test_a_call_that_is_refused_is_undone_whatever_it_wrote(store):
    store.add_pair(new_pair("a"), AT)
    with pytest.raises(StoreError):
        store.add_pair(replace(new_pair("b", "zoe"), commitment=new_pair("a").commitment), AT)
    assert store.balance("zoe", "USD/2") is None
    assert len(store.events()) == 1


def test_a_reveal_needs_a_closed_pair_with_every_coup_settled(store, number):
    store.take_bet(order(number))
    with pytest.raises(PairStateError, match="closing"):
        store.reveal_pair(number, SEED, new_pair("b"), AT)
    store.close_pair(number, AT)
    with pytest.raises(PairStateError, match="1 that are not"):
        store.reveal_pair(number, SEED, new_pair("b"), AT)
    assert store.pair(new_pair("b").id) is None
    store.settle_round(CoupOrder(number, 0, returns(7), AT))
    revealed = store.reveal_pair(number, SEED, new_pair("b"), AT)
    assert (revealed.state, revealed.server_seed, revealed.successor) == ("revealed", SEED, new_pair("b").id)
    assert store.reveal_pair(number, b"t" * 32, new_pair("c"), AT) == revealed
    assert store.pair(new_pair("c").id) is None
    assert store.close_pair(number, AT) == revealed


def test_what_is_not_there(store, number):
    for call in (
        lambda: store.take_bet(order(999)),
        lambda: store.begin_debit(order(999), "leg"),
        lambda: store.close_pair(999, AT),
        lambda: store.choose_client_seed(999, b"x", "bettor", AT),
    ):
        with pytest.raises(PairError):
            call()
    with pytest.raises(PairNonceError):
        store.settle_round(CoupOrder(number, 0, returns(1), AT))
    for call in (lambda: store.void_debit("leg", "", is_final=False), lambda: store.end_credit("leg", AT)):
        with pytest.raises(StoreError, match="none"):
            call()
    assert store.round_at(number, 0) is None


def test_money_moves_with_the_bet(store, number):
    row = store.take_bet(order(number, deal=returns(9)))
    assert (row.nonce, row.balance_before, row.returned, row.balance_after) == (0, 100, 9, 104)
    assert store.take_bet(order(number, deal=returns(1))) == store.round_at(number, 0) == row
    nothing = store.take_bet(order(number, "b", deal=returns(0)))
    assert (nothing.balance_before, nothing.balance_after) == (104, 99)
    assert store.balance("ann", "USD/2") == 99
    kinds = [(transfer.kind, transfer.amount, transfer.balance) for transfer in store.statement("ann", "USD/2")[1]]
    assert kinds == [("deposit", 100, 100), ("stake", 5, 95), ("return", 9, 104), ("stake", 5, 99)]
    transfers = store.transfers_of_pair(number)
    assert [(stake.amount, paid and paid.amount) for stake, paid in transfers.values()] == [(5, 9), (5, None)]
    assert {account.kind: account.credits - account.debits for account in store.accounts()} == {"bettor": 99, "house": 1, "outside": -100}


def test_a_deal_that_fails_spends_nothing(store, number):
    def fails(nonce, bets):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.take_bet(order(number, deal=fails))
    assert (store.balance("ann", "USD/2"), store.round_at(number, 0)) == (100, None)
    store.take_bet(order(number))
    with pytest.raises(ZeroDivisionError):
        store.settle_round(CoupOrder(number, 0, fails, AT))
    assert store.settle_round(CoupOrder(number, 0, returns(1), AT)).returned == 1


def test_whatever_a_guard_raises_comes_back(store, number):
    def exits(nonce, past):
        raise SystemExit

    def objects(nonce, past):
        raise GuardError("a", "b", "c")

    with pytest.raises(SystemExit):
        store.take_bet(order(number, examine=exits))
    answers = store.take_bets([order(number, examine=objects), order(number, "b")])
    assert (type(answers[0]), answers[1].nonce) == (GuardError, 0)
    assert [(event.kind, event.nonce) for event in store.events(number)][-1] == ("refused", 0)


def test_open_rounds_in_order(store, number):
    for key in ("a", "b", "c"):
        store.take_bet(order(number, key))
    store.settle_round(CoupOrder(number, 1, returns(1), AT))
    assert [row.nonce for row in store.open_rounds()] == [row.nonce for row in store.open_rounds(number)] == [0, 2]
    assert store.open_rounds(999) == []


def test_rounds_are_found_by_everything(store, number):
    for place in range(6):
        store.take_bet(order(number, f"{place}", at=AT + timedelta(seconds=place)))

    def nonces(limit=10, **query):
        return [row.nonce for row in store.rounds(RoundQuery(limit, **query))]

    ids = [row.id for row in store.rounds(RoundQuery(10))]
    assert nonces(pair=number) == nonces(bettor="ann", currency="USD/2") == nonces() == list(range(6))
    assert nonces(bettor="ann", currency="") == nonces(bettor="ben", currency="USD/2") == nonces(pair=999) == []
    assert nonces(3, is_latest_first=True) == nonces(3, pair=number, is_latest_first=True) == [5, 4, 3]
    assert nonces(after=ids[3]) == nonces(pair=number, after=ids[3]) == [4, 5]
    assert nonces(after=ids[3], is_latest_first=True) == [2, 1, 0]
    assert nonces(since=AT + timedelta(seconds=2), until=AT + timedelta(seconds=4)) == [2, 3]


def test_a_seal_is_exchanged_only_for_the_one_it_was_made_from(store):
    row = store.add_pair(new_pair("a"), AT)
    store.reseal_pair(row.number, Sealed("k1", b"other" * 12), Sealed("k2", b"y" * 60), AT)
    assert store.pair(row.id).sealed == row.sealed
    store.reseal_pair(row.number, row.sealed, Sealed("k2", b"y" * 60), AT)
    assert store.pair(row.id).sealed == Sealed("k2", b"y" * 60)


def test_the_life_of_a_debit(store, number):
    leg = store.begin_debit(order(number), "leg")
    assert isinstance(leg, LegRow)
    assert (leg.kind, leg.state, leg.amount, leg.key) == ("debit", "begun", 5, "key")
    assert store.begin_debit(order(number), "leg") == leg
    with pytest.raises(HouseError) as caught:
        store.begin_debit(order(number, bets="tie:5"), "leg")
    assert caught.value.code == "house.key_conflict"
    row = store.take_bet(order(number, leg="leg", credit="credit", deal=returns(9)))
    assert (row.balance_before, store.balance("ann", "USD/2")) == (105, 109)
    assert store.begin_debit(order(number), "leg") == row
    assert store.void_debit("leg", "too late", is_final=False).state == "done"
    assert [(found.id, found.amount) for found in store.unfinished_legs()] == [("credit", 9)]
    for _ in range(2):
        store.end_credit("credit", AT)
    assert store.balance("ann", "USD/2") == 100
    assert store.unfinished_legs() == []


def test_a_debit_that_is_given_up_pays_for_nothing(store, number):
    store.begin_debit(order(number), "leg")
    assert store.void_debit("leg", "no", is_final=True).state == "begun"
    assert store.void_debit("leg", "no", is_final=False).state == "voiding"
    for call in (lambda: store.take_bet(order(number, leg="leg")), lambda: store.begin_debit(order(number), "leg")):
        with pytest.raises(WalletGivenUpError, match="new key"):
            call()
    assert [found.state for found in store.unfinished_legs("leg")] == ["voiding"]
    assert store.void_debit("leg", "no", is_final=True).state == "void"
    assert store.unfinished_legs() == []
    assert store.balance("ann", "USD/2") == 100


def test_a_closed_store_refuses(store, number):
    store.close()
    store.close()
    for call in (lambda: store.balance("ann", "USD/2"), lambda: store.take_bet(order(number))):
        with pytest.raises(StoreError, match="closed"):
            call()
