"""A coup as 12 bytes: how it is packed, and how it is read."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ..cards import DECK
from ..errors import KernelError
from ..rules.coup import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cards import Card

RECORD: Final = Struct("<H6BBBBB")
"""How a record is packed: cut, six cards, winner, player's score, banker's score, flags."""

RECORD_DTYPE: Final = [
    ("cut", "<u2"),
    ("cards", "u1", (6,)),
    ("winner", "u1"),
    ("player_score", "u1"),
    ("banker_score", "u1"),
    ("flags", "u1"),
]
"""What `numpy.frombuffer(records, RECORD_DTYPE)` takes to read records."""

PLAYER_DREW: Final = 1
BANKER_DREW: Final = 2
NATURAL: Final = 4

CARD_INDEX: Final = {card: index for index, card in enumerate(DECK)}
WINNERS: Final = tuple(Outcome)


class DerivedCoup(NamedTuple):
    """A record, read."""

    cut: int
    cards: tuple[Card, ...]
    winner: Outcome
    player_score: int
    banker_score: int
    cards_used: int
    natural: bool


def read_records(records: bytes | bytearray | memoryview) -> Iterator[DerivedCoup]:
    """Read records one by one."""
    rows = cast("Iterator[tuple[int, ...]]", RECORD.iter_unpack(records))
    for cut, c1, c2, c3, c4, c5, c6, winner, player, banker, flags in rows:
        cards = (DECK[c1], DECK[c2], DECK[c3], DECK[c4], DECK[c5], DECK[c6])
        used = 4 + (flags & PLAYER_DREW) + (flags & BANKER_DREW) // BANKER_DREW
        yield DerivedCoup(cut, cards, WINNERS[winner], player, banker, used, bool(flags & NATURAL))


def room_for(count: int, out: Any) -> memoryview:
    """The part of a buffer that so many records will fill; a new one for None. Raises KernelError where there is no room."""
    size = RECORD.size * count
    expected = f"a writable buffer of {size} bytes"
    if out is None:
        return memoryview(bytearray(size))
    try:
        view = memoryview(out).cast("B")
    except TypeError:
        raise KernelError("out", expected, type(out).__name__) from None
    if view.readonly or len(view) < size:
        raise KernelError("out", expected, f"{len(view)} bytes, {'read-only' if view.readonly else 'writable'}")
    return view[:size]
