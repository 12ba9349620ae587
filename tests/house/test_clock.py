"""Clocks go back: they are set, and another host's is behind. What a house tells of a pair never does."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest

from provably_fair_baccarat import RoundRecord, verify_record
from provably_fair_baccarat.house import BetRequest, House
from provably_fair_baccarat.receipts import Signer, new_key_file
from provably_fair_baccarat.receipts.history import verify_history_file

from .conftest import Clock, make_vault

BETS = {"player": 5}


class BackwardClock(Clock):
    """A clock that is a second earlier whenever it is asked."""

    def __call__(self):
        with self.lock:
            self.now -= timedelta(seconds=1)
            return self.now


def times_of(record):
    return record.accepted_at, record.settled_at


def play_on(house, pair, tag):
    """A coup in each way that there is."""
    first = house.accept(pair, BETS, f"first {tag}")
    second = house.accept(pair, BETS, f"second {tag}")
    house.play(pair, BETS, f"at once {tag}")
    house.deal(second)
    house.deal(first)
    answers = house.play_many([BetRequest(pair, BETS, f"many {item} {tag}") for item in range(3)])
    assert all(isinstance(answer, RoundRecord) for answer in answers)


@pytest.fixture(params=["one seed", "seed chain"])
def options(request, tmp_path):
    new_key_file(tmp_path / "signing.keys", Clock().now.replace(year=2025))
    chain = {"chain_length": 100} if request.param == "seed chain" else {}
    return {"signer": Signer.from_key_file(tmp_path / "signing.keys"), **chain}


@pytest.mark.parametrize("way", ["runs backwards", "is another host's"])
def test_what_is_told_of_a_pair_never_goes_back(open_house, options, way):
    house = open_house(clock=BackwardClock() if way == "runs backwards" else Clock(), **options)
    house.deposit("ann", 10_000, "money")
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    play_on(house, pair, "here")
    waiting = house.accept(pair, BETS, "waiting")
    if way == "is another host's":
        behind = Clock()
        behind.now -= timedelta(hours=1)
        house = House(house._store, make_vault(), clock=behind, currency=("USD", 2), **options)
    play_on(house, pair, "there")
    house.deal(waiting)
    rotation = house.rotate(pair)
    revealed, successor = rotation.revealed, rotation.next_pair
    rounds = [house.round_at(pair, nonce) for nonce in range(13)]
    accepted = [each.record.accepted_at for each in rounds]
    assert accepted == sorted(accepted)
    assert revealed.committed_at <= revealed.chosen_at <= accepted[0]
    assert all(each.record.accepted_at <= each.record.settled_at <= revealed.closed_at for each in rounds)
    assert revealed.closed_at <= revealed.revealed_at <= successor.committed_at
    assert house.verify_history(pair).rounds == 13
    for each in rounds:
        verify_record(RoundRecord.parse_json(each.record.to_json()))
    history = verify_history_file(io.BytesIO(b"".join(house.prove("ann"))), keys=house.key_set)
    assert history.coups == 13
