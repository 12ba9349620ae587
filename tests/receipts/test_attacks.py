"""Every known way to cheat: each is shown to be found, or shown not to be, as the page on the threat model says.

The cheating operator signs whatever it likes, keeps its own log, and writes its own history file. The bettor knows the operator's published
keys, and has kept what each test says.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from provably_fair_baccarat import (
    EZ_BACCARAT,
    ClientSeed,
    Grade,
    RoundRecord,
    Seeds,
    ServerSeed,
    commit,
    play_round,
    settle,
    verify_record,
)
from provably_fair_baccarat.errors import (
    CardsMismatchError,
    CommitmentError,
    CommitmentMismatchError,
    ConsistencyError,
    CutMismatchError,
    EquivocationError,
    HistoryMismatchError,
    InclusionError,
    KeyTimeError,
    LeftOutError,
    SettlementMismatchError,
    SignatureError,
    SplitViewError,
    StatementFormError,
    UnknownKeyError,
)
from provably_fair_baccarat.receipts import (
    ClosingStatement,
    InclusionProof,
    KeySet,
    LogEvidence,
    PrivateKey,
    ReceiptStatement,
    Signer,
    VerificationKey,
    read_statement,
    verify_proof,
)
from provably_fair_baccarat.receipts.log import LogEntry, require_same_log

PAGE = Path(__file__).parents[2] / "docs/explanation/threat-model.md"


@pytest.fixture
def house(make_operator):
    """An operator with a log, and a pair of three coups that is not closed yet."""
    one = make_operator()
    pair = one.open()
    for _ in range(3):
        one.play(pair)
    return one


def proof_of(one, pair, nonce=0):
    """What all statements about a pair, with their places in the log, prove of one of its rounds."""
    texts, tree = [text for _, text, _ in pair.lines], one.log.tree()
    proofs = {
        read_statement(text, one.keys).digest: InclusionProof(index, tuple(tree.inclusion_proof(index)))
        for _, text, index in pair.lines
        if index is not None
    }
    verified = verify_record(pair.records[nonce].reveal(pair.server_seed))
    return verify_proof(verified, texts, LogEvidence(one.log.checkpoint(), proofs), one.keys)


def said(one, pair, place):
    return read_statement(pair.lines[place][1], one.keys).statement


# Seeds


def test_a_server_seed_that_was_swapped_after_the_fact(house):
    pair = house.pairs[0]
    house.close(pair)
    pair.server_seed = ServerSeed(bytes(32))
    with pytest.raises(CommitmentMismatchError):
        house.verify()


def test_server_seeds_that_were_ground_against_a_known_client_seed(make_operator):
    """The operator knows the client seed beforehand and tries server seeds until the bettor loses. A client seed without a mark does not show it."""
    one, known = make_operator(), ClientSeed("always the same")
    for seed in range(1, 200):
        server_seed = ServerSeed(bytes([seed, 0]) * 16)
        if settle(play_round(Seeds(server_seed, known, commit(server_seed)), 0).coup, {"player": 1}).returned == 0:
            one.seed = seed
            break
    pair = one.open(known.text)
    one.play(pair, {"player": 1})
    one.close(pair)
    assert pair.records[0].totals.returned == 0
    told = one.verify().guarantees
    assert told["seed_fixed_before_bet"].weakest is Grade.CLAIMED
    assert "only you know" in told["seed_fixed_before_bet"].sentences[Grade.CLAIMED]
    assert told["client_seed_after_commitment"].weakest is not Grade.PROVED


def test_a_mark_can_not_be_ground(house, make_operator):
    """With a marked client seed another server seed has another commitment, and the mark is no more its own."""
    house.close(house.pairs[0])
    assert house.verify().guarantees["seed_fixed_before_bet"].weakest is Grade.PROVED
    other = make_operator(seed=9)
    pair = other.open(house.pairs[0].seeds.client_seed.text)
    other.play(pair)
    other.close(pair)
    assert other.verify().guarantees["seed_fixed_before_bet"].weakest is Grade.CLAIMED


def test_a_client_seed_that_the_operator_made_is_said_aloud(make_operator):
    one = make_operator()
    pair = one.open(made_by="operator")
    one.play(pair)
    one.close(pair)
    history = one.verify()
    assert history.commitments[0].client_seed_made_by == "operator"
    assert "made by the operator's side" in history.guarantees["client_seed_after_commitment"].sentences[Grade.PROVED]


def test_a_client_seed_that_is_exchanged_between_coups(house):
    pair = house.pairs[0]
    house.replace(pair, 3, house.acceptance(pair, {"banker": 333, "tie": 50}, 1, client_seed="another"))
    with pytest.raises(HistoryMismatchError, match="client seed"):
        house.verify()


# Rounds


def test_a_round_that_was_dropped(house):
    pair = house.pairs[0]
    kept = list(pair.lines)
    house.close(pair)
    closing = pair.lines[-1]
    for gone in ((3, 4), (5, 6), (1, 2)):
        pair.lines = [line for place, line in enumerate(kept) if place not in gone] + [closing]
        with pytest.raises(HistoryMismatchError):
            house.verify()


def test_a_round_that_was_dropped_with_a_closing_that_agrees(house):
    """The file alone is in order then. The bettor's own acceptance is not, and neither is the log."""
    pair = house.pairs[0]
    lost_acceptance = pair.lines[5][1]
    pair.lines = pair.lines[:5]
    house.close(pair, coups=2)
    house.verify()
    record = pair.records[0].reveal(pair.server_seed)
    texts = [text for _, text, _ in pair.lines]
    verify_proof(verify_record(record), texts, None, house.keys)
    with pytest.raises(HistoryMismatchError, match="2 coups of the closing"):
        verify_proof(verify_record(record), [*texts, lost_acceptance], None, house.keys)
    entries = [LogEntry.parse(entry) for entry in house.log.entries]
    assert max(entry.nonce for entry in entries if entry.nonce is not None and entry.commitment == str(pair.seeds.commitment)) == 2


def test_a_nonce_that_was_used_twice(house):
    pair = house.pairs[0]
    pair.nonce = 2
    house.play(pair, {"player": 5}, key="a new bet")
    with pytest.raises(HistoryMismatchError, match="nonce 3 next"):
        house.verify()
    record = pair.records[2]
    with pytest.raises(EquivocationError):
        verify_proof(verify_record(record.reveal(pair.server_seed)), [text for _, text, _ in pair.lines], None, house.keys)
    entries = [LogEntry.parse(entry) for entry in house.log.entries]
    accepted = [(entry.commitment, entry.nonce) for entry in entries if entry.kind == "acceptance"]
    assert len(set(accepted)) < len(accepted), "whoever reads the log sees it too"


def test_a_key_that_was_used_for_two_bets(house):
    pair = house.pairs[0]
    house.play(pair, key="bet 0 of 1")
    with pytest.raises(EquivocationError):
        house.verify()


def test_a_round_that_was_dealt_after_the_reveal(house):
    pair = house.pairs[0]
    house.close(pair)
    house.play(pair)
    with pytest.raises(EquivocationError, match="behind the closing"):
        house.verify()
    pair.lines = [*pair.lines[:7], *pair.lines[8:], pair.lines[7]]
    with pytest.raises(HistoryMismatchError, match="3, as the closing says"):
        house.verify()


def test_a_round_that_was_accepted_after_the_closing_that_counts_it(house):
    """Whoever was told the server seed at the closing knew the coup. The file is in order; the log is not."""
    pair = house.pairs[0]
    house.close(pair)
    house.log_again(pair, [0, 1, 2, 3, 4, 5, 7, 6])
    assert house.verify().guarantees["nonces_complete"].weakest is Grade.PROVED, "what was accepted before is settled after it"
    assert proof_of(house, pair)["nonces_complete"].grade is Grade.PROVED
    house.log_again(pair, [0, 1, 2, 3, 4, 7, 5, 6])
    with pytest.raises(HistoryMismatchError, match="place of the closing"):
        house.verify()
    with pytest.raises(HistoryMismatchError, match="places in the log"):
        proof_of(house, pair)


def test_a_closing_that_is_dated_before_a_round_that_it_counts(make_operator):
    """Without a log there are the times that the operator signed itself."""
    for has_log in (True, False):
        one = make_operator(has_log=has_log)
        pair = one.open()
        for _ in range(3):
            one.play(pair)
        one.close(pair)
        last = said(one, pair, 5).time
        one.date_closing(pair, last)
        one.verify()
        one.date_closing(pair, last - timedelta(microseconds=1))
        with pytest.raises(HistoryMismatchError, match="time of the closing"):
            one.verify()
        texts = [text for _, text, _ in pair.lines]
        with pytest.raises(HistoryMismatchError, match="time of the closing"):
            verify_proof(verify_record(pair.records[0].reveal(pair.server_seed)), texts, None, one.keys)


def test_nonces_that_are_given_to_bets_out_of_order(house):
    """Who knows the coups to come and holds bets back chooses which of them gets which coup. Places and times tell."""
    pair = house.pairs[0]
    house.close(pair)
    first = said(house, pair, 1).time
    house.date_acceptance(pair, 1, first)
    house.verify()
    house.log_again(pair, [0, 1, 3, 2, 4, 5, 6, 7])
    house.verify()
    house.log_again(pair, [0, 3, 1, 2, 4, 5, 6, 7])
    with pytest.raises(HistoryMismatchError, match="place of the acceptance"):
        house.verify()
    with pytest.raises(HistoryMismatchError, match="places in the log"):
        proof_of(house, pair)
    house.log_again(pair, range(8))
    house.date_acceptance(pair, 1, first - timedelta(microseconds=1))
    for prove in (house.verify, lambda: proof_of(house, pair), lambda: proof_of(house, pair, 2)):
        with pytest.raises(HistoryMismatchError, match="time of acceptance 1"):
            prove()


def test_a_link_that_is_told_before_its_coup_is_settled(make_operator):
    """Whoever knows a link knows its coup: no bet may stand or come there any more."""
    for is_settled, revealed in ((True, 1), (False, 0)):
        one = make_operator()
        pair = one.open_chain()
        one.play(pair, is_settled=is_settled)
        pair.revealed = 0 if is_settled else None
        one.verify()
        pair.revealed = revealed
        with pytest.raises(HistoryMismatchError, match=f"as the link of nonce {revealed} is revealed"):
            one.verify()


def test_a_server_seed_that_is_told_before_the_end(house):
    house.pairs[0].is_revealed = True
    with pytest.raises(HistoryMismatchError, match="as the server seed is revealed"):
        house.verify()


def test_more_coups_than_the_cap(make_operator):
    one = make_operator()
    pair = one.open(cap=1)
    one.play(pair)
    one.play(pair)
    with pytest.raises(HistoryMismatchError, match="cap"):
        one.verify()


def test_a_commitment_that_was_left_out(make_operator):
    one = make_operator()
    for _ in range(3):
        pair = one.open()
        one.play(pair)
        one.close(pair)
    one.pairs.pop(1)
    with pytest.raises(HistoryMismatchError, match="number 1"):
        one.verify()


def test_the_last_commitment_left_out_is_not_seen_in_the_file(make_operator):
    """The page says so: the bettor's own opening and the log have it."""
    one = make_operator()
    for _ in range(2):
        one.play(one.open())
    gone = one.pairs.pop()
    assert len(one.verify().commitments) == 1
    assert str(gone.seeds.commitment) in {LogEntry.parse(entry).commitment for entry in one.log.entries}


def test_a_commitment_or_statement_that_the_bettor_kept_and_that_was_left_out(make_operator):
    one = make_operator()
    for _ in range(2):
        one.play(one.open())
    lines = one.history()
    statements = [json.loads(line)["statement"] for line in lines if b'"statement":' in line]
    commitments = [pair.seeds.commitment for pair in one.pairs]
    assert one.verify(lines, commitments=commitments, statements=statements).coups == 2
    gone = one.pairs.pop()
    lines = one.history()
    assert one.verify(lines, commitments=commitments[:1], statements=statements[:3]).coups == 1
    with pytest.raises(LeftOutError, match=str(gone.seeds.commitment)):
        one.verify(lines, commitments=commitments)
    for kept, number in ((statements, 4), ([statements[0][:-1]], 1)):
        with pytest.raises(LeftOutError, match=f"statement {number} of those"):
            one.verify(lines, statements=kept)
    with pytest.raises(CommitmentError):
        one.verify(lines, commitments=[str(commitments[0])])
    for wrong in ("no statement", "ä.b.c", None):
        with pytest.raises(StatementFormError):
            one.verify(lines, statements=[wrong])


# Money and cards


def test_a_pay_table_that_was_changed(house):
    pair, table = house.pairs[0], EZ_BACCARAT
    record = house.record(pair, {"banker": 333, "tie": 50}, 1, said(house, pair, 3).time, table)
    house.replace(pair, 4, ReceiptStatement.of(record, "Zoë", "bet 1 of 1"))
    with pytest.raises(HistoryMismatchError, match="pay_table_digest"):
        house.verify()
    house.replace(pair, 3, house.acceptance(pair, {"banker": 333, "tie": 50}, 1, pay_table_digest=table.digest))
    with pytest.raises(HistoryMismatchError, match="pay table"):
        house.verify()


@pytest.mark.parametrize("nonce", [0, 1, 2])
def test_a_payment_that_was_wrong(house, nonce):
    pair = house.pairs[0]
    record = pair.records[nonce]
    told = record.to_dict()
    returned = str(record.bets["banker"].returned + 1)
    change = {
        "bets": {**told["bets"], "banker": {**told["bets"]["banker"], "returned": returned}},
        "totals": {**told["totals"], "returned": str(record.totals.returned + 1), "net": str(record.totals.net + 1)},
    }
    house.replace(pair, 2 + 2 * nonce, ReceiptStatement.of(record.model_copy(update=change), "Zoë", f"bet {nonce} of 1"))
    house.close(pair)
    with pytest.raises(SettlementMismatchError):
        house.verify()


@pytest.mark.parametrize("nonce", [0, 1, 2])
def test_cards_that_were_other_ones(house, nonce):
    pair = house.pairs[0]
    other = play_round(pair.seeds, nonce + 100)
    accepted_at = said(house, pair, 1 + 2 * nonce).time
    forged = RoundRecord.from_round(
        other, settle(other.coup, {"banker": 333, "tie": 50}), client_seed_made_by="bettor", currency=("USD", 2),
        accepted_at=accepted_at, settled_at=accepted_at,
    ).model_copy(update={"nonce": nonce})  # fmt: skip
    house.replace(pair, 2 + 2 * nonce, ReceiptStatement.of(forged, "Zoë", f"bet {nonce} of 1"))
    house.close(pair)
    with pytest.raises((CutMismatchError, CardsMismatchError)):
        house.verify()


def test_bets_that_were_changed_after_the_acceptance(house):
    pair = house.pairs[0]
    record = house.record(pair, {"tie": 50}, 1, said(house, pair, 3).time)
    house.replace(pair, 4, ReceiptStatement.of(record, "Zoë", "bet 1 of 1"))
    with pytest.raises(HistoryMismatchError, match="bets"):
        house.verify()


def test_a_receipt_of_another_bettor(house, make_operator):
    pair = house.pairs[0]
    other = make_operator(bettor="Ann")
    theirs = other.open()
    other.play(theirs)
    for place, line in ((2, theirs.lines[2]), (1, theirs.lines[1]), (0, theirs.lines[0])):
        kept = list(pair.lines)
        pair.lines[place] = (*line[:2], None)
        with pytest.raises(HistoryMismatchError):
            house.verify()
        pair.lines = kept


def test_a_bettor_s_own_record_against_the_operator_s_receipt(house):
    """Two records of one coup, both signed: whoever has both can show them."""
    pair = house.pairs[0]
    mine = pair.records[1].reveal(pair.server_seed)
    theirs = house.signer.sign(ReceiptStatement.of(mine.model_copy(update={"settled_at": "2026-11-29T13:00:00Z"}), "Zoë", "bet 1 of 1"))
    with pytest.raises(EquivocationError):
        verify_proof(verify_record(mine), [pair.lines[3][1], theirs], None, house.keys)


# Signatures and time


def test_a_bettor_who_forges_a_receipt(house, make_operator):
    """The other way round: a bettor signs a win with a key of its own, under the operator's id."""
    pair = house.pairs[0]
    secret = make_operator().log.secret
    forger = Signer([PrivateKey(secret._secret, VerificationKey(secret.public.raw, 0))])
    text = forger.sign(said(house, pair, 2))
    with pytest.raises(UnknownKeyError):
        verify_proof(verify_record(pair.records[0].reveal(pair.server_seed)), [text], None, house.keys)
    mine = pair.lines[2][1].split(".")
    with pytest.raises(SignatureError):
        verify_proof(
            verify_record(pair.records[0].reveal(pair.server_seed)), [f"{mine[0]}.{mine[1]}.{text.split('.')[2]}"], None, house.keys
        )
    house.signer = forger
    with pytest.raises(UnknownKeyError):
        house.verify(keys=KeySet([house.key.public]))


def test_an_opening_that_is_dated_back_is_behind_its_bets_in_the_log(make_operator):
    one = make_operator()
    pair = one.open()
    one.play(pair)
    entries = one.log.entries
    one.log.entries = [*entries[1:], entries[0]]
    places = {0: 2, 1: 0, 2: 1}
    pair.lines = [(kind, text, places[index]) for kind, text, index in pair.lines]
    with pytest.raises(HistoryMismatchError, match="place of the acceptance"):
        one.verify()


def test_an_opening_that_is_dated_back_together_with_its_bets_is_claimed_only(make_operator):
    """All of it made in one go, and dated back: the file is in order. A checkpoint that somebody kept in between is not."""
    one = make_operator()
    early = one.log.checkpoint()
    one.now -= timedelta(hours=5)
    pair = one.open("no mark")
    one.play(pair)
    told = one.verify().guarantees
    assert told["seed_fixed_before_bet"].weakest is Grade.CLAIMED
    assert pair.lines[0][2] >= early.size, "the checkpoint that was kept has no such opening"


def test_a_statement_with_a_key_that_is_over(make_operator):
    one = make_operator()
    pair = one.open()
    one.play(pair)
    key = one.key.public
    published = KeySet([VerificationKey(key.raw, key.not_before, int((one.now - timedelta(seconds=1)).timestamp()))])
    with pytest.raises(KeyTimeError):
        verify_proof(verify_record(pair.records[0].reveal(pair.server_seed)), [pair.lines[2][1]], None, published)


# The log


def test_a_log_that_was_forked(house, make_operator):
    """One view for the bettor, another for the rest of the world."""
    mine = house.log.checkpoint()
    world = make_operator().log
    world.entries = [entry for place, entry in enumerate(house.log.entries) if place != 3] + [b"another"]
    theirs = world.checkpoint()
    assert mine.size == theirs.size
    with pytest.raises(SplitViewError):
        require_same_log(mine, theirs)
    world.entries.append(b"one more")
    later, tree = world.checkpoint(), world.tree()
    for proof in (tree.consistency_proof(mine.size), []):
        with pytest.raises(ConsistencyError):
            require_same_log(mine, later, proof)
    with pytest.raises(SplitViewError):
        house.verify(checkpoints=[theirs.text])


def test_an_entry_that_is_not_in_the_log(house):
    pair = house.pairs[0]
    text = house.signer.sign(ClosingStatement.make(time=house.now, bettor="Zoë", commitment=pair.seeds.commitment, coups=3))
    digest, tree = read_statement(text, house.keys).digest, house.log.tree()
    evidence = LogEvidence(house.log.checkpoint(), {digest: InclusionProof(6, tuple(tree.inclusion_proof(6)))})
    with pytest.raises(InclusionError):
        verify_proof(verify_record(pair.records[0].reveal(pair.server_seed)), [text], evidence, house.keys)


def test_the_page_names_every_test_and_no_other():
    here = set(re.findall(r"^def (test_\w+)", Path(__file__).read_text(encoding="utf-8"), re.MULTILINE))
    told = set(re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8")))
    assert told == here - {"test_the_page_names_every_test_and_no_other"}
