"""The pfb1 derivation for many coups at once: the native kernel where it was built and proves itself, else the same in Python.

`derive` writes a record of 12 bytes for each coup, `count` only counts who won and `tally` how coups ended; these take a range or an array of
nonces of one seed pair, and `derive_rows` takes rows of many. The Python path runs the functions of `fairness` and `rules`: it is the
reference, and the native paths must equal it to the last bit. Which of them runs changes nothing but the time it takes; `kernel_info()` tells.

A record, little-endian and without padding, so that numpy reads many of them as `RECORD_DTYPE`:

    bytes 0-1    cut, 0 to 52 x decks - 1
    bytes 2-7    the cards of positions 1 to 6, each 0 to 51: its place in `DECK`
    byte 8       winner: 0 player, 1 banker, 2 tie
    byte 9       the player's score
    byte 10      the banker's score
    byte 11      flags: 1 the player drew a third card, 2 the banker did, 4 a natural
"""

from __future__ import annotations

from .deriving import MAX_THREADS, Counts, count, derive, prepare, tally
from .layout import BANKER_DREW, NATURAL, PLAYER_DREW, RECORD, RECORD_DTYPE, DerivedCoup, read_records
from .paths import PYTHON, KernelInfo, coup_source, kernel_info, native_columns
from .rows import FROM_CHAIN, Rows, derive_rows

__all__ = [
    "BANKER_DREW",
    "FROM_CHAIN",
    "MAX_THREADS",
    "NATURAL",
    "PLAYER_DREW",
    "PYTHON",
    "RECORD",
    "RECORD_DTYPE",
    "Counts",
    "DerivedCoup",
    "KernelInfo",
    "Rows",
    "count",
    "coup_source",
    "derive",
    "derive_rows",
    "kernel_info",
    "native_columns",
    "prepare",
    "read_records",
    "tally",
]
