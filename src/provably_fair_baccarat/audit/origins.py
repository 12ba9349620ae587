"""Where the rounds of a batch come from, and what follows from it.

Server seeds are held against commitments and chains (protocol steps 2 and 8), and coups are derived again (steps 3 to 6, and 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .. import kernel
from ..cards import DECK
from ..errors import BaccaratError
from ..fairness.schemes.pfb1 import PFB1_SHOE
from ..fairness.seed_pair import Seeds
from ..fairness.seeds import ClientSeed, Commitment, ServerSeed
from ..rounds import play_shoe
from .coups import Coups
from .dealt import UNUSED
from .rows import CHAIN, SCHEMES, SHOE, distinct, wrong_client_seeds

if TYPE_CHECKING:
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


@dataclass(frozen=True, slots=True, eq=False)
class Origins:
    """What became of every round's seeds: a state, and where that is `REPLAYED`, the cut and the coup that follow from them.

    `client_seeds` are the wrong ones by their codes, `keys` and `key` the server seeds with those of the book. `coups_of_shoe` is how many
    coups a round's shoe has, -1 where that is not known.
    """

    state: Bytes
    keys: Bytes
    key: Codes
    cut: Words
    coups: Coups
    coups_of_shoe: Codes
    client_seeds: dict[int, tuple[str, str]]


def replay_rows(rows: Rows, book: SeedBook | None, path: str | None = None) -> Origins:
    """Derive every round again that can be."""
    state = np.zeros(len(rows), np.uint8)
    state[rows.way > SHOE] = OTHER_SCHEME
    state[rows.faults.is_bad] = UNREADABLE
    wrong_seeds = wrong_client_seeds(rows.client_seeds)
    if wrong_seeds:
        _set(state, np.isin(rows.client, list(wrong_seeds)), WRONG_CLIENT_SEED)
    keys, key = _with_book(rows, book)
    _set(state, key < 0, NOT_REVEALED)
    _compare_commitments(rows, keys, key, state)
    _compare_links(rows, keys, key, state)
    records = _derive(rows, keys, key, state, path)
    flags = records["flags"]
    drew = (flags & kernel.PLAYER_DREW) > 0, (flags & kernel.BANKER_DREW) > 0
    cards = np.ascontiguousarray(records["cards"])
    coups = Coups(cards, records["player_score"], records["banker_score"], records["winner"], *drew, (flags & kernel.NATURAL) > 0)
    cut = np.ascontiguousarray(records["cut"])
    coups_of_shoe = np.full(len(rows), -1, np.int32)
    origins = Origins(state, keys, key, cut, coups, coups_of_shoe, wrong_seeds)
    if (rows.way == SHOE).any():
        _deal_shoes(rows, origins)
    return origins


def _set(state: Bytes, where: Flags, value: int) -> None:
    """Set the state of rows that have none yet."""
    state[where & (state == REPLAYED)] = value


def _with_book(rows: Rows, book: SeedBook | None) -> tuple[Bytes, Codes]:
    """The server seeds of the rows, and of the book where a row has none."""
    if book is None:
        return rows.keys, rows.key
    found = book.find(rows.commitments)
    has = (found >= 0) & book.has_seed[np.maximum(found, 0)]
    missing = rows.key < 0
    if not (missing & has[rows.pair]).any():
        return rows.keys, rows.key
    first = len(rows.keys)
    is_chain = rows.way == CHAIN
    key = np.where(missing & has[rows.pair] & ~is_chain, first + rows.pair, rows.key).astype(np.int32)
    seeds = book.server_seeds[np.maximum(found, 0)]
    keys = np.concatenate([rows.keys, seeds])
    for pair in np.unique(rows.pair[missing & has[rows.pair] & is_chain]).tolist():
        chosen = np.flatnonzero((rows.pair == pair) & missing & is_chain & (rows.length > 0) & (rows.anchor >= 0))
        links = _links_below(seeds[pair].tobytes(), rows, chosen)
        if links:
            made = np.frombuffer(b"".join(links.values()), np.uint8).reshape(-1, 32)
            places = {nonce: len(keys) + place for place, nonce in enumerate(links)}
            keys = np.concatenate([keys, made])
            key[chosen] = [places.get(nonce, -1) for nonce in rows.nonce[chosen].tolist()]
    return keys, key


def _links_below(newest: bytes, rows: Rows, chosen: Numbers) -> dict[int, bytes]:
    """The links of these rows' nonces, from the newest one that was revealed of their chain (protocol step 8)."""
    if not len(chosen):
        return {}
    anchor = rows.anchors[rows.anchor[chosen[0]]].tobytes()
    wanted = set(rows.nonce[chosen].tolist())
    steps = [newest]
    while steps[-1] != anchor and len(steps) <= int(rows.length[chosen[0]]):
        steps.append(sha256(steps[-1]).digest())
    last = len(steps) - 1
    return {nonce: steps[last - nonce - 1] for nonce in wanted if steps[-1] == anchor and nonce < last}


def _compare_commitments(rows: Rows, keys: Bytes, key: Codes, state: Bytes) -> None:
    """Whether each server seed, or chain, is the one that was committed to (protocol steps 2 and 8)."""
    is_chain = rows.way == CHAIN
    seed = np.where(is_chain, -1, key)
    groups, firsts = distinct(rows.way, rows.decks, rows.pair, seed, rows.anchor, rows.length, state)
    wrong = np.zeros(len(firsts), np.bool_)
    for group, first in enumerate(firsts.tolist()):
        if state[first] not in (REPLAYED, NOT_REVEALED):
            continue
        label = f"{SCHEMES[rows.way[first]]}:{rows.decks[first]}"
        if is_chain[first]:
            text = f"{label}:{rows.length[first]}:{rows.anchors[rows.anchor[first]].tobytes().hex()}"
        elif key[first] >= 0:
            text = f"{label}:{keys[key[first]].tobytes().hex()}"
        else:
            continue
        wrong[group] = sha256(text.encode()).digest() != rows.commitments[rows.pair[first]].tobytes()
    if wrong.any():
        state[wrong[groups] & ((state == REPLAYED) | (state == NOT_REVEALED))] = WRONG_COMMITMENT


def _compare_links(rows: Rows, keys: Bytes, key: Codes, state: Bytes) -> None:
    """Whether hashing each link n + 1 times leads to the anchor: from link to link, in the order of the nonces (protocol step 8)."""
    chosen = np.flatnonzero((rows.way == CHAIN) & ((state == REPLAYED) | (state == NOT_REVEALED)))
    if not len(chosen):
        return
    beyond = rows.nonce[chosen] >= rows.length[chosen]
    state[chosen[beyond]] = NO_SUCH_NONCE
    chosen = chosen[~beyond & (state[chosen] == REPLAYED)]
    chosen = chosen[np.lexsort((rows.nonce[chosen], rows.anchor[chosen]))]
    anchor, proved, height = -1, b"", 0
    for row in chosen.tolist():
        if rows.anchor[row] != anchor:
            anchor = int(rows.anchor[row])
            proved, height = rows.anchors[anchor].tobytes(), 0
        link = keys[key[row]].tobytes()
        digest = link
        for _ in range(int(rows.nonce[row]) + 1 - height):
            digest = sha256(digest).digest()
        if digest == proved:
            proved, height = link, int(rows.nonce[row]) + 1
        else:
            state[row] = WRONG_LINK


def _derive(rows: Rows, keys: Bytes, key: Codes, state: Bytes, path: str | None) -> Any:
    """The records of all coups that are dealt from shoes of their own; zeros for the others."""
    is_ours = (state == REPLAYED) & (rows.way != SHOE)
    places = key if is_ours.all() else np.where(is_ours, key, -1).astype(np.int32)
    seeds = rows.client_seeds
    offsets = (
        np.zeros(1, np.int32)
        if not len(seeds)
        else np.frombuffer(seeds.buffers()[1], np.int32)[seeds.offset : seeds.offset + len(seeds) + 1]
    )
    data = b"" if not len(seeds) else seeds.buffers()[2] or b""
    games = np.where(rows.way == CHAIN, rows.decks + kernel.FROM_CHAIN, rows.decks).astype(np.uint8)
    given = kernel.Rows(
        np.ascontiguousarray(keys).reshape(-1),
        np.ascontiguousarray(places),
        games,
        data,
        np.ascontiguousarray(offsets),
        np.ascontiguousarray(rows.client),
        np.ascontiguousarray(rows.nonce),
    )
    return np.frombuffer(kernel.derive_rows(given, path=path), kernel.RECORD_DTYPE)


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
