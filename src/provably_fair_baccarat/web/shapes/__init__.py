"""The shapes of what goes over the wire: bodies are read by them, and OpenAPI shows them. Answers are written elsewhere, and never through them.

Their annotations are values, as pydantic reads them, so these modules do not postpone them.
"""

from .asked import Bets, ChosenSeed, Claim
from .counts import Bead, BetOdds, BigRoad, Figure, Mark, NextMarks, Odds, Roads, Win
from .pairs import BetLimits, ChainClaim, Currency, Limits, Offer, Pair, Pairs, PayTable, Rotation, SignedPair
from .rounds import (
    Acceptance,
    Balance,
    HandOfCards,
    KeptStatement,
    Record,
    Round,
    Rounds,
    SettledBet,
    SignedAcceptance,
    SignedRound,
    Statements,
    Totals,
)
from .verdicts import Check, Difference, Guarantee, Problem, Slip, Verdict, VerifiedRound

__all__ = [
    "Acceptance",
    "Balance",
    "Bead",
    "BetLimits",
    "BetOdds",
    "Bets",
    "BigRoad",
    "ChainClaim",
    "Check",
    "ChosenSeed",
    "Claim",
    "Currency",
    "Difference",
    "Figure",
    "Guarantee",
    "HandOfCards",
    "KeptStatement",
    "Limits",
    "Mark",
    "NextMarks",
    "Odds",
    "Offer",
    "Pair",
    "Pairs",
    "PayTable",
    "Problem",
    "Record",
    "Roads",
    "Rotation",
    "Round",
    "Rounds",
    "SettledBet",
    "SignedAcceptance",
    "SignedPair",
    "SignedRound",
    "Slip",
    "Statements",
    "Totals",
    "Verdict",
    "VerifiedRound",
    "Win",
]
