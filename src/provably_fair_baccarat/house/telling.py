"""What leaves the house of what it has signed: statements in their order, the log that they go to, and a bettor's whole history in one file."""

from __future__ import annotations

from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Final

from ..errors import LogStoreError, Slip
from ..receipts import InclusionProof
from ..receipts.history import HistoryWriter
from ..receipts.log import LogEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from ..canonical import Json
    from ..receipts import KeySet
    from ..receipts.jws import Kind
    from ..receipts.log import LogWriter, NoteKey, TileLog
    from .pairs import Currency
    from .rows import PairRow, StatementRow
    from .store import Store

BATCH: Final = 4096
"""How many statements go to the log at once."""

PAGE: Final = 500
"""Of how many coups the statements are read at once."""

IN_MEMORY: Final = 16 * 1024 * 1024
"""From how many bytes on a history waits on disk until its first line is known."""

ABOUT_PAIR: Final = -1


@dataclass(frozen=True, slots=True)
class KeptStatement:
    """A signed statement as the house keeps it."""

    kind: Kind
    nonce: int | None
    """The nonce that it is about; None where it is about the pair."""
    place: int | None
    """Its place in the log, None until it has one."""
    text: str
    """The statement itself, compact JWS."""

    def to_dict(self) -> dict[str, Json]:
        """The statement as JSON."""
        return {"kind": self.kind, "nonce": self.nonce, "place": self.place, "statement": self.text}


@dataclass(frozen=True, slots=True)
class StatementPage:
    """What is signed about some coups in order, and where the next page begins: pass `next` as `after`; it is None on the last page."""

    statements: tuple[KeptStatement, ...]
    next: int | None


def read_statements(store: Store, pair: PairRow, after: int | None, limit: int) -> StatementPage:
    """What is signed about a pair, and then about so many of its coups; behind the nonce `after` it is about coups alone."""
    first = ABOUT_PAIR if after is None else after + 1
    last = min(max(first, 0) + limit, pair.next_nonce) - 1
    rows = store.signed_statements(pair.number, first, last) if first <= last else []
    told = tuple(KeptStatement(row.kind, row.nonce, row.place, row.text) for row in rows)
    return StatementPage(told, last if last + 1 < pair.next_nonce else None)


def sequence(store: Store, log: LogWriter, limit: int) -> int:
    """Append what is signed to the log, each once, in the order it was made, at most so many; how many statements.

    The place of a statement is stored before it is appended, and what has a place is appended before anything gets another one. So whoever
    takes over after a crash goes on where the log ends. Once a batch is not full nothing was waiting, and what is signed while it is appended
    is left for the next call: otherwise a house that signs all the time would never be let go. Raises LogStoreError for a log that is not this
    database's.
    """
    _require_same(store, log)
    appended = 0
    more = True
    while appended < limit:
        room = min(BATCH, limit - appended)
        if waiting := store.placed_statements(log.size, room):
            log.append([entry_of(statement) for statement in waiting], at=log.size)
            appended += len(waiting)
        elif more:
            more = store.give_places(room) == room
        else:
            break
    return appended


def entry_of(statement: StatementRow) -> bytes:
    """A statement's entry in the log."""
    return LogEntry.of(statement.kind, statement.commitment, statement.nonce, statement.text).to_json()


def write_history(
    store: Store,
    pairs: Iterable[PairRow],
    keys: KeySet,
    *,
    bettor: str,
    currency: Currency | None,
    made_at: datetime,
    log: TileLog | None,
    witnesses: Iterable[NoteKey],
) -> Iterator[bytes]:
    """The lines of a history file about a bettor's pairs whose openings are signed."""
    writer = HistoryWriter()
    if log is not None:
        tree = log.tree
        writer = HistoryWriter(
            checkpoint=log.checkpoint, log=log.key, prove=lambda place: InclusionProof(place, tuple(tree.inclusion_proof(place)))
        )
    with SpooledTemporaryFile(IN_MEMORY) as kept:
        openings = statements = 0
        for pair in pairs:
            if pair.is_signed:
                openings += 1
                statements += _write_pair(store, pair, writer, kept)
        yield writer.header(bettor, currency, made_at, keys, openings=openings, statements=statements, witnesses=witnesses)
        kept.seek(0)
        yield from iter(kept.readline, b"")


def _write_pair(store: Store, pair: PairRow, writer: HistoryWriter, kept: IO[bytes]) -> int:
    """Write the lines of a pair as it was read; how many statements there are."""
    said = {statement.kind: statement for statement in store.signed_statements(pair.number, ABOUT_PAIR, ABOUT_PAIR)}
    is_revealed = pair.state == "revealed"
    lines = [_line(writer, said["opening"])]
    if pair.chain_anchor is not None and pair.newest_link is not None:
        lines.append(writer.reveal(pair.commitment.hex(), pair.newest_link.hex(), pair.settled_in_order - 1))
    elif pair.chain_anchor is None and is_revealed and pair.server_seed is not None:
        lines.append(writer.reveal(pair.commitment.hex(), pair.server_seed.hex()))
    kept.writelines(lines)
    count = 1
    for first in range(0, pair.next_nonce, PAGE):
        for statement in store.signed_statements(pair.number, first, min(first + PAGE, pair.next_nonce) - 1):
            kept.write(_line(writer, statement))
            count += 1
    if is_revealed and "closing" in said:  # with the reveal: until then the pair is told as one that is open
        kept.write(_line(writer, said["closing"]))
        count += 1
    return count


def _line(writer: HistoryWriter, statement: StatementRow) -> bytes:
    return writer.statement(statement.kind, statement.text, statement.place)


def _require_same(store: Store, log: LogWriter) -> None:
    """Raise LogStoreError unless the log's last entry is the one that has its place in the database."""
    if not log.size:
        return
    latest = store.placed_statements(log.size - 1, 1)
    if not latest or entry_of(latest[0]) != log.entry(log.size - 1):
        slip = Slip("other_log", "Was the database restored from an older copy, or is this another house's log?")
        raise LogStoreError(f"log {log.key.name}", "the statements of this database", "others, or more", (slip,))
