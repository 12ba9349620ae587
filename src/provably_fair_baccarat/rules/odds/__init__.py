"""Exact odds of every bet, by counting and never by sampling.

`odds` tells those of one bet, `table_odds` those of a whole pay table, `bettor_edges` the bets that pay too much, `coup_odds` how coups
go, and `mix_odds` what several bets on one coup come to together. A shoe is a number of decks, or a `Shoe`: infinitely many decks, or
what is left after some cards are gone.
"""

from .counting import CoupClass
from .figures import BetOdds, CoupOdds, bettor_edges, coup_odds, odds, table_odds
from .mixes import MixOdds, mix_odds
from .shoe import Shoe

__all__ = ["BetOdds", "CoupClass", "CoupOdds", "MixOdds", "Shoe", "bettor_edges", "coup_odds", "mix_odds", "odds", "table_odds"]
