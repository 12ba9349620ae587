"""CSV as tables of rounds: with the columns of the schema, or as a house exports it for spreadsheets.

Every cell is text, in the spellings that the schema takes. An empty cell, in quotes or not, is null, and no other text is: not `NULL`, not a
space. Bets are one cell: `player:200:lost:0 tie:5:won:45`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..cards import Card
from ..errors import AuditError, BaccaratError
from ..fairness.seed_pair import Seeds
from ..rounds import play_round
from .arrow import csv, pa, pc
from .columns import as_flags
from .findings import Finding
from .schema import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch

    from .pieces import Read


_HOUSE_NAMES: Final = {"player": "player_cards", "banker": "banker_cards"}
_NO_TEXT: Final = "\x7fno UTF-8"
_PARTS: Final = ("bet", "stake", "status", "returned")


def read_csv(header: bytes, body: bytes, source: str, first_row: int) -> Iterator[Read]:
    """Read lines of CSV below a line of column names. A line with another number of cells is a finding."""
    wrong: list[tuple[int, str, str]] = []

    def refuse(row: Any) -> str:
        expected, found = ("UTF-8", "other bytes") if row.text == refused_line else (cells, f"{row.actual_columns} cells")
        wrong.append((row.number, expected, found))
        return "skip"

    names = _cells(header)
    cells, refused_line = f"{len(names)} cells", _NO_TEXT + "," * len(names)
    body = _utf8(body, refused_line)
    table: Any = csv.read_csv(
        pa.py_buffer(body),
        read_options=csv.ReadOptions(column_names=names, use_threads=False, block_size=max(1, len(body))),
        parse_options=csv.ParseOptions(invalid_row_handler=refuse),
        convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=True, null_values=[""]),
    )
    for number, expected, found in wrong:
        yield Finding("unreadable", expected, found, source, first_row + number - 1)
    refused = np.asarray([number for number, *_ in wrong], np.int64)
    places = np.setdiff1d(np.arange(1, int(table.num_rows) + len(wrong) + 1), refused) + first_row - 1
    table = table.combine_chunks()
    columns = {name: table.column(name).chunk(0) if table.num_rows else pa.array([], pa.string()) for name in names}
    yield _rounds(columns, pa.array(places))


def _utf8(body: bytes, refused_line: str) -> bytes:
    """Lines of text; in place of each that is no UTF-8 one with a cell too many, so that it alone is refused."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return b"\n".join(line if _is_utf8(line) else refused_line.encode() for line in body.split(b"\n"))
    return body


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def names_of(header: bytes) -> list[str]:
    """The columns that a file has which begins with this line, by their names in the schema."""
    if not _is_utf8(header):
        raise AuditError("columns of rounds", "names of columns in UTF-8", "other bytes")
    names = _cells(header) if header else []
    return [*(_HOUSE_NAMES.get(name, name) for name in names), *({"scheme"} - set(names))] if _is_export(names) else names


def _cells(header: bytes) -> list[str]:
    table: Any = csv.read_csv(pa.py_buffer(header + b"\n"))
    return list(table.column_names)


def _is_export(names: Iterable[str]) -> bool:
    """Whether a house exported it for spreadsheets."""
    return {"bettor", "balance_before"} <= set(names)


def _rounds(columns: dict[str, Any], places: Any) -> RecordBatch:
    if _is_export(columns):
        columns = {name: _unescaped(column) for name, column in columns.items()}
        columns["client_seed"] = _client_seeds(columns)
        columns = {_HOUSE_NAMES.get(name, name): column for name, column in columns.items()}
        columns.setdefault("scheme", pa.array(["pfb1"] * len(places), pa.string()))
        columns |= {name: _joined_cards(columns[name]) for name in ("cards", "player_cards", "banker_cards") if name in columns}
    if "bets" in columns:
        columns["bets"] = _bets(columns["bets"])
    columns["row"] = places
    kept = [name for name in columns if name in ROUNDS.names]
    batch: RecordBatch = pa.record_batch([columns[name] for name in kept], names=kept)
    return batch


def _joined_cards(column: Any) -> Any:
    """Cards as a house's export has them, `As Kh`, as the schema does; what is not spelled so stays as it is."""
    return pc.if_else(pc.match_substring_regex(column, r"^[^ ]{2}( [^ ]{2})*$"), pc.replace_substring(column, " ", ""), column)


def _unescaped(column: Any) -> Any:
    """Cells as they were before `export.harmless` put an apostrophe in front."""
    return pc.replace_substring_regex(column, r"^'([=+\-@\t\r])", r"\1")


def _client_seeds(columns: dict[str, Any]) -> Any:
    """Client seeds; where one may really begin with an apostrophe before a sign, the cards say whether it does."""
    seeds = columns["client_seed"]
    doubtful = as_flags(pc.fill_null(pc.match_substring_regex(seeds, r"^[=+\-@]"), False))  # a null is none
    if not doubtful.any():
        return seeds
    texts = seeds.to_pylist()
    for row in np.flatnonzero(doubtful).tolist():
        cells = {name: column[row].as_py() or "" for name, column in columns.items()}
        if not _deals(cells, texts[row]) and _deals(cells, f"'{texts[row]}"):
            texts[row] = f"'{texts[row]}"
    return pa.array(texts, pa.string())


def _deals(cells: dict[str, str], client_seed: str) -> bool:
    try:
        seeds = Seeds(cells["server_seed"], client_seed, cells["commitment"], int(cells["decks"]))
        return play_round(seeds, int(cells["nonce"])).cards == tuple(map(Card.parse, cells["cards"].split()))
    except (BaccaratError, ValueError, KeyError):
        return False


def _bets(column: Any) -> Any:
    """Bets from a cell; a cell that holds none has a line without anything, which is a fault of its round."""
    column = pc.fill_null(column, "")
    lines = pc.split_pattern(column, " ")
    is_empty = as_flags(pc.equal(column, ""))
    flat = lines.flatten()
    parts = pc.split_pattern(flat, ":")
    sizes = pc.list_value_length(parts).to_numpy(zero_copy_only=False)
    fits = sizes == len(_PARTS)
    if not fits.all():
        parts = pc.if_else(pa.array(fits), parts, pa.scalar([""] * len(_PARTS), parts.type))
    cells = pc.if_else(pc.equal(parts.flatten(), ""), pa.scalar(None, pa.string()), parts.flatten())
    every = np.arange(0, len(cells), len(_PARTS))
    items = pa.StructArray.from_arrays([cells.take(pa.array(every + place)) for place in range(len(_PARTS))], names=list(_PARTS))
    if not is_empty.any():
        return pa.ListArray.from_arrays(lines.offsets, items)
    kept = np.repeat(~is_empty, np.diff(lines.offsets.to_numpy()))
    sizes = np.where(is_empty, 0, np.diff(lines.offsets.to_numpy()))
    offsets = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=offsets[1:])
    return pa.ListArray.from_arrays(pa.array(offsets), items.filter(pa.array(kept)))
