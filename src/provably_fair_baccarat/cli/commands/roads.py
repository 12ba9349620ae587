"""`pfb roads`: the scoreboards of a shoe, from winners or from records."""

import re
from pathlib import Path
from typing import Annotated

import typer

from ...canonical import MAX_BYTES
from ...errors import RecordError, RoadError, Slip, describe
from ...records import RoundRecord
from ...rules.coup import deal_coup
from ...rules.roads import Scoreboard
from ..failures import OK
from ..files import STANDARD_INPUT, open_input
from ..options import Json
from ..record_texts import record_texts
from ..roads_view import boards_view
from ..screen import OUT, write_json

EXAMPLES = """\b
Examples:
  pfb roads BBPTBPPPB
  pfb roads pfb-demo-3e2d8157.jsonl
  echo BBPTB | pfb roads - --json
"""

_WINNERS = re.compile(r"[BPT]+", re.ASCII)


def roads(
    *,
    sources: Annotated[list[str], typer.Argument(metavar="WINNERS|FILE", help="Letters B, P and T, or files; - is standard input.")],
    json: Json = False,
) -> int:
    """Draw the scoreboards: bead plate, big road, derived roads.

    WINNERS are letters, oldest first: B for the banker, P for the player, T for a tie. A file holds such letters, or records, whose coups
    are shown in the order of the file without being verified. A road tells what happened and nothing about what will.
    """
    letters = "".join("".join(sources).split())
    if _WINNERS.fullmatch(letters):
        board = Scoreboard.parse(letters)
    else:
        board = Scoreboard()
        for name in sources:
            _read(name, board)
    if json:
        write_json(board.to_dict())
    else:
        OUT.print(boards_view(board), soft_wrap=True)
    return OK


def _read(name: str, board: Scoreboard) -> None:
    """Put the coups of a file on the board."""
    if name != STANDARD_INPUT and not Path(name).exists():
        slips = (Slip("upper_case", f"Write {name.upper()}."),) if name != name.upper() and _WINNERS.fullmatch(name.upper()) else ()
        raise RoadError("winners or file", "letters B, P and T, like BBPTB, or a file that exists", describe(name), slips)
    with open_input(name) as stream:
        for _, text in record_texts(stream):
            if isinstance(text, RecordError):
                continue  # a round that is not dealt is on no road
            if text.lstrip().startswith(b"{"):
                board.add(deal_coup(RoundRecord.parse_json(text).cards))
            elif len(text) > MAX_BYTES + 1:  # with its end
                raise RoadError("winners", f"lines of at most {MAX_BYTES:,} letters", "a longer one")
            else:
                for entry in Scoreboard.parse(text.strip().decode(errors="replace")).entries:
                    board.add(entry)
