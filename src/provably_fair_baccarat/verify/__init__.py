"""Verification: replay a round from revealed seeds, compare it with what was claimed, and say what that proves.

The replay is `play_round` itself. Whatever differs raises an error that says what follows from the seeds, what was found instead and which
slip is likely; nothing here ever answers False.
"""

from .values import Check, Grade, Guarantee, VerifiedRound
from .verification import diagnose, verify_record, verify_round

__all__ = ["Check", "Grade", "Guarantee", "VerifiedRound", "diagnose", "verify_record", "verify_round"]
