"""The rounds of a batch as arrays: read once, completely, before anything is compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..cards import DECK
from ..errors import BaccaratError, describe
from ..fairness.chain import MAX_LENGTH
from ..fairness.inputs import MAX_DECKS, MAX_NONCE
from ..fairness.seeds import MAX_CLIENT_SEED_BYTES, ClientSeed
from ..kernel import native_columns
from .arrow import kinds, pa, pc
from .columns import Faults, amounts, as_codes, as_encoded, as_flags, as_known, as_numbers, fixed_bytes, places_of, rounds_column, run_codes
from .currencies import read_currencies
from .dealt import UNKNOWN_TIME, UNUSED
from .lines import Lines, read_bets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .dealt import Amounts, Bytes, Codes, Flags, Numbers, Words

SCHEMES: Final = ("pfb1", "pfb1-chain", "pfb1-shoe")
"""The schemes that are audited from a table, by their codes."""

COUPS: Final = 0
CHAIN: Final = 1
SHOE: Final = 2

WINNERS: Final = ("player", "banker", "tie")

_FEWEST_IN_HAND: Final = 2

DIFFERENCES: Final = "provably_fair_baccarat.differences"
"""A column beside those of the schema: what a record tells twice and not the same twice, as whoever reads records found it."""

DIFFERENCE_LISTS: Final[Any] = pa.list_(pa.struct([("code", pa.string()), ("expected", pa.string()), ("found", pa.string())]))

DECIMALS: Final = "provably_fair_baccarat.decimals"
"""A column beside those of the schema: how many decimals the currency of a record has."""

_TOLD: Final[dict[str, tuple[int, int, str]]] = {
    "index": (0, MAX_NONCE, "a whole number from 0"),
    "chain_length": (1, MAX_LENGTH, f"1 to {MAX_LENGTH}"),
    "player_score": (0, 9, "0 to 9"),
    "banker_score": (0, 9, "0 to 9"),
    "accepted_at": (UNKNOWN_TIME + 1, -UNKNOWN_TIME, "a time"),
    "settled_at": (UNKNOWN_TIME + 1, -UNKNOWN_TIME, "a time"),
    "revealed_at": (UNKNOWN_TIME + 1, -UNKNOWN_TIME, "a time"),
    "row": (1, -UNKNOWN_TIME, "a whole number from 1"),
}
"""What numbers can be that need not be told: the least, the most, and how to say it. In arrays another one could pass as not told."""

_CARD_BYTES: Final = np.full(1 << 16, UNUSED, np.uint8)
for _place, _card in enumerate(DECK):
    _CARD_BYTES[int.from_bytes(str(_card).encode(), "little")] = _place


@dataclass(slots=True, eq=False)
class Rows:
    """The rounds of a batch. Codes, decimals and naturals are -1 where nothing was given, scores 255, times `UNKNOWN_TIME`.

    `currency` is what statistics tell apart, `currency_told` the text of the row, whatever it is.
    """

    way: Bytes
    decks: Bytes
    pair: Codes
    commitments: Bytes
    key: Codes
    keys: Bytes
    client: Codes
    client_seeds: Any
    nonce: Numbers
    index: Codes
    anchor: Codes
    anchors: Bytes
    length: Codes
    cut: Words
    cards: Bytes
    used: Bytes
    player_cards: Bytes | None
    banker_cards: Bytes | None
    player_score: Bytes
    banker_score: Bytes
    winner: Bytes
    natural: Codes
    staked: Any
    returned: Any
    pay_table: Codes
    pay_tables: tuple[str, ...]
    digest: Codes
    digests: tuple[str, ...]
    currency: Codes | None
    currencies: tuple[str, ...]
    currency_told: Codes
    currency_texts: tuple[str | None, ...]
    decimals: Codes
    accepted_at: Numbers
    settled_at: Numbers
    revealed_at: Numbers
    source: Any
    place: Numbers
    lines: Lines
    faults: Faults
    differences: dict[int, list[dict[str, str]]]

    def __len__(self) -> int:
        return len(self.nonce)


def read_rows(batch: Any, source: str | None = None, first_row: int = 1, path: str | None = None) -> Rows:
    """Read a batch of rounds. Rows that cannot be read are in `faults`; their values mean nothing. `path` is one of `kernel_info().paths`."""
    faults = Faults(batch.num_rows)

    def column(name: str) -> Any:
        return rounds_column(batch, name, faults)

    def number(name: str, missing: int, kind: Any) -> Any:
        given = column(name)
        if name in _TOLD:
            _bound_told(given, name, faults)
        return as_numbers(given, missing, kind)

    def times(name: str) -> Numbers:
        given = column(name).cast(pa.int64())
        _bound_told(given, name, faults)
        microseconds: Numbers = as_numbers(given, UNKNOWN_TIME, np.int64)
        return microseconds

    pair, commitments = run_codes(fixed_bytes(column("commitment")))
    key, keys = _hashes(column("server_seed"))
    anchor, anchors = _hashes(column("chain_anchor"))
    client, client_seeds = as_codes(column("client_seed"))
    card_texts, winners = column("cards"), column("winner")
    cards, used = read_cards(card_texts, 6, path)
    pay_table, tables = as_codes(column("pay_table"))
    digest, digests = _hashes(column("pay_table_digest"))
    of_rows = as_encoded(column("currency"))
    currency, currencies = read_currencies(of_rows, faults)
    currency_told, texts = as_codes(of_rows)
    has_source, has_row = (batch.schema.get_field_index(name) >= 0 for name in ("source", "row"))
    rows = Rows(
        way=as_known(column("scheme"), SCHEMES),
        decks=number("decks", 0, np.uint8),
        pair=pair,
        commitments=commitments,
        key=key,
        keys=keys,
        client=client,
        client_seeds=client_seeds.cast(pa.binary()),
        nonce=number("nonce", -1, np.int64),
        index=number("index", -1, np.int32),
        anchor=anchor,
        anchors=anchors,
        length=number("chain_length", -1, np.int32),
        cut=number("cut", 0, np.uint16),
        cards=cards,
        used=used,
        player_cards=_hand(column("player_cards"), "player_cards", faults, path),
        banker_cards=_hand(column("banker_cards"), "banker_cards", faults, path),
        player_score=number("player_score", 255, np.uint8),
        banker_score=number("banker_score", 255, np.uint8),
        winner=as_known(winners, WINNERS),
        natural=_flags(column("natural")),
        staked=_totals(column("staked"), "staked", faults),
        returned=_totals(column("returned"), "returned", faults),
        pay_table=pay_table,
        pay_tables=tuple(tables.to_pylist()),
        digest=digest,
        digests=tuple(each.tobytes().hex() for each in digests),
        currency=currency,
        currencies=currencies,
        currency_told=currency_told,
        currency_texts=tuple(texts.to_pylist()),
        decimals=_decimals(batch),
        accepted_at=times("accepted_at"),
        settled_at=times("settled_at"),
        revealed_at=times("revealed_at"),
        source=column("source") if has_source else source,
        place=number("row", 0, np.int64) if has_row else np.arange(first_row, first_row + batch.num_rows, dtype=np.int64),
        lines=read_bets(batch.column(batch.schema.get_field_index("bets")), faults),
        faults=faults,
        differences=_differences(batch),
    )
    _bound(rows, winners, card_texts)
    return rows


def _differences(batch: Any) -> dict[int, list[dict[str, str]]]:
    """The rows whose records contradict themselves, with their contradictions."""
    place = batch.schema.get_field_index(DIFFERENCES)
    if place < 0 or batch.schema.field(place).type != DIFFERENCE_LISTS:
        return {}
    column = batch.column(place)
    return {row: column[row].as_py() for row in places_of(as_flags(column.is_valid()))}


def _decimals(batch: Any) -> Codes:
    """How many decimals each currency has, where whoever read records found it."""
    place = batch.schema.get_field_index(DECIMALS)
    if place < 0 or batch.schema.field(place).type != pa.int8():
        return np.full(len(batch), -1, np.int32)
    decimals: Codes = as_numbers(batch.column(place), -1, np.int32)
    return decimals


def _hashes(column: Any) -> tuple[Codes, Bytes]:
    """Codes of 32 bytes each, -1 for null."""
    if column.null_count == len(column):
        return np.full(len(column), -1, np.int32), np.zeros((0, 32), np.uint8)
    codes, values = run_codes(fixed_bytes(column))
    if column.null_count:
        codes[as_flags(column.is_null())] = -1
    return codes, values


def _flags(column: Any) -> Codes:
    if column.null_count == len(column):
        return np.full(len(column), -1, np.int32)
    flags: Codes = as_numbers(column.cast(pa.int8()), -1, np.int32)
    return flags


def _bound_told(column: Any, name: str, faults: Faults) -> None:
    """Note numbers that no round can have."""
    least, most, expected = _TOLD[name]
    ends = pc.min_max(column)
    if column.null_count == len(column) or (ends["min"].as_py() >= least and ends["max"].as_py() <= most):
        return
    numbers = as_numbers(column, least, np.int64)
    for row in places_of((numbers < least) | (numbers > most)):
        faults.add(row, name, expected, str(int(numbers[row])))


def _totals(column: Any, name: str, faults: Faults) -> Any:
    """Sums as (int64, those that are larger), or None where none is given; a null is -1."""
    if column.null_count == len(column):
        return None
    small, large = amounts(column)
    negative = {
        **{row: int(small[row]) for row in places_of(small < 0)},
        **{row: amount for row, amount in large.items() if amount < 0},
    }
    for row, found in negative.items():
        faults.add(row, name, "0 to 10^38 - 1", str(found))
    if column.null_count:
        small = np.where(as_flags(column.is_valid()), small, -1)
    return small, large


def _hand(column: Any, name: str, faults: Faults, path: str | None) -> Bytes | None:
    """The cards of hands, or None where none is told. One that is told and is no hand is a fault."""
    if column.null_count == len(column):
        return None
    cards, used = read_cards(column, 3, path)
    if (used < _FEWEST_IN_HAND).any():
        for row in places_of((used < _FEWEST_IN_HAND) & as_flags(column.is_valid())):
            faults.add(row, name, "two or three cards like AsKh9d", _shown(column[row]))
    return cards


def read_cards(column: Any, most: int, path: str | None = None) -> tuple[Bytes, Bytes]:
    """Card numbers of texts like "AsKh", 255 behind the last one, and how many there are; 0 where a text is none, or there is none."""
    if kinds.is_dictionary(column.type):
        column = column.dictionary_decode()  # where a null of the dictionary becomes one of the column
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    data = np.frombuffer(column.buffers()[2] or b"", np.uint8)
    native = native_columns(path)
    if native is not None and not column.null_count:
        cards, used = np.empty((len(column), most), np.uint8), np.empty(len(column), np.uint8)
        native.read_cards(data, offsets, most, cards, used)
        return cards, used
    sizes = np.diff(offsets)
    if column.null_count:
        sizes = np.where(as_flags(column.is_valid()), sizes, 0)
    if len(sizes) and (sizes == 2 * most).all():
        cards = _CARD_BYTES[data[offsets[0] : offsets[-1]].view("<u2").reshape(-1, most)]
        used = np.full(len(cards), most, np.uint8)
    else:
        cards = np.full((len(sizes), most), UNUSED, np.uint8)
        used = np.where((sizes <= 2 * most) & (sizes % 2 == 0), sizes // 2, 0).astype(np.uint8)
        for count in range(1, most + 1):
            rows = np.flatnonzero(used == count)
            letters = data[offsets[rows][:, None] + np.arange(2 * count, dtype=np.int32)]
            cards[rows, :count] = _CARD_BYTES[letters.view("<u2")]
    wrong = (cards == UNUSED).sum(1) != most - used
    used[wrong] = 0
    return cards, used


def _bound(rows: Rows, winners: Any, cards: Any) -> None:
    """Note what no round can have, in the words of the protocol's limits."""
    decks = rows.decks.astype(np.int32)
    is_shoe = rows.way == SHOE
    checks: tuple[tuple[str, Flags, str, Any], ...] = (
        ("decks", (decks < 1) | (decks > MAX_DECKS), "1 to 8", rows.decks),
        ("nonce", (rows.nonce < 0) | (rows.nonce > MAX_NONCE), "a whole number from 0 to 2^53 - 1", rows.nonce),
        ("winner", rows.winner == 255, "player, banker or tie, spelled so", winners),
        ("cards", np.where(is_shoe, rows.used < 4, rows.used != 6), "cards like AsKh9dTc2s7h", cards),
        ("index", is_shoe & (rows.index < 0), "a whole number from 0, since the scheme deals shoes", None),
        ("index", ~is_shoe & (rows.index >= 0), "null, since every coup has a shoe of its own", rows.index),
        (
            "chain",
            (rows.way == CHAIN) & ((rows.anchor < 0) | (rows.length < 1)),
            "chain_anchor and chain_length, since there is a chain",
            None,
        ),
        ("chain", (rows.way != CHAIN) & ((rows.anchor >= 0) | (rows.length >= 0)), "null, since the scheme has no chains", None),
        ("pay_table", (rows.pay_table < 0) & (rows.digest < 0), "a pay table or its digest", None),
    )
    for name, wrong, expected, values in checks:
        for row in places_of(wrong & ~rows.faults.is_bad):
            rows.faults.add(row, name, expected, "another" if values is None else _shown(values[row]))


def _shown(value: Any) -> str:
    return describe(value.as_py()) if isinstance(value, pa.Scalar) else str(value)


def wrong_client_seeds(seeds: Any) -> dict[int, tuple[str, str]]:
    """Which of some different client seeds are none (protocol step 1), with what was expected and found."""
    wrong: dict[int, tuple[str, str]] = {}
    for place in _doubtful(seeds).tolist():
        utf8 = seeds[place].as_py()
        try:
            ClientSeed(utf8.decode())
        except UnicodeDecodeError as error:
            wrong[place] = ("UTF-8", f"{error.reason} at place {error.start}")
        except BaccaratError as error:
            wrong[place] = (error.expected, error.found)
    return wrong


def _doubtful(seeds: Any) -> Numbers:
    """Those that are not just printable ASCII without a space: the others need no second look."""
    if not len(seeds):
        return np.zeros(0, np.int64)
    offsets = np.frombuffer(seeds.buffers()[1], np.int32)[seeds.offset : seeds.offset + len(seeds) + 1]
    data = np.frombuffer(seeds.buffers()[2] or b"", np.uint8)
    is_odd = np.zeros(len(data) + 1, np.int64)
    np.cumsum((data < 0x21) | (data > 0x7E), out=is_odd[1:])
    sizes = np.diff(offsets)
    return np.flatnonzero((is_odd[offsets[1:]] > is_odd[offsets[:-1]]) | (sizes < 1) | (sizes > MAX_CLIENT_SEED_BYTES))


def distinct(*columns: Amounts) -> tuple[Codes, Numbers]:
    """Which rows have the same codes in all columns: a group for each row, and the first row of each group. Cheap where equals are neighbours."""
    count = len(columns[0])
    if not count:
        return np.zeros(0, np.int32), np.zeros(0, np.int64)
    changes = np.zeros(count, np.bool_)
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    changes[0] = True
    starts = np.flatnonzero(changes)
    codes, keys = as_codes(pa.array(combined([column[starts] for column in columns])))
    order = np.argsort(keys.to_numpy())
    group_of, firsts = np.empty(len(order), np.int32), np.empty(len(order), np.int64)
    group_of[order] = np.arange(len(order), dtype=np.int32)
    groups = group_of[codes]
    firsts[groups[::-1]] = starts[::-1]  # of each group the first one, which is written last
    return np.repeat(groups, np.diff(starts, append=count)), firsts


def combined(columns: Sequence[Any]) -> Numbers:
    """One number for the numbers in all columns: the same for the same ones, and in the same order as they, the first column first."""
    keys = np.zeros(len(columns[0]), np.int64)
    size = 1
    for column in columns:
        lowest = int(column.min())
        radix = int(column.max()) - lowest + 1
        if size * radix >= 1 << 62:
            _, codes = np.unique(keys, return_inverse=True)
            keys, size = codes.astype(np.int64), len(codes)
        keys = keys * radix + (column.astype(np.int64) - lowest)
        size *= radix
    return keys
