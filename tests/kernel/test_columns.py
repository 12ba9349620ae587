"""The columns of an audit in C: equal to numpy and Python, and closed to what cannot be."""

from __future__ import annotations

import random
import struct
from array import array
from hashlib import sha256

import pytest

from provably_fair_baccarat import kernel
from provably_fair_baccarat.cards import DECK

native = kernel.native_columns() if kernel.kernel_info().native else None
pytestmark = pytest.mark.skipif(native is None, reason="the native kernel was not built")

TEXTS = ["", "As", "KcTd", "AsKhQd", "AsKhQdJc2s3h", "Ax", "asKh", "AsK", "AsKhQdJc", "1s", "As\xe9d", "AsKhQdJc2s3h4d", "sA"]


def offsets_of(texts):
    offsets = array("i", [0])
    for text in texts:
        offsets.append(offsets[-1] + len(text))
    return offsets


def slow_cards(text, most):
    """Cards by the book: numbers, 255 behind them, and how many they are."""
    places = {str(card).encode(): place for place, card in enumerate(DECK)}
    letters = [text[place : place + 2] for place in range(0, len(text), 2)]
    if len(text) % 2 or len(letters) > most:
        return [255] * most, 0
    cards = [places.get(each, 255) for each in letters]
    return [*cards, *[255] * (most - len(cards))], 0 if 255 in cards else len(cards)


@pytest.mark.parametrize("most", [1, 3, 6])
def test_card_texts(most):
    chance = random.Random(most)
    texts = [text.encode("latin-1") for text in TEXTS]
    texts += [b"".join(str(chance.choice(DECK)).encode() for _ in range(chance.randrange(8))) for _ in range(500)]
    texts += [bytes(chance.choices(b"A23456789TJQKshdc\x00\xff", k=chance.randrange(14))) for _ in range(500)]
    cards, used = bytearray(most * len(texts)), bytearray(len(texts))
    native.read_cards(b"".join(texts), offsets_of(texts), most, cards, used)
    for row, text in enumerate(texts):
        assert (list(cards[most * row : most * (row + 1)]), used[row]) == slow_cards(text, most), text


@pytest.mark.parametrize("offsets", [[0, 2, 5], [-1, 2, 4], [0, 3, 2], [4, 4, 2**31 - 1], [2, 0, 4]])
def test_texts_beyond_their_bytes_are_refused(offsets):
    with pytest.raises(ValueError, match="a column is too short, or holds what cannot be"):
        native.read_cards(b"AsKh", array("i", offsets), 3, bytearray(6), bytearray(2))


@pytest.mark.parametrize(
    ("offsets", "most", "cards", "used"),
    [([0, 2], 3, 6, 2), ([0, 2, 4], 3, 5, 2), ([0, 2, 4], 0, 6, 2), ([0, 2, 4], 7, 14, 2), ([], 3, 0, 0)],
)
def test_card_columns_that_do_not_fit_are_refused(offsets, most, cards, used):
    with pytest.raises(ValueError, match="a column is too short"):
        native.read_cards(b"AsKh", array("i", offsets), most, bytearray(cards), bytearray(used))


def sums_of(codes, stakes, returns, size):
    sums = array("Q", bytes(72 * size))
    native.sum_lines(array("q", codes), array("q", stakes), array("q", returns), sums)
    words = [sums[9 * code : 9 * code + 9].tolist() for code in range(size)]
    return [(*word[:3], *(low + (high << 64) for low, high in zip(word[3::2], word[4::2], strict=True))) for word in words]


def test_lines_are_summed_as_one_by_one():
    chance = random.Random(1)
    codes = [chance.randrange(5) for _ in range(3000)]
    stakes = [chance.choice([0, 1, chance.randrange(1000), 2**32 - 1, 2**32, chance.randrange(2**52), 2**52]) for _ in codes]
    returns = [chance.choice([0, chance.randrange(1000), 2**63 - 1]) for _ in codes]
    expected = []
    for code in range(5):
        lines = [(stake, back) for of, stake, back in zip(codes, stakes, returns, strict=True) if of == code]
        squares = sum(stake * stake for stake, _ in lines)
        sums = sum(stake for stake, _ in lines), squares, sum(back for _, back in lines)
        expected.append((len(lines), sum(back > 0 for _, back in lines), max(stake for stake, _ in lines), *sums))
    assert sums_of(codes, stakes, returns, 5) == expected
    assert max(each[4] for each in expected) > 2**64


@pytest.mark.parametrize(("code", "stake", "back"), [(2, 1, 1), (-1, 1, 1), (2**62, 1, 1), (0, -1, 1), (0, 2**52 + 1, 1), (0, 1, -1)])
def test_lines_that_cannot_be_are_refused(code, stake, back):
    with pytest.raises(ValueError, match="holds what cannot be"):
        sums_of([0, code], [1, stake], [1, back], 2)


def test_columns_of_lines_that_do_not_fit_are_refused():
    one, two = array("q", [0]), array("q", [0, 0])
    for columns in ((two, one, two), (two, two, one)):
        with pytest.raises(ValueError, match="a column is too short"):
            native.sum_lines(*columns, array("Q", bytes(72)))
    with pytest.raises(ValueError, match="a column is too short"):
        native.sum_lines(one, one, one, memoryview(bytearray(80))[1:73])


def counts_of(rows, chosen=None, counts=None):
    """Counts as the kernel has them, of rows (cards, player's score, banker's score, used, cut)."""
    cards = bytes(card for row in rows for card in row[0])
    scores = [bytes(row[place] for row in rows) for place in (1, 2, 3)]
    cuts = b"".join(struct.pack("=H", row[4]) for row in rows)
    counts = array("Q", bytes(8 * (300 + 6 * 256 + 65536 + 1000))) if counts is None else counts
    native.count_coups(cards, *scores, cuts, bytes(len(rows)) if chosen is None else chosen, counts)
    return counts


def test_coups_are_counted_as_one_by_one():
    chance = random.Random(2)
    rows = []
    for _ in range(2000):
        cards = [chance.randrange(52) for _ in range(4)] + [chance.choice([255, chance.randrange(52)]) for _ in range(2)]
        rows.append((cards, chance.randrange(10), chance.randrange(10), chance.randint(4, 6), chance.randrange(2**16)))
    chosen = bytes(chance.randrange(2) for _ in rows)
    counts = counts_of(rows, chosen)
    expected = [0] * len(counts)
    for (cards, player, banker, used, cut), is_chosen in zip(rows, chosen, strict=True):
        if is_chosen:
            points = [DECK[card].points if card < 52 else 0 for card in cards]
            expected[(player * 10 + banker) * 3 + used - 4] += 1
            for position, card in enumerate(cards):
                expected[300 + 256 * position + card] += 1
            expected[300 + 1536 + cut] += 1
            two = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
            expected[300 + 1536 + 65536 + (two[0] * 10 + two[1]) * 10 + points[4]] += 1
    assert counts.tolist() == expected


@pytest.mark.parametrize(("player", "banker", "used"), [(10, 0, 4), (0, 10, 4), (0, 0, 3), (0, 0, 7), (255, 0, 4)])
def test_coups_that_cannot_be_are_refused(player, banker, used):
    row = [[0] * 6, player, banker, used, 0]
    with pytest.raises(ValueError, match="holds what cannot be"):
        counts_of([row], b"\1")
    assert not any(counts_of([row], b"\0"))


def test_columns_of_coups_that_do_not_fit_are_refused():
    row = [[0] * 6, 0, 0, 4, 0]
    whole = [bytes(12), bytes(2), bytes(2), b"\4\4", bytes(4), b"\1\1"]
    for place in range(5):
        columns = [column[:-1] if at == place else column for at, column in enumerate(whole)]
        with pytest.raises(ValueError, match="a column is too short"):
            native.count_coups(*columns, array("Q", bytes(8 * 68372)))
    with pytest.raises(ValueError, match="a column is too short"):
        counts_of([row], b"\1", array("Q", bytes(8 * 68371)))


def test_python_alone_has_no_columns():
    assert kernel.native_columns("python") is None


@pytest.mark.parametrize("width", [1, 32, 55, 56, 63, 64, 71, 119, 120, 200])
def test_rows_are_hashed_as_hashlib_does(width, native_path):
    rows = random.Random(width).randbytes(width * 7)
    digests = bytearray(32 * 7)
    native.hash_rows(rows, width, digests, native_path)
    assert bytes(digests) == b"".join(sha256(rows[width * row : width * (row + 1)]).digest() for row in range(7))


@pytest.mark.parametrize(("size", "width"), [(63, 32), (64, 0), (64, -32)])
def test_rows_that_do_not_fit_are_refused(size, width):
    with pytest.raises(ValueError, match="a column is too short"):
        native.hash_rows(bytes(size), width, bytearray(64), "portable")


def test_rows_are_not_hashed_on_a_path_that_is_not_there():
    with pytest.raises(ValueError, match="no path python here"):
        native.hash_rows(bytes(64), 32, bytearray(64), "python")


def test_amounts_are_added_to_the_sums_of_their_rows():
    sums = array("q", [5, 0, 7])
    native.add_amounts(array("i", [0, 0, 2, 2]), array("q", [1, 2, 3, 2**63 - 11]), sums)
    assert sums.tolist() == [8, 0, 2**63 - 1]


@pytest.mark.parametrize(("row", "amount"), [(2, 0), (-1, 0), (2**31 - 1, 0), (0, -1), (1, 2**63 - 1), (1, 2**63 - 7)])
def test_amounts_that_cannot_be_added_are_refused(row, amount):
    with pytest.raises(ValueError, match="holds what cannot be"):
        native.add_amounts(array("i", [row]), array("q", [amount]), array("q", [0, 7]))


def test_columns_of_amounts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="a column is too short"):
        native.add_amounts(array("i", [0, 0]), array("q", [0]), array("q", [0]))
    with pytest.raises(ValueError, match="a column is too short"):
        native.add_amounts(array("i", [0]), array("q", [0]), memoryview(bytearray(16))[1:9])
