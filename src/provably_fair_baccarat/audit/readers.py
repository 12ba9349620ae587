"""Where rounds come from: files of any form, folders of them, tables in memory, a house's database. Each is read in pieces.

A piece of a file can be read again, so that an audit that was stopped goes on with the pieces that it had not finished. Pieces of what only
flows past, a stream or a table in memory, are cut in the same places every time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from ..errors import AuditError, describe
from .arrow import ArrowException, ArrowNotImplemented, ipc, pa, pq
from .databases import is_database, shown_database, shown_path
from .pieces import Piece
from .records import read_json_lines
from .schema import ROUNDS, require_columns, require_names
from .tables import names_of, read_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..rules.bets import Bet
    from .pieces import Read

SUFFIXES: Final[dict[str, str]] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "ipc",
    ".arrows": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
"""The form of a file by the end of its name."""

ROWS: Final = 1 << 20
"""A table is read in pieces of at most about so many rows."""

FEWEST_ROWS: Final = 1 << 17
"""Pieces are not cut smaller than about this."""

_PARTS: Final = 8
"""A file of some size has at least so many pieces, so that threads have something to share."""

BYTES: Final = 1 << 24
"""About how many bytes of text are a piece."""

_AT_ONCE: Final = 1 << 17
_READ: Final = frozenset(ROUNDS.names)
_DICTIONARIES: Final = ("scheme", "client_seed", "winner", "currency", "pay_table", "source")


@dataclass(frozen=True, slots=True)
class Input:
    """A file as it was when the audit began: by its name, size and time of change; None for what is no file.

    `count` is how many rows a table in memory has, where it tells; `url` is a database's, which may hold a password, where `name` has none.
    """

    name: str
    form: str
    size: int | None = None
    changed: int | None = None
    count: int | None = None
    url: str | None = field(default=None, repr=False)

    @property
    def where(self) -> str:
        """By what it is opened."""
        return self.name if self.url is None else self.url

    def rows(self) -> int | None:
        """How many rows it has, where it tells at once."""
        if self.form != "parquet":
            return self.count
        try:
            return int(pq.read_metadata(self.name).num_rows)
        except (OSError, ArrowException):
            return None

    def digest(self) -> str | None:
        """The SHA-256 of the file."""
        if self.size is None:
            return None
        with Path(self.name).open("rb", buffering=0) as file:
            return file_digest(file, "sha256").hexdigest()


def inputs_of(paths: Iterable[str | Path]) -> list[Input]:
    """Every file of paths and folders, in the order of their names. Raises AuditError for a path that is not there or of no known form."""
    found: list[Input] = []
    for given in paths:
        if is_database(given):
            found.append(Input(shown_database(given), "database", url=given))
            continue
        path = Path(given)
        if not path.exists():
            expected = "a file, a folder, sqlite:///house.db or postgresql://user@host/name"
            raise AuditError("input of an audit", expected, f"no such path: {shown_path(str(given))}")
        if path.is_dir():
            files = sorted(
                file for file in path.rglob("*") if file.is_file() and file.suffix.lower() in SUFFIXES and not _is_hidden(file, path)
            )
            if not files:
                raise AuditError(f"folder {path}", f"files that end in {', '.join(SUFFIXES)}", "none")
            found += map(_file, files)
        else:
            found.append(_file(path))
    if not found:
        raise AuditError("inputs of an audit", "at least one", "none")
    return found


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


def _file(path: Path) -> Input:
    told = path.stat()
    return Input(str(path), _form(path), told.st_size, told.st_mtime_ns)


_MARKS: Final = ((b"PAR1", "parquet"), (b"ARROW1", "ipc"), (b"\xff\xff\xff\xff", "ipc"), (b"SQLite format 3", "database"))
"""How files begin that are no text, whatever their names are."""


def _form(path: Path) -> str:
    """The form of a file: by its first bytes where they tell, else by the end of its name."""
    with path.open("rb") as file:
        begin = file.read(16)
    for mark, form in _MARKS:
        if begin.startswith(mark):
            return form
    named = SUFFIXES.get(path.suffix.lower()) or ("jsonl" if begin.startswith(b"{") else None)
    if named is None:
        raise AuditError(f"file {path}", f"a name that ends in {', '.join(SUFFIXES)}", describe(path.name))
    return named


def pieces_of(given: Input, own_bets: Iterable[Bet] = ()) -> Iterator[Piece]:
    """The pieces of an input. A file that cannot be read has one piece, whose reading says so. `own_bets` are for a house's database."""
    try:
        yield from _database(given, own_bets) if given.form == "database" else _PIECES[given.form](given)
    except (OSError, ArrowException, AuditError) as error:
        yield Piece(given.name, 1, None, _failing(error))


def _failing(error: Exception) -> Callable[[], Iterable[Read]]:
    def read() -> Iterable[Read]:
        raise error

    return read


def _parquet(given: Input) -> Iterator[Piece]:
    footer = pq.read_metadata(given.name)
    require_columns(footer.schema.to_arrow_schema(), ROUNDS)
    sizes = [footer.row_group(place).num_rows for place in range(footer.num_row_groups)]
    groups: list[int] = []
    first_row, rows, enough = 1, 0, _rows_of_piece(sum(sizes))
    for place, size in enumerate(sizes):
        groups.append(place)
        rows += size
        if rows >= enough or place == len(sizes) - 1:
            yield Piece(given.name, first_row, rows, _reading_parquet(given.name, footer, tuple(groups)))
            first_row, groups, rows = first_row + rows, [], 0
    if not sizes:
        yield Piece(given.name, 1, 0, _reading_parquet(given.name, footer, ()))


def _rows_of_piece(rows: int) -> int:
    """How many rows a piece has, of a file of so many."""
    return min(ROWS, max(FEWEST_ROWS, -(-rows // _PARTS)))


def _open_parquet(name: str, footer: Any, *, is_encoded: bool = True) -> Any:
    """A Parquet file whose footer was read before; texts that repeat stay dictionary-encoded if they are to."""
    nested = re.compile(r"bets\.list\.\w+\.(bet|status)")
    paths = [footer.schema.column(place).path for place in range(len(footer.schema))]
    repeating = [path for path in paths if path in _DICTIONARIES or nested.fullmatch(path)]
    return pq.ParquetFile(name, metadata=footer, read_dictionary=repeating if is_encoded else None)


def _reading_parquet(name: str, footer: Any, groups: tuple[int, ...]) -> Callable[[], Iterable[Read]]:
    def read() -> Iterator[Read]:
        with _open_parquet(name, footer) as file:
            if not groups:
                yield from file.schema_arrow.empty_table().to_batches()
            for group in groups:
                yield from _row_group(file, name, group)

    return read


def _row_group(file: Any, name: str, group: int) -> Iterator[Any]:
    """The batches of a row group, one row group at a time: pyarrow cannot join dictionaries that are nested."""
    given = 0
    names: list[str] = file.schema_arrow.names
    wanted = None if len(set(names)) < len(names) else [name for name in names if name in _READ]
    options: dict[str, Any] = {"row_groups": [group], "columns": wanted, "use_threads": False}
    try:
        for batch in file.iter_batches(_AT_ONCE, **options):
            given += 1
            yield batch
    except ArrowNotImplemented:  # a nested dictionary that changes inside the row group
        with _open_parquet(name, file.metadata, is_encoded=False) as plain:
            yield from islice(plain.iter_batches(_AT_ONCE, **options), given, None)


def _ipc_pieces(given: Input) -> Iterator[Piece]:
    with pa.memory_map(given.name) as source:
        is_file = source.read(6) == b"ARROW1"
    if not is_file:
        yield from stream_pieces(_stream_of(given.name), given.name)
        return
    with pa.memory_map(given.name) as source, ipc.open_file(source) as file:
        require_columns(file.schema, ROUNDS)
        sizes = [file.get_batch(place).num_rows for place in range(file.num_record_batches)]
    first_row = start = rows = 0
    enough = _rows_of_piece(sum(sizes))
    for place, size in enumerate(sizes):
        rows += size
        if rows >= enough or place == len(sizes) - 1:
            yield Piece(given.name, first_row + 1, rows, _reading_ipc(given.name, start, place + 1))
            first_row, start, rows = first_row + rows, place + 1, 0


def _reading_ipc(name: str, start: int, stop: int) -> Callable[[], Iterable[Read]]:
    def read() -> Iterator[Read]:
        with pa.OSFile(name) as source, ipc.open_file(source) as file:
            yield from _sound(map(file.get_batch, range(start, stop)))

    return read


def _sound(batches: Iterable[Any]) -> Iterator[Any]:
    """Batches whose offsets and codes lie inside of what they point into: Arrow believes them, and would read whatever memory is there."""
    for batch in batches:
        batch.validate(full=True)
        yield batch


def _stream_of(name: str) -> Iterator[Any]:
    with pa.OSFile(name) as source, ipc.open_stream(source) as stream:
        require_columns(stream.schema, ROUNDS)
        yield from stream


def stream_pieces(batches: Iterable[Any], source: str) -> Iterator[Piece]:
    """Pieces of what flows past: each holds its rows, and is looked at when it is read."""
    held: list[Any] = []
    first_row, rows = 1, 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows >= _AT_ONCE:
            yield Piece(source, first_row, rows, partial(_sound, held))
            first_row, held, rows = first_row + rows, [], 0
    if held:
        yield Piece(source, first_row, rows, partial(_sound, held))


def _csv(given: Input) -> Iterator[Piece]:
    with Path(given.name).open("rb") as file:
        header = file.readline().removesuffix(b"\n").removesuffix(b"\r").removeprefix(b"\xef\xbb\xbf")
        start = file.tell()
        require_names(names_of(header), ROUNDS)
        for first_row, begin, end, rows in _parts(file, start):

            def read(begin: int = begin, end: int = end, first_row: int = first_row) -> Iterable[Read]:
                return read_csv(header, _bytes_of(given.name, begin, end), given.name, first_row)

            yield Piece(given.name, first_row, rows, read)


def _json_lines(given: Input) -> Iterator[Piece]:
    with Path(given.name).open("rb") as file:
        for first_row, begin, end, rows in _parts(file, 0):

            def read(begin: int = begin, end: int = end, first_row: int = first_row) -> Iterable[Read]:
                return read_json_lines(_bytes_of(given.name, begin, end).split(b"\n"), given.name, first_row)

            yield Piece(given.name, first_row, rows, read)


def _parts(file: IO[bytes], start: int) -> Iterator[tuple[int, int, int, int]]:
    """Parts of a text of lines: first row, begin, end and number of lines of each."""
    first_row = 1
    file.seek(start)
    while part := file.read(BYTES):
        part += file.readline()
        rows = part.count(b"\n") + (not part.endswith(b"\n"))
        yield first_row, start, start + len(part), rows
        first_row, start = first_row + rows, start + len(part)


def _bytes_of(name: str, begin: int, end: int) -> bytes:
    with Path(name).open("rb") as file:
        file.seek(begin)
        return file.read(end - begin)


def _database(given: Input, own_bets: Iterable[Bet] = ()) -> Iterator[Piece]:
    from .house_reader import house_pieces  # noqa: PLC0415 (a house is loaded by those who audit one)

    return house_pieces(given.where, own_bets)


_PIECES: Final[dict[str, Callable[[Input], Iterator[Piece]]]] = {
    "parquet": _parquet,
    "ipc": _ipc_pieces,
    "csv": _csv,
    "jsonl": _json_lines,
    "database": _database,
}
