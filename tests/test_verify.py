"""Rounds, backwards: whatever is changed in a record is found, with its own error and the likely slip."""

from __future__ import annotations

import copy
import json
import pickle
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import (
    ALL_BETS,
    PUNTO_BANCO,
    Bet,
    Grade,
    PayTable,
    RoundRecord,
    Seeds,
    VerificationError,
    diagnose,
    play_round,
    play_shoe,
    settle,
    verify_record,
    verify_round,
)
from provably_fair_baccarat.canonical import canonical_json
from provably_fair_baccarat.errors import (
    BaccaratError,
    NonceError,
    PayTableError,
    PayTableMismatchError,
    RecordError,
    SettlementMismatchError,
    UnknownBetError,
)
from provably_fair_baccarat.testing import nonces, records, seeds

SEEDS = Seeds.commit("0b" * 32, "Zoë")
NONCE = 6


def record_of(pair=SEEDS, nonce=NONCE, bets=None, pay_table=PUNTO_BANCO, **more):
    played = play_round(pair, nonce)
    placed = {"player": 100, "banker": 20, "tie": 3} if bets is None else bets
    return RoundRecord.from_round(played, settle(played.coup, placed, pay_table), server_seed=pair.server_seed, **more)


RECORD = record_of()


def tamper(record, path, change):
    """The record with one place changed, read again from its JSON."""
    data = json.loads(record.to_json())
    place, *steps, last = data, *path.split(".")
    for step in steps:
        place = place[int(step) if isinstance(place, list) else step]
    key = int(last) if isinstance(place, list) else last
    place[key] = change(place[key])
    return RoundRecord.parse_json(json.dumps(data))


def caught(call):
    with pytest.raises(BaccaratError) as raised:
        call()
    return raised.value


def another_card(card):
    return "Ks" if card == "Kh" else "Kh"


def test_known_rounds_backwards(vectors):
    """Every known answer verifies, and does no more with another card, nonce, seed or amount."""
    for answer in vectors("pfb1")["coups"]:
        pair = Seeds(answer["server_seed"], answer["client_seed"], answer["commitment"], answer["decks"])
        record = record_of(pair, answer["nonce"])
        verified = verify_record(record)
        assert [str(card) for card in verified.round.cards] == answer["cards"]
        assert verify_round(pair, answer["nonce"], record=record).round == verified.round
        for path, change, code in (
            ("cards.0", another_card, "cards"),
            ("cards.5", another_card, "cards"),
            ("cut", lambda cut: (cut + 1) % 52, "cut"),
            ("nonce", lambda nonce: nonce - 1 if nonce else 1, "cut"),
            ("server_seed", lambda seed: seed[1:] + ("0" if seed[0] != "0" else "1"), "commitment"),
            ("client_seed", lambda seed: f"{seed[:20]}!", "client_seed"),
            ("bets.player.returned", lambda amount: str(int(amount) + 1), "settlement"),
        ):
            changed = tamper(record, path, change)
            error = caught(lambda changed=changed: verify_record(changed))
            assert isinstance(error, VerificationError)
            expected = {f"verification.{code}"} | ({"verification.cards"} if path == "nonce" else set())
            assert error.code in expected, (answer["id"], path, str(error))


def opposite(winner):
    return "banker" if winner == "player" else "player"


@pytest.mark.parametrize(
    ("path", "change", "code"),
    [
        ("scheme", lambda _: "pfb1-shoe", "verification.commitment"),
        ("label", lambda _: "pfb1:6", "verification.scheme"),
        ("decks", lambda _: 6, "verification.commitment"),
        ("commitment", lambda text: text[::-1], "verification.commitment"),
        ("server_seed", lambda _: None, "verification.not_revealed"),
        ("server_seed", lambda _: "0c" * 32, "verification.commitment"),
        ("client_seed_hex", lambda text: text[:-1] + "c", "verification.client_seed"),
        ("index", lambda _: 0, "verification.index"),
        ("cards", lambda cards: cards[:5], "verification.cards"),
        ("cards", lambda cards: [*cards[:5], cards[0]], "verification.cards"),
        ("cut", lambda cut: cut - 1, "verification.cut"),
        ("player.cards", lambda cards: cards[:-1], "verification.coup"),
        ("player.score", lambda score: (score + 1) % 10, "verification.coup"),
        ("banker.cards", lambda cards: cards[::-1], "verification.coup"),
        ("banker.score", lambda score: (score + 1) % 10, "verification.coup"),
        ("natural", lambda natural: not natural, "verification.coup"),
        ("winner", opposite, "verification.coup"),
        ("bets.player.stake", lambda stake: str(int(stake) + 2), "verification.settlement"),
        ("bets.player.returned", lambda returned: str(int(returned) + 1), "verification.settlement"),
        ("bets.tie.status", lambda status: "pushed" if status != "pushed" else "won", "verification.settlement"),
        ("bets", lambda bets: {"player": bets["player"]}, "verification.settlement"),
        ("totals.staked", lambda _: "1", "verification.settlement"),
        ("totals.returned", lambda _: "1", "verification.settlement"),
        ("totals.net", lambda _: "-1", "verification.settlement"),
        ("pay_table.tie_multiplier", lambda _: "8.0", "verification.pay_table"),
        ("pay_table.stake_step", lambda _: "2", "verification.pay_table"),
        ("pay_table_digest", lambda digest: digest[::-1], "verification.pay_table"),
    ],
)
def test_every_changed_field_is_found_with_its_code(path, change, code):
    error = caught(lambda: verify_record(tamper(RECORD, path, change)))
    assert isinstance(error, VerificationError)
    assert error.code == code
    assert error.expected
    assert error.found
    assert error.expected != error.found


@given(records(is_revealed=True), st.data())
def test_no_field_can_be_exchanged_unnoticed(record, data):
    """A field of another true record makes this one false, unless the two agree in it or nobody can know it."""
    other = data.draw(records(is_revealed=True))
    claims = {"client_seed_made_by", "currency", "accepted_at", "settled_at"}
    mine, theirs = record.to_dict(), other.to_dict()
    key = data.draw(st.sampled_from(sorted(set(mine) - claims)))
    mixed = {**mine, key: theirs[key]}
    if mixed == mine:
        verify_record(record)
    else:
        with pytest.raises(BaccaratError):
            verify_record(RoundRecord.model_validate(mixed))


@given(records(is_revealed=True))
def test_true_records_verify(record):
    verified = verify_record(record)
    assert [check.code for check in verified.checks] == ["commitment", "cards", "coup", "record", "pay_table", "settlement"]
    assert all(check.sentence.endswith(".") for check in verified.checks)
    assert verified.settlement.net == record.totals.net
    assert verified.guarantees["settlement_exact"].grade is Grade.PROVED


@given(seeds(), nonces())
def test_without_a_record_the_round_alone_is_proved(pair, nonce):
    verified = verify_round(pair, nonce)
    assert verified.round == play_round(pair, nonce)
    assert verified.settlement is None
    assert [check.code for check in verified.checks] == ["commitment", "cards", "coup"]
    grades = {code: guarantee.grade.value for code, guarantee in verified.guarantees.items()}
    assert grades == {
        "seed_fixed": "proved",
        "client_seed_after_commitment": "unknown",
        "unbiased_cards": "proved",
        "settlement_exact": "unknown",
    }


@pytest.mark.parametrize(
    ("is_marked", "made_by", "grade", "words"),
    [
        (True, None, Grade.PROVED, "ends with the first digits of the commitment"),
        (True, "bettor", Grade.PROVED, "made after the commitment"),
        (True, "operator", Grade.PROVED, "made by the operator's side"),
        (False, "bettor", Grade.CLAIMED, "The record says that the bettor"),
        (False, "operator", Grade.UNKNOWN, "made by the operator's side"),
        (False, None, Grade.UNKNOWN, "Nothing in this round shows"),
    ],
)
def test_what_is_known_of_the_client_seed(is_marked, made_by, grade, words):
    client_seed = f"0123456789abcdef-{str(SEEDS.commitment)[:16]}" if is_marked else "lucky"
    pair = Seeds.commit(SEEDS.server_seed, client_seed)
    guarantee = verify_record(record_of(pair, client_seed_made_by=made_by)).guarantees["client_seed_after_commitment"]
    assert (guarantee.grade, words in guarantee.sentence) == (grade, True)


def test_checks_and_guarantees_are_for_people():
    verified = verify_record(RECORD)
    text = " ".join(check.sentence for check in verified.checks)
    assert str(SEEDS.commitment) in text
    assert " ".join(map(str, verified.round.cards)) in text
    assert "100 on player" in text
    assert verify_record(record_of(bets={})).checks[-1].sentence == "There were no bets, and nothing was returned."
    natural = next(play_round(SEEDS, nonce) for nonce in range(99) if play_round(SEEDS, nonce).coup.natural)
    assert "by a natural" in verify_round(SEEDS, natural.nonce).checks[2].sentence
    tie = next(play_round(SEEDS, nonce) for nonce in range(99) if play_round(SEEDS, nonce).coup.winner.value == "tie")
    assert "a tie" in verify_round(SEEDS, tie.nonce).checks[2].sentence
    with pytest.raises(TypeError):
        verified.guarantees["seed_fixed"] = None


@pytest.mark.parametrize(
    ("call", "code", "slip"),
    [
        (lambda: verify_round(SEEDS, NONCE - 1, record=RECORD), "verification.nonce", "nonce"),
        (lambda: verify_round(SEEDS, NONCE + 1, record=RECORD), "verification.nonce", "nonce"),
        (lambda: verify_round(SEEDS, NONCE + 2, record=RECORD), "verification.nonce", None),
        (lambda: verify_record(tamper(RECORD, "nonce", lambda nonce: nonce - 1)), "verification.cut", "nonce"),
        (lambda: verify_record(tamper(RECORD, "nonce", lambda nonce: nonce + 1)), "verification.cut", "nonce"),
        (lambda: verify_record(tamper(RECORD, "nonce", lambda nonce: nonce + 2)), "verification.cut", None),
        (lambda: verify_round(Seeds.commit(SEEDS.server_seed, "Zoe\u0308"), NONCE, record=RECORD), "verification.client_seed", "nfc"),
        (lambda: verify_round(Seeds.commit(SEEDS.server_seed, "zoë"), NONCE, record=RECORD), "verification.client_seed", "case"),
        (lambda: verify_round(Seeds.commit(SEEDS.server_seed, "Zoë\u200b"), NONCE, record=RECORD), "verification.client_seed", "trimmed"),
        (lambda: verify_round(Seeds.commit(SEEDS.server_seed, "Zoé"), NONCE, record=RECORD), "verification.client_seed", None),
        (lambda: verify_round(Seeds.commit("0c" * 32, "Zoë"), NONCE, record=RECORD), "verification.commitment", None),
        (lambda: verify_round(Seeds.commit(SEEDS.server_seed, "Zoë", 6), NONCE, record=RECORD), "verification.decks", None),
        (
            lambda: verify_round(Seeds.commit(SEEDS.server_seed, "Zoë", scheme="pfb1-shoe"), NONCE, index=0, record=RECORD),
            "verification.scheme",
            None,
        ),
        (lambda: verify_round(SEEDS, NONCE, record=tamper(RECORD, "server_seed", lambda _: "0c" * 32)), "verification.server_seed", None),
    ],
)
def test_the_likely_slip_is_named(call, code, slip):
    error = caught(call)
    assert error.code == code
    assert [found.code for found in diagnose(error)] == ([slip] if slip else [])
    assert (error.hint is not None) is (slip is not None)


@pytest.mark.parametrize(
    ("dealt", "told", "slip"),
    [
        ("Zoe\u0308", "Zoë", "nfd"),
        ("Zoë", "Zoe\u0308", "nfc"),
        ("lucky", "\u200blucky\u200b", "trimmed"),
        ("lucky", "Lucky", "case"),
        ("lucky", "LUCKY", "case"),
        ("LUCKY", "lucky", "case"),
        ("Lucky", "LUCKY", "case"),
        ("lucky", "unlucky", None),
    ],
)
def test_a_client_seed_that_was_changed_on_the_way_is_found_from_the_cards(dealt, told, slip):
    """The record has the cards of one client seed and the text of another, as a house that normalises or trims would publish it."""
    record = record_of(Seeds.commit(SEEDS.server_seed, dealt))
    data = {**record.to_dict(), "client_seed": told, "client_seed_hex": told.encode().hex()}
    error = caught(lambda: verify_record(RoundRecord.model_validate(data)))
    assert error.code in ("verification.cut", "verification.cards")
    assert [found.code for found in diagnose(error)] == ([slip] if slip else [])


@pytest.mark.parametrize(
    ("given", "recorded", "slip"), [("lucky", "\u200blucky", "trimmed"), ("lucky", "Lucky", "case"), ("Zoë", "Zoe\u0308", "nfd")]
)
def test_a_given_client_seed_that_lost_something(given, recorded, slip):
    record = record_of(Seeds.commit(SEEDS.server_seed, recorded))
    error = caught(lambda: verify_round(Seeds.commit(SEEDS.server_seed, given), NONCE, record=record))
    assert [found.code for found in diagnose(error)] == [slip]


def test_slips_are_sought_at_the_ends_of_the_nonces_too():
    record = tamper(record_of(nonce=0), "cut", lambda cut: (cut + 1) % 52)
    assert caught(lambda: verify_record(record)).slips == ()
    last = 2**53 - 1
    record = tamper(record_of(nonce=last), "cut", lambda cut: (cut + 1) % 52)
    assert caught(lambda: verify_record(record)).slips == ()
    long = "é" * 64  # its other Unicode form has more bytes than a client seed may have
    record = tamper(record_of(Seeds.commit(SEEDS.server_seed, long)), "cut", lambda cut: (cut + 1) % 52)
    assert caught(lambda: verify_record(record)).slips == ()


def test_the_offer_that_the_bettor_kept():
    verified = verify_record(RECORD, pay_table=PUNTO_BANCO)
    assert "the one that was offered" in verified.checks[4].sentence
    assert "that was offered" in verified.guarantees["settlement_exact"].sentence
    error = caught(lambda: verify_record(RECORD, pay_table=PayTable(tie_multiplier="8.0")))
    assert (error.code, error.slips[0].code) == ("verification.pay_table", "other_offer")


def test_a_table_in_another_spelling_than_its_one_is_not_taken():
    data = RECORD.to_dict()
    data["pay_table"]["side_bets"] = {"lucky6": {"two_cards": "13.0", "three_cards": "21.0"}}
    data["pay_table_digest"] = sha256(canonical_json(data["pay_table"])).hexdigest()
    error = caught(lambda: verify_record(RoundRecord.model_validate(data)))
    assert isinstance(error, UnknownBetError)


def test_side_bets_verify_too():
    record = record_of(bets=dict.fromkeys(ALL_BETS.offers, 10), pay_table=ALL_BETS)
    assert verify_record(record, pay_table=ALL_BETS).settlement.staked == 10 * len(ALL_BETS.offers)
    error = caught(lambda: verify_record(tamper(record, "bets.egalite_0.returned", lambda _: "1")))
    assert error.code == "verification.settlement"


def test_an_operators_own_bet_needs_its_table():
    own = Bet("red", lambda coup: coup.player.cards[0].suit.value in "hd", "suits")
    table = PayTable(side_bets={"red": "1.9"}, bets=[own])
    record = record_of(bets={"red": 10}, pay_table=table)
    assert verify_record(record, pay_table=table).settlement.lines["red"].stake == 10
    for pay_table in (None, PUNTO_BANCO):
        error = caught(lambda pay_table=pay_table: verify_record(record, pay_table=pay_table))
        assert isinstance(error, UnknownBetError)
        assert "unknown bet 'red'" in str(error)
        assert "pay_table" in error.hint
        assert "own_bets" in error.hint


def test_an_operators_own_bet_is_enough():
    own = Bet("red", lambda coup: coup.player.cards[0].suit.value in "hd", "suits")
    other = Bet("black", lambda coup: coup.player.cards[0].suit.value in "cs", "suits")
    table = PayTable(side_bets={"red": "1.9"}, bets=[own])
    record = record_of(bets={"red": 10}, pay_table=table)
    for own_bets in ([own], iter([own]), [other, own]):
        assert verify_record(record, own_bets=own_bets).settlement.lines["red"].stake == 10
    assert verify_record(record, pay_table=table, own_bets=[own, other]).settlement.lines["red"].stake == 10
    assert verify_record(RECORD, own_bets=[own]).settlement is not None
    assert isinstance(caught(lambda: verify_record(record, own_bets=[other])), UnknownBetError)
    assert isinstance(caught(lambda: verify_record(record, pay_table=PUNTO_BANCO, own_bets=[own])), PayTableMismatchError)
    false = Bet("red", lambda coup: not own.event(coup), "suits")
    assert isinstance(caught(lambda: verify_record(record, own_bets=[false])), SettlementMismatchError)
    for wrong in (["red"], 5, [Bet("tie", both_lost, "scores")]):
        assert isinstance(caught(lambda wrong=wrong: verify_record(record, own_bets=wrong)), PayTableError)


def both_lost(coup):
    return False


def test_a_bet_that_the_records_own_table_does_not_offer():
    data = RECORD.to_dict()
    data["bets"]["dragon7"] = {"stake": "1", "status": "lost", "returned": "0"}
    error = caught(lambda: verify_record(RoundRecord.model_validate(data)))
    assert (error.code, error.found) == ("verification.settlement", "'dragon7'")


@pytest.mark.parametrize(
    ("path", "change", "code"),
    [
        ("pay_table.stake_step", lambda _: "7", "verification.settlement"),
        ("bets.player.stake", lambda _: str(10**38 - 1), "verification.settlement"),
        ("pay_table.side_bets", lambda _: {"tiger": {"two_cards": "13.0"}}, "verification.pay_table"),
        ("pay_table.side_bets", lambda _: {"player": {"won": "2.0"}}, "verification.pay_table"),
        ("pay_table.banker_exceptions", lambda _: {"seven": "2.0"}, "verification.pay_table"),
    ],
)
def test_bets_and_tables_that_cannot_be_are_false_records_too(path, change, code):
    data = tamper(RECORD, path, change).to_dict()
    data["pay_table_digest"] = sha256(canonical_json(data["pay_table"])).hexdigest()
    assert caught(lambda: verify_record(RoundRecord.model_validate(data))).code == code


def test_coups_of_a_shoe():
    pair = Seeds.commit("0b" * 32, "Zoë", scheme="pfb1-shoe")
    rounds = play_shoe(pair, 2)
    for index in (0, 7, len(rounds) - 1):
        played = rounds[index]
        record = RoundRecord.from_round(played, settle(played.coup, {"banker": 20}), server_seed=pair.server_seed)
        assert (record.index, record.label, len(record.cards)) == (index, "pfb1-shoe:8", played.coup.cards_used)
        assert verify_record(record).round == verify_round(pair, 2, index=index, record=record).round == played
    for index in (None, -1, len(rounds), True, "0", 1.0):
        assert caught(lambda index=index: verify_round(pair, 2, index=index)).code == "verification.index"
    other = rounds[1]
    record = RoundRecord.from_round(other, settle(other.coup, {}), server_seed=pair.server_seed)
    assert caught(lambda: verify_round(pair, 2, index=0, record=record)).code == "verification.index"
    error = caught(lambda: verify_record(tamper(record, "index", lambda _: 2)))
    assert error.code == "verification.cards"
    moved = {**record.to_dict(), "nonce": 1, "cut": play_shoe(pair, 1)[0].cut}
    assert caught(lambda: verify_record(RoundRecord.model_validate(moved))).code == "verification.cards"
    assert caught(lambda: verify_round(SEEDS, 2, index=0)).code == "verification.index"


def test_slips_are_sought_in_shoes_of_other_lengths():
    """The last coup of a shoe that is longer than its neighbours: they have no coup at its index."""
    pair = Seeds.commit("0b" * 32, "Zoë", scheme="pfb1-shoe")
    lengths = [len(play_shoe(pair, nonce)) for nonce in range(12)]
    nonce = next(n for n in range(1, 11) if lengths[n] > max(lengths[n - 1], lengths[n + 1]))
    played = play_shoe(pair, nonce)[-1]
    record = RoundRecord.from_round(played, settle(played.coup, {}), server_seed=pair.server_seed)
    error = caught(lambda: verify_record(tamper(record, "cut", lambda cut: (cut + 1) % 52)))
    assert (error.code, error.slips) == ("verification.cut", ())


def test_what_was_proved_can_be_kept_and_sent():
    verified = verify_record(RECORD)
    again = pickle.loads(pickle.dumps(verified))
    assert again == verified
    assert hash(again) == hash(verified)
    assert copy.deepcopy(verified.settlement) == verified.settlement
    assert hash(copy.deepcopy(verified.settlement)) == hash(verified.settlement)
    assert diagnose("no error") == []


def test_what_was_proved_as_json():
    told = verify_round(SEEDS, 14).to_dict()
    assert told["round"] == {
        "scheme": "pfb1",
        "decks": 8,
        "commitment": str(SEEDS.commitment),
        "client_seed": SEEDS.client_seed.text,
        "nonce": 14,
        "index": None,
        "cut": play_round(SEEDS, 14).cut,
        "cards": [str(card) for card in play_round(SEEDS, 14).cards],
        "winner": play_round(SEEDS, 14).coup.winner.value,
    }
    verified = verify_round(SEEDS, 14)
    assert told["checks"] == [{"code": check.code, "sentence": check.sentence} for check in verified.checks]
    assert verify_round(Seeds("abc", "x", None, scheme="stake"), 1).to_dict()["round"]["commitment"] is None
    graded = {code: {"grade": each.grade.value, "sentence": each.sentence} for code, each in verified.guarantees.items()}
    assert told["guarantees"] == graded
    assert SEEDS.server_seed.reveal() not in canonical_json(told).decode()


def test_an_offer_is_compared_with_a_record():
    assert caught(lambda: verify_round(SEEDS, NONCE, pay_table=PUNTO_BANCO)).code == "record"
    assert caught(lambda: verify_record(RECORD, pay_table="punto_banco")).code == "money.pay_table"


def test_what_cannot_be_verified_at_all():
    assert caught(lambda: verify_round("seeds", 0)).code == "verification.seed_text"
    for nonce in (-1, True, "0", 2**53, None, 10**5000):
        for record in (None, RECORD):
            with pytest.raises(NonceError):
                verify_round(SEEDS, nonce, record=record)
    for index in ("0", -1, 10**5000, 3):
        for record in (None, RECORD):
            assert (
                caught(lambda index=index, record=record: verify_round(SEEDS, NONCE, index=index, record=record)).code
                == "verification.index"
            )
    for record in (RECORD.to_json(), RECORD.to_json().decode()):
        with pytest.raises(RecordError) as raised:
            verify_record(record)
        assert raised.value.hint == "RoundRecord.parse_json reads JSON."
    for record in (7, {}):
        with pytest.raises(RecordError):
            verify_round(SEEDS, NONCE, record=record)


def test_a_record_that_is_not_revealed_verifies_with_the_seeds():
    hidden = RoundRecord.from_round(play_round(SEEDS, NONCE), settle(play_round(SEEDS, NONCE).coup, {}))
    assert verify_round(SEEDS, NONCE, record=hidden).round.cards == hidden.cards
    assert caught(lambda: verify_record(hidden)).code == "verification.not_revealed"


USED = {3: 4, 12: 5, NONCE: 6}
"""How many cards the coups of these nonces used."""


@pytest.mark.parametrize(("nonce", "count"), [*USED.items(), (3, 6), (12, 6)])
def test_the_cards_that_somebody_saw(nonce, count):
    played = play_round(SEEDS, nonce)
    assert played.coup.cards_used == USED[nonce]
    cards = played.cards[:count]
    checks = verify_round(SEEDS, nonce, cards=iter(cards)).checks
    assert [check.code for check in checks] == ["commitment", "cards", "seen", "coup"]
    assert "seen" not in {check.code for check in verify_round(SEEDS, nonce).checks}
    for other, sentence in ((nonce - 1, "too low"), (nonce + 1, "too high")):
        error = caught(lambda other=other: verify_round(SEEDS, other, cards=cards))
        assert (error.code, error.found) == ("verification.cards", " ".join(map(str, cards)))
        assert [slip.code for slip in diagnose(error)] == ["nonce"]
        assert sentence in error.hint
    variant = Seeds.commit(SEEDS.server_seed, "zo\u00eb")
    assert [slip.code for slip in diagnose(caught(lambda: verify_round(variant, nonce, cards=cards)))] == ["case"]


@pytest.mark.parametrize("nonce", USED)
def test_cards_that_nobody_was_dealt(nonce):
    cards = play_round(SEEDS, nonce).cards
    other_counts = [cards[:count] for count in range(6) if count != USED[nonce]]
    for wrong in (*other_counts, cards[::-1]):
        assert caught(lambda wrong=wrong: verify_round(SEEDS, nonce, cards=wrong)).code == "verification.cards"
    assert caught(lambda: verify_round(SEEDS, nonce, cards=())).found == "none"
    assert [slip.code for slip in caught(lambda: verify_round(SEEDS, nonce, cards=["Kh"])).slips] == ["card_text"]
    assert caught(lambda: verify_round(SEEDS, nonce, cards=[7])).slips == ()


def test_the_cards_that_somebody_saw_of_a_shoe():
    shoe = Seeds.commit("0b" * 32, "Zoë", scheme="pfb1-shoe")
    dealt = play_shoe(shoe, 0)[3]
    assert verify_round(shoe, 0, index=3, cards=dealt.cards).round == dealt
    assert caught(lambda: verify_round(shoe, 0, index=3, cards=dealt.cards[:-1])).code == "verification.cards"


def test_the_hex_of_a_client_seed_is_named():
    mine = Seeds.commit("0b" * 32, "Zoë".encode().hex())
    error = caught(lambda: verify_round(mine, NONCE, record=RECORD))
    assert (error.code, [slip.code for slip in diagnose(error)]) == ("verification.client_seed", ["hex_text"])
    error = caught(lambda: verify_round(mine, NONCE, cards=RECORD.cards))
    assert (error.code, [slip.code for slip in diagnose(error)]) == ("verification.cards", ["hex_text"])
    error = caught(lambda: verify_round(Seeds.commit("0b" * 32, "ff"), NONCE, cards=RECORD.cards))
    assert diagnose(error) == []
