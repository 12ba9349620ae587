"""The Merkle tree of RFC 6962 over SHA-256: hashes of leaves and nodes, and the verification of both kinds of proof.

It is pure arithmetic on hashes. A proof is a sequence of 32-byte hashes; whoever made it is not trusted.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from ...errors import ConsistencyError, InclusionError, describe

if TYPE_CHECKING:
    from collections.abc import Sequence

EMPTY_ROOT: Final = sha256().digest()
"""The root of a tree without leaves."""

MAX_SIZE: Final = 2**63 - 1


def hash_leaf(entry: bytes) -> bytes:
    """The hash of a leaf: SHA-256 of a zero byte and the entry."""
    return sha256(b"\0" + entry).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    """The hash of a node: SHA-256 of a one byte and both children."""
    return sha256(b"\1" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root of the tree over these hashes of leaves, or of full subtrees of one size."""
    if not leaves:
        return EMPTY_ROOT
    row = list(leaves)
    while len(row) > 1:
        paired = [sha256(b"\1" + row[place] + row[place + 1]).digest() for place in range(0, len(row) - 1, 2)]
        if len(row) % 2:
            paired.append(row[-1])
        row = paired
    return row[0]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Prove that a leaf with this hash stands at `index` in the tree of this size and root. Raises InclusionError."""
    if type(index) is not int or type(size) is not int or not 0 <= index < size <= MAX_SIZE:
        raise InclusionError("index in a log", "a whole number below the size of its tree", f"{describe(index)} of {describe(size)}")
    _require_hashes(proof, InclusionError)
    inner = (index ^ (size - 1)).bit_length()
    border = (index >> inner).bit_count()
    if len(proof) != inner + border or len(leaf) != 32:
        raise InclusionError("inclusion proof", f"{inner + border} hashes for index {index} of {size}", f"{len(proof)}")
    found = leaf
    for level, sibling in enumerate(proof):
        is_right = level >= inner or index >> level & 1
        found = sha256(b"\1" + sibling + found).digest() if is_right else sha256(b"\1" + found + sibling).digest()
    if found != root:
        raise InclusionError("inclusion proof", f"one that leads to the root {root.hex()}", found.hex())


class InclusionVerifier:
    """Verifies many inclusion proofs under one root, as `verify_inclusion` does; a proof is its hashes one behind the other.

    Where a proof meets the one before it, in the same node and with the same hashes above it, that has led to the root already.
    """

    __slots__ = ("_index", "_inner", "_nodes", "_path", "_root", "_size")

    def __init__(self, size: int, root: bytes) -> None:
        self._size = size
        self._root = root
        self._index = self._inner = 0
        self._path = b""
        self._nodes: list[bytes] = []

    def verify(self, leaf: bytes, index: int, path: bytes) -> None:
        """Prove that a leaf with this hash stands at `index`. Raises InclusionError."""
        meeting = (index ^ self._index).bit_length()
        if index >= 0 and meeting < self._inner and path[32 * meeting :] == self._path[32 * meeting :]:
            nodes = _climb(leaf, index, path[: 32 * meeting])
            if nodes[-1] == self._nodes[meeting]:
                self._nodes[: meeting + 1] = nodes
                self._index, self._path = index, path
                return
        proof = [path[place : place + 32] for place in range(0, len(path), 32)]
        verify_inclusion(leaf, index, self._size, proof, self._root)
        self._index, self._path, self._inner = index, path, (index ^ (self._size - 1)).bit_length()
        self._nodes = _climb(leaf, index, path[: 32 * self._inner])


def _climb(leaf: bytes, index: int, path: bytes) -> list[bytes]:
    """The nodes from a leaf up, with the hashes beside them."""
    nodes, node = [leaf], leaf
    for place in range(0, len(path), 32):
        sibling = path[place : place + 32]
        node = sha256(b"\1" + sibling + node if index & 1 else b"\1" + node + sibling).digest()
        nodes.append(node)
        index >>= 1
    return nodes


def verify_consistency(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> None:
    """Prove that the tree of `size` begins with the whole tree of `old_size` (RFC 6962, section 2.1.2). Raises ConsistencyError.

    Every tree begins with the one without leaves, if that has the root that it always has.
    """
    if type(old_size) is not int or type(size) is not int or not 0 <= old_size <= size <= MAX_SIZE:
        raise ConsistencyError("sizes of a log", "an old one that is at most the new one", f"{describe(old_size)} and {describe(size)}")
    _require_hashes(proof, ConsistencyError)
    if old_size in (0, size):
        _require_nothing_to_prove(old_size, old_root, size, root, proof)
        return
    shift = (old_size & -old_size).bit_length() - 1
    inner = ((old_size - 1) ^ (size - 1)).bit_length() - shift
    border = ((old_size - 1) >> (inner + shift)).bit_count()
    has_seed = old_size != 1 << shift
    if len(proof) != inner + border + has_seed:
        raise ConsistencyError("consistency proof", f"{inner + border + has_seed} hashes from {old_size} to {size}", f"{len(proof)}")
    seed, path = (proof[0], proof[1:]) if has_seed else (old_root, proof)
    mask = (old_size - 1) >> shift
    old_found = found = seed
    for level, sibling in enumerate(path):
        if level >= inner or mask >> level & 1:
            old_found = hash_node(sibling, old_found)
            found = hash_node(sibling, found)
        else:
            found = hash_node(found, sibling)
    if old_found != old_root:
        raise ConsistencyError("consistency proof", f"one that leads to the old root {old_root.hex()}", old_found.hex())
    if found != root:
        raise ConsistencyError("consistency proof", f"one that leads to the root {root.hex()}", found.hex())


def _require_nothing_to_prove(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> None:
    """An empty tree has its one root, and a tree of the same size the same one; neither needs a proof. Raises ConsistencyError."""
    if proof:
        raise ConsistencyError("consistency proof", "none between these sizes", f"{len(proof)} hashes")
    for expected, found, is_so in ((EMPTY_ROOT, old_root, old_size == 0), (old_root, root, old_size == size)):
        if is_so and expected != found:
            raise ConsistencyError(f"root of size {old_size}", expected.hex(), found.hex())


def _require_hashes(proof: Sequence[bytes], error: type[InclusionError | ConsistencyError]) -> None:
    if not (set(map(type, proof)) <= {bytes} and set(map(len, proof)) <= {32}):
        raise error("proof", "hashes of 32 bytes", "something else")
