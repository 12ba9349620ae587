"""Scopes: which bets a figure is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ...rules.ready_tables import PAY_TABLES

if TYPE_CHECKING:
    from ..sums import BetKey

_READY: Final = {table.digest: name for name, table in PAY_TABLES.items()}


class Scope(NamedTuple):
    """Which bets a figure is of: "" or 0 is all of them, but for the currency, where "" is none that anybody told.

    Amounts of different currencies are never added.
    """

    bet: str = ""
    pay_table: str = ""
    decks: int = 0
    currency: str = ""

    @classmethod
    def of(cls, key: BetKey) -> Scope:
        """The bets of one key."""
        return cls(*key)

    def __str__(self) -> str:
        parts = [self.bet or "all bets"]
        if self.decks:
            parts.append(f"{self.decks} deck{'s' if self.decks > 1 else ''}")
        if self.pay_table:
            parts.append(f"table {name_table(self.pay_table)}")
        if self.currency:
            parts.append(self.currency)
        return ", ".join(parts)


def name_table(digest: str) -> str:
    """A pay table for people: the beginning of its digest, and its name if it is a ready one."""
    return f"{digest[:8]} ({_READY[digest]})" if digest in _READY else digest[:8]


def ready_name(digest: str) -> str | None:
    """The name of a ready pay table, or None."""
    return _READY.get(digest)
