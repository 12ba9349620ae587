from collections.abc import Callable
from typing import Any, final

from .cards import Card

PATHS: tuple[str, ...]

@final
class PreparedSeeds:
    def __new__(
        cls,
        server_seed: bytes,
        prefix: bytes,
        decks: int,
        deck: tuple[Card, ...],
        refuse: Callable[[object], object],
        path: str | None = None,
    ) -> PreparedSeeds: ...
    def coup(self, nonce: int, /) -> tuple[int, tuple[Card, ...]]: ...
    def count(self, nonces: tuple[int, int] | memoryview, threads: int, /) -> tuple[int, int, int]: ...
    def derive(self, nonces: tuple[int, int] | memoryview, records: memoryview, threads: int, /) -> tuple[int, int, int]: ...
    def draws(self, nonces: tuple[int, int] | memoryview, out: bytearray, /) -> int: ...
    def scale(self, words: bytes | bytearray | memoryview, n: int, out: bytearray, /) -> int: ...
    def tally(self, nonces: tuple[int, int] | memoryview, threads: int, /) -> list[int]: ...
    def words(self, nonces: tuple[int, int] | memoryview, out: bytearray, /) -> int: ...

def derive_rows(
    keys: Any,
    key_of_row: Any,
    games: Any,
    client_seeds: Any,
    client_seed_offsets: Any,
    client_seed_of_row: Any,
    nonces: Any,
    records: memoryview,
    path: str | None,
    /,
) -> None: ...
def yardstick(hmacs: int, /) -> int: ...
