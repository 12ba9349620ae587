"""History: rebuilt to the same bytes, read in pages, exported harmlessly, and proved; whatever is changed behind the house's back is found."""

from __future__ import annotations

import csv
import io
import pickle
from datetime import datetime, timedelta

import pytest

from provably_fair_baccarat import ALL_BETS, RoundRecord, ServerSeed, play_round, settle, verify_record
from provably_fair_baccarat.errors import BaccaratError, NonceError, NotRevealedError, PairError, RequestError, SealError, VerificationError
from provably_fair_baccarat.fairness.seed_pair import Seeds
from provably_fair_baccarat.house import BetRequest
from provably_fair_baccarat.house.dealing import binding_of
from provably_fair_baccarat.house.export import harmless

from .conftest import make_vault


def play_some(house, pair, rounds=12):
    return [house.play(pair, {"player": 100 + number, "tie": 10}, f"key {number}") for number in range(rounds)]


def test_a_record_is_rebuilt_to_the_same_bytes(open_house):
    house = open_house()
    house.deposit("ann", 10_000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "Zoë ♥")
    records = play_some(house, pair)
    again = open_house()
    assert [kept.record.to_json() for kept in again.history(pair=pair).rounds] == [record.to_json() for record in records]
    revealed = again.rotate(pair).revealed
    seeds = Seeds(revealed.server_seed, pair.client_seed, pair.commitment)
    for kept, record in zip(again.history(pair=pair).rounds, records, strict=True):
        assert kept.record.to_json() == record.reveal(revealed.server_seed).to_json()
        assert verify_record(RoundRecord.parse_json(kept.record.to_json()))
        assert kept.record.cards == play_round(seeds, record.nonce).cards


def test_a_record_is_the_one_that_from_round_makes(open_house):
    """The house puts records together faster than `from_round` does; nobody can tell them apart."""
    house = open_house(pay_table=ALL_BETS)
    house.deposit("ann", 10**6, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "Zoë")
    bets = dict.fromkeys(ALL_BETS.offers, 100)
    records = house.play_many(BetRequest(pair, bets, f"{number}") for number in range(60))
    revealed = house.rotate(pair).revealed
    seeds = Seeds(revealed.server_seed, pair.client_seed, pair.commitment)
    for record, kept in zip(records, house.history(pair=pair).rounds, strict=True):
        played = play_round(seeds, record.nonce)
        known = {"client_seed_made_by": "bettor", "currency": ("USD", 2)}
        times = {"accepted_at": record.accepted_at, "settled_at": record.settled_at}
        settlement = settle(played.coup, dict(sorted(bets.items())), ALL_BETS)
        for made, server_seed in ((record, None), (kept.record, revealed.server_seed)):
            plain = RoundRecord.from_round(played, settlement, server_seed=server_seed, **known, **times)
            assert made == plain == RoundRecord.parse_json(made.to_json())
            assert (made.to_json(), hash(made), repr(made)) == (plain.to_json(), hash(plain), repr(plain))
            assert pickle.loads(pickle.dumps(made)) == plain
            assert made.model_fields_set == plain.model_fields_set
            assert made.player.model_fields_set == plain.player.model_fields_set
            assert made.totals.model_fields_set == plain.totals.model_fields_set
            assert made.bets["tie"].model_fields_set == plain.bets["tie"].model_fields_set


def test_recall_is_latest_first_with_everything_to_show_it_again(house, pair):
    records = play_some(house, pair)
    acceptance = house.accept(pair, {"tie": 5}, "open")
    newest, second, *_ = house.recall("ann", 5)
    assert (newest.record, newest.balance_after, newest.acceptance) == (None, None, acceptance)
    assert (second.record, second.acceptance.key) == (records[-1], "key 11")
    assert len(house.recall("ann", 5)) == 5
    assert house.recall("nobody") == ()
    balance = 1_000_000
    for kept in house.history(bettor="ann").rounds[:-1]:
        assert kept.balance_before == balance
        balance += kept.record.totals.net
        assert kept.balance_after == balance


def test_pages_cover_everything_once(house, pair):
    records = play_some(house, pair)
    house.deposit("ben", 1000, "deposit")
    house.play(house.choose_client_seed(house.commit("ben"), "lucky"), {"player": 5}, "key")
    for selection, count in (({"pair": pair}, 12), ({"bettor": "ann"}, 12), ({"bettor": "ben"}, 1), ({}, 13)):
        seen, after = [], None
        while True:
            page = house.history(**selection, after=after, limit=4)
            seen += [kept.acceptance for kept in page.rounds]
            if (after := page.next) is None:
                break
        assert len(seen) == len(set(seen)) == count
    since, until = records[3].accepted_at, records[7].accepted_at
    inside = house.history(since=since, until=until).rounds
    assert [kept.record for kept in inside] == records[3:7]
    assert house.history(pair=pair, since=until + timedelta(days=1)).rounds == ()


@pytest.mark.parametrize(
    "arguments",
    [{"limit": 0}, {"limit": 1001}, {"limit": "5"}, {"after": 0}, {"after": 2**63}, {"since": datetime(2026, 1, 1)}, {"until": "now"}],
)
def test_what_is_no_page(house, arguments):
    with pytest.raises(RequestError):
        house.history(**arguments)


def test_export_as_json_lines(house, pair):
    records = play_some(house, pair)
    house.accept(pair, {"tie": 5}, "open")
    assert b"".join(house.export("jsonl", bettor="ann")).splitlines() == [record.to_json() for record in records]
    assert list(house.export("jsonl", bettor="ben")) == []
    with pytest.raises(RequestError):
        house.export("xml")
    with pytest.raises(PairError):
        list(house.export(pair="nowhere"))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1", '=cmd|"/c calc"!A1', "a,b", 'say "x"', "=\u00e9"])
def test_csv_has_no_formulas(house, text):
    house.deposit(text, 1000, "deposit")
    pair = house.choose_client_seed(house.commit(text), text)
    house.play(pair, {"player": 5}, text)
    (row,) = csv.DictReader(io.StringIO(b"".join(house.export("csv")).decode()))
    for name in ("bettor", "client_seed", "key"):
        assert row[name].removeprefix("'") == text
    assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row.values())


def test_csv_makes_a_tab_harmless():
    assert [harmless(text) for text in ("\tx", "\rx", "x\t=", "")] == ["'\tx", "'\rx", "x\t=", ""]


SQL = "'; DROP TABLE round; --"


def test_sql_in_every_text_is_only_text(house):
    house.deposit(SQL, 1000, SQL)
    pair = house.choose_client_seed(house.commit(SQL), SQL)
    record = house.play(pair, {"player": 5}, SQL)
    assert (house.recall(SQL)[0].record, record.client_seed.text) == (record, SQL)
    with pytest.raises(BaccaratError):
        house.play(pair, {SQL: 5}, SQL)
    assert house.events(pair)[-1].bets == f"{SQL}:5"
    house.rotate(pair)
    assert house.verify_history(pair).rounds == 1


def test_only_a_revealed_pair_is_proved(house, pair):
    play_some(house, pair, 1)
    with pytest.raises(NotRevealedError):
        house.verify_history(pair)


# Whatever is changed behind the house's back


TAMPERING = {
    "a card": ("UPDATE coup SET cards = 'AsAsAsAsAsAs' WHERE round = 3", "verification.cards"),
    "the cut": ("UPDATE coup SET cut = (cut + 1) % 416 WHERE round = 3", "verification.cut"),
    "a return": ("UPDATE coup SET returned = '7', transfer = (SELECT max(id) FROM transfer) WHERE round = 3", "verification.settlement"),
    "a stake in the bets": ("UPDATE round SET bets = 'player:1 tie:10' WHERE id = 3", "verification.settlement"),
    "a bet": ("UPDATE round SET bets = 'banker:102 tie:10' WHERE id = 3", "verification.settlement"),
    "text that is no bets": ("UPDATE round SET bets = 'nonsense' WHERE id = 3", "money.bet"),
    "a stake in the transfer": (
        "UPDATE transfer SET amount = '999' WHERE id = (SELECT transfer FROM round WHERE id = 3)",
        "verification.settlement",
    ),
    "a balance in a transfer": ("UPDATE transfer SET balance = '999' WHERE id = 5", "verification.ledger"),
    "the balance": ("UPDATE account SET balance = '999' WHERE bettor = 'ann'", "verification.ledger"),
    "a transfer turned round": (
        "UPDATE transfer SET kind = 'return' WHERE id = (SELECT transfer FROM round WHERE id = 3)",
        "verification.ledger",
    ),
    "a stake told as a withdrawal": (
        "UPDATE transfer SET kind = 'withdrawal' WHERE id = (SELECT transfer FROM round WHERE id = 3)",
        "verification.ledger",
    ),
    "a return from somebody else": (
        "UPDATE transfer SET payer = (SELECT number FROM account WHERE kind = 'outside') WHERE kind = 'return'",
        "verification.ledger",
    ),
    "a coup gone": ("DELETE FROM coup WHERE round = 3", "verification.history"),
    "a round gone": ("DELETE FROM round WHERE id = 3", "verification.history"),
    "the last round gone": ("DELETE FROM round WHERE id = 12", "verification.history"),
    "a nonce": ("UPDATE round SET nonce = 50 WHERE id = 3", "verification.history"),
    "two nonces' places": ("UPDATE round SET place = 1 WHERE id = 3", "verification.history"),
    "a key of the counter": (
        "UPDATE pair SET next_nonce = 13, settled = 13, settled_in_order = 13 WHERE number = 1",
        "verification.history",
    ),
    "the server seed": ("UPDATE pair SET server_seed = zeroblob(32) WHERE number = 1", "verification.commitment"),
    "the client seed": ("UPDATE pair SET client_seed = CAST('other' AS BLOB) WHERE number = 1", "verification.cut"),
    "a client seed that is none": ("UPDATE pair SET client_seed = x'ff' WHERE number = 1", "seed.client_seed"),
    "the commitment": ("UPDATE pair SET commitment = zeroblob(32) WHERE number = 1", "verification.commitment"),
    "the decks": ("UPDATE pair SET decks = 6 WHERE number = 1", "verification.commitment"),
    "the pay table": ("UPDATE pay_table SET form = replace(form, '1.95', '1.9')", "verification.pay_table"),
    "the exposure": ("UPDATE round SET exposure = '1'", "verification.settlement"),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_a_proof_finds(open_house, engine, what):
    house = open_house()
    house.deposit("ann", 10_000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    play_some(house, pair)
    house.rotate(pair)
    house.verify_history(pair)
    statement, code = TAMPERING[what]
    assert engine.tamper(statement) > 0
    with pytest.raises(BaccaratError) as caught:
        open_house().verify_history(pair)
    assert caught.value.code == code
    assert isinstance(caught.value, VerificationError) or code in ("money.bet", "seed.client_seed")


def test_the_books_find_a_transfer_that_no_round_names(house, pair, engine):
    play_some(house, pair)
    house.verify_books()
    engine.tamper("INSERT INTO transfer (kind, payer, payee, amount, balance) SELECT kind, payer, payee, amount, balance FROM transfer")
    with pytest.raises(VerificationError, match="'ann'"):
        house.verify_books()


def test_a_record_is_not_rebuilt_from_what_does_not_fit(house, pair, engine):
    play_some(house, pair)
    engine.tamper("UPDATE coup SET returned = '7', transfer = 1 WHERE round = 3")
    with pytest.raises(VerificationError, match="nonce 2"):
        house.history(pair=pair)


def test_a_corrupted_seal_deals_nothing(open_house, engine):
    house = open_house()
    house.deposit("ann", 1000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    engine.tamper("UPDATE pair SET sealed = zeroblob(60)")
    later = open_house()
    for call in (later.play, later.accept):
        with pytest.raises(BaccaratError) as caught:
            call(pair, {"player": 5}, "key")
        assert caught.value.code == "house.vault.seal"
    assert (later.balance("ann"), later.pair(pair).next_nonce) == (1000, 0)


def test_a_seal_of_another_secret_is_not_revealed(open_house, engine):
    """Even whoever has the key can't exchange the secret: it must be the one that was committed to."""
    house = open_house()
    house.deposit("ann", 1000, "deposit")
    used, unused = house.choose_client_seed(house.commit("ann"), "lucky"), house.commit("ann")
    for pair in (used, unused):
        forged = make_vault().seal(ServerSeed(b"z" * 32), binding_of(house._store.pair(pair.id)))
        engine.tamper(f"UPDATE pair SET sealed = x'{forged.seal.hex()}' WHERE id = '{pair.id}'")
    later = open_house()
    for call in (lambda: later.play(used, {"player": 5}, "key"), lambda: later.rotate(used), lambda: later.rotate(unused)):
        with pytest.raises(SealError, match="the server seed that was committed to"):
            call()
    assert later.balance("ann") == 1000


def test_one_round_is_the_one_of_its_page(open_house):
    house = open_house()
    house.deposit("ann", 10_000, "deposit")
    pair = house.choose_client_seed(house.commit("ann"), "lucky")
    play_some(house, pair, 3)
    house.accept(pair, {"tie": 5}, "accepted")
    assert tuple(house.round_at(pair, nonce) for nonce in range(4)) == house.history(pair=pair).rounds
    assert house.round_at(pair.id, 4) is None
    with pytest.raises(PairError):
        house.round_at("0" * 32, 0)
    with pytest.raises(NonceError):
        house.round_at(pair, -1)
    house.rotate(pair)
    assert house.round_at(pair, 0).record.server_seed is not None
