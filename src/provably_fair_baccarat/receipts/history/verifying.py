"""Verifying a history file: one pass over its lines, of which each is believed only as far as it proves itself.

The steps have the numbers of the page on the history file.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from ...errors import (
    BaccaratError,
    CheckpointError,
    EquivocationError,
    HistoryFileError,
    HistoryMismatchError,
    LogPromiseError,
    PayTableMismatchError,
    Slip,
    UnknownKeyError,
    VerificationError,
)
from ...fairness.schemes import scheme_named
from ...records.spelling import TIME, write_time
from ..jws import HeaderTable
from ..log.entry import LogEntry
from ..log.merkle import EMPTY_ROOT, InclusionVerifier, hash_leaf
from ..log.note import read_checkpoint, require_same_log
from ..reading import require_time
from ..statements import FORMS, AcceptanceReader, AcceptanceStatement, ClosingStatement, OpeningStatement, ReceiptStatement
from .commitment import OpenCommitment
from .kept import Kept
from .layout import read_as_written
from .lines import HistoryHeader, RevealLine, StatementLine, read_line, read_lines
from .results import ProvedHistory, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...fairness.seeds import Commitment
    from ...rules.bets import Bet
    from ...rules.pay_table import PayTable
    from ...verify import Guarantee
    from ..jws import Kind
    from ..keys import KeySet, VerificationKey
    from ..log.note import Checkpoint, NoteKey
    from ..statements import AnyStatement, LogPromise
    from .results import ProvedCommitment

_START: Final = b'{"bettor":'
_START_OF_TIME: Final = datetime.min.replace(tzinfo=UTC)
_TIME_AT_END: Final = re.compile(f'"time":"(?P<time>{TIME})","version":1}}\\Z'.encode())


def is_history_file(start: bytes) -> bool:
    """Whether a file that begins so is a history file, or wants to be one: no record begins like its first line."""
    return start.startswith(_START)


def verify_history_file(
    stream: IO[bytes],
    *,
    keys: KeySet | None = None,
    log: NoteKey | None = None,
    witnesses: Sequence[NoteKey] | None = None,
    checkpoints: Iterable[str] = (),
    pay_table: PayTable | None = None,
    own_bets: Iterable[Bet] = (),
    commitments: Iterable[Commitment] = (),
    statements: Iterable[str] = (),
) -> ProvedHistory:
    """Verify a history file to the last byte, and say what it proves.

    `keys` is the key set that the operator publishes, `log` the key of its log, and `witnesses` the keys of witnesses whom the reader
    trusts: what the file brings must agree with each that is given. `checkpoints` are others of the log, had from elsewhere. `pay_table` is
    the one that the bettor was offered: every commitment must be opened under it. `own_bets` are bets of the operator's own, besides those
    of that table. `commitments` are those that the bettor was shown, and `statements` the signed texts that it kept: each must be in
    the file, or a LeftOutError says that it was left out. Raises the VerificationError that fits the first thing that is not as it should
    be; the line is its note.
    """
    kept = Kept(commitments, statements)
    lines = read_lines(stream)
    bets = (*own_bets, *(() if pay_table is None else pay_table.bets))
    reader = _Reader(read_as_written(HistoryHeader.parse, next(lines, b"")), pay_table, bets)
    reader.hold_against(keys, log, witnesses, checkpoints)
    number = 2
    try:
        for line in lines:
            reader.take(line)
            kept.see(line)
            number += 1
        history = reader.finish(are_keys_compared=keys is not None)
    except BaccaratError as error:
        error.add_note(f"line {number}")
        if isinstance(error, VerificationError):
            raise
        refusal = HistoryFileError(error.subject, error.expected, error.found, error.slips)
        refusal.add_note(f"line {number}")
    else:
        kept.require_all({each.commitment for each in history.commitments})
        return history
    raise refusal


class _Reader:
    """A history file as far as it is read."""

    def __init__(self, header: HistoryHeader, offer: PayTable | None, own_bets: tuple[Bet, ...]) -> None:
        self._header = header
        self._offer = offer
        self._own_bets = own_bets
        self._headers = HeaderTable(header.keys)
        self._checkpoint: Checkpoint | None = None
        self._inclusion = InclusionVerifier(0, EMPTY_ROOT)
        self._acceptances = AcceptanceReader()
        self._places: set[int] = set()
        self._keys: set[str] = set()
        self._commitments: dict[str, ProvedCommitment] = {}
        self._graded: list[tuple[tuple[Guarantee, ...], int]] = []
        self._open: OpenCommitment | None = None
        self._statements = 0
        self._previous: str | None = None
        self._latest = header.made_at
        """The latest time that the file knows of."""
        self._unlogged: _Unlogged | None = None

    def hold_against(
        self, keys: KeySet | None, log: NoteKey | None, witnesses: Sequence[NoteKey] | None, checkpoints: Iterable[str]
    ) -> None:
        """Steps 2 and 3: the keys and the log against those that the reader knows."""
        header = self._header
        if keys is not None:
            for kid, key in header.keys.keys.items():
                if keys.keys.get(kid) != key:
                    slip = Slip("strange_keys", "The operator does not publish this key so: anybody may have written this file.")
                    raise UnknownKeyError("key of the history file", "one of the operator's key set, with its time", kid, (slip,))
        if log is not None and header.log != log:
            raise CheckpointError("log of the history file", str(log), str(header.log))
        if witnesses and header.log is None:
            raise CheckpointError("log of the history file", "one, as you know witnesses of it", "none")
        trusted = header.witnesses if witnesses is None else witnesses
        if header.log is not None and header.checkpoint is not None:
            self._checkpoint = read_checkpoint(header.checkpoint, header.log, trusted)
            self._inclusion = InclusionVerifier(self._checkpoint.size, self._checkpoint.root)
        for text in checkpoints:
            if header.log is None or self._checkpoint is None:
                raise CheckpointError("log of the history file", "one, as you have a checkpoint of it", "none")
            kept = read_checkpoint(text, header.log, trusted)
            if kept.size != self._checkpoint.size:
                slip = Slip("other_size", "A history file compares one size: hold yours against the log itself, by pfb log verify.")
                raise CheckpointError("size of the checkpoint that you have", f"{self._checkpoint.size}", f"{kept.size}", (slip,))
            require_same_log(self._checkpoint, kept)

    def take(self, line: bytes) -> None:
        """The next line."""
        read = read_as_written(read_line, line)
        if isinstance(read, StatementLine):
            self._take_statement(read)
        elif self._open is None:
            raise HistoryFileError("line behind the first one", "an opening", "something else")
        elif isinstance(read, RevealLine):
            self._open.reveal(read, self._own_bets)
        else:
            self._open.name_beacon(read)

    def finish(self, *, are_keys_compared: bool) -> ProvedHistory:
        """The end of the file."""
        self._end_commitment()
        for name, told, found in (
            ("openings", self._header.openings, len(self._commitments)),
            ("statements", self._header.statements, self._statements),
        ):
            if told != found:
                slip = Slip("dropped", "Its end is not in this file: it was dropped, or this is not the whole file.")
                slips = (slip,) if found < told else ()
                raise HistoryFileError(f"{name} of the history file", f"{told}, as its first line says", f"{found}", slips)
        header = self._header
        return ProvedHistory(
            header.bettor,
            header.currency,
            header.made_at,
            header.keys,
            are_keys_compared,
            self._checkpoint,
            tuple(self._commitments.values()),
            tally(self._graded),
            self._statements,
            len(self._places),
        )

    def _take_statement(self, line: StatementLine) -> None:
        """Step 4: header, signature, payload and place in the log; then what the statement is about."""
        self._statements += 1
        kind, key, payload = self._headers.open(line.text, line.kind)
        if kind == "receipt":
            self._take_receipt(line, key, payload)
            return
        statement = self._acceptances.parse_payload(payload) if kind == "acceptance" else FORMS[kind].parse_payload(payload)
        self._require_own(statement)
        require_time(key, kind, statement.time)
        index = self._place(line, LogEntry.of(kind, statement.commitment_text, statement.coup, line.text))
        if isinstance(statement, OpeningStatement):
            self._take_opening(statement, index)
            self._keep_promise(kind, statement.log, statement.time, index)
        elif isinstance(statement, AcceptanceStatement):
            if statement.key in self._keys:
                raise EquivocationError(f"key {statement.key!r}", "one bet", "two")
            self._keys.add(statement.key)
            self._opened(statement.commitment_text).accept(statement, index, key.kid)
            self._keep_promise(kind, statement.log, statement.time, index)
        elif isinstance(statement, ClosingStatement):
            opened = self._opened(statement.commitment_text)
            opened.close(statement, index)
            self._keep_promise(kind, opened.opening.log, statement.time, index)

    def _take_opening(self, opening: OpeningStatement, index: int | None) -> None:
        """Step 6: openings count from 0, and each names the one before."""
        self._end_commitment()
        number = len(self._commitments)
        if opening.number != number or (None if opening.previous is None else str(opening.previous)) != self._previous:
            found = f"number {opening.number} after {opening.previous}"
            slip = Slip("dropped", "A commitment before it is not in this file: it was dropped, or this is not the whole file.")
            slips = (slip,) if opening.number > number else ()
            raise HistoryMismatchError("opening", f"number {number} after {self._previous}", found, slips)
        if opening.commitment_text in self._commitments:
            raise EquivocationError(f"commitment {opening.commitment_text}", "one opening", "two")
        if opening.currency != self._header.currency:
            raise HistoryMismatchError(f"currency of opening {number}", f"{self._header.currency}", f"{opening.currency}")
        if self._offer is not None and opening.pay_table_digest != self._offer.digest:
            slip = Slip("other_offer", "The commitment was opened under another pay table than the one that was offered.")
            subject = f"opening {number}, digest of the pay table that was offered"
            raise PayTableMismatchError(subject, self._offer.digest, opening.pay_table_digest, (slip,))
        scheme = scheme_named(opening.scheme)
        if scheme.deals_shoes or scheme.deals_from_chains != (opening.chain is not None):
            raise HistoryMismatchError(
                f"scheme of opening {number}", "one that deals a coup for each nonce, with its chain if it needs one", opening.scheme
            )
        if opening.label != (label := scheme.label(opening.decks)):
            raise HistoryMismatchError(f"label of opening {number}", label, opening.label)
        if opening.chain is not None and (made := opening.chain.chain().commitment(opening.decks)) != opening.commitment:
            raise HistoryMismatchError(f"commitment of opening {number}", f"{made}, that of its chain", f"{opening.commitment}")
        self._previous = opening.commitment_text
        self._acceptances = AcceptanceReader()
        self._open = OpenCommitment(opening, index, self._checkpoint)

    def _take_receipt(self, line: StatementLine, key: VerificationKey, payload: bytes) -> None:
        """Step 7: a receipt is about the acceptance before it; of a revealed commitment, its bytes follow from that."""
        opened = self._open
        if opened is None or opened.waiting is None:
            raise HistoryMismatchError("receipt", "one behind its acceptance", "one without")
        acceptance, log = opened.waiting, opened.waiting.log
        settled_at = _read_time_at_end(payload)
        if settled_at is None or not opened.is_revealed:
            receipt = ReceiptStatement.parse_payload(payload)
            settled_at = receipt.time
            self._require_own(receipt)
            opened.settle_unseen(receipt)
        else:
            opened.settle(settled_at, payload)
        require_time(key, "receipt", settled_at)
        index = self._place(line, LogEntry.of("receipt", acceptance.commitment_text, acceptance.nonce, line.text))
        opened.place_receipt(index, key.kid)
        self._keep_promise("receipt", log, settled_at, index)

    def _opened(self, commitment: str) -> OpenCommitment:
        """The commitment that is open in the file, if a statement is about that."""
        if self._open is None or self._open.opening.commitment_text != commitment:
            raise HistoryMismatchError("commitment of a statement", "that of the opening before it", commitment)
        return self._open

    def _end_commitment(self) -> None:
        if self._open is not None:
            proved, graded = self._open.end()
            self._commitments[proved.commitment] = proved
            self._graded += graded
            self._open = None

    def _require_own(self, statement: AnyStatement) -> None:
        if statement.bettor != self._header.bettor:
            raise HistoryMismatchError(f"bettor of the {statement.kind}", repr(self._header.bettor), repr(statement.bettor))

    def _place(self, line: StatementLine, entry: LogEntry) -> int | None:
        """Where a statement is proved to be in the log, which is nobody else's place."""
        index = line.index
        if index is None:
            return None
        if self._checkpoint is None:
            raise HistoryFileError("log proof of a line", "none, as the first line has no checkpoint", "one")
        self._inclusion.verify(hash_leaf(entry.to_json()), index, line.path)
        if index in self._places:
            raise EquivocationError(f"place {index} in the log", "one statement", "two")
        self._places.add(index)
        return index

    def _keep_promise(self, kind: Kind, promise: LogPromise | None, time: datetime, index: int | None) -> None:
        """Step 5: no promise ran out by the latest time that the file knows of. It may say that it is older than what is in it."""
        self._latest = max(self._latest, time)
        if promise is not None:
            if self._header.log is not None and promise.key != str(self._header.log):
                raise LogPromiseError(f"promise of the {kind}", f"one to log {self._header.log}", promise.key)
            if index is None:
                unlogged = _Unlogged(time - _START_OF_TIME + timedelta(seconds=promise.maximum_delay), kind, time, promise.maximum_delay)
                self._unlogged = unlogged if self._unlogged is None else min(self._unlogged, unlogged)
        late = self._unlogged
        if late is not None and late.end < self._latest - _START_OF_TIME:
            expected = f"a place in the log within {late.delay:,} seconds from {write_time(late.time)} on"
            raise LogPromiseError(f"promise of the {late.kind}", expected, f"none at {write_time(self._latest)}")


class _Unlogged(NamedTuple):
    """A statement that was promised to be in the log and isn't proved to be; its promise's `end`, since the year 1, comes first."""

    end: timedelta
    kind: Kind
    time: datetime
    delay: int


def _read_time_at_end(payload: bytes) -> datetime | None:
    """The time of a receipt, where it is in sight."""
    match = _TIME_AT_END.search(payload)
    try:
        return None if match is None else datetime.fromisoformat(match["time"].decode("ascii"))
    except ValueError:
        return None
