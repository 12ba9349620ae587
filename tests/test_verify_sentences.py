"""What a verification tells the bettor: every sentence, whole, so that none of them says more than is so unseen."""

from __future__ import annotations

import pytest

from provably_fair_baccarat import (
    PUNTO_BANCO,
    Chain,
    Check,
    ClientSeed,
    Commitment,
    Grade,
    RoundRecord,
    SeedChain,
    Seeds,
    ServerSeed,
    play_round,
    settle,
    verify_record,
    verify_round,
)

HEX = "0b" * 32
COMMITMENT = "ed9ee963b2dcfeed7e90209cbcaa7c12b5fd5b5b6634d02093b40585e9735614"
MARKED = f"0123456789abcdef-{COMMITMENT[:16]}"
OPERATOR = " But it was made by the operator's side and not by the bettor."
AFTER = "The client seed ends with the first digits of the commitment, so it was made after the commitment."
NOTHING = "Nothing in this round shows that the client seed was chosen after the commitment was published."


def record_of(client_seed, made_by=None, bets=None, nonce=3):
    seeds = Seeds(HEX, client_seed, COMMITMENT)
    played = play_round(seeds, nonce)
    return RoundRecord.from_round(played, settle(played.coup, bets or {}), server_seed=seeds.server_seed, client_seed_made_by=made_by)


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


@pytest.mark.parametrize(("nonce", "hashes"), [(0, "1 hash"), (2, "3 hashes")])
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
