"""The history file: everything that was signed about a bettor's coups, with the revealed seeds and the proofs, in one file.

What is written here can be checked by anybody, offline, and what is checked here may come from anybody.
"""

from .results import ProvedCommitment, ProvedHistory
from .verifying import is_history_file, verify_history_file
from .writing import HistoryWriter

__all__ = ["HistoryWriter", "ProvedCommitment", "ProvedHistory", "is_history_file", "verify_history_file"]
