"""Bets: one answer for each key, refusals that spend nothing and are kept, limits and guards."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provably_fair_baccarat import ALL_BETS, EZ_BACCARAT, PUNTO_BANCO, PayTable, RoundRecord, settle
from provably_fair_baccarat.errors import (
    AmountError,
    BaccaratError,
    BetError,
    FundsError,
    GuardError,
    GuardFailedError,
    KeyConflictError,
    LimitError,
    NonceError,
    PairNonceError,
    PairStateError,
    RequestError,
    StakeError,
    UnknownBetError,
    WalletRefusedError,
)
from provably_fair_baccarat.house import Acceptance, BetRequest, Exclusion, Limits, LossLimit, MinimumInterval, SessionTime
from provably_fair_baccarat.house.limits import exposure
from provably_fair_baccarat.house.wallets import MemoryWallet
from provably_fair_baccarat.testing import bets as any_bets
from provably_fair_baccarat.testing import coups, pay_tables

# Keys


def test_the_same_request_has_the_same_answer(house, pair):
    record = house.play(pair, {"player": 500, "tie": 5}, "key")
    balance = house.balance("ann")
    assert house.play(pair, {"tie": 5, "player": 500}, "key") == record
    assert house.play(pair, {"player": 500, "tie": 5}, "key", nonce=0) == record
    assert house.deal(house.accept(pair, {"player": 500, "tie": 5}, "key")) == record
    assert house.balance("ann") == balance
    assert house.pair(pair).next_nonce == 1


def test_an_accepted_bet_is_dealt_by_playing_it(house, pair):
    acceptance = house.accept(pair, {"tie": 5}, "key")
    assert house.accept(pair, {"tie": 5}, "key") == acceptance
    record = house.play(pair, {"tie": 5}, "key")
    assert (record.nonce, record.accepted_at) == (acceptance.nonce, acceptance.accepted_at)
    assert house.deal(acceptance) == record


def test_another_request_with_the_same_key_is_a_conflict(house, pair):
    other = house.choose_client_seed(house.commit("ann"), "lucky")
    record = house.play(pair, {"player": 500}, "key")
    for call in (
        lambda: house.play(pair, {"player": 501}, "key"),
        lambda: house.play(pair, {"banker": 500}, "key"),
        lambda: house.play(pair, {"player": 500, "tie": 1}, "key"),
        lambda: house.play(other, {"player": 500}, "key"),
        lambda: house.play(pair, {"player": 500}, "key", nonce=1),
        lambda: house.accept(pair, {"player": 1}, "key"),
    ):
        with pytest.raises(KeyConflictError, match="A new bet needs a new key"):
            call()
    assert house.play(pair, {"player": 500}, "key") == record


def test_keys_are_each_bettors_own(house, pair):
    house.deposit("ben", 1000, "deposit")
    other = house.choose_client_seed(house.commit("ben"), "lucky")
    assert house.play(pair, {"player": 5}, "key").commitment != house.play(other, {"player": 7}, "key").commitment


def test_an_answer_outlives_limits_seeds_and_houses(open_house):
    house = open_house()
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    record = house.play(pair, {"player": 500}, "key")
    house.rotate(pair)
    later = open_house(limits=Limits(max_stake=10), guards=[Exclusion(lambda _: True)])
    again = later.play(pair, {"player": 500}, "key")
    assert again.server_seed is not None
    assert again.to_dict() == {**record.to_dict(), "server_seed": again.server_seed}


def test_a_refused_bet_may_be_tried_again_with_its_key(house, pair):
    house.withdraw("ann", 999_999, "out")
    with pytest.raises(FundsError, match="at least 5, found 1"):
        house.play(pair, {"player": 5}, "key")
    house.deposit("ann", 10, "in")
    assert house.play(pair, {"player": 5}, "key").nonce == 0


# Refusals


def refusals(house, pair):
    return [(event.nonce, event.bets, event.key, event.reason.partition(":")[0]) for event in house.events(pair) if event.kind == "refused"]


@pytest.mark.parametrize(
    ("bets", "key", "nonce", "error"),
    [
        ({"player": 0}, "k", None, StakeError),
        ({"player": -5}, "k", None, StakeError),
        ({"player": 5.0}, "k", None, StakeError),
        ({"player": "5"}, "k", None, StakeError),
        ({"player": True}, "k", None, StakeError),
        ({"player": 10**38}, "k", None, StakeError),
        ({"player": 10**5000}, "k", None, StakeError),
        ({"player": 10**38 - 1, "banker": 1}, "k", None, AmountError),
        ({"tie": 10**38 - 1}, "k", None, AmountError),
        ({"dragon7": 5}, "k", None, UnknownBetError),
        ({5: 5}, "k", None, UnknownBetError),
        ({"player'; DROP TABLE round; --": 5}, "k", None, UnknownBetError),
        ({"\ud800": 5}, "k", None, UnknownBetError),
        ({}, "k", None, BetError),
        (None, "k", None, BetError),
        ("player", "k", None, BetError),
        ([("player", 5)], "k", None, BetError),
        ({"player": 1_000_003}, "k", None, FundsError),
        ({"player": 5}, "k", 3, PairNonceError),
        ({"player": 5}, "k", -1, NonceError),
        ({"player": 5}, "k", "0", NonceError),
        ({"player": 5}, "", None, RequestError),
        ({"player": 5}, "a\nb", None, RequestError),
        ({"player": 5}, "\ud800", None, RequestError),
        ({"player": 5}, "x" * 129, None, RequestError),
        ({"player": 5}, None, None, RequestError),
        ({"player": 1}, "k", None, LimitError),
    ],
)
def test_a_refused_bet_spends_nothing_and_is_kept(open_house, bets, key, nonce, error):
    house = open_house(limits=Limits(min_stake=2))
    house.deposit("ann", 1_000_000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 2}, "before")
    balance, events = house.balance("ann"), len(house.events())
    for call in (house.play, house.accept):
        with pytest.raises(error) as caught:
            call(pair, bets, key, nonce=nonce)
        assert type(caught.value) is error
    (answer,) = house.play_many([BetRequest(pair, bets, key, nonce)])
    assert type(answer) is error
    assert (house.balance("ann"), house.pair(pair).next_nonce, len(house.events())) == (balance, 1, events + 3)
    assert [(told[0], told[3]) for told in refusals(house, pair)] == [(1, error.code)] * 3
    assert house.play(pair, {"player": 2}, "after").nonce == 1


def test_a_refusal_says_what_was_asked(house, pair):
    with pytest.raises(FundsError):
        house.play(pair, {"tie": 5, "banker": 10**7}, "my key")
    house.rotate(pair)
    with pytest.raises(PairStateError):
        house.play(pair, {"tie": 5}, "other key")
    assert refusals(house, pair) == [
        (0, "banker:10000000 tie:5", "my key", "house.funds"),
        (0, "tie:5", "other key", "house.pair.state"),
    ]


def test_a_row_that_was_tampered_with_spoils_no_answer_but_its_own(house, pair, engine):
    kept = house.play(pair, {"player": 5}, "kept")
    engine.tamper("UPDATE transfer SET amount = '4' WHERE kind = 'stake'")
    answers = house.play_many([BetRequest(pair, {"player": 5}, "before"), BetRequest(pair, {"player": 5}, "kept")])
    assert isinstance(answers[0], RoundRecord)
    assert (answers[0].nonce, answers[1].code) == (kept.nonce + 1, "verification.ledger")


def test_many_bets_have_an_answer_each(house, pair):
    requests = [BetRequest(pair, {"player": 5 + (number % 3)}, f"key {number}") for number in range(250)]
    requests[7] = BetRequest(pair, {"player": 0}, "key 7")
    requests[9] = requests[8]
    requests[11] = BetRequest("nowhere", {"player": 5}, "key 11")
    requests[13] = BetRequest(pair, {"player": 10**9}, "key 13")
    requests[15] = BetRequest(pair, {"tie": 10}, "key 14")
    answers = house.play_many(requests)
    assert [type(answers[place]).__name__ for place in (7, 11, 13, 15)] == ["StakeError", "PairError", "FundsError", "KeyConflictError"]
    assert answers[8] == answers[9]
    played = [answer for answer in answers if not isinstance(answer, BaccaratError)]
    assert sorted({record.nonce for record in played}) == list(range(245))
    assert house.play_many([]) == []
    house.rotate(pair)
    assert house.verify_history(pair).rounds == 245


# Limits


@pytest.mark.parametrize(
    ("limits", "bets", "found"),
    [
        (Limits(min_stake=10), {"player": 9}, "expected 10 to"),
        (Limits(max_stake=10), {"player": 11}, "expected 1 to 10, found 11"),
        (Limits(min_total=10), {"player": 4, "banker": 5}, "stakes in all: expected 10 to"),
        (Limits(max_total=10), {"player": 4, "banker": 7}, "found 11"),
        (Limits(stake_step=5), {"player": 12}, "a multiple of 5, found 12"),
        (Limits(per_bet={"tie": (5, 6)}), {"tie": 7}, "stake on tie: expected 5 to 6, found 7"),
        (Limits(max_payout=99), {"player": 50}, "at most 99, found 100"),
        (Limits(max_payout=99), {"tie": 10, "banker": 10}, "at most 99, found 100"),
        (Limits(), {"banker": 1}, "one whose win returns more than itself, found 1"),
    ],
)
def test_limits(open_house, limits, bets, found):
    house = open_house(limits=limits)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(LimitError, match=found):
        house.play(pair, bets, "key")


def test_limits_let_their_edges_pass():
    limits = Limits(2, 100, 4, 100, 200, 2, {"tie": (2, 2)})
    limits.examine({"player": 100}, PUNTO_BANCO)
    limits.examine({"tie": 2, "banker": 2}, PUNTO_BANCO)
    Limits().examine({"banker": 1}, PayTable(banker_multiplier="1.0"))


@pytest.mark.parametrize(
    "arguments",
    [
        {"min_stake": 0},
        {"max_stake": 10**38},
        {"min_stake": 5, "max_stake": 4},
        {"min_total": 5, "max_total": 4},
        {"stake_step": 1.0},
        {"per_bet": 5},
        {"per_bet": {"tie": 5}},
        {"per_bet": {"tie": (5, 4)}},
        {"per_bet": {"tie": (0, 4)}},
    ],
)
def test_what_are_no_limits(arguments):
    with pytest.raises(RequestError):
        Limits(**arguments)


@given(pay_tables().flatmap(lambda table: st.tuples(st.just(table), any_bets(table))), coups())
def test_no_coup_returns_more_than_the_exposure(table_and_bets, coup):
    table, bets = table_and_bets
    try:
        most = exposure(bets, table)
    except AmountError:
        return
    assert settle(coup, bets, table).returned <= most


def test_exposure_adds_what_can_happen_together():
    assert exposure({"player": 100, "banker": 100}, PUNTO_BANCO) == 200
    assert exposure({"player": 100, "tie": 100}, PUNTO_BANCO) == 1000
    assert exposure({"player": 100, "small": 100}, ALL_BETS) == 450
    assert exposure({"banker": 100, "dragon7": 1}, EZ_BACCARAT) == 241


# Guards


class Spy:
    def __init__(self):
        self.seen = []

    def objection(self, bet, past):
        self.seen.append((bet, past.last_accepted_at(), past.net_since(bet.at - timedelta(days=1)), past.rounds_since(bet.at)))


def test_a_guard_sees_the_bet_and_the_past_and_no_outcome(open_house):
    spy = Spy()
    house = open_house(guards=[spy])
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    first = house.play(pair, {"player": 100}, "a")
    house.accept(pair, {"player": 50}, "b")
    house.play(pair, {"player": 1}, "c")
    assert [bet.nonce for bet, *_ in spy.seen] == [0, 1, 2]
    assert [last for _, last, *_ in spy.seen][1] == first.accepted_at
    assert [net for _, _, net, _ in spy.seen] == [0, first.totals.net, first.totals.net - 50]
    assert set(type(spy.seen[0][0]).__slots__) == {"bettor", "pair", "nonce", "bets", "staked", "at"}


def test_guards_object(open_house):
    sessions = {}
    guards = [
        Exclusion(lambda bettor: bettor == "cat"),
        LossLimit(300, timedelta(hours=1)),
        MinimumInterval(timedelta(seconds=3)),
        SessionTime(timedelta(minutes=1), sessions.get),
    ]
    house = open_house(guards=guards)
    pairs = {}
    for bettor in ("ann", "cat"):
        house.deposit(bettor, 1000, "deposit")
        pairs[bettor] = house.choose_client_seed(house.commit(bettor), "lucky")

    def refusal(bettor, stake, key):
        with pytest.raises(GuardError) as caught:
            house.play(pairs[bettor], {"player": stake}, key)
        return caught.value.found

    assert refusal("cat", 5, "a") == "This bettor is excluded."
    assert refusal("ann", 301, "a") == "This could lose more than 300 within 1:00:00."
    assert refusal("ann", 5, "a") == "There is no session."
    sessions["ann"] = house.pair(pairs["ann"]).committed_at
    house.play(pairs["ann"], {"player": 5}, "a")
    assert refusal("ann", 5, "b") == "There must be 0:00:03 between rounds."
    sessions["ann"] -= timedelta(minutes=2)
    house.balance("ann")
    for _ in range(2):
        house.commit("ann")
    assert refusal("ann", 5, "b") == "The session is longer than 0:01:00."


@pytest.mark.parametrize("fault", [ZeroDivisionError("x"), StakeError("a", "b", "c"), KeyError()])
def test_a_guard_that_fails_refuses(open_house, fault):
    class Broken:
        def objection(self, bet, past):
            raise fault

    house = open_house(guards=[Broken()])
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(GuardFailedError, match="guard Broken"):
        house.play(pair, {"player": 5}, "key")
    assert house.balance("ann") == 1000


def test_a_guard_cannot_call_the_house(open_house):
    class Caller:
        def objection(self, bet, past):
            house.deposit("ann", 1, "from inside")

    house = open_house(guards=[Caller()])
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(GuardError, match="a call of the store from inside it"):
        house.play(pair, {"player": 5}, "key")


WORDED = pytest.mark.parametrize("words", ["no\0thing", "no \ud800", "100 % \\u0000"])
"""Texts of others that a database, or UTF-8, has no place for; and one that looks like it."""


@WORDED
def test_whatever_a_guard_says_is_kept(open_house, words):
    class Guard:
        def objection(self, bet, past):
            return words

    house = open_house(guards=[Guard()])
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(GuardError):
        house.play(pair, {"player": 5}, "key")
    assert words[:2] in house.events(pair)[-1].reason


@WORDED
def test_whatever_a_wallet_says_is_kept(open_house, words):
    class Wallet(MemoryWallet):
        def debit(self, transaction):
            raise WalletRefusedError("balance", "enough", words)

    house = open_house(wallet=Wallet({}))
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(WalletRefusedError):
        house.play(pair, {"player": 5}, "key")
    assert words[:2] in house.events(pair)[-1].reason
    assert house.pending().total == 0


def test_a_loss_limit_is_a_whole_number():
    with pytest.raises(RequestError):
        LossLimit(1.5, timedelta(1))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    bets=st.dictionaries(st.text(max_size=8) | st.sampled_from(["player", "tie"]), st.integers() | st.floats() | st.text(), max_size=3)
    | st.none(),
    key=st.text() | st.none() | st.binary(max_size=3),
    nonce=st.none() | st.integers() | st.just(2**70) | st.text(max_size=3),
    name=st.text() | st.integers(),
)
def test_whatever_is_asked_only_our_errors_come_back(house, pair, bets, key, nonce, name):  # noqa: PLR0917 (hypothesis names them)
    for call in (
        lambda: house.play(pair, bets, key, nonce=nonce),
        lambda: house.deposit(name, nonce, key),
        lambda: house.play(name, bets, key),
        lambda: house.commit(name),
        lambda: house.deal(name),
        lambda: house.history(after=nonce, limit=name, since=name),
        lambda: house.events(after=nonce),
        lambda: house.export(name),
        lambda: house.reseal(name),
        lambda: house.deal(Acceptance(pair.id, "ann", nonce, key, (), 1, None)),
        lambda: house.play_many([bets, BetRequest(name, bets, key), BetRequest(pair, bets, key, nonce)]),
    ):
        with suppress(BaccaratError):
            call()
    house.verify_books()
