"""The pictures of bets: what came back beside what should have, as one dot and in the course of time."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from matplotlib import dates as _dates
from matplotlib import ticker as _ticker

from ..curve import TIME
from ..statistics.returns import CONFIDENCE, Return
from ..statistics.scope import Scope
from .drawing import COLOURS, MINUS, WIDTH, Picture, new_figure, signed, ticks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..curve import Curve
    from .drawing import Axes

dates: Final[Any] = _dates
ticker: Final[Any] = _ticker

MOST_BETS: Final = 6
MOST_RETURNS: Final = 60
FURTHEST: Final = 8.0
"""How many standard deviations a picture reaches; what lies further out is an arrow at its edge."""


def draw_returns(pooled: Sequence[Return], name: str = "returns", title: str = "Returns of bets, against their exact returns") -> Picture:
    """By how many standard deviations each bet is off, each beside where luck keeps it."""
    furthest = sorted(range(len(pooled)), key=lambda place: -abs(pooled[place].z))[:MOST_RETURNS]
    shown = [pooled[place] for place in sorted(furthest)]
    figure = new_figure(WIDTH, 0.9 + 0.23 * len(shown))
    axes: Axes = figure.subplots()
    ranges = [_in_deviations(each) for each in shown]
    reach = min(FURTHEST, 1.1 * max(max(*limits, abs(each.z), 3.0) for each, limits in zip(shown, ranges, strict=True)))
    for place, (each, (down, up)) in enumerate(zip(shown, ranges, strict=True)):
        axes.barh(
            place, min(up, reach) + min(down, reach), left=-min(down, reach), height=0.62, color=COLOURS["band"], alpha=0.55, linewidth=0
        )
        holds = -down <= each.z <= up
        marker = "<" if each.z < -reach else ">" if each.z > reach else "o" if holds else "D"
        colour = COLOURS["actual" if holds else "flag"]
        axes.plot([max(-reach, min(reach, each.z))], [place], marker=marker, markersize=5, color=colour, clip_on=False)
        off = f"{signed(100 * (each.rate - each.expected_rate), 2)} %"
        axes.text(1.02, place, off, transform=axes.get_yaxis_transform(), va="center", fontsize=7.5)
    axes.axvline(0, color=COLOURS["exact"], linewidth=1.2)
    axes.set_yticks(range(len(shown)), _titles([each.scope for each in shown]))
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(-reach, reach)
    axes.xaxis.set_major_formatter(ticks(lambda value: signed(value, 0)))
    axes.set_xlabel("standard deviations off the exact return")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    left_out = f" The {MOST_RETURNS} of {len(pooled)} that are furthest off." if len(pooled) > MOST_RETURNS else ""
    caption = (
        "Each bet over all pay tables and decks. The line in the middle is its exact return, a dot what came back, and the number how far that is "
        "off, in percent of what was staked. Of a fair game, a dot lies in its band in at least 99 of 100 audits, each by itself: of a hundred "
        f"dots, about one lies outside by luck.{left_out}"
    )
    return Picture(name, title, caption, figure)


def _titles(scopes: Sequence[Scope]) -> list[str]:
    """Names of bets, with their currencies where these are several."""
    several = len({scope.currency for scope in scopes}) > 1
    return [str(scope if several else scope._replace(currency="")).replace("_", " ") for scope in scopes]


def _in_deviations(each: Return) -> tuple[float, float]:
    """How far below and above its exact return luck keeps a bet, in standard deviations."""
    down, up = each.spread.limits(1 - CONFIDENCE)
    deviation = each.spread.deviation or 1.0
    return down / deviation, up / deviation


def draw_courses(curve: Curve, name: str, returns: Sequence[Return]) -> Picture | None:
    """What bets returned beyond the exact return in the course of time, inside the funnel that luck leaves."""
    figure_of = {each.scope: each for each in returns}
    of_bet: defaultdict[Scope, defaultdict[int, list[Return]]] = defaultdict(lambda: defaultdict(list))
    lines: defaultdict[Scope, int] = defaultdict(int)
    points = {(bucket, Scope.of(key)): sums for (bucket, key), sums in curve.points.items() if Scope.of(key) in figure_of}
    for (_, scope), sums in points.items():
        lines[Scope(scope.bet, currency=scope.currency)] += sums.lines
    bets = sorted(lines, key=lambda bet: (-lines[bet], bet))[:MOST_BETS]
    for (bucket, scope), sums in points.items():
        bet = Scope(scope.bet, currency=scope.currency)
        if bet in bets:
            of_bet[bet][bucket].append(figure_of[scope].part(sums))
    if not bets or curve.first == curve.last:
        return None
    columns = 1 if len(bets) <= 3 else 2
    rows = -(-len(bets) // columns)
    figure = new_figure(WIDTH, 0.5 + 1.3 * rows)
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True)
    titles = _titles(bets)
    for place, axes in enumerate(panels.flat):
        if place < len(bets):
            axes.set_title(titles[place])
            _draw_course(axes, bets[place], of_bet[bets[place]], curve, name)
        else:
            axes.set_axis_off()
    order = "time of acceptance" if name == TIME else "nonce"
    caption = (
        f"How far each bet's returns strayed from the exact return, summed up by {order}, in percent of all that was staked on it. Luck keeps "
        "a fair game inside the darker band in 95 of 100 audits or more, inside the lighter one in 99 or more, at any one moment. Where a line "
        "ends is the bet's return as it is compared below."
    )
    return Picture(f"course-{name}", "Returns in the course of the rounds", caption, figure)


def _draw_course(axes: Axes, bet: Scope, buckets: dict[int, list[Return]], curve: Curve, name: str) -> None:
    """One bet, summed up bucket by bucket."""
    places = sorted(buckets)
    steps: list[Return] = []
    for place in places:
        step = _together(buckets[place], bet)
        steps.append(steps[-1].plus(step, bet) if steps else step)
    total, as_normal = steps[-1].sums.staked, steps[-1].spread.is_normal
    off = [0.0, *(100 * step.off / total for step in steps)]
    ends = [curve.first, *(min(place + 1 << curve.level, curve.last) for place in places)]
    x: list[Any] = [datetime.fromtimestamp(end / 1e6, UTC) for end in ends] if name == TIME else ends
    for confidence, alpha in ((CONFIDENCE, 0.35), (0.95, 0.55)):
        limits = [(0.0, 0.0), *(step.spread.limits(1 - confidence, as_normal=as_normal) for step in steps)]
        low, high = [-100 * down / total for down, _ in limits], [100 * up / total for _, up in limits]
        axes.fill_between(x, low, high, color=COLOURS["band"], alpha=alpha, linewidth=0)
    axes.axhline(0, color=COLOURS["exact"], linewidth=1)
    axes.plot(x, off, color=COLOURS["actual"], linewidth=1.6)
    axes.yaxis.set_major_formatter(ticks(lambda value: f"{value:+.3g}".replace("-", MINUS) if value else "0"))
    axes.tick_params(axis="x", labelsize=7)
    axes.tick_params(axis="y", labelsize=7)
    if name == TIME:
        locator = dates.AutoDateLocator(tz=UTC, minticks=2, maxticks=5)  # fewer leave spans, like 40 hours, without a fitting step
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, tz=UTC))
    else:
        axes.xaxis.set_major_locator(ticker.MaxNLocator(4, integer=True))
        axes.xaxis.set_major_formatter(ticks(lambda value: f"{value:,.0f}"))


def _together(parts: Iterable[Return], bet: Scope) -> Return:
    """Parts as one, of this bet."""
    first, *others = parts
    for other in others:
        first = first.plus(other, bet)
    return first
