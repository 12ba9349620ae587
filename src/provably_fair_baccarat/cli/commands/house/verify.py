"""`pfb house verify`: whether a revealed pair's history is complete and true."""

from typing import TYPE_CHECKING

from ....verify import Check
from ...database import reading_house
from ...failures import OK
from ...house_view import amount_text, currency_json
from ...options import DatabaseOption, Json, Pair
from ...proof_view import checks_view, verified_text
from ...screen import at_work, show, write_json

if TYPE_CHECKING:
    from ....house import VerifiedHistory

EXAMPLES = """\b
Examples:
  pfb house verify 5e6f...
  pfb house verify 5e6f... --database postgresql://auditor@db.example/house
  pfb house verify 5e6f... --json

\b
Exit codes: 0 verified, 1 something differs or is not revealed yet, 2 there is no such pair or no database.
"""


def verify(*, pair: Pair, database: DatabaseOption, json: Json = False) -> int:
    """Replay every round of a revealed pair, and add up the money.

    Compares the commitment, the nonces, the cards, the returns and every transfer with what follows from the seeds and the pay table. The
    first difference is an error. Needs no key.
    """
    with reading_house(database) as house, at_work("verifying"):
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
                "currency": currency_json(verified.pair.currency),
                "checks": [{"code": check.code, "sentence": check.sentence} for check in checks],
            }
        )
    else:
        show(checks_view(checks), "", verified_text(verified.rounds))
    return OK


def _checks(verified: "VerifiedHistory") -> tuple[Check, ...]:
    pair = verified.pair
    staked, returned = (amount_text(amount, pair.currency) for amount in (verified.staked, verified.returned))
    commitment = Check("commitment", f"The revealed server seed is the one of commitment {pair.commitment}.")
    if not verified.rounds:
        return commitment, Check("nonces", "No round was accepted under it.")
    one = "The one round that was accepted is there, with nonce 0."
    all_ = f"All {verified.rounds} rounds that were accepted are there, with every nonce from 0 to {verified.rounds - 1}."
    return (
        commitment,
        Check("nonces", one if verified.rounds == 1 else all_),
        Check("replay", "Dealt again from both seeds, each has the same cut, cards and return."),
        Check("ledger", f"Every transfer is the one that its round calls for: {staked} staked, {returned} returned."),
        Check("balance", f"The balance of {pair.bettor!r} follows from all transfers."),
    )
