"""What a sitting has decided and not written yet: accounts, pairs and bets as its statement takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..rows import RoundRow
from .money import Purse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from ...receipts.jws import Kind
    from ..store import BetOrder, DealtCoup, Tell


@dataclass(slots=True)
class Account:
    """An account in this transaction: what is stored, and what it comes to with what is decided and not written yet."""

    number: int
    house: int
    outside: int
    stored: tuple[int, int, int]
    """What is in the row: balance, exposed and owed."""
    balance: int
    exposed: int
    owed: int

    @property
    def purse(self) -> Purse:
        """What is in it now."""
        return Purse(self.number, self.balance, self.exposed, self.owed, self.house, self.outside)

    def is_stored(self) -> None:
        """What it comes to is in the row now."""
        self.stored = (self.balance, self.exposed, self.owed)

    def columns(self) -> dict[str, int]:
        """What is in the row and what it becomes, as the statement takes it."""
        balance, exposed, owed = self.stored
        return {
            "account": self.number,
            "balance": balance,
            "exposed": exposed,
            "owed": owed,
            "to_balance": self.balance,
            "to_exposed": self.exposed,
            "to_owed": self.owed,
        }


@dataclass(slots=True)
class Pair:
    """A pair in this transaction, and how many bets and coups of it are decided and not written yet."""

    number: int
    id: str
    state: str
    next_nonce: int
    settled_in_order: int
    cap: int
    latest_at: datetime
    account: Account
    accepted: int = 0
    dealt: int = 0
    went_on: int = 0
    """How many coups more are settled in order."""
    tell: Tell | None = None

    def columns(self) -> dict[str, Any]:
        """What changes about it, as the statement takes it."""
        link = None if self.tell is None or not self.went_on else self.tell(self.settled_in_order).hex()
        return {
            "pair": self.number,
            "next_nonce": self.next_nonce - self.accepted,
            "in_order": self.settled_in_order - self.went_on,
            "accepted": self.accepted,
            "dealt": self.dealt,
            "to_order": self.settled_in_order,
            "link": link,
            "latest_at": self.latest_at.isoformat(),
        }


class Taken:
    """A bet that is taken, signed already where that is due: nothing but the database can refuse it now. Its round has an id once it is written.

    Raises whatever the signer does; then there is no such bet.
    """

    __slots__ = ("at", "before", "bets", "dealt", "id", "key", "nonce", "order", "pair", "pair_id", "said")

    def __init__(self, order: BetOrder, pair: Pair, dealt: DealtCoup | None, at: datetime) -> None:
        self.id = 0
        self.order = order
        self.pair = order.pair
        self.pair_id = pair.id
        self.nonce = pair.next_nonce
        self.key = order.key
        self.bets = order.bets
        self.at = at
        self.dealt = dealt
        self.before = pair.account.balance + (0 if order.leg is None else order.staked)  # a debit brings its money first
        self.said = tuple(self._statements())
        """The signed acceptance, and the receipt if it is dealt, as they are kept."""

    def columns(self, account: Account) -> dict[str, Any]:
        """The bet as the statement takes it."""
        order, dealt, after_stake = self.order, self.dealt, self.before - self.order.staked
        columns: dict[str, Any] = {
            "pair": self.pair,
            "nonce": self.nonce,
            "account": account.number,
            "house": account.house,
            "key": self.key,
            "bets": self.bets,
            "staked": order.staked,
            "exposure": order.exposure,
            "after_stake": after_stake,
            "accepted_at": self.at.isoformat(),
        }
        if dealt is not None:
            columns["cut"] = dealt.cut
            columns["cards"] = dealt.cards
            columns["returned"] = dealt.returned
            columns["after_return"] = after_stake + dealt.returned
            columns["settled_at"] = dealt.at.isoformat()
        return columns

    def _statements(self) -> Iterator[tuple[Kind, int, int | None, str]]:
        signs = self.order.signs
        if signs is not None:
            row = self.row(0)
            yield "acceptance", self.pair, self.nonce, signs.accepted(row)
            if self.dealt is not None:
                yield "receipt", self.pair, self.nonce, signs.settled(row)

    def row(self, settled_in_order: int) -> RoundRow:
        """The round."""
        order, dealt = self.order, self.dealt
        accepted = (
            self.id,
            self.pair,
            self.pair_id,
            self.nonce,
            0,
            self.key,
            self.bets,
            order.staked,
            order.exposure,
            self.at,
            self.before,
        )
        if dealt is None:
            return RoundRow(*accepted, settled_in_order=settled_in_order)
        after = self.before - order.staked + dealt.returned
        return RoundRow(*accepted, dealt.cut, dealt.cards, dealt.returned, after, dealt.at, settled_in_order)
