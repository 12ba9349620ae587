"""What a bettor sees of a proof: what was recomputed, what that proves and how far, and how to do it again by hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from ..verify import Grade
from .screen import spells_symbols

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..canonical import Json
    from ..fairness.seeds import ServerSeed
    from ..verify import Check, Guarantee, VerifiedRound

_GRADE_STYLES = {Grade.PROVED: "bold green", Grade.CLAIMED: "yellow", Grade.UNKNOWN: "dim"}
_TITLES = {
    "seed_fixed": "The server seed was fixed by the commitment",
    "client_seed_after_commitment": "The client seed came after the commitment",
    "unbiased_cards": "The cards were drawn without bias",
    "settlement_exact": "Every return is exact",
}


def shell_check(label: str, server_seed: ServerSeed) -> str:
    """The shell command that recomputes a commitment from its revealed server seed (protocol step 2)."""
    return f"printf '{label}:{server_seed.reveal()}' | sha256sum"


def checks_view(checks: Iterable[Check]) -> Table:
    """Everything that was recomputed and found right, a sentence each."""
    grid = _sentences()
    for check in checks:
        grid.add_row(Text("✓" if spells_symbols() else "ok", "bold green"), check.sentence)
    return grid


def guarantees_view(guarantees: Mapping[str, Guarantee]) -> Table:
    """What one round proves: each guarantee with its grade and why."""
    grid = _sentences()
    for guarantee in guarantees.values():
        grid.add_row(Text(guarantee.grade.value, _GRADE_STYLES[guarantee.grade]), guarantee.sentence)
    return grid


class GuaranteeCount:
    """How many of many verified rounds have each guarantee, by its grade."""

    def __init__(self) -> None:
        self._grades: dict[str, Counter[Grade]] = {}

    def add(self, verified: VerifiedRound) -> None:
        """Count one round."""
        for code, guarantee in verified.guarantees.items():
            self._grades.setdefault(code, Counter())[guarantee.grade] += 1

    def to_dict(self) -> dict[str, Json]:
        """The counts as JSON: of each guarantee, of each grade, 0 too."""
        return {code: {grade.value: counts[grade] for grade in Grade} for code, counts in self._grades.items()}

    def view(self) -> Table:
        """The counts as a table."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column("guarantee, in how many rounds")
        for grade in Grade:
            table.add_column(grade.value, justify="right")
        for code, counts in self._grades.items():
            table.add_row(
                _TITLES.get(code, code), *(Text(str(counts[grade]), _GRADE_STYLES[grade] if counts[grade] else "dim") for grade in Grade)
            )
        return table


def verified_text(verified: int, failed: int = 0, unreadable: int = 0) -> Text:
    """How many rounds were verified, failed, and could not be read."""
    text = Text(f"{verified} round{'s' * (verified != 1)} verified, {failed} failed", "bold red" if failed or unreadable else "bold green")
    return text.append(f", {unreadable} unreadable." if unreadable else ".")


def verified_json(verified: VerifiedRound) -> dict[str, Json]:
    """What was proved about a round, as JSON."""
    played = verified.round
    return {
        "scheme": played.scheme,
        "decks": played.decks,
        "commitment": None if played.commitment is None else str(played.commitment),
        "client_seed": str(played.client_seed),
        "nonce": played.nonce,
        "index": played.index,
        "cut": played.cut,
        "cards": [str(card) for card in played.cards],
        "winner": played.coup.winner.value,
        "checks": [{"code": check.code, "sentence": check.sentence} for check in verified.checks],
        "guarantees": {
            code: {"grade": guarantee.grade.value, "sentence": guarantee.sentence} for code, guarantee in verified.guarantees.items()
        },
    }


def _sentences() -> Table:
    grid = Table.grid(padding=(0, 2), expand=False)
    grid.add_column(no_wrap=True)
    grid.add_column()
    return grid
