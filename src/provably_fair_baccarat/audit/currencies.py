"""Currencies of rounds as codes, of which a batch has few: nobody makes a tally large by inventing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .columns import as_codes

if TYPE_CHECKING:
    from .dealt import Codes

MOST_CURRENCIES: Final = 256
"""Where a batch has more, none of them is told apart."""

LONGEST: Final = 16
"""How many characters a record's currency has at most."""

OTHER: Final = "(other)"
"""The currency of rounds whose own is no code, or one of too many."""


def read_currencies(column: Any) -> tuple[Codes | None, tuple[str, ...]]:
    """Places in a list of the currencies that occur, in order, "" where none was told, and the list; None and none where nobody told any."""
    if column.null_count == len(column):
        return None, ()
    codes, values = as_codes(column)
    told = [*(text if len(text or "") <= LONGEST and (text or "").isprintable() else OTHER for text in values.to_pylist()), None]
    occurs = np.zeros(len(told), np.bool_)
    occurs[codes] = True  # of a null, whose code is -1, the last one
    occurring = {told[code] or "" for code in np.flatnonzero(occurs).tolist()}
    if len(occurring) > MOST_CURRENCIES:
        told, occurring = [OTHER] * len(told), {OTHER}
    names = tuple(sorted(occurring))
    place_of = {name: place for place, name in enumerate(names)}
    places = np.asarray([place_of.get(text or "", 0) for text in told], np.int32)
    return places[codes], names
