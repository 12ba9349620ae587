"""A house with a signer: what it says is signed in the transaction of what it states, logged once, and proves a bettor's whole history."""

from __future__ import annotations

import asyncio
import io
import pickle
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from random import Random

import pytest

from provably_fair_baccarat import Grade
from provably_fair_baccarat.errors import GuardError, LogStoreError, PairCapError, SigningKeyError
from provably_fair_baccarat.house import AsyncHouse, BetRequest
from provably_fair_baccarat.house.signing import PairMouth
from provably_fair_baccarat.house.wallets import MemoryWallet
from provably_fair_baccarat.receipts import KeySet, LogPromise, Signer, new_key_file, read_statement, rotate_key_file
from provably_fair_baccarat.receipts.history import verify_history_file
from provably_fair_baccarat.receipts.log import LogEntry, LogWriter, NoteKey, TileLog

from .conftest import Clock

START = Clock().now
ORIGIN = "casino.example/log"


@pytest.fixture
def key_file(tmp_path):
    new_key_file(tmp_path / "signing.keys", START.replace(year=2025))
    return tmp_path / "signing.keys"


@pytest.fixture
def log_key(tmp_path):
    secret = new_key_file(tmp_path / "log.key", START.replace(year=2025))
    return NoteKey(ORIGIN, secret.public.raw)


@pytest.fixture
def signer(key_file):
    return Signer.from_key_file(key_file)


@pytest.fixture
def signing(open_house, signer, log_key):
    """A house that signs and promises to log."""

    def open_(**options):
        promise = LogPromise(key=str(log_key), maximum_delay=3600)
        house = open_house(**{"signer": signer, "log_promise": promise, **options})
        house.deposit("ann", 1_000_000, "first deposit")
        return house

    return open_


@pytest.fixture
def open_log(tmp_path):
    def open_():
        return LogWriter.from_key_file(tmp_path / "log", ORIGIN, tmp_path / "log.key")

    return open_


def prove(house, bettor="ann", **options):
    lines = list(house.prove(bettor, **options))
    return verify_history_file(io.BytesIO(b"".join(lines)), keys=house.key_set)


def play_some(house, pair, tag=""):
    """Every way to play: accepted and dealt, at once, many, and again with the same key."""
    accepted = house.accept(pair, {"player": 5}, f"a{tag}")
    house.play(pair, {"banker": 333, "tie": 50}, f"b{tag}")
    house.deal(accepted)
    house.play_many([BetRequest(pair, {"tie": 7}, f"c{tag}{item}") for item in range(3)])
    house.play(pair, {"banker": 333, "tie": 50}, f"b{tag}")
    waiting = house.accept(pair, {"player": 8}, f"d{tag}")
    house.play(pair, {"player": 8}, f"d{tag}")
    house.deal(waiting)
    return accepted


@pytest.mark.parametrize("chain_length", [None, 100])
def test_a_history_is_proved_from_the_first_bet_to_the_last(signing, open_log, log_key, tmp_path, chain_length):
    house = signing(chain_length=chain_length)
    pair = house.choose_client_seed(house.commit("ann"))
    play_some(house, pair)
    following = house.rotate(pair).next_pair
    house.choose_client_seed(following, "lucky 8s")
    play_some(house, following, "again")
    house.commit("bob")
    with open_log() as log:
        assert house.sequence(log) == 1 + 2 * 6 + 1 + 1 + 2 * 6 + 1
        assert house.sequence(log) == 0
    log = TileLog(tmp_path / "log", log_key)
    log.verify()
    history = prove(house, log=log)
    closed, still_open = history.commitments
    assert (closed.coups, closed.settled, closed.verified, closed.is_closed) == (6, 6, 6, True)
    assert (still_open.coups, still_open.settled, still_open.is_closed) == (6, 6, False)
    assert still_open.verified == (6 if chain_length else 0)
    assert history.logged == history.statements == 27
    assert closed.client_seed_made_by == "operator"
    told = history.guarantees["accepted_before_deal"]
    assert told.counts == {Grade.PROVED: 4, Grade.CLAIMED: 8}
    records = [kept.record for kept in house.history(pair=pair).rounds]
    assert (closed.staked, closed.returned) == tuple(sum(getattr(each.totals, name) for each in records) for name in ("staked", "returned"))
    assert prove(house, "bob").coups == prove(house, "nobody").coups == 0


def test_an_acceptance_is_handed_out_before_the_deal_and_is_the_same_ever_after(signing):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    accepted = house.accept(pair, {"player": 5}, "bet 1")
    said = read_statement(accepted.statement, house.key_set, "acceptance").statement
    assert (said.nonce, said.key, dict(said.bets), said.dealt, said.time) == (0, "bet 1", {"player": 5}, False, accepted.accepted_at)
    assert said.log.maximum_delay == 3600
    assert house.statements(pair, 0) == (accepted.statement,)
    record = house.deal(accepted)
    again = house.accept(pair, {"player": 5}, "bet 1")
    assert again == accepted
    acceptance, receipt = house.statements(pair, 0)
    assert acceptance == accepted.statement
    assert read_statement(receipt, house.key_set).statement.record == record
    (opening,) = house.statements(pair)
    assert read_statement(opening, house.key_set).statement.number == 0
    house.play(pair, {"tie": 1}, "bet 2")
    assert read_statement(house.statements(pair, 1)[0], house.key_set).statement.dealt is True
    closing = house.statements(house.rotate(pair).revealed)[1]
    assert read_statement(closing, house.key_set, "closing").statement.coups == 2
    assert house.statements(pair, 99) == ()


def test_what_was_refused_is_not_signed(signing):
    class Never:
        def examine(self, bet, past):
            raise GuardError("bet", "none today", "one")

    house = signing(cap=1)
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    house.play(pair, {"tie": 1}, "bet 1")
    with pytest.raises(PairCapError):
        house.play(pair, {"tie": 1}, "bet 2")
    assert house.statements(pair, 1) == ()


def test_a_wallet_s_rounds_are_signed_too(open_house, signer):
    wallet = MemoryWallet({"ann": 1000})
    house = open_house(signer=signer, wallet=wallet)
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    house.deal(house.accept(pair, {"player": 5}, "a"))
    house.play(pair, {"player": 5}, "b")
    house.rotate(pair)
    assert prove(house).commitments[0].verified == 2


@pytest.fixture
def failing(monkeypatch):
    """The keys of rounds about which nothing is signed: their signer gives no answer."""
    keys = set()

    def failing_at(signed):
        def sign(self, row):
            if row.key in keys:
                raise SigningKeyError("signer", "an answer", "none")
            return signed(self, row)

        return sign

    for name in ("accepted", "settled"):
        monkeypatch.setattr(PairMouth, name, failing_at(getattr(PairMouth, name)))
    return keys


def test_a_signature_that_fails_refuses_its_bet_and_no_other(signing, failing):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    failing.add("b")
    answers = house.play_many(BetRequest(pair, {"player": 5}, key) for key in "abc")
    assert [getattr(answer, "nonce", type(answer)) for answer in answers] == [0, SigningKeyError, 1]
    for call in (house.play, house.accept):
        with pytest.raises(SigningKeyError):
            call(pair, {"player": 5}, "b")
    refused = [(event.nonce, event.key, event.reason.partition(":")[0]) for event in house.events(pair) if event.kind == "refused"]
    assert refused == [(1, "b", "signing_key"), (2, "b", "signing_key"), (2, "b", "signing_key")]
    assert [kept.acceptance.key for kept in house.history(bettor="ann").rounds] == ["a", "c"]
    assert house.balance("ann") == 1_000_000 + sum(answer.totals.net for answer in (answers[0], answers[2]))
    failing.clear()
    assert house.play(pair, {"player": 5}, "b").nonce == 2
    house.rotate(pair)
    assert prove(house).commitments[0].verified == 3


def test_a_receipt_that_cannot_be_signed_leaves_its_round_open(signing, failing):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    accepted = house.accept(pair, {"player": 5}, "open")
    failing.add("open")
    for call in (lambda: house.deal(accepted), lambda: house.play(pair, {"player": 5}, "open")):
        with pytest.raises(SigningKeyError):
            call()
    answers = house.play_many([BetRequest(pair, {"player": 5}, "open"), BetRequest(pair, {"player": 5}, "other")])
    assert [getattr(answer, "nonce", type(answer)) for answer in answers] == [SigningKeyError, 1]
    assert house.round_at(pair, 0).record is None
    assert house.balance("ann") == 1_000_000 - 5 + answers[1].totals.net
    failing.clear()
    assert house.play(pair, {"player": 5}, "open") == house.deal(accepted)
    assert len(house.statements(pair, 0)) == 2
    house.verify_books()


def test_a_bet_that_is_not_signed_costs_its_wallet_nothing(open_house, signer, failing):
    wallet = MemoryWallet({"ann": 1000})
    house = open_house(signer=signer, wallet=wallet)
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    failing.add("a")
    with pytest.raises(SigningKeyError):
        house.play(pair, {"player": 5}, "a")
    assert (wallet.balances["ann"], house.pending().total, house.pair(pair).next_nonce) == (1000, 0, 0)
    assert house.events(pair)[-1].kind == "refused"


def test_openings_of_a_bettor_are_counted(signing):
    house = signing()
    pairs = [house.commit("ann"), house.commit("bob"), house.commit("ann")]
    said = [read_statement(house.statements(pair)[0], house.key_set).statement for pair in pairs]
    assert [(each.number, each.previous) for each in said] == [(0, None), (0, None), (1, pairs[0].commitment)]


def test_without_a_signer_nothing_is_signed_and_nothing_breaks(open_house, signer):
    house = open_house()
    house.deposit("ann", 1000, "first deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    assert house.accept(pair, {"player": 5}, "a").statement is None
    assert house.statements(pair) == house.statements(pair, 0) == ()
    with pytest.raises(SigningKeyError):
        house.key_set  # it is a property that refuses
    with pytest.raises(SigningKeyError):
        list(house.prove("ann"))
    signed = open_house(signer=signer)
    signed.play(pair, {"player": 5}, "b")
    assert signed.statements(pair, 1) == ()  # a pair whose opening is not signed stays without
    following = signed.rotate(pair).next_pair
    assert len(signed.statements(following)) == 1
    assert len(prove(signed).commitments) == 1


def test_a_signed_pair_needs_its_signer(signing, open_house):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    accepted = house.accept(pair, {"player": 5}, "a")
    unsigned = open_house()
    for attempt in (
        lambda: unsigned.play(pair, {"player": 5}, "b"),
        lambda: unsigned.deal(accepted),
        lambda: unsigned.rotate(pair),
        lambda: unsigned.close_pair(pair),
    ):
        with pytest.raises(SigningKeyError, match="signer"):
            attempt()
    assert unsigned.pair(pair).next_nonce == 1
    assert verify_history_file(io.BytesIO(b"".join(unsigned.prove("ann", keys=house.key_set)))).coups == 1


def test_a_signer_and_a_promise_are_what_they_are(open_house, signer):
    for wrong in ({"signer": "key"}, {"signer": signer, "log_promise": "log"}, {"log_promise": LogPromise.model_construct()}):
        with pytest.raises(SigningKeyError):
            open_house(**wrong)


def test_a_rotated_key_signs_from_its_time_on(signing, key_file, open_house):
    house = signing(log_promise=None)
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    house.play(pair, {"player": 5}, "a")
    rotate_key_file(key_file, START.replace(hour=13))
    clock = Clock()
    clock.now = START.replace(hour=14)
    later = open_house(signer=Signer.from_key_file(key_file), clock=clock)
    later.play(pair, {"player": 5}, "b")
    kids = [read_statement(later.statements(pair, nonce)[0], later.key_set).key.kid for nonce in (0, 1)]
    assert len(set(kids)) == 2
    later.rotate(pair)
    assert prove(later).coups == 2


def test_the_tables_keep_statements_and_places(signing, engine, open_log):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    house.play(pair, {"player": 5}, "a")
    with open_log() as log:
        house.sequence(log, limit=2)
    prefix = "house." if engine.name == "postgres" else ""
    for statement in (
        "UPDATE {}statement SET text = 'x'",
        "DELETE FROM {}statement",
        "UPDATE {}log_place SET place = 7",
        "DELETE FROM {}log_place",
        "DELETE FROM {}unlogged",
        "UPDATE {}unlogged SET statement = 1",
        "INSERT INTO {}log_place (place, statement) VALUES (9, 3)",
        "INSERT INTO {}statement (pair, kind, nonce, text) VALUES (1, 'receipt', 0, 'another')",
    ):
        engine.attempt(statement.format(prefix))


def test_a_log_is_appended_to_where_it_was_left(signing, open_log, tmp_path, log_key):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    for number in range(5):
        house.play(pair, {"player": 5}, f"bet {number}")
    with open_log() as log:
        assert house.sequence(log, limit=3) == 3
        assert house._store.give_places(4) == 4  # a crash between the places and the log
    with open_log() as log:
        assert house.sequence(log) == 8
    entries = [LogEntry.parse(entry) for entry in TileLog(tmp_path / "log", log_key).entries()]
    assert [(entry.kind, entry.nonce) for entry in entries] == [
        ("opening", None),
        *((kind, nonce) for nonce in range(5) for kind in ("acceptance", "receipt")),
    ]


def test_a_house_that_signs_all_the_time_is_logged_up_to_the_call(signing, open_log, tmp_path, log_key):
    """The sequencer would never be let go if it waited until nothing waits."""
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    with open_log() as log:
        append, signed = log.append, count()

        def append_while_bets_come(entries, *, at):
            append(entries, at=at)
            number = next(signed)
            assert number < 5
            house.play(pair, {"player": 5}, f"bet {number}")

        log.append = append_while_bets_come
        assert [house.sequence(log) for _ in range(3)] == [1, 2, 2]
        log.append = append
        assert [house.sequence(log), house.sequence(log)] == [2, 0]
    TileLog(tmp_path / "log", log_key).verify()


class SteppingClock(Clock):
    """A clock that is set back every now and then."""

    def __init__(self):
        super().__init__()
        self.dice = Random(1129)

    def __call__(self):
        with self.lock:
            self.now += timedelta(milliseconds=self.dice.choice((0, 1, 2, 3, 5, 8, -13)))
            return self.now


@pytest.mark.parametrize("chain_length", [None, 500])
def test_what_many_threads_bet_while_the_clock_steps_back_is_proved(signing, open_log, log_key, tmp_path, chain_length):
    """In the log and by its times a pair is in the order that a history file needs: opening, acceptances by their nonces, closing."""
    house = signing(clock=SteppingClock(), chain_length=chain_length)
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")

    def bet(number):
        for item in range(6):
            accepted = house.accept(pair, {"player": 5}, f"a {number} {item}")
            house.play(pair, {"tie": 5}, f"b {number} {item}")
            if item % 3:
                house.deal(accepted)
            if number % 2:
                house.play_many([BetRequest(pair, {"banker": 20}, f"c {number} {item} {bet}") for bet in range(3)])

    with open_log() as log:
        with ThreadPoolExecutor(4) as pool:
            bets = [pool.submit(bet, number) for number in range(4)]
            while not all(each.done() for each in bets):
                house.sequence(log)
            for each in bets:
                each.result()
        following = house.rotate(pair).next_pair
        house.sequence(log)
        house.play(house.choose_client_seed(following, "lucky 8s"), {"tie": 5}, "the last one")
        house.sequence(log)
    history = prove(house, log=TileLog(tmp_path / "log", log_key))
    assert (history.coups, history.logged) == (2 * 24 + 2 * 18 + 1, history.statements)
    closed, _ = history.commitments
    assert (closed.is_closed, closed.verified) == (True, 84)
    places = {(each.kind, each.nonce): each.place for each in house.statement_page(pair, limit=100).statements}
    assert places["closing", None] < max(places.values()), "what was accepted is dealt behind the closing, too"


def test_the_log_of_another_database_is_refused(signing, open_log, open_house, tmp_path):
    house = signing()
    house.commit("ann")
    with open_log() as log:
        log.append([b"something else"])
        with pytest.raises(LogStoreError, match="restored"):
            house.sequence(log)
        house._store.give_places(10)
        with pytest.raises(LogStoreError):
            house.sequence(log)


def test_a_log_that_was_lost_is_made_anew(signing, open_log, tmp_path, log_key):
    import shutil

    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    for number in range(3):
        house.play(pair, {"player": 5}, f"bet {number}")
    with open_log() as log:
        house.sequence(log)
        root = log.checkpoint.root
    shutil.rmtree(tmp_path / "log")
    with open_log() as log:
        assert house.sequence(log) == 7
        assert log.checkpoint.root == root


def test_no_private_key_is_in_the_database_or_in_what_is_told(signing, key_file, engine):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    house.play(pair, {"player": 5}, "a")
    secret = key_file.read_text().split()[2]
    assert secret not in repr(house) + repr(house._mouth) + repr(vars(house._dealer.open(pair.id).signs))
    texts = [row[0] for row in engine.query(f"SELECT text FROM {'house.' if engine.name == 'postgres' else ''}statement")]
    assert len(texts) == 3
    assert not any(secret in text for text in texts)
    with pytest.raises((TypeError, Exception)):
        pickle.dumps(house._mouth.signer)


def test_the_async_house_says_the_same(signing, open_log, log_key, tmp_path):
    house = signing()
    pair = house.choose_client_seed(house.commit("ann"), "lucky 8s")
    house.play(pair, {"player": 5}, "a")

    async def run():
        later = AsyncHouse(house)
        with open_log() as log:
            assert await later.sequence(log) == 3
        lines = [line async for line in later.prove("ann", log=TileLog(tmp_path / "log", log_key))]
        return lines, await later.statements(pair, 0)

    lines, said = asyncio.run(run())
    assert len(lines) == 4
    assert said == house.statements(pair, 0)


def test_key_sets_are_public(signing):
    house = signing()
    assert KeySet.parse_jwks(house.key_set.to_jwks()) == house.key_set
