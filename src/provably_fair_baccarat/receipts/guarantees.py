"""How far signatures, a log and a whole history carry for one round, in sentences for a bettor.

A grade is PROVED only where nobody needs to believe the operator; what it has signed and could have signed later is CLAIMED.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..verify import Grade, Guarantee

PROOF_GUARANTEES = ("signed", "seed_fixed_before_bet", "accepted_before_deal", "nonces_complete", "logged")
"""The codes of the guarantees that statements and a log bring, beside those of a verified round."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What was found about a round. Indexes are places in the log that are proved, or None."""

    key: str | None
    """The id of the key that signed the receipt, or None where that or the acceptance is missing."""
    has_opening: bool
    is_marked: bool
    """Whether the client seed ends with the commitment's mark (protocol step 9), as one that is a beacon's does too."""
    is_dealt_at_once: bool | None
    opening_index: int | None
    acceptance_index: int | None
    receipt_index: int | None
    history: Literal["closed", "open", "unknown"]
    is_promised: bool
    log: str | None
    size: int | None
    """The log's origin, and how many entries its checkpoint covers; None where there is no checkpoint."""
    witnesses: tuple[str, ...] = ()
    """The names of those who have cosigned the checkpoint."""


def guarantees_of(facts: Facts) -> tuple[Guarantee, ...]:
    """The guarantees of `PROOF_GUARANTEES`, in that order."""
    return (_signed(facts), _fixed(facts), _accepted(facts), _complete(facts), _logged(facts))


def _signed(facts: Facts) -> Guarantee:
    if facts.key is None:
        return Guarantee("signed", Grade.UNKNOWN, "Acceptance and receipt are not both signed, so the operator may deny this round.")
    sentence = f"The operator signed this bet and what it came to, with key {facts.key}. It cannot deny either."
    return Guarantee("signed", Grade.PROVED, sentence)


def _fixed(facts: Facts) -> Guarantee:
    code = "seed_fixed_before_bet"
    if not facts.has_opening:
        return Guarantee(code, Grade.UNKNOWN, "No signed opening was given, so nothing shows when the server seed was fixed.")
    if facts.is_marked:
        sentence = "The operator signed the commitment, and the client seed was made after it: the server seed stood fast before the bet."
        return Guarantee(code, Grade.PROVED, sentence)
    if facts.opening_index is not None and facts.acceptance_index is not None:
        sentence = "The log has the commitment before the bet. Whether your client seed was known to the operator before the commitment, only you know."
    else:
        sentence = "The operator signed that the commitment was made before the bet; nothing else shows it."
    return Guarantee(code, Grade.CLAIMED, sentence)


def _accepted(facts: Facts) -> Guarantee:
    code = "accepted_before_deal"
    if facts.is_dealt_at_once is None:
        return Guarantee(code, Grade.UNKNOWN, "No signed acceptance was given.")
    if facts.is_dealt_at_once:
        sentence = "Bet and deal were one request: the operator signed that it took the bet first, and could have seen the cards before."
        return Guarantee(code, Grade.CLAIMED, sentence)
    if facts.acceptance_index is None or facts.receipt_index is None:
        sentence = (
            "The operator signed that it took the bet before the deal. If you had the acceptance before the cards, you know it yourself."
        )
        return Guarantee(code, Grade.CLAIMED, sentence)
    sentence = "The operator signed the acceptance as handed out before the deal, and the log has it before the receipt."
    return Guarantee(code, Grade.PROVED, sentence)


def _complete(facts: Facts) -> Guarantee:
    code = "nonces_complete"
    if facts.history == "closed":
        sentence = "Every coup under this commitment is there, from nonce 0 to the last: none was dropped and none dealt twice."
        return Guarantee(code, Grade.PROVED, sentence)
    if facts.history == "open":
        sentence = "There is no gap in the coups so far; the commitment is still open."
        return Guarantee(code, Grade.CLAIMED, sentence)
    return Guarantee(code, Grade.UNKNOWN, "Only some of the coups under this commitment were looked at.")


def _logged(facts: Facts) -> Guarantee:
    if facts.acceptance_index is not None and facts.receipt_index is not None:
        seen, alone = "", " No witness has cosigned it, so compare the checkpoint with one that somebody else was shown."
        if facts.witnesses:
            have = "1 witness has" if len(facts.witnesses) == 1 else f"{len(facts.witnesses)} witnesses have"
            seen, alone = f", which {have} seen: {', '.join(facts.witnesses)}", ""
        where = f"at {facts.acceptance_index} and {facts.receipt_index}"
        sentence = f"Acceptance and receipt are in {facts.log}, {where}, under the checkpoint of size {facts.size}{seen}.{alone}"
        return Guarantee("logged", Grade.PROVED, sentence)
    if facts.is_promised:
        return Guarantee(
            "logged", Grade.CLAIMED, "The operator promised to put this round into its log, and the time for that is not over."
        )
    return Guarantee("logged", Grade.UNKNOWN, "Nothing shows that this round is in a public log.")
