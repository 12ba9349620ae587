"""What was staked and returned in the course of time, by bet: sums in columns, so that the curves of many parts are brought together at once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .arrow import pa
from .facts import pack, unpack
from .sums import BetKey, Sums

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ..canonical import Json
    from .sums import Summed

BUCKETS: Final = 128
"""A curve has at most so many points, and at least half as many where there are so many moments."""

TIME: Final = "time"
NONCE: Final = "nonce"

_INT64: Final = np.iinfo(np.int64).max
_TOLD: Final = b"curve"


def level_of(first: int, last: int) -> int:
    """The smallest level at which the buckets from first to last are at most `BUCKETS`."""
    level = max(0, (last - first).bit_length() - BUCKETS.bit_length())
    while (last >> level) - (first >> level) >= BUCKETS:
        level += 1
    return level


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Sums in the course of something that grows: microseconds since 1970, or nonces.

    `first` and `last` are the ends. A bucket is 2^level moments wide, where the level is the smallest that makes at most `BUCKETS` of them:
    it depends on the ends alone, and not on what was merged when. `keys` are those that occur, in order; `places` are those of the points,
    ascending: the bucket, from that of `first` on, times the number of keys, plus the key's place. `columns` has what `Sums` has of each
    point.
    """

    first: int
    last: int
    keys: tuple[BetKey, ...]
    places: NDArray[np.int64]
    columns: tuple[NDArray[Any], ...]

    @classmethod
    def of(cls, first: int, last: int, keys: tuple[BetKey, ...], summed: Summed) -> Curve:
        """A curve from sums by places. Keys may come in any order, and may not occur."""
        occurs: list[int] = np.unique(summed.codes % len(keys)).tolist() if keys else []
        kept = sorted(occurs, key=keys.__getitem__)
        rank = np.zeros(len(keys), np.int64)
        rank[kept] = np.arange(len(kept))
        places = summed.codes // len(keys) * len(kept) + rank[summed.codes % len(keys)] if kept else summed.codes
        return cls(first, last, tuple(keys[each] for each in kept), *_gathered(places, summed.columns))

    @property
    def level(self) -> int:
        """How many binary digits of a moment a bucket leaves out."""
        return level_of(self.first, self.last)

    @property
    def points(self) -> Mapping[tuple[int, BetKey], Sums]:
        """The sums by bucket, counted from moment 0 on, and key."""
        start = self.first >> self.level
        rows = zip(*(column.tolist() for column in self.columns), strict=True)
        of_places = zip(self.places.tolist(), rows, strict=True)
        return MappingProxyType(
            {(start + place // len(self.keys), self.keys[place % len(self.keys)]): Sums(*row) for place, row in of_places}
        )

    def plus(self, other: Curve) -> Curve:
        """Both."""
        first, last = min(self.first, other.first), max(self.last, other.last)
        keys = tuple(sorted({*self.keys, *other.keys}))
        places = np.concatenate([self._places_in(first, last, keys), other._places_in(first, last, keys)])
        columns = tuple(np.concatenate(pair) for pair in zip(self.columns, other.columns, strict=True))
        return Curve(first, last, keys, *_gathered(places, columns))

    def _places_in(self, first: int, last: int, keys: tuple[BetKey, ...]) -> NDArray[np.int64]:
        """The places of the points in a curve of wider ends and more keys."""
        if not self.keys:
            return self.places
        level = level_of(first, last)
        codes = np.asarray([keys.index(key) for key in self.keys], np.int64)
        buckets = (self.places // len(self.keys) + (self.first >> self.level)) >> (level - self.level)
        return (buckets - (first >> level)) * len(keys) + codes[self.places % len(self.keys)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Curve) and (self.first, self.last, self.points) == (other.first, other.last, other.points)

    __hash__ = None  # type: ignore[assignment]  # its arrays have none

    def to_dict(self) -> dict[str, Json]:
        """The curve as JSON."""
        points: list[Json] = [[bucket, *key, *sums.to_list()] for (bucket, key), sums in self.points.items()]
        return {"first": self.first, "last": self.last, "points": points}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Curve:
        """What `to_dict` made."""
        first, last = form["first"], form["last"]
        sums = 1 + len(BetKey._fields)
        keys = tuple(sorted({BetKey(*point[1:sums]) for point in form["points"]}))
        rank, start = {key: place for place, key in enumerate(keys)}, first >> level_of(first, last)
        places = [(point[0] - start) * len(keys) + rank[BetKey(*point[1:sums])] for point in form["points"]]
        rows = [Sums.from_list(point[sums:]) for point in form["points"]]
        columns = tuple(np.asarray([row[place] for row in rows], object) for place in range(len(Sums._fields)))
        return cls(first, last, keys, *_gathered(np.asarray(places, np.int64), columns))

    def pack(self, name: str) -> bytes:
        """The curve and its name as an Arrow stream, from which `unpack` makes it again: tables of thousands of points are read fast."""
        told = json.dumps({"name": name, "first": self.first, "last": self.last, "keys": self.keys})
        columns = [pa.array(list(map(str, column)) if column.dtype == object else column) for column in self.columns]
        batch = pa.record_batch([pa.array(self.places), *columns], names=["place", *Sums._fields])
        return pack(batch.replace_schema_metadata({_TOLD: told.encode()}), is_dense=True)

    @classmethod
    def unpack(cls, payload: bytes) -> tuple[str, Curve]:
        """What `pack` made: the name and the curve."""
        batch: Any = unpack(payload)
        told = json.loads(batch.schema.metadata[_TOLD])
        places, *columns = (
            np.asarray(list(map(int, column.to_pylist())), object) if column.type == pa.string() else column.to_numpy()
            for column in batch.columns
        )
        return told["name"], cls(told["first"], told["last"], tuple(BetKey(*key) for key in told["keys"]), places, tuple(columns))


def _gathered(places: NDArray[np.int64], columns: tuple[NDArray[Any], ...]) -> tuple[NDArray[np.int64], tuple[NDArray[Any], ...]]:
    """Every place once, ascending, and the sums of those that are equal. Exact: what an int64 may not hold is added as whole numbers of Python."""
    if not len(places):
        return places, columns
    order = np.argsort(places, kind="stable")
    places = places[order]
    starts = np.flatnonzero(np.diff(places, prepend=places[0] - 1))
    *added, largest = (column[order] for column in columns)
    most = int(np.diff(starts, append=len(places)).max())
    exact = [column if _holds(column, most) else column.astype(object) for column in added]
    return places[starts], (*(np.add.reduceat(column, starts) for column in exact), np.maximum.reduceat(largest, starts))


def _holds(column: NDArray[Any], count: int) -> bool:
    """Whether the sums of so many of these numbers fit their type."""
    return column.dtype == object or int(column.max()) <= _INT64 // count
