"""The words of a coup and the unbiased draw: protocol steps 3 and 4."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, Final, TypeAlias

from ..errors import DrawError, describe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .schemes import AnyServerSeed
    from .seeds import ClientSeed

WORD_BITS: Final = 32

Blocks: TypeAlias = "Callable[[int, int], bytes]"
"""From a nonce and a block number to the 32 bytes of that block."""

Words: TypeAlias = "Iterator[int]"
"""Unsigned 32-bit words, in the order of the stream."""

unpack_words: Final[Callable[[bytes], tuple[int, ...]]] = Struct(">8I").unpack
"""The eight words of a block, big-endian, in order."""

_BLOCK_SIZE = 64
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


def hmac_blocks(server_seed: AnyServerSeed, label: str, client_seed: ClientSeed) -> Blocks:
    """The blocks of one server seed, label and client seed (protocol step 3): HMAC-SHA-256 of any nonce and block number.

    Both key pads, and the part of the message before the nonce, are hashed here, once.
    """
    key = server_seed.reveal_bytes().ljust(_BLOCK_SIZE, b"\0")
    copy_inner = sha256(key.translate(_INNER_PAD) + label.encode() + b":" + client_seed.utf8 + b":").copy
    copy_outer = sha256(key.translate(_OUTER_PAD)).copy

    def block(nonce: int, i: int) -> bytes:
        inner = copy_inner()
        inner.update(b"%d:%d" % (nonce, i))
        outer = copy_outer()
        outer.update(inner.digest())
        return outer.digest()

    return block


def words_of(blocks: Blocks, nonce: int) -> Words:
    """The stream of a coup: the words of block 0, then of block 1, and so on without end."""
    i = 0
    while True:
        yield from unpack_words(blocks(nonce, i))
        i += 1


def draw(words: Words, n: int, *, word_bits: int = WORD_BITS) -> int:
    """Draw a whole number from 0 to n - 1, every one equally likely (protocol step 4).

    Takes the next word that is below the largest multiple of n, and of it the rest mod n. `word_bits` is the size of the words; the
    protocol's have 32. Raises DrawError unless 1 <= n <= 2^word_bits.
    """
    size = 1 << word_bits
    if type(n) is not int or not 1 <= n <= size:
        raise DrawError("draw", f"a whole number from 1 to 2^{word_bits} of things to draw from", describe(n))
    limit = size - size % n
    for word in words:
        if word < limit:
            return word % n
    raise DrawError("draw", "words without end", "no more words")
