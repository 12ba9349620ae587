"""C2SP's tiles: where the hashes and the entries of a tree stand, and the tree's nodes put together from them.

Nothing here touches a file: who reads a tile is asked for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ...errors import LogStoreError
from .merkle import EMPTY_ROOT, hash_node, root_of

if TYPE_CHECKING:
    from collections.abc import Iterable

HEIGHT: Final = 8
"""How many levels of the tree one level of tiles stands for."""

WIDTH: Final = 1 << HEIGHT
"""How many hashes a full tile has, and how many entries a full bundle."""

MAX_ENTRY_BYTES: Final = 2**16 - 1


class Tile(NamedTuple):
    """A place of hashes: the tile's level, its number in the level, and its width, 1 to 256. Level -1 is that of the entries."""

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Where it is published, below the log's address."""
        name = f"{self.number % 1000:03}"
        rest = self.number // 1000
        while rest:
            name = f"x{rest % 1000:03}/{name}"
            rest //= 1000
        partial = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{'entries' if self.level < 0 else self.level}/{name}{partial}"


ReadTile: TypeAlias = Callable[[Tile], bytes]
"""From a place to the bytes there. It may be asked for a width and give a tile that is wider."""


def write_bundle(entries: Iterable[bytes]) -> bytes:
    """Entries as a bundle holds them: each behind its length in two bytes."""
    return b"".join([len(entry).to_bytes(2, "big") + entry for entry in entries])


def read_bundle(data: bytes, width: int) -> list[bytes]:
    """The first `width` entries of a bundle. Raises LogStoreError where it has fewer, or other bytes."""
    entries: list[bytes] = []
    place = 0
    while place < len(data) and len(entries) < width:
        end = place + 2 + int.from_bytes(data[place : place + 2], "big")
        entries.append(data[place + 2 : end])
        place = end
    if place > len(data) or len(entries) < width:
        raise LogStoreError("entry bundle", f"{width} whole entries", f"{len(data)} bytes of {len(entries)}")
    return entries


def edge_of(size: int) -> list[Tile]:
    """The partial tiles of a tree of this size, from level 0 upwards."""
    tiles: list[Tile] = []
    level = 0
    while hashes := size >> (HEIGHT * level):
        if width := hashes % WIDTH:
            tiles.append(Tile(level, hashes // WIDTH, width))
        level += 1
    return tiles


class TiledTree:
    """A tree of so many leaves, whose hashes are read from tiles. It makes proofs; whether the tiles are right, a proof itself shows."""

    def __init__(self, size: int, read: ReadTile, *, cached: int = 64) -> None:
        self.size = size
        self._read = read
        self._rows = lru_cache(maxsize=cached)(self._read_rows)

    def root(self, size: int | None = None) -> bytes:
        """The root of the tree, or of its first `size` leaves."""
        count = self.size if size is None else size
        return self._range(0, count) if count else EMPTY_ROOT

    def inclusion_proof(self, index: int, size: int | None = None) -> list[bytes]:
        """RFC 6962's audit path of a leaf in the first `size` leaves. Raises LogStoreError for an index that is not among them."""
        begin, end = 0, self.size if size is None else size
        if not 0 <= index < end <= self.size:
            raise LogStoreError("index in the log", f"one below a size of at most {self.size}", f"{index} of {end}")
        path: list[bytes] = []
        while end - begin > 1:
            middle = begin + _largest_power_below(end - begin)
            if index < middle:
                path.append(self._range(middle, end))
                end = middle
            else:
                path.append(self._range(begin, middle))
                begin = middle
        return path[::-1]

    def consistency_proof(self, old_size: int, size: int | None = None) -> list[bytes]:
        """RFC 6962's proof that the tree of `size` begins with the one of `old_size`. Raises LogStoreError for other sizes."""
        begin, end = 0, self.size if size is None else size
        if not 0 <= old_size <= end <= self.size:
            raise LogStoreError("old size of the log", f"at most {end}", f"{old_size}")
        if old_size in (0, end):
            return []
        path: list[bytes] = []
        is_whole = True
        while old_size != end:
            middle = begin + _largest_power_below(end - begin)
            if old_size <= middle:
                path.append(self._range(middle, end))
                end = middle
            else:
                path.append(self._range(begin, middle))
                begin, is_whole = middle, False
        return [*([] if is_whole else [self._range(begin, end)]), *path[::-1]]

    def _range(self, begin: int, end: int) -> bytes:
        """The root over leaves [begin, end), where begin is a multiple of a power of two that is at least as large as the range."""
        found: bytes | None = None
        while begin < end:
            length = (end - begin) & (begin - end)
            end -= length
            node = self._node(length.bit_length() - 1, end // length)
            found = node if found is None else hash_node(node, found)
        return EMPTY_ROOT if found is None else found

    def _node(self, height: int, index: int) -> bytes:
        """The root of the full subtree of 2^height leaves at `index` among its like."""
        level, inside = divmod(height, HEIGHT)
        place = index << inside
        rows = self._rows(level, place // WIDTH)
        return rows[inside][(place % WIDTH) >> inside]

    def _read_rows(self, level: int, index: int) -> list[list[bytes]]:
        """A tile's hashes, and above them those of each two of them, as far as they are full."""
        width = min(WIDTH, (self.size >> (HEIGHT * level)) - index * WIDTH)
        tile = Tile(level, index, width)
        data = self._read(tile)
        if len(data) < 32 * width:
            raise LogStoreError(f"tile {tile.path}", f"{width} hashes", f"{len(data)} bytes")
        rows = [[data[place : place + 32] for place in range(0, 32 * width, 32)]]
        for _ in range(HEIGHT - 1):
            below = rows[-1]
            rows.append([hash_node(below[place], below[place + 1]) for place in range(0, len(below) - 1, 2)])
        return rows


def tile_root(hashes: list[bytes]) -> bytes:
    """What the level above has of a full tile."""
    return root_of(hashes)


def _largest_power_below(number: int) -> int:
    """The largest power of two below a number from 2 on."""
    return 1 << ((number - 1).bit_length() - 1)
