"""What a verification tells the bettor: every sentence, whole, so that none of them says more than is so unseen."""

from __future__ import annotations

import pytest

from provably_fair_baccarat import (
    PUNTO_BANCO,
    BaccaratError,
    Chain,
    Check,
    ClientSeed,
    Commitment,
    Grade,
    RoundRecord,
    SeedChain,
    Seeds,
    ServerSeed,
    VerificationError,
    play_round,
    settle,
    verify_record,
    verify_round,
)
from provably_fair_baccarat.fairness.inputs import MAX_NONCE

HEX = "0b" * 32
COMMITMENT = "ed9ee963b2dcfeed7e90209cbcaa7c12b5fd5b5b6634d02093b40585e9735614"
MARKED = f"0123456789abcdef-{COMMITMENT[:16]}"
OPERATOR = " But it was made by the operator's side and not by the bettor, so the operator could try many and keep the one it liked."
AFTER = "The client seed ends with the first digits of the commitment, so it was made after the commitment."
NOTHING = "Nothing in this round shows that the client seed was chosen after the commitment was published."


def record_of(client_seed, made_by=None, bets=None, nonce=3):
    seeds = Seeds(HEX, client_seed, COMMITMENT)
    played = play_round(seeds, nonce)
    return RoundRecord.from_round(played, settle(played.coup, bets or {}), server_seed=seeds.server_seed, client_seed_made_by=made_by)


HANDS = [f"{' '.join(map(str, hand.cards))} = {hand.score}" for hand in (record_of("x").player, record_of("x").banker)]


@pytest.mark.parametrize(
    ("client_seed", "made_by", "grade", "sentence"),
    [
        (MARKED, None, Grade.PROVED, AFTER),
        (MARKED, "bettor", Grade.PROVED, AFTER),
        (MARKED, "operator", Grade.PROVED, AFTER + OPERATOR),
        ("x", None, Grade.UNKNOWN, NOTHING),
        ("x", "operator", Grade.UNKNOWN, NOTHING + OPERATOR),
        (
            *("x", "bettor", Grade.CLAIMED),
            "The record says that the bettor made the client seed; nothing in it shows that this was after the commitment.",
        ),
    ],
)
def test_what_is_said_of_the_client_seed(client_seed, made_by, grade, sentence):
    told = verify_record(record_of(client_seed, made_by)).guarantees["client_seed_after_commitment"]
    assert (told.grade, told.sentence) == (grade, sentence)


def test_what_is_said_of_the_server_seed():
    told = verify_record(record_of("x")).guarantees["seed_fixed"]
    assert (told.grade, told.sentence) == (
        Grade.PROVED,
        (
            f"The server seed is the one that was committed to as {COMMITMENT}. Once that was published, it could not be exchanged: compare "
            "it with the commitment that you were shown beforehand."
        ),
    )
    told = verify_round(Seeds("x", "x", None, scheme="stake"), 0).guarantees
    assert (told["seed_fixed"].grade, told["seed_fixed"].sentence) == (
        Grade.UNKNOWN,
        "No commitment was given, so nothing shows that the server seed was fixed before the bet.",
    )
    assert told["unbiased_cards"].grade is Grade.UNKNOWN
    assert told["client_seed_after_commitment"].sentence == NOTHING


def test_what_is_said_of_the_settlement():
    record = record_of("x", bets={"player": 5})
    own, offered = (verify_record(record, pay_table=table).guarantees["settlement_exact"].sentence for table in (None, PUNTO_BANCO))
    assert own == "Every return is exact to the last unit under the record's own pay table; compare that with the offer you kept."
    assert offered == "Every return is exact to the last unit under the pay table that was offered."
    told = verify_round(Seeds(HEX, "x", COMMITMENT), 3).guarantees["settlement_exact"]
    assert (told.grade, told.sentence) == (Grade.UNKNOWN, "No record was given, so no bets and returns were verified.")


def checks(verified):
    return {check.code: check.sentence for check in verified.checks}


def test_what_is_said_of_a_round():
    verified = verify_record(record_of("x", bets={"player": 5, "tie": 2}, nonce=0), pay_table=PUNTO_BANCO)
    played = verified.round
    player, banker = (" ".join(map(str, hand.cards)) for hand in (played.coup.player, played.coup.banker))
    winner = "a tie" if played.coup.winner == "tie" else f"a win for the {played.coup.winner}"
    natural = ", by a natural" if played.coup.natural else ""
    lines = [f"{line.stake} on {line.bet} {line.status} and returned {line.returned}" for line in verified.settlement.lines.values()]
    assert checks(verified) == {
        "commitment": f"The server seed is the one that was committed to as {COMMITMENT}.",
        "cards": f"The seeds and nonce 0 give the cut {played.cut} and the cards {' '.join(map(str, played.cards))}.",
        "coup": (
            f"By the tableau these cards give player {player} = {played.coup.player.score}, banker {banker} = {played.coup.banker.score}: "
            f"{winner}{natural}."
        ),
        "record": "The record names this commitment, client seed and nonce, these cards, hands and scores, and this winner.",
        "pay_table": f"The record's pay table has the digest {PUNTO_BANCO.digest}, and it is the one that was offered.",
        "settlement": f"In smallest currency units: {', '.join(lines)}.",
    }
    assert all(isinstance(check, Check) for check in verified.checks)


@pytest.mark.parametrize(("kind", "told"), [("tie", ": a tie"), ("player", ": a win for the player"), ("natural", ", by a natural.")])
def test_what_is_said_of_a_coup(kind, told):
    seeds = Seeds(HEX, "x", COMMITMENT)
    coups = (play_round(seeds, nonce) for nonce in range(200))
    played = next(each for each in coups if each.coup.winner == kind or (kind == "natural" and each.coup.natural))
    sentence = checks(verify_round(seeds, played.nonce))["coup"]
    assert told in sentence
    assert (", by a natural" in sentence) is played.coup.natural


def test_what_is_said_without_bets_offer_and_cut():
    told = checks(verify_record(record_of("x")))
    assert told["settlement"] == "There were no bets, and nothing was returned."
    assert told["pay_table"] == f"The record's pay table has the digest {PUNTO_BANCO.digest}."
    cards = checks(verify_round(Seeds("x", "x", None, scheme="stake"), 4))["cards"]
    assert cards.startswith("The seeds and nonce 4 give the cards ")


@pytest.mark.parametrize(("nonce", "hashes"), [(0, "1 hash"), (1, "2 hashes"), (2, "3 hashes")])
def test_what_is_said_of_a_chain(nonce, hashes):
    chain = SeedChain(ServerSeed.parse(HEX), 3)
    public = Chain(chain.chain.anchor, 3)
    seeds = Seeds(chain.link(nonce), ClientSeed("x"), Commitment.parse(str(chain.commitment)), chain=public)
    assert checks(verify_round(seeds, nonce))["commitment"] == (
        f"The server seed leads in {hashes} to {public.anchor}, the anchor of the chain that was committed to as {chain.commitment}."
    )


def test_a_verified_round_is_a_key_and_survives_pickle():
    import pickle

    verified = verify_record(record_of("x", bets={"player": 5}))
    again = pickle.loads(pickle.dumps(verified))
    assert again == verified
    assert hash(again) == hash(verified)
    assert hash(verified) != hash(verify_record(record_of("x", bets={"player": 6})))


def test_grades_are_spelt_so():
    assert [grade.value for grade in Grade] == ["proved", "claimed", "unknown"]


def slips_of(told_seed, told_nonce, dealt_seed, dealt_nonce):
    """The slips behind a record that names one client seed and nonce, and has the cards of others."""
    told = record_of(told_seed).to_dict()
    seeds = Seeds(HEX, dealt_seed, COMMITMENT)
    played = play_round(seeds, dealt_nonce)
    dealt = RoundRecord.from_round(played, settle(played.coup, {}), server_seed=seeds.server_seed).to_dict()
    record = {**dealt, "nonce": told_nonce, "client_seed": told["client_seed"], "client_seed_hex": told["client_seed_hex"]}
    with pytest.raises(VerificationError) as caught:
        verify_record(RoundRecord.model_validate(record))
    return [(slip.code, slip.sentence) for slip in caught.value.slips]


COMPOSED, APART = "Zo\u00eb", "Zoe\u0308"


@pytest.mark.parametrize(
    ("told", "dealt", "slips"),
    [
        (("x", 1), ("x", 0), [("nonce", "The nonce is one too high: these are the cards of nonce 0.")]),
        (("x", 3), ("x", 4), [("nonce", "The nonce is one too low: these are the cards of nonce 4.")]),
        (
            *(("x", MAX_NONCE - 1), ("x", MAX_NONCE)),
            [("nonce", f"The nonce is one too low: these are the cards of nonce {MAX_NONCE}.")],
        ),
        (("x", MAX_NONCE), ("x", 7), []),
        (("x", 0), ("x", 7), []),
        (
            *((APART, 3), (COMPOSED, 3)),
            [("nfc", "The client seed is in another Unicode form: the right one is NFC, with composed characters.")],
        ),
        (
            *((COMPOSED, 3), (APART, 3)),
            [("nfd", "The client seed is in another Unicode form: the right one is NFD, with characters taken apart.")],
        ),
        (("lucky", 3), ("LUCKY", 3), [("case", "The right client seed is 'LUCKY', in other upper and lower case.")]),
        (("LUCKY", 3), ("lucky", 3), [("case", "The right client seed is 'lucky', in other upper and lower case.")]),
        (("lucky", 3), ("Lucky", 3), [("case", "The right client seed is 'Lucky', in other upper and lower case.")]),
        (("x", 3), ("X", 3), [("case", "The right client seed is 'X', in other upper and lower case.")]),
        (("x\u200b", 3), ("x", 3), [("trimmed", "The right client seed has no invisible characters at its ends.")]),
    ],
)
def test_what_may_have_gone_wrong_is_told(told, dealt, slips):
    assert slips_of(*told, *dealt) == slips


@pytest.mark.parametrize(
    ("given", "told", "slips"),
    [
        (
            (COMPOSED, 3),
            (APART, 3),
            [("nfd", "The client seed is in another Unicode form: the right one is NFD, with characters taken apart.")],
        ),
        (
            (APART, 3),
            (COMPOSED, 3),
            [("nfc", "The client seed is in another Unicode form: the right one is NFC, with composed characters.")],
        ),
        (("lucky", 3), ("LUCKY", 3), [("case", "The two differ in upper and lower case.")]),
        (("x\u200b", 3), ("x", 3), [("trimmed", "The two differ in invisible characters at their ends.")]),
        (("x", 3), ("y", 3), []),
        (("x", 2), ("x", 3), [("nonce", "The nonce is one too low: the record is of nonce 3.")]),
        (("x", 4), ("x", 3), [("nonce", "The nonce is one too high: the record is of nonce 3.")]),
        (("x", 5), ("x", 3), []),
    ],
)
def test_what_differs_between_the_given_and_the_record_is_told(given, told, slips):
    record = record_of(told[0], nonce=told[1])
    with pytest.raises(VerificationError) as caught:
        verify_round(Seeds(HEX, given[0], COMMITMENT), given[1], record=record)
    assert [(slip.code, slip.sentence) for slip in caught.value.slips] == slips


@pytest.mark.parametrize(("scheme", "nonce"), [("bcgame-single", 3), ("bcgame-table", 3)])
def test_the_cards_of_another_scheme_are_told(scheme, nonce):
    dealt = Seeds(HEX, "x", None, scheme=scheme)
    played = play_round(dealt, nonce if scheme == "bcgame-single" else 0)
    record = RoundRecord.from_round(played, settle(played.coup, {}), server_seed=dealt.server_seed).to_dict()
    claimed = {**record, "scheme": "stake", "label": "stake", "decks": None, "nonce": nonce}
    with pytest.raises(VerificationError) as caught:
        verify_record(RoundRecord.model_validate(claimed))
    assert [(slip.code, slip.sentence) for slip in caught.value.slips] == [
        ("scheme", f"These are the cards of another scheme, {scheme}."),
    ]


@pytest.mark.parametrize(("scheme", "decks"), [("pfb1", 1), ("pfb1", 6), ("stake", 8)])
def test_another_client_seed_is_tried_with_the_same_shoe(scheme, decks):
    told, dealt = (Seeds.commit(HEX, text, decks, scheme=scheme) for text in ("lucky", "LUCKY"))
    played = play_round(dealt, 3)
    record = RoundRecord.from_round(played, settle(played.coup, {}), server_seed=dealt.server_seed).to_dict()
    claimed = {**record, "client_seed": "lucky", "client_seed_hex": told.client_seed.utf8.hex()}
    with pytest.raises(VerificationError) as caught:
        verify_record(RoundRecord.model_validate(claimed))
    assert [slip.code for slip in caught.value.slips] == ["case"]


@pytest.mark.parametrize(
    ("changes", "slips", "text"),
    [
        (
            *({"player": {"cards": ["As", "2s"], "score": 3}}, []),
            f"record, player's hand: expected {HANDS[0]}, found As 2s = 3.",
        ),
        (
            *({"banker": {"cards": ["As", "2s"], "score": 3}}, []),
            f"record, banker's hand: expected {HANDS[1]}, found As 2s = 3.",
        ),
        (
            *({"pay_table": {**PUNTO_BANCO.to_dict(), "side_bets": {"mine": {"won": "2.0"}}}}, ["own_bet"]),
            (
                "bet in the record's pay table: expected a bet of the catalogue, found unknown bet 'mine'. If it is the operator's own, pass it in "
                "`own_bets`, or its pay table as `pay_table`; on the command line, with --bets."
            ),
        ),
    ],
)
def test_what_differs_is_told_by_its_place(changes, slips, text):
    with pytest.raises(BaccaratError) as caught:
        verify_record(RoundRecord.model_validate({**record_of("x").to_dict(), **changes}))
    assert str(caught.value) == text
    assert [slip.code for slip in caught.value.slips] == slips


@pytest.mark.parametrize(("record", "slips"), [("{}", ["record_text"]), (b"{}", ["record_text"]), (7, []), (None, [])])
def test_only_text_is_told_how_records_are_read(record, slips):
    with pytest.raises(BaccaratError) as caught:
        verify_record(record)
    assert [slip.code for slip in caught.value.slips] == slips


def test_another_scheme_is_told_before_its_label():
    record = RoundRecord.model_validate({**record_of("x").to_dict(), "scheme": "pfb1-shoe", "label": "pfb1-shoe:8"})
    with pytest.raises(VerificationError, match="record, scheme: expected pfb1, found pfb1-shoe"):
        verify_round(Seeds(HEX, "x", COMMITMENT), 3, record=record)
