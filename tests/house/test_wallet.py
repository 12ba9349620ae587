"""An operator's own wallet: debited before a nonce is spent, credited until it has it, over a network that loses and repeats."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest

from provably_fair_baccarat.errors import (
    BaccaratError,
    FundsError,
    PairStateError,
    RequestError,
    WalletConflictError,
    WalletElsewhereError,
    WalletError,
    WalletGivenUpError,
    WalletRefusedError,
    WalletTimeoutError,
)
from provably_fair_baccarat.house import BetRequest, Pending, Recovery, WalletTransaction
from provably_fair_baccarat.house.export import CSV_COLUMNS
from provably_fair_baccarat.house.wallets import MemoryWallet, UnreliableWallet

from .conftest import Clock

NOW = timedelta(0)
"""For a recover() that follows a crash: nobody is asking the wallet for anything."""


def no_pause(attempt):
    return None


def held(house, bettor="ann"):
    """What is in a bettor's account here, on its way to or from the wallet."""
    return house._store.balance(bettor, "USD/2")


@pytest.fixture
def wallet():
    return MemoryWallet({"ann": 10_000})


@pytest.fixture
def remote(open_house, wallet):
    return open_house(wallet=wallet, pause=no_pause)


@pytest.fixture
def pair(remote):
    return remote.choose_client_seed(remote.commit("ann"), "lucky")


NO_ANSWER = WalletTimeoutError("wallet", "an answer", "none")


class Dead:
    """A wallet that dies on some methods; `error` is what happens instead of an answer."""

    def __init__(self, wallet, *dead, error=NO_ANSWER):
        self.wallet, self.dead, self.error, self.asked = wallet, dead, error, []

    def __getattr__(self, name):
        def ask(transaction):
            self.asked.append((name, transaction.id))
            if name in self.dead:
                raise self.error
            return getattr(self.wallet, name)(transaction)

        return ask


def test_a_round_is_one_debit_and_one_credit(remote, pair, wallet):
    records = [remote.play(pair, {"player": 100}, f"{number}") for number in range(10)]
    assert wallet.balances["ann"] == 10_000 + sum(record.totals.net for record in records)
    assert held(remote) == 0
    kinds = [(kind, transaction.amount) for kind, transaction in wallet.done.values()]
    assert kinds.count(("debit", 100)) == 10
    assert len(kinds) == 10 + sum(record.totals.returned > 0 for record in records)
    for transaction_id, (kind, transaction) in wallet.done.items():
        assert transaction_id == f"{transaction.round}-{kind}"
    assert remote.play(pair, {"player": 100}, "3") == records[3]
    assert len(wallet.done) == len(kinds)
    remote.verify_books()
    remote.rotate(pair)
    assert remote.verify_history(pair).rounds == 10


def test_balances_are_the_wallets_to_tell(open_house, remote, pair, wallet):
    remote.play(pair, {"player": 100}, "a")
    remote.accept(pair, {"player": 100}, "b")
    with pytest.raises(WalletElsewhereError, match="a wallet that tells it"):
        remote.balance("ann")
    for kept in (*remote.recall("ann"), remote.round_at(pair, 0), remote.round_at(pair, 1)):
        assert (kept.balance_before, kept.balance_after) == (None, None)
        assert (kept.to_dict()["balance_before"], kept.to_dict()["balance_after"]) == (None, None)
    _, row = list(remote.export("csv", pair=pair))
    told = dict(zip(CSV_COLUMNS, row.decode().rstrip("\n").split(","), strict=True))
    assert (told["balance_before"], told["balance_after"]) == ("", "")

    class Telling(Dead):
        def balance(self, bettor, currency):
            if self.dead:
                raise OSError("hunter2")
            return self.wallet.balances[bettor] if currency == "USD/2" else "none"

    assert open_house(wallet=Telling(wallet)).balance("ann") == wallet.balances["ann"]
    with pytest.raises(WalletTimeoutError) as caught:
        open_house(wallet=Telling(wallet, "all")).balance("ann")
    assert "hunter2" not in str(caught.value)
    with pytest.raises(WalletError, match="a value of type str"):
        open_house(wallet=Telling(wallet), currency=None).balance("ann")


def test_accept_deal_and_many(remote, pair, wallet):
    acceptance = remote.accept(pair, {"player": 100}, "a")
    assert wallet.balances["ann"] == 9_900
    record = remote.deal(acceptance)
    assert wallet.balances["ann"] == 9_900 + record.totals.returned
    answers = remote.play_many([BetRequest(pair, {"player": 5}, "b"), BetRequest(pair, {"player": 50_000}, "c"), BetRequest(pair, {}, "d")])
    assert [getattr(answer, "code", None) for answer in answers] == [None, "house.wallet.refused", "money.bet"]
    open_one = remote.accept(pair, {"player": 100}, "e")
    assert remote.play(pair, {"player": 100}, "e").nonce == open_one.nonce
    assert remote.recover() == Recovery(0, 0, 0, Pending(0, 0, 0, 0, None))


def test_a_refused_debit_spends_nothing_and_stays_refused(remote, pair, wallet):
    with pytest.raises(WalletRefusedError, match="at least 10001, found 10000"):
        remote.play(pair, {"player": 10_001}, "a")
    wallet.balances["ann"] = 20_000
    with pytest.raises(WalletGivenUpError) as caught:
        remote.play(pair, {"player": 10_001}, "a")
    assert str(caught.value) == (
        "debit for key 'a': expected one to pay for the bet with, found one that was given up. "
        "Its stake is not taken, or is given back: make the bet again with a new key."
    )
    assert (remote.pair(pair).next_nonce, wallet.balances["ann"]) == (0, 20_000)
    assert [event.reason.partition(":")[0] for event in remote.events(pair) if event.kind == "refused"] == [
        "house.wallet.refused",
        "house.wallet.given_up",
    ]


def test_a_debit_without_an_answer_is_rolled_back(open_house, wallet):
    dead = Dead(wallet, "debit")
    house = open_house(wallet=dead, pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(WalletTimeoutError, match=r"none to 5 requests\. Its stake is not taken"):
        house.play(pair, {"player": 5}, "a")
    assert [name for name, _ in dead.asked] == ["debit"] * 5 + ["roll_back"]
    with pytest.raises(WalletRefusedError, match="one that was"):
        wallet.debit(WalletTransaction(dead.asked[0][1], dead.asked[0][1].removesuffix("-debit"), "ann", "USD/2", 5))
    assert (house.pair(pair).next_nonce, wallet.balances["ann"]) == (0, 10_000)


def test_a_debit_that_is_refused_after_a_silence_may_arrive_late_and_is_rolled_back(open_house, wallet):
    """The first request is on its way when the second is refused."""
    late = []

    class Slow(Dead):
        def debit(self, transaction):
            if not late:
                late.append(transaction)
                raise TimeoutError
            wallet.debit(transaction)

    wallet.balances["ann"] = 0
    house = open_house(wallet=Slow(wallet), pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(WalletRefusedError, match="at least 5, found 0"):
        house.play(pair, {"player": 5}, "a")
    wallet.balances["ann"] = 10
    with pytest.raises(WalletRefusedError, match="one that was"):
        wallet.debit(late[0])
    assert (wallet.balances["ann"], house.pending().total) == (10, 0)


@pytest.mark.parametrize("error", [WalletTimeoutError("w", "a", "b"), OSError("gone"), ZeroDivisionError()])
def test_a_wallet_that_is_gone_is_left_to_recover(open_house, wallet, error):
    house = open_house(wallet=Dead(wallet, "debit", "roll_back", error=error), pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(WalletTimeoutError):
        house.play(pair, {"player": 5}, "a")
    house.recover(after=NOW)
    assert house.events()[-1].kind == "error"
    house = open_house(wallet=wallet, pause=no_pause)
    house.recover(after=NOW)
    assert house._store.unfinished_legs() == []
    assert list(wallet.rolled_back) != []


def test_a_credit_is_asked_for_until_the_wallet_has_it(open_house, wallet):
    dead = Dead(wallet, "credit", error=WalletRefusedError("w", "a", "b"))
    house = open_house(wallet=dead, pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    records = [house.play(pair, {"player": 100, "banker": 100}, f"{number}") for number in range(4)]
    returned = sum(record.totals.returned for record in records)
    assert returned > 0
    assert (wallet.balances["ann"], held(house)) == (10_000 - 800, returned)
    house = open_house(wallet=wallet, pause=no_pause)
    house.recover(after=NOW)
    house.recover(after=NOW)
    assert (wallet.balances["ann"], held(house)) == (10_000 - 800 + returned, 0)
    house.verify_books()


class Recovering(Dead):
    """A wallet during whose debit somebody recovers."""

    def __init__(self, wallet, recover=None):
        super().__init__(wallet)
        self.recover = recover

    def debit(self, transaction):
        self.wallet.debit(transaction)
        self.recover()


def test_a_bet_under_way_is_not_given_up(open_house, wallet):
    recovering = Recovering(wallet)
    house = open_house(wallet=recovering, pause=no_pause)
    recovering.recover = house.recover
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    record = house.play(pair, {"player": 5}, "a")
    assert (record.nonce, wallet.balances["ann"], wallet.rolled_back) == (0, 10_000 + record.totals.net, {})


def test_a_bet_under_way_is_given_up_by_who_says_so(open_house, wallet):
    recovering = Recovering(wallet)
    house = open_house(wallet=recovering, pause=no_pause)
    recovering.recover = partial(house.recover, after=NOW)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    for _ in range(2):
        with pytest.raises(WalletGivenUpError):
            house.play(pair, {"player": 5}, "a")
    assert (house.pair(pair).next_nonce, wallet.balances["ann"]) == (0, 10_000)
    assert [event.reason.partition(":")[0] for event in house.events(pair) if event.kind == "refused"] == ["house.wallet.given_up"] * 2


def test_a_bet_given_up_meanwhile_is_rolled_back_all_the_same(open_house, wallet):
    """Somebody gives the debit up and doesn't reach the wallet; whoever bets with it must, and not take that for a refusal."""
    recovering = Recovering(Dead(wallet, "roll_back"))
    house = open_house(wallet=recovering, pause=no_pause)
    recovering.recover = partial(house.recover, after=NOW)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(WalletGivenUpError):
        house.play(pair, {"player": 5}, "a")
    assert [leg.state for leg in house._store.unfinished_legs()] == ["voiding"]
    house = open_house(wallet=wallet, pause=no_pause)
    house.recover()
    assert (wallet.balances["ann"], house._store.unfinished_legs()) == (10_000, [])


def test_a_debit_is_given_up_when_it_is_old(open_house, wallet):
    def crash():
        raise Crash

    clock = Clock()
    house = open_house(wallet=Recovering(wallet, crash), pause=no_pause, clock=clock)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(Crash):
        house.play(pair, {"player": 5}, "a")
    (leg,) = house._store.unfinished_legs()
    house = open_house(wallet=wallet, pause=no_pause, clock=clock)
    for age, balance in ((timedelta(minutes=5) - timedelta(microseconds=1), 9_995), (timedelta(minutes=5), 10_000)):
        clock.now = leg.begun_at + age - timedelta(seconds=1, microseconds=7)
        house.recover()
        assert wallet.balances["ann"] == balance


def test_what_is_pending_and_what_a_recovery_does(open_house, wallet, caplog):
    """What the wallet didn't do is counted, and logged without what its own errors say."""
    caplog.set_level("WARNING", logger="provably_fair_baccarat.house")
    dead = Dead(wallet, "credit", error=OSError("hunter2"))
    house = open_house(wallet=dead, pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    assert house.pending() == Pending(0, 0, 0, 0, None)
    paid = [bool(house.play(pair, {"player": 100, "banker": 100}, f"{number}").totals.returned) for number in range(4)].count(True)
    waiting = house.accept(pair, {"player": 100}, "open")
    dead.dead = ("credit", "debit", "roll_back")
    with pytest.raises(WalletTimeoutError):
        house.play(pair, {"player": 100}, "silent")
    left = house.pending()
    assert (left.rounds, left.debits, left.roll_backs, left.credits, left.total) == (1, 0, 1, paid, paid + 2)
    assert left.since == min(leg.begun_at for leg in house._store.unfinished_legs()) < waiting.accepted_at
    assert len(caplog.messages) == paid + 1
    assert caplog.messages[0].startswith("house.wallet.timeout: the credit ")
    assert caplog.messages[-1].startswith("house.wallet.timeout: the roll-back of the debit ")
    assert pair.id in caplog.text
    assert "hunter2" not in caplog.text
    recovered = house.recover()
    assert (recovered.dealt, recovered.credited, recovered.rolled_back, recovered.pending.rounds) == (1, 0, 0, 0)
    owed = recovered.pending.credits
    recovered = open_house(wallet=wallet, pause=no_pause).recover()
    assert recovered == Recovery(0, owed, 1, Pending(0, 0, 0, 0, None))


def test_a_debit_that_nobody_answered_is_pending(open_house, wallet):
    def look():
        seen.append(house.pending())

    seen = []
    house = open_house(wallet=Recovering(wallet, look), pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "a")
    (pending,) = seen
    assert (pending.rounds, pending.debits, pending.roll_backs, pending.credits) == (0, 1, 0, 0)


@pytest.mark.parametrize("after", [timedelta(-1), 60, None])
def test_how_old_a_debit_must_be(house, after):
    with pytest.raises(RequestError, match="after: expected a timedelta that is not negative"):
        house.recover(after=after)


class Crash(BaseException):
    """The process ends here, as far as a test can tell."""


@pytest.mark.parametrize("moment", ["before the debit", "after the debit", "after the bet", "before the credit", "after the credit"])
def test_a_crash_at_any_moment_is_made_good(open_house, wallet, moment, monkeypatch):
    house = open_house(wallet=wallet, pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    owner, method, is_before = {
        "before the debit": (wallet, "debit", True),
        "after the debit": (wallet, "debit", False),
        "after the bet": (house._store, "take_bet", False),
        "before the credit": (wallet, "credit", True),
        "after the credit": (wallet, "credit", False),
    }[moment]
    real = getattr(owner, method)

    def crash(*arguments):
        if not is_before:
            real(*arguments)
        raise Crash

    number = 0
    with monkeypatch.context() as patch:
        patch.setattr(owner, method, crash)
        while True:  # until a round returns something, so that there is a credit
            number += 1
            try:
                house.play(pair, {"player": 100, "banker": 100}, f"{number}")
            except Crash:
                break
    house = open_house(wallet=wallet, pause=no_pause)
    for _ in range(2):
        house.recover(after=NOW)
    paid = sum(kept.record.totals.net for kept in house.history(pair=pair).rounds)
    assert wallet.balances["ann"] == 10_000 + paid
    assert held(house) == 0
    assert len(house.history(pair=pair).rounds) == (number - 1 if moment in ("before the debit", "after the debit") else number)
    house.verify_books()


def test_a_bet_that_is_refused_after_its_debit_is_refunded(open_house, wallet):
    class Closing(Dead):
        def debit(self, transaction):
            self.wallet.debit(transaction)
            house.close_pair(pair)

    house = open_house(wallet=Closing(wallet), pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    with pytest.raises(PairStateError):
        house.play(pair, {"player": 5}, "a")
    assert (wallet.balances["ann"], house.pair(pair).next_nonce) == (10_000, 0)
    assert house._store.unfinished_legs() == []


def test_a_bad_network_changes_nothing_in_the_end(open_house):
    wallet = MemoryWallet({"ann": 100_000, "ben": 500})
    chance = random.Random(5)
    network = UnreliableWallet(wallet, chance)
    house = open_house(wallet=network, pause=no_pause)
    pairs = [house.choose_client_seed(house.commit(bettor), "lucky") for bettor in ("ann", "ben")]
    refused = 0
    for number in range(150):
        try:
            house.play(pairs[number % 2], {"player": 100}, f"{number}")
        except WalletError:
            refused += 1
        if number % 20 == 0:
            house.recover(after=NOW)
    network.deliver()
    house = open_house(wallet=wallet, pause=no_pause)
    house.recover(after=NOW)
    network.deliver()
    assert 0 < refused < 150
    for bettor, pair, start in (("ann", pairs[0], 100_000), ("ben", pairs[1], 500)):
        net = sum(kept.record.totals.net for kept in house.history(pair=pair, limit=1000).rounds)
        assert wallet.balances[bettor] == start + net
        assert held(house, bettor) == 0
        house.rotate(pair)
        house.verify_history(pair)
    assert house._store.unfinished_legs() == []


def test_many_threads_and_one_key_debit_once(remote, pair, wallet):
    with ThreadPoolExecutor(16) as pool:
        records = set(pool.map(lambda _: remote.play(pair, {"player": 100}, "key").to_json(), range(16)))
    assert len(records) == 1
    assert sum(kind == "debit" for kind, _ in wallet.done.values()) == 1


def test_a_request_that_hears_nothing_has_the_answer_of_its_twin(open_house, wallet):
    """The same bet asked for twice at once: one hears nothing from the wallet, and the other one's debit has paid for it."""

    class Late(Dead):
        def debit(self, transaction):
            if not twins:
                twins.append("under way")
                twins[0] = house.play(pair, {"player": 100}, "key")
            elif twins == ["under way"]:
                return self.wallet.debit(transaction)
            raise NO_ANSWER

    twins = []
    house = open_house(wallet=Late(wallet), pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    record = house.play(pair, {"player": 100}, "key")
    assert twins == [record]
    assert [event.kind for event in house.events(pair)] == ["committed", "chosen"]
    assert wallet.balances["ann"] == 10_000 + record.totals.net


def test_money_is_where_the_pair_says(open_house, remote, pair):
    with pytest.raises(WalletError, match="a House whose ledger"):
        remote.deposit("ann", 5, "a")
    acceptance = remote.accept(pair, {"player": 5}, "b")
    local = open_house()
    for call in (lambda: local.play(pair, {"player": 5}, "c"), lambda: local.deal(acceptance)):
        with pytest.raises(WalletError, match="a House without one"):
            call()
    assert local.recover().dealt == 0


@pytest.mark.parametrize("open_first", [False, True])
def test_what_the_wallet_is_owed_is_nothing_to_bet_with(open_house, wallet, open_first):
    """Not under a pair of before there was a wallet, and not by a House without one. Once it is paid, it is gone."""
    local = open_house()
    old = local.choose_client_seed(local.commit("ann"), "lucky")
    local.deposit("ann", 7, "deposit")
    house = open_house(wallet=Dead(wallet, "credit"), pause=no_pause)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    returned = 0
    for number in range(6):
        bet = (pair, {"player": 100, "banker": 100}, f"{number}")
        returned += (house.deal(house.accept(*bet)) if open_first else house.play(*bet)).totals.returned
    assert returned > 300
    assert held(house) == returned + 7
    for bets in (lambda: house.play(old, {"player": 8}, "a"), lambda: house.accept(old, {"player": 8}, "a", nonce=0)):
        with pytest.raises(FundsError, match="at least 8, found 7"):
            bets()
    (answer,) = house.play_many([BetRequest(old, {"player": 8}, "a")])
    assert isinstance(answer, FundsError)
    local = open_house()
    with pytest.raises(FundsError, match="at least 8, found 7"):
        local.withdraw("ann", 8, "out")
    net = local.play(old, {"player": 7}, "b").totals.net
    house = open_house(wallet=wallet, pause=no_pause)
    assert house.recover().pending.total == 0
    assert (held(house), wallet.balances["ann"]) == (7 + net, 10_000 - 1200 + returned)
    house.verify_books()


def test_a_key_of_another_bet_is_a_conflict(remote, pair):
    remote.play(pair, {"player": 5}, "a")
    with pytest.raises(BaccaratError) as caught:
        remote.play(pair, {"player": 6}, "a")
    assert caught.value.code == "house.key_conflict"


def test_the_double_keeps_its_contract(wallet):
    debit = WalletTransaction("a-debit", "a", "ann", "USD/2", 10)
    for _ in range(2):
        wallet.debit(debit)
    assert wallet.balances["ann"] == 9_990
    with pytest.raises(WalletConflictError):
        wallet.debit(WalletTransaction("a-debit", "a", "ann", "USD/2", 11))
    with pytest.raises(WalletConflictError):
        wallet.credit(debit)
    for _ in range(2):
        wallet.roll_back(debit)
    assert wallet.balances["ann"] == 10_000
    late = WalletTransaction("b-debit", "b", "ann", "USD/2", 10)
    wallet.roll_back(late)
    with pytest.raises(WalletRefusedError):
        wallet.debit(late)
    assert wallet.balances["ann"] == 10_000
