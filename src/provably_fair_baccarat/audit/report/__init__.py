"""Reports: what an audit found, as JSON and as one page that anybody can read.

`write_report` writes both. The page has its pictures inside, runs no script and fetches nothing, so it can be sent, kept and printed.
"""

try:
    import matplotlib as mpl
    import scipy
except ImportError as error:  # pragma: no cover (only where the extra is absent)
    raise ImportError("Reports need an extra: pip install 'provably-fair-baccarat[report]'") from error

from .report import FORMAT, FORMAT_VERSION, Grade, Report, Verdict
from .writing import write_report

__all__ = ["FORMAT", "FORMAT_VERSION", "Grade", "Report", "Verdict", "write_report"]

del mpl, scipy
