"""What the rows of a batch say of their pairs as a whole: server seeds, chains, pay tables, currencies, and the times around the reveal."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .arrow import pa
from .columns import fixed_array
from .dealt import UNKNOWN_TIME
from .facts import MARK, PAIR_FACTS, nullable
from .hashing import sha256_rows
from .origins import NO_LINK, REPLAYED
from .rows import CHAIN, distinct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .checking import Checked
    from .dealt import Codes, Flags, Numbers
    from .rows import Rows

NEVER: Final = int(np.iinfo(np.int64).max)
"""A reveal that nobody tells."""


def pair_facts(checked: Checked, readable: Numbers, path: str | None = None) -> Iterator[Any]:
    """The facts of the kind `pairs` of a batch's readable rounds."""
    rows, origins = checked.rows, checked.origins
    groups, firsts = _alike(checked, readable)
    firsts = readable[firsts]
    is_chain = rows.way[firsts] == CHAIN
    nonce, latest, revealed = _times(checked, readable, groups, len(firsts))
    yield _batch(
        {
            "commitment": fixed_array(rows.commitments[rows.pair[firsts]]),
            "server_seed": _digests(origins.keys, origins.key[firsts], path, is_link=is_chain),
            "is_chain": pa.array(is_chain),
            "is_proved": pa.array(origins.state[firsts] == REPLAYED),
            "pay_table": _marks(checked.digest_of_row[firsts], [bytes.fromhex(text)[:16] if text else None for text in checked.digests]),
            "currency": _currencies(rows, firsts),
            "decimals": nullable(rows.decimals[firsts].astype(np.int8), -1),
            "nonce": pa.array(np.where(is_chain, rows.nonce[firsts], nonce)),
            "latest": nullable(latest, UNKNOWN_TIME),
            "revealed": nullable(revealed, NEVER),
        },
        len(firsts),
    )
    chains = origins.chain_rows
    if len(chains):
        yield _batch(
            {
                "commitment": fixed_array(rows.commitments[rows.pair[chains]]),
                "server_seed": _digests(rows.anchors, rows.anchor[chains], path, is_link=np.zeros(len(chains), np.bool_)),
                "is_chain": pa.array(np.ones(len(chains), np.bool_)),
                "is_proved": pa.array(np.ones(len(chains), np.bool_)),
                "length": pa.array(rows.length[chains]),
                "leads": nullable(origins.leads, NO_LINK),
            },
            len(chains),
        )


def _batch(columns: dict[str, Any], count: int) -> Any:
    """Facts with these columns, and null in the others."""
    fields: Any = PAIR_FACTS
    return pa.record_batch(
        [columns[each.name] if each.name in columns else pa.nulls(count, each.type) for each in fields], schema=PAIR_FACTS
    )


def _alike(checked: Checked, readable: Numbers) -> tuple[Codes, Numbers]:
    """Which rows say the same of their pair; of a chain, whose links are revealed one by one, the nonce is part of that."""
    rows, origins = checked.rows, checked.origins
    is_chain = rows.way == CHAIN
    columns: list[Any] = [rows.pair, origins.key, is_chain, origins.state == REPLAYED]
    several: tuple[Any, ...] = (checked.digest_of_row, rows.currency_told, rows.decimals)
    columns += [codes for codes in several if (codes != codes[0]).any()]
    if is_chain.any():
        columns.append(np.where(is_chain, rows.nonce, 0))
    return distinct(*(columns if len(readable) == len(rows) else (column[readable] for column in columns)))


def _times(checked: Checked, readable: Numbers, groups: Codes, count: int) -> tuple[Numbers, Numbers, Numbers]:
    """Of each group the time of the last round that is accepted or settled, the lowest nonce that has it, and the first reveal.

    A round that is after its own reveal has a finding already.
    """
    rows = checked.rows
    times = np.maximum(rows.accepted_at, rows.settled_at)
    times[checked.is_late] = UNKNOWN_TIME
    reveals = rows.revealed_at.copy()
    reveals[reveals == UNKNOWN_TIME] = NEVER
    if len(readable) < len(rows):
        times, reveals = times[readable], reveals[readable]
    latest, revealed = np.full(count, UNKNOWN_TIME, np.int64), np.full(count, NEVER, np.int64)
    starts = np.flatnonzero(np.diff(groups, prepend=-1))  # neighbours first, which mostly are of one pair
    np.maximum.at(latest, groups[starts], np.maximum.reduceat(times, starts))
    np.minimum.at(revealed, groups[starts], np.minimum.reduceat(reveals, starts))
    nonce = np.full(count, NEVER, np.int64)
    lasts = np.flatnonzero(times == latest[groups])
    np.minimum.at(nonce, groups[lasts], rows.nonce[readable[lasts]])
    return nonce, latest, revealed


def _digests(secrets: Any, codes: Codes, path: str | None, *, is_link: Flags) -> Any:
    """The SHA-256 of 32 bytes each, null where there are none; of links, whose hashes are links, a half of it."""
    is_there: Flags = codes >= 0
    digests = np.zeros((len(codes), 32), np.uint8)
    digests[is_there] = sha256_rows(secrets[codes[is_there]], path)
    digests[is_link, 16:] = 0
    return fixed_array(digests, is_there)


def _currencies(rows: Rows, firsts: Numbers) -> Any:
    """Marks of currencies; an empty text tells none."""
    marks = [sha256(text.encode(errors="surrogatepass")).digest()[:16] if text else None for text in rows.currency_texts]
    return _marks(rows.currency_told[firsts], marks)


def _marks(codes: Codes, marks: list[bytes | None]) -> Any:
    return pa.array(marks, MARK).take(nullable(codes, -1)) if marks else pa.nulls(len(codes), MARK)
