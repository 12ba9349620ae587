"""Bets: the part of a page that tells what they returned, what refused ones would have, and what pay tables pay."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from ..statistics.scope import name_table, ready_name
from .bet_figures import draw_courses, draw_returns
from .drawing import MINUS, gallery, signed
from .markup import MOST_ROWS, Column, Html, cut, paragraph, section, shown, table, two_lines
from .report import number
from .words import METHODS, told_p_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..statistics import Return, Statistics
    from .drawing import Sheet
    from .report import Report


def tell_bets(report: Report, sheet: Sheet) -> str:
    """What came back, bet by bet, and by pay table and decks."""
    statistics = report.statistics
    if not statistics.returns:
        return section("bets", "Bets", paragraph("There are no bets of sound rounds whose pay table is known."))
    courses = sorted(report.result.tally.curves.items(), reverse=True)
    return section(
        "bets",
        "Bets",
        paragraph(
            "What bets returned of what was staked on them, stakes included, against the exact return with these very stakes, each return rounded "
            "down. Amounts are smallest currency units; those of different currencies are never added."
        ),
        gallery([draw_returns(statistics.pooled), *(draw_courses(curve, name, statistics.returns) for name, curve in courses)], sheet),
        _pooled_table(statistics, statistics.pooled, "Returns of bets"),
        paragraph(
            "Would be found: a return that is on average so much lower, or higher, than the exact one is flagged in nine of ten such audits. A "
            "smaller bias may be there unseen. The deviation of all bets together counts with bets on one coup that win together, and is an "
            "upper bound.",
            "quiet",
        ),
        *_parts(statistics.returns, statistics.pooled, "Returns by pay table and decks"),
    )


_NOT_HELD: Final = {
    "unreadable": "that cannot be read",
    "no_pair": "of a commitment that no seed pair here has",
    "no_round": "of a nonce that no round here has",
    "no_stake": "bets with a stake that is no amount",
    "unsettled": "bets that the pay table does not take",
}
"""Why refused bets were held against no round, by the key of their count."""


def tell_refusals(report: Report, sheet: Sheet) -> str:
    """Which bets were refused, and what they would have returned."""
    refusals = report.result.refusals
    if refusals is None:
        return section("refusals", "Refused bets", paragraph("None were told."))
    by_reason: Any = refusals["by_reason"]
    names = ("won", "pushed", "lost", "unknown")
    reasons = table(
        "Refused bets by reason",
        (Column("reason"), *(Column(name, "number") for name in names)),
        [(reason or "none given", *(f"{counts[name]:,}" for name in names)) for reason, counts in sorted(by_reason.items())[:MOST_ROWS]],
    )
    told = paragraph(
        "A refused bet spends no nonce, so the next round has it, and with it the coup that the refused bet would have had. An operator who knows "
        "the coups to come, and refuses what would win, shows here: refused bets would have returned more than bets do."
    )
    counts: Any = refusals
    missed = ", ".join(f"{counts[name]:,} {text}" for name, text in _NOT_HELD.items() if counts[name])
    if missed:
        told = Html(told + paragraph(f"Of {counts['refusals']:,} refusals these could be held against no round, or not settled: {missed}."))
    statistics = report.statistics
    held = statistics.refused_pooled
    if not held:
        return section("refusals", "Refused bets", told, reasons)
    title = "What refused bets would have returned"
    return section(
        "refusals",
        "Refused bets",
        told,
        reasons,
        gallery([draw_returns(held, "refused-returns", f"{title}, against their exact returns")], sheet),
        _pooled_table(statistics, held, title),
        *_parts(statistics.refused_returns, held, f"{title}, by pay table and decks"),
    )


def tell_pay_tables(report: Report) -> str:
    """Every pay table that is known, with all that it pays."""
    texts = report.result.tally.pay_tables
    if not texts:
        return section("tables", "Pay tables", paragraph("None is known."))
    told = paragraph("What comes back of a stake, the stake included: 2.0 is twice the stake. Returns are rounded down to a whole unit.")
    parts: list[str] = []
    for digest, text in texts.items():
        pays = json.loads(text)
        name = ready_name(digest)
        parts.append(Html(f"<h3>{shown(name or 'A pay table of its own')}, in steps of {shown(pays['stake_step'])}</h3>\n"))
        parts.append(paragraph(Html(f'<span class="code">{shown(digest)}</span>')))
        parts.append(table(f"What {name or digest[:8]} pays", (Column("bet"), Column("comes back")), _payments(pays)))
    return section("tables", "Pay tables", told, *parts)


def _payments(pays: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What each bet of a pay table's JSON pays."""
    for bet in ("player", "banker", "tie"):
        exceptions = pays["banker_exceptions"].items() if bet == "banker" else ()
        yield bet, "; ".join([pays[f"{bet}_multiplier"], *(f"{payout.replace('_', ' ')}: {paid}" for payout, paid in exceptions)])
    for bet, payouts in sorted(pays["side_bets"].items()):
        told = (f"{payout.replace('_', ' ')}: {paid}" if len(payouts) > 1 else paid for payout, paid in payouts.items())
        yield bet.replace("_", " "), "; ".join(told)


def _pooled_table(statistics: Statistics, returns: Sequence[Return], label: str) -> str:
    limit = statistics.limit()
    rows = [
        (
            two_lines(each.scope.bet.replace("_", " ") or "all bets together", each.scope.currency),
            *_figures(each),
            _biases(each, limit),
        )
        for each in returns[:MOST_ROWS]
    ]
    return table(label, (Column("bet"), *_COLUMNS, Column("would be found", "number")), rows) + cut(len(returns))


def _biases(each: Return, limit: float) -> Html:
    """How much less or more must come back on average to be found; less than nothing cannot."""
    low, high = each.smallest_bias(limit)
    return two_lines(f"{MINUS}{100 * low:.2f} %" if low < each.expected_rate else "none lower", f"+{100 * high:.2f} %")


def _parts(returns: Sequence[Return], pooled: Sequence[Return], label: str) -> tuple[str, ...]:
    """The table of returns by pay table and decks, where that says more than the pooled one."""
    if len(returns) <= sum(bool(each.scope.bet) for each in pooled):
        return ()
    rows = [(two_lines(each.scope.bet.replace("_", " "), _of(each)), *_figures(each)) for each in returns[:MOST_ROWS]]
    return Html(f"<h3>{shown(label)}</h3>\n"), table(label, (Column("bet"), *_COLUMNS), rows), cut(len(returns))


def _of(each: Return) -> str:
    scope = each.scope
    decks = f"{scope.decks} deck{'s' if scope.decks > 1 else ''}"
    return ", ".join(part for part in (name_table(scope.pay_table), decks, scope.currency) if part)


_COLUMNS = (
    Column("staked", "number"),
    Column("returned", "number"),
    Column("expected", "number"),
    Column("deviation", "number"),
    Column("deviations off", "number"),
    Column("p-value", "number"),
)


def _figures(each: Return) -> tuple[object, ...]:
    """The cells of a return, as `_COLUMNS` names them."""
    return (
        two_lines(f"{each.sums.staked:,}", number(each.sums.lines, "bet")),
        two_lines(f"{each.sums.returned:,}", f"{100 * each.rate:.3f} %"),
        two_lines(f"{float(each.expected):,.0f}", f"{100 * each.expected_rate:.3f} %"),
        two_lines(f"{each.spread.deviation:,.0f}", f"{100 * each.deviation:.3f} %"),
        two_lines(signed(each.z, 2), f"{signed(100 * (each.rate - each.expected_rate), 3)} %"),
        two_lines(told_p_value(each.p_value), METHODS[each.spread.method].partition("'")[0]),
    )
