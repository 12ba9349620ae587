"""The directory that an audit works in: what it is an audit of, and what is finished."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .. import __version__
from ..durable import FileLock, sync_folder
from ..errors import AuditError
from .schema import VERSION

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from ..canonical import Json
    from .readers import Input
    from .seed_book import SeedBook


def plan_of(inputs: Iterable[Input], buckets: int, book: SeedBook | None, tables: str, refusals: str | None) -> dict[str, Json]:
    """What an audit is of: another one may not go on in its directory."""
    return {
        "version": __version__,
        "schema": VERSION,
        "buckets": buckets,
        "inputs": [[given.name, given.form, given.size, given.changed] for given in inputs],
        "seeds": None if book is None else book.digest,
        "pay_tables": tables,
        "refusals": refusals,
    }


@contextmanager
def work_folder(folder: Path, plan: dict[str, Json]) -> Generator[Path]:
    """Take a directory, new or as the same audit left it, and keep others out. Raises AuditError if it is another one's."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "audit.json"
    if not file.exists():
        if any(each.name != "audit.partial" for each in folder.iterdir()):
            raise AuditError(f"work directory {folder}", "an empty one, or one of this very audit", "other files")
        partial = folder / "audit.partial"
        partial.write_text(json.dumps(plan), encoding="utf-8")
        partial.replace(file)
        sync_folder(folder)
    elif (known := json.loads(file.read_bytes())) != plan:
        found = _difference(known, plan)
        raise AuditError(f"work directory {folder}", "one of this very audit", found)
    with _lock(folder):
        yield folder


def _difference(known: dict[str, Any], plan: dict[str, Any]) -> str:
    """What another audit, or the same one earlier, had otherwise."""
    before, now = known.get("inputs", []), plan["inputs"]
    if [each[0] for each in before] == [each[0] for each in now]:
        changed = [each[0] for each, other in zip(now, before, strict=True) if each != other]
        if changed:
            return f"inputs that changed since: {', '.join(changed[:_SHOWN])}{', ...' if len(changed) > _SHOWN else ''}"
        names = [name for name in plan if known.get(name) != plan[name]]
        return f"one with other {', '.join(names)}"
    return "one of other inputs"


_SHOWN: Final = 5


def _lock(folder: Path) -> FileLock:
    """Nobody else works in the same directory. Raises AuditError where somebody does."""
    try:
        return FileLock(folder / "audit.lock")
    except BlockingIOError:
        raise AuditError(f"work directory {folder}", "one that nobody works in", "another audit at work there") from None


def require_unchanged(inputs: Iterable[Input]) -> None:
    """Raise AuditError if a file is not as it was when the audit began."""
    for given in inputs:
        if given.size is not None:
            told = Path(given.name).stat()
            if (told.st_size, told.st_mtime_ns) != (given.size, given.changed):
                raise AuditError(f"input {given.name}", "a file that stays as it is", "one that changed during the audit")
