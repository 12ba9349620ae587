from collections.abc import Callable
from typing import final

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

def yardstick(hmacs: int, /) -> int: ...
