"""The published record of a round: everything that a stranger needs to replay it, as JSON in one spelling.

This is the parse boundary. A record that exists is complete and well formed; whether it is *true* is for verification to find out, which
trusts no field that it can recompute.
"""

from .forms import BetForm, ChainForm, CurrencyForm, HandForm, PayTableForm, TotalsForm
from .record import FORMAT_VERSION, MadeBy, RoundRecord

__all__ = [
    "FORMAT_VERSION",
    "BetForm",
    "ChainForm",
    "CurrencyForm",
    "HandForm",
    "MadeBy",
    "PayTableForm",
    "RoundRecord",
    "TotalsForm",
]
