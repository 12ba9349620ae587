"""The shoe: its factory order, the cut, and cards drawn from it without replacement (protocol step 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from ..cards import DECK, Card
from .inputs import MAX_DECKS
from .stream import draw, unpack_words

if TYPE_CHECKING:
    from .stream import Words

POSITIONS: Final = 6
"""How many cards are derived for a coup, whether it needs them or not."""

CutAndCards: TypeAlias = tuple[int, tuple[Card, ...]]
"""What a derivation gives: the slot at which the shoe is cut, and the cards in the order they are drawn."""

_CUT_SHOES: Final = tuple((DECK[cut:] + DECK[:cut]) * MAX_DECKS for cut in range(len(DECK)))
"""The shoe after the cut: its slot s holds card (cut + s) mod N of the factory order, and as N is a multiple of 52 that is
`_CUT_SHOES[cut % 52][s]` for any number of decks."""


def cut_and_draw(words: Words, decks: int, count: int = POSITIONS) -> CutAndCards:
    """Cut a shoe of so many decks and draw `count` cards from it, each unbiased and without replacement.

    A forward Fisher-Yates shuffle, stopped after `count` cards; only the slots that it touches are held.
    """
    size = 52 * decks
    cut = draw(words, size)
    shoe = _CUT_SHOES[cut % 52]
    slots: dict[int, int] = {}
    cards: list[Card] = []
    for k in range(count):
        j = k + draw(words, size - k) if k < size - 1 else k
        drawn = slots.get(j, j)
        slots[j] = slots.get(k, k)
        cards.append(shoe[drawn])
    return cut, tuple(cards)


def six_from_block(block: bytes, decks: int) -> CutAndCards | None:
    """The cut and six cards of a coup from the bytes of block 0, or None where only the exact way will do.

    It is `cut_and_draw` without its loop, for the 96 of 100 coups where no word can be rejected (a rejected word begins with the bytes
    FF FF, since N is far below 2^16) and no slot is drawn twice, so that every card still lies where the cut put it.
    """
    if b"\xff\xff" in block:
        return None
    size = 52 * decks
    w0, w1, w2, w3, w4, w5, w6, _ = unpack_words(block)
    a = w1 % size
    b = 1 + w2 % (size - 1)
    c = 2 + w3 % (size - 2)
    d = 3 + w4 % (size - 3)
    e = 4 + w5 % (size - 4)
    f = 5 + w6 % (size - 5)
    if len({a, b, c, d, e, f}) < POSITIONS:
        return None
    cut = w0 % size
    shoe = _CUT_SHOES[cut % 52]
    return cut, (shoe[a], shoe[b], shoe[c], shoe[d], shoe[e], shoe[f])
