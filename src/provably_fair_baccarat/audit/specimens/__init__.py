"""Specimens: tables of rounds made to test an audit, honest or with planted faults, and the findings that each fault must give.

A specimen looks like the books of a house: seed pairs and seed chains, bets on several pay tables, times in order. It is dealt by the kernel
and settled by this room's own arithmetic, which shares nothing with the audit's. Every finding is told beforehand, so that an audit can be
held against it: it must find exactly those. No bettor ever had these seeds.
"""

from __future__ import annotations

from .faults import FAULTS, SEED_FAULTS, SHOE_FAULTS, Expected, Planted
from .plan import Plan
from .specimen import honest_batches, seeds_table, specimen_batches
from .writing import write_seeds, write_specimen

__all__ = [
    "FAULTS",
    "SEED_FAULTS",
    "SHOE_FAULTS",
    "Expected",
    "Plan",
    "Planted",
    "honest_batches",
    "seeds_table",
    "specimen_batches",
    "write_seeds",
    "write_specimen",
]
