"""The rules of the console game: ten rounds, a purse of fifty one-dollar chips, and at most five of them on a round.

The game takes text and answers with values or errors: how they are asked for and shown is the command's business.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..errors import BetError, Slip, StakeError, UnknownBetError, describe, nearest
from ..rules.bets import MAIN_BETS
from ..rules.multiplier import UNIT
from ..rules.ready_tables import ALL_BETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..rules.pay_table import PayTable

ROUNDS: Final = 10
CHIP: Final = 100
"""What a chip is worth, in cents."""

PURSE: Final = 50 * CHIP
MOST_CHIPS: Final = 5
"""The most chips on one round, over all bets."""

_SHORT: Mapping[str, str] = {bet.name[0]: bet.name for bet in MAIN_BETS}
_ENTRY = "bets like player 5 or player 3 tie 1"


def chips_allowed(purse: int) -> int:
    """How many chips may be staked on the next round, 0 to 5, from a purse in cents."""
    return min(MOST_CHIPS, purse // CHIP)


def is_over(rounds_played: int, purse: int) -> bool:
    """Whether no round follows: all ten are played, or the purse holds less than one chip."""
    return rounds_played >= ROUNDS or purse < CHIP


def read_entry(entry: str, offered: Iterable[str], purse: int) -> dict[str, int]:
    """Read what a bettor typed, like `player 5`, `b 3` or `player 3 tie 1`, into stakes in cents by bet; nothing typed is no bets.

    Raises UnknownBetError, StakeError or BetError, which say how to mend it.
    """
    names = tuple(offered)
    words = entry.lower().replace(",", " ").split()
    if len(words) % 2:
        named = next((_SHORT.get(word, word) for word in words if _SHORT.get(word, word) in names), names[0])
        slip = Slip("entry_form", f"Say on what and how many chips, like {named} 3.")
        raise BetError("entry", _ENTRY, describe(entry), (slip,))
    stakes: dict[str, int] = {}
    for word, chips in zip(words[::2], words[1::2], strict=True):
        name = _SHORT.get(word, word)
        if name not in names:
            side_bet = " or a side bet" if len(names) > len(MAIN_BETS) else ""
            raise UnknownBetError("bet", f"player, banker or tie{side_bet}", describe(word), _bet_slips(word, names))
        if name in stakes:
            raise BetError("entry", "each bet once", f"{name} a second time")
        stakes[name] = _read_chips(name, chips) * CHIP
    if sum(stakes.values()) > chips_allowed(purse) * CHIP:
        raise _too_many(sum(stakes.values()) // CHIP, purse)
    return stakes


def prices(pay_table: PayTable) -> Mapping[str, str]:
    """What each side bet of a table pays to one: `11`, or `25/200` where it has several payouts."""
    return {
        name: "/".join(f"{(offer.payments[payout].multiplier - UNIT) / UNIT:.6g}" for payout in offer.bet.payouts)
        for name, offer in pay_table.offers.items()
        if name in pay_table.side_bets
    }


def _bet_slips(word: str, names: tuple[str, ...]) -> tuple[Slip, ...]:
    """The nearest bet on offer; else that there is such a side bet, or what the side bets are."""
    priced = prices(ALL_BETS)
    if word not in names and word in priced:
        return (Slip("side_bets", f"It is a side bet, which pays {priced[word]} to one: pfb play --side-bets offers it."),)
    if slips := nearest(word, names):
        return slips
    if len(names) > len(MAIN_BETS):
        listed = ", ".join(f"{name} {priced[name]}" for name in names if name in priced)
        return (Slip("side_bets", f"Side bets, and what they pay to one: {listed}."),)
    return ()


def _read_chips(bet: str, text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text, re.ASCII):
        raise StakeError(f"stake on {bet}", f"a whole number of chips from 1 to {MOST_CHIPS}", describe(text))
    return int(text)


def _too_many(chips: int, purse: int) -> StakeError:
    allowed = chips_allowed(purse)
    if allowed < MOST_CHIPS:
        return StakeError("stake", f"at most {allowed} chip{'s' * (allowed > 1)}, which is what the purse holds", f"{chips}")
    return StakeError("stake", f"at most {MOST_CHIPS} chips a round", f"{chips}")
