"""Server seed, client seed and commitment: what each is, and the slips of those who copy them."""

from __future__ import annotations

import contextlib
import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provably_fair_baccarat import ClientSeed, Commitment, ServerSeed
from provably_fair_baccarat.errors import ClientSeedError, CommitmentError, DecksError, NonceError, ServerSeedError
from provably_fair_baccarat.fairness.inputs import parse_decks, parse_nonce
from provably_fair_baccarat.testing import client_seeds, commitments, server_seeds

HEX = "9f3c1a2b4d5e6f70" * 4
EDGES = [0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF]
CONTROLS = [*range(0x20), *range(0x7F, 0xA0), 0xD800, 0xDBFF, 0xDC00, 0xDFFF]


@given(server_seeds())
def test_server_seeds_go_to_text_and_back(seed):
    assert ServerSeed.parse(seed.reveal()) == seed
    assert ServerSeed(seed.reveal_bytes()) == seed
    assert hash(ServerSeed.parse(seed.reveal())) == hash(seed)
    assert copy.copy(seed) is copy.deepcopy(seed) is seed


@given(commitments())
def test_commitments_go_to_text_and_back(commitment):
    assert Commitment.parse(str(commitment)) == commitment == eval(repr(commitment))
    assert pickle.loads(pickle.dumps(commitment)) == commitment
    assert len({commitment, Commitment(commitment.digest)}) == 1


def test_a_seed_is_never_a_commitment():
    assert ServerSeed.parse(HEX) != Commitment.parse(HEX)
    assert Commitment.parse(HEX) != ServerSeed.parse(HEX)
    assert ClientSeed(HEX) not in (HEX, ServerSeed.parse(HEX), Commitment.parse(HEX))
    assert ServerSeed.parse(HEX) != ServerSeed.parse(HEX[::-1])


@pytest.mark.parametrize("kind", [ServerSeed, Commitment])
@pytest.mark.parametrize(
    ("text", "slips"),
    [
        (HEX.upper(), ["upper_case"]),
        (f" {HEX}", ["white_space"]),
        (f"{HEX}\n", ["white_space"]),
        (f"0x{HEX}", ["prefix"]),
        (f'"{HEX}"', ["quotes"]),
        (f"{HEX[:32]} {HEX[32:]}", ["white_space_inside"]),
        (f"\t0x{HEX.upper()} ", ["white_space", "prefix", "upper_case"]),
        (HEX[:-1], ["digits"]),
        (HEX + "0", ["digits"]),
        (HEX[:-2], []),
        (HEX[:-1].upper(), []),
        ("A" * 43, ["base64"]),
        ("-_+/" * 10 + "abc=", ["base64"]),
        ("A" * 42 + "==", []),
        ("", []),
        ("g" * 64, []),
        ("\u0661" * 64, []),
        (HEX.encode(), []),
        (None, []),
        (7, []),
    ],
)
def test_one_spelling_and_every_slip_is_named(kind, text, slips):
    with pytest.raises((ServerSeedError, CommitmentError)) as caught:
        kind.parse(text)
    assert [slip.code for slip in caught.value.slips] == slips
    assert HEX.lower() not in str(caught.value).lower().replace(" ", "")


@pytest.mark.parametrize(("kind", "error"), [(ServerSeed, ServerSeedError), (Commitment, CommitmentError)])
@pytest.mark.parametrize("value", [b"", bytes(31), bytes(33), bytearray(32), HEX, None, 32])
def test_they_are_made_of_32_bytes(kind, error, value):
    with pytest.raises(error) as caught:
        kind(value)
    assert (caught.value.hint is not None) is (value == HEX)


def test_entropy_is_asked_for_as_an_argument():
    seed = ServerSeed.generate(lambda size: b"e" * size)
    assert seed == ServerSeed(b"e" * 32)
    commitment = Commitment.parse("3e2d8157faae5379" + "0" * 48)
    assert str(ClientSeed.generate(commitment, bytes)) == "0000000000000000-3e2d8157faae5379"
    assert ServerSeed.generate() != ServerSeed.generate()
    assert ClientSeed.generate(commitment) != ClientSeed.generate(commitment)


def test_a_source_that_gives_too_little_makes_no_seed():
    with pytest.raises(ServerSeedError):
        ServerSeed.generate(lambda size: b"e")


@given(commitments(), commitments())
def test_the_mark_tells_the_commitment(commitment, other):
    seed = ClientSeed.generate(commitment)
    assert seed.marks(commitment)
    assert seed.marks(other) is (str(other)[:16] == str(commitment)[:16])
    assert ClientSeed(f"my own words-{str(commitment)[:16]}").marks(commitment)
    assert not ClientSeed(str(commitment)[:16]).marks(commitment)
    assert not ClientSeed(f"{seed}.").marks(commitment)


@pytest.mark.parametrize("commitment", ["3e2d8157faae5379" * 4, None, ServerSeed(bytes(32)), bytes(32)])
def test_a_mark_is_made_of_a_commitment(commitment):
    for call in (ClientSeed.generate, ClientSeed("x").marks):
        with pytest.raises(CommitmentError) as caught:
            call(commitment)
        assert (caught.value.hint is not None) is isinstance(commitment, str)


@given(client_seeds())
def test_client_seeds_are_their_exact_bytes(seed):
    assert seed.utf8 == str(seed).encode() == seed.text.encode()
    assert ClientSeed(seed.text) == seed == pickle.loads(pickle.dumps(seed)) == eval(repr(seed))
    assert len({seed, ClientSeed(seed.text)}) == 1


@pytest.mark.parametrize("point", CONTROLS)
def test_control_characters_and_surrogates_are_refused_anywhere(point):
    for text in (f"a{chr(point)}b", f"{chr(point)}b", f"a{chr(point)}"):
        with pytest.raises(ClientSeedError) as caught:
            ClientSeed(text)
        assert f"U+{point:04X}" in caught.value.found


@pytest.mark.parametrize("point", EDGES)
def test_white_space_is_refused_at_the_ends_alone(point):
    for text in (f"{chr(point)}ab", f"ab{chr(point)}", chr(point)):
        with pytest.raises(ClientSeedError) as caught:
            ClientSeed(text)
        assert f"U+{point:04X}" in caught.value.found
    assert ClientSeed(f"a{chr(point)}b").text == f"a{chr(point)}b"


@pytest.mark.parametrize("text", ["\u200ba\u200b", "\u180ea", "\u0085"[:0] + "a", "a:1:2", "🂡🂮", "İstanbul", "\u2060a", "\U0001f0a1"])
def test_the_list_of_the_protocol_is_the_rule_and_not_a_unicode_version(text):
    assert ClientSeed(text).text == text


def test_exactly_the_listed_code_points_are_refused():
    """Every code point of Unicode, alone: refused where the protocol's list has it, and nowhere else."""
    listed = {*EDGES, *range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)}
    refused = set()
    for point in range(0x110000):
        try:
            ClientSeed(chr(point))
        except ClientSeedError:
            refused.add(point)
    assert refused == listed


@pytest.mark.parametrize(("text", "fits"), [("x" * 128, True), ("x" * 129, False), ("é" * 64, True), ("é" * 65, False), ("", False)])
def test_client_seeds_have_1_to_128_bytes(text, fits):
    if fits:
        assert len(ClientSeed(text).utf8) == 128
    else:
        with pytest.raises(ClientSeedError, match="1 to 128 bytes"):
            ClientSeed(text)


@pytest.mark.parametrize("value", [None, b"x", 7, ["x"]])
def test_client_seeds_are_text(value):
    with pytest.raises(ClientSeedError):
        ClientSeed(value)


def test_a_trimmed_client_seed_is_offered_and_not_taken():
    with pytest.raises(ClientSeedError) as caught:
        ClientSeed(" lucky\n")
    assert "white space around it" in caught.value.hint


@given(st.text())
def test_no_foreign_error_escapes(text):
    for make in (ClientSeed, ServerSeed.parse, Commitment.parse):
        with contextlib.suppress(ClientSeedError, ServerSeedError, CommitmentError):
            make(text)


@pytest.mark.parametrize("value", [ServerSeed(bytes(32)), Commitment(bytes(32)), ClientSeed("x")])
def test_seeds_never_change(value):
    for name in ("text", "digest", "_key", "note"):
        with pytest.raises(AttributeError, match="never changes"):
            setattr(value, name, "x")
        with pytest.raises(AttributeError, match="never changes"):
            delattr(value, name)


@pytest.mark.parametrize(("parse", "error", "last"), [(parse_nonce, NonceError, 2**53 - 1), (parse_decks, DecksError, 8)])
def test_whole_numbers(parse, error, last):
    first = 0 if last > 8 else 1
    assert (parse(first), parse(last)) == (first, last)
    for value in (first - 1, last + 1, True, 1.0, "1", None, [1], 10**50):
        with pytest.raises(error) as caught:
            parse(value)
        assert (caught.value.hint == "It is text: pass the number 1.") is (value == "1")
