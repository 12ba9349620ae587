"""Rows of many seed pairs, as tables have them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..errors import BaccaratError, KernelError
from ..fairness.inputs import parse_decks, parse_nonce
from ..fairness.seeds import ClientSeed, ServerSeed
from .layout import RECORD, room_for
from .paths import kernel_info, native_columns
from .reference import LABELS, derive_in_python, python_source

FROM_CHAIN: Final = 16
"""In a game's byte of `Rows`: the server seed is a link of a seed chain."""


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
    native = native_columns(path)
    rows = Rows(*(memoryview(buffer) for buffer in rows))
    records = room_for(rows.games.nbytes, out)
    try:
        if native is None:
            _derive_in_python(rows, records)
        else:
            native.derive_rows(*rows, records, path or kernel_info().path)
    except (ValueError, IndexError, BaccaratError):
        raise KernelError("rows", "seeds, games and nonces that can be, and buffers of their size", "others") from None
    return records


def _derive_in_python(rows: Rows, records: memoryview) -> None:
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
            source = python_source(server_seed, f"{LABELS[game // FROM_CHAIN]}:{parse_decks(decks)}", client_seed, decks)
        derive_in_python(source, range(parse_nonce(nonce), nonce + 1), record)
