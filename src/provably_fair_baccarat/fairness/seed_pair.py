"""A seed pair and the commitment it answers to: everything that a round is derived from but its nonce."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Self, TypeVar

from ..errors import CommitmentMismatchError, SecretError, SeedError, SeedTextError
from .inputs import parse_decks
from .schemes import scheme_named
from .schemes.pfb1 import PFB1
from .seeds import ClientSeed, Commitment, ServerSeed
from .slips import seed_slips

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..errors import Slip
    from .schemes import Scheme, Source

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a round comes from, as far as everyone may know it: scheme, decks, commitment and client seed."""

    scheme: str
    decks: int
    commitment: Commitment
    client_seed: ClientSeed

    @property
    def label(self) -> str:
        """The text that begins everything that is hashed, like `pfb1:8` (protocol step 1)."""
        return scheme_named(self.scheme).label(self.decks)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Seeds:
    """A server seed, a client seed and the commitment that the server seed answers to (protocol steps 1 and 2).

    Takes typed values, or the plain text that a person has at hand. `decks` is 1 to 8; `scheme` says how cards come from the seeds and what
    the commitment is made of. There are no seeds that do not fit: raises CommitmentMismatchError where the server seed is not the one
    committed to, and SeedTextError where a text cannot be what it is given for, both with the likely slip as their hint. The server seed
    is never shown, and seeds cannot be pickled.
    """

    server_seed: ServerSeed
    client_seed: ClientSeed
    commitment: Commitment
    decks: int
    scheme: str
    origin: Origin
    """Everything but the server seed: what a round may carry."""
    source: Source
    """The cut and the cards of each nonce (protocol steps 3 to 5)."""

    def __init__(
        self,
        server_seed: ServerSeed | str,
        client_seed: ClientSeed | str,
        commitment: Commitment | str,
        decks: int = 8,
        *,
        scheme: str = PFB1.name,
    ) -> None:
        given = _Given(server_seed, client_seed, commitment)
        del server_seed, client_seed, commitment
        way = scheme_named(scheme)
        decks = parse_decks(decks)
        server, client, published = given.read(decks, way)
        values = (server, client, published, decks, scheme, Origin(scheme, decks, published, client), way.source(server, client, decks))
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def commit(cls, server_seed: ServerSeed | str, client_seed: ClientSeed | str, decks: int = 8, *, scheme: str = PFB1.name) -> Self:
        """The operator's side: seeds with the commitment that is computed from the server seed itself."""
        given = _Given(server_seed, client_seed, None)
        del server_seed, client_seed
        way = scheme_named(scheme)
        decks = parse_decks(decks)
        return cls(given.server_seed, given.client_seed, way.commit(given.read_server_seed(), decks), decks, scheme=scheme)

    def __eq__(self, other: object) -> bool:
        return (self.origin, self.server_seed) == (other.origin, other.server_seed) if isinstance(other, Seeds) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.origin, self.server_seed))

    def __repr__(self) -> str:
        if not hasattr(self, "origin"):
            return "Seeds(<refused>)"
        return f"Seeds({self.server_seed!r}, {self.client_seed!r}, {self.commitment!r}, {self.decks}, scheme={self.scheme!r})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise SecretError("seeds", "a secret that stays in this process", "an attempt to pickle it")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class _Given:
    """What someone passed as seeds, out of sight of tracebacks that show local variables: it may be a secret in any place."""

    __slots__ = ("client_seed", "commitment", "server_seed")

    def __init__(self, server_seed: ServerSeed | str, client_seed: ClientSeed | str, commitment: Commitment | str | None) -> None:
        self.server_seed = server_seed
        self.client_seed = client_seed
        self.commitment = commitment

    def read(self, decks: int, scheme: Scheme) -> tuple[ServerSeed, ClientSeed, Commitment]:
        """The typed values, if each is in its form and the server seed fits the commitment."""
        try:
            server = _typed(self.server_seed, ServerSeed, ServerSeed.parse)
            published = _typed(self.commitment, Commitment, Commitment.parse)
            client = _typed(self.client_seed, ClientSeed, ClientSeed)
        except SeedError as error:
            raise SeedTextError(error.subject, error.expected, error.found, self.slips(decks, scheme) or error.slips) from None
        computed = scheme.commit(server, decks)
        if computed != published:
            slips = self.slips(decks, scheme)
            is_swapped = any(slip.code == "commitment_swapped" for slip in slips)
            expected = "the commitment" if is_swapped else str(published)
            del published
            raise CommitmentMismatchError("commitment of the server seed", expected, str(computed), slips)
        return server, client, published

    def read_server_seed(self) -> ServerSeed:
        """The server seed alone, if it is in its form."""
        try:
            return _typed(self.server_seed, ServerSeed, ServerSeed.parse)
        except SeedError as error:
            raise SeedTextError(error.subject, error.expected, error.found, error.slips) from None

    def slips(self, decks: int, scheme: Scheme) -> tuple[Slip, ...]:
        """What may have gone wrong."""
        return seed_slips(self.server_seed, self.client_seed, self.commitment, decks, scheme)


def _typed(value: object, kind: type[_Value], parse: Callable[[str], _Value]) -> _Value:
    return value if isinstance(value, kind) else parse(value)  # type: ignore[arg-type]  # parse refuses what is not text
