"""What a test laboratory asks for: very many coups beside the exact odds, and the random stream itself.

Everything comes from 32 bytes of entropy, so that a run can be repeated to the last byte, and everything takes the way of a real round: seed
pairs as a house makes them, the words of protocol step 3, the draws of steps 4 and 5, the coups of step 6. This room knows the kernel and
the odds. It must never know a bettor, a database or a file: whoever calls it has those.
"""

from __future__ import annotations

from .pairs import ENTROPY_BYTES, repeatable_entropy, seed_pairs
from .simulation import Return, Share, Simulation, simulate
from .streams import FORMS, cards, draws, scale, stream, words

__all__ = [
    "ENTROPY_BYTES",
    "FORMS",
    "Return",
    "Share",
    "Simulation",
    "cards",
    "draws",
    "repeatable_entropy",
    "scale",
    "seed_pairs",
    "simulate",
    "stream",
    "words",
]
