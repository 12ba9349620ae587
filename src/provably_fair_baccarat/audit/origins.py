"""Where the rounds of a batch come from, and what follows from it.

Server seeds are held against commitments and chains (protocol steps 2 and 8), and coups are derived again (steps 3 to 6, and 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .. import kernel
from ..cards import DECK
from ..errors import BaccaratError
from ..fairness.schemes.pfb1 import PFB1_SHOE
from ..fairness.seed_pair import Seeds
from ..fairness.seeds import ClientSeed, Commitment, ServerSeed
from ..rounds import play_shoe
from .chains import RIGHT, TOO_FAR, WRONG, Chains, Link
from .coups import Coups
from .dealt import UNUSED
from .hashing import hex_rows, sha256_rows
from .rows import CHAIN, SCHEMES, SHOE, distinct, wrong_client_seeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rounds import Round
    from .dealt import Bytes, Codes, Flags, Numbers, Words
    from .rows import Rows
    from .seed_book import SeedBook

REPLAYED: Final = 0
UNREADABLE: Final = 1
OTHER_SCHEME: Final = 2
WRONG_CLIENT_SEED: Final = 3
NOT_REVEALED: Final = 4
WRONG_COMMITMENT: Final = 5
WRONG_LINK: Final = 6
NO_SUCH_NONCE: Final = 7
NOT_FOLLOWED: Final = 8

NO_LINK: Final = -1
NOT_LEADING: Final = -2
TOO_LONG: Final = -3

_FEWEST: Final = 4  # so many neighbours must have the same seeds, on average, not to be brought together


@dataclass(frozen=True, slots=True, eq=False)
class Origins:
    """What became of every round's seeds: a state, and where that is `REPLAYED`, the cut and the coup that follow from them.

    `client_seeds` are the wrong ones by their codes, `keys` and `key` the server seeds with those of the book. `coups_of_shoe` is how many
    coups a round's shoe has, -1 where that is not known. `chain_rows` are a row of each seed chain that was committed to, and `leads` says of
    each of these whether the link in the book leads to its anchor: its height, `NO_LINK`, `NOT_LEADING` or `TOO_LONG`.
    """

    state: Bytes
    keys: Bytes
    key: Codes
    cut: Words
    coups: Coups
    coups_of_shoe: Codes
    client_seeds: dict[int, tuple[str, str]]
    chain_rows: Numbers
    leads: Codes


def replay_rows(rows: Rows, book: SeedBook | None, path: str | None = None, chains: Chains | None = None) -> Origins:
    """Derive every round again that can be. `chains` are what is proved of seed chains already."""
    chains = Chains() if chains is None else chains
    chains.begin(len(rows))
    state = np.zeros(len(rows), np.uint8)
    state[rows.way > SHOE] = OTHER_SCHEME
    state[rows.faults.is_bad] = UNREADABLE
    wrong_seeds = wrong_client_seeds(rows.client_seeds)
    if wrong_seeds:
        _set(state, np.isin(rows.client, list(wrong_seeds)), WRONG_CLIENT_SEED)
    keys, key, is_far = _with_book(rows, book, chains)
    _set(state, is_far, NOT_FOLLOWED)
    _set(state, key < 0, NOT_REVEALED)
    _compare_commitments(rows, keys, key, state, path)
    _compare_links(rows, keys, key, state, chains)
    records = _derive(rows, keys, key, state, path)
    flags = records["flags"]
    drew = (flags & kernel.PLAYER_DREW) > 0, (flags & kernel.BANKER_DREW) > 0
    cards = np.ascontiguousarray(records["cards"])
    coups = Coups(cards, records["player_score"], records["banker_score"], records["winner"], *drew, (flags & kernel.NATURAL) > 0)
    cut = np.ascontiguousarray(records["cut"])
    coups_of_shoe = np.full(len(rows), -1, np.int32)
    chain_rows = _chain_rows(rows, state)
    origins = Origins(
        state, keys, key, cut, coups, coups_of_shoe, wrong_seeds, chain_rows, _follow_book(rows, state, chain_rows, book, chains)
    )
    if (rows.way == SHOE).any():
        _deal_shoes(rows, origins)
    return origins


def _set(state: Bytes, where: Flags, value: int) -> None:
    """Set the state of rows that have none yet."""
    state[where & (state == REPLAYED)] = value


def _with_book(rows: Rows, book: SeedBook | None, chains: Chains) -> tuple[Bytes, Codes, Flags]:
    """The server seeds of the rows, and of the book where a row has none; and the rows whose links are too far away to follow."""
    is_far = np.zeros(len(rows), np.bool_)
    if book is None:
        return rows.keys, rows.key, is_far
    found = book.find(rows.commitments)
    has = (found >= 0) & book.has_seed[np.maximum(found, 0)]
    missing = rows.key < 0
    if not (missing & has[rows.pair]).any():
        return rows.keys, rows.key, is_far
    first = len(rows.keys)
    is_chain = rows.way == CHAIN
    key = np.where(missing & has[rows.pair] & ~is_chain, first + rows.pair, rows.key).astype(np.int32)
    seeds = book.server_seeds[np.maximum(found, 0)]
    keys = [rows.keys, seeds]
    count = len(rows.keys) + len(seeds)
    of_chains = np.flatnonzero(missing & has[rows.pair] & is_chain & (rows.length > 0) & (rows.anchor >= 0) & ~rows.faults.is_bad)
    for chosen in _groups(of_chains, rows.pair):
        anchor, length = rows.anchors[rows.anchor[chosen[0]]].tobytes(), int(rows.length[chosen[0]])
        heights = (rows.nonce[chosen] + 1).tolist()
        links = chains.below(anchor, length, seeds[rows.pair[chosen[0]]].tobytes(), heights)
        if links:
            places = {height: count + place for place, height in enumerate(links)}
            keys.append(np.frombuffer(b"".join(links.values()), np.uint8).reshape(-1, 32))
            count += len(links)
            key[chosen] = [places.get(height, -1) for height in heights]
        is_far[chosen] = links is None
    return np.concatenate(keys), key, is_far


def _groups(chosen: Numbers, codes: Codes) -> Iterator[Numbers]:
    """Some rows, those of each code together."""
    if len(chosen):
        chosen = chosen[np.argsort(codes[chosen], kind="stable")]
        yield from np.split(chosen, np.flatnonzero(np.diff(codes[chosen])) + 1)


def _compare_commitments(rows: Rows, keys: Bytes, key: Codes, state: Bytes, path: str | None) -> None:
    """Whether each server seed, or chain, is the one that was committed to (protocol steps 2 and 8)."""
    is_chain = rows.way == CHAIN
    seed = np.where(is_chain, np.int32(-1), key)
    groups, firsts = distinct(rows.way, rows.decks, rows.pair, seed, rows.anchor, rows.length, state)
    wrong = np.zeros(len(firsts), np.bool_)
    told = np.flatnonzero(np.isin(state[firsts], (REPLAYED, NOT_REVEALED, NOT_FOLLOWED)) & (is_chain[firsts] | (key[firsts] >= 0)))
    labels, _ = distinct(*(column[firsts[told]] for column in (rows.way, rows.decks, rows.length)))
    for of_label in _groups(np.arange(len(told)), labels):
        chosen = told[of_label]
        first = int(firsts[chosen[0]])
        text = f"{SCHEMES[rows.way[first]]}:{rows.decks[first]}:" + (f"{rows.length[first]}:" if is_chain[first] else "")
        places = firsts[chosen]
        secrets = rows.anchors[rows.anchor[places]] if is_chain[first] else keys[key[places]]
        begin = np.broadcast_to(np.frombuffer(text.encode(), np.uint8), (len(chosen), len(text)))
        digests = sha256_rows(np.concatenate([begin, hex_rows(secrets)], axis=1), path)
        wrong[chosen] = (digests != rows.commitments[rows.pair[places]]).any(1)
    if wrong.any():
        state[wrong[groups] & np.isin(state, (REPLAYED, NOT_REVEALED, NOT_FOLLOWED))] = WRONG_COMMITMENT


def _compare_links(rows: Rows, keys: Bytes, key: Codes, state: Bytes, chains: Chains) -> None:
    """Whether hashing each link n + 1 times leads to the anchor (protocol step 8)."""
    is_chain = rows.way == CHAIN
    if not is_chain.any():
        return
    chosen = np.flatnonzero(is_chain & np.isin(state, (REPLAYED, NOT_REVEALED, NOT_FOLLOWED)))
    state[chosen[rows.nonce[chosen] >= rows.length[chosen]]] = NO_SUCH_NONCE
    chosen = chosen[(state[chosen] == REPLAYED) & (rows.key[chosen] >= 0)]  # links from the book are right already
    chosen = chosen[np.argsort(rows.nonce[chosen], kind="stable")]
    for of_chain in _groups(chosen, rows.anchor):
        places = key[of_chain]
        links = [Link(height, link.tobytes()) for height, link in zip((rows.nonce[of_chain] + 1).tolist(), keys[places], strict=True)]
        anchor, length = rows.anchors[rows.anchor[of_chain[0]]].tobytes(), int(rows.length[of_chain].max())
        state[of_chain] = _OF_VERDICT[chains.follow(anchor, length, links)]


def _chain_rows(rows: Rows, state: Bytes) -> Numbers:
    """A row of each seed chain that was committed to."""
    chosen = np.flatnonzero(rows.way == CHAIN)
    if len(chosen):
        chosen = chosen[np.isin(state[chosen], (REPLAYED, NOT_REVEALED, NOT_FOLLOWED, WRONG_LINK, NO_SUCH_NONCE))]
        chosen = chosen[np.unique(rows.pair[chosen], return_index=True)[1]]
    return chosen


def _follow_book(rows: Rows, state: Bytes, chain_rows: Numbers, book: SeedBook | None, chains: Chains) -> Codes:
    """Whether the newest link in the book leads to the anchor of each of these chains; nothing where its rounds tell that it is too far."""
    leads = np.full(len(chain_rows), NO_LINK, np.int32)
    if book is None or not len(chain_rows):
        return leads
    found = book.find(rows.commitments[rows.pair[chain_rows]])
    is_told = np.isin(rows.pair[chain_rows], rows.pair[state == NOT_FOLLOWED])
    for place in np.flatnonzero((found >= 0) & book.has_seed[np.maximum(found, 0)]).tolist():
        row = chain_rows[place]
        anchor, newest = rows.anchors[rows.anchor[row]].tobytes(), book.server_seeds[found[place]].tobytes()
        height = chains.height(anchor, int(rows.length[row]), newest)
        if height is not None or not is_told[place]:
            leads[place] = TOO_LONG if height is None else height or NOT_LEADING
    return leads


_OF_VERDICT: Final = np.zeros(3, np.uint8)
_OF_VERDICT[[RIGHT, WRONG, TOO_FAR]] = REPLAYED, WRONG_LINK, NOT_FOLLOWED


def _derive(rows: Rows, keys: Bytes, key: Codes, state: Bytes, path: str | None) -> Any:
    """The records of all coups that are dealt from shoes of their own; zeros for the others.

    The kernel prepares seeds once for neighbours, so rows whose neighbours have other seeds are brought together first.
    """
    is_ours = (state == REPLAYED) & (rows.way != SHOE)
    places = key if is_ours.all() else np.where(is_ours, key, np.int32(-1))
    seeds = rows.client_seeds
    offsets = (
        np.zeros(1, np.int32)
        if not len(seeds)
        else np.frombuffer(seeds.buffers()[1], np.int32)[seeds.offset : seeds.offset + len(seeds) + 1]
    )
    data = b"" if not len(seeds) else seeds.buffers()[2] or b""
    games = rows.decks + (rows.way == CHAIN) * np.uint8(kernel.FROM_CHAIN)
    is_mixed = np.count_nonzero(places[1:] != places[:-1]) * _FEWEST > len(places)
    order: Any = np.argsort(places) if is_mixed else slice(None)
    of_rows = (np.ascontiguousarray(column[order]) for column in (places, games, rows.client, rows.nonce))
    place, game, client, nonce = of_rows
    given = kernel.Rows(np.ascontiguousarray(keys).reshape(-1), place, game, data, np.ascontiguousarray(offsets), client, nonce)
    derived = np.frombuffer(kernel.derive_rows(given, path=path), kernel.RECORD_DTYPE)
    if not is_mixed:
        return derived
    records = np.empty_like(derived)
    records[order] = derived
    return records


def _deal_shoes(rows: Rows, origins: Origins) -> None:
    """Deal each shoe through once, and give every round its coup (protocol step 10)."""
    chosen = np.flatnonzero((rows.way == SHOE) & (origins.state == REPLAYED))
    if not len(chosen):
        return
    coups = origins.coups
    columns = (rows.pair, origins.key, rows.client, rows.decks, rows.nonce)
    groups, firsts = distinct(*(column[chosen] for column in columns))
    places = {str(card): place for place, card in enumerate(DECK)}
    for group, first in enumerate(chosen[firsts].tolist()):
        dealt = _play_shoe(rows, origins.keys, origins.key, first)
        for row in chosen[groups == group].tolist():
            index = int(rows.index[row])
            origins.coups_of_shoe[row] = len(dealt)
            if index >= len(dealt):
                origins.state[row] = NO_SUCH_NONCE
                continue
            played = dealt[index]
            coup = played.coup
            origins.cut[row] = played.cut or 0
            coups.cards[row] = UNUSED
            coups.cards[row, : coup.cards_used] = [places[str(card)] for card in coup.cards]
            coups.player_score[row], coups.banker_score[row] = coup.player.score, coup.banker.score
            coups.winner[row] = ("player", "banker", "tie").index(coup.winner.value)
            coups.player_drew[row], coups.banker_drew[row] = len(coup.player.cards) == 3, len(coup.banker.cards) == 3
            coups.natural[row] = coup.natural


def seeds_of(rows: Rows, keys: Bytes, key: Codes, row: int) -> Seeds:
    """The seeds of a round that is not from a chain."""
    return Seeds(
        ServerSeed(keys[key[row]].tobytes()),
        ClientSeed(rows.client_seeds[int(rows.client[row])].as_py().decode()),
        Commitment(rows.commitments[rows.pair[row]].tobytes()),
        int(rows.decks[row]),
        scheme=SCHEMES[int(rows.way[row])],
    )


def _play_shoe(rows: Rows, keys: Bytes, key: Codes, row: int) -> tuple[Round, ...]:
    try:
        return play_shoe(seeds_of(rows, keys, key, row), int(rows.nonce[row]))
    except BaccaratError:  # pragma: no cover (all of it was looked at before)
        return ()


__all__ = ["PFB1_SHOE", "Origins", "replay_rows", "seeds_of"]
