"""Refused bets, held against the coups that took their nonces.

An operator knows every coup to come, and one that refuses bets which would win keeps to the protocol in everything that it does accept. So
once the seeds are revealed, refused bets are settled as if they had been taken: what they would have returned must be what any bets do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ..cards import DECK
from ..errors import MoneyError
from ..rules.coup import Coup, deal_coup
from ..rules.settlement import settle
from .bet_tally import BetTally, bet_step
from .dealt import UNUSED
from .sums import BetKey, Sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..canonical import Json
    from ..rules.pay_table import PayTable
    from ..rules.settlement import SettledBet
    from .dealt import Dealt

Refused: TypeAlias = Mapping[tuple[bytes, int], Mapping[str, int]]
"""What was refused: stakes by bet, by the commitment and the nonce that they would have spent."""


class RefusedBet(NamedTuple):
    """A bet that was refused: the commitment's 32 bytes, the nonce that it would have spent, and its stakes by bet."""

    commitment: bytes
    nonce: int
    bets: Mapping[str, int]


def gather(refusals: Iterable[RefusedBet]) -> Refused:
    """Refused bets by their places. What was refused more than once at one place is one bet there, since it is one coup."""
    places: defaultdict[tuple[bytes, int], Counter[str]] = defaultdict(Counter)
    for refusal in refusals:
        places[refusal.commitment, refusal.nonce].update(refusal.bets)
    return MappingProxyType(dict(places))


def digest_of_refused(refused: Refused) -> str:
    """The SHA-256 of what was refused, as hex: equal for equal bets, whatever their order was."""
    told = sorted((commitment.hex(), nonce, sorted(stakes.items())) for (commitment, nonce), stakes in refused.items())
    return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class RefusalTally:
    """Refused bets that could be held against coups.

    `places` is at how many coups bets were refused whose nonce was taken later, `unsettled` how many of these bets could not be settled,
    like one that the table does not offer; `bets` are the sums of the others, as if they had been taken.
    """

    places: int = 0
    unsettled: int = 0
    bets: Mapping[BetKey, BetTally] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, refused: Refused, dealt: Dealt, pay_tables: Mapping[str, PayTable]) -> RefusalTally:
        """Hold what was refused against the sound rounds among those dealt."""
        places = unsettled = 0
        bets: dict[BetKey, BetTally] = {}
        for row, table_digest in _matches(refused, dealt):
            places += 1
            stakes = refused[dealt.commitments[dealt.pair[row]].tobytes(), int(dealt.nonce[row])]
            table = pay_tables.get(table_digest)
            settled = () if table is None else _settle(_coup(dealt, row), stakes, table)
            unsettled += len(stakes) - len(settled)
            for line in settled:
                step = bet_step(line.bet, table)
                sums = Sums(1, line.stake, line.stake**2, line.returned, int(line.returned > 0), line.stake)
                key = BetKey(line.bet, table_digest, int(dealt.decks[row]), dealt.currency_of(row))
                tally = BetTally(step, MappingProxyType({line.stake % step: sums}))
                bets[key] = bets[key].plus(tally) if key in bets else tally
        return cls(places, unsettled, MappingProxyType(dict(sorted(bets.items()))))

    def merge(self, other: RefusalTally) -> RefusalTally:
        """What both held."""
        bets = dict(self.bets)
        for key, tally in other.bets.items():
            bets[key] = bets[key].plus(tally) if key in bets else tally
        return RefusalTally(self.places + other.places, self.unsettled + other.unsettled, MappingProxyType(dict(sorted(bets.items()))))

    def to_dict(self) -> dict[str, Json]:
        """The tally as JSON, from which `from_dict` makes it again."""
        return {
            "places": self.places,
            "unsettled": self.unsettled,
            "bets": [{**key._asdict(), **tally.to_dict()} for key, tally in self.bets.items()],
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> RefusalTally:
        """What `to_dict` made."""
        bets = {BetKey(*(each[name] for name in BetKey._fields)): BetTally.from_dict(each) for each in form["bets"]}
        return cls(form["places"], form["unsettled"], MappingProxyType(bets))


def _matches(refused: Refused, dealt: Dealt) -> Iterator[tuple[int, str]]:
    """The sound rows that took the nonce of something refused, each with the digest of its pay table."""
    if not refused or not len(dealt):
        return
    commitments = {commitment for commitment, _ in refused}
    is_named = np.array([each.tobytes() in commitments for each in dealt.commitments])
    nonces = np.array(sorted({nonce for _, nonce in refused}), np.int64)
    rows = np.flatnonzero(dealt.is_sound & is_named[dealt.pair] & np.isin(dealt.nonce, nonces))
    rows = rows[[(dealt.commitments[dealt.pair[row]].tobytes(), int(dealt.nonce[row])) in refused for row in rows]] if len(rows) else rows
    lines = np.flatnonzero(np.isin(dealt.line_row, rows))
    table_of = dict(zip(dealt.line_row[lines].tolist(), dealt.line_pay_table[lines].tolist(), strict=True))
    for row in rows.tolist():
        yield row, dealt.pay_tables[table_of[row]] if row in table_of else ""


def _settle(coup: Coup, stakes: Mapping[str, int], table: PayTable) -> list[SettledBet]:
    """The lines of those bets that the table can settle."""
    lines: list[SettledBet] = []
    for bet, stake in stakes.items():
        with suppress(MoneyError):
            lines.append(settle(coup, {bet: stake}, table).lines[bet])
    return lines


def _coup(dealt: Dealt, row: int) -> Coup:
    """The coup of a sound row."""
    cards: list[int] = dealt.cards[row].tolist()
    return deal_coup([DECK[card] for card in cards if card != UNUSED])
