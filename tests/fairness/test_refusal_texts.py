"""What refusals of seeds, numbers, schemes and cards say: the whole text and the slips, so that nothing in them changes unseen."""

from __future__ import annotations

import traceback
from hashlib import sha256

import pytest

from provably_fair_baccarat import Card, Chain, ClientSeed, Commitment, Rank, SeedChain, Seeds, ServerSeed, Suit, commit, play_round
from provably_fair_baccarat.errors import BaccaratError
from provably_fair_baccarat.fairness.chain import Link
from provably_fair_baccarat.fairness.hex_form import mend_hex
from provably_fair_baccarat.fairness.inputs import parse_decks, parse_nonce
from provably_fair_baccarat.fairness.schemes import SCHEMES, scheme_named
from provably_fair_baccarat.fairness.schemes.pfb1 import Pfb1, python_coup_source
from provably_fair_baccarat.fairness.seeds import MAX_TEXT_SEED_BYTES, TextServerSeed

HEX = "0b" * 32
CHAIN = SeedChain(ServerSeed.parse(HEX), 3)
COMM = str(commit(ServerSeed.parse(HEX)))

REFUSALS = {
    "card spelling": (
        lambda: Card.parse("10h"),
        ["card_spelling"],
        "card: expected a rank of A23456789TJQK and a suit of shdc, like Kh, found '10h'. Its text would be 'Th'.",
    ),
    "card of text": (lambda: Card("A", Suit.SPADES), [], "card: expected a Rank and a Suit, found 'A' and Suit <Suit.SPADES: 's'>."),
    "card of text suit": (lambda: Card(Rank.ACE, "s"), [], "card: expected a Rank and a Suit, found Rank <Rank.ACE: 'A'> and 's'."),
    "anchor": (lambda: Chain("x", 1), [], "anchor: expected 64 lower-case hex digits, found 1 character (1 other characters)."),
    "link of another nonce": (
        lambda: Link(CHAIN.chain, 1, CHAIN.link(0).server_seed),
        ["nonce"],
        "link of the seed chain: expected one that leads to the anchor in 2 hashes, found another one. It is the link of nonce 0.",
    ),
    "proved link of another nonce": (
        lambda: play_round(Seeds(CHAIN.link(0), "x", CHAIN.commitment, chain=CHAIN.chain), 1),
        ["nonce"],
        "link of the seed chain: expected that of nonce 1, found another one. It is the link of nonce 0.",
    ),
    "empty": (lambda: ServerSeed.parse(""), [], "server seed: expected 64 lower-case hex digits, found an empty text."),
    "one character": (
        lambda: ServerSeed.parse("b"),
        [],
        "server seed: expected 64 lower-case hex digits, found 1 character (1 lower-case hex digits).",
    ),
    "mixed": (
        lambda: ServerSeed.parse("0bAB -z"),
        [],
        "server seed: expected 64 lower-case hex digits, found 7 characters (2 lower-case hex digits, 2 upper-case hex digits, 1 white space, 2 other characters).",
    ),
    "bytes": (lambda: ServerSeed(b"x"), [], "server seed: expected 32 bytes, found 1 bytes."),
    "text for bytes": (
        lambda: ServerSeed("x"),
        ["text_for_bytes"],
        "server seed: expected 32 bytes, found 1 character (1 other characters). ServerSeed.parse reads the text form.",
    ),
    "commitment text for bytes": (
        lambda: Commitment("x"),
        ["text_for_bytes"],
        "commitment: expected 32 bytes, found 1 character (1 other characters). Commitment.parse reads the text form.",
    ),
    "commitment": (
        lambda: Commitment.parse("0b"),
        [],
        "commitment: expected 64 lower-case hex digits, found 2 characters (2 lower-case hex digits).",
    ),
    "nothing": (lambda: ServerSeed.parse(None), [], "server seed: expected 64 lower-case hex digits, found a value of type NoneType."),
    "unmendable": (
        lambda: ServerSeed.parse(" zz "),
        [],
        "server seed: expected 64 lower-case hex digits, found 4 characters (2 white space, 2 other characters).",
    ),
    "letters around": (
        lambda: ServerSeed.parse(f"X{HEX}X"),
        [],
        "server seed: expected 64 lower-case hex digits, found 66 characters (64 lower-case hex digits, 2 other characters).",
    ),
    "backticks": (
        lambda: ServerSeed.parse(f"`{HEX}`"),
        ["quotes"],
        "server seed: expected 64 lower-case hex digits, found 66 characters (64 lower-case hex digits, 2 other characters). Remove the quotes around it.",
    ),
    "upper prefix": (
        lambda: ServerSeed.parse(f"0X{HEX}"),
        ["prefix"],
        "server seed: expected 64 lower-case hex digits, found 66 characters (65 lower-case hex digits, 1 other characters). Remove the 0x in front of it.",
    ),
    "nonce text": (
        lambda: parse_nonce("3"),
        ["number_as_text"],
        "nonce: expected a whole number from 0 to 2^53 - 1, found '3'. It is text: pass the number 3.",
    ),
    "nonce long": (
        lambda: parse_nonce("1" * 16),
        ["number_as_text"],
        "nonce: expected a whole number from 0 to 2^53 - 1, found '1111111111111111'. It is text: pass the number 1111111111111111.",
    ),
    "nonce too long": (lambda: parse_nonce("1" * 17), [], "nonce: expected a whole number from 0 to 2^53 - 1, found '11111111111111111'."),
    "nonce arabic": (lambda: parse_nonce("\u0663"), [], "nonce: expected a whole number from 0 to 2^53 - 1, found '٣'."),
    "nonce word": (lambda: parse_nonce("x"), [], "nonce: expected a whole number from 0 to 2^53 - 1, found 'x'."),
    "nonce seed": (
        lambda: parse_nonce(HEX),
        [],
        "nonce: expected a whole number from 0 to 2^53 - 1, found 64 characters (64 lower-case hex digits).",
    ),
    "decks float": (lambda: parse_decks(8.0), [], "decks: expected a whole number from 1 to 8, found float 8.0."),
    "scheme list": (
        lambda: scheme_named([]),
        [],
        "scheme: expected one of pfb1, pfb1-chain, pfb1-shoe, stake, bcgame-single, bcgame-table, found list [].",
    ),
    "stake decks None": (
        lambda: SCHEMES["stake"].read_decks(None),
        ["decks_of_scheme"],
        "decks: expected an infinite deck, found None. The scheme stake has a shoe of its own: leave the decks out.",
    ),
    "stake decks": (
        lambda: SCHEMES["stake"].read_decks(3),
        ["decks_of_scheme"],
        "decks: expected an infinite deck, found 3. The scheme stake has a shoe of its own: leave the decks out.",
    ),
    "bc decks": (
        lambda: SCHEMES["bcgame-single"].read_decks(3),
        ["decks_of_scheme"],
        "decks: expected 2, found 3. The scheme bcgame-single has a shoe of its own: leave the decks out.",
    ),
    "no chain": (
        lambda: Seeds(HEX, "x", COMM, scheme="pfb1-chain"),
        ["chain"],
        "scheme pfb1-chain: expected a chain with it, found none. Pass chain=Chain(anchor, length); SeedChain makes a chain, its links and its commitment.",
    ),
    "commit text": (
        lambda: commit(HEX),
        ["text_for_value"],
        "server seed: expected a ServerSeed, found 64 characters (64 lower-case hex digits). ServerSeed.parse reads the text form.",
    ),
    "mark text": (
        lambda: ClientSeed.generate(COMM),
        ["text_for_value"],
        "commitment: expected a Commitment, found 64 characters (64 lower-case hex digits). Commitment.parse reads the text form.",
    ),
    "client seed space": (
        lambda: ClientSeed(" X"),
        ["white_space"],
        "client seed: expected no white space at either end, found U+0020 at place 0. There is white space around it; was the client seed meant without?",
    ),
    "client seed space control": (
        lambda: ClientSeed(" \x00 "),
        [],
        "client seed: expected no control characters or surrogates, found U+0000 at place 1.",
    ),
    "one deck": (
        lambda: Seeds(HEX, "x", commit(ServerSeed.parse(HEX), 1)),
        ["decks"],
        "commitment of the server seed: expected 377e442bdd828c97947b346526b1e39236d1c3558ce25f508743a18ad37df788, found ed9ee963b2dcfeed7e90209cbcaa7c12b5fd5b5b6634d02093b40585e9735614. The commitment is for a shoe of 1 deck.",
    ),
    "two decks": (
        lambda: Seeds(HEX, "x", commit(ServerSeed.parse(HEX), 2)),
        ["decks"],
        "commitment of the server seed: expected c78865d2bb0e090a13ede7f9165939e31e54abd6eed2dcca889cd61371b1eb0b, found ed9ee963b2dcfeed7e90209cbcaa7c12b5fd5b5b6634d02093b40585e9735614. The commitment is for a shoe of 2 decks.",
    ),
    "another scheme's text": (
        lambda: Seeds("server seed", "x", sha256(b"server seed").hexdigest()),
        ["scheme"],
        "server seed: expected 64 lower-case hex digits, found 11 characters (5 lower-case hex digits, 1 white space, 5 other characters). The commitment is that of another scheme, stake.",
    ),
    "upper": (
        lambda: Seeds(HEX.upper(), "x", COMM),
        ["upper_case"],
        "server seed: expected 64 lower-case hex digits, found 64 characters (32 lower-case hex digits, 32 upper-case hex digits). Write its letters in lower case.",
    ),
    "upper commitment": (
        lambda: Seeds(HEX, "x", COMM.upper()),
        ["upper_case"],
        "commitment: expected 64 lower-case hex digits, found 64 characters (38 lower-case hex digits, 26 upper-case hex digits). In the commitment: Write its letters in lower case.",
    ),
    "upper stake": (
        lambda: Seeds(HEX.upper(), "x", "0" * 64, scheme="stake"),
        [],
        "commitment of the server seed: expected 0000000000000000000000000000000000000000000000000000000000000000, found 724181ef921b90e3454a7a198e7fa0c5db71bcf5fbf8a38d6b9a5fe6cc36d83d.",
    ),
}


@pytest.mark.parametrize(("call", "slips", "text"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_says(call, slips, text):
    with pytest.raises(BaccaratError) as caught:
        call()
    assert str(caught.value) == text
    assert [slip.code for slip in caught.value.slips] == slips


def test_values_that_were_refused_can_be_shown():
    assert [repr(object.__new__(kind)) for kind in (Seeds, Commitment, ClientSeed)] == [
        "Seeds(<refused>)",
        "Commitment(<refused>)",
        "ClientSeed(<refused>)",
    ]


def test_secrets_are_shown_without_themselves():
    assert repr(CHAIN) == f"SeedChain(<secret>, Chain(anchor='{CHAIN.chain.anchor}', length=3))"
    seeds = Seeds(HEX, "x", COMM)
    assert repr(seeds) == f"Seeds(ServerSeed(<secret>), ClientSeed('x'), Commitment.parse('{COMM}'), 8, scheme='pfb1')"


def long_text_seed(secret):
    TextServerSeed(secret * 9)


def test_a_refused_server_seed_is_in_no_traceback():
    for call in (commit, SCHEMES["bcgame-table"].read_server_seed, ServerSeed, ServerSeed.parse, Commitment.parse, long_text_seed):
        secret = f"{HEX}Z"
        with pytest.raises(BaccaratError) as caught:
            call(secret)
        frames = traceback.StackSummary.extract(traceback.walk_tb(caught.value.__traceback__), capture_locals=True)
        assert all(
            HEX not in told for frame in frames if "provably_fair_baccarat/" in frame.filename for told in (frame.locals or {}).values()
        )


def test_a_text_seed_has_256_bytes_at_most():
    assert TextServerSeed("x" * MAX_TEXT_SEED_BYTES).reveal() == "x" * 256
    with pytest.raises(BaccaratError):
        TextServerSeed("x" * 257)


def test_what_cannot_be_mended_is_not():
    assert mend_hex(" zz ") is None
    assert mend_hex(f" {HEX} ") == HEX


def test_a_chain_knows_its_decks():
    assert [SeedChain(ServerSeed.parse(HEX), 2, decks).decks for decks in (1, 8)] == [1, 8]


def test_a_scheme_of_ones_own_may_deal_from_chains():
    class OwnChain(Pfb1):
        def source(self, server_seed, client_seed, decks):
            return python_coup_source(server_seed, self.label(decks), client_seed, decks)

    own = OwnChain("own-chain", deals_from_chains=True)
    link = CHAIN.link(0).server_seed
    assert Seeds(link, "x", CHAIN.commitment, scheme=own, chain=CHAIN.chain).scheme == "own-chain"
    assert Seeds(link, "x", CHAIN.commitment, chain=CHAIN.chain).scheme == "pfb1-chain"


def test_a_coup_is_derived_the_short_way_where_it_can_be(monkeypatch):
    """The two ways give the same, so only their use tells them apart."""
    from provably_fair_baccarat.fairness.schemes import pfb1

    asked = []
    exact = pfb1.cut_and_draw
    monkeypatch.setattr(pfb1, "cut_and_draw", lambda *given: asked.append(given) or exact(*given))
    source = pfb1.python_coup_source(ServerSeed.parse(HEX), "pfb1:8", ClientSeed("x"), 8)
    for nonce in range(200):
        source(nonce)
    assert 0 < len(asked) < 40


def test_slips_of_server_seed_and_commitment_are_both_told():
    with pytest.raises(BaccaratError) as caught:
        Seeds(HEX.upper(), "x", COMM.upper())
    assert [slip.sentence for slip in caught.value.slips] == [
        "Write its letters in lower case.",
        "In the commitment: Write its letters in lower case.",
    ]
