"""Draws the pictures of the gallery and the diagrams of the docs: `python docs/pictures/draw.py`.

Every number in a picture comes from the package when it is drawn. The pictures are kept beside the pages, so that nobody needs to draw
them to read. The same numbers give the same picture, byte for byte, as long as matplotlib is the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

mpl.use("svg")

import matplotlib.pyplot as plt
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from provably_fair_baccarat import ALL_BETS, PUNTO_BANCO, Seeds, play_shoe
from provably_fair_baccarat.rules.coup import Outcome
from provably_fair_baccarat.rules.odds import odds, table_odds
from provably_fair_baccarat.rules.roads import Mark, Scoreboard
from provably_fair_baccarat.rules.tableau import banker_draws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURES = Path(__file__).parent
DECKS = range(1, 9)
INK, RED, BLUE, GREEN, PALE = "#22303c", "#c0392b", "#1f5fa8", "#2e7d4f", "#e9edf0"
COLOURS = {Outcome.PLAYER: BLUE, Outcome.BANKER: RED, Outcome.TIE: GREEN}
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "provably_fair_baccarat",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "savefig.facecolor": "white",
}

SESSION = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "lucky 8s", 1
"""The shoe that the page about the scoreboards shows: server seed, client seed, nonce."""


def house_edges() -> Figure:
    """The house edge of every bet of the catalogue, lowest first, with 8 decks."""
    edges = {name: float(of.house_edge) for name, of in table_odds(ALL_BETS).items()}
    names = sorted(edges, key=edges.__getitem__, reverse=True)
    figure, axes = plt.subplots(figsize=(7.2, 0.24 * len(names) + 0.8), layout="constrained")
    colours = {"player": BLUE, "banker": RED, "tie": GREEN}
    axes.barh(names, [100 * edges[name] for name in names], color=[colours.get(name, "#8fa3b3") for name in names])
    for place, name in enumerate(names):
        axes.annotate(f"{edges[name]:.2%}", (100 * edges[name], place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_xlabel("house edge, in % of what is staked (8 decks)")
    axes.margins(x=0.1, y=0.01)
    return figure


def edges_by_decks() -> Figure:
    """How the edges of the three main bets, and of three that lean on the shoe, change with the number of decks."""
    figure, (main, side) = plt.subplots(1, 2, figsize=(7.2, 3.2), layout="constrained")
    _edge_lines(main, PUNTO_BANCO, {"player": BLUE, "banker": RED})
    _edge_lines(side, ALL_BETS, {"tie": GREEN, "dragon7": "#8e5ea2", "player_pair": "#b7791f"})
    main.set_ylabel("house edge in %")
    return figure


def _edge_lines(axes: Axes, pay_table: object, bets: dict[str, str]) -> None:
    for bet, colour in bets.items():
        edges = [100 * float(odds(bet, pay_table, decks).house_edge) for decks in DECKS]  # type: ignore[arg-type]
        axes.plot(DECKS, edges, color=colour, marker="o", markersize=4)
        axes.annotate(bet, (8, edges[-1]), xytext=(7, 0), textcoords="offset points", va="center", color=colour)
    axes.set_xlabel("decks")
    axes.set(xticks=list(DECKS), xlim=(0.7, 10.6))
    axes.margins(y=0.2)


def tableau() -> Figure:
    """The third-card rule of the banker as a picture: a cell for each score and each third card of the player."""
    thirds = [None, *range(10)]
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for row in range(8):
        for column, third in enumerate(thirds):
            draws = banker_draws(row, third)
            axes.add_patch(Rectangle((column + 0.04, row + 0.04), 0.92, 0.92, color="#cfe3d6" if draws else PALE))
            axes.text(column + 0.5, row + 0.5, "draws" if draws else "stands", ha="center", va="center", fontsize=7)
    _board(axes, len(thirds), 8)
    axes.set_xticks([column + 0.5 for column in range(len(thirds))], ["stood", *map(str, range(10))])
    axes.set_yticks([row + 0.5 for row in range(8)], map(str, range(8)))
    axes.tick_params(length=0)
    axes.set_xlabel("the player stood, or the points of the player's third card")
    axes.set_ylabel("the banker's score with two cards")
    return figure


def flow() -> Figure:
    """What becomes of two seeds, and who may know what on the way."""
    figure, axes = _canvas(14, 4.6)
    _zone(axes, (0.1, 2.35), (6.9, 2.15), "fairness: knows seeds and cards, no bets", "#eef3f9")
    _zone(axes, (7.2, 2.35), (6.7, 2.15), "rules: know cards and money, no seeds", "#f7efee")
    for x, text in (
        (1.3, "server seed\nclient seed\nnonce"),
        (3.6, "words of\nHMAC-SHA-256"),
        (5.9, "cut and\nsix cards"),
        (8.3, "coup"),
        (12.6, "settlement"),
    ):
        _box(axes, (x, 3.2), text)
    _box(axes, (10.45, 3.2), "bets and\npay table", face="white")
    _box(axes, (7.1, 1.0), "round record", width=2.4, face="#e4efe7")
    for start, end in ((2.1, 2.8), (4.4, 5.1), (6.7, 7.5), (11.25, 11.8)):
        _arrow(axes, (start, 3.2), (end, 3.2))
    _arrow(axes, (9.1, 3.2), (9.65, 3.2))
    for x in (1.3, 8.3, 12.6):
        _arrow(axes, (x, 2.6), (7.1 + (x - 7.1) / 6, 1.4))
    axes.text(8.6, 0.95, "published, and replayed by anybody who verifies", va="center", fontsize=9)
    return figure


def pair_states() -> Figure:
    """The life of a seed pair."""
    figure, axes = _canvas(14, 3.2)
    for x, name, says in (
        (1.3, "committed", "commitment is out,\nno bets yet"),
        (4.9, "active", "both seeds fixed,\neach bet spends a nonce"),
        (8.7, "closing", "no more bets,\naccepted coups are dealt"),
        (12.5, "revealed", "the server seed is public,\nand never used again"),
    ):
        _box(axes, (x, 2.3), name, width=2.0, face="#e4efe7" if name == "revealed" else "#eef3f9")
        axes.text(x, 1.62, says, ha="center", va="top", fontsize=8)
    for start, end, text in ((2.3, 3.9, "choose\nclient seed"), (5.9, 7.7, "close,\nrotate"), (9.7, 11.5, "all settled:\nrotate")):
        _arrow(axes, (start, 2.3), (end, 2.3))
        axes.text((start + end) / 2, 2.42, text, ha="center", va="bottom", fontsize=7.5)
    axes.annotate("", (8.7, 0.75), (1.3, 0.75), arrowprops={"arrowstyle": "-", "color": INK})
    _arrow(axes, (8.7, 0.75), (8.7, 1.0))
    axes.plot([1.3, 1.3], [0.75, 1.0], color=INK, linewidth=1)
    axes.text(5, 0.65, "closed before a client seed was chosen", ha="center", va="top", fontsize=7.5)
    return figure


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(0.58 * width, 0.58 * height), layout="constrained")
    axes.set(xlim=(0, width), ylim=(0.3, height), aspect="equal")
    axes.set_axis_off()
    return figure, axes


def _zone(axes: Axes, corner: tuple[float, float], size: tuple[float, float], title: str, face: str) -> None:
    axes.add_patch(Rectangle(corner, *size, facecolor=face, edgecolor="none"))
    axes.text(corner[0] + 0.15, corner[1] + size[1] - 0.12, title, va="top", fontsize=8, style="italic")


def _box(axes: Axes, centre: tuple[float, float], text: str, *, width: float = 1.6, face: str = "#ffffff") -> None:
    x, y = centre
    axes.add_patch(
        FancyBboxPatch((x - width / 2, y - 0.4), width, 0.8, boxstyle="round,pad=0.02,rounding_size=0.12", facecolor=face, edgecolor=INK)
    )
    axes.text(x, y, text, ha="center", va="center", fontsize=8)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0})


def big_road() -> Figure:
    """The big road of a shoe."""
    cells = _session().big_road.cells
    figure, axes = _road(max(cell.column for cell in cells) + 1)
    for cell in cells:
        colour = COLOURS[cell.entry.winner]
        x, y = cell.column + 0.5, cell.row + 0.5
        axes.add_patch(Circle((x, y), 0.38, fill=False, edgecolor=colour, linewidth=2))
        if cell.ties:
            axes.plot([x - 0.3, x + 0.3], [y + 0.3, y - 0.3], color=GREEN, linewidth=2)
        if cell.ties > 1:
            axes.text(x, y, str(cell.ties), ha="center", va="center", fontsize=7, color=GREEN)
        _dots(axes, [(cell.entry.banker_pair, (x - 0.28, y - 0.28), RED), (cell.entry.player_pair, (x + 0.28, y + 0.28), BLUE)])
    return figure


def bead_plate() -> Figure:
    """The bead plate of the same shoe."""
    cells = _session().bead_plate
    figure, axes = _road(max(cell.column for cell in cells) + 1)
    for cell in cells:
        x, y = cell.column + 0.5, cell.row + 0.5
        axes.add_patch(Circle((x, y), 0.4, color=COLOURS[cell.entry.winner]))
        axes.text(x, y, cell.entry.winner.value[0].upper(), ha="center", va="center", color="white", fontsize=8)
    return figure


def derived_roads() -> Figure:
    """The three derived roads of the same shoe, one below the other."""
    board = _session()
    roads: dict[str, Iterable[object]] = {
        "big eye boy": board.big_eye_boy,
        "small road": board.small_road,
        "cockroach road": board.cockroach,
    }
    columns = max(cell.column for road in roads.values() for cell in road) + 1  # type: ignore[attr-defined]
    figure, rows = plt.subplots(3, 1, figsize=(0.2 * columns + 0.4, 5), layout="constrained")
    for axes, (name, road) in zip(rows, roads.items(), strict=True):
        _board(axes, columns, 6)
        _grid(axes, columns, 6)
        axes.set_title(name, loc="left", fontsize=9)
        for cell in road:
            x, y = cell.column + 0.5, cell.row + 0.5  # type: ignore[attr-defined]
            colour = RED if cell.mark is Mark.RED else BLUE  # type: ignore[attr-defined]
            if name == "big eye boy":
                axes.add_patch(Circle((x, y), 0.34, fill=False, edgecolor=colour, linewidth=1.6))
            elif name == "small road":
                axes.add_patch(Circle((x, y), 0.34, color=colour))
            else:
                axes.plot([x - 0.3, x + 0.3], [y + 0.3, y - 0.3], color=colour, linewidth=1.8)
    return figure


def _session() -> Scoreboard:
    server_seed, client_seed, nonce = SESSION
    board = Scoreboard()
    for played in play_shoe(Seeds.commit(server_seed, client_seed, scheme="pfb1-shoe"), nonce=nonce):
        board.add(played.coup)
    return board


def _road(columns: int, rows: int = 6) -> tuple[Figure, Axes]:
    figure, axes = plt.subplots(figsize=(0.32 * columns + 0.2, 0.32 * rows + 0.2), layout="constrained")
    _board(axes, columns, rows)
    _grid(axes, columns, rows)
    return figure, axes


def _board(axes: Axes, columns: int, rows: int) -> None:
    axes.set(xlim=(0, columns), ylim=(rows, 0), aspect="equal", xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def _grid(axes: Axes, columns: int, rows: int) -> None:
    axes.hlines(range(rows + 1), 0, columns, color="#d5dbe0", linewidth=0.7)
    axes.vlines(range(columns + 1), 0, rows, color="#d5dbe0", linewidth=0.7)


def _dots(axes: Axes, dots: Iterable[tuple[bool, tuple[float, float], str]]) -> None:
    for is_there, place, colour in dots:
        if is_there:
            axes.add_patch(Circle(place, 0.13, color=colour))


DRAWINGS: dict[str, Callable[[], Figure]] = {
    "house-edges": house_edges,
    "edges-by-decks": edges_by_decks,
    "flow": flow,
    "pair-states": pair_states,
    "tableau": tableau,
    "bead-plate": bead_plate,
    "big-road": big_road,
    "derived-roads": derived_roads,
}


def draw_all(folder: Path) -> list[Path]:
    """Draw all pictures into a folder."""
    return [_draw(name, folder) for name in DRAWINGS]


def _draw(name: str, folder: Path) -> Path:
    with plt.rc_context(STYLE):
        figure = DRAWINGS[name]()
        path = folder / f"{name}.svg"
        figure.savefig(path, metadata={"Date": None, "Title": name})
        plt.close(figure)
    path.write_text("".join(line.rstrip() + "\n" for line in path.read_text(encoding="utf-8").splitlines()), encoding="utf-8")
    return path


if __name__ == "__main__":
    for each in draw_all(PICTURES):
        print(each)  # noqa: T201
