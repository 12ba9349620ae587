"""A seed pair and the commitment it answers to: everything that a round is derived from but its nonce."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Self, TypeVar

from ..errors import (
    ChainError,
    CommitmentMismatchError,
    LinkMismatchError,
    SchemeError,
    SecretError,
    SeedError,
    SeedTextError,
    ServerSeedError,
    Slip,
    describe,
)
from .chain import Chain, Link
from .hex_form import describe_secret, digit_slips
from .inputs import parse_decks
from .schemes import SCHEMES, AnyServerSeed, scheme_named
from .schemes.pfb1 import PFB1, PFB1_CHAIN
from .seeds import ClientSeed, Commitment, ServerSeed
from .slips import chain_slips, seed_slips

if TYPE_CHECKING:
    from collections.abc import Callable

    from .schemes import Derived, Scheme, Source

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a round comes from, as far as everyone may know it: scheme, decks, commitment and client seed."""

    scheme: str
    label: str
    """The text that names scheme and shoe, and begins everything that is hashed: `pfb1:8` (protocol step 1)."""
    decks: int | None
    """How many decks the shoe is made of, None for an infinite deck."""
    commitment: Commitment | None
    """What was committed to, None where another house gave no commitment."""
    client_seed: ClientSeed
    chain: Chain | None = None
    """The seed chain that the commitment is to, where the server seed is a link of one."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Seeds:
    """A server seed, a client seed and the commitment that the server seed answers to (protocol steps 1 and 2).

    Takes typed values, or the plain text that a person has at hand. `decks` is 1 to 8; `scheme` says how cards come from the seeds and what
    the commitment is made of, by its name or as an object of one's own. The schemes of other houses have a shoe of their own, so that decks
    are left out, and the commitment is None where the house gave none. With `chain`, the server seed is a link of that seed chain and the
    scheme is `pfb1-chain` (protocol step 8): the commitment is to the chain, and whether the link is the one of a nonce is proved when that
    nonce is dealt, unless it is a `Link`, which is proved already. There are no seeds that do not fit: raises CommitmentMismatchError where
    the server seed is not the one committed to, and SeedTextError where a text cannot be what it is given for, both with the likely slip as
    their hint. The server seed is never shown, and seeds cannot be pickled.
    """

    server_seed: AnyServerSeed
    client_seed: ClientSeed
    commitment: Commitment | None
    decks: int | None
    scheme: str
    way: Scheme
    """The scheme itself, of which `scheme` is the name."""
    origin: Origin
    """Everything but the server seed: what a round may carry."""
    source: Source
    """The cut and the cards of each nonce (protocol steps 3 to 5)."""

    def __init__(
        self,
        server_seed: AnyServerSeed | Link | str,
        client_seed: ClientSeed | str,
        commitment: Commitment | str | None,
        decks: int = 8,
        *,
        scheme: str | Scheme = PFB1.name,
        chain: Chain | None = None,
    ) -> None:
        given = _Given(server_seed, client_seed, commitment)
        del server_seed, client_seed, commitment
        way = _scheme(scheme, chain)
        shoe = way.read_decks(decks)
        server, client, published = given.read(shoe, way, chain)
        source = way.source(server, client, shoe)
        if chain is not None:
            source = _of_link(source, given.link or ServerSeed(server.reveal_bytes()), chain)
        origin = Origin(way.name, way.label(shoe), shoe, published, client, chain)
        for name, value in zip(self.__slots__, (server, client, published, shoe, way.name, way, origin, source), strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def commit(
        cls, server_seed: AnyServerSeed | str, client_seed: ClientSeed | str, decks: int = 8, *, scheme: str | Scheme = PFB1.name
    ) -> Self:
        """The operator's side: seeds with the commitment that `commit` computes from the server seed itself. Raises as `Seeds` does."""
        given = _Given(server_seed, client_seed, None)
        del server_seed, client_seed
        server = given.read_server_seed(_scheme(scheme))
        return cls(server, given.client_seed, commit(server, decks, scheme=scheme), decks, scheme=scheme)

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


def commit(server_seed: AnyServerSeed, decks: int = 8, *, scheme: str | Scheme = PFB1.name) -> Commitment:
    """The commitment to a server seed, to be published before the bettor chooses the client seed (protocol step 2).

    Raises ServerSeedError for what is no ServerSeed, DecksError, and SchemeError for a scheme whose commitment is not to a server seed.
    """
    way = _scheme(scheme)
    if not isinstance(server_seed, AnyServerSeed):
        found = describe_secret(server_seed)
        del server_seed
        raise ServerSeedError("server seed", "a ServerSeed", found, (Slip("text_for_value", "ServerSeed.parse reads the text form."),))
    return way.commit(server_seed, way.read_decks(decks))


class _Given:
    """What someone passed as seeds, out of sight of tracebacks that show local variables: it may be a secret in any place."""

    __slots__ = ("client_seed", "commitment", "link", "server_seed")

    def __init__(self, server_seed: AnyServerSeed | Link | str, client_seed: ClientSeed | str, commitment: Commitment | str | None) -> None:
        self.link = server_seed if isinstance(server_seed, Link) else None
        self.server_seed = server_seed.server_seed if isinstance(server_seed, Link) else server_seed
        self.client_seed = client_seed
        self.commitment = commitment

    def read(self, decks: int | None, scheme: Scheme, chain: Chain | None) -> tuple[AnyServerSeed, ClientSeed, Commitment | None]:
        """The typed values, if each is in its form and the server seed, or its chain, fits the commitment."""
        typed = self.typed(decks, scheme)
        if isinstance(typed, SeedTextError):
            raise typed
        server, client, published = typed
        del typed
        if published is None:
            return server, client, None
        if chain is not None:
            decks = parse_decks(decks)
            if (computed := chain.commitment(decks)) != published:
                slips = chain_slips(chain, published, decks)
                raise CommitmentMismatchError("commitment of the seed chain", str(published), str(computed), slips)
            return server, client, published
        computed = scheme.commit(server, decks)
        if computed != published:
            slips = self.slips(decks, scheme) or digit_slips(str(published), str(computed))
            is_secret = any(slip.code in ("commitment_swapped", "commitment_as_server_seed") for slip in slips)
            expected = "the published one" if is_secret else str(published)
            del published
            raise CommitmentMismatchError("commitment of the server seed", expected, str(computed), slips)
        return server, client, published

    def typed(self, decks: int | None, scheme: Scheme) -> tuple[AnyServerSeed, ClientSeed, Commitment | None] | SeedTextError:
        """The typed values, or the refusal to be raised where it does not carry along another error, whose traceback could show a secret."""
        try:
            server = _server_seed(self.server_seed, scheme)
            published = None if self.is_missing(scheme) else _typed(self.commitment, Commitment, Commitment.parse)
            return server, _typed(self.client_seed, ClientSeed, ClientSeed), published
        except SeedError as error:
            return SeedTextError(error.subject, error.expected, error.found, self.slips(decks, scheme) or error.slips)

    def is_missing(self, scheme: Scheme) -> bool:
        """Whether there is no commitment, and need not be one."""
        return self.commitment is None and not scheme.needs_commitment

    def read_server_seed(self, scheme: Scheme) -> AnyServerSeed:
        """The server seed alone, if it is in its form."""
        refusal: SeedTextError
        try:
            return _server_seed(self.server_seed, scheme)
        except SeedError as error:
            refusal = SeedTextError(error.subject, error.expected, error.found, error.slips)
        raise refusal

    def slips(self, decks: int | None, scheme: Scheme) -> tuple[Slip, ...]:
        """What may have gone wrong."""
        return seed_slips(self.server_seed, self.client_seed, self.commitment, decks, scheme)


def _server_seed(value: object, scheme: Scheme) -> AnyServerSeed:
    """A server seed as the scheme has it: read from text, or of the type that its texts have."""
    if isinstance(value, str):
        return scheme.read_server_seed(value)
    if isinstance(value, AnyServerSeed) and type(scheme.read_server_seed(value.reveal())) is type(value):
        return value
    raise ServerSeedError("server seed", f"the server seed of scheme {scheme.name}", describe_secret(value))


def _scheme(scheme: str | Scheme, chain: Chain | None = None) -> Scheme:
    """The scheme, by its name or itself; with a chain, the one that deals from chains."""
    if isinstance(scheme, str) or not hasattr(scheme, "source"):
        scheme = scheme_named(scheme)
    elif scheme is not SCHEMES.get(scheme.name, scheme):
        raise SchemeError("name of a scheme", "one that is not taken", repr(scheme.name))
    if chain is None:
        if scheme.deals_from_chains:
            slip = Slip("chain", "Pass chain=Chain(anchor, length); SeedChain makes a chain, its links and its commitment.")
            raise SchemeError(f"scheme {scheme.name}", "a chain with it", "none", (slip,))
        return scheme
    if not isinstance(chain, Chain):
        raise ChainError("chain", "a Chain", describe(chain))
    if scheme is not PFB1 and not scheme.deals_from_chains:
        raise SchemeError("scheme", f"{PFB1_CHAIN.name!r}, since there is a chain", repr(scheme.name))
    return PFB1_CHAIN if scheme is PFB1 else scheme


def _of_link(source: Source, link: Link | ServerSeed, chain: Chain) -> Source:
    """A source that deals the one nonce whose link this is."""

    def proved(nonce: int) -> Derived:
        if not isinstance(link, Link):
            Link(chain, nonce, link)
        elif (link.chain, link.nonce) != (chain, nonce):
            slips = (Slip("nonce", f"It is the link of nonce {link.nonce}."),) if link.chain == chain else ()
            raise LinkMismatchError("link of the seed chain", f"that of nonce {nonce}", "another one", slips)
        return source(nonce)

    return proved


def _typed(value: object, kind: type[_Value], parse: Callable[[str], _Value]) -> _Value:
    return value if isinstance(value, kind) else parse(value)  # type: ignore[arg-type]  # parse refuses what is not text
