"""Writing a report: both files are there whole, or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Final

from .page import write_page
from .report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...rules.bets import Bet
    from ..result import AuditResult

JSON_NAME: Final = "report.json"
PAGE_NAME: Final = "report.html"


def write_report(result: AuditResult, directory: str | Path, *, bets: Iterable[Bet] = ()) -> tuple[Path, Path]:
    """Write `report.json` and `report.html` of an audit into a directory, which is made where it is not there, and return their paths.

    `bets` are the operator's own that its pay tables may offer. Each file is written under another name first and then put in its place, so
    that nobody ever sees half of one. Raises OSError.
    """
    report = Report.of(result, bets)
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {JSON_NAME: to_json(report), PAGE_NAME: write_page(report)}
    for name, text in texts.items():
        _write(folder / name, text)
    return folder / JSON_NAME, folder / PAGE_NAME


def to_json(report: Report) -> str:
    """The report as JSON text in ASCII, the same for the same report."""
    return json.dumps(report.to_dict(), indent=1, allow_nan=False) + "\n"


def _write(path: Path, text: str) -> None:
    with NamedTemporaryFile("w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False) as stream:
        written = Path(stream.name)
        try:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
            written.chmod(0o644)
            written.replace(path)
        except BaseException:
            written.unlink(missing_ok=True)
            raise
