"""The random stream and what is drawn from it, as bytes, for batteries of statistical tests.

A real round takes the same words by the same functions; here nothing is left out and nothing is dealt. With the native kernel it writes
some hundred megabytes a second, and without it the same in Python, slowly.
"""

from __future__ import annotations

from contextlib import suppress
from struct import Struct
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from .. import kernel
from ..errors import DrawError, LaboratoryError, NonceError, describe, nearest
from ..fairness.inputs import parse_nonce
from ..fairness.shoe import POSITIONS, cut_and_draw
from ..fairness.stream import WORD_BITS, draw, hmac_blocks, words_of
from .pairs import read_rounds, seed_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..fairness.seed_pair import Seeds
    from ..fairness.stream import Blocks

BLOCK_SIZE: Final = 32
"""Bytes of a block: eight words."""

WORD_SIZE: Final = 4

DRAWS: Final = Struct(">7H")
"""The draws of a coup: the cut, and those of positions 1 to 6."""

PIECE: Final = 1 << 15
"""Rounds that are written at once: a megabyte of words."""


def words(seeds: Seeds, nonces: range, *, path: str | None = None) -> bytes:
    """The blocks of the stream that the coups of these nonces take, one coup after the other (protocol step 3).

    A block is eight words of 4 bytes, big-endian. A coup takes block 0 whole, and block 1 only where so many words of block 0 are rejected
    that too few are left: less than once in 10^12 coups. Raises as `kernel.derive` does.
    """
    nonces = _read_range(nonces)
    prepared = kernel.prepare(seeds, path)
    if prepared is None:
        return _words_in_python(seeds, nonces)
    parts: list[bytes | bytearray] = []
    while nonces:
        out = bytearray(BLOCK_SIZE * len(nonces))
        done = prepared.words(_bounds(nonces), out)  # which stops before a coup that takes more than block 0
        del out[BLOCK_SIZE * done :]
        parts += (out, _words_in_python(seeds, nonces[done : done + 1]))
        nonces = nonces[done + 1 :]
    return b"".join(parts)


def draws(seeds: Seeds, nonces: range, *, path: str | None = None) -> bytes:
    """The seven draws of each coup, 2 bytes each, big-endian (protocol steps 4 and 5).

    The first is the cut, draw(N). The others are draw(N - k) for k = 0 to 5; the slot j that slot k is swapped with lies so many slots
    behind slot k. Raises as `kernel.derive` does.
    """
    nonces = _read_range(nonces)
    prepared = kernel.prepare(seeds, path)
    if prepared is None:
        return _draws_in_python(seeds, nonces)
    out = bytearray(DRAWS.size * len(nonces))
    prepared.draws(_bounds(nonces), out)
    return bytes(out)


def cards(seeds: Seeds, nonces: range, *, path: str | None = None) -> bytes:
    """The six cards of each coup, a byte each, 0 to 51 by their place in `DECK` (protocol step 5). Raises as `kernel.derive` does."""
    nonces = _read_range(nonces)
    records = kernel.derive(seeds, nonces, path=path)
    out = bytearray(POSITIONS * len(nonces))
    for k in range(POSITIONS):
        out[k::POSITIONS] = records[2 + k :: kernel.RECORD.size]
    return bytes(out)


def scale(seeds: Seeds, nonces: range, n: int, *, path: str | None = None) -> bytes:
    """draw(n) again and again from the words of these coups: 4 bytes for each result, big-endian (protocol step 4).

    A rejected word gives no result. `n` is a whole number from 1 to 2^32: with 2^32 the results are the words. Raises DrawError for
    another one, and as `kernel.derive` does.
    """
    if type(n) is not int or not 1 <= n <= 1 << WORD_BITS:
        raise DrawError("draw", f"a whole number from 1 to 2^{WORD_BITS} of things to draw from", describe(n))
    stream = words(seeds, nonces, path=path)
    prepared = kernel.prepare(seeds, path)
    if prepared is None:
        return _scale_in_python(stream, n)
    out = bytearray(len(stream))
    del out[WORD_SIZE * prepared.scale(stream, n, out) :]
    return bytes(out)


FORMS: Mapping[str, Callable[..., bytes]] = MappingProxyType({"words": words, "draws": draws, "cards": cards})
"""What can be streamed, by its name."""


def stream(
    form: str,
    key: bytes,
    *,
    rounds: int | None = None,
    decks: int = 8,
    pair_rounds: int = 10**6,
    bound: int | None = None,
    path: str | None = None,
) -> Iterator[bytes]:
    """The stream of `rounds` coups in one of the `FORMS`, or without end: piece after piece.

    The coups are those of the nonces 0 to `pair_rounds` - 1 of one seed pair after the other, as they come from the 32 bytes of `key`. With
    `bound`, the form is `draws` and each is draw(bound), as `scale` gives them. Raises LaboratoryError, DrawError, DecksError or
    KernelError at once.
    """
    if form not in FORMS:
        raise LaboratoryError("form", f"one of {', '.join(FORMS)}", describe(form), nearest(form, FORMS))
    if bound is not None and form != "draws":
        raise LaboratoryError("form with a bound", "draws", form)
    if rounds is not None:
        read_rounds(rounds)
    read_rounds(pair_rounds, "rounds of a seed pair")
    pairs = seed_pairs(key, decks)

    def piece(seeds: Seeds, nonces: range) -> bytes:
        return FORMS[form](seeds, nonces, path=path) if bound is None else scale(seeds, nonces, bound, path=path)

    piece(next(seed_pairs(key, decks)), range(0))  # refuses what cannot be
    return (piece(seeds, nonces) for seeds, nonces in _pieces(pairs, rounds, pair_rounds))


def _pieces(pairs: Iterator[Seeds], rounds: int | None, pair_rounds: int) -> Iterator[tuple[Seeds, range]]:
    left = rounds
    for seeds in pairs:
        for start in range(0, pair_rounds, PIECE):
            nonces = range(start, min(start + PIECE, pair_rounds))
            nonces = nonces if left is None else nonces[:left]
            yield seeds, nonces
            if left is not None and (left := left - len(nonces)) == 0:
                return


def _read_range(nonces: object) -> range:
    """Nonces in a row, each of which may be one."""
    if not isinstance(nonces, range) or nonces.step != 1:
        raise NonceError("nonces", "a range of step 1", describe(nonces))
    if nonces:
        parse_nonce(nonces[0])
        parse_nonce(nonces[-1])
    return nonces or range(0)


def _bounds(nonces: range) -> tuple[int, int]:
    return nonces.start, nonces.stop


def _blocks(seeds: Seeds) -> tuple[Blocks, int]:
    """The blocks of a pair, and its decks."""
    decks = seeds.decks or 0
    return hmac_blocks(seeds.server_seed, seeds.origin.label, seeds.client_seed), decks


def _words_in_python(seeds: Seeds, nonces: range) -> bytes:
    """The reference: whatever blocks are asked for when a coup is drawn."""
    blocks, decks = _blocks(seeds)
    taken: list[bytes] = []

    def take(nonce: int, i: int) -> bytes:
        taken.append(blocks(nonce, i))
        return taken[-1]

    for nonce in nonces:
        cut_and_draw(words_of(take, nonce), decks)
    return b"".join(taken)


def _draws_in_python(seeds: Seeds, nonces: range) -> bytes:
    """The reference: the cut, then the draws of the positions."""
    blocks, decks = _blocks(seeds)
    choices = (52 * decks, *range(52 * decks, 52 * decks - POSITIONS, -1))
    streams = (words_of(blocks, nonce) for nonce in nonces)
    return b"".join(DRAWS.pack(*(draw(left, n) for n in choices)) for left in streams)


def _scale_in_python(stream: bytes, n: int) -> bytes:
    """The reference: draws until the words end."""
    results: list[bytes] = []
    left = (word for (word,) in Struct(">I").iter_unpack(stream))
    with suppress(DrawError):
        while True:
            results.append(draw(left, n).to_bytes(WORD_SIZE))
    return b"".join(results)
