"""Pairs with a seed chain: each coup is proved as soon as it and all before it are settled, and no link is told before that."""

from __future__ import annotations

import base64
import csv
import hmac
import json
import pickle
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from itertools import count

import pytest

from provably_fair_baccarat import RoundRecord, SeedChain, ServerSeed, verify_record
from provably_fair_baccarat.errors import (
    BaccaratError,
    ChainError,
    CommitmentMismatchError,
    LinkMismatchError,
    PairCapError,
    PairStateError,
    SealError,
    StoreError,
    VaultKeyError,
    VerificationError,
    WalletTimeoutError,
)
from provably_fair_baccarat.house import BetRequest, House, LossLimit
from provably_fair_baccarat.house.dealing import binding_of
from provably_fair_baccarat.house.recording import Recorder
from provably_fair_baccarat.house.wallets import MemoryWallet

from .conftest import Clock, make_vault, repeating_entropy

LENGTH = 30
LAST_LINK = bytes.fromhex("c0ffee" * 10 + "beef")


def links(length=LENGTH, last_link=LAST_LINK):
    """link(0) to link(length), computed here."""
    found = [last_link]
    while len(found) <= length:
        found.insert(0, sha256(found[0]).digest())
    return found


LINKS = links()


def one_secret(last_link=LAST_LINK):
    """Entropy whose first 32 bytes are the last link; what follows repeats in every run."""
    others, first = repeating_entropy("others"), count()
    return lambda size: last_link if size == 32 and not next(first) else others(size)


@pytest.fixture
def open_chains(open_house):
    def open_(**options):
        return open_house(**{"chain_length": LENGTH, **options})

    return open_


@pytest.fixture
def house(open_chains):
    return open_chains(entropy=one_secret())


def told(record):
    """Which link a record has, None for none."""
    return None if record.server_seed is None else LINKS.index(bytes.fromhex(record.server_seed))


def recalled(house, pair):
    return [kept.record and told(kept.record) for kept in house.history(pair=pair).rounds]


def public(house, pair, *more):
    """Everything that the house says about a pair, and what it is made of, in one text."""
    page = house.history(pair=pair)
    values = (house.pair(pair), page, house.recall("ann"), house.events(pair), house.events(), house, house._dealer, house._vault, *more)
    opened, row = house._dealer.open(pair.id), house._store.pair(pair.id)
    texts = [repr(value) + str(value) for value in (*values, opened, row, opened.chain, opened.recorder, house._store.rounds)]
    texts += [pickle.dumps(value).decode("latin-1") for value in [kept.record for kept in page.rounds] + list(more)]
    texts += [b"".join(house.export(form)).decode() for form in ("jsonl", "csv")]
    seen = house.pair(pair)
    texts += [seed.reveal() for seed in (seen.newest_link, seen.server_seed) if seed is not None]
    return "\n".join(texts)


def spellings(link):
    return (
        link.hex(),
        link.hex().upper(),
        repr(link)[2:-1],
        link.decode("latin-1"),
        base64.b64encode(link).decode(),
        str(int(link.hex(), 16)),
    )


def assert_none_early(text, due):
    """No link above link(due) is in the text."""
    for number, link in enumerate(LINKS[due + 1 :], due + 1):
        assert not [spelling for spelling in spellings(link) if spelling in text], f"link({number}) was told when link({due}) was due"


# The life of a chain pair


def test_what_is_published_is_the_chain(house, pair):
    assert house.chain_length == LENGTH
    assert (pair.scheme, pair.chain.anchor, pair.chain.length, pair.cap) == ("pfb1-chain", LINKS[0].hex(), LENGTH, LENGTH)
    assert pair.commitment.digest == sha256(f"pfb1-chain:8:{LENGTH}:{LINKS[0].hex()}".encode()).digest()
    assert (pair.server_seed, pair.newest_link, pair.settled_in_order) == (None, None, 0)
    assert house.pairs("ann") == (pair,)


def test_every_round_is_proved_when_it_is_answered(house, pair):
    records = [house.play(pair, {"player": 500}, "a"), *house.play_many(BetRequest(pair, {"tie": 5}, f"m{n}") for n in range(4))]
    records.append(house.deal(house.accept(pair, {"banker": 300}, "b")))
    for nonce, record in enumerate(records):
        assert (record.nonce, told(record), record.chain.chain(), record.label) == (nonce, nonce + 1, pair.chain, "pfb1-chain:8")
        assert verify_record(RoundRecord.parse_json(record.to_json())).settlement.staked
        assert RoundRecord.from_round(*replayed(pair, record), **times(record)) == record
        assert verify_record(record).guarantees["seed_fixed"].grade.value == "proved"
    assert [kept.record for kept in house.history(pair=pair).rounds] == records
    assert [house.round_at(pair, record.nonce).record for record in records] == records
    assert house.pair(pair).newest_link.reveal() == records[-1].server_seed


def replayed(pair, record):
    from provably_fair_baccarat import Seeds, play_round, settle

    seeds = Seeds(record.server_seed, pair.client_seed, pair.commitment, chain=pair.chain)
    played = play_round(seeds, record.nonce)
    return played, settle(played.coup, {name: bet.stake for name, bet in record.bets.items()})


def times(record):
    return {
        "server_seed": ServerSeed.parse(record.server_seed),
        "client_seed_made_by": "bettor",
        "currency": ("USD", 2),
        "accepted_at": record.accepted_at,
        "settled_at": record.settled_at,
    }


def test_a_link_waits_for_every_coup_before_it(house, pair):
    first = house.accept(pair, {"player": 5}, "0")
    assert told(house.play(pair, {"player": 5}, "1")) is None
    third = house.accept(pair, {"player": 5}, "2")
    assert [told(record) for record in house.play_many([BetRequest(pair, {"player": 5}, "3"), BetRequest(pair, {"player": 5}, "1")])] == [
        None
    ] * 2
    assert (recalled(house, pair), house.pair(pair).settled, house.pair(pair).settled_in_order) == ([None] * 4, 2, 0)
    assert_none_early(public(house, pair), 0)
    assert told(house.deal(first)) == 1
    assert recalled(house, pair) == [1, 2, None, None]
    assert [told(house.play(pair, {"player": 5}, key)) for key in ("0", "1", "3")] == [1, 2, None]
    assert_none_early(public(house, pair), 2)
    assert told(house.play(pair, {"player": 5}, "2")) == 3  # which deals what was accepted
    assert told(house.deal(third)) == 3
    assert recalled(house, pair) == [1, 2, 3, 4]
    assert (house.pair(pair).settled_in_order, house.verify_history(pair).rounds) == (4, 4)
    assert_none_early(public(house, pair), 4)


def test_a_batch_that_deals_what_was_open_goes_on_behind_it(house, pair):
    for key in ("0", "1"):
        house.accept(pair, {"player": 5}, key)
    records = house.play_many(BetRequest(pair, {"player": 5}, key) for key in ("2", "0", "3", "1", "4", "2"))
    assert [record.nonce for record in records] == [2, 0, 3, 1, 4, 2]
    for record in records:
        assert told(record) in (None, record.nonce + 1)
    assert [told(record) for record in records[3:]] == [2, 5, 3]
    assert recalled(house, pair) == [1, 2, 3, 4, 5]
    assert house.verify_history(pair).rounds == 5


def test_a_refused_bet_tells_nothing(open_chains):
    house = open_chains(entropy=one_secret(), guards=[LossLimit(10, timedelta(minutes=1))])
    house.deposit("ann", 100, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    text = ""
    for bets, key, nonce in (
        ({"player": 500}, "a", None),
        ({"player": 11}, "b", None),
        ({"player": 5}, "c", 3),
        ({"dragon7": 5}, "d", None),
    ):
        for call in (house.play, house.accept):
            with pytest.raises(BaccaratError) as caught:
                call(pair, bets, key, nonce=nonce)
            text += "".join(traceback.format_exception(caught.value)) + repr(caught.value.args)
        text += repr(house.play_many([BetRequest(pair, bets, key, nonce)]))
    assert_none_early(text + public(house, pair), 0)


def test_a_chain_that_is_used_up_is_rotated(open_chains):
    house = open_chains(chain_length=2, cap=9)
    house.deposit("ann", 100, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    records = [house.play(pair, {"player": 1}, key) for key in "ab"]
    for call in (house.play, house.accept):
        with pytest.raises(PairCapError, match="Rotate"):
            call(pair, {"player": 1}, "c")
    rotation = house.rotate(pair)
    assert rotation.revealed.server_seed.reveal() == records[-1].server_seed
    assert (rotation.next_pair.chain.length, rotation.next_pair.cap) == (2, 2)
    assert house.verify_history(pair).rounds == 2
    assert open_chains(cap=1).commit("ann").cap == 1


def test_a_rotation_tells_the_link_that_came_next_and_none_behind_it(house, pair):
    """What was refused at the next nonce can be held against its link; what is behind was never asked of."""
    house.play(pair, {"player": 5}, "a")
    house.accept(pair, {"player": 5}, "b")
    with pytest.raises(BaccaratError):
        house.play(pair, {"player": 10**9}, "refused")
    refusal = house.events(pair)[-1]
    revealed = house.rotate(pair).revealed
    assert (refusal.kind, refusal.nonce) == ("refused", 2)
    assert revealed.server_seed.reveal() == LINKS[refusal.nonce + 1].hex()
    assert (recalled(house, pair), revealed.settled_in_order) == ([1, 2], 2)
    assert house.rotate(pair).revealed == revealed
    assert_none_early(public(house, pair, revealed.newest_link.reveal()), 3)
    assert told(house.play(pair, {"player": 5}, "a")) == 1  # the key stands for what was answered
    with pytest.raises(PairStateError):
        house.play(pair, {"player": 5}, "c")
    assert house.verify_history(pair).rounds == 2


@pytest.mark.parametrize("has_client_seed", [False, True])
def test_a_pair_without_coups(house, has_client_seed):
    pair = house.commit("ann")
    if has_client_seed:
        house.choose_client_seed(pair, "lucky")
    assert house.verify_history(pair).rounds == 0
    revealed = house.rotate(pair).revealed
    assert (revealed.server_seed.reveal(), revealed.newest_link) == (LINKS[1].hex(), None)
    assert house.verify_history(pair).rounds == 0


def test_a_house_may_change_its_mind(open_house):
    """A pair stays what it was committed as, whatever a House is opened with later."""
    house = open_house(chain_length=5)
    house.deposit("ann", 1000, "deposit")
    chained = house.choose_client_seed(house.commit("ann"), "lucky")
    plain = open_house()
    record = plain.play(chained, {"player": 5}, "a")
    assert verify_record(record).round.origin.chain == chained.chain
    assert plain.rotate(chained).next_pair.chain is None


@pytest.mark.parametrize("wrong", [0, -1, 1_000_001, 2.0, "5", True])
def test_what_is_no_length(open_house, wrong):
    with pytest.raises(ChainError, match="length of the chain"):
        open_house(chain_length=wrong)


def test_no_last_link_serves_twice(open_house):
    """Not for a chain of another length, and not as a plain server seed."""
    numbers = count(1)

    def entropy(size):
        return LAST_LINK if size == 32 else next(numbers).to_bytes(size, "big")

    open_house(entropy=entropy, chain_length=5).commit("ann")
    for options in ({"chain_length": 6}, {"chain_length": 5, "decks": 6}, {"chain_length": None}):
        with pytest.raises(StoreError, match="seed_mark"):
            open_house(entropy=entropy, **options).commit("ben")


# Crashes, threads, wallets


def test_after_a_crash_the_links_are_those_that_are_due(open_chains):
    house = open_chains(entropy=one_secret())
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "0")
    house.accept(pair, {"player": 5}, "1")
    house.play(pair, {"player": 5}, "2")
    house = open_chains()
    assert recalled(house, pair) == [1, None, None]
    assert told(house.play(pair, {"player": 5}, "2")) is None
    assert told(house.play(pair, {"player": 5}, "3")) is None
    assert house.verify_history(pair).rounds == 1
    assert_none_early(public(house, pair), 1)
    assert house.recover().dealt == 1
    assert recalled(house, pair) == [1, 2, 3, 4]
    assert house.verify_history(pair).rounds == 4


def test_threads_that_play_behind_an_open_coup_learn_no_link(house, pair):
    opened = house.accept(pair, {"player": 5}, "open")

    def play(number):
        if number % 3 == 0:
            return house.deal(house.accept(pair, {"player": 5}, f"{number}"))
        if number % 3 == 1:
            return house.play_many([BetRequest(pair, {"player": 5}, f"{number}")])[0]
        return house.play(pair, {"player": 5}, f"{number}")

    with ThreadPoolExecutor(12) as pool:
        records = list(pool.map(play, range(24)))
    assert {record.server_seed for record in records} == {None}
    assert_none_early(public(house, pair, records), 0)
    assert told(house.deal(opened)) == 1
    assert recalled(house, pair) == list(range(1, 26))
    for kept in house.history(pair=pair).rounds:
        verify_record(kept.record)


def test_a_link_in_a_record_means_that_nothing_before_it_is_open(open_chains):
    house = open_chains(chain_length=2000)
    house.deposit("ann", 10**6, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    stop = threading.Event()

    def watch():
        looked = 0
        while not stop.is_set() or not looked:
            rounds = house.history(pair=pair, limit=1000).rounds
            first_open = next((kept.acceptance.nonce for kept in rounds if kept.record is None), len(rounds))
            for kept in rounds:
                if kept.record is not None:
                    assert (kept.record.server_seed is not None) == (kept.acceptance.nonce < first_open)
            assert house.verify_history(pair).rounds >= first_open
            looked += 1
        return looked

    def play(number):
        for item in range(15):
            key = f"{number} {item}"
            call = house.play if (number + item) % 3 else (lambda *bet: house.deal(house.accept(*bet)))
            record = call(pair, {"player": 5}, key)
            if record.server_seed is not None:
                assert house.pair(pair).settled_in_order > record.nonce
                verify_record(record)

    with ThreadPoolExecutor(9) as pool:
        watching = pool.submit(watch)
        try:
            list(pool.map(play, range(8)))
        finally:
            stop.set()
        assert watching.result()
    assert house.pair(pair).settled_in_order == house.verify_history(pair).rounds == 8 * 15


def test_a_record_tells_no_more_than_its_pair_as_it_was_read(house, pair):
    """Between the reading of a pair and of its round, others may have gone on."""
    house.play(pair, {"player": 5}, "a")
    before = house.pair(pair)
    house.play(pair, {"player": 5}, "b")
    row = house._store.round_at(house._store.pair(pair.id).number, 1)
    assert told(Recorder(before).record(row)) is None
    assert told(Recorder(house.pair(pair)).record(row)) == 2


def test_a_wallet_that_is_late_holds_no_link_back(open_chains):
    class Late(MemoryWallet):
        def credit(self, transaction):
            raise WalletTimeoutError("wallet", "an answer", "none")

    wallet = Late({"ann": 1000})
    house = open_chains(wallet=wallet, pause=lambda attempt: None)
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    bets = {"player": 5, "banker": 5, "tie": 5}
    opened = [house.accept(pair, bets, key) for key in "ab"]
    assert house.play(pair, bets, "c").server_seed is None
    verify_record(house.deal(opened[0]))
    verify_record(house.play(pair, bets, "b"))  # which deals what was accepted
    for record in house.play_many([BetRequest(pair, bets, key) for key in "abc"]):
        verify_record(record)
    assert house.verify_history(pair).rounds == 3


# What is stored


def test_whoever_has_no_key_sees_every_link_that_is_due(open_chains, engine):
    house = open_chains()
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    records = [house.play(pair, {"player": 5}, f"{number}") for number in range(3)]
    house.accept(pair, {"player": 5}, "open")
    keyless = House(engine.open(is_read_only=True), make_vault("k2", {"k2": b"2" * 32}))
    assert b"".join(keyless.export(pair=pair)) == b"".join(record.to_json() + b"\n" for record in records)
    assert keyless.verify_history(pair).rounds == 3
    with pytest.raises(VaultKeyError):
        open_chains(vault=make_vault("k2", {"k2": b"2" * 32})).play(pair, {"player": 5}, "next")


def test_a_chain_is_sealed_anew_under_another_key(open_chains):
    house = open_chains()
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "a")
    assert open_chains(vault=make_vault("k2")).reseal("k1") == 1
    without = open_chains(vault=make_vault("k2", {"k2": b"2" * 32}))
    verify_record(without.play(pair, {"player": 5}, "b"))
    without.rotate(pair)
    assert without.verify_history(pair).rounds == 2


def test_a_seal_of_another_chain_deals_nothing(open_chains, engine):
    house = open_chains()
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    forged = make_vault().seal(ServerSeed(b"z" * 32), binding_of(house._store.pair(pair.id)))
    engine.tamper(f"UPDATE pair SET sealed = x'{forged.seal.hex()}' WHERE id = '{pair.id}'")
    later = open_chains()
    for call in (lambda: later.play(pair, {"player": 5}, "key"), lambda: later.rotate(pair)):
        with pytest.raises(SealError, match="that was committed to"):
            call()


def test_in_no_byte_of_the_database_before_it_is_due(open_chains, engine):
    """A chain of this test alone: the database server has a log of all tests."""
    last_link = sha256(b"in no byte").digest()
    house = open_chains(entropy=one_secret(last_link))
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "0")
    house.accept(pair, {"player": 5}, "1")
    house.play(pair, {"player": 5}, "2")
    with pytest.raises(BaccaratError):
        house.play(pair, {"player": 10**9}, "3")
    house.close()
    found = engine.content() if engine.name == "postgres" else b"".join(path.read_bytes() for path in engine.path.parent.iterdir())
    anchor, first, *secret = links(last_link=last_link)
    assert anchor in found
    assert first in found
    for link in secret:
        assert link not in found
        assert link.hex().encode() not in found.lower()


TAMPERING = {
    "the anchor": ("UPDATE pair SET chain_anchor = zeroblob(32) WHERE number = 1", CommitmentMismatchError),
    "the length": ("UPDATE pair SET chain_length = 31 WHERE number = 1", CommitmentMismatchError),
    "the decks": ("UPDATE pair SET decks = 6 WHERE number = 1", CommitmentMismatchError),
    "the newest link": ("UPDATE pair SET newest_link = zeroblob(32) WHERE number = 1", LinkMismatchError),
    "the link of another coup": (f"UPDATE pair SET newest_link = x'{LINKS[2].hex()}' WHERE number = 1", LinkMismatchError),
    "the order": ("UPDATE pair SET settled_in_order = 2 WHERE number = 1", LinkMismatchError),
    "the client seed": ("UPDATE pair SET client_seed = CAST('other' AS BLOB) WHERE number = 1", VerificationError),
    "the cut": ("UPDATE coup SET cut = (cut + 1) % 416 WHERE round = 2", VerificationError),
    "a nonce": ("UPDATE round SET nonce = 20 WHERE id = 2", VerificationError),
    "the newest nonce": ("UPDATE pair SET next_nonce = 5 WHERE number = 1", VerificationError),
}
REVEALED = {
    **{what: TAMPERING[what] for what in TAMPERING if what not in ("the order", "the newest nonce")},  # those the tables refuse by a CHECK
    "the link that came next": ("UPDATE pair SET server_seed = zeroblob(32) WHERE number = 1", LinkMismatchError),
    "the link of the last coup": (f"UPDATE pair SET server_seed = x'{LINKS[3].hex()}' WHERE number = 1", LinkMismatchError),
}


@pytest.mark.parametrize(("state", "what"), [*(("active", what) for what in TAMPERING), *(("revealed", what) for what in REVEALED)])
def test_a_proof_finds(house, pair, engine, state, what):
    for key in "abc":
        house.play(pair, {"player": 100}, key)
    house.accept(pair, {"player": 100}, "open")
    if state == "revealed":
        house.rotate(pair)
    house.verify_history(pair)
    statement, error = (TAMPERING if state == "active" else REVEALED)[what]
    assert engine.tamper(statement) > 0
    with pytest.raises(error):
        house.verify_history(pair)


REFUSED = {
    "another anchor": ("UPDATE pair SET chain_anchor = zeroblob(32)", "committed with"),
    "another length": ("UPDATE pair SET chain_length = 40", "committed with"),
    "back": ("UPDATE pair SET settled_in_order = 1", "in order"),
    "over an open coup": (f"UPDATE pair SET settled_in_order = 3, newest_link = x'{LINKS[3].hex()}'", "in order"),
    "a link before it is due": (f"UPDATE pair SET newest_link = x'{LINKS[3].hex()}'", "a link is told"),
    "another link": ("UPDATE pair SET newest_link = zeroblob(32)", "a link is told"),
    "no link": ("UPDATE pair SET newest_link = NULL", "told"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_the_tables_refuse(house, pair, engine, what):
    for key in "ab":
        house.play(pair, {"player": 100}, key)
    house.accept(pair, {"player": 100}, "open")
    house.play(pair, {"player": 100}, "d")
    before = house.pair(pair)
    statement, refusal = REFUSED[what]
    assert refusal in engine.attempt(statement)
    assert house.pair(pair) == before


# Somebody else's eyes


def test_a_stranger_verifies_the_export_of_a_pair_in_play(house, pair):
    """From the lines and the commitment alone, with nothing but hashlib and hmac."""
    for number in range(12):
        house.play(pair, {"player": 100, "tie": 7}, f"{number}")
    house.accept(pair, {"player": 5}, "open")
    lines = [json.loads(line) for line in house.export(pair=pair)]
    rows = list(csv.DictReader(line.decode() for line in house.export("csv", pair=pair)))
    assert len(lines) == len(rows) == 12
    for nonce, (line, row) in enumerate(zip(lines, rows, strict=True)):
        assert line["nonce"] == nonce == int(row["nonce"])
        assert line["server_seed"] == row["server_seed"]
        anchor, length = line["chain"]["anchor"], line["chain"]["length"]
        committed = sha256(f"pfb1-chain:8:{length}:{anchor}".encode()).hexdigest()
        assert committed == line["commitment"] == row["commitment"] == str(pair.commitment)
        link = digest = bytes.fromhex(line["server_seed"])
        for _ in range(nonce + 1):
            digest = sha256(digest).digest()
        assert digest.hex() == anchor
        cut, cards = stranger_draws(link, line["client_seed"], nonce)
        assert (line["cut"], line["cards"]) == (cut, cards)


def stranger_draws(link, client_seed, nonce):
    def words():
        for block in count():
            digest = hmac.new(link, f"pfb1-chain:8:{client_seed}:{nonce}:{block}".encode(), "sha256").digest()
            yield from (int.from_bytes(digest[place : place + 4], "big") for place in range(0, 32, 4))

    stream = words()

    def draw(n):
        return next(word % n for word in stream if word < 2**32 - 2**32 % n)

    cut = draw(416)
    shoe = [(cut + slot) % 416 for slot in range(416)]
    for k in range(6):
        j = k + draw(416 - k)
        shoe[k], shoe[j] = shoe[j], shoe[k]
    return cut, ["A23456789TJQK"[card % 13] + "shdc"[card % 52 // 13] for card in shoe[:6]]


def test_a_long_chain_is_hashed_through_once_for_each_opening(open_house, monkeypatch):
    """At the commit and when the pair is opened; a round after that takes a few hashes."""
    from provably_fair_baccarat.fairness import chain as chain_module

    hashes = []

    def counted(data=b""):
        hashes.append(1)
        return sha256(data)

    house = open_house(chain_length=50_000, clock=Clock())
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    house.play(pair, {"player": 5}, "first")
    monkeypatch.setattr(chain_module, "sha256", counted)
    for number in range(20):
        house.play(pair, {"player": 5}, f"{number}")
    assert len(hashes) < 20 * 5 + 100


def test_the_known_chain_is_the_operators():
    chain = SeedChain(ServerSeed(LAST_LINK), LENGTH)
    assert [chain.link(nonce).server_seed.reveal_bytes() for nonce in range(LENGTH)] == LINKS[1:]
