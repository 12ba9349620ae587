"""The strategies that users get: they give what their types promise, and hypothesis finds them by itself."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import (
    Card,
    ClientSeed,
    Commitment,
    Coup,
    Hand,
    PayTable,
    Rank,
    Round,
    RoundRecord,
    Seeds,
    ServerSeed,
    Settlement,
    Suit,
    testing,
    verify_record,
)

TYPES = [Card, ClientSeed, Commitment, Coup, Hand, PayTable, Rank, Round, RoundRecord, Seeds, ServerSeed, Settlement, Suit]


@pytest.mark.parametrize("value_type", TYPES)
def test_hypothesis_knows_every_type(value_type):
    @given(st.from_type(value_type))
    def check(value):
        assert isinstance(value, value_type)

    check()


def test_the_entry_point_registers_them():
    code = (
        "from hypothesis import find, strategies as st\n"
        "import sys\n"
        "from provably_fair_baccarat import Coup\n"
        "print(type(find(st.from_type(Coup), lambda coup: coup.natural)).__name__)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "Coup"


def test_either_may_be_imported_first():
    for first, second in (("hypothesis", "provably_fair_baccarat.testing"), ("provably_fair_baccarat.testing", "hypothesis")):
        code = f"import {first}, {second}\nfrom hypothesis import strategies as st\nst.from_type(__import__('provably_fair_baccarat').Coup)"
        subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


@given(testing.deals(1))
def test_a_deal_of_one_deck_has_no_card_twice(cards):
    assert len(set(cards)) == 6


@given(testing.stakes(20))
def test_stakes_keep_to_the_step(stake):
    assert stake > 0
    assert stake % 20 == 0


@given(testing.records(is_revealed=True), testing.records(is_revealed=False))
def test_records_verify_or_are_not_revealed(revealed, hidden):
    verify_record(revealed)
    assert hidden.server_seed is None


@given(testing.bets(), testing.rounds(), testing.nonces(), testing.deck_counts(), testing.hands())
def test_the_rest_is_within_bounds(bets, played, nonce, decks, hand):
    assert set(bets) <= {"player", "banker", "tie"}
    assert len(played.cards) == 6
    assert 0 <= nonce < 2**53
    assert 1 <= decks <= 8
    assert 0 <= hand.score <= 9
