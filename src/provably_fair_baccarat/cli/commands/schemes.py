"""`pfb schemes`: the ways from seeds to cards that can be verified, and what each of them proves."""

from rich import box
from rich.table import Table

from ...canonical import Json as JsonValue
from ...fairness.inputs import MAX_DECKS
from ...fairness.schemes import SCHEMES, Scheme
from ..failures import OK
from ..options import Json
from ..screen import show, write_json

EXAMPLES = """\b
Examples:
  pfb schemes
  pfb schemes --json
"""


def schemes(*, json: Json = False) -> int:
    """List the ways from seeds to cards that can be verified.

    Of each: what it deals from, what it commits to, and whether its cards are drawn without bias. The pfb1 schemes are this package's own; rounds of the others can be verified, and nothing more is claimed for them than is so.
    """
    if json:
        write_json({name: _to_json(scheme) for name, scheme in SCHEMES.items()})
    else:
        show(_view())
    return OK


def _view() -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("scheme", no_wrap=True)
    for name in ("deals from", "commitment", "drawing"):
        table.add_column(name)
    for name, scheme in SCHEMES.items():
        table.add_row(name, _shoe(scheme), _commitment(scheme), scheme.drawing)
    return table


def _to_json(scheme: Scheme) -> dict[str, JsonValue]:
    return {
        "deals_from": _shoe(scheme),
        "commitment": _commitment(scheme),
        "has_nonces": scheme.has_nonces,
        "is_unbiased": scheme.is_unbiased,
        "drawing": scheme.drawing,
    }


def _shoe(scheme: Scheme) -> str:
    decks = scheme.read_decks(MAX_DECKS)
    if decks is None:
        return "an infinite deck"
    number = f"1 to {MAX_DECKS} decks" if scheme.needs_commitment else f"{decks} deck{'s' * (decks > 1)}"
    return f"{number}, dealt through" if scheme.deals_shoes else f"{number}, a fresh shoe every round"


def _commitment(scheme: Scheme) -> str:
    if scheme.deals_from_chains:
        return "to a chain of server seeds, each revealed after its coup"
    return "to the server seed" if scheme.needs_commitment else "where the house gave one; else nothing shows that the seed was fixed"
