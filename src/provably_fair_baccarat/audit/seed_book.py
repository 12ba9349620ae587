"""Revealed seeds from a table of their own: what the operator published when pairs were closed."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..errors import AuditError
from ..fairness.inputs import MAX_NONCE
from .arrow import pa, pc
from .columns import Faults, as_flags, as_numbers, as_values, fixed_bytes, read_column
from .dealt import UNKNOWN_TIME
from .schema import SEEDS, field_of, require_columns

if TYPE_CHECKING:
    from .dealt import Bytes, Codes, Flags, Numbers


@dataclass(frozen=True, slots=True, eq=False)
class SeedBook:
    """Seeds by their commitments, in the order of these: `has_seed` says where there is one, `coups` is -1 where nobody knows.

    `client_seeds` are an Arrow array of bytes, null where nobody knows.
    """

    commitments: Bytes
    server_seeds: Bytes
    has_seed: Flags
    client_seeds: Any
    coups: Numbers
    revealed_at: Numbers

    @classmethod
    def of(cls, table: Any) -> Self:
        """Read a table of seeds. Raises AuditError where it is none, or has a commitment twice or a value that cannot be."""
        require_columns(table.schema, SEEDS)
        table = table.combine_chunks()
        faults = Faults(table.num_rows)

        def column(name: str) -> Any:
            field = field_of(SEEDS, name)
            if name not in table.column_names:
                return pa.nulls(table.num_rows, field.type)
            chunks = table.column(name).chunks
            return read_column(chunks[0], name, field.type, faults) if chunks else pa.nulls(0, field.type)

        commitments, seeds, client_seeds = column("commitment"), column("server_seed"), column("client_seed")
        coups, revealed_at = column("coups"), column("revealed_at")
        spent = as_numbers(coups, -1, np.int64)
        for row in np.flatnonzero(as_flags(coups.is_valid()) & ((spent < 0) | (spent > MAX_NONCE + 1))).tolist():
            faults.add(row, "coups", "a whole number from 0 to 2^53", str(spent[row]))
        for row, (name, expected, found) in sorted(faults.told.items()):
            raise AuditError(f"seeds, row {row + 1}, {name}", expected, found)
        if commitments.null_count:
            raise AuditError("seeds, commitment", "a commitment in every row", "null")
        keys = fixed_bytes(commitments)
        order = np.argsort(_texts(keys), kind="stable")
        texts: Any = _texts(keys)[order]
        if (texts[1:] == texts[:-1]).any():
            raise AuditError("seeds", "each commitment once", "one more than once")
        return cls(
            keys[order],
            np.where(as_flags(seeds.is_valid())[:, None], fixed_bytes(seeds), 0).astype(np.uint8)[order],
            as_flags(seeds.is_valid())[order],
            as_values(client_seeds).take(pa.array(order)),
            spent[order],
            as_numbers(revealed_at.cast(pa.int64()), UNKNOWN_TIME, np.int64)[order],
        )

    def __len__(self) -> int:
        return len(self.coups)

    @property
    def digest(self) -> str:
        """A hash of the whole book, by which another run knows it again."""
        parts = (self.commitments, self.server_seeds, self.has_seed, self.coups, self.revealed_at)
        sizes = as_numbers(pc.binary_length(self.client_seeds), -1, np.int32)
        texts = b"".join(self.client_seeds.drop_null().to_pylist())
        return sha256(b"".join([*(np.ascontiguousarray(part).tobytes() for part in (*parts, sizes)), texts])).hexdigest()

    def find(self, commitments: Bytes) -> Codes:
        """The place of each commitment, -1 where it is not in the book."""
        if not len(self):
            return np.full(len(commitments), -1, np.int32)
        known: Any = _texts(self.commitments)
        asked: Any = _texts(commitments)
        places: Codes = np.minimum(np.asarray(np.searchsorted(known, asked), np.int32), len(self) - 1)
        return np.where(known[places] == asked, places, -1).astype(np.int32)


def _texts(rows: Bytes) -> Any:
    """Rows of 32 bytes as one value each, which sort as bytes do."""
    return np.ascontiguousarray(rows).view("S32").reshape(-1)
