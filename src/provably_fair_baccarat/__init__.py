"""Provably fair baccarat: deal, settle and prove punto banco.

seeds = Seeds.commit(ServerSeed.generate(), "lucky 8s")
played = play_round(seeds, nonce=0)
settlement = settle(played.coup, {"player": 500})
record = RoundRecord.from_round(played, settlement, server_seed=seeds.server_seed)
verify_record(record)
"""

from . import errors
from .cards import Card, Rank, Suit
from .errors import BaccaratError, PayTableError, Slip, VerificationError
from .fairness.seed_pair import Seeds
from .fairness.seeds import ClientSeed, Commitment, ServerSeed
from .records import RoundRecord
from .rounds import Round, play_round, play_shoe
from .rules.bets import Bet
from .rules.coup import Coup, Hand, Outcome, deal_coup
from .rules.pay_table import ALL_BETS, EZ_BACCARAT, PAY_TABLES, PUNTO_BANCO, STANDARD_SIDE_BETS, SUPER_SIX, PayTable, stake_step
from .rules.settlement import SettledBet, Settlement, settle
from .rules.shoe_session import ShoeSession
from .verify import Check, Grade, Guarantee, VerifiedRound, diagnose, verify_record, verify_round

__version__ = "0.1.0.dev0"

__all__ = [
    "ALL_BETS",
    "EZ_BACCARAT",
    "PAY_TABLES",
    "PUNTO_BANCO",
    "STANDARD_SIDE_BETS",
    "SUPER_SIX",
    "BaccaratError",
    "Bet",
    "Card",
    "Check",
    "ClientSeed",
    "Commitment",
    "Coup",
    "Grade",
    "Guarantee",
    "Hand",
    "Outcome",
    "PayTable",
    "PayTableError",
    "Rank",
    "Round",
    "RoundRecord",
    "Seeds",
    "ServerSeed",
    "SettledBet",
    "Settlement",
    "ShoeSession",
    "Slip",
    "Suit",
    "VerificationError",
    "VerifiedRound",
    "__version__",
    "deal_coup",
    "diagnose",
    "errors",
    "play_round",
    "play_shoe",
    "settle",
    "stake_step",
    "verify_record",
    "verify_round",
]
