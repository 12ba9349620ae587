"""What the native kernel must prove whenever it is loaded: that it gives the answers of Python.

A path must give known records, alone and in rows, and hash as `hashlib` does. What reads and counts the columns of a table is held against
the same by the book, over a few rows that touch every limit. Whatever else a wrong kernel does, the right thing is not to use it.
"""

from __future__ import annotations

from array import array
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from ..cards import DECK
from ..fairness.inputs import MAX_NONCE, parse_nonce
from .layout import CARD_INDEX, RECORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._kernel import PreparedSeeds

# Records of these client seeds over these nonces. The messages end on both sides of every block's edge, and change from one block to two
# inside a group of lanes; there are enough coups for every cell of the tableau and for slots that are drawn twice; and with 2 decks and the
# second client seed, four of the coups have a rejected word.
_KEY: Final = bytes(range(32))
_CLIENT_SEEDS: Final = tuple(b"x" * size for size in (1, 16, 35, 41, 44, 46, 55, 56, 119, 128))
_REJECTIONS: Final = (6048109, 6724459, 9011715, 9973143)
_EDGES: Final = sorted({0, MAX_NONCE, *_REJECTIONS} | {10**power - step for power in range(1, 16) for step in (0, 1)})
_NONCES: Final = array("Q", (*range(300), *_EDGES))
KNOWN_ANSWER: Final = "cf882832c8878ad7ac044cdea37a9bb28e43c68a7d421b21208c02d8841b8b45"


def answer_of(prepared_seeds: type[PreparedSeeds], path: str) -> str:
    """The SHA-256 of every record of the known-answer test, and of the coups that the same path derives one at a time."""
    digest = sha256()
    for turn, client_seed in enumerate(_CLIENT_SEEDS):
        decks = 1 + turn % 8
        prepared = _prepared(prepared_seeds, client_seed, decks, path)
        digest.update(_derived(prepared, _NONCES))
        for nonce in _EDGES:
            cut, cards = prepared.coup(nonce)
            digest.update(b"%d %b " % (cut, bytes(map(CARD_INDEX.__getitem__, cards))))
    return digest.hexdigest()


def _prepared(prepared_seeds: type[PreparedSeeds], client_seed: bytes, decks: int, path: str) -> PreparedSeeds:
    return prepared_seeds(_KEY, b"pfb1:%d:%b:" % (decks, client_seed), decks, DECK, parse_nonce, path)


def _derived(prepared: PreparedSeeds, nonces: array[int]) -> bytes:
    records = memoryview(bytearray(RECORD.size * len(nonces)))
    prepared.derive(memoryview(nonces), records, 1)
    return bytes(records)


def fault_of_path(extension: Any, path: str) -> str | None:
    """What is wrong with a path, or None."""
    checks: dict[str, Callable[[], bool]] = {
        "PreparedSeeds": lambda: answer_of(extension.PreparedSeeds, path) == KNOWN_ANSWER,
        "derive_rows": lambda: _derives_rows(extension, path),
        "hash_rows": lambda: _hashes_rows(extension, path),
    }
    return _first_fault(checks)


def fault_of_columns(extension: Any) -> str | None:
    """What is wrong with the functions that read and count columns on every path alike, or None."""
    checks = {
        "read_cards": lambda: _reads_cards(extension),
        "add_amounts": lambda: _adds_amounts(extension),
        "sum_lines": lambda: _sums_lines(extension),
        "count_coups": lambda: _counts_coups(extension),
    }
    return _first_fault(checks)


def _first_fault(checks: dict[str, Callable[[], bool]]) -> str | None:
    for name, is_right in checks.items():
        try:
            if not is_right():
                return f"{name} gives wrong answers"
        except Exception as error:  # noqa: BLE001 (whatever it is, the kernel is wrong)
            return f"{name} fails: {error!r}"
    return None


def _derives_rows(extension: Any, path: str) -> bool:
    """Rows of two client seeds and decks, alone and as neighbours, and one without a server seed."""
    few = (*_CLIENT_SEEDS[:1], *_CLIENT_SEEDS[-1:])
    nonces = array("Q", _EDGES[:9])
    client_of_row = array("i", [0, 1, 0, 0, 0, 0, 0, 1, 0])
    key_of_row = array("i", [0] * 8 + [-1])
    games = bytes(1 + client for client in client_of_row)
    offsets = array("i", [0, len(few[0]), len(few[0]) + len(few[1])])
    records = bytearray(RECORD.size * len(nonces))
    extension.derive_rows(_KEY, key_of_row, games, b"".join(few), offsets, client_of_row, nonces, records, path)
    of_clients = [_derived(_prepared(extension.PreparedSeeds, seed, 1 + client, path), nonces) for client, seed in enumerate(few)]
    expected = [of_clients[client][RECORD.size * row : RECORD.size * (row + 1)] for row, client in enumerate(client_of_row)]
    return records == b"".join([*expected[:8], bytes(RECORD.size)])


def _hashes_rows(extension: Any, path: str) -> bool:
    """Messages of one block, of two, and of a whole block and its padding."""
    for width in (32, 55, 56, 64, 119):
        rows = bytes(range(2 * width))
        digests = bytearray(64)
        extension.hash_rows(rows, width, digests, path)
        if digests != sha256(rows[:width]).digest() + sha256(rows[width:]).digest():
            return False
    return True


def _reads_cards(extension: Any) -> bool:
    """Every card, and what is none: another letter, half a card, one too many."""
    deck = [str(card) for card in DECK]
    texts = {"".join(deck[place : place + 6]): [*range(place, min(place + 6, len(deck)))] for place in range(0, len(deck), 6)}
    wrong = {"AsXh": [0], "ash": [], "A": [], "AhAx3s": [13, _NONE, 2], "".join(deck[:7]): []}
    offsets, expected = array("i", [0]), bytearray()
    for text, cards in (texts | wrong).items():
        offsets.append(offsets[-1] + len(text))
        expected += bytes([*cards, *[_NONE] * (6 - len(cards))])
    read, used = bytearray(len(expected)), bytearray(len(texts | wrong))
    extension.read_cards("".join(texts | wrong).encode(), offsets, 6, read, used)
    return read == expected and used == bytes([*map(len, texts.values()), *bytes(len(wrong))])


_NONE: Final = 255  # what stands where there is no card


def _adds_amounts(extension: Any) -> bool:
    """Amounts of the first row and the last one, up to the largest sum; and the next larger one is refused."""
    sums = array("q", [0, 0, 0])
    extension.add_amounts(array("i", [0, 0, 2, 2]), array("q", [1, 2, 3, 2**63 - 4]), sums)
    return sums.tolist() == [3, 0, 2**63 - 1] and _refuses(extension.add_amounts, array("i", [2]), array("q", [1]), sums)


def _sums_lines(extension: Any) -> bool:
    """Sums that carry into their second word; a stake above 2^52 is refused."""
    stakes, returns = [2**52, 1, 2**52, 2**32 - 1, 7], [2**63 - 1, 0, 2**63 - 1, 2**63 - 1, 3]
    codes = [1, 0, 1, 1, 0]
    sums = array("Q", bytes(9 * 8 * 2))
    extension.sum_lines(array("q", codes), array("q", stakes), array("q", returns), sums)
    expected: list[int] = []
    for code in range(2):
        lines = [(stake, back) for of, stake, back in zip(codes, stakes, returns, strict=True) if of == code]
        totals = sum(stake for stake, _ in lines), sum(stake * stake for stake, _ in lines), sum(back for _, back in lines)
        expected += [len(lines), sum(back > 0 for _, back in lines), max(stake for stake, _ in lines)]
        expected += [word for total in totals for word in (total % 2**64, total >> 64)]
    one = array("q", [1])
    return sums.tolist() == expected and _refuses(extension.sum_lines, array("q", [0]), array("q", [2**52 + 1]), one, sums)


def _counts_coups(extension: Any) -> bool:
    """Coups of 4, 5 and 6 cards, one of which is not chosen; a score of 10 is refused."""
    cards = [bytes(coup) for coup in ((0, 14, 28, 42, 255, 255), (8, 8, 51, 13, 6, 255), (12, 25, 38, 51, 9, 5), (1, 1, 1, 1, 1, 1))]
    player, banker, used, cuts, chosen = (4, 3, 9, 0), (5, 9, 6, 0), (4, 5, 6, 4), (0, 415, 65535, 7), (1, 1, 1, 0)
    counts, expected = (bytearray(8 * (300 + 6 * 256 + 65536 + 1000)) for _ in range(2))
    columns = b"".join(cards), bytes(player), bytes(banker), bytes(used), array("H", cuts)
    extension.count_coups(*columns, bytes(chosen), counts)
    told = memoryview(expected).cast("Q")
    for row in range(3):
        points = [DECK[card].points if card < len(DECK) else 0 for card in cards[row]]
        situation = (points[0] + points[2]) % 10 * 100 + (points[1] + points[3]) % 10 * 10 + points[4]
        places = [(player[row] * 10 + banker[row]) * 3 + used[row] - 4, 1836 + cuts[row], 1836 + 65536 + situation]
        for place in (*places, *(300 + 256 * position + card for position, card in enumerate(cards[row]))):
            told[place] += 1
    ten = b"\x0a\0\0\0"
    return counts == expected and _refuses(extension.count_coups, columns[0], ten, *columns[2:], bytes(chosen), counts)


def _refuses(function: Callable[..., object], *columns: object) -> bool:
    try:
        function(*columns)
    except ValueError:
        return True
    return False
