"""Currencies of rounds as codes, of which a batch has few: nobody makes a tally large by inventing them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import describe
from ..records.spelling import CURRENCY, CURRENCY_FORM
from .columns import as_codes

if TYPE_CHECKING:
    from .columns import Faults
    from .dealt import Codes

MOST_CURRENCIES: Final = 256
"""Where a batch has more, none of them is told apart."""

_CODE: Final = re.compile(CURRENCY)

OTHER: Final = "(other)"
"""The currency of rounds whose own is no code, or one of too many."""


def read_currencies(column: Any, faults: Faults) -> tuple[Codes | None, tuple[str, ...]]:
    """Places in a list of the currencies that occur, in order, "" where none was told, and the list; None and none where nobody told any.

    What is no code of a currency, as records spell them, is a fault.
    """
    if column.null_count == len(column):
        return None, ()
    codes, values = as_codes(column)
    given: list[str] = values.to_pylist()
    is_code = [_CODE.fullmatch(text) is not None for text in given]
    if not all(is_code):
        code_of: list[int] = codes.tolist()
        for row in np.flatnonzero(~np.asarray([*is_code, True], np.bool_)[codes]).tolist():
            faults.add(row, "currency", CURRENCY_FORM, describe(given[code_of[row]]))
    told = [*(text if fits else OTHER for text, fits in zip(given, is_code, strict=True)), None]
    occurs = np.zeros(len(told), np.bool_)
    occurs[codes] = True  # of a null, whose code is -1, the last one
    occurring = {told[code] or "" for code in np.flatnonzero(occurs).tolist()}
    if len(occurring) > MOST_CURRENCIES:
        told, occurring = [OTHER] * len(told), {OTHER}
    names = tuple(sorted(occurring))
    place_of = {name: place for place, name in enumerate(names)}
    places = np.asarray([place_of.get(text or "", 0) for text in told], np.int32)
    return places[codes], names
