"""The whole life against a model: deposits, commits, bets, retries, rotations and new starts, in any order."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from provably_fair_baccarat import PayTable, RoundRecord, verify_record
from provably_fair_baccarat.errors import BaccaratError, FundsError, KeyConflictError, PairStateError
from provably_fair_baccarat.house import BetRequest, House

from .conftest import ENGINES, Clock, make_vault, repeating_entropy

BETTORS = st.sampled_from(["ann", "ben"])
KEYS = st.sampled_from([f"key {number}" for number in range(6)])
BETS = st.dictionaries(st.sampled_from(["player", "banker", "tie"]), st.integers(1, 60), max_size=2)


class Life(RuleBasedStateMachine):
    """`pairs` holds [bettor, state, nonces spent, open nonces] by id; `answers` the record or acceptance of each (bettor, key).

    Pairs may have a seed chain; `links` are the (pair, nonce) whose link was told in a record.
    """

    engine_name = "sqlite"
    all_pairs = Bundle("all_pairs")

    @initialize()
    def open(self):
        self.folder = tempfile.TemporaryDirectory()
        self.engine = ENGINES[self.engine_name](Path(self.folder.name))
        self.options = {"clock": Clock(), "entropy": repeating_entropy(), "cap": 5, "pay_table": PayTable(banker_multiplier="1.5")}
        self.house = House(self.engine.open(), make_vault(), **self.options)
        self.chains = set()
        self.links = set()
        self.balances = {"ann": 0, "ben": 0}
        self.cash = {}
        self.pairs = {}
        self.requests = {}
        self.records = {}
        self.refused = 0

    def teardown(self):
        if hasattr(self, "engine"):
            for pair in self.pairs:
                self.house.rotate(pair)
                assert self.house.verify_history(pair).rounds == self.pairs[pair][2]
            self.engine.close()
            self.folder.cleanup()

    @rule(bettor=BETTORS, amount=st.integers(1, 300), key=KEYS, out=st.booleans())
    def move_cash(self, bettor, amount, key, out):
        request = (amount, out)
        known = self.cash.get((bettor, key))
        allowed = known == request or (known is None and not (out and amount > self.balances[bettor]))
        try:
            (self.house.withdraw if out else self.house.deposit)(bettor, amount, key)
        except (KeyConflictError, FundsError):
            assert not allowed
        else:
            assert allowed
            if known is None:
                self.balances[bettor] += -amount if out else amount
            self.cash[bettor, key] = request

    @rule(target=all_pairs, bettor=BETTORS, length=st.none() | st.integers(5, 8))
    def commit(self, bettor, length):
        house = House(self.house._store, make_vault(), chain_length=length, **self.options)
        pair = house.commit(bettor)
        self.pairs[pair.id] = [bettor, "committed", 0, set()]
        if length is not None:
            self.chains.add(pair.id)
        return pair.id

    @rule(pair=all_pairs, made_by_operator=st.booleans())
    def choose(self, pair, made_by_operator):
        state = self.pairs[pair]
        try:
            self.house.choose_client_seed(pair, None if made_by_operator else "lucky")
        except PairStateError:
            assert state[1] != "committed"
        else:
            assert state[1] == "committed"
            state[1] = "active"

    def refusal(self, pair, bets, key, nonce):
        """The code of the refusal that a bet must meet with, or None."""
        bettor, state, spent, _ = self.pairs[pair]
        known = self.requests.get((bettor, key))
        if bets and known is not None:
            return None if known[:2] == (pair, bets) and nonce in (None, known[2]) else "house.key_conflict"
        reasons = {
            "money.bet": not bets,
            "house.pair.state": state != "active",
            "house.pair.cap": spent >= 5,
            "house.pair.nonce": nonce not in (None, spent),
            "house.limit": bets.get("banker") == 1,
            "house.funds": sum(bets.values()) > self.balances[bettor],
        }
        return next((code for code, holds in reasons.items() if holds), None)

    def bet(self, pair, bets, key, nonce, call, *, is_dealt):
        """What a bet must come to, and that it does."""
        bettor, _, spent, open_nonces = model = self.pairs[pair]
        bets = dict(sorted(bets.items()))
        known = self.requests.get((bettor, key))
        expected = self.refusal(pair, bets, key, nonce)
        answer = call()
        if isinstance(answer, BaccaratError):
            assert answer.code == expected
            self.refused += 1
            return
        assert expected is None
        if known is None:
            assert answer.nonce == spent
            model[2] += 1
            self.requests[bettor, key] = known = (pair, bets, spent)
            self.balances[bettor] -= sum(bets.values())
            open_nonces.add(spent)
        assert answer.nonce == known[2]
        if is_dealt:
            self.note(pair, answer)

    def note(self, pair, record):
        bettor, _, _, open_nonces = self.pairs[pair]
        assert isinstance(record, RoundRecord)
        if record.nonce in open_nonces:
            open_nonces.discard(record.nonce)
            self.balances[bettor] += record.totals.returned
        if pair in self.chains and record.server_seed is not None:
            verify_record(record)
            self.links.add((pair, record.nonce))
        known = self.records.setdefault((pair, record.nonce), record)
        assert {**record.to_dict(), "server_seed": None} == {**known.to_dict(), "server_seed": None}

    def answer(self, call, *arguments, **named):
        try:
            return call(*arguments, **named)
        except BaccaratError as error:
            return error

    @rule(pair=all_pairs, bets=BETS, key=KEYS, nonce=st.none() | st.integers(0, 5))
    def play(self, pair, bets, key, nonce):
        self.bet(pair, bets, key, nonce, lambda: self.answer(self.house.play, pair, bets, key, nonce=nonce), is_dealt=True)

    @rule(pair=all_pairs, bets=BETS, key=KEYS)
    def accept(self, pair, bets, key):
        self.bet(pair, bets, key, None, lambda: self.answer(self.house.accept, pair, bets, key), is_dealt=False)

    @rule(pair=all_pairs, bets=BETS, key=KEYS)
    def accept_and_deal(self, pair, bets, key):
        def both():
            acceptance = self.answer(self.house.accept, pair, bets, key)
            return acceptance if isinstance(acceptance, BaccaratError) else self.house.deal(acceptance)

        self.bet(pair, bets, key, None, both, is_dealt=True)

    @rule(pair=all_pairs, items=st.lists(st.tuples(BETS, KEYS), max_size=4))
    def play_many(self, pair, items):
        answers = self.house.play_many(BetRequest(pair, bets, key) for bets, key in items)
        for (bets, key), answer in zip(items, answers, strict=True):
            # a later item's refusal for want of funds may rest on an earlier one's return, so the model follows the order
            self.bet(pair, bets, key, None, lambda answer=answer: answer, is_dealt=True)

    @rule()
    def retry_everything(self):
        for (_, key), (pair, bets, nonce) in list(self.requests.items()):
            self.note(pair, self.house.play(pair, bets, key, nonce=nonce))

    @rule(pair=all_pairs)
    def close(self, pair):
        state = self.house.close_pair(pair).state.value
        if self.pairs[pair][1] != "revealed":
            self.pairs[pair][1] = "closing"
        assert state == self.pairs[pair][1]

    @rule(target=all_pairs, pair=all_pairs)
    def rotate(self, pair):
        rotation = self.house.rotate(pair)
        self.settle_open(pair)
        self.pairs[pair][1] = "revealed"
        for (of, _), record in self.records.items():
            if of == pair and pair not in self.chains:
                verify_record(record.reveal(rotation.revealed.server_seed))
        self.pairs.setdefault(rotation.next_pair.id, [rotation.next_pair.bettor, "committed", 0, set()])
        return rotation.next_pair.id

    @rule(pair=all_pairs)
    def prove(self, pair):
        """Under a chain exactly the coups before the first open one are proved."""
        if pair not in self.chains:
            return
        first_open = min(self.pairs[pair][3], default=self.pairs[pair][2])
        assert self.house.verify_history(pair).rounds == first_open
        for kept in self.house.history(pair=pair).rounds:
            nonce = kept.acceptance.nonce
            assert (kept.record is not None and kept.record.server_seed is not None) == (nonce < first_open)

    def settle_open(self, pair):
        for kept in self.house.history(pair=pair).rounds:
            self.note(pair, kept.record)

    @rule(recovers=st.booleans())
    def start_again(self, recovers):
        self.house.close()
        self.house = House(self.engine.open(), make_vault(), **self.options)
        if recovers:
            assert self.house.recover().dealt == sum(len(model[3]) for model in self.pairs.values())
            for pair in self.pairs:
                self.settle_open(pair)

    @invariant()
    def everything_adds_up(self):
        if hasattr(self, "house"):
            self.house.verify_books()
            for bettor, balance in self.balances.items():
                assert self.house.balance(bettor) == balance
            for pair, (_, state, spent, open_nonces) in self.pairs.items():
                stored = self.house.pair(pair)
                assert (stored.state.value, stored.next_nonce, stored.settled) == (state, spent, spent - len(open_nonces))
                assert stored.settled_in_order == min(open_nonces, default=spent)
            assert all(nonce < min(self.pairs[pair][3], default=nonce + 1) for pair, nonce in self.links)
            assert sum(event.kind == "refused" for event in self.house.events()) == self.refused


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
