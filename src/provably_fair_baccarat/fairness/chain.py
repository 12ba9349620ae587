"""Seed chains: one commitment for many server seeds, each revealed right after its coup (protocol step 8).

Links are made backwards, each the SHA-256 of the next, and revealed forwards. So a revealed link proves itself and every earlier one, by
hashing down to the anchor, and tells nothing about the later ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NoReturn, Self, final

from ..errors import ChainError, LinkMismatchError, NonceError, SecretError, Slip, describe
from ..frozen import open_twin
from .hex_form import describe_secret, read_hex
from .inputs import parse_decks, parse_nonce
from .seeds import Commitment, Entropy, Frozen, ServerSeed, operating_system_entropy

MAX_LENGTH: Final = 1_000_000
"""The most coups that one chain serves."""

LABEL: Final = "pfb1-chain"

_MARKS: Final = 1_024


@dataclass(frozen=True, slots=True, init=False)
class Chain:
    """What is published of a seed chain: its anchor, link(0), as 64 lower-case hex digits, and how many coups it serves, 1 to 1,000,000.

    Raises ChainError for anything else.
    """

    anchor: str
    length: int

    def __init__(self, anchor: str, length: int) -> None:
        digest = read_hex(anchor, "anchor", ChainError)
        if isinstance(digest, ChainError):
            raise digest
        object.__setattr__(self, "anchor", anchor)
        object.__setattr__(self, "length", read_length(length))

    def commitment(self, decks: int) -> Commitment:
        """SHA-256 of the label, the length and the anchor, with colons between them."""
        return Commitment(sha256(f"{LABEL}:{parse_decks(decks)}:{self.length}:{self.anchor}".encode()).digest())


@dataclass(frozen=True, slots=True)
class Link:
    """The link of a chain that a coup was dealt with: link(nonce + 1), whose nonce + 1 hashes have led to the anchor.

    There are no wrong ones: raises NonceError for a nonce from the chain's length on, and LinkMismatchError for another link, with the
    nonce whose link it is, if it is one.
    """

    chain: Chain
    nonce: int
    server_seed: ServerSeed

    def __post_init__(self) -> None:
        if not isinstance(self.chain, Chain):
            raise ChainError("chain", "a Chain", describe(self.chain))
        if not isinstance(self.server_seed, ServerSeed):
            raise ChainError("link of the seed chain", "a ServerSeed", describe_secret(self.server_seed))
        _read_place(self.nonce, self.chain)
        if _hash(self.server_seed.reveal_bytes(), self.nonce + 1).hex() != self.chain.anchor:
            raise LinkMismatchError(
                "link of the seed chain",
                f"one that leads to the anchor in {self.nonce + 1:,} hash{'es' * (self.nonce > 0)}",
                "another one",
                tuple(self._slips()),
            )

    def _slips(self) -> list[Slip]:
        digest = self.server_seed.reveal_bytes()
        if digest.hex() == self.chain.anchor:
            return [Slip("anchor_as_link", "This is the anchor of the chain; the link of a coup is told after the coup.")]
        for nonce in range(self.chain.length):
            digest = _hash(digest, 1)
            if digest.hex() == self.chain.anchor:
                return [Slip("nonce", f"It is the link of nonce {nonce}.")]
        return []


_OpenLink = open_twin(Link)


class _Ladder:
    """Some rungs of a chain of hashes, from which every rung below the top is a few hashes away: rung(i - 1) = SHA-256(rung(i)).

    Between two marks it remembers the rungs that were asked for last, so that one after another costs a hash each. Threads may share it:
    what is remembered is exchanged as a whole.
    """

    __slots__ = ("_highest_mark", "_marks", "_near", "_step", "_top", "rungs")

    def __init__(self, top: bytes, rungs: int) -> None:
        self.rungs = rungs
        self._top = top
        self._step = -(-rungs // _MARKS)
        self._highest_mark = rungs // self._step
        digest = _hash(top, rungs % self._step)
        marks = [digest]
        for _ in range(self._highest_mark):
            digest = _hash(digest, self._step)
            marks.append(digest)
        self._marks = b"".join(reversed(marks))
        self._near = (-1, b"")

    def rung(self, i: int) -> bytes:
        mark = -(-i // self._step)
        known, near = self._near
        if known != mark:
            near = self._near_mark(mark)
            self._near = (mark, near)
        return _piece(near, mark * self._step - i - self._missing(mark))

    def _near_mark(self, mark: int) -> bytes:
        """The rungs from a mark, or from the top if that is lower, down to the last one above the mark below."""
        digest = _piece(self._marks, mark) or self._top
        near = [digest]
        for _ in range(self._step - 1 - self._missing(mark) if mark else 0):
            digest = _hash(digest, 1)
            near.append(digest)
        return b"".join(near)

    def _missing(self, mark: int) -> int:
        """How far the top is below a mark that it doesn't reach."""
        return max(0, mark * self._step - self.rungs)


class _Links(Frozen):
    """The links of a chain up to some nonce, with few of them held."""

    __slots__ = ("_ladder", "chain")
    _ladder: _Ladder
    chain: Chain

    def link(self, nonce: int) -> Link:
        """The link of this nonce, at about a thousandth of the hashes of the whole chain. Raises NonceError beyond the last one held."""
        _read_place(nonce, self.chain)
        if nonce >= self._ladder.rungs:
            raise NonceError("nonce", f"at most {self._ladder.rungs - 1:,}, the last one whose link is known", describe(nonce))
        link = _OpenLink()
        link.chain = self.chain
        link.nonce = nonce
        link.server_seed = ServerSeed(self._ladder.rung(nonce + 1))
        link.__class__ = Link
        return link  # type: ignore[no-any-return]  # it is a Link since the line before

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<secret>, {getattr(self, 'chain', None)!r})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise SecretError("seed chain", "a secret that stays in this process", "an attempt to pickle it")


@final
class SeedChain(_Links):
    """The operator's side of a chain: all of its links, of which it holds some 1,000.

    `last_link` is link(length), 32 secret bytes that serve no other chain; `generate` makes one. Raises ChainError for the length and
    DecksError for the decks.
    """

    __slots__ = ("commitment", "decks")
    commitment: Commitment
    decks: int

    def __init__(self, last_link: ServerSeed, length: int, decks: int = 8) -> None:
        object.__setattr__(self, "decks", parse_decks(decks))
        read_length(length)
        if not isinstance(last_link, ServerSeed):
            raise ChainError("last link of the chain", "a ServerSeed", describe_secret(last_link))
        object.__setattr__(self, "_ladder", _Ladder(last_link.reveal_bytes(), length))
        object.__setattr__(self, "chain", Chain(self._ladder.rung(0).hex(), length))
        object.__setattr__(self, "commitment", self.chain.commitment(decks))

    @classmethod
    def generate(cls, length: int, decks: int = 8, entropy: Entropy = operating_system_entropy) -> Self:
        """Make a chain from the operating system's generator, or from `entropy`; a million links take about half a second."""
        return cls(ServerSeed.generate(entropy), length, decks)


@final
class RevealedChain(_Links):
    """All links up to a revealed one, which proves them: every earlier coup can be verified without hashing down again.

    Raises as `Link` does.
    """

    __slots__ = ()

    def __init__(self, chain: Chain, server_seed: ServerSeed, nonce: int) -> None:
        if not (isinstance(chain, Chain) and isinstance(server_seed, ServerSeed)):
            Link(chain, nonce, server_seed)  # which says what is wrong
        object.__setattr__(self, "chain", chain)
        object.__setattr__(self, "_ladder", _Ladder(server_seed.reveal_bytes(), _read_place(nonce, chain) + 1))
        if self._ladder.rung(0).hex() != chain.anchor:
            Link(chain, nonce, server_seed)  # which says what is wrong


def read_length(length: int) -> int:
    """How many coups a chain serves, 1 to 1,000,000. Raises ChainError."""
    if type(length) is not int or not 1 <= length <= MAX_LENGTH:
        raise ChainError("length of the chain", f"a whole number from 1 to {MAX_LENGTH:,}", describe(length))
    return length


def _read_place(nonce: int, chain: Chain) -> int:
    if parse_nonce(nonce) >= chain.length:
        raise NonceError("nonce", f"one below the length of the chain, {chain.length:,}", describe(nonce))
    return nonce


def _piece(digests: bytes, place: int) -> bytes:
    """One of many digests in a row."""
    return digests[place * 32 : (place + 1) * 32]


def _hash(digest: bytes, times: int) -> bytes:
    for _ in range(times):
        digest = sha256(digest).digest()
    return digest
