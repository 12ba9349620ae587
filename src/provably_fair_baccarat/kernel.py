"""The pfb1 derivation for many coups at once: the native kernel where it was built and proves itself, else the same in Python.

`derive` writes a record of 12 bytes for each coup, `count` only counts who won and `tally` how coups ended; these take a range or an array of
nonces of one seed pair, and `derive_rows` takes rows of many. The Python path runs the functions of `fairness` and `rules`: it is the
reference, and the native paths must equal it to the last bit. Which of them runs changes nothing but the time it takes; `kernel_info()` tells.

A record, little-endian and without padding, so that numpy reads many of them as `RECORD_DTYPE`:

    bytes 0-1    cut, 0 to 52 x decks - 1
    bytes 2-7    the cards of positions 1 to 6, each 0 to 51: its place in `DECK`
    byte 8       winner: 0 player, 1 banker, 2 tie
    byte 9       the player's score
    byte 10      the banker's score
    byte 11      flags: 1 the player drew a third card, 2 the banker did, 4 a natural
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, cast

from .cards import DECK
from .errors import BaccaratError, ClientSeedError, KernelError, NonceError, SchemeError, SeedTextError, ServerSeedError, describe, nearest
from .fairness.hex_form import describe_secret
from .fairness.inputs import MAX_NONCE, parse_decks, parse_nonce
from .fairness.schemes.pfb1 import FASTER_SOURCES, PFB1, python_coup_source
from .fairness.seed_pair import Seeds
from .fairness.seeds import ClientSeed, ServerSeed
from .rules.coup import Outcome, deal_coup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ._kernel import PreparedSeeds
    from .cards import Card
    from .fairness.schemes import Derived, Source
    from .rules.odds.counting import CoupClass

Nonces: TypeAlias = "range | Iterable[int] | memoryview"
"""A range, an array of 8-byte integers (anything with the buffer protocol), or whole numbers one by one."""

RECORD: Final = Struct("<H6BBBBB")
"""How a record is packed: cut, six cards, winner, player's score, banker's score, flags."""

RECORD_DTYPE: Final = [
    ("cut", "<u2"),
    ("cards", "u1", (6,)),
    ("winner", "u1"),
    ("player_score", "u1"),
    ("banker_score", "u1"),
    ("flags", "u1"),
]
"""What `numpy.frombuffer(records, RECORD_DTYPE)` takes to read records."""

PLAYER_DREW: Final = 1
BANKER_DREW: Final = 2
NATURAL: Final = 4

PYTHON: Final = "python"
"""The path that is always there."""

MAX_THREADS: Final = 64

FROM_CHAIN: Final = 16
"""In a game's byte of `Rows`: the server seed is a link of a seed chain."""

_CLASSES: Final = 10 * 10 * 4

_CHUNK: Final = 1 << 22  # coups between two moments at which Python may be interrupted
_CARD_INDEX: Final = {card: index for index, card in enumerate(DECK)}
_WINNERS: Final = tuple(Outcome)


class Counts(NamedTuple):
    """How often each side won."""

    player: int
    banker: int
    tie: int


class DerivedCoup(NamedTuple):
    """A record, read."""

    cut: int
    cards: tuple[Card, ...]
    winner: Outcome
    player_score: int
    banker_score: int
    cards_used: int
    natural: bool


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """What derives coups here.

    `native` says whether it is the C kernel; `path` is what runs unless another is asked for; `paths` are all that can be asked for, the
    fastest first and `python` always last; `reason` says why something is missing, or is None.
    """

    native: bool
    path: str
    paths: tuple[str, ...]
    reason: str | None


def kernel_info() -> KernelInfo:
    """Which paths there are, and which one runs: `shani`, `avx2`, `armv8` and `portable` are native, `python` is not."""
    return _INFO


def coup_source(server_seed: ServerSeed, label: str, client_seed: ClientSeed, decks: int) -> Source:
    """A function from a nonce to the cut and the six cards of its coup (protocol steps 3 to 5), as fast as it goes here.

    `label` is that of a way of dealing coups, like `pfb1:8` (protocol step 1) or `pfb1-chain:8` (step 8). What the function returns is what
    the scheme's own source returns. It raises NonceError unless the nonce is a whole number from 0 to 2^53 - 1.
    """
    if not isinstance(server_seed, ServerSeed):
        raise ServerSeedError("server seed", "a ServerSeed", type(server_seed).__name__)
    if not isinstance(client_seed, ClientSeed):
        raise ClientSeedError("client seed", "a ClientSeed", type(client_seed).__name__)
    labels = tuple(f"{way}:{parse_decks(decks)}" for way in _LABELS)
    if label not in labels:
        raise SchemeError("label", " or ".join(map(repr, labels)), describe_secret(label))
    if _NATIVE is not None and _INFO.native:
        return _prepare(_NATIVE, server_seed, _prefix(label, client_seed), decks, _INFO.path).coup
    return _python_source(server_seed, label, client_seed, decks)


def derive(seeds: Seeds, nonces: Nonces, *, out: Any = None, threads: int = 1, path: str | None = None) -> memoryview:
    """Derive and deal the coup of every nonce (protocol steps 3 to 6) and return their records, 12 bytes each, in the same order.

    `out` is a writable buffer of at least that size to write them to; without it there is a new one. `threads` is 1 to 64; the GIL is
    released, and the Python path has one thread only. `path` forces one of `kernel_info().paths`. Raises NonceError for a nonce that is not
    a whole number from 0 to 2^53 - 1, SchemeError for seeds of another scheme than `pfb1`, and KernelError for anything else.
    """
    given = _read_nonces(nonces)
    records = _read_out(out, RECORD.size * len(given))
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
    from .rules.odds.counting import CoupClass  # noqa: PLC0415 (loaded by nobody else here)

    given = _read_nonces(nonces)
    work = _work(seeds, threads, path)
    totals = [0] * _CLASSES
    for _, chunk in _chunks(given):
        totals = list(map(int.__add__, totals, work.tally(chunk)))
    return {CoupClass(n // 40, n // 4 % 10, 2 + (n & 1), 2 + (n >> 1 & 1)): total for n, total in enumerate(totals) if total}


def prepare(seeds: Seeds, path: str | None = None) -> PreparedSeeds | None:
    """Seeds for the native kernel, or None where only Python can do its work. The arguments and errors are those of `derive`."""
    server_seed, client_seed, decks = _read_seeds(seeds)
    path = _read_path(path)
    if _NATIVE is None or path == PYTHON:
        return None
    return _prepare(_NATIVE, server_seed, _prefix(PFB1.label(decks), client_seed), decks, path)


class Rows(NamedTuple):
    """Rows of many seed pairs, as the buffers of a table: each row names its seeds by their places, and neighbours share what is prepared.

    `server_seeds` are 32 bytes each, one behind the other, and so are `client_seeds` in UTF-8, from one of `client_seed_offsets` to the next
    (one more than there are client seeds, 4-byte integers). For each row, `server_seed_of_row` and `client_seed_of_row` are places there
    (4-byte integers, -1 for a server seed that is not there), `nonces` are 8-byte integers, and `games` a byte with the number of decks, plus
    `FROM_CHAIN` where the server seed is a link of a seed chain.
    """

    server_seeds: Any
    server_seed_of_row: Any
    games: Any
    client_seeds: Any
    client_seed_offsets: Any
    client_seed_of_row: Any
    nonces: Any


def derive_rows(rows: Rows, *, out: Any = None, path: str | None = None) -> memoryview:
    """Derive and deal the coup of every row (protocol steps 3 to 6) and return their records, 12 bytes each, in the same order.

    A row without a server seed has a record of zeros. `out` and `path` are those of `derive`. Raises KernelError where a row names a seed, a
    game or a nonce that cannot be; seeds are not looked at otherwise.
    """
    path = _read_path(path)
    rows = Rows(*(memoryview(buffer) for buffer in rows))
    records = _read_out(out, RECORD.size * rows.games.nbytes)
    try:
        if path == PYTHON:
            _derive_rows_in_python(rows, records)
        else:
            from ._kernel import derive_rows as derive_natively  # noqa: PLC0415 (it may be absent)

            derive_natively(*rows, records, path)
    except (ValueError, IndexError, BaccaratError):
        raise KernelError("rows", "seeds, games and nonces that can be, and buffers of their size", "others") from None
    return records


def _derive_rows_in_python(rows: Rows, records: memoryview) -> None:
    keys, client_seeds = bytes(rows.server_seeds), bytes(rows.client_seeds)
    offsets = rows.client_seed_offsets.cast("B").cast("i")
    places = zip(
        rows.server_seed_of_row.cast("B").cast("i"),
        rows.client_seed_of_row.cast("B").cast("i"),
        rows.games.cast("B"),
        rows.nonces.cast("B").cast("q"),
        strict=True,
    )
    latest, source = None, None
    for place, (key, client, game, nonce) in enumerate(places):
        record = records[RECORD.size * place : RECORD.size * (place + 1)]
        if key == -1:
            record[:] = bytes(RECORD.size)
            continue
        if source is None or latest != (key, client, game):
            if key < 0 or client < 0 or game >= 2 * FROM_CHAIN:
                raise ValueError
            latest, decks = (key, client, game), game % FROM_CHAIN
            server_seed = ServerSeed(keys[32 * key : 32 * key + 32])
            client_seed = ClientSeed(client_seeds[offsets[client] : offsets[client + 1]].decode())
            source = _python_source(server_seed, f"{_LABELS[game // FROM_CHAIN]}:{parse_decks(decks)}", client_seed, decks)
        _derive_in_python(source, range(parse_nonce(nonce), nonce + 1), record)


def native_columns(path: str | None = None) -> Any:
    """The functions of the C kernel that read and count whole columns of a table, or None where only Python can, or is asked for.

    `path` is that of `derive`. What each of them does, its docstring says; whoever calls one has the same in Python or numpy.
    """
    if _read_path(path) == PYTHON:
        return None
    from . import _kernel  # noqa: PLC0415 (it may be absent)

    return _kernel


def read_records(records: bytes | bytearray | memoryview) -> Iterator[DerivedCoup]:
    """Read records one by one."""
    rows = cast("Iterator[tuple[int, ...]]", RECORD.iter_unpack(records))
    for cut, c1, c2, c3, c4, c5, c6, winner, player, banker, flags in rows:
        cards = (DECK[c1], DECK[c2], DECK[c3], DECK[c4], DECK[c5], DECK[c6])
        used = 4 + (flags & PLAYER_DREW) + (flags & BANKER_DREW) // BANKER_DREW
        yield DerivedCoup(cut, cards, _WINNERS[winner], player, banker, used, bool(flags & NATURAL))


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
        return _derive_in_python(self._source, nonces, records)

    def count(self, nonces: range | memoryview) -> tuple[int, int, int]:
        return _derive_in_python(self._source, nonces, None)

    def tally(self, nonces: range | memoryview) -> list[int]:
        totals = [0] * _CLASSES
        record = memoryview(bytearray(RECORD.size))
        for nonce in nonces:
            _derive_in_python(self._source, range(nonce, nonce + 1), record)
            player_score, banker_score, flags = record[9:]
            totals[(player_score * 10 + banker_score) * 4 + (flags & (PLAYER_DREW | BANKER_DREW))] += 1
        return totals


def _work(seeds: Seeds, threads: int, path: str | None) -> _Work:
    """What a call of `derive` or `count` asks for, if it can be had."""
    server_seed, client_seed, decks = _read_seeds(seeds)
    if type(threads) is not int or not 1 <= threads <= MAX_THREADS:
        raise KernelError("threads", f"a whole number from 1 to {MAX_THREADS}", describe(threads))
    prepared = prepare(seeds, path)
    if prepared is None:
        return _PythonWork(_python_source(server_seed, PFB1.label(decks), client_seed, decks))
    return _NativeWork(prepared, threads)


def _read_seeds(seeds: Seeds) -> tuple[ServerSeed, ClientSeed, int]:
    """Server seed, client seed and decks of seeds that the kernel can work with."""
    if not isinstance(seeds, Seeds):
        raise SeedTextError("seeds", "a Seeds value", f"a value of type {type(seeds).__name__}")
    server_seed, client_seed, decks = seeds.server_seed, seeds.client_seed, seeds.decks
    if seeds.scheme != PFB1.name or not isinstance(server_seed, ServerSeed) or decks is None:
        raise SchemeError("scheme", f"{PFB1.name!r}, the only one that the kernel derives", repr(seeds.scheme))
    return server_seed, client_seed, decks


def _read_path(path: str | None) -> str:
    """The path that is asked for, if it is here; the fastest one for None."""
    path = _INFO.path if path is None else path
    if path not in _INFO.paths:
        raise KernelError("path", f"one of {', '.join(_INFO.paths)}", describe(path), nearest(path, _INFO.paths))
    return path


def _python_source(server_seed: ServerSeed, label: str, client_seed: ClientSeed, decks: int) -> Source:
    """The reference, which takes nonces as strictly as the kernel."""
    coup = python_coup_source(server_seed, label, client_seed, decks)

    def checked(nonce: int) -> Derived:
        return coup(parse_nonce(nonce))

    return checked


def _derive_in_python(source: Source, nonces: range | memoryview, records: memoryview | None) -> tuple[int, int, int]:
    wins = [0, 0, 0]
    for place, nonce in enumerate(nonces):
        cut, cards = source(nonce)
        coup = deal_coup(cards)
        winner = _WINNERS.index(coup.winner)
        wins[winner] += 1
        if records is not None:
            player, banker = coup.player, coup.banker
            flags = PLAYER_DREW * (len(player.cards) == 3) + BANKER_DREW * (len(banker.cards) == 3) + NATURAL * coup.natural
            indices = [_CARD_INDEX[card] for card in cards]
            RECORD.pack_into(records, RECORD.size * place, cut, *indices, winner, player.score, banker.score, flags)
    return wins[0], wins[1], wins[2]


def _prefix(label: str, client_seed: ClientSeed) -> bytes:
    """What comes before the nonce in the message of protocol step 3."""
    return f"{label}:".encode() + client_seed.utf8 + b":"


def _prepare(native: type[PreparedSeeds], server_seed: ServerSeed, prefix: bytes, decks: int, path: str) -> PreparedSeeds:
    return native(server_seed.reveal_bytes(), prefix, decks, DECK, parse_nonce, path)


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


def _read_out(out: Any, size: int) -> memoryview:
    """The part of a buffer that the records will fill."""
    expected = f"a writable buffer of {size} bytes"
    if out is None:
        return memoryview(bytearray(size))
    try:
        view = memoryview(out).cast("B")
    except TypeError:
        raise KernelError("out", expected, type(out).__name__) from None
    if view.readonly or len(view) < size:
        raise KernelError("out", expected, f"{len(view)} bytes, {'read-only' if view.readonly else 'writable'}")
    return view[:size]


def _chunks(nonces: range | memoryview) -> Iterator[tuple[int, range | memoryview]]:
    """Parts that take about a quarter of a second, so that an interrupt is heard; an empty one where there are no nonces."""
    for start in range(0, len(nonces), _CHUNK):
        yield start, nonces[start : start + _CHUNK]


# The known-answer test: records of these client seeds over these nonces. The messages end on both sides of every block's edge, and change from
# one block to two inside a group of lanes; there are enough coups for every cell of the tableau and for slots that are drawn twice; and with
# 2 decks and the second client seed, four of the coups have a rejected word.
_TEST_KEY: Final = bytes(range(32))
_TEST_CLIENT_SEEDS: Final = tuple(b"x" * size for size in (1, 16, 35, 41, 44, 46, 55, 56, 119, 128))
_TEST_REJECTIONS: Final = (6048109, 6724459, 9011715, 9973143)
_TEST_EDGES: Final = sorted({0, MAX_NONCE, *_TEST_REJECTIONS} | {10**power - step for power in range(1, 16) for step in (0, 1)})
_TEST_NONCES: Final = array("Q", (*range(300), *_TEST_EDGES))
_TEST_ANSWER: Final = "cf882832c8878ad7ac044cdea37a9bb28e43c68a7d421b21208c02d8841b8b45"


def _test_answer(native: type[PreparedSeeds], path: str) -> str:
    """The SHA-256 of every record of the known-answer test, and of the coups that the same path derives one at a time."""
    digest = sha256()
    for turn, client_seed in enumerate(_TEST_CLIENT_SEEDS):
        decks = 1 + turn % 8
        prepared = native(_TEST_KEY, b"pfb1:%d:%b:" % (decks, client_seed), decks, DECK, parse_nonce, path)
        records = memoryview(bytearray(RECORD.size * len(_TEST_NONCES)))
        prepared.derive(memoryview(_TEST_NONCES), records, 1)
        digest.update(records)
        for nonce in _TEST_EDGES:
            cut, cards = prepared.coup(nonce)
            digest.update(b"%d %b " % (cut, bytes(map(_CARD_INDEX.__getitem__, cards))))
    return digest.hexdigest()


def _passing(native: type[PreparedSeeds], paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Which paths pass the known-answer test, and what is wrong with the others."""
    passing: list[str] = []
    wrong: list[str] = []
    for path in paths:
        try:
            fault = None if _test_answer(native, path) == _TEST_ANSWER else "gives wrong answers"
        except Exception as error:  # noqa: BLE001 (whatever a wrong kernel does, the right thing is not to use it)
            fault = f"fails: {error!r}"
        if fault is None:
            passing.append(path)
        else:
            wrong.append(f"the path {path} {fault}")
    return passing, wrong


def _find_kernel() -> tuple[type[PreparedSeeds] | None, KernelInfo]:
    """The extension, if it is there, whole, and passes its test; a wrong one is turned off with a warning."""
    try:
        extension = import_module(f"{__package__}._kernel")
    except ImportError as error:
        return None, KernelInfo(native=False, path=PYTHON, paths=(PYTHON,), reason=f"the extension was not built: {error}")
    if missing := [name for name in _OFFERED if not hasattr(extension, name)]:
        stale = f"the extension was built from other source files: it has no {', '.join(missing)}"
        warnings.warn(f"The native kernel is turned off: {stale}.", RuntimeWarning, stacklevel=2)
        return None, KernelInfo(native=False, path=PYTHON, paths=(PYTHON,), reason=stale)
    native: type[PreparedSeeds] = extension.PreparedSeeds
    passing, wrong = _passing(native, extension.PATHS)
    reason = "; ".join(wrong) or None
    if reason is not None:
        warnings.warn(f"The native kernel is turned off where it is wrong: {reason}.", RuntimeWarning, stacklevel=2)
    paths = (*passing, PYTHON)
    return native, KernelInfo(native=bool(passing), path=paths[0], paths=paths, reason=reason)


_OFFERED: Final = ("PATHS", "PreparedSeeds", "count_coups", "derive_rows", "hash_rows", "read_cards", "sum_lines")
"""What is asked of the extension here. One that was built before some of it came cannot be used."""

_LABELS = ("pfb1", "pfb1-chain")  # the ways of dealing coups
_NATIVE, _INFO = _find_kernel()
if _INFO.native:
    FASTER_SOURCES["coup"] = coup_source
