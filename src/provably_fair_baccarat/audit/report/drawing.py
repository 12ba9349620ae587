"""From matplotlib to a picture inside a page: no script, no style of its own, nothing fetched, and the same bytes for the same figure.

Figures are drawn in colours that stand for roles. In the page a role is a CSS variable, so one picture suits light, dark and paper. Styles
become classes of the page's one style sheet, which a strict content security policy can name by its hash.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from .markup import Html, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

ROLES: Final = ("paper", "ink", "muted", "grid", "exact", "actual", "band", "over", "under", "player", "banker", "tie", "flag")
"""What a colour is for, each a CSS variable of the page."""

COLOURS: Final = {role: f"#{place:02x}{place:02x}{255 - place:02x}" for place, role in enumerate(ROLES, start=1)}
"""The colours in which figures are drawn: each stands for its role and is nothing to look at."""

_SETTINGS: Final = {
    "svg.fonttype": "none",
    "svg.hashsalt": "provably_fair_baccarat",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.parse_math": False,
    "axes.facecolor": "none",
    "axes.edgecolor": COLOURS["muted"],
    "axes.labelcolor": COLOURS["ink"],
    "axes.titlecolor": COLOURS["ink"],
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "grid.color": COLOURS["grid"],
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "text.color": COLOURS["ink"],
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["muted"],
    "xtick.labelcolor": COLOURS["ink"],
    "ytick.labelcolor": COLOURS["ink"],
    "legend.frameon": False,
    "timezone": "UTC",
}

Axes: TypeAlias = Any
"""matplotlib's axes, whose types say little."""

WIDTH: Final = 5.6
"""How wide a picture is, in inches: on a phone its text is still to be read, and two of them fit on a screen."""

MINUS: Final = "\N{MINUS SIGN}"


class Picture(NamedTuple):
    """A figure, its title, and what one sees in it, in words; a map has small text, and is never made narrow."""

    name: str
    title: str
    caption: str
    figure: Any
    is_map: bool = False


def ticks(tell: Callable[[float], str]) -> Callable[[float, object], str]:
    """How a value is told beside its tick."""
    return lambda value, _: tell(value)


def signed(value: float, digits: int = 1) -> str:
    """A number with its sign and so many decimals; nothing where it rounds to that."""
    return f"{value:+.{digits}f}".replace("-", MINUS) if abs(value) >= 0.5 / 10**digits else "0"


@contextmanager
def drawing() -> Generator[None]:
    """The settings under which every figure of a report is made and drawn, whatever the user's own are."""
    matplotlib: Any = mpl  # whose types list every name of a setting
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def new_figure(width: float, height: float) -> Any:
    """An empty figure of so many inches; what lies outside its axes is not painted."""
    figure: Any = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    return figure


class Sheet:
    """The style sheet of a page's pictures: each style that occurs, as a class."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def class_of(self, style: str) -> str:
        """The class of a style."""
        return self._names.setdefault(style, f"g{len(self._names)}")

    def __str__(self) -> str:
        return "".join(f".{name}{{{style}}}\n" for style, name in self._names.items())


def to_svg(figure: Any, name: str, title: str, sheet: Sheet) -> str:
    """The figure as an `svg` element: named for screen readers, as wide as its place, its identifiers beginning with `name`."""
    text = StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(text, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    drawn = text.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    for pattern, repl in _replacements(name, sheet):
        drawn = re.sub(pattern, repl, drawn)
    view_box = re.search(r'viewBox="([^"]*)"', drawn)
    assert view_box is not None  # noqa: S101 (every svg of matplotlib has one)
    body = drawn[drawn.index(">") + 1 :]
    opening = f'<svg class="figure" viewBox="{view_box[1]}" role="img" aria-labelledby="{name}-title"><title id="{name}-title">'
    return f"{opening}{escape(title)}</title>{body.strip()}"


def _replacements(name: str, sheet: Sheet) -> Iterator[tuple[str, str | Callable[[re.Match[str]], str]]]:
    """What to change of matplotlib's text, in order."""
    yield r"(?s)<metadata>.*?</metadata>", ""
    yield r"(?s)<defs>\s*<style[^>]*>.*?</style>\s*</defs>", ""
    yield r"(?s)<!--.*?-->", ""
    yield r' id="([^"]*)"', rf' id="{name}-\1"'
    yield r'xlink:href="#([^"]*)"', rf'href="#{name}-\1"'
    yield r"url\(#([^)]*)\)", rf"url(#{name}-\1)"
    yield r' style="([^"]*)"', lambda match: f' class="{sheet.class_of(_style(match[1]))}"'
    yield r' transform="rotate\(-0 [^"]*"', ""
    yield r"\s*\n\s*", " "


def _style(style: str) -> str:
    """A style without a font family, which is the page's, and with roles in place of colours."""
    style = re.sub(r"font: ([^;]*?)([0-9.]+px) [^;]*", r"font-size: \2", style)
    style = re.sub(r"font-family: [^;]*;? ?", "", style)
    for role, colour in COLOURS.items():
        style = style.replace(colour, f"var(--{role})")
    return style.strip().rstrip(";")


def _place_of(picture: Picture) -> str:
    """The element around a picture; a map scrolls by itself on a phone, by the keyboard too."""
    if not picture.is_map:
        return '<div class="drawn">'
    return f'<div class="drawn map" role="group" tabindex="0" aria-label="{shown(picture.title)}">'


def gallery(figures: Sequence[Picture | None], sheet: Sheet) -> Html:
    """Pictures beside or below each other."""
    drawn = [
        f"<figure>\n<h3>{shown(each.title)}</h3>\n{_place_of(each)}\n"
        f"{to_svg(each.figure, each.name, each.title, sheet)}\n</div>\n<figcaption>{shown(each.caption)}</figcaption>\n</figure>\n"
        for each in figures
        if each is not None
    ]
    kind = "pictures one" if len(drawn) == 1 else "pictures"
    return Html(f'<div class="{kind}">\n{"".join(drawn)}</div>\n' if drawn else "")
