"""JSON lines as tables of rounds: `RoundRecord` lines as a house exports them, and plain rows with the columns of the schema.

A record is read as strictly as anywhere. What a record tells and a table does not, its label and the spellings of the client seed, is
compared here; a record of another house's scheme is verified as a whole.
"""

from __future__ import annotations

import json
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from ..canonical import canonical_json, parse_json
from ..errors import (
    BaccaratError,
    CardsMismatchError,
    ClientSeedMismatchError,
    CommitmentMismatchError,
    CoupMismatchError,
    NotRevealedError,
    PayTableMismatchError,
    RecordError,
    SchemeError,
    SettlementMismatchError,
    UnknownBetError,
    describe,
)
from ..fairness.hex_form import describe_secret
from ..fairness.schemes import SCHEMES
from ..records import RoundRecord
from ..records.spelling import time_text
from ..verify import verify_record
from .arrow import ArrowInvalid, ArrowTypeError, kinds, pa
from .columns import SECRET_COLUMNS
from .findings import Finding
from .pieces import Counted
from .rows import DECIMALS, DIFFERENCE_LISTS, DIFFERENCES
from .rows import SCHEMES as TABLE_SCHEMES
from .schema import LINE, ROUNDS, field_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyarrow import RecordBatch

    from .pieces import Read

_AT_ONCE: Final = 1 << 13

_CODES: Final[tuple[tuple[type[BaccaratError], str], ...]] = (
    (NotRevealedError, "not_revealed"),
    (CommitmentMismatchError, "commitment"),
    (ClientSeedMismatchError, "client_seed"),
    (CardsMismatchError, "cards"),
    (CoupMismatchError, "hands"),
    (PayTableMismatchError, "pay_table"),
    (SettlementMismatchError, "returned"),
    (UnknownBetError, "bet"),
    (SchemeError, "scheme"),
)


def read_json_lines(lines: Iterable[bytes], source: str, first_row: int) -> Iterator[Read]:
    """Read lines; each is a record or a plain row. What cannot be read is a finding of its line."""
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(lines, first_row):
        if not line.strip():
            continue
        try:
            if _is_record(line):
                record = RoundRecord.parse_json(line)
                if record.scheme not in TABLE_SCHEMES:
                    yield from _verify_whole(record, source, number)
                    continue
                decimals = None if record.currency is None else record.currency.decimals
                rows.append({**_row(record), "row": number, DECIMALS: decimals, DIFFERENCES: list(_differences(record)) or None})
            else:
                rows.append({**_plain_row(line), "row": number})
        except BaccaratError as error:
            yield Finding("unreadable", error.expected, error.found, source, number)
        if len(rows) >= _AT_ONCE:
            yield _batch(rows)
            rows = []
    if rows:
        yield _batch(rows)


def _is_record(line: bytes) -> bool:
    return b'"format_version"' in line


def _plain_row(line: bytes) -> dict[str, Any]:
    """A row with the columns of the schema. Raises RecordError where JSON has another kind of value than belongs there."""
    given: Any = parse_json(line, subject="row")
    if not isinstance(given, dict):
        raise RecordError("row", "an object", type(given).__name__)
    row: dict[str, Any] = {**given}
    plain = {name: value for name, value in row.items() if name in _COLUMNS}
    for name, value in plain.items():
        if type(value) not in _COLUMNS[name].types:
            raise RecordError(
                "row", f"{name}: {_COLUMNS[name].expected}", describe_secret(value) if name in SECRET_COLUMNS else describe(value)
            )
    for bet in plain.get("bets") or ():
        _require_bet(bet)
    if b"\\u" in line:
        _require_text(plain)
    return plain


def _require_bet(given: Any) -> None:
    if not isinstance(given, dict):
        raise RecordError("row", "bets: an object for each bet", describe(given))
    bet: dict[str, Any] = {**given}
    for name, form in _PARTS.items():
        value = bet.get(name)
        if type(value) not in form.types:
            raise RecordError("row", f"bets, {name}: {form.expected}", describe(value))


def _require_text(row: dict[str, Any]) -> None:
    """Escapes can spell halves of characters, which no text in UTF-8 has."""
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RecordError("row", "text in Unicode", "half a character, a lone surrogate") from None


class _Form(NamedTuple):
    """What JSON can have in a column."""

    types: frozenset[type]
    expected: str

    @classmethod
    def of(cls, kind: Any) -> Self:
        """The form of a column of a type."""
        if kinds.is_list(kind):
            return cls(frozenset({list, NoneType}), "a list")
        if kinds.is_boolean(kind):
            return cls(frozenset({bool, str, NoneType}), "true or false")
        if kinds.is_integer(kind) or kinds.is_decimal(kind):
            return cls(frozenset({int, str, NoneType}), "a whole number, or text of digits")
        return cls(frozenset({str, NoneType}), "text")


_COLUMNS: Final = {name: _Form.of(field_of(ROUNDS, name).type) for name in ROUNDS.names}
_PARTS: Final = {name: _Form.of(field_of(LINE, name).type) for name in ("bet", "stake", "status", "returned")}


def _row(record: RoundRecord) -> dict[str, Any]:
    """A record as a row of the schema, in the spellings of JSON."""
    chain = record.chain
    return {
        "scheme": record.scheme,
        "decks": record.decks,
        "commitment": None if record.commitment is None else str(record.commitment),
        "server_seed": record.server_seed,
        "client_seed": record.client_seed.text,
        "nonce": record.nonce,
        "index": record.index,
        "chain_anchor": None if chain is None else chain.anchor,
        "chain_length": None if chain is None else chain.length,
        "cut": record.cut,
        "cards": "".join(map(str, record.cards)),
        "player_cards": "".join(map(str, record.player.cards)),
        "banker_cards": "".join(map(str, record.banker.cards)),
        "player_score": record.player.score,
        "banker_score": record.banker.score,
        "winner": record.winner.value,
        "natural": record.natural,
        "bets": [
            {"bet": name, "stake": str(bet.stake), "status": bet.status, "returned": str(bet.returned)} for name, bet in record.bets.items()
        ],
        "staked": str(record.totals.staked),
        "returned": str(record.totals.returned),
        "pay_table": canonical_json(record.pay_table.model_dump(mode="json")).decode(),
        "pay_table_digest": record.pay_table_digest,
        "currency": None if record.currency is None else record.currency.code,
        "accepted_at": time_text(record.accepted_at),
        "settled_at": time_text(record.settled_at),
    }


def _differences(record: RoundRecord) -> Iterator[dict[str, str]]:
    """What a record tells twice and not the same twice."""
    label = SCHEMES[record.scheme].label(record.decks)
    utf8 = record.client_seed.utf8.hex()
    net = record.totals.returned - record.totals.staked
    for code, expected, found in (
        ("scheme", f"the label {label}", f"the label {record.label}"),
        ("client_seed", f"{utf8} in hex", f"{record.client_seed_hex} in hex"),
        ("totals", f"net {net}", f"net {record.totals.net}"),
    ):
        if expected != found:
            yield {"code": code, "expected": expected, "found": found}


def _verify_whole(record: RoundRecord, source: str, row: int) -> Iterator[Read]:
    """Verify a record of another house's scheme, or say that nobody knows it."""
    yield Counted(1, len(record.bets))
    try:
        verify_record(record)
    except BaccaratError as error:
        code = next((code for kind, code in _CODES if isinstance(error, kind)), "unreadable")
        commitment = None if record.commitment is None else str(record.commitment)
        yield Finding(code, error.expected, error.found, source, row, commitment, record.nonce, record.index, error.hint)


def _batch(rows: list[dict[str, Any]]) -> RecordBatch:
    """Rows as a batch: every column of the schema that some row has, with text where it is spelled as text."""
    columns: dict[str, Any] = {}
    for name in ROUNDS.names:
        if any(name in row for row in rows) or name in _MUST:
            columns[name] = _column(name, [row.get(name) for row in rows])
    decimals = [row.get(DECIMALS) for row in rows]
    if any(number is not None for number in decimals):
        columns[DECIMALS] = pa.array(decimals, pa.int8())
    differences = [row.get(DIFFERENCES) for row in rows]
    if any(differences):
        columns[DIFFERENCES] = pa.array(differences, DIFFERENCE_LISTS)
    batch: RecordBatch = pa.record_batch(list(columns.values()), names=list(columns))
    return batch


_MUST: Final = frozenset(field for field in ROUNDS.names if not field_of(ROUNDS, field).nullable) | {"pay_table"}


def _column(name: str, values: list[Any]) -> Any:
    """Values of one type, or all of them as text; bets as text always, so that a batch is read as each of its rows would be."""
    if name == "bets":
        return _bets(values)
    try:
        return pa.array(values)
    except (ArrowInvalid, ArrowTypeError):
        return pa.array(list(map(_as_text, values)), pa.string())


_LINES_AS_TEXT: Final = pa.list_(pa.struct([(name, pa.string()) for name in _PARTS]))


def _bets(values: list[Any]) -> Any:
    try:
        return pa.array(values, _LINES_AS_TEXT)
    except (ArrowInvalid, ArrowTypeError):  # some amounts are numbers
        texts = [None if bets is None else [{name: _as_text(bet.get(name)) for name in _PARTS} for bet in bets] for bets in values]
        return pa.array(texts, _LINES_AS_TEXT)


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)
