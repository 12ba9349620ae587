"""The SHA-256 of many short messages of one length."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

import numpy as np

from ..kernel import kernel_info, native_columns

if TYPE_CHECKING:
    from .dealt import Bytes

_HEX: Final = np.frombuffer("".join(f"{byte:02x}" for byte in range(256)).encode(), np.uint8).reshape(256, 2)


def sha256_rows(rows: Bytes, path: str | None = None) -> Bytes:
    """The digest of each row of bytes, 32 bytes each. `path` is one of `kernel_info().paths`."""
    digests = np.empty((len(rows), 32), np.uint8)
    native = native_columns(path)
    if native is not None:
        native.hash_rows(np.ascontiguousarray(rows), rows.shape[1], digests, path or kernel_info().path)
    else:
        for row, digest in zip(rows, digests, strict=True):
            digest[:] = np.frombuffer(sha256(row.tobytes()).digest(), np.uint8)
    return digests


def hex_rows(rows: Bytes) -> Bytes:
    """The lower-case hex digits of each row of bytes."""
    return _HEX[rows].reshape(len(rows), -1)
