"""The stream for laboratories: what HMAC-SHA-256 gives, drawn from as the protocol says, by every path."""

from __future__ import annotations

import hmac
from hashlib import sha256
from itertools import islice
from struct import Struct, unpack

import pytest

from provably_fair_baccarat import Seeds, kernel
from provably_fair_baccarat.cards import DECK
from provably_fair_baccarat.errors import BaccaratError, DecksError, DrawError, KernelError, LaboratoryError, NonceError
from provably_fair_baccarat.laboratory import FORMS, draws, scale, seed_pairs, stream, streams, words

KEY = bytes(range(32))
PATHS = kernel.kernel_info().paths
SERVER_SEED = bytes(range(32)).hex()


@pytest.fixture
def seeds():
    return Seeds.commit(SERVER_SEED, "lucky 8s", 6)


def block(nonce, i=0):
    """block(i) of protocol step 3, by the standard library."""
    return hmac.new(bytes.fromhex(SERVER_SEED), f"pfb1:6:lucky 8s:{nonce}:{i}".encode(), sha256).digest()


@pytest.mark.parametrize("path", PATHS)
def test_words_are_the_blocks_of_the_coups(path, seeds):
    nonces = range(95, 300)
    assert words(seeds, nonces, path=path) == b"".join(block(nonce) for nonce in nonces)
    assert words(seeds, range(0), path=path) == b""


@pytest.mark.parametrize("path", PATHS)
def test_draws_are_words_mod_the_choices_and_give_the_cards(path, seeds):
    nonces = range(2000)
    given = Struct(">7H").iter_unpack(draws(seeds, nonces, path=path))
    for nonce, drawn, coup in zip(nonces, given, kernel.read_records(kernel.derive(seeds, nonces)), strict=True):
        taken = unpack(">7I", block(nonce)[:28])
        assert drawn == tuple(word % n for word, n in zip(taken, (312, *range(312, 306, -1)), strict=True))
        cut, shoe = drawn[0], list(range(312))
        for k, result in enumerate(drawn[1:]):
            shoe[k], shoe[k + result] = shoe[k + result], shoe[k]
        assert (cut, [DECK[(cut + slot) % 52] for slot in shoe[:6]]) == (coup.cut, list(coup.cards))


@pytest.mark.parametrize("path", PATHS)
def test_draws_with_rejected_words(path, vectors):
    """The rejected word is left out, and the next one taken in its place."""
    rejected = [coup for coup in vectors("rejections")["coups"] if coup["rejected"]]
    for coup in rejected:
        pair = Seeds.commit(coup["server_seed"], coup["client_seed"], coup["decks"])
        nonce, size = coup["nonce"], 52 * coup["decks"]
        (drawn,) = Struct(">7H").iter_unpack(draws(pair, range(nonce, nonce + 1), path=path))
        left = list(unpack(">8I", words(pair, range(nonce, nonce + 1), path=path)))
        plain = tuple(word % n for word, n in zip(left, (size, *range(size, size - 6, -1)), strict=False))
        assert (drawn[0], plain == drawn) == (coup["cut"], False)
    assert rejected


def test_a_coup_that_takes_two_blocks_is_written_by_the_reference(seeds, monkeypatch):
    """So many rejections are not to be found: a kernel that stops now and then must be the same to the caller."""

    class Hesitant:
        def words(self, bounds, out):
            start, stop = bounds
            done = min(stop - start, 5)
            out[: 32 * done] = b"".join(map(block, range(start, start + done)))
            return done

    monkeypatch.setattr(kernel, "prepare", lambda *_: Hesitant())
    assert words(seeds, range(23)) == b"".join(map(block, range(23)))


def test_the_reference_takes_further_blocks_where_words_are_rejected(seeds, monkeypatch):
    def blocks(nonce, i):
        return b"\xff" * 32 if i < nonce else bytes([i]) * 32

    monkeypatch.setattr(streams, "hmac_blocks", lambda *_: blocks)
    assert streams._words_in_python(seeds, range(3)) == bytes(32) + b"\xff" * 32 + b"\1" * 32 + b"\xff" * 64 + b"\2" * 32


@pytest.mark.parametrize("path", PATHS)
def test_cards_are_those_of_the_records(path, seeds):
    nonces = range(70)
    coups = kernel.read_records(kernel.derive(seeds, nonces, path="python"))
    assert FORMS["cards"](seeds, nonces, path=path) == b"".join(bytes(map(DECK.index, coup.cards)) for coup in coups)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("n", [1, 2, 52, 3_000_000_000, 2**31 + 1, 2**32 - 1])
def test_scaled_draws_leave_rejected_words_out(path, n, seeds):
    limit = 2**32 - 2**32 % n
    stream_words = unpack(">2400I", words(seeds, range(300)))
    expected = [word % n for word in stream_words if word < limit]
    drawn = scale(seeds, range(300), n, path=path)
    assert unpack(f">{len(expected)}I", drawn) == tuple(expected)
    assert (len(expected) < 2400) == (2**31 < n < 2**32 - 1)


@pytest.mark.parametrize("path", PATHS)
def test_draws_of_the_whole_range_are_the_words(path, seeds):
    assert scale(seeds, range(50), 2**32, path=path) == words(seeds, range(50))


@pytest.mark.parametrize("form", FORMS)
def test_a_stream_goes_from_pair_to_pair(form):
    pieces = list(stream(form, KEY, rounds=70_000, decks=3, pair_rounds=40_000))
    first, second = islice(seed_pairs(KEY, 3), 2)
    assert b"".join(pieces) == FORMS[form](first, range(40_000)) + FORMS[form](second, range(30_000))
    assert len(pieces) == 3


def test_a_stream_has_no_end():
    endless = stream("words", KEY, pair_rounds=3)
    pairs = seed_pairs(KEY)
    for piece in islice(endless, 5):
        assert piece == words(next(pairs), range(3))


def test_a_stream_with_a_bound():
    (piece,) = stream("draws", KEY, rounds=100, bound=6)
    assert piece == scale(next(seed_pairs(KEY)), range(100), 6)


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (LaboratoryError, {"form": "word"}),
        (LaboratoryError, {"form": None}),
        (LaboratoryError, {"form": "cards", "bound": 5}),
        (LaboratoryError, {"rounds": 0}),
        (LaboratoryError, {"pair_rounds": 0}),
        (LaboratoryError, {"key": bytes(16)}),
        (DecksError, {"decks": 9}),
        (DrawError, {"form": "draws", "bound": 0}),
        (DrawError, {"form": "draws", "bound": 2**32 + 1}),
        (DrawError, {"form": "draws", "bound": 2.0}),
        (KernelError, {"path": "warp"}),
    ],
)
def test_what_cannot_be_streamed_is_refused_at_once(error, options):
    with pytest.raises(error) as refusal:
        stream(**{"form": "words", "key": KEY, **options})
    assert isinstance(refusal.value, BaccaratError)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("nonces", [range(-1, 3), range(2**53 - 1, 2**53 + 1), range(0, 9, 2), range(3, 0, -1), [0], b"12345678", None])
def test_nonces_stand_in_a_row(path, nonces, seeds):
    for form in FORMS.values():
        with pytest.raises(NonceError):
            form(seeds, nonces, path=path)
    with pytest.raises(NonceError):
        scale(seeds, nonces, 5, path=path)


@pytest.mark.parametrize(
    "path", [path for path in PATHS if path != "python"] or [pytest.param("", marks=pytest.mark.skip("no native kernel"))]
)
@pytest.mark.parametrize("n", [1, 3, 6, 52, 416, 2**31 + 1, 2**32 - 1, 2**32])
def test_the_first_rejected_word(path, n, seeds):
    limit = 2**32 - 2**32 % n
    given = b"".join(word.to_bytes(4) for word in (0, limit - 1, limit, limit + 1, 2**32 - 1) if word < 2**32)
    out = bytearray(given)
    drawn = kernel.prepare(seeds, path).scale(out, n, out)
    assert out[: 4 * drawn] == streams._scale_in_python(given, n)
    assert drawn == (2 if limit < 2**32 else 3)
