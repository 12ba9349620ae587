"""What a bettor is asked at the table, and asked again until the answer can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ..errors import BaccaratError
from ..fairness.seeds import ClientSeed
from .game import read_entry
from .narration import INDENT
from .screen import ask, printable, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..fairness.seeds import Commitment
    from .narration import Narration

_QUIT = ("q", "quit")


def ask_client_seed(story: Narration, commitment: Commitment) -> ClientSeed | None:
    """Ask for a client seed, or make a random one, marked with the commitment, if nothing is typed; None if the input ends."""
    while entry := ask(f"{' ' * INDENT}Type any text, or just press Enter for a random one: "):
        try:
            return ClientSeed(entry)
        except BaccaratError as error:
            _explain(error)
    return None if entry is None else make_client_seed(story, commitment)


def make_client_seed(story: Narration, commitment: Commitment) -> ClientSeed:
    """Make a random client seed on the bettor's side and show it."""
    seed = ClientSeed.generate(commitment)
    story.quote(seed.text)
    story.show("It was made at random just now. It ends with the first digits of the commitment, so anyone can see that it came later.")
    return seed


def ask_bets(prompt: str, offered: Iterable[str], purse: int) -> dict[str, int] | None:
    """Ask for the bets of a round, as stakes in cents by bet, none for watching; None if the bettor leaves or the input ends."""
    while (entry := ask(f"{' ' * INDENT}{prompt}")) is not None and not leaves(entry):
        try:
            return read_entry(entry, offered, purse)
        except BaccaratError as error:
            _explain(error)
    return None


def leaves(entry: str) -> bool:
    """Whether this entry means that the bettor leaves."""
    return entry.strip().lower() in _QUIT


def _explain(error: BaccaratError) -> None:
    """Say what is wrong about an answer, where it was given."""
    text = printable(str(error))
    show(Text(text[:1].upper() + text[1:], "yellow"), indent=INDENT)
