"""What a bettor sees of a proof: what was recomputed, what that proves and how far, and how to do it again by hand."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, cast

from rich import box
from rich.table import Table
from rich.text import Text

from ..verify import Grade
from .screen import own_name, printable, spells_symbols

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..canonical import Json
    from ..records import RoundRecord
    from ..verify import Check, Guarantee, VerifiedRound

GRADE_STYLES = {Grade.PROVED: "bold green", Grade.CLAIMED: "yellow", Grade.UNKNOWN: "dim"}
TITLES = {
    "seed_fixed": "The server seed was fixed by the commitment",
    "client_seed_after_commitment": "The client seed came after the commitment",
    "unbiased_cards": "The cards were drawn without bias",
    "settlement_exact": "Every return is exact",
    "signed": "The operator signed bet and outcome",
    "seed_fixed_before_bet": "The server seed was fixed before the bet",
    "accepted_before_deal": "The bet was accepted before the deal",
    "nonces_complete": "No coup is missing or there twice",
    "logged": "Bet and outcome are in the public log",
}


def shell_check(label: str, server_seed: str) -> str:
    """The shell command that recomputes a commitment from its revealed server seed (protocol step 2)."""
    return f"printf '{label}:{server_seed}' | sha256sum"


def verify_command(seeds: Mapping[str, str]) -> str:
    """The command that verifies a round from its seeds, which stand by the names of the options."""
    options = " ".join(f"--{name} {shlex.quote(printable(value))}" for name, value in seeds.items())
    return f"{own_name()} verify {options}"


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
        grid.add_row(Text(guarantee.grade.value, GRADE_STYLES[guarantee.grade]), guarantee.sentence)
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

    def remarks(self) -> list[Text]:
        """That a client seed may have been there before the commitment, in a sentence, where that is not proved."""
        counts = self._grades.get("client_seed_after_commitment", Counter())
        open_ = counts[Grade.CLAIMED] + counts[Grade.UNKNOWN]
        if not open_:
            return []
        sentence = f"In {open_} round{'s' * (open_ > 1)} nothing shows that the client seed came after the commitment: only you know."
        return [Text(sentence, "yellow")]

    def view(self) -> Table:
        """The counts as a table."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column("guarantee, in how many rounds")
        for grade in Grade:
            table.add_column(grade.value, justify="right")
        for code, counts in self._grades.items():
            table.add_row(
                TITLES.get(code, code), *(Text(str(counts[grade]), GRADE_STYLES[grade] if counts[grade] else "dim") for grade in Grade)
            )
        return table


class Series:
    """Which nonces of each commitment were there, under which pay tables, and whose client seeds: what only many rounds together tell."""

    def __init__(self, *, must_be_complete: bool = False) -> None:
        self._must_be_complete = must_be_complete
        self._records = 0
        self._places: dict[str, Counter[tuple[int, int]]] = {}
        self._pay_tables: dict[str, set[str]] = {}
        self._currencies: dict[str, set[tuple[str, int]]] = {}
        self.made_by_operator = 0
        """How many verified rounds have a client seed that the operator's side made."""

    def note(self, record: RoundRecord) -> None:
        """Note that a record is there, whatever comes of it."""
        self._records += 1
        if record.commitment is not None:
            self._places.setdefault(str(record.commitment), Counter())[record.nonce, record.index or 0] += 1

    def add(self, verified: VerifiedRound) -> None:
        """Note a verified round."""
        record = verified.record
        if record is None:
            return
        self.made_by_operator += record.client_seed_made_by == "operator"
        if record.commitment is not None:
            commitment = str(record.commitment)
            self._pay_tables.setdefault(commitment, set()).add(record.pay_table_digest)
            if record.currency is not None:
                self._currencies.setdefault(commitment, set()).add((record.currency.code, record.currency.decimals))

    @property
    def is_told(self) -> bool:
        """Whether missing nonces are worth a word: whoever verifies one round knows that there were others."""
        return self._must_be_complete or self._records > 1

    @property
    def is_incomplete(self) -> bool:
        """Whether nonces are missing or there twice, or a commitment has two pay tables or currencies, though that must not be."""
        return self._must_be_complete and bool(self.missing or self.twice or self.changed)

    @property
    def missing(self) -> int:
        """How many nonces are missing below the last one of each commitment, from 0 on."""
        return sum(len(_missing(places)) for places in self._places.values())

    @property
    def twice(self) -> int:
        """How many nonces are there twice."""
        return sum(len(_twice(places)) for places in self._places.values())

    @property
    def changed(self) -> int:
        """How many commitments have more than one pay table, or more than one currency, in the verified rounds (protocol step 9)."""
        return sum(any(count > 1 for _, count in self._terms(commitment)) for commitment in self._places)

    def _terms(self, commitment: str) -> tuple[tuple[str, int], tuple[str, int]]:
        """How many pay tables and currencies the verified rounds of a commitment have."""
        told = self._pay_tables.get(commitment, set()), self._currencies.get(commitment, set())
        return ("pay tables", len(told[0])), ("currencies", len(told[1]))

    def to_dict(self) -> dict[str, Json]:
        """What was noted, as JSON.

        By commitment: the first and last nonce, how many are missing before and between, how many are twice, and how many pay tables and
        currencies the verified rounds have.
        """
        return {
            "client_seeds_made_by_operator": self.made_by_operator,
            "missing": self.missing,
            "twice": self.twice,
            "changed": self.changed,
            "commitments": {
                commitment: {
                    "first": min(places)[0],
                    "last": max(places)[0],
                    "missing_from_start": sum(nonce < min(places)[0] for nonce in _missing(places)),
                    "missing": sum(nonce > min(places)[0] for nonce in _missing(places)),
                    "twice": len(_twice(places)),
                    **{name.replace(" ", "_"): count for name, count in self._terms(commitment)},
                }
                for commitment, places in self._places.items()
            },
        }

    def remarks(self) -> list[Text]:
        """What was noted, a sentence each."""
        remarks = [_nonces_text(commitment, places) for commitment, places in self._places.items()]
        for commitment in self._places:
            several = " and ".join(f"{count} {name}" for name, count in self._terms(commitment) if count > 1)
            if several:
                sentence = f"Commitment {commitment[:16]}... has {several}: what was published with it must stay the same."
                remarks.append(Text(sentence, "bold yellow"))
        if count := self.made_by_operator:
            sentence = f"In {count} round{'s' * (count > 1)} the client seed was made by the operator's side and not by the bettor."
            remarks.append(Text(sentence, "bold yellow"))
        return remarks


def _missing(places: Counter[tuple[int, int]]) -> list[int]:
    nonces = {nonce for nonce, _ in places}
    return sorted(set(range(min(max(nonces), _MOST_GAPS))) - nonces)


_MOST_GAPS = 10**6
"""Up to which nonce the missing ones are counted one by one."""


def _twice(places: Counter[tuple[int, int]]) -> list[int]:
    return sorted({nonce for (nonce, _), count in places.items() if count > 1})


def _nonces_text(commitment: str, places: Counter[tuple[int, int]]) -> Text:
    missing, twice = _missing(places), _twice(places)
    first, last = min(places)[0], max(places)[0]
    text = Text(f"Commitment {commitment[:16]}...: nonce{f's {first} to {last}' if last > first else f' {first}'}, ")
    text.append(f"{len(missing) or 'none'} missing", "bold yellow" if missing else "")
    text.append(", ")
    text.append(f"twice {_listed(twice)}" if twice else "none twice", "bold yellow" if twice else "")
    text.append(".")
    if missing:
        told = (
            "is not in this file; if you bet on it, it was" if len(missing) == 1 else "are not in this file; if you bet on them, they were"
        )
        text.append(f" Nonce{'s' * (len(missing) > 1)} {_listed(missing)} {told} left out.", "bold yellow")
    return text


def _listed(nonces: list[int]) -> str:
    shown = ", ".join(map(str, nonces[:10]))
    return f"{shown} and {len(nonces) - 10} more" if len(nonces) > 10 else shown


def verified_text(verified: int, failed: int = 0, unreadable: int = 0, series: Series | None = None) -> Text:
    """How many rounds were verified, failed, and could not be read; and what a bettor should not overlook though nothing failed."""
    remarks = [] if series is None else list(_overlooked(verified, series))
    style = "bold red" if failed or unreadable else "bold yellow" if remarks else "bold green"
    told = f"{verified} round{'s' * (verified != 1)} verified, {failed} failed{f', {unreadable} unreadable' * (unreadable > 0)}"
    return Text(f"{'; '.join([told, *remarks])}.", style)


def _overlooked(verified: int, series: Series) -> Iterator[str]:
    if series.is_told and (series.missing or series.twice):
        counts = ((series.missing, "missing"), (series.twice, "there twice"))
        yield ", ".join(f"{count} nonce{'s' * (count > 1)} {what}" for count, what in counts if count)
    if count := series.changed:
        yield f"{count} commitment{'s' * (count > 1)} with more than one pay table or currency"
    if count := series.made_by_operator:
        whose = "its client seed" if verified == 1 else f"the client seed of {count} of them"
        yield f"the house made {whose}, so it could choose"


def verified_json(verified: VerifiedRound) -> dict[str, Json]:
    """What was proved about a round, as JSON in one object."""
    told = verified.to_dict()
    return {**cast("dict[str, Json]", told.pop("round")), **told}


def _sentences() -> Table:
    grid = Table.grid(padding=(0, 2), expand=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid
