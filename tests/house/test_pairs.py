"""The life of a seed pair: committed, active, closing, revealed, and never back."""

from __future__ import annotations

import pytest

from provably_fair_baccarat import EZ_BACCARAT, PUNTO_BANCO, SUPER_SIX, ClientSeed, PayTable, verify_record
from provably_fair_baccarat.errors import (
    BettorEdgeError,
    ClientSeedError,
    DecksError,
    GuardError,
    OwnBetError,
    PairCapError,
    PairError,
    PairNonceError,
    PairStateError,
    RequestError,
    StoreError,
    VaultKeyError,
)
from provably_fair_baccarat.house import PairPage, PairState
from provably_fair_baccarat.rules.bets import Bet

from .conftest import make_vault


def test_a_commitment_is_all_that_leaves(house):
    pair = house.commit("ann")
    assert (pair.state, pair.bettor, pair.decks, pair.pay_table) == (PairState.COMMITTED, "ann", 8, PUNTO_BANCO)
    assert (pair.server_seed, pair.client_seed, pair.next_nonce) == (None, None, 0)
    assert house.pair(pair.id) == house.pair(pair) == pair
    assert house.pairs("ann") == (pair,)


def test_the_whole_life(house, pair):
    assert pair.state is PairState.ACTIVE
    first = house.play(pair, {"player": 500}, "bet 1")
    acceptance = house.accept(pair, {"banker": 300, "tie": 5}, "bet 2")
    assert (acceptance.nonce, acceptance.bets, acceptance.exposure) == (1, (("banker", 300), ("tie", 5)), 585)
    closed = house.close_pair(pair)
    assert (closed.state, closed.next_nonce, closed.settled) == (PairState.CLOSING, 2, 1)
    with pytest.raises(PairStateError, match="closing"):
        house.play(pair, {"player": 500}, "bet 3")
    second = house.deal(acceptance)
    assert house.deal(acceptance) == second
    rotation = house.rotate(pair)
    assert rotation.revealed.state is PairState.REVEALED
    assert rotation.next_pair.state is PairState.COMMITTED
    for record in (first, second):
        assert record.server_seed is None
        assert verify_record(record.reveal(rotation.revealed.server_seed), pay_table=PUNTO_BANCO).settlement.staked
    proved = house.verify_history(pair)
    assert (proved.rounds, proved.staked, proved.returned) == (2, 805, first.totals.returned + second.totals.returned)
    assert house.balance("ann") == 1_000_000 - proved.staked + proved.returned


def test_a_rotation_deals_what_is_open_and_can_be_asked_again(house, pair):
    acceptance = house.accept(pair, {"tie": 100}, "open")
    rotation = house.rotate(pair)
    assert house.rotate(pair.id) == rotation
    assert house.recall("ann", 1)[0].record.nonce == acceptance.nonce
    assert len(house.pairs("ann")) == 2


def test_a_pair_without_client_seed_can_be_rotated(house):
    pair = house.commit("ann")
    rotation = house.rotate(pair)
    assert (rotation.revealed.client_seed, rotation.revealed.next_nonce) == (None, 0)
    assert house.verify_history(pair).rounds == 0


@pytest.mark.parametrize("state", ["committed", "closing", "revealed"])
def test_only_an_active_pair_takes_bets(house, pair, state):
    other = house.commit("ann")
    if state == "closing":
        other = house.close_pair(pair)
    elif state == "revealed":
        other = house.rotate(pair).revealed
    for call in (house.play, house.accept):
        with pytest.raises(PairStateError, match=f"expected one that is active, found one that is {state}"):
            call(other, {"player": 1}, "key")
    assert house.balance("ann") == 1_000_000


def test_a_client_seed_is_chosen_once_and_after_the_commitment(house):
    pair = house.commit("ann")
    chosen = house.choose_client_seed(pair, " Zoë".strip())
    assert (chosen.client_seed, chosen.client_seed_made_by) == (ClientSeed("Zoë"), "bettor")
    for again in ("Zoë", "other", None):
        with pytest.raises(PairStateError, match="waits for its client seed"):
            house.choose_client_seed(pair, again)
    with pytest.raises(ClientSeedError):
        house.choose_client_seed(house.commit("ann"), " Zoë")


def test_a_client_seed_of_the_operator_is_recorded_as_such(house, pair):
    other = house.choose_client_seed(house.commit("ann"))
    assert other.client_seed_made_by == "operator"
    assert other.client_seed.marks(other.commitment)
    assert house.play(other, {"player": 5}, "key").client_seed_made_by == "operator"


def test_a_pair_keeps_what_it_was_committed_with(open_house):
    house = open_house(pay_table=EZ_BACCARAT, decks=6, cap=3)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    later = open_house(pay_table=SUPER_SIX, decks=8, cap=99)
    assert later.pair(pair) == pair
    record = later.play(pair, {"dragon7": 5}, "key")
    assert (record.decks, record.pay_table_digest) == (6, EZ_BACCARAT.digest)
    following = later.rotate(pair).next_pair
    assert (following.decks, following.pay_table, following.cap) == (8, SUPER_SIX, 99)


def test_the_cap_forces_a_rotation(open_house):
    house = open_house(cap=2)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    for key in ("a", "b"):
        house.play(pair, {"player": 1}, key)
    with pytest.raises(PairCapError, match="Rotate"):
        house.play(pair, {"player": 1}, "c")
    assert house.rotate(pair).revealed.settled == 2


def test_the_expected_nonce_is_compared(house, pair):
    assert house.play(pair, {"player": 5}, "a", nonce=0).nonce == 0
    for wrong in (0, 2):
        with pytest.raises(PairNonceError, match=f"expected 1, found {wrong}"):
            house.play(pair, {"player": 5}, "b", nonce=wrong)
    assert house.play(pair, {"player": 5}, "b", nonce=1).nonce == 1


def test_no_server_seed_serves_twice(open_house):
    house = open_house(entropy=bytes)
    house.commit("ann")
    with pytest.raises(StoreError, match="rows that its tables accept"):
        house.commit("ann")
    other_label = open_house(entropy=lambda size: b"\1" * size if size == 16 else bytes(size), decks=6)
    with pytest.raises(StoreError, match="seed_mark"):
        other_label.commit("ben")


@pytest.mark.parametrize("wrong", ["", "x" * 32, "0" * 31, "0" * 32, None, 7, b"0" * 32, "'; DROP TABLE pair; --"])
def test_what_is_no_pair(house, wrong):
    for call in (house.pair, house.rotate, house.verify_history, house.close_pair, house.events):
        if wrong is None and call == house.events:
            continue
        with pytest.raises(PairError):
            call(wrong)
    with pytest.raises(PairError):
        house.play(wrong, {"player": 5}, "key")


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 129, "\ud800", None, 5])
def test_what_is_no_bettor(house, name):
    for call in (house.commit, house.balance, house.pairs, house.recall):
        with pytest.raises(RequestError):
            call(name)


def test_a_table_that_the_bettor_beats_is_not_opened(open_house):
    generous = PayTable(banker_multiplier="2.1")
    with pytest.raises(BettorEdgeError, match="banker"):
        open_house(pay_table=generous)
    assert open_house(pay_table=generous, allow_bettor_edge=True).commit("ann").pay_table == generous


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"decks": 9}, DecksError),
        ({"cap": 0}, RequestError),
        ({"cap": 2.0}, RequestError),
        ({"currency": "USD"}, RequestError),
        ({"currency": ("usd", 2)}, RequestError),
        ({"currency": ("USD", -1)}, RequestError),
    ],
)
def test_what_no_house_is_opened_with(open_house, options, error):
    with pytest.raises(error):
        open_house(**options)


def test_own_bets_come_along(open_house):
    own = Bet("dealer_ace", lambda coup: coup.banker.cards[0].points == 1, "ranks")
    table = PayTable(side_bets={"dealer_ace": "12.0"}, bets=[own])
    house = open_house(pay_table=table)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    record = house.play(pair, {"dealer_ace": 10}, "key")
    assert open_house(own_bets=[own]).recall("ann", 1)[0].record == record


def dealer_ace(coup):
    return coup.banker.cards[0].points == 1


OWN = Bet("dealer_ace", dealer_ace, "ranks")
WITH_OWN = PayTable(side_bets={"dealer_ace": "12.0", "super6": "13.0"}, bets=[OWN])


@pytest.fixture
def played(open_house):
    """A pair with a round whose bet is not the operator's own, and one whose bet is; and their records."""
    house = open_house(pay_table=WITH_OWN)
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    records = [house.play(pair, {bet: 10}, bet) for bet in ("player", "dealer_ace")]
    return house.pair(pair), records


def test_a_house_that_does_not_know_a_bet_any_more_tells_what_it_can(open_house, played):
    pair, records = played
    later = open_house()
    assert later.pair(pair).to_dict() == pair.to_dict()
    assert later.pairs("ann") == (later.pair(pair),)
    assert later.round_at(pair, 0).record == records[0]
    for ask in (
        lambda: later.recall("ann"),
        lambda: later.round_at(pair, 1),
        lambda: later.play(pair, {"dealer_ace": 10}, "2"),
        lambda: later.accept(pair, {"player": 10, "dealer_ace": 10}, "2"),
    ):
        with pytest.raises(OwnBetError) as caught:
            ask()
        assert caught.value.hint == (
            "This House no longer knows the bet 'dealer_ace' of an earlier pair: pass it in `own_bets`, or with --bets on the command line."
        )
    assert later.play(pair, {"banker": 10, "super6": 10}, "2").nonce == 2


def test_a_pair_with_a_forgotten_bet_is_rotated(open_house, played):
    pair, _ = played
    later = open_house()
    rotation = later.rotate(pair)
    assert rotation.revealed.server_seed is not None
    assert rotation.next_pair.pay_table == later.pay_table
    with pytest.raises(OwnBetError):
        later.verify_history(pair)
    assert open_house(own_bets=[OWN]).verify_history(pair).rounds == 2


def test_a_coup_with_a_forgotten_bet_waits_for_it(open_house, played):
    """What was accepted is dealt, or nothing is revealed: with the bet it goes on."""
    pair, _ = played
    open_house(own_bets=[OWN]).accept(pair, {"dealer_ace": 10}, "2")
    later = open_house()
    assert later.recover().dealt == 0
    assert later.events()[-1].reason.startswith("house.own_bet: ")
    with pytest.raises(OwnBetError):
        later.rotate(pair)
    assert later.pair(pair).state is PairState.CLOSING
    assert open_house(own_bets=[OWN]).rotate(pair).revealed.settled == 3


def test_events_tell_the_life(house, pair):
    house.play(pair, {"player": 5}, "key")
    house.rotate(pair)
    assert [event.kind for event in house.events(pair)] == ["committed", "chosen", "closed", "revealed"]
    assert [event.kind for event in house.events()] == ["committed", "chosen", "closed", "committed", "revealed"]
    assert [event.id for event in house.events(after=3, limit=1)] == [4]


def test_pairs_that_wait_for_their_reveal_come_page_by_page(open_house, house, pair):
    """Whosever they are, in whatever currency, in whatever state before the reveal."""
    others = [house.commit(bettor) for bettor in ("ben", "ann", "cat")]
    other = open_house(currency=None).commit("ann")
    house = open_house()
    house.close_pair(others[0])
    following = house.rotate(others[1]).next_pair
    waiting = [pair.id, others[0].id, others[2].id, other.id, following.id]
    seen, after = [], None
    while True:
        page = house.open_pairs(after=after, limit=2)
        seen += [found.id for found in page.pairs]
        if (after := page.next) is None:
            break
    assert seen == waiting
    assert house.open_pairs().pairs == tuple(map(house.pair, waiting))
    assert house.open_pairs(after=following) == house.open_pairs(after=following.id) == PairPage((), None)
    for arguments, error in (({"limit": 0}, RequestError), ({"limit": 1001}, RequestError), ({"after": "0" * 32}, PairError)):
        with pytest.raises(error):
            house.open_pairs(**arguments)


def test_a_lost_key_loses_no_money_and_no_records(open_house, engine):
    house = open_house()
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    record = house.play(pair, {"player": 5}, "key")
    keyless = open_house(vault=make_vault("k2", {"k2": b"2" * 32}))
    assert keyless.recall("ann", 1)[0].record == record
    assert b"".join(keyless.export()) == record.to_json() + b"\n"
    assert keyless.withdraw("ann", 1, "withdrawal").balance == keyless.balance("ann")
    keyless.verify_books()
    for call in (keyless.play, keyless.accept):
        with pytest.raises(VaultKeyError, match="k1"):
            call(pair, {"player": 5}, "next")
    assert keyless.pair(pair).next_nonce == 1
    assert "house.vault.key" in keyless.events(pair)[-1].reason


def test_seals_are_renewed_under_a_new_key(open_house, engine):
    house = open_house()
    house.deposit("ann", 1000, "deposit")
    pairs = [house.choose_client_seed(house.commit("ann"), "lucky") for _ in range(3)]
    house.rotate(pairs[0])
    renewed = open_house(vault=make_vault("k2"))
    assert renewed.reseal("k1") == 3
    assert renewed.reseal("k1") == renewed.reseal("k2") == 0
    without = open_house(vault=make_vault("k2", {"k2": b"2" * 32}))
    assert without.play(pairs[1], {"player": 5}, "key").nonce == 0
    assert without.rotate(pairs[2]).revealed.server_seed is not None


def test_a_guard_refuses_by_objecting(open_house):
    class Never:
        def objection(self, bet, past):
            return "Not today."

    house = open_house(guards=[Never()])
    house.deposit("ann", 1000, "deposit")
    with pytest.raises(GuardError, match=r"Not today"):
        house.play(house.choose_client_seed(house.commit("ann"), "lucky"), {"player": 5}, "key")
