"""One secret, one use (protocol step 9): server seeds and links that serve more than one commitment, or lie in another chain.

Everything is told by hashes. The SHA-256 of a link is the link below it, so what lies in another chain leads, hash after hash, to a link
of it that is known: as far as a bounded number of hashes goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from .arrow import pa, pc
from .columns import as_codes, as_flags, as_numbers, fixed_array, fixed_bytes
from .facts import unpack
from .findings import Finding
from .hashing import sha256_rows
from .pair_checks import ROOTS, SEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .dealt import Bytes, Flags, Numbers
    from .seed_book import SeedBook

STEPS: Final = 1 << 16
"""How many hashes are spent on looking inside of other chains: so many, and one for every `ROUNDS_OF_STEP` rounds."""

ROUNDS_OF_STEP: Final = 8

_FILTER: Final = 1 << 24  # what a hash is looked up in first: so many flags


class _Secrets(NamedTuple):
    """Secrets by the first half of their SHA-256, and the commitments that they serve."""

    commitments: Bytes
    marks: Bytes

    def commitment(self, place: int) -> str:
        """The commitment of one of them."""
        return bytes(self.commitments[place]).hex()

    def also(self, commitments: Bytes, digests: Bytes) -> _Secrets:
        """These and others."""
        return _Secrets(np.concatenate([self.commitments, commitments]), np.concatenate([self.marks, digests[:, :16]]))


def reused_secrets(seen: Iterable[bytes], roots: Iterable[bytes], rounds: int, seeds: SeedBook | None = None) -> Iterator[Finding]:
    """Findings of secrets that serve more than one commitment, from all payloads of the kinds `seen` and `roots`, and the table of seeds."""
    told, alone = _table(seen, SEEN), _table(roots, ROOTS)
    of_link = as_flags(told.column("server_seed").is_valid())
    links = _Secrets(fixed_bytes(told.column("commitment"))[of_link], fixed_bytes(told.column("server_seed"))[of_link])
    commitments, digests = fixed_bytes(alone.column("commitment")), fixed_bytes(alone.column("server_seed"))
    lengths = as_numbers(alone.column("length"), 0, np.int64)
    everything = links.also(commitments, digests)
    if seeds is not None:
        of_book = _of_book(seeds, commitments[lengths == 0])
        everything = everything.also(seeds.commitments[of_book], sha256_rows(seeds.server_seeds[of_book]))
    found = list(_equal(everything))
    if lengths.any():
        most = _unspent(links, commitments, lengths)
        chains = links.also(commitments[lengths > 0], digests[lengths > 0])
        steps = min(most, (STEPS + rounds // ROUNDS_OF_STEP) // len(digests))
        found += [(commitments[root].tobytes().hex(), chains.commitment(place)) for root, place in _inside(digests, chains.marks, steps)]
    reused: dict[str, str] = {}
    for pair in found:
        first, other = sorted(pair)
        if first != other:
            reused[other] = min(first, reused.get(other, first))
    for text, first in sorted(reused.items()):
        yield Finding("server_seed_reused", "a server seed of its own", f"that of commitment {first}", commitment=text)


def _table(payloads: Iterable[bytes], schema: Any) -> Any:
    """What lies in payloads, as one batch."""
    table: Any = pa.Table.from_batches(map(unpack, payloads), schema).combine_chunks()
    return table.to_batches()[0] if len(table) else pa.RecordBatch.from_pylist([], schema=schema)


def _of_book(seeds: SeedBook, rooted: Bytes) -> Numbers:
    """The seeds in the book that no round has: of pairs without rounds, and the newest links of chains."""
    is_other = seeds.has_seed.copy()
    places = seeds.find(rooted)
    is_other[places[places >= 0]] = False
    return np.flatnonzero(is_other)


def _equal(secrets: _Secrets) -> Iterator[tuple[str, str]]:
    """The commitments of equal secrets, two by two."""
    codes, _ = as_codes(fixed_array(secrets.marks))
    order = np.argsort(codes, kind="stable")
    again = np.flatnonzero(np.diff(codes[order]) == 0) + 1
    if not len(again):
        return
    starts = np.append(True, np.diff(again) > 1)
    firsts = again[starts] - 1
    for first, stop in zip(firsts.tolist(), [*(again[np.flatnonzero(starts)[1:] - 1] + 1).tolist(), int(again[-1]) + 1], strict=True):
        users = {secrets.commitment(place) for place in order[first:stop].tolist()}
        lowest = min(users)
        yield from ((lowest, user) for user in sorted(users))


def _unspent(links: _Secrets, commitments: Bytes, lengths: Numbers) -> int:
    """How many links of a chain are not known, at most: so far may a secret be above the known ones."""
    chains = np.flatnonzero(lengths > 0)
    counts = np.zeros(len(chains), np.int64)
    places = pc.index_in(fixed_array(links.commitments), value_set=fixed_array(commitments[chains]))
    known = as_numbers(places, -1, np.int64)
    np.add.at(counts, known[known >= 0], 1)
    return int((lengths[chains] - counts).max(initial=0))


def _inside(digests: Bytes, marks: Bytes, steps: int) -> Iterator[tuple[int, int]]:
    """Which secrets, after at most so many hashes, come to a known one of a chain, and to which."""
    known = np.ascontiguousarray(marks[:, :8]).view(np.uint64).reshape(-1)
    order = np.argsort(known)
    in_order = known[order]
    is_there: Flags = np.zeros(_FILTER, np.bool_)
    is_there[known % _FILTER] = True
    at: Bytes = digests
    rest: Numbers = np.arange(len(digests), dtype=np.int64)
    for _ in range(steps):
        at = sha256_rows(at)
        words = np.ascontiguousarray(at[:, :8]).view(np.uint64).reshape(-1)
        hits = np.flatnonzero(is_there[words % _FILTER])
        nearest: Any = order[np.minimum(np.searchsorted(in_order, words[hits]), len(order) - 1)]
        is_same: Flags = (marks[nearest] == at[hits, :16]).all(axis=1)
        if is_same.any():
            yield from zip(rest[hits[is_same]].tolist(), nearest[is_same].tolist(), strict=True)
            left = np.delete(np.arange(len(rest)), hits[is_same])
            at, rest = at[left], rest[left]
