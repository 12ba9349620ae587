"""`pfb house verify`: whether a pair's history is complete and true, as far as its server seed, or its chain's links, are revealed."""

from typing import TYPE_CHECKING

from ....records.spelling import currency_form
from ....verify import Check
from ...database import reading_house
from ...failures import OK
from ...house_view import amount_text
from ...options import BetsOption, DatabaseOption, Json, Pair
from ...own_bets import named_bets
from ...proof_view import checks_view, verified_text
from ...screen import at_work, show, write_json

if TYPE_CHECKING:
    from ....house import SeedPair, VerifiedHistory

EXAMPLES = """\b
Examples:
  pfb house verify 5e6f...
  pfb house verify 5e6f... --database postgresql://auditor@db.example/house
  pfb house verify 5e6f... --bets casino_bets:OWN    bets of the operator's own, in casino_bets.py
  pfb house verify 5e6f... --json

\b
Exit codes: 0 verified, 1 something differs or is not revealed yet, 2 there is no such pair or no database.
"""


def verify(*, pair: Pair, database: DatabaseOption, bets: BetsOption = None, json: Json = False) -> int:
    """Replay every round of a revealed pair, and add up the money.

    A pair with a seed chain may be in play still: its rounds are replayed up to the first that is not settled.

    Compares the commitment, the nonces, the cards, the returns and every transfer with what follows from the seeds and the pay table. The
    first difference is an error. Needs no key.
    """
    with reading_house(database, own_bets=named_bets(bets)) as house, at_work("verifying"):
        verified = house.verify_history(pair)
    checks = _checks(verified)
    if json:
        write_json(
            {
                "verified": True,
                "pair": verified.pair.id,
                "commitment": str(verified.pair.commitment),
                "rounds": verified.rounds,
                "staked": str(verified.staked),
                "returned": str(verified.returned),
                "currency": currency_form(verified.pair.currency),
                "checks": [{"code": check.code, "sentence": check.sentence} for check in checks],
            }
        )
    else:
        show(checks_view(checks), "", verified_text(verified.rounds))
    return OK


def _checks(verified: "VerifiedHistory") -> tuple[Check, ...]:
    pair = verified.pair
    staked, returned = (amount_text(amount, pair.currency) for amount in (verified.staked, verified.returned))
    commitment = Check("commitment", _commitment(pair, verified.rounds))
    if not pair.next_nonce:
        return commitment, Check("nonces", "No round was accepted under it.")
    nonces = Check("nonces", _nonces(pair.next_nonce))
    if not verified.rounds:
        return commitment, nonces, Check("replay", "None can be dealt again yet: the first is not settled.")
    each = "each" if verified.rounds == pair.next_nonce else f"each up to nonce {verified.rounds - 1}"
    return (
        commitment,
        nonces,
        Check("replay", f"Dealt again from both seeds, {each} has the same cut, cards and return."),
        Check("ledger", f"Every transfer is the one that its round calls for: {staked} staked, {returned} returned."),
        Check("balance", f"The balance of {pair.bettor!r} follows from all transfers."),
    )


def _commitment(pair: "SeedPair", rounds: int) -> str:
    if pair.chain is None:
        return f"The revealed server seed is the one of commitment {pair.commitment}."
    committed = f"the anchor of the chain that was committed to as {pair.commitment}"
    if not rounds:
        return f"{pair.chain.anchor} is {committed}."
    return f"The newest link leads in {rounds} hash{'es' * (rounds > 1)} to {pair.chain.anchor}, {committed}."


def _nonces(accepted: int) -> str:
    if accepted == 1:
        return "The one round that was accepted is there, with nonce 0."
    return f"All {accepted} rounds that were accepted are there, with every nonce from 0 to {accepted - 1}."
