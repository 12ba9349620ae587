"""Seeds: there are none that do not fit their commitment, and the likely slip is the hint."""

from __future__ import annotations

import copy
from hashlib import sha256

import pytest
from hypothesis import given

from provably_fair_baccarat import ClientSeed, Commitment, Seeds, ServerSeed, commit, diagnose
from provably_fair_baccarat.errors import (
    BaccaratError,
    CommitmentMismatchError,
    DecksError,
    SchemeError,
    SeedTextError,
    ServerSeedError,
    VerificationError,
)
from provably_fair_baccarat.fairness.schemes import SCHEMES, scheme_named
from provably_fair_baccarat.fairness.schemes.pfb1 import PFB1, python_coup_source
from provably_fair_baccarat.fairness.seeds import TextServerSeed
from provably_fair_baccarat.testing import client_seeds, deck_counts, nonces, seeds, server_seeds

SERVER = "0b" * 32
COMMITMENT = sha256(f"pfb1:8:{SERVER}".encode()).hexdigest()


@given(server_seeds(), client_seeds(), deck_counts())
def test_the_commitment_is_one_hash_that_anyone_can_make(server_seed, client_seed, decks):
    for scheme in ("pfb1", "pfb1-shoe"):
        pair = Seeds.commit(server_seed, client_seed, decks, scheme=scheme)
        assert str(pair.commitment) == sha256(f"{scheme}:{decks}:{server_seed.reveal()}".encode()).hexdigest()
        assert pair.origin.label == f"{scheme}:{decks}"


def test_plain_text_and_typed_values_are_the_same_seeds():
    typed = Seeds(ServerSeed.parse(SERVER), ClientSeed("lucky"), Commitment.parse(COMMITMENT))
    plain = Seeds(SERVER, "lucky", COMMITMENT, 8, scheme="pfb1")
    assert typed == plain == Seeds.commit(SERVER, "lucky")
    assert hash(typed) == hash(plain)
    assert (plain.client_seed, plain.decks, plain.scheme) == (ClientSeed("lucky"), 8, "pfb1")
    assert copy.copy(plain) is copy.deepcopy(plain) is plain
    assert plain != Seeds.commit(SERVER, "lucky", 6)
    assert plain != "seeds"


def test_a_commitment_comes_before_any_client_seed():
    assert str(commit(ServerSeed.parse(SERVER))) == COMMITMENT
    assert commit(ServerSeed.parse(SERVER), 6, scheme="pfb1-shoe") == Seeds.commit(SERVER, "x", 6, scheme="pfb1-shoe").commitment
    for arguments, error in (((SERVER,), ServerSeedError), ((ServerSeed.parse(SERVER), 9), DecksError)):
        with pytest.raises(error):
            commit(*arguments)
    for scheme in ("pfb2", "pfb1-chain"):
        with pytest.raises(SchemeError):
            commit(ServerSeed.parse(SERVER), scheme=scheme)


SLIPS = {
    "upper_case": (SERVER.upper(), "lucky", COMMITMENT, 8),
    "white_space": (f" {SERVER}\n", "lucky", COMMITMENT, 8),
    "commitment_as_server_seed": (COMMITMENT, "lucky", COMMITMENT, 8),
    "seeds_swapped": ("lucky", SERVER, COMMITMENT, 8),
    "commitment_swapped": (COMMITMENT, "lucky", SERVER, 8),
    "decks": (SERVER, "lucky", COMMITMENT, 6),
    "one_digit": (SERVER, "lucky", f"{COMMITMENT[:-1]}{'1' if COMMITMENT[-1] == '0' else '0'}", 8),
    "scheme": (SERVER, "lucky", sha256(f"pfb1-shoe:8:{SERVER}".encode()).hexdigest(), 8),
}


@pytest.mark.parametrize("code", SLIPS)
def test_the_likely_slip_is_named(code):
    with pytest.raises(VerificationError) as caught:
        Seeds(*SLIPS[code])
    assert [slip.code for slip in diagnose(caught.value)] == [code]
    assert caught.value.hint
    assert SERVER not in str(caught.value)


@pytest.mark.parametrize(
    ("inputs", "scheme", "slip"),
    [
        ((SERVER, "x", SERVER), "pfb1", "commitment_as_server_seed"),
        ((COMMITMENT, "x", SERVER, 6), "pfb1", "commitment_swapped"),
        ((COMMITMENT, "x", SERVER), "pfb1-shoe", "commitment_swapped"),
    ],
)
def test_a_secret_in_the_place_of_the_commitment_is_not_repeated(inputs, scheme, slip):
    with pytest.raises(CommitmentMismatchError) as caught:
        Seeds(*inputs, scheme=scheme)
    assert [found.code for found in diagnose(caught.value)] == [slip]
    assert SERVER not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ((SERVER, "lucky", COMMITMENT.upper()), "upper_case"),
        ((SERVER, "lucky", f"{COMMITMENT} "), "white_space"),
        ((f"{COMMITMENT}\n", "lucky", COMMITMENT), "commitment_as_server_seed"),
        (("x", f"{SERVER.upper()}", COMMITMENT, 3), "seeds_swapped"),
        ((SERVER, " lucky", COMMITMENT), "white_space"),
    ],
)
def test_slips_in_any_input(inputs, code):
    with pytest.raises(SeedTextError) as caught:
        Seeds(*inputs)
    assert [slip.code for slip in caught.value.slips] == [code]


def test_a_wrong_seed_has_no_slip():
    with pytest.raises(CommitmentMismatchError) as caught:
        Seeds("0c" * 32, "lucky", COMMITMENT)
    error = caught.value
    assert (error.code, error.hint, diagnose(error)) == ("verification.commitment", None, [])
    assert error.expected == COMMITMENT
    assert error.found == sha256(f"pfb1:8:{'0c' * 32}".encode()).hexdigest()


@pytest.mark.parametrize(
    ("inputs", "error"),
    [
        ((SERVER, "lucky", COMMITMENT, 0), DecksError),
        ((SERVER, "lucky", COMMITMENT, 9), DecksError),
        ((SERVER, "lucky", COMMITMENT, "8"), DecksError),
        ((SERVER, "lucky", COMMITMENT, True), DecksError),
        ((SERVER, "", COMMITMENT), SeedTextError),
        ((SERVER, None, COMMITMENT), SeedTextError),
        ((SERVER, b"lucky", COMMITMENT), SeedTextError),
        ((SERVER, "lucky", None), SeedTextError),
        ((SERVER, "lucky", bytes(32)), SeedTextError),
        ((bytes(32), "lucky", COMMITMENT), SeedTextError),
        ((7, "lucky", COMMITMENT), SeedTextError),
        ((Commitment.parse(COMMITMENT), "lucky", COMMITMENT), SeedTextError),
        ((SERVER, "lucky", ServerSeed.parse(SERVER)), SeedTextError),
    ],
)
def test_what_is_not_even_a_seed(inputs, error):
    with pytest.raises(error):
        Seeds(*inputs)


def test_commit_takes_text_as_strictly():
    with pytest.raises(SeedTextError) as caught:
        Seeds.commit(SERVER.upper(), "lucky")
    assert [slip.code for slip in caught.value.slips] == ["upper_case"]
    with pytest.raises(SeedTextError):
        Seeds.commit(SERVER, "")
    with pytest.raises(DecksError):
        Seeds.commit(SERVER, "lucky", 9)


@pytest.mark.parametrize("name", ["pfb2", "PFB1", "", None, 7, "pfb1-sho"])
def test_schemes_nobody_knows(name):
    for make in (lambda: Seeds(SERVER, "lucky", COMMITMENT, scheme=name), lambda: Seeds.commit(SERVER, "x", scheme=name)):
        with pytest.raises(SchemeError) as caught:
            make()
        assert (caught.value.hint is not None) is (name in ("pfb2", "pfb1-sho"))


def test_schemes_have_their_names():
    assert {name: scheme.name for name, scheme in SCHEMES.items()} == {
        name: name for name in ("pfb1", "pfb1-chain", "pfb1-shoe", "stake", "bcgame-single", "bcgame-table")
    }
    assert scheme_named("pfb1").label(6) == "pfb1:6"


@given(seeds())
def test_seeds_never_change(pair):
    for name in ("server_seed", "client_seed", "commitment", "decks", "source", "note"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(pair, name, None)
    assert isinstance(BaccaratError("a", "b", "c"), Exception)


@given(seeds(), nonces())
def test_every_way_to_the_cards_is_the_same(pair, nonce):
    """The reference in Python, and whatever faster way has been plugged in."""
    reference = python_coup_source(pair.server_seed, pair.origin.label, pair.client_seed, pair.decks)
    assert pair.source(nonce) == reference(nonce)


def test_our_own_schemes_take_no_seed_of_another_kind():
    with pytest.raises(ServerSeedError):
        PFB1.source(TextServerSeed("text"), ClientSeed("x"), 8)


def test_a_commitment_with_one_other_digit_says_where():
    seeds = Seeds.commit("0b" * 32, "lucky")
    text = str(seeds.commitment)
    for place in (0, 31, 63):
        digit = "1" if text[place] == "0" else "0"
        with pytest.raises(CommitmentMismatchError) as caught:
            Seeds("0b" * 32, "lucky", text[:place] + digit + text[place + 1 :])
        assert [slip.sentence for slip in caught.value.slips] == [f"They differ at digit {place + 1} only."]
    with pytest.raises(CommitmentMismatchError) as caught:
        Seeds("0b" * 32, "lucky", text[::-1])
    assert caught.value.slips == ()
