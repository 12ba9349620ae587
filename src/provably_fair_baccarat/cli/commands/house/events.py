"""`pfb house events`: what happened besides rounds."""

from typing import TYPE_CHECKING, Annotated

import typer

from ...database import reading_house
from ...failures import OK
from ...house_view import event_json, time_shown
from ...options import DatabaseOption, Json
from ...screen import OUT, printable, write_json

if TYPE_CHECKING:
    from ....house import EventRow

EXAMPLES = """\b
Examples:
  pfb house events
  pfb house events --pair 5e6f... --kind refused
  pfb house events --after 1000 -n 500 --json
"""


def events(
    *,
    pair: Annotated[str | None, typer.Option(metavar="PAIR", help="Only what happened to this pair.", show_default=False)] = None,
    kind: Annotated[str | None, typer.Option(metavar="KIND", help="Only events of this kind, like refused.", show_default=False)] = None,
    after: Annotated[int, typer.Option(min=0, metavar="ID", help="Begin behind this event.")] = 0,
    number: Annotated[int, typer.Option("-n", "--number", min=1, max=1000, metavar="N", help="How many to look at, at most 1,000.")] = 1000,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Show refused bets, commits, reveals, errors and the like.

    A refused bet has the nonce that it would have spent, so that it can be held against the outcome after the reveal. Where there are more
    events, the last line says how to go on.
    """
    with reading_house(database) as house:
        looked_at = house.events(pair, after=after, limit=number)
        following = looked_at[-1].id if len(looked_at) == number and house.events(pair, after=looked_at[-1].id, limit=1) else None
    found = [event for event in looked_at if kind in (None, event.kind)]
    if json:
        write_json({"events": [event_json(event) for event in found], "next": following})
        return OK
    for event in found:
        OUT.print(printable(_line(event)), soft_wrap=True)
    OUT.print(f"{len(found)} event{'s' * (len(found) != 1)}.")
    if following is not None:
        OUT.print(f"There are more: --after {following}", soft_wrap=True)
    return OK


def _line(event: "EventRow") -> str:
    about = "" if event.pair_id is None else f", pair {event.pair_id}, nonce {event.nonce}"
    what = "; ".join(part for part in (event.bets, event.key and f"key {event.key}", event.reason) if part)
    return f"{event.id}  {time_shown(event.at)}  {event.kind}{about}{f': {what}' if what else ''}"
