"""Coups of one seed pair: derived, counted, tallied; over a range or an array of nonces, by whatever path is asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, cast

from ..errors import KernelError, NonceError, SchemeError, SeedTextError, describe
from ..fairness.inputs import parse_nonce
from ..fairness.schemes.pfb1 import PFB1
from ..fairness.seed_pair import Seeds
from ..fairness.seeds import ClientSeed, ServerSeed
from .layout import BANKER_DREW, PLAYER_DREW, RECORD, room_for
from .paths import prepare_natively
from .reference import derive_in_python, python_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .._kernel import PreparedSeeds
    from ..fairness.schemes import Source
    from ..rules.odds.counting import CoupClass

Nonces: TypeAlias = "range | Iterable[int] | memoryview"
"""A range, an array of 8-byte integers (anything with the buffer protocol), or whole numbers one by one."""

MAX_THREADS: Final = 64

_CLASSES: Final = 10 * 10 * 4

_CHUNK: Final = 1 << 22  # coups between two moments at which Python may be interrupted


class Counts(NamedTuple):
    """How often each side won."""

    player: int
    banker: int
    tie: int


def derive(seeds: Seeds, nonces: Nonces, *, out: Any = None, threads: int = 1, path: str | None = None) -> memoryview:
    """Derive and deal the coup of every nonce (protocol steps 3 to 6) and return their records, 12 bytes each, in the same order.

    `out` is a writable buffer of at least that size to write them to; without it there is a new one. `threads` is 1 to 64; the GIL is
    released, and the Python path has one thread only. `path` forces one of `kernel_info().paths`. Raises NonceError for a nonce that is not
    a whole number from 0 to 2^53 - 1, SchemeError for seeds of another scheme than `pfb1`, and KernelError for anything else.
    """
    given = _read_nonces(nonces)
    records = room_for(len(given), out)
    work = _work(seeds, threads, path)
    for start, chunk in _chunks(given):
        work.derive(chunk, records[RECORD.size * start : RECORD.size * (start + len(chunk))])
    return records


def count(seeds: Seeds, nonces: Nonces, *, threads: int = 1, path: str | None = None) -> Counts:
    """Derive and deal the coup of every nonce and count who won. The arguments and errors are those of `derive`."""
    given = _read_nonces(nonces)
    work = _work(seeds, threads, path)
    player = banker = tie = 0
    for _, chunk in _chunks(given):
        wins = work.count(chunk)
        player, banker, tie = player + wins[0], banker + wins[1], tie + wins[2]
    return Counts(player, banker, tie)


def tally(seeds: Seeds, nonces: Nonces, *, threads: int = 1, path: str | None = None) -> dict[CoupClass, int]:
    """Derive and deal the coup of every nonce and count how they ended: all that bets on scores see of them.

    Classes that did not come up are left out. The arguments and errors are those of `derive`.
    """
    from ..rules.odds.counting import CoupClass  # noqa: PLC0415 (loaded by nobody else here)

    given = _read_nonces(nonces)
    work = _work(seeds, threads, path)
    totals = [0] * _CLASSES
    for _, chunk in _chunks(given):
        totals = list(map(int.__add__, totals, work.tally(chunk)))
    return {CoupClass(n // 40, n // 4 % 10, 2 + (n & 1), 2 + (n >> 1 & 1)): total for n, total in enumerate(totals) if total}


def prepare(seeds: Seeds, path: str | None = None) -> PreparedSeeds | None:
    """Seeds for the native kernel, or None where only Python can do its work. The arguments and errors are those of `derive`."""
    server_seed, client_seed, decks = _read_seeds(seeds)
    return prepare_natively(server_seed, PFB1.label(decks), client_seed, decks, path)


def _work(seeds: Seeds, threads: int, path: str | None) -> _Work:
    """What a call of `derive` or `count` asks for, if it can be had."""
    server_seed, client_seed, decks = _read_seeds(seeds)
    if type(threads) is not int or not 1 <= threads <= MAX_THREADS:
        raise KernelError("threads", f"a whole number from 1 to {MAX_THREADS}", describe(threads))
    prepared = prepare(seeds, path)
    if prepared is None:
        return _PythonWork(python_source(server_seed, PFB1.label(decks), client_seed, decks))
    return _NativeWork(prepared, threads)


def _read_seeds(seeds: Seeds) -> tuple[ServerSeed, ClientSeed, int]:
    """Server seed, client seed and decks of seeds that the kernel can work with."""
    if not isinstance(seeds, Seeds):
        raise SeedTextError("seeds", "a Seeds value", f"a value of type {type(seeds).__name__}")
    server_seed, client_seed, decks = seeds.server_seed, seeds.client_seed, seeds.decks
    if seeds.scheme != PFB1.name or not isinstance(server_seed, ServerSeed) or decks is None:
        raise SchemeError("scheme", f"{PFB1.name!r}, the only one that the kernel derives", repr(seeds.scheme))
    return server_seed, client_seed, decks


class _Work(Protocol):
    """The coups of one seed pair, by one path."""

    def derive(self, nonces: range | memoryview, records: memoryview) -> tuple[int, int, int]:
        """Write the records and return who won how often."""
        ...

    def count(self, nonces: range | memoryview) -> tuple[int, int, int]:
        """Who won how often."""
        ...

    def tally(self, nonces: range | memoryview) -> list[int]:
        """How often each class of coups came up: (player's score x 10 + banker's score) x 4 + flags of who drew."""
        ...


class _NativeWork:
    __slots__ = ("_prepared", "_threads")

    def __init__(self, prepared: PreparedSeeds, threads: int) -> None:
        self._prepared = prepared
        self._threads = threads

    def derive(self, nonces: range | memoryview, records: memoryview) -> tuple[int, int, int]:
        try:
            return self._prepared.derive(_native_nonces(nonces), records, self._threads)
        except ValueError:
            raise _refusal(nonces) from None

    def count(self, nonces: range | memoryview) -> tuple[int, int, int]:
        try:
            return self._prepared.count(_native_nonces(nonces), self._threads)
        except ValueError:
            raise _refusal(nonces) from None

    def tally(self, nonces: range | memoryview) -> list[int]:
        try:
            return self._prepared.tally(_native_nonces(nonces), self._threads)
        except ValueError:
            raise _refusal(nonces) from None


class _PythonWork:
    __slots__ = ("_source",)

    def __init__(self, source: Source) -> None:
        self._source = source

    def derive(self, nonces: range | memoryview, records: memoryview) -> tuple[int, int, int]:
        return derive_in_python(self._source, nonces, records)

    def count(self, nonces: range | memoryview) -> tuple[int, int, int]:
        return derive_in_python(self._source, nonces, None)

    def tally(self, nonces: range | memoryview) -> list[int]:
        totals = [0] * _CLASSES
        record = memoryview(bytearray(RECORD.size))
        for nonce in nonces:
            derive_in_python(self._source, range(nonce, nonce + 1), record)
            player_score, banker_score, flags = record[9:]
            totals[(player_score * 10 + banker_score) * 4 + (flags & (PLAYER_DREW | BANKER_DREW))] += 1
        return totals


def _read_nonces(nonces: object) -> range | memoryview:
    """The nonces as the kernel takes them. Those of an array are looked at when they are used."""
    if isinstance(nonces, range) and nonces.step == 1:
        if nonces:
            parse_nonce(nonces[0])
            parse_nonce(nonces[-1])
        return nonces or range(0)
    if isinstance(nonces, (bytes, bytearray, str)):
        raise _no_nonces(nonces)
    try:
        view = memoryview(nonces)  # type: ignore[arg-type]  # and where it has no buffer there may be an iterator
    except TypeError:
        if not isinstance(nonces, Iterable):
            raise _no_nonces(nonces) from None
        return memoryview(array("Q", map(parse_nonce, cast("Iterable[object]", nonces))))
    if view.format not in _WHOLE_NUMBERS or view.itemsize != 8 or view.ndim != 1 or not view.c_contiguous:
        raise _no_nonces(nonces)
    return view


_WHOLE_NUMBERS = frozenset("qQlL")


def _no_nonces(found: object) -> NonceError:
    return NonceError("nonces", "a range, an array of 8-byte integers or whole numbers one by one", describe(found))


def _native_nonces(nonces: range | memoryview) -> tuple[int, int] | memoryview:
    return (nonces.start, nonces.stop) if isinstance(nonces, range) else nonces


def _refusal(nonces: range | memoryview) -> NonceError:
    """What the kernel refused."""
    for nonce in nonces:
        try:
            parse_nonce(nonce)
        except NonceError as error:
            return error
    return NonceError("nonces", "an array that nobody changes meanwhile", "one that was changed")


def _chunks(nonces: range | memoryview) -> Iterator[tuple[int, range | memoryview]]:
    """Parts that take about a quarter of a second, so that an interrupt is heard; an empty one where there are no nonces."""
    for start in range(0, len(nonces), _CHUNK):
        yield start, nonces[start : start + _CHUNK]
