"""The history file: what is honest verifies, whatever is changed in it does not, and every grade is what the facts carry."""

from __future__ import annotations

import io
import itertools
import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from provably_fair_baccarat import EZ_BACCARAT, PUNTO_BANCO, Grade, verify_record, verify_round
from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.errors import (
    BeaconError,
    CheckpointError,
    EquivocationError,
    HistoryFileError,
    HistoryMismatchError,
    InclusionError,
    KeyTimeError,
    LogPromiseError,
    NotRevealedError,
    PayTableMismatchError,
    RecordError,
    SigningKeyError,
    SplitViewError,
    StatementFormError,
    UnknownKeyError,
    VerificationError,
)
from provably_fair_baccarat.receipts import (
    PROOF_GUARANTEES,
    BeaconValue,
    InclusionProof,
    KeySet,
    LogEvidence,
    ReceiptStatement,
    Signer,
    VerificationKey,
    read_statement,
    round_at,
    verify_proof,
)
from provably_fair_baccarat.receipts.base64url import decode, encode
from provably_fair_baccarat.receipts.history import HistoryWriter, is_history_file, verify_history_file
from provably_fair_baccarat.receipts.history.lines import MAX_LINE_BYTES, HistoryHeader, read_line
from provably_fair_baccarat.receipts.jws import header_part
from provably_fair_baccarat.receipts.log import NoteKey, cosign_checkpoint, read_checkpoint

START = datetime(2026, 11, 29, 12, tzinfo=UTC)
BETS = {"banker": 333, "tie": 50}


def test_an_honest_history_is_proved(operator):
    history = operator.verify()
    closed, still_open = history.commitments
    assert (history.bettor, history.coups, history.open_coups, history.statements, history.logged) == ("Zoë", 5, 2, 13, 13)
    assert (closed.coups, closed.settled, closed.verified, closed.is_closed) == (3, 3, 3, True)
    assert (still_open.coups, still_open.settled, still_open.verified, still_open.is_closed) == (2, 2, 0, False)
    staked, returned = (sum(getattr(record.totals, name) for record in operator.pairs[0].records) for name in ("staked", "returned"))
    assert (closed.staked, closed.returned) == (staked, returned)
    assert history.are_keys_compared
    assert not operator.verify(keys=None).are_keys_compared


def test_the_grades_are_what_the_facts_carry(operator):
    counts = {code: dict(told.counts) for code, told in operator.verify().guarantees.items()}
    assert counts == {
        "seed_fixed": {Grade.PROVED: 3, Grade.UNKNOWN: 2},
        "client_seed_after_commitment": {Grade.PROVED: 3, Grade.UNKNOWN: 2},
        "unbiased_cards": {Grade.PROVED: 3, Grade.UNKNOWN: 2},
        "settlement_exact": {Grade.PROVED: 3, Grade.UNKNOWN: 2},
        "signed": {Grade.PROVED: 5},
        "seed_fixed_before_bet": {Grade.PROVED: 3, Grade.CLAIMED: 2},
        "accepted_before_deal": {Grade.PROVED: 4, Grade.CLAIMED: 1},
        "nonces_complete": {Grade.PROVED: 3, Grade.CLAIMED: 2},
        "logged": {Grade.PROVED: 5},
    }
    assert operator.verify().guarantees["logged"].weakest is Grade.PROVED
    assert operator.verify().guarantees["seed_fixed"].weakest is Grade.UNKNOWN


def test_one_round_is_graded_like_its_history(operator):
    pair = operator.pairs[0]
    record = pair.records[1].reveal(pair.server_seed)
    checkpoint, tree = operator.log.checkpoint(), operator.log.tree()
    texts = [text for _, text, _ in pair.lines]
    proofs = {
        read_statement(text, operator.keys).digest: InclusionProof(index, tuple(tree.inclusion_proof(index)))
        for _, text, index in pair.lines
    }
    guarantees = verify_proof(verify_record(record), texts, LogEvidence(checkpoint, proofs), operator.keys)
    told = operator.verify().guarantees
    assert guarantees.keys() == told.keys()
    assert set(PROOF_GUARANTEES) < guarantees.keys()
    assert all(guarantee.grade is Grade.PROVED for guarantee in guarantees.values())
    alone = verify_proof(verify_record(record), [], None, operator.keys)
    assert {alone[code].grade for code in PROOF_GUARANTEES} == {Grade.UNKNOWN}
    some = verify_proof(verify_record(record), [texts[0], texts[3], texts[4]], None, operator.keys)
    grades = [some[code].grade for code in PROOF_GUARANTEES]
    assert grades == [Grade.PROVED, Grade.PROVED, Grade.CLAIMED, Grade.UNKNOWN, Grade.CLAIMED]


def other_receipt(one, pair, **change):
    """The receipt of nonce 0 with something else in its record, well signed."""
    return one.signer.sign(ReceiptStatement.of(pair.records[0].model_copy(update=change), one.bettor, "bet 0 of 1"))


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda one, pair: one.signer.sign(one.acceptance(pair, {"tie": 5}, 1, bettor="Ann")), "bettor of the statements"),
        (lambda one, pair: one.signer.sign(one.acceptance(pair, {"tie": 5}, 0)), "bets of nonce 0"),
        (lambda one, pair: one.signer.sign(one.acceptance(pair, BETS, 0, time=one.tick())), "time of acceptance 0"),
        (lambda one, pair: one.signer.sign(one.acceptance(pair, BETS, 0, time=START)), "time of acceptance 0"),
        (lambda one, pair: one.signer.sign(one.acceptance(pair, BETS, 0, client_seed="another")), "client seed of acceptance 0"),
        (lambda one, pair: one.signer.sign(one.acceptance(pair, BETS, 0, key="x", time=pair.records[0].accepted_at)), "key of receipt 0"),
        (lambda one, pair: other_receipt(one, pair, cards=["As"] * 6), "cards of receipt 0"),
        (lambda one, pair: other_receipt(one, pair, label="pfb1:7"), "label of receipt 0"),
        (lambda one, pair: other_receipt(one, pair, currency=None), "currency of receipt 0"),
    ],
)
def test_what_was_signed_of_one_round_is_held_together(make_operator, make, what):
    """The opening, and one statement that contradicts it, the round that was dealt again, or the receipt."""
    one = make_operator(has_log=False)
    pair = one.open()
    one.play(pair)
    opening, _, receipt = (text for _, text, _ in pair.lines)
    made = make(one, pair)
    with pytest.raises(HistoryMismatchError, match=what):
        verify_proof(
            verify_round(pair.seeds, 0), [opening, made, *([] if "receipt" in what and "key" not in what else [receipt])], None, one.keys
        )


@pytest.mark.parametrize(("opening", "acceptance"), [(None, None), (0, None), (None, 1), (0, 1)])
def test_the_log_has_the_commitment_before_the_bet_where_it_has_both(operator, opening, acceptance):
    """For a client seed without a mark, whose time nothing else shows."""
    pair = operator.pairs[1]
    tree = operator.log.tree()
    texts = [text for _, text, _ in pair.lines[:3]]
    logged = [place for place, index in ((0, opening), (1, acceptance)) if index is not None]
    proofs = {
        read_statement(texts[place], operator.keys).digest: InclusionProof(index, tuple(tree.inclusion_proof(index)))
        for place, (_, _, index) in enumerate(pair.lines[:3])
        if place in logged
    }
    told = verify_proof(verify_round(pair.seeds, 0), texts, LogEvidence(operator.log.checkpoint(), proofs), operator.keys)
    assert told["seed_fixed_before_bet"].grade is Grade.CLAIMED
    assert ("The log has the commitment before the bet" in told["seed_fixed_before_bet"].sentence) is (len(logged) == 2)


def test_no_coup_is_accepted_beyond_the_cap(make_operator):
    one = make_operator(has_log=False)
    pair = one.open(cap=1)
    one.play(pair)
    one.verify()
    one.play(pair)
    with pytest.raises(HistoryMismatchError, match="one below the cap 1"):
        one.verify()
    record = verify_record(pair.records[1].reveal(pair.server_seed))
    with pytest.raises(HistoryMismatchError, match="one below the cap 1"):
        verify_proof(record, [text for _, text, _ in pair.lines], None, one.keys)


def test_a_closed_commitment_is_complete_with_all_its_receipts(operator):
    pair = operator.pairs[0]
    record, texts = verify_record(pair.records[0].reveal(pair.server_seed)), [text for _, text, _ in pair.lines]
    grades = [
        verify_proof(record, told, None, operator.keys)["nonces_complete"].grade for told in (texts, texts[:-2] + texts[-1:], texts[:-1])
    ]
    assert grades == [Grade.PROVED, Grade.UNKNOWN, Grade.CLAIMED]


def test_the_log_has_an_opening_before_its_bets_and_these_before_their_receipts(make_operator):
    one = make_operator()
    pair = one.open()
    one.play(pair)
    texts, entries = [text for _, text, _ in pair.lines], list(one.log.entries)
    record = verify_record(pair.records[0].reveal(pair.server_seed))
    for order in itertools.permutations(range(3)):
        one.log.entries = [entries[place] for place in order]
        tree = one.log.tree()
        proofs = {
            read_statement(text, one.keys).digest: InclusionProof(order.index(place), tuple(tree.inclusion_proof(order.index(place))))
            for place, text in enumerate(texts)
        }
        evidence = LogEvidence(one.log.checkpoint(), proofs)
        if order == (0, 1, 2):
            verify_proof(record, texts, evidence, one.keys)
        else:
            with pytest.raises(HistoryMismatchError, match="places in the log"):
                verify_proof(record, texts, evidence, one.keys)


def test_a_proof_of_another_place_is_refused(operator):
    pair = operator.pairs[0]
    record = pair.records[0].reveal(pair.server_seed)
    tree, text = operator.log.tree(), pair.lines[1][1]
    wrong = InclusionProof(2, tuple(tree.inclusion_proof(2)))
    with pytest.raises(InclusionError, match="acceptance"):
        verify_proof(
            verify_record(record),
            [text],
            LogEvidence(operator.log.checkpoint(), {read_statement(text, operator.keys).digest: wrong}),
            operator.keys,
        )


def test_without_a_log_what_is_signed_is_signed(make_operator):
    one = make_operator(has_log=False)
    pair = one.open()
    one.play(pair)
    one.close(pair)
    history = one.verify()
    assert history.checkpoint is None
    assert {code: told.weakest for code, told in history.guarantees.items()} == {
        **dict.fromkeys(history.guarantees, Grade.PROVED), "accepted_before_deal": Grade.CLAIMED, "logged": Grade.UNKNOWN,
    }  # fmt: skip
    with pytest.raises(CheckpointError):
        one.verify(log=make_operator().log.key)


def test_a_witness_is_named(make_operator):
    one = make_operator(has_witness=True)
    one.play(one.open())
    history = one.verify()
    assert "1 witness has seen: witness.example/w1" in history.guarantees["logged"].sentences[Grade.PROVED]
    assert not one.verify(witnesses=[]).checkpoint.cosignatures


def test_every_changed_character_is_found(operator):
    """One character of the file exchanged, anywhere: 600 places, and in every line more than one."""
    lines, chance = operator.history(), random.Random(3)
    data = b"".join(lines)
    places = [chance.randrange(len(data)) for _ in range(500)]
    begin = 0
    for line in lines:
        places += [begin + chance.randrange(len(line)) for _ in range(8)]
        begin += len(line)
    for place in places:
        other = next(byte for byte in b"aB3~\n" if byte not in (data[place], data[place] ^ 32))
        changed = data[:place] + bytes([other]) + data[place + 1 :]
        with pytest.raises(VerificationError):
            verify_history_file(io.BytesIO(changed), keys=operator.keys, log=operator.log.key)


def test_every_missing_doubled_or_swapped_line_is_found(operator):
    lines = operator.history()
    for place in range(len(lines)):
        for wrong in (lines[:place] + lines[place + 1 :], [*lines[: place + 1], lines[place], *lines[place + 1 :]]):
            with pytest.raises(VerificationError):
                operator.verify(wrong)
    for place in range(1, len(lines) - 1):
        with pytest.raises(VerificationError):
            operator.verify([*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]])
    for end in range(len(lines)):
        with pytest.raises(VerificationError):
            operator.verify(lines[:end])


@pytest.mark.parametrize(
    ("kept", "what"),
    [
        (lambda lines: [lines[0].replace(b'"openings":2', b'"openings":1'), *lines[1:10]], "openings fewer, and the counts of them all"),
        (lambda lines: [lines[0], *lines[1:-1], lines[-1][:-1]], "no line end at the end"),
        (lambda lines: [*lines, b"\n"], "an empty line"),
        (lambda lines: [b"\xef\xbb\xbf" + lines[0], *lines[1:]], "a byte order mark"),
        (lambda lines: [line.replace(b"\n", b"\r\n") for line in lines], "carriage returns"),
        (lambda lines: [json.dumps(json.loads(lines[0])).encode() + b"\n", *lines[1:]], "a first line with spaces"),
        (lambda lines: [lines[0], *(json.dumps(json.loads(line)).encode() + b"\n" for line in lines[1:])], "lines with spaces"),
        (lambda lines: [lines[0], lines[1][:-2] + b',"more":1}\n', *lines[2:]], "a member too many"),
        (lambda lines: [lines[0], b" " * MAX_LINE_BYTES + b"\n", *lines[1:]], "a line that is too long"),
        (lambda lines: [lines[0].replace(b'"version":1,', b'"version":2,'), *lines[1:]], "another version"),
        (lambda lines: [lines[0].replace(b'"witnesses":[]', b'"witnesses":["x"]'), *lines[1:]], "no key of a witness"),
        (lambda lines: [], "nothing"),
        (lambda lines: [b"\n"], "an empty first line"),
        (lambda lines: [b"[]\n"], "a first line that is no object"),
    ],
)
def test_other_forms_are_refused(operator, kept, what):
    with pytest.raises(VerificationError):
        pytest.fail(f"{what}: {operator.verify(kept(operator.history()))}")


@pytest.mark.parametrize(
    ("change", "slips"),
    [
        (lambda lines: [line.replace(b"\n", b"\r\n") for line in lines], ["line_ends"]),
        (lambda lines: [*lines[:3], lines[3].replace(b"\n", b"\r\n"), *lines[4:]], ["line_ends"]),
        (lambda lines: [*lines[:-1], lines[-1][:-1]], ["line_ends"]),
        (lambda lines: [json.dumps(json.loads(lines[0])).encode() + b"\n", *lines[1:]], ["reformatted"]),
        (lambda lines: [*lines[:2], json.dumps(json.loads(lines[2])).encode() + b"\n", *lines[3:]], ["reformatted"]),
        (lambda lines: [*lines[:2], json.dumps({**json.loads(lines[2]), "more": 1}).encode() + b"\n", *lines[3:]], []),
        (lambda lines: [*lines[:2], lines[2].replace(b'"kind":', b'"kind":"opening","kind":'), *lines[3:]], []),
        (lambda lines: [lines[0].replace(b'"version":1', b'"version": 2'), *lines[1:]], []),
        (lambda lines: lines[:-1], ["dropped"]),
        (lambda lines: [*lines[:3], *lines[5:]], ["dropped"]),
        (lambda lines: [*lines[:7], *lines[9:]], ["dropped"]),
        (lambda lines: [lines[0], *lines[10:]], ["dropped"]),
        (lambda lines: [*lines[:5], *lines[3:5], *lines[5:]], []),
    ],
)
def test_what_was_changed_on_the_way_and_what_was_dropped_is_told(operator, change, slips):
    with pytest.raises(VerificationError) as refused:
        operator.verify(change(operator.history()))
    assert [slip.code for slip in refused.value.slips] == slips


def test_the_error_names_the_line(operator):
    lines = operator.history()
    lines[4] = lines[4].replace(b'"index":2', b'"index":3')
    with pytest.raises(InclusionError) as refused:
        operator.verify(lines)
    assert refused.value.__notes__ == ["line 5"]


def test_the_error_names_the_line_that_is_too_long(operator):
    lines = operator.history()
    with pytest.raises(HistoryFileError) as refused:
        operator.verify([*lines[:4], b"x" * (MAX_LINE_BYTES + 1), *lines[4:]])
    assert refused.value.__notes__ == ["line 5"]


def signed_payload(one, kind, payload):
    """Any payload at all, well signed."""
    signed = f"{header_part(kind, one.key.public.kid)}.{encode(payload)}"
    return f"{signed}.{encode(one.key.sign(signed.encode()))}"


@pytest.mark.parametrize("place", [2, 4])
@pytest.mark.parametrize(
    "time",
    [
        "9999-12-31T23:59:59-05:00",
        "0001-01-01T00:00:00",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999Z",
        "2026-11-29T12:00:05",
        "2026-11-29T12:00:05.0Z",
        "2026-13-29T12:00:05Z",
        "24:00",
    ],
)
def test_a_receipt_of_an_impossible_time_is_refused(make_operator, place, time):
    """The operator may sign anything, so anything must be refused and not stumbled over."""
    one = make_operator()
    pair = one.open()
    one.play(pair)
    one.play(pair)
    one.close(pair)
    kind, text, _ = pair.lines[place]
    payload = decode(text.split(".")[1])
    end = payload.rindex(b'"time":"')
    pair.lines[place] = (kind, signed_payload(one, kind, payload[:end] + f'"time":"{time}","version":1}}'.encode()), None)
    with pytest.raises(StatementFormError):
        one.verify()


@pytest.mark.parametrize("kind", ["opening", "acceptance"])
def test_a_promise_at_the_end_of_time_has_not_run_out(make_operator, kind):
    one = make_operator()
    if kind == "acceptance":
        pair = one.open()
    one.now = datetime(9999, 12, 31, 23, 59, 58, tzinfo=UTC)
    if kind == "opening":
        pair = one.open()
    else:
        one.say(pair, one.acceptance(pair, {"tie": 1}, 0, time=one.now))
    pair.lines[-1] = (*pair.lines[-1][:2], None)
    assert one.verify(one.history(made_at=datetime(2026, 11, 29, tzinfo=UTC))).logged == one.verify().logged == len(pair.lines) - 1


def test_a_log_is_not_its_own_witness(make_operator):
    """A key of a witness in the place of the log's would count its signature as that of somebody else."""
    one = make_operator()
    pair = one.open(log=None)
    one.play(pair, log=None)
    lines, own = one.history(), NoteKey(one.log.key.name, one.log.key.raw, "witness")
    text = cosign_checkpoint(one.log.checkpoint().text, own, one.log.secret, 5)
    with pytest.raises(SigningKeyError, match="that of a log"):
        read_checkpoint(text, own)
    head = canonical_json({**json.loads(lines[0]), "log": str(own), "checkpoint": text})
    with pytest.raises(HistoryFileError, match="that of a log"):
        one.verify([head + b"\n", *lines[1:]], witnesses=[])


def test_one_key_is_one_witness(make_operator):
    """A file may bring witnesses of its own; under two names one of them would count as two."""
    one = make_operator(has_witness=True)
    one.play(one.open())
    log, lines = one.log, one.history()
    for name, raw, secret in (("witness.example/w2", log.witness.raw, log.witness_secret), ("witness.example/w2", log.key.raw, log.secret)):
        other = NoteKey(name, raw, "witness")
        text = cosign_checkpoint(json.loads(lines[0])["checkpoint"], other, secret, 5)
        head = {**json.loads(lines[0]), "checkpoint": text}
        assert len(one.verify([canonical_json(head) + b"\n", *lines[1:]]).checkpoint.cosignatures) == 1
        head["witnesses"] = sorted([*head["witnesses"], str(other)])
        with pytest.raises(HistoryFileError, match=r"key of witness .* found that of (witness|log)"):
            one.verify([canonical_json(head) + b"\n", *lines[1:]])
        with pytest.raises(SigningKeyError):
            one.verify(lines, witnesses=[log.witness, other])


def test_a_file_says_by_its_first_line_what_it_is(operator):
    lines = operator.history()
    assert is_history_file(b"".join(lines))
    assert not is_history_file(operator.pairs[0].records[0].to_json())
    header = HistoryHeader.parse(lines[0])
    assert header.to_line() == lines[0]
    assert all(read_line(line) for line in lines[1:])


# What a file is held against


def test_the_keys_are_those_that_the_operator_publishes(operator, make_operator):
    other = KeySet([VerificationKey(make_operator().log.key.raw, 0)])
    with pytest.raises(UnknownKeyError, match="anybody may have written this file"):
        operator.verify(keys=other)
    key = operator.key.public
    for changed in (VerificationKey(key.raw, key.not_before - 1), VerificationKey(key.raw, key.not_before, 2**33)):
        with pytest.raises(UnknownKeyError):
            operator.verify(keys=KeySet([changed]))


def test_a_statement_from_outside_its_key_s_time_is_refused(operator):
    """A file whose key set says that the key ended before the last receipts."""
    key = operator.key.public
    ended = KeySet([VerificationKey(key.raw, key.not_before, int((operator.now - timedelta(seconds=3)).timestamp()))])
    with pytest.raises(KeyTimeError):
        operator.verify(operator.history(keys=ended), keys=None)


def test_another_checkpoint_of_the_log_must_be_the_same_tree(operator, make_operator):
    assert operator.verify(checkpoints=[operator.log.checkpoint().text])
    fork = make_operator().log
    fork.entries = [*operator.log.entries[:-1], b"another entry"]
    with pytest.raises(SplitViewError):
        operator.verify(checkpoints=[fork.checkpoint().text])
    with pytest.raises(CheckpointError):
        operator.verify(checkpoints=["nothing"])
    lines = operator.history()
    operator.log.entries.append(b"a later entry")
    with pytest.raises(CheckpointError) as caught:
        operator.verify(checkpoints=[operator.log.checkpoint().text], lines=lines)
    assert [slip.code for slip in caught.value.slips] == ["other_size"]


def test_a_checkpoint_that_is_kept_is_of_a_log_that_the_file_has(make_operator):
    """Nothing that a bettor brings is passed over in silence."""
    one = make_operator(has_log=False)
    one.play(one.open())
    with pytest.raises(CheckpointError, match="as you have a checkpoint of it"):
        one.verify(checkpoints=[make_operator().log.checkpoint().text])


def test_a_witness_that_is_known_is_of_a_log_that_the_file_has(make_operator):
    """An operator that takes the log out of the file takes its witnesses out too."""
    one = make_operator(has_log=False)
    one.play(one.open())
    with pytest.raises(CheckpointError, match="as you know witnesses of it"):
        one.verify(witnesses=[make_operator(has_witness=True).log.witness])
    assert one.verify(witnesses=[]).checkpoint is None


def test_every_commitment_is_opened_under_the_pay_table_that_was_offered(operator):
    assert operator.verify(pay_table=PUNTO_BANCO).coups == 5
    with pytest.raises(PayTableMismatchError) as caught:
        operator.verify(pay_table=EZ_BACCARAT)
    error = caught.value
    assert (error.subject, error.expected) == ("opening 0, digest of the pay table that was offered", EZ_BACCARAT.digest)
    assert (error.found, [slip.code for slip in error.slips]) == (PUNTO_BANCO.digest, ["other_offer"])
    pair = operator.pairs[1]
    opening = read_statement(pair.lines[0][1], operator.keys).statement
    operator.replace(pair, 0, opening.model_copy(update={"pay_table_digest": EZ_BACCARAT.digest}))
    with pytest.raises(PayTableMismatchError, match="opening 1"):
        operator.verify(pay_table=PUNTO_BANCO)


def test_a_proof_is_between_two_quotation_marks(make_operator):
    """The proof of the only entry of a log is empty, so that nothing else shows a mark that is missing."""
    one = make_operator()
    one.open()
    lines = one.history()
    assert b'"index":0' in lines[1]
    assert one.verify(lines).logged == 1
    with pytest.raises(HistoryFileError):
        one.verify([lines[0], lines[1].replace(b'"proof":""', b'"proof":"')])


def test_a_promise_that_ran_out_is_broken(make_operator):
    one = make_operator()
    pair = one.open()
    one.say(pair, one.acceptance(pair, {"tie": 1}, 0), is_logged=False)
    pair.nonce = 1
    assert one.verify().logged == 1
    late = one.now + timedelta(hours=1)
    assert one.verify(one.history(made_at=late)).logged == 1
    with pytest.raises(LogPromiseError, match=r"3,600 seconds"):
        one.verify(one.history(made_at=late + timedelta(seconds=1)))


@pytest.mark.parametrize("is_settled", [True, False])
def test_a_file_that_is_dated_back_does_not_hide_a_broken_promise(make_operator, is_settled):
    """Who writes the file says when it was made; the statements in it show that it was later."""
    one = make_operator()
    pair = one.open()
    one.say(pair, one.acceptance(pair, {"tie": 1}, 0), is_logged=False)
    pair.nonce = 1
    long_ago = datetime(2000, 1, 1, tzinfo=UTC)
    one.now += timedelta(hours=1)
    assert one.verify(one.history(made_at=long_ago)).logged == 1
    one.play(pair, is_settled=is_settled)
    with pytest.raises(LogPromiseError, match="promise of the acceptance"):
        one.verify(one.history(made_at=long_ago))


def test_a_promise_is_to_the_log_of_the_file(make_operator):
    one = make_operator()
    pair = one.open()
    other = str(one.log.key).replace("casino.example", "casino2example")
    one.say(pair, one.acceptance(pair, {"tie": 1}, 0, log={"key": other, "maximum_delay": 1}))
    with pytest.raises(LogPromiseError):
        one.verify()


def test_a_closed_commitment_must_be_revealed(make_operator):
    one = make_operator()
    pair = one.open()
    one.play(pair)
    one.close(pair, is_revealed=False)
    with pytest.raises(NotRevealedError):
        one.verify()


def test_a_coup_that_is_not_settled_yet_is_told(make_operator):
    one = make_operator()
    pair = one.open()
    one.play(pair)
    one.play(pair, is_settled=False)
    history = one.verify()
    assert (history.coups, history.commitments[0].settled) == (2, 1)
    assert history.guarantees["signed"].counts == {Grade.PROVED: 1, Grade.UNKNOWN: 1}
    one.close(pair)
    with pytest.raises(HistoryMismatchError, match="receipts"):
        one.verify()


def test_an_acceptance_without_a_receipt_is_held_against_its_opening_too(make_operator):
    for change in ({"pay_table_digest": "00" * 32}, {"time": "2026-11-29T11:00:00Z"}):
        one = make_operator()
        one.play(one.open(), is_settled=False, **change)
        with pytest.raises(HistoryMismatchError):
            one.verify()


def test_an_empty_history_and_an_unused_commitment_verify(make_operator):
    one = make_operator()
    assert one.verify().coups == 0
    pair = one.open()
    one.close(pair)
    assert one.verify().commitments[0].is_closed


def test_two_statements_have_two_places(make_operator):
    one = make_operator(has_log=False)
    logged = make_operator()
    pair = logged.open()
    logged.play(pair)
    kind, text, _ = pair.lines[2]
    pair.lines[2] = (kind, text, 1)
    with pytest.raises((InclusionError, EquivocationError)):
        logged.verify()
    one.play(one.open())
    one.pairs[0].lines[1] = (*one.pairs[0].lines[1][:2], 0)
    assert one.verify().logged == 0


@pytest.mark.parametrize(
    ("order", "is_right"),
    [
        ([0, 1, 3, 5, 7, 6, 4, 2], True),  # settled in any order, and behind the closing
        ([1, 2, 3, 4, 5, 6, 7], True),
        ([0, 2, 7], True),
        ([0], True),
        ([1, 0, 2, 3, 4, 5, 6, 7], False),
        ([0, 2, 1, 3, 4, 5, 6, 7], False),
        ([0, 3, 4, 1, 2, 5, 6, 7], False),
        ([0, 5, 1, 2, 4, 6, 7], False),  # whatever else is not in the log yet
        ([0, 1, 2, 3, 4, 7, 5, 6], False),
        ([0, 1, 2, 3, 4, 7, 5], False),
        ([7, 0, 2, 4, 6], False),
        ([7, 0], False),
        ([2, 0, 3, 4, 5, 6, 7], False),
        ([0, 4, 1, 2, 5, 6, 7], False),
    ],
)
def test_the_log_has_a_commitment_in_the_order_of_the_protocol(make_operator, order, is_right):
    """Lines 0 to 7: the opening, three acceptances with their receipts, and the closing."""
    one = make_operator()
    pair = one.open()
    for _ in range(3):
        one.play(pair)
    one.close(pair)
    one.log_again(pair, order)
    if is_right:
        assert one.verify().logged == len(order)
        return
    with pytest.raises(HistoryMismatchError, match="place of the"):
        one.verify()


def test_an_unused_commitment_is_not_closed_before_it_is_opened(make_operator):
    one = make_operator()
    pair = one.open()
    one.close(pair)
    opened = read_statement(pair.opening, one.keys).statement.time
    one.date_closing(pair, opened)
    one.verify()
    one.date_closing(pair, opened - timedelta(microseconds=1))
    with pytest.raises(HistoryMismatchError, match="time of the closing"):
        one.verify()
    one.date_closing(pair, opened)
    one.log_again(pair, [1, 0])
    with pytest.raises(HistoryMismatchError, match="place of the closing"):
        one.verify()


# Seed chains


def chain_history(one, coups, revealed, *, unsettled=(), is_closed=False):
    """What an operator without a log writes of a seed chain whose links are revealed up to that of a nonce."""
    pair = one.open_chain()
    for nonce in range(coups):
        one.play(pair, {"player": 10}, is_settled=nonce not in unsettled)
    if is_closed:
        one.close(pair)
    pair.revealed = revealed
    return one.history()


def test_a_chain_is_proved_as_far_as_its_links_are_revealed(make_operator):
    one = make_operator(has_log=False)
    for revealed, verified in ((None, 0), (0, 1), (1, 2), (3, 4)):
        proved = one.verify(chain_history(make_operator(has_log=False), 4, revealed)).commitments[0]
        assert (proved.coups, proved.verified, proved.is_closed) == (4, verified, False)
    lines = chain_history(make_operator(has_log=False), 4, 3)
    for wrong in (b'"nonce":2,"server_seed"', b'"nonce":null,"server_seed"', b'"nonce":10,"server_seed"'):
        with pytest.raises(VerificationError):
            one.verify([lines[0], lines[1], lines[2].replace(b'"nonce":3,"server_seed"', wrong), *lines[3:]])


@pytest.mark.parametrize(
    ("coups", "revealed", "unsettled", "verified"),
    [
        (4, 4, (), None),  # the link of a coup that is still to come
        (0, 0, (), None),
        (4, 3, (3,), None),  # and of one that is not settled
        (4, 2, (1,), None),
        (4, 2, (3,), 3),
        (4, 0, (1, 2, 3), 1),
    ],
)
def test_the_links_of_an_open_chain_are_those_of_settled_coups(make_operator, coups, revealed, unsettled, verified):
    one = make_operator()
    lines = chain_history(one, coups, revealed, unsettled=unsettled)
    if verified is not None:
        assert one.verify(lines).commitments[0].verified == verified
        return
    with pytest.raises(HistoryMismatchError, match="as the link of nonce"):
        one.verify(lines)


def test_the_link_behind_the_last_coup_may_be_told_with_the_closing(make_operator):
    """No bet comes there any more, and those that were refused can be held against it."""
    for coups in (0, 4):
        one = make_operator()
        assert one.verify(chain_history(one, coups, coups, is_closed=True)).commitments[0].verified == coups
    one = make_operator()
    with pytest.raises(NotRevealedError):
        one.verify(chain_history(one, 4, 2, is_closed=True))


# Public randomness


def test_published_rounds_of_drand_are_read(vectors):
    for case in vectors("receipts")["beacons"]:
        value = BeaconValue.of(case["chain"], case["round"], case["signature"], case["randomness"])
        assert value.randomness == case["randomness"]
        with pytest.raises(BeaconError):
            BeaconValue.of(case["chain"], case["round"], case["signature"], "00" * 32)
        with pytest.raises(BeaconError):
            BeaconValue.of(case["chain"], case["round"], case["signature"][:-2], case["randomness"])


def test_a_client_seed_of_a_beacon_that_was_named_before_is_proved(vectors, make_operator):
    case = vectors("receipts")["beacons"][0]
    value = BeaconValue.of(case["chain"], case["round"], case["signature"], case["randomness"])
    named = {"chain": case["chain"], "round": case["round"]}
    commitment = make_operator().open().seeds.commitment
    seed = value.client_seed(commitment)
    assert seed.text == f"drand-657413-{case['randomness']}-{str(commitment)[:16]}"
    assert seed.marks(commitment)

    one = make_operator()
    pair = one.open(seed.text, beacon=named, made_by="operator")
    one.play(pair)
    one.close(pair)
    told = one.verify(one.history(beacon=value)).guarantees["client_seed_after_commitment"]
    assert told.counts == {Grade.PROVED: 1}
    assert "round 657413 of the drand chain" in told.sentences[Grade.PROVED]

    with pytest.raises(BeaconError, match="which its client seed must be made of"):
        one.verify(one.history())
    record, texts = pair.records[0].reveal(pair.server_seed), [text for _, text, _ in pair.lines]
    alone = verify_proof(verify_record(record), texts, None, one.keys, beacon=value)
    assert "round 657413 of the drand chain" in alone["client_seed_after_commitment"].sentence
    assert (
        "drand" not in verify_proof(verify_record(record), texts[1:], None, one.keys, beacon=value)["client_seed_after_commitment"].sentence
    )

    own = make_operator()
    pair = own.open(beacon=named)
    own.play(pair)
    own.close(pair)
    for lines in (own.history(), own.history(beacon=value)):
        told = own.verify(lines).guarantees
        assert told["seed_fixed_before_bet"].weakest is Grade.PROVED
        assert "drand" not in told["client_seed_after_commitment"].sentences[Grade.PROVED]

    other = BeaconValue.of(chain=case["chain"], number=657414, signature=case["signature"], randomness=case["randomness"])
    with pytest.raises(BeaconError):
        one.verify(one.history(beacon=other))
    grinding = make_operator()
    pair = grinding.open("the operator's choice", beacon=named, made_by="operator")
    grinding.play(pair)
    grinding.close(pair)
    with pytest.raises(BeaconError, match="client seed"):
        grinding.verify(grinding.history(beacon=value))
    with pytest.raises(BeaconError, match="client seed"):
        verify_proof(
            verify_record(pair.records[0].reveal(pair.server_seed)), [text for _, text, _ in pair.lines], None, grinding.keys, beacon=value
        )


def test_a_beacon_that_nobody_named_proves_nothing(vectors, operator):
    """A client seed with a mark is no beacon's, and no sentence may say so."""
    case = vectors("receipts")["beacons"][0]
    value = BeaconValue.of(case["chain"], case["round"], case["signature"], case["randomness"])
    pair = operator.pairs[0]
    record, texts = verify_record(pair.records[0].reveal(pair.server_seed)), [text for _, text, _ in pair.lines]
    with pytest.raises(BeaconError, match="the one that was named"):
        verify_proof(record, texts, None, operator.keys, beacon=value)
    with pytest.raises(SigningKeyError):
        verify_proof(record, texts, None, operator.keys.to_dict())


def test_the_next_round_is_one_that_does_not_exist_yet():
    assert [round_at(seconds, 1000, 30) for seconds in (0, 999, 1000, 1029, 1030)] == [1, 1, 2, 2, 3]


def test_a_signer_has_keys():
    for keys in ([], [None]):
        with pytest.raises(SigningKeyError):
            Signer(keys)


def test_a_first_line_that_no_file_can_have_is_not_written(operator):
    for bettor, made_at, error in (("", operator.now, HistoryFileError), ("Zoë", operator.now.replace(tzinfo=None), RecordError)):
        with pytest.raises(error):
            HistoryWriter().header(bettor, ("USD", 2), made_at, operator.keys, openings=0, statements=0)


def test_header_errors_are_the_file_s(operator):
    lines = operator.history()
    head = json.loads(lines[0])
    for change in (
        {"keys": {"keys": []}},
        {"keys": None},
        {"made_at": "now"},
        {"bettor": ""},
        {"log": None},
        {"checkpoint": None},
        {"openings": -1},
    ):
        text = json.dumps({**head, **change}, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        with pytest.raises(HistoryFileError):
            operator.verify([text, *lines[1:]])


# Known answers


def test_known_histories_prove_what_they_prove(vectors):
    known = vectors("history")
    keys, log = KeySet.from_dict(known["jwks"]), NoteKey.parse(known["log"])
    for case in known["valid"]:
        has_log = HistoryHeader.parse(f"{case['lines'][0]}\n".encode()).log is not None
        history = verify_known(case["lines"], keys, witnesses=[NoteKey.parse(known["witness"])] if has_log else None)
        assert [getattr(history, name) for name in ("coups", "open_coups", "statements", "logged")] == [
            case[name] for name in ("coups", "open_coups", "statements", "logged")
        ]
        told = [{name: getattr(each, name) for name in case["commitments"][0]} for each in history.commitments]
        assert [{**each, "staked": str(each["staked"]), "returned": str(each["returned"])} for each in told] == case["commitments"]
        graded = {code: {grade.value: tally.counts[grade] for grade in Grade} for code, tally in history.guarantees.items()}
        assert graded == case["guarantees"], case["id"]
        assert history.checkpoint is None or history.checkpoint.origin == log.name


def test_known_faults_are_refused_with_their_codes(vectors):
    known = vectors("history")
    keys, files = KeySet.from_dict(known["jwks"]), {case["id"]: case["lines"] for case in known["valid"]}
    assert len(known["invalid"]) > 50
    for case in known["invalid"]:
        lines = list(files[case["of"]])
        lines[case["line"] : case["line"] + case["removed"]] = case["put"]
        log = NoteKey.parse(known["log"]) if "casino.example" in files[case["of"]][0] else None
        with pytest.raises(VerificationError) as refused:
            verify_known(lines, keys, log=log)
        assert refused.value.code == case["error"], case["id"]


def verify_known(lines, keys, **known):
    return verify_history_file(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), keys=keys, **known)
