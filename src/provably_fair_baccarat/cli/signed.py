"""Signed histories on the command line: the keys and checkpoints that somebody has kept, and the one page that a history file comes to."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich import box
from rich.table import Table
from rich.text import Text

from ..records.spelling import write_time
from ..verify import Grade
from .failures import misused
from .files import open_input
from .proof_view import GRADE_STYLES, TITLES
from .screen import printable, show, show_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from ..canonical import Json
    from ..receipts import KeySet
    from ..receipts.history import ProvedCommitment, ProvedHistory
    from ..receipts.log import NoteKey

MAX_KEYS_BYTES = 1024 * 1024
_MAX_STATEMENT_BYTES: Final = 128 * 1024
"""The longest line of statements that is read at once."""


def read_key_set(name: str) -> KeySet:
    """A key set from a file as an operator publishes it. Raises SigningKeyError and OSError."""
    from ..receipts import KeySet  # noqa: PLC0415 (signatures are loaded by those who look at one)

    with open_input(name) as stream:
        return KeySet.parse_jwks(stream.read(MAX_KEYS_BYTES))


def read_note_keys(texts: Iterable[str]) -> tuple[NoteKey, ...]:
    """Keys of logs or witnesses, as text. Raises SigningKeyError."""
    from ..receipts.log import NoteKey  # noqa: PLC0415 (logs are loaded by those who look at one)

    return tuple(map(NoteKey.parse, texts))


def read_checkpoint_text(name: str) -> str:
    """The text of a checkpoint from a file; what is longer than any is cut, to be refused. Raises OSError."""
    with Path(name).open("rb") as stream:
        return stream.read(MAX_KEYS_BYTES).decode("utf-8", "replace")


def read_statements(name: str) -> tuple[str, ...]:
    """Signed statements from a file, one a line. Raises OSError, and a usage error for a file of anything else."""
    texts: list[str] = []
    with Path(name).open("rb") as stream:
        for line in iter(partial(stream.readline, _MAX_STATEMENT_BYTES), b""):
            found = line.decode("utf-8", "replace").split()
            if any(text.count(".") != 2 for text in found):
                raise _no_statements(name)
            texts += found
    if not texts:
        raise _no_statements(name)
    return tuple(texts)


def _no_statements(name: str) -> Exception:
    return misused(f"--kept is a file of signed statements, one a line, and {name} is none.")


def show_history(history: ProvedHistory, *, are_commitments_compared: bool) -> None:
    """The page: whose history, under which keys and log, what each commitment came to, and how far each guarantee carries."""
    show(Text.assemble((f"History of {printable(history.bettor)}", "bold"), f", made at {tell(history.made_at)}"))
    show(_keys_text(history), _log_text(history), "")
    if history.commitments:
        show(_commitments(history), "", _guarantees(history), "")
    for remark in _remarks(history):
        show(remark)
    show_line(_verdict(history, are_commitments_compared=are_commitments_compared))


def history_json(history: ProvedHistory) -> dict[str, Json]:
    """The page as JSON."""
    checkpoint = history.checkpoint
    return {
        "verified": True,
        "bettor": history.bettor,
        "currency": None if history.currency is None else {"code": history.currency.code, "decimals": history.currency.decimals},
        "made_at": write_time(history.made_at),
        "keys": list(history.keys.keys),
        "keys_compared": history.are_keys_compared,
        "checkpoint": None
        if checkpoint is None
        else {
            "origin": checkpoint.origin,
            "size": checkpoint.size,
            "root": checkpoint.root.hex(),
            "witnesses": [each.witness.name for each in checkpoint.cosignatures],
        },
        "coups": history.coups,
        "open_coups": history.open_coups,
        "statements": history.statements,
        "logged": history.logged,
        "commitments": [_commitment_json(each) for each in history.commitments],
        "guarantees": {code: {grade.value: told.counts[grade] for grade in Grade} for code, told in history.guarantees.items()},
    }


def tell(time: datetime) -> str:
    """A time for people."""
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"


def _commitment_json(each: ProvedCommitment) -> dict[str, Json]:
    return {
        "commitment": each.commitment,
        "label": each.label,
        "opened_at": write_time(each.opened_at),
        "client_seed": each.client_seed,
        "client_seed_made_by": each.client_seed_made_by,
        "coups": each.coups,
        "settled": each.settled,
        "verified": each.verified,
        "closed": each.is_closed,
        "staked": str(each.staked),
        "returned": str(each.returned),
    }


def _verdict(history: ProvedHistory, *, are_commitments_compared: bool) -> Text:
    """What the file comes to, and what no file can show by itself."""
    proved = sum(each.verified for each in history.commitments)
    told = f"{proved} coup{'s' * (proved != 1)} proved, {history.open_coups} not yet, 0 failed."
    if not proved:
        return Text(f"Nothing in this file contradicts itself, and it proves nothing: {told}", "bold yellow")
    if are_commitments_compared:
        return Text(f"Nothing in this file contradicts itself, and every commitment that you gave is in it: {told}", "bold green")
    limit = "It cannot show a commitment that was left out: compare the list with yours, --commitment does."
    return Text.assemble((f"Nothing in this file contradicts itself: {told} ", "bold green"), (limit, "bold yellow"))


def _keys_text(history: ProvedHistory) -> Text:
    kids = ", ".join(f"{kid[:16]}..." for kid in history.keys.keys)
    if history.are_keys_compared:
        return Text(f"Signed with keys that the operator publishes: {kids}.")
    sentence = f"Signed with {kids}, which the file brings itself. Compare with what the operator publishes: --keys does."
    return Text(sentence, "bold yellow")


def _log_text(history: ProvedHistory) -> Text:
    checkpoint = history.checkpoint
    if checkpoint is None:
        return Text("No public log: the operator could show others another history.", "yellow")
    text = Text(
        f"{history.logged} of {history.statements} statements are in {checkpoint.origin} under its checkpoint of size {checkpoint.size}"
    )
    if not checkpoint.cosignatures:
        return text.append(", which no witness has cosigned.")
    names = ", ".join(f"{each.witness.name}" for each in checkpoint.cosignatures)
    return text.append(f", cosigned by {names}.")


def _commitments(history: ProvedHistory) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("commitment")
    for name in ("coups", "proved", "staked", "returned"):
        table.add_column(name, justify="right")
    table.add_column("state")
    for each in history.commitments:
        state = "closed" if each.is_closed else "open"
        counts = (each.coups, each.verified, each.staked, each.returned)
        table.add_row(f"{each.commitment[:16]}...", *map(str, counts), state)
    return table


def _guarantees(history: ProvedHistory) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("guarantee, for how many coups")
    for grade in Grade:
        table.add_column(grade.value, justify="right")
    for code, told in history.guarantees.items():
        counts = (Text(str(told.counts[grade]), GRADE_STYLES[grade] if told.counts[grade] else "dim") for grade in Grade)
        table.add_row(TITLES.get(code, code), *counts)
    return table


def _remarks(history: ProvedHistory) -> Iterable[Text]:
    """Why something is less than proved, a sentence each, and what should be said aloud."""
    for code, told in history.guarantees.items():
        for grade in (Grade.UNKNOWN, Grade.CLAIMED):
            if told.counts[grade]:
                yield Text(f"{TITLES.get(code, code)}, {grade.value}: {told.sentences[grade]}")
    made = sum(each.coups for each in history.commitments if each.client_seed_made_by == "operator")
    if made:
        yield Text(
            f"For {made} coup{'s' * (made > 1)} the client seed was made by the operator's side and not by the bettor.", "bold yellow"
        )
    if history.open_coups:
        sentence = f"{history.open_coups} coups are under commitments that are not revealed yet. Ask the operator to reveal them."
        yield Text(sentence, "yellow")
