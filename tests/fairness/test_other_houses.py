"""The schemes of other houses: rounds that they published, or that others recomputed, verify; and nothing is claimed that is not so."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

import pytest

from provably_fair_baccarat import (
    ClientSeed,
    Commitment,
    Grade,
    RoundRecord,
    Seeds,
    ServerSeed,
    commit,
    diagnose,
    play_round,
    settle,
    verify_record,
    verify_round,
)
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import (
    BaccaratError,
    CommitmentMismatchError,
    DecksError,
    NonceError,
    RecordError,
    SchemeError,
    SeedTextError,
    ServerSeedError,
)
from provably_fair_baccarat.fairness.schemes import SCHEMES
from provably_fair_baccarat.fairness.schemes.bcgame import LIST
from provably_fair_baccarat.fairness.schemes.stake import INDEX
from provably_fair_baccarat.fairness.seeds import TextServerSeed

OTHERS = ["stake", "bcgame-single", "bcgame-table"]
STREAM_PLACES = (0, 2, 1, 3, 4, 5)  # stake deals player, player, banker, banker
KEYS = {
    *("id", "scheme", "server_seed", "client_seed", "nonce", "player", "banker", "winner", "commitment"),
    *("first_six_cards", "first_cards_of_stream"),
}


def seeds_of(answer, **change):
    arguments = {"scheme": answer["scheme"], "commitment": answer.get("commitment")} | change
    return Seeds(answer["server_seed"], answer["client_seed"], **arguments)


def test_known_rounds_of_other_houses(vectors):
    answers = vectors("schemes")["rounds"]
    assert Counter(answer["scheme"] for answer in answers) == {"stake": 8, "bcgame-single": 3, "bcgame-table": 3}
    for answer in answers:
        assert set(answer) <= KEYS
        verified = verify_round(seeds_of(answer), answer["nonce"])
        coup = verified.round.coup
        assert [str(card) for card in coup.player.cards] == answer["player"], answer["id"]
        assert [str(card) for card in coup.banker.cards] == answer["banker"]
        assert coup.winner.value == answer.get("winner", coup.winner.value)
        cards = [str(card) for card in verified.round.cards]
        stream = answer.get("first_six_cards") or answer.get("first_cards_of_stream") or []
        assert [cards[STREAM_PLACES.index(place)] for place in range(len(stream))] == stream
        is_committed = "commitment" in answer
        assert verified.guarantees["seed_fixed"].grade is (Grade.PROVED if is_committed else Grade.UNKNOWN)
        assert (verified.round.commitment is not None) is is_committed


def test_rounds_of_other_houses_backwards(vectors):
    for answer in vectors("schemes")["rounds"]:
        seeds = seeds_of(answer)
        played = play_round(seeds, answer["nonce"])
        record = RoundRecord.from_round(played, settle(played.coup, {"banker": 20}), server_seed=seeds.server_seed)
        assert record.scheme == record.label == answer["scheme"]
        assert record.cut is None
        assert verify_record(RoundRecord.parse_json(record.to_json())).round == played
        assert verify_round(seeds, answer["nonce"], record=record).settlement.staked == 20
        for path, value, code in (
            ("cards", [str(card) for card in reversed(played.cards)], "verification.cards"),
            ("winner", "tie" if played.coup.winner.value != "tie" else "player", "verification.coup"),
            ("client_seed_hex", "00", "verification.client_seed"),
            ("decks", 7, "seed.decks"),
            ("cut", 5, "verification.cut"),
        ):
            with pytest.raises(BaccaratError) as caught:
                verify_record(RoundRecord.model_validate({**record.to_dict(), path: value}))
            assert caught.value.code == code, (answer["id"], path)


def test_the_truth_is_told_about_each_scheme():
    words = {"stake": ["infinite deck", "rounds"], "bcgame-single": ["biased", "7.1 %"], "bcgame-table": ["nobody has shown"]}
    for name, scheme in SCHEMES.items():
        assert scheme.is_unbiased is (name not in OTHERS)
        assert all(word in scheme.drawing for word in words.get(name, ["without bias"]))
    for name in OTHERS:
        nonce = None if name == "bcgame-table" else 3
        verified = verify_round(Seeds("0b" * 32, "x", None, scheme=name), nonce)
        guarantee = verified.guarantees["unbiased_cards"]
        assert (guarantee.grade, guarantee.sentence) == (Grade.UNKNOWN, SCHEMES[name].drawing)
        assert [check.code for check in verified.checks] == ["cards", "coup"]
        assert "cut" not in verified.checks[0].sentence
    assert [verify_round(Seeds("0b" * 32, "x", None, scheme=name), 0).round.decks for name in OTHERS] == [None, 2, 1]


def test_the_bias_of_bcgame_single_is_there():
    """The second card follows the first in the house's list in some 7 % of rounds; in a fair shoe of two decks it is 2 of 103."""
    seeds = Seeds("0b" * 32, "x", None, scheme="bcgame-single")
    follower = dict(zip(LIST, (*LIST[1:], LIST[0]), strict=True))
    rounds = [play_round(seeds, nonce).cards for nonce in range(1_000)]
    assert 45 <= sum(follower[cards[0]] is cards[1] for cards in rounds) <= 100


def test_the_lists_hold_every_card_once():
    assert set(LIST) == set(INDEX) == set(DECK)
    assert len(LIST) == len(INDEX) == 52


def test_stake_deals_with_replacement():
    seeds = Seeds("server", "client", None, scheme="stake")
    assert any(len(set(play_round(seeds, nonce).cards)) < 6 for nonce in range(100))


def test_rounds_without_a_nonce():
    seeds = Seeds("0b" * 32, "salt", None, scheme="bcgame-table")
    assert play_round(seeds, None) == play_round(seeds, 0)
    assert play_round(seeds, None).nonce == 0
    with pytest.raises(NonceError):
        play_round(seeds, 1)
    for scheme in ("pfb1", "stake"):
        with pytest.raises(NonceError):
            play_round(Seeds.commit("0b" * 32, "x", scheme=scheme), None)


def test_a_chain_of_table_rounds_is_checked_backwards():
    """The hash of a round's hash is the hash of the round before: what a later round commits to."""
    later = "0b" * 32
    before = str(commit(TextServerSeed(later), scheme="bcgame-table"))
    assert verify_round(Seeds(later, "salt", before, scheme="bcgame-table"), None).guarantees["seed_fixed"].grade is Grade.PROVED


@pytest.mark.parametrize("scheme", OTHERS)
def test_commitments_and_shoes_of_other_houses(scheme):
    server_seed = "0b" * 32
    seeds = Seeds.commit(server_seed, "x", scheme=scheme)
    assert seeds == Seeds(TextServerSeed(server_seed), ClientSeed("x"), seeds.commitment, scheme=scheme)
    with pytest.raises(CommitmentMismatchError):
        Seeds(server_seed, "x", "00" * 32, scheme=scheme)
    with pytest.raises(SeedTextError):
        Seeds(ServerSeed.parse(server_seed), "x", None, scheme=scheme)
    for decks in (3, 0, True, "2"):
        with pytest.raises(DecksError):
            Seeds(server_seed, "x", None, decks, scheme=scheme)
    with pytest.raises(SeedTextError):
        Seeds(TextServerSeed("text"), "x", "00" * 32)
    with pytest.raises(SeedTextError):
        Seeds(server_seed, "x", None)


def test_a_commitment_of_another_scheme_is_told():
    server_seed = "0b" * 32
    others = str(Seeds.commit(server_seed, "x", scheme="stake").commitment)
    with pytest.raises(CommitmentMismatchError) as caught:
        Seeds(server_seed, "x", others)
    assert [slip.sentence for slip in diagnose(caught.value)] == ["The commitment is that of another scheme, stake."]
    ours = str(Seeds.commit(server_seed, "x", 6).commitment)
    with pytest.raises(CommitmentMismatchError) as caught:
        Seeds(server_seed, "x", ours, scheme="stake")
    assert [slip.sentence for slip in diagnose(caught.value)] == ["The commitment is that of another scheme, pfb1."]
    with pytest.raises(CommitmentMismatchError) as caught:
        Seeds("x", "text seed", str(commit(TextServerSeed("text seed"), scheme="stake")), scheme="stake")
    assert [slip.code for slip in diagnose(caught.value)] == ["seeds_swapped"]


@pytest.mark.parametrize("dealt", ["pfb1", *OTHERS])
@pytest.mark.parametrize("told", ["pfb1", *OTHERS])
def test_cards_of_another_scheme_are_told(dealt, told):
    """A record that says one scheme, with the cards of another from the same seeds."""
    if dealt == told:
        return
    seeds, other = (Seeds.commit("0b" * 32, "x", scheme=scheme) for scheme in (told, dealt))
    mine, theirs = play_round(seeds, 0), play_round(other, 0)
    record = RoundRecord.from_round(mine, settle(mine.coup, {}), server_seed=seeds.server_seed).to_dict()
    record["cards"] = [str(card) for card in theirs.cards]
    if told != "pfb1":
        record["cut"] = theirs.cut
    with pytest.raises(BaccaratError) as caught:
        verify_record(RoundRecord.model_validate(record))
    assert caught.value.code in ("verification.cards", "verification.cut")
    sentence = f"These are the cards of another scheme, {dealt}."
    assert sentence in [slip.sentence for slip in diagnose(caught.value)]


@pytest.mark.parametrize("text", ["", "x" * 257, "é" * 129, "a\nb", "\ud800", None, b"x", 7])
def test_what_is_no_text_seed(text):
    with pytest.raises(ServerSeedError):
        TextServerSeed(text)


def test_text_seeds_are_secrets_too():
    canary = "some very secret server seed"
    seeds = Seeds(canary, "x", None, scheme="stake")
    played = play_round(seeds, 1)
    record = RoundRecord.from_round(played, settle(played.coup, {}))
    assert canary not in repr(seeds) + str(seeds.server_seed) + repr(played) + json.dumps(record.to_dict())
    assert seeds.server_seed.reveal() == canary
    assert record.reveal(seeds.server_seed).server_seed == canary
    assert TextServerSeed(canary) == seeds.server_seed != ServerSeed(bytes(32))


@pytest.mark.parametrize(("key", "value"), [("commitment", None), ("decks", None), ("cut", None), ("server_seed", "some text")])
def test_records_of_our_own_schemes_are_as_strict_as_ever(key, value):
    seeds = Seeds.commit("0b" * 32, "x")
    played = play_round(seeds, 0)
    record = RoundRecord.from_round(played, settle(played.coup, {}))
    with pytest.raises(RecordError):
        RoundRecord.model_validate({**record.to_dict(), key: value})


@dataclass(frozen=True)
class House:
    """A scheme of one's own: whatever the seeds, the same six cards."""

    name: str = "always-the-same"
    deals_shoes: bool = False
    deals_from_chains: bool = False
    has_nonces: bool = True
    needs_commitment: bool = False
    is_unbiased: bool = False
    drawing: str = "It is always the same."

    def read_decks(self, decks):
        return 1

    def read_server_seed(self, text):
        return TextServerSeed(text)

    def label(self, decks):
        return self.name

    def commit(self, server_seed, decks):
        return Commitment(bytes(32))

    def source(self, server_seed, client_seed, decks):
        return lambda nonce: (None, DECK[:6])


def test_a_scheme_of_ones_own_is_passed_and_not_registered():
    seeds = Seeds("anything", "x", "00" * 32, scheme=House())
    played = play_round(seeds, 5)
    assert (played.cards, played.scheme, played.decks) == (DECK[:6], "always-the-same", 1)
    record = RoundRecord.from_round(played, settle(played.coup, {"tie": 1}), server_seed=seeds.server_seed, scheme=House())
    assert verify_round(seeds, 5, record=record).guarantees["unbiased_cards"].sentence == "It is always the same."
    with pytest.raises(BaccaratError) as caught:
        verify_record(record)
    assert caught.value.code == "seed.scheme"
    assert verify_record(record, scheme=House()).round == played


def test_a_scheme_of_ones_own_has_a_name_of_its_own():
    with pytest.raises(SchemeError):
        Seeds("anything", "x", None, scheme=House(name="pfb1"))
