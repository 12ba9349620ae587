"""Statistics of an audit: whether what was dealt and paid is what a fair game deals and pays.

Proof comes first: a round that follows from its seeds is right, whatever statistics say. They answer what proofs of single rounds cannot:
whether seeds were picked, bets were refused by what they would have won, or a scheme draws with a bias. Every figure that is compared with
is exact; all comparisons of an audit are one family, corrected by Holm.
"""

try:
    import scipy
except ImportError as error:  # pragma: no cover (only where the extra is absent)
    raise ImportError("Statistics of an audit need an extra: pip install 'provably-fair-baccarat[report]'") from error

from .comparison import QUESTIONS, Cell, Comparison, Omission, Question
from .expected import tableau_cells
from .holm import holm
from .returns import CONFIDENCE, Return
from .scope import Scope
from .spread import Spread
from .summary import ALPHA, Statistics

__all__ = [
    "ALPHA",
    "CONFIDENCE",
    "QUESTIONS",
    "Cell",
    "Comparison",
    "Omission",
    "Question",
    "Return",
    "Scope",
    "Spread",
    "Statistics",
    "holm",
    "tableau_cells",
]

del scipy
