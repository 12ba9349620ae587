"""Seed chains: one commitment, a link for each coup, each proved by hashing down to the anchor."""

from __future__ import annotations

import json
import pickle
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import (
    Chain,
    RevealedChain,
    RoundRecord,
    SeedChain,
    Seeds,
    ServerSeed,
    diagnose,
    play_round,
    settle,
    verify_record,
    verify_round,
)
from provably_fair_baccarat.errors import (
    BaccaratError,
    ChainError,
    CommitmentMismatchError,
    DecksError,
    LinkMismatchError,
    NonceError,
    SchemeError,
    SecretError,
)
from provably_fair_baccarat.fairness import chain as chain_module
from provably_fair_baccarat.fairness.chain import Link


@pytest.fixture(scope="module")
def answer(vectors):
    return vectors("pfb1")["chain"]


@pytest.fixture(scope="module")
def chain(answer):
    return Chain(answer["anchor"], answer["length"])


def seeds_of(answer, coup, chain, **change):
    arguments = {"link": coup["link"], "client_seed": answer["client_seed"], "commitment": answer["commitment"], "decks": answer["decks"]}
    arguments |= change
    return Seeds(*arguments.values(), chain=chain)


def test_known_coups_of_a_chain(answer, chain):
    assert set(answer) == {"decks", "length", "anchor", "commitment", "last_link", "client_seed", "coups"}
    assert str(chain.commitment(answer["decks"])) == answer["commitment"]
    operator = SeedChain(ServerSeed.parse(answer["last_link"]), answer["length"], answer["decks"])
    assert (operator.chain, str(operator.commitment)) == (chain, answer["commitment"])
    for coup in answer["coups"]:
        seeds = seeds_of(answer, coup, chain)
        assert (seeds.scheme, seeds.origin.label) == ("pfb1-chain", "pfb1-chain:8")
        played = play_round(seeds, coup["nonce"])
        assert played.cut == coup["cut"]
        assert [str(card) for card in played.cards] == coup["cards"]
        assert played.coup.winner.value == coup["winner"]
        assert operator.link(coup["nonce"]).server_seed.reveal() == coup["link"]
        dealt = Seeds(operator.link(coup["nonce"]), answer["client_seed"], operator.commitment, 8, chain=chain)
        assert play_round(dealt, coup["nonce"]) == played


def test_records_of_a_chain_verify_forwards_and_backwards(answer, chain):
    for coup in answer["coups"]:
        seeds = seeds_of(answer, coup, chain)
        played = play_round(seeds, coup["nonce"])
        record = RoundRecord.from_round(played, settle(played.coup, {"player": 100}), server_seed=seeds.server_seed)
        assert record.to_dict()["chain"] == {"anchor": answer["anchor"], "length": 10}
        verified = verify_record(RoundRecord.parse_json(record.to_json()))
        assert answer["anchor"] in verified.guarantees["seed_fixed"].sentence
        assert verify_round(seeds, coup["nonce"], record=record).round == played
        for change, code in (
            ({"chain": {"anchor": answer["anchor"], "length": 11}}, "verification.commitment"),
            ({"chain": {"anchor": answer["anchor"][::-1], "length": 10}}, "verification.commitment"),
            ({"chain": None}, "seed.scheme"),
            ({"scheme": "pfb1", "label": "pfb1:8"}, "verification.scheme"),
            ({"server_seed": "00" * 32}, "verification.link"),
            ({"nonce": (coup["nonce"] + 1) % 10}, "verification.link"),
            ({"nonce": 10}, "seed.nonce"),
        ):
            with pytest.raises(BaccaratError) as caught:
                verify_record(RoundRecord.model_validate({**record.to_dict(), **change}))
            assert caught.value.code == code, change
        other = {**record.to_dict(), "chain": {"anchor": answer["anchor"], "length": 9}}
        with pytest.raises(BaccaratError) as caught:
            verify_round(seeds, coup["nonce"], record=RoundRecord.model_validate(other))
        assert caught.value.code == "verification.chain"
        hidden = RoundRecord.from_round(played, settle(played.coup, {}))
        assert hidden.reveal(seeds.server_seed).server_seed == coup["link"]
        with pytest.raises(LinkMismatchError):
            hidden.reveal(ServerSeed(bytes(32)))


def test_the_link_of_another_nonce_is_told_whose_it_is(answer, chain):
    by_nonce = {coup["nonce"]: coup for coup in answer["coups"]}
    seeds = seeds_of(answer, by_nonce[5], chain)
    for nonce in (0, 4, 6, 9):
        with pytest.raises(LinkMismatchError) as caught:
            play_round(seeds, nonce)
        assert diagnose(caught.value)[0].sentence == "It is the link of nonce 5."
    with pytest.raises(LinkMismatchError) as caught:
        play_round(seeds_of(answer, by_nonce[0], chain, link=answer["anchor"]), 0)
    assert diagnose(caught.value)[0].code == "anchor_as_link"
    with pytest.raises(LinkMismatchError) as caught:
        play_round(seeds_of(answer, by_nonce[0], chain, link="00" * 32), 0)
    assert diagnose(caught.value) == []


def test_a_proved_link_serves_its_own_nonce_and_chain(answer, chain):
    link = Link(chain, 5, ServerSeed.parse({coup["nonce"]: coup for coup in answer["coups"]}[5]["link"]))
    seeds = Seeds(link, "x", answer["commitment"], chain=chain)
    assert play_round(seeds, 5)
    with pytest.raises(LinkMismatchError) as caught:
        play_round(seeds, 4)
    assert caught.value.hint == "It is the link of nonce 5."
    other = SeedChain(ServerSeed(bytes(32)), 10)
    with pytest.raises(LinkMismatchError) as caught:
        play_round(Seeds(link, "x", other.commitment, chain=other.chain), 5)
    assert caught.value.hint is None


@pytest.mark.parametrize("nonce", [10, -1, 2**53, "5", True])
def test_nonces_that_a_chain_does_not_have(answer, chain, nonce):
    seeds = seeds_of(answer, answer["coups"][0], chain)
    operator = SeedChain(ServerSeed.parse(answer["last_link"]), 10)
    for call in (lambda: play_round(seeds, nonce), lambda: operator.link(nonce), lambda: Link(chain, nonce, seeds.server_seed)):
        with pytest.raises(NonceError):
            call()


def test_the_commitment_is_to_anchor_length_and_decks(answer, chain):
    coup = answer["coups"][0]
    for wrong in (Chain(answer["anchor"], 9), Chain(answer["anchor"][::-1], 10)):
        with pytest.raises(CommitmentMismatchError) as caught:
            seeds_of(answer, coup, wrong)
        assert caught.value.hint is None
    with pytest.raises(CommitmentMismatchError) as caught:
        seeds_of(answer, coup, chain, decks=6)
    assert diagnose(caught.value)[0].code == "decks"


@pytest.mark.parametrize("anchor", ["", "AB" * 32, None, bytes(32), "0" * 63])
def test_what_is_no_anchor(anchor):
    with pytest.raises(ChainError):
        Chain(anchor, 10)


@pytest.mark.parametrize("length", [0, -1, 1_000_001, "10", True, 10.0, None])
def test_what_is_no_length(length):
    for make in (lambda: Chain("00" * 32, length), lambda: SeedChain(ServerSeed(bytes(32)), length), lambda: SeedChain.generate(length)):
        with pytest.raises(ChainError):
            make()


def test_what_else_is_no_chain(answer, chain):
    coup = answer["coups"][0]
    with pytest.raises(ChainError):
        seeds_of(answer, coup, "chain")
    with pytest.raises(ChainError):
        SeedChain("00" * 32, 10)
    with pytest.raises(DecksError):
        SeedChain(ServerSeed(bytes(32)), 10, 9)
    with pytest.raises(SchemeError):
        Seeds(coup["link"], "x", answer["commitment"], scheme="pfb1-chain")
    with pytest.raises(SchemeError):
        Seeds(coup["link"], "x", answer["commitment"], scheme="pfb1-shoe", chain=chain)
    assert Seeds(coup["link"], "x", answer["commitment"], scheme="pfb1-chain", chain=chain).scheme == "pfb1-chain"
    with pytest.raises(SchemeError):
        Seeds.commit(coup["link"], "x", scheme="pfb1-chain")


@given(st.integers(1, 3_000), st.data())
def test_every_link_is_a_few_hashes_away(length, data):
    last = data.draw(st.binary(min_size=32, max_size=32))
    digests = [last]
    for _ in range(length):
        digests.append(sha256(digests[-1]).digest())
    digests.reverse()
    operator = SeedChain(ServerSeed(last), length)
    assert operator.chain.anchor == digests[0].hex()
    for nonce in {0, length - 1, data.draw(st.integers(0, length - 1))}:
        link = operator.link(nonce)
        assert (link.nonce, link.server_seed.reveal()) == (nonce, digests[nonce + 1].hex())
        assert Link(operator.chain, nonce, link.server_seed) == link
        revealed = RevealedChain(operator.chain, link.server_seed, nonce)
        earlier = data.draw(st.integers(0, nonce))
        assert revealed.link(earlier) == operator.link(earlier)
        if nonce + 1 < length:
            with pytest.raises(NonceError, match="the last one whose link is known"):
                revealed.link(nonce + 1)


def test_proving_a_link_costs_as_many_hashes_as_its_place(monkeypatch):
    operator = SeedChain.generate(500)
    link = operator.link(321).server_seed
    hashes = []

    def counted(data):
        hashes.append(1)
        return sha256(data)

    monkeypatch.setattr(chain_module, "sha256", counted)
    Link(operator.chain, 321, link)
    assert len(hashes) == 322
    hashes.clear()
    RevealedChain(operator.chain, link, 321)
    assert len(hashes) == 322


def test_a_long_chain_deals_any_nonce_with_few_hashes_and_little_memory(monkeypatch):
    operator = SeedChain.generate(1_000_000)
    assert sum(len(part) for part in (operator._ladder._marks, operator._ladder._top)) <= 100 * 1024
    hashes = []

    def counted(data):
        hashes.append(1)
        return sha256(data)

    monkeypatch.setattr(chain_module, "sha256", counted)
    for nonce in (0, 1, 499_999, 999_998, 999_999):
        hashes.clear()
        operator.link(nonce)
        assert len(hashes) < 1_000


def test_what_is_no_link():
    operator = SeedChain.generate(5)
    link = operator.link(2).server_seed
    for make in (Link, lambda chain, nonce, seed: RevealedChain(chain, seed, nonce)):
        for arguments in ((None, 2, link), (operator.chain, 2, None), (operator.chain, 2, link.reveal())):
            with pytest.raises(ChainError):
                make(*arguments)
    for name in ("decks", "commitment", "chain"):
        with pytest.raises(AttributeError, match="never changes"):
            setattr(operator, name, None)


def test_a_revealed_chain_refuses_a_wrong_link():
    operator = SeedChain.generate(20)
    with pytest.raises(LinkMismatchError) as caught:
        RevealedChain(operator.chain, operator.link(5).server_seed, 6)
    assert caught.value.hint == "It is the link of nonce 5."


def test_links_stay_secret():
    last = ServerSeed.parse("c0ffee" * 10 + "beef")
    operator = SeedChain(last, 20)
    link = operator.link(7)
    for value in (operator, link, RevealedChain(operator.chain, link.server_seed, 7)):
        text = repr(value) + str(value)
        assert last.reveal() not in text
        assert link.server_seed.reveal() not in text
        with pytest.raises(SecretError):
            pickle.dumps(value)
    assert pickle.loads(pickle.dumps(operator.chain)) == operator.chain
    played = play_round(Seeds(link, "x", operator.commitment, chain=operator.chain), 7)
    record = RoundRecord.from_round(played, settle(played.coup, {}))
    assert link.server_seed.reveal() not in json.dumps(record.to_dict())
