"""Rounds as arrays of numbers: what statistics are made of.

`Dealt` holds the rows of a batch that could be read, whether or not they are right; `is_sound` says which of them nothing was found against.
Everything is as it was claimed: for a sound row that is also what follows from its seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Bytes: TypeAlias = NDArray[np.uint8]
    Words: TypeAlias = NDArray[np.uint16]
    Codes: TypeAlias = NDArray[np.int32]
    Numbers: TypeAlias = NDArray[np.int64]
    Flags: TypeAlias = NDArray[np.bool_]
    Amounts: TypeAlias = NDArray[Any]

UNUSED: Final = 255
"""The card at a position that a shoe dealt through did not use."""

CUT_BEFORE: Final = 0xFFFF
"""The cut of a coup that is not the first of its shoe: the shoe was cut once, and counts once."""

UNKNOWN_TIME: Final = int(np.iinfo(np.int64).min)
"""A time that nobody knows."""

PLAYER: Final = 0
BANKER: Final = 1
TIE: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """The readable rounds of a batch, and their bet lines in long form. Nobody writes to the arrays.

    Rounds, n of them: `cards` are numbers in the factory order, 0 to 51, of positions 1 to 6; `used` is how many the coup used, 4 to 6; `cut`
    is that of the coup's shoe, or `CUT_BEFORE`;
    `winner` is 0 for player, 1 for banker, 2 for a tie; `pair` is a code of the commitment in this batch, whose 32 bytes are
    `commitments[pair]`; `accepted_at` is in microseconds since 1970 in UTC, or `UNKNOWN_TIME`; `is_sound` says that nothing was found.

    Lines, m of them: `line_row` is the round's place above, `line_bet` a code into `bets`, `line_pay_table` a code into `pay_tables`, the
    digests as hex. Stakes and returns are int64 where all of a batch fit, and else object arrays of whole numbers.

    `currency` is a code of each round into `currencies`, where "" is one that nobody told; None where nobody told any.
    """

    cards: Bytes
    used: Bytes
    player_score: Bytes
    banker_score: Bytes
    winner: Bytes
    cut: Words
    decks: Bytes
    pair: Codes
    nonce: Numbers
    accepted_at: Numbers
    is_sound: Flags
    commitments: Bytes
    line_row: Codes
    line_bet: Codes
    line_pay_table: Codes
    line_stake: Amounts
    line_returned: Amounts
    bets: tuple[str, ...]
    pay_tables: tuple[str, ...]
    currency: Codes | None = None
    currencies: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.nonce)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """What codes stand for: rounds in which these are equal can be joined."""
        return self.bets, self.pay_tables, self.currencies

    def currency_of(self, row: int) -> str:
        """The currency of a round, "" where nobody told it."""
        if self.currency is None:
            return ""
        code = int(self.currency[row])
        return self.currencies[code]


def joined(parts: Sequence[Dealt]) -> Dealt:
    """The rounds of batches whose bets, pay tables and currencies have the same codes, one batch behind the other."""
    if len(parts) == 1:
        return parts[0]
    whole: dict[str, Any] = {}
    first_rows = np.cumsum([0, *(len(part) for part in parts)])
    first_pairs = np.cumsum([0, *(len(part.commitments) for part in parts)])
    for name in Dealt.__slots__:
        columns: list[Any] = [getattr(part, name) for part in parts]
        if name in ("bets", "pay_tables", "currencies") or columns[0] is None:
            whole[name] = columns[0]
            continue
        starts = {"line_row": first_rows, "pair": first_pairs}.get(name)
        if starts is not None:
            columns = [column + start for column, start in zip(columns, starts.astype(np.int32), strict=False)]
        whole[name] = np.concatenate(columns)
    return Dealt(**whole)
