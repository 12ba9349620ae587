"""Audits: many rounds at once, as Arrow batches, and whether every card, every payment and every nonce is right.

This room knows rounds that were published and seeds that were revealed. It never draws a card that is not to be compared with a claim, and
it never learns a server seed that is still secret.
"""

try:
    import numpy as np
    import pyarrow as pa
except ImportError as error:  # pragma: no cover
    raise ImportError("Audits need an extra: pip install 'provably-fair-baccarat[audit]'") from error

from .dealt import UNKNOWN_TIME, UNUSED, Dealt
from .schema import REFUSALS, ROUNDS, SEEDS

__all__ = ["REFUSALS", "ROUNDS", "SEEDS", "UNKNOWN_TIME", "UNUSED", "Dealt"]

del np, pa
