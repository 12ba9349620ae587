"""The pay tables that most houses play by, and what side bets usually pay: all of it data."""

from __future__ import annotations

from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING

from .bets import WON
from .multiplier import parse_multiplier
from .pay_table import PUSH, PayTable

if TYPE_CHECKING:
    from collections.abc import Mapping


def _standard_side_bets() -> dict[str, dict[str, str]]:
    dragon_bonus = {"natural": 1, "by_4": 1, "by_5": 2, "by_6": 4, "by_7": 6, "by_8": 10, "by_9": 30}
    to_one: dict[str, dict[str, str | int]] = {
        "player_pair": {WON: 11},
        "banker_pair": {WON: 11},
        "either_pair": {WON: 5},
        "perfect_pair": {"one": 25, "both": 200},
        "perfect_pair_flat": {WON: 25},
        "big": {WON: "0.54"},
        "small": {WON: "1.5"},
        "four_cards": {WON: "1.5"},
        "five_cards": {WON: 2},
        "six_cards": {WON: 2},
        "dragon_bonus_player": {**dragon_bonus},
        "dragon_bonus_banker": {**dragon_bonus},
        "dragon7": {WON: 40},
        "panda8": {WON: 25},
        "super6": {WON: 12},
        "tiger": {"two_cards": 12, "three_cards": 20},
        "small_tiger": {WON: 22},
        "big_tiger": {WON: 50},
        "tiger_tie": {WON: 45},
        "tiger_pair": {"one": 4, "both": 20, "both_same": 100},
        "lucky7": {"two_cards": 6, "three_cards": 15},
        # paid *for* one: 30 unsuited and 75 suited, stake included, and a second hand's payment on top
        "royal_match": {"unsuited": 29, "suited": 74, "two_unsuited": 59, "suited_and_unsuited": 104, "two_suited": 149},
    }
    for score, pays in enumerate((150, 215, 225, 200, 120, 110, 45, 45, 80, 80)):
        to_one[f"egalite_{score}"] = {WON: pays}
    return {bet: {name: str(parse_multiplier(Decimal(pays) + 1)) for name, pays in payouts.items()} for bet, payouts in to_one.items()}


STANDARD_SIDE_BETS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {bet: MappingProxyType(payouts) for bet, payouts in _standard_side_bets().items()}
)
"""What the side bets of the catalogue usually pay, as multipliers: choose from it for `PayTable(side_bets=...)`."""

PUNTO_BANCO = PayTable()
"""The classic table: player 2.0, banker 1.95, tie 9.0."""

SUPER_SIX = PayTable(banker_multiplier="2.0", banker_exceptions={"six": "1.5"}, side_bets={"super6": STANDARD_SIDE_BETS["super6"]})
"""Commission free: the banker pays even money, but half on a six; with the super 6 side bet."""

EZ_BACCARAT = PayTable(
    banker_multiplier="2.0",
    banker_exceptions={"three_card_seven": PUSH},
    side_bets={name: STANDARD_SIDE_BETS[name] for name in ("dragon7", "panda8")},
)
"""Commission free: the banker pays even money, but pushes on a three-card seven; with the dragon 7 and panda 8 side bets."""

_DRAGON_BONUS = {"natural": 2, "by_4": 3, "by_5": 3, "by_6": 5, "by_7": 5, "by_8": 11, "by_9": 31}

DRAGON_BONUS = PayTable(side_bets={name: STANDARD_SIDE_BETS[name] for name in ("dragon_bonus_player", "dragon_bonus_banker")})
"""The classic table with the dragon bonus on either hand at its usual pay: 1 for a natural, 1, 2, 4, 6, 10, 30 to one for a win by 4 to 9."""

DRAGON_BONUS_PAIRED = PayTable(side_bets=dict.fromkeys(("dragon_bonus_player", "dragon_bonus_banker"), _DRAGON_BONUS))
"""The dragon bonus as some houses pay it: 1 for a natural, 2 for a win by 4 or 5, 4 by 6 or 7, 10 by 8, 30 by 9."""

ALL_BETS = PayTable(side_bets=STANDARD_SIDE_BETS)
"""The classic table with every side bet of the catalogue at its usual pay."""

PAY_TABLES: Mapping[str, PayTable] = MappingProxyType(
    {
        "punto_banco": PUNTO_BANCO,
        "super_six": SUPER_SIX,
        "ez_baccarat": EZ_BACCARAT,
        "dragon_bonus": DRAGON_BONUS,
        "dragon_bonus_paired": DRAGON_BONUS_PAIRED,
        "all_bets": ALL_BETS,
    }
)
"""The tables above by name."""
