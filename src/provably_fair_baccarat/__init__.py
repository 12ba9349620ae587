"""Provably fair baccarat: deal, settle and prove punto banco.

server_seed = ServerSeed.generate()
commitment = commit(server_seed)  # published before the bettor chooses
client_seed = ClientSeed.generate(commitment)  # on the bettor's side
seeds = Seeds(server_seed, client_seed, commitment)
played = play_round(seeds, nonce=0)
settlement = settle(played.coup, {"player": 500})
record = RoundRecord.from_round(played, settlement, server_seed=server_seed)
verify_record(record)
"""

from . import errors
from .cards import Card, Rank, Suit
from .errors import BaccaratError, PayTableError, Slip, VerificationError
from .fairness.chain import Chain, RevealedChain, SeedChain
from .fairness.seed_pair import Seeds, commit
from .fairness.seeds import ClientSeed, Commitment, ServerSeed
from .kernel import KernelInfo, kernel_info
from .records import RoundRecord
from .rounds import Round, play_round, play_shoe
from .rules.bets import Bet
from .rules.coup import Coup, Hand, Outcome, deal_coup
from .rules.pay_table import PayTable, stake_step
from .rules.ready_tables import (
    ALL_BETS,
    DRAGON_BONUS,
    DRAGON_BONUS_PAIRED,
    EZ_BACCARAT,
    PAY_TABLES,
    PUNTO_BANCO,
    STANDARD_SIDE_BETS,
    SUPER_SIX,
)
from .rules.settlement import SettledBet, Settlement, settle
from .rules.shoe_session import ShoeSession
from .verify import Check, Grade, Guarantee, VerifiedRound, diagnose, verify_record, verify_round

__version__ = "0.1.0"

__all__ = [
    "ALL_BETS",
    "DRAGON_BONUS",
    "DRAGON_BONUS_PAIRED",
    "EZ_BACCARAT",
    "PAY_TABLES",
    "PUNTO_BANCO",
    "STANDARD_SIDE_BETS",
    "SUPER_SIX",
    "BaccaratError",
    "Bet",
    "Card",
    "Chain",
    "Check",
    "ClientSeed",
    "Commitment",
    "Coup",
    "Grade",
    "Guarantee",
    "Hand",
    "KernelInfo",
    "Outcome",
    "PayTable",
    "PayTableError",
    "Rank",
    "RevealedChain",
    "Round",
    "RoundRecord",
    "SeedChain",
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
    "commit",
    "deal_coup",
    "diagnose",
    "errors",
    "kernel_info",
    "play_round",
    "play_shoe",
    "settle",
    "stake_step",
    "verify_record",
    "verify_round",
]
