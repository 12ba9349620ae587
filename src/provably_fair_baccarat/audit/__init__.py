"""Audits: many rounds at once, as Arrow batches, and whether every card, every payment and every nonce is right.

    result = audit("rounds/", seeds="seeds.parquet")
    result.is_clean, result.rounds, result.finding_counts

This room knows rounds that were published and seeds that were revealed. It never draws a card that is not to be compared with a claim, and
it never learns a server seed that is still secret.
"""

try:
    import numpy as np
    import pyarrow as pa
except ImportError as error:  # pragma: no cover (only where the extra is absent)
    raise ImportError("Audits need an extra: pip install 'provably-fair-baccarat[audit]'") from error

from .batches import audit_batches
from .completeness import reduce_facts
from .dealt import UNKNOWN_TIME, UNUSED, Dealt
from .facts import FACTS
from .findings import CODES, Finding
from .result import AuditResult, Collector, PairCounts
from .running import audit
from .schema import REFUSALS, ROUNDS, SEEDS
from .seed_book import SeedBook
from .settling import Settler

__all__ = [
    "CODES",
    "FACTS",
    "REFUSALS",
    "ROUNDS",
    "SEEDS",
    "UNKNOWN_TIME",
    "UNUSED",
    "AuditResult",
    "Collector",
    "Dealt",
    "Finding",
    "PairCounts",
    "SeedBook",
    "Settler",
    "audit",
    "audit_batches",
    "reduce_facts",
]

del np, pa
