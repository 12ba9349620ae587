"""The third-card rule, as it is printed on the table.

The picture below *is* the rule: the program reads it, the documentation prints it, and the tests flip every one of its cells.
"""

from __future__ import annotations

TABLEAU = """\
banker   -   0  1  2  3  4  5  6  7  8  9
   0     D   D  D  D  D  D  D  D  D  D  D
   1     D   D  D  D  D  D  D  D  D  D  D
   2     D   D  D  D  D  D  D  D  D  D  D
   3     D   D  D  D  D  D  D  D  D  S  D
   4     D   S  S  D  D  D  D  D  D  S  S
   5     D   S  S  S  S  D  D  D  D  S  S
   6     S   S  S  S  S  S  S  D  D  S  S
   7     S   S  S  S  S  S  S  S  S  S  S
"""
"""When the banker draws (D) or stands (S), by the banker's two-card score (rows) and the points of the player's third card (columns).

The column `-` is for a player who stood. Protocol steps 6.3 and 6.4. A natural, 8 or 9 in two cards, ends the coup before anyone looks here.
"""


def read_tableau(text: str) -> dict[tuple[int, int | None], bool]:
    """Read a printed tableau into its cells: (banker's score, player's third card or None) to whether the banker draws."""
    head, *rows = (line.split() for line in text.splitlines())
    columns = [None if name == "-" else int(name) for name in head[1:]]
    return {(int(score), third): cell == "D" for score, *cells in rows for third, cell in zip(columns, cells, strict=True)}


_BANKER_DRAWS = read_tableau(TABLEAU)


def player_draws(score: int) -> bool:
    """Whether the player draws a third card: with a two-card score of 0 to 5, never with 6 or 7 (protocol step 6.2)."""
    return score <= 5


def banker_draws(score: int, player_third: int | None) -> bool:
    """Whether the banker draws a third card (protocol steps 6.3 and 6.4).

    `score` is the banker's two-card score, 0 to 7; `player_third` the points of the player's third card, 0 to 9, or None if the player stood.
    """
    return _BANKER_DRAWS[score, player_third]
