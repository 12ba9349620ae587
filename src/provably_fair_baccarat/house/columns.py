"""From columns to rows. Both engines select the same columns in the same order; what they spell each in its own way is a time.

Amounts come as text, so that nothing between a database and here can make anything else of them, and become integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .rows import AccountRow, EventRow, LegRow, PairRow, RoundRow, StatementRow, TransferRow
from .vault import Sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime


class ColumnReader:
    """Reads the rows of one engine that have times, with `read_time` for those."""

    __slots__ = ("_read_time",)

    def __init__(self, read_time: Callable[[Any], datetime]) -> None:
        self._read_time = read_time

    def pair(self, columns: Sequence[Any]) -> PairRow:
        """A pair from the columns of SELECT_PAIR."""
        (number, id_, bettor, currency, scheme, decks, commitment, digest, form, cap, is_remote, state, key_id, sealed, *rest) = columns
        (
            server_seed,
            client_seed,
            made_by,
            next_nonce,
            settled,
            in_order,
            *times,
            successor,
            anchor,
            length,
            newest_link,
            is_signed,
            latest,
        ) = rest
        committed_at, chosen_at, closed_at, revealed_at = times
        return PairRow(
            number,
            id_,
            bettor,
            currency,
            scheme,
            decks,
            commitment,
            digest,
            form,
            cap,
            bool(is_remote),
            state,
            Sealed(key_id, sealed),
            server_seed,
            client_seed,
            made_by,
            next_nonce,
            settled,
            in_order,
            self._read_time(committed_at),
            self._time_or_none(chosen_at),
            self._time_or_none(closed_at),
            self._time_or_none(revealed_at),
            successor,
            anchor,
            length,
            newest_link,
            bool(is_signed),
            self._read_time(latest),
        )

    def round(self, columns: Sequence[Any]) -> RoundRow:
        """A round from the columns of SELECT_ROUND."""
        id_, pair, pair_id, nonce, place, key, bets, staked, exposure, accepted_at, after_stake, in_order, *dealt = columns
        accepted = (id_, pair, pair_id, nonce, place, key, bets, int(staked), int(exposure), self._read_time(accepted_at))
        before = int(after_stake) + int(staked)
        cut, cards, returned, after, settled_at = dealt
        if cards is None:
            return RoundRow(*accepted, before, settled_in_order=in_order)
        left = int(after_stake if after is None else after)
        return RoundRow(*accepted, before, cut, cards, int(returned), left, self._read_time(settled_at), in_order)

    def leg(self, columns: Sequence[Any]) -> LegRow:
        """A wallet's transaction from the columns of SELECT_LEG."""
        id_, kind, pair, pair_id, bettor, currency, key, bets, amount, state, reason, at = columns
        return LegRow(id_, kind, pair, pair_id, bettor, currency, key, bets, int(amount), state, reason, self._read_time(at))

    def event(self, columns: Sequence[Any]) -> EventRow:
        """An event."""
        id_, kind, pair_id, nonce, bets, key, reason, at = columns
        return EventRow(id_, kind, pair_id, nonce, bets, key, reason, self._read_time(at))

    def _time_or_none(self, time: Any) -> datetime | None:
        return None if time is None else self._read_time(time)


def transfer_row(columns: Sequence[Any]) -> TransferRow:
    """A transfer."""
    id_, kind, payer, payee, amount, balance = columns
    return TransferRow(id_, kind, payer, payee, int(amount), int(balance))


def transfer_rows_of_pair(
    rounds: Iterable[Sequence[Any]],
) -> dict[int, tuple[TransferRow | None, TransferRow | None]]:
    """By the nonce of each round the transfers of its stake and of its return, from the columns of both behind the nonce."""
    found: dict[int, tuple[TransferRow | None, TransferRow | None]] = {}
    for nonce, *columns in rounds:
        stake, paid = columns[:6], columns[6:]
        found[nonce] = (None if stake[0] is None else transfer_row(stake), None if paid[0] is None else transfer_row(paid))
    return found


def account_row(columns: Sequence[Any]) -> AccountRow:
    """An account and the sums of its postings."""
    number, kind, bettor, currency, balance, credits_, debits = columns
    return AccountRow(number, kind, bettor, currency, None if balance is None else int(balance), int(credits_), int(debits))


def statement_row(columns: Sequence[Any]) -> StatementRow:
    """A signed statement."""
    kind, commitment, nonce, text, place = columns
    return StatementRow(kind, commitment.hex(), nonce, text, place)
