"""Arrow arrays straight from numpy's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrow import pa
from ..schema import AMOUNT, TIME

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def hashes(rows: Array) -> Any:
    """Rows of 32 bytes."""
    return _from(pa.binary(32), len(rows), rows)


def amounts(numbers: Array) -> Any:
    """Whole numbers from 0, as decimals of 128 bits."""
    wide = np.zeros((len(numbers), 2), np.int64)
    wide[:, 0] = numbers
    return _from(AMOUNT, len(numbers), wide)


def times(microseconds: Array) -> Any:
    """Microseconds since 1970."""
    return _from(TIME, len(microseconds), microseconds.astype(np.int64))


def texts(letters: Array, *, kind: Any = None) -> Any:
    """Rows of bytes as texts, without the zeros at their ends."""
    sizes = (letters != 0).sum(1)
    flat = letters if (sizes == letters.shape[1]).all() else letters[letters != 0]
    kind = pa.string() if kind is None else kind
    return pa.Array.from_buffers(kind, len(letters), [None, _buffer(offsets(sizes)), _buffer(flat)])


def chosen(codes: Array, names: tuple[str, ...]) -> Any:
    """One of a few texts for each row."""
    return pa.array(names, pa.string()).take(pa.array(codes))


def offsets(sizes: Array) -> Array:
    """Where each of so many parts begins, and where the last one ends."""
    bounds = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=bounds[1:])
    return bounds


def _from(kind: Any, count: int, values: Array) -> Any:
    return pa.Array.from_buffers(kind, count, [None, _buffer(values)])


def _buffer(values: Array) -> Any:
    return pa.py_buffer(np.ascontiguousarray(values).reshape(-1).view(np.uint8))
