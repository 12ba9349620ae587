"""Draws what a biased draw looks like in the pictures of an audit, beside a fair one: `python docs/pictures/draw_bias.py`."""

from __future__ import annotations

from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG

from provably_fair_baccarat import Outcome, Seeds, deal_coup, kernel
from provably_fair_baccarat.audit import UNKNOWN_TIME, Dealt
from provably_fair_baccarat.audit.report.drawing import COLOURS, drawing
from provably_fair_baccarat.audit.report.figures import draw_positions, draw_tableau
from provably_fair_baccarat.audit.tally import Tally
from provably_fair_baccarat.cards import DECK

if TYPE_CHECKING:
    from numpy.typing import NDArray

PICTURES = Path(__file__).parent
COUPS = 100_000
PAINT = {
    **dict.fromkeys(COLOURS, "#22303c"),
    "paper": "#ffffff",
    "muted": "#66727c",
    "grid": "#d5dbe0",
    "band": "#cfd8df",
    "over": "#d9822b",
    "under": "#2b6cb0",
}
WINNERS = list(Outcome)


def fair_cards() -> NDArray[np.uint8]:
    """Cards as pfb1 draws them."""
    seeds = Seeds.commit("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "lucky 8s")
    return np.frombuffer(kernel.derive(seeds, range(COUPS)), kernel.RECORD_DTYPE)["cards"]


def byte_cards() -> NDArray[np.uint8]:
    """Cards as many sites draw them: one byte of a hash, scaled to 52 cards. 256 is no multiple of 52."""
    hashes = b"".join(sha256(b"%d" % nonce).digest()[:6] for nonce in range(COUPS))
    return (np.frombuffer(hashes, np.uint8).reshape(-1, 6).astype(np.uint16) * 52 // 256).astype(np.uint8)


def tally_of(cards: NDArray[np.uint8]) -> Tally:
    """What an audit counts of coups with these cards."""
    coups = [deal_coup([DECK[card] for card in six]) for six in cards.tolist()]
    n, none = len(coups), np.zeros(0, np.int64)
    dealt = Dealt(
        cards=cards,
        used=np.array([coup.cards_used for coup in coups], np.uint8),
        player_score=np.array([coup.player.score for coup in coups], np.uint8),
        banker_score=np.array([coup.banker.score for coup in coups], np.uint8),
        winner=np.array([WINNERS.index(coup.winner) for coup in coups], np.uint8),
        cut=np.zeros(n, np.uint16),
        decks=np.full(n, 8, np.uint8),
        pair=np.zeros(n, np.int32),
        nonce=np.arange(n),
        accepted_at=np.full(n, UNKNOWN_TIME),
        is_sound=np.ones(n, np.bool_),
        commitments=np.zeros((1, 32), np.uint8),
        line_row=none.astype(np.int32),
        line_bet=none.astype(np.int32),
        line_pay_table=none.astype(np.int32),
        line_stake=none,
        line_returned=none,
        bets=(),
        pay_tables=(),
    )
    return Tally.of(dealt)


def _to_svg(figure: object) -> str:
    text = StringIO()
    FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None})  # type: ignore[no-untyped-call]
    drawn = text.getvalue()
    for role, colour in COLOURS.items():
        drawn = drawn.replace(colour, PAINT[role])
    return "".join(line.rstrip() + "\n" for line in drawn.splitlines())


def draw_all(folder: Path) -> list[Path]:
    """Draw all pictures into a folder."""
    paths = []
    for name, cards in (("fair", fair_cards()), ("bytes", byte_cards())):
        shoe = tally_of(cards).shoes[8]
        for picture_name, of in (("positions", draw_positions), ("tableau", draw_tableau)):
            with drawing():
                picture = of(8, shoe)
                assert picture is not None
                picture.figure.patch.set_alpha(1)
                path = folder / f"{name}-{picture_name}.svg"
                path.write_text(_to_svg(picture.figure), encoding="utf-8")
            paths.append(path)
    return paths


if __name__ == "__main__":
    for each in draw_all(PICTURES):
        print(each)  # noqa: T201
