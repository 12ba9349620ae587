"""Refused bets of an audit: how they would have gone, what could not be held against a round, and whether it is too odd for chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..audit import AuditResult
    from ..canonical import Json
    from ..rules.bets import Bet

_ROWS: Final = {
    "unreadable": "unreadable",
    "no_pair": "of a commitment that no seed pair here has",
    "no_round": "of a nonce that no round here has",
}
_BETS: Final = {"no_stake": "with a stake that is no amount", "unsettled": "that the pay table does not take"}


def refused_fields(refusals: Mapping[str, Json]) -> dict[str, str]:
    """Two lines of figures: the bets, and the rows where some of them are held against no round."""
    told: Any = refusals
    bets = [f"{count:,} {name}" for name, count in told["bets"].items()]
    fields = {"refused bets": ", ".join(bets + [f"{told[name]:,} {text}" for name, text in _BETS.items() if told[name]])}
    rows = [f"{told[name]:,} {text}" for name, text in _ROWS.items() if told[name]]
    return {**fields, "refusals": ", ".join([f"{told['refusals']:,} in all", *rows])} if rows else fields


def refused_remark(result: AuditResult, bets: Iterable[Bet]) -> str | None:
    """What statistics say of refused bets, as a report does; None where they are not odd. `bets` are the operator's own."""
    if not result.refused.bets:
        return None
    try:
        from ..audit.statistics import QUESTIONS, Statistics  # noqa: PLC0415 (an extra, needed here alone)
    except ImportError as missing:
        return f"Nothing is said about whether refused bets would have won too often. {missing}"
    statistics = Statistics.of(result.tally, result.serial, result.refused, bets=bets)
    odd = [each.subject for each in statistics.flagged if each.name == "refused_return"]
    if not odd:
        return None
    return f"But what was refused is too odd for chance: {'; '.join(odd)}. {QUESTIONS['refused_return'].warns} --report DIR tells more."
