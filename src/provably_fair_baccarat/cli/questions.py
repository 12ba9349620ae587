"""What a bettor is asked at the table, and asked again until the answer can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ..errors import BaccaratError
from ..fairness.seeds import MARK_DIGITS, ClientSeed
from .files import write_records
from .game import read_entry
from .narration import INDENT
from .screen import ask, own_name, printable, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..fairness.seeds import Commitment
    from ..records import RoundRecord
    from .narration import Narration

_QUIT = ("q", "quit")
_HELP = ("?", "h", "help")


def ask_client_seed(story: Narration, commitment: Commitment) -> ClientSeed | None:
    """Ask for a client seed, or make a random one, marked with the commitment, if nothing is typed; None if the input ends."""
    while entry := ask(f"{' ' * INDENT}Type any text, or just press Enter for a random one: "):
        try:
            seed = ClientSeed(entry)
        except BaccaratError as error:
            _explain(error)
            continue
        if not leaves(entry) and not seed.marks(commitment):
            mark = str(commitment)[:MARK_DIGITS]
            story.show(f"That it came after the commitment will be claimed, not proved: a seed that ends with -{mark} proves it.")
        return seed
    return None if entry is None else make_client_seed(story, commitment)


def make_client_seed(story: Narration, commitment: Commitment) -> ClientSeed:
    """Make a random client seed in the bettor's place, show it, and say who should make one."""
    seed = ClientSeed.generate(commitment)
    story.quote(seed.text)
    story.show(
        "It was made at random just now. It ends with the first digits of the commitment, so anyone can see that it came later. Here one "
        "program is the house and you: in a real casino make it yourself, on your own device, by one of these."
    )
    story.quote(f"{own_name()} client-seed {commitment}")
    story.quote(f"echo $(openssl rand -hex 8)-{str(commitment)[:MARK_DIGITS]}")
    return seed


def ask_bets(prompt: str, offered: Iterable[str], purse: int, instructions: str) -> dict[str, int] | None:
    """Ask for the bets of a round, as stakes in cents by bet, none for watching; None if the bettor leaves or the input ends."""
    while (entry := ask(f"{' ' * INDENT}{prompt}")) is not None and not leaves(entry):
        if entry.strip().lower() in _HELP:
            show(instructions, indent=INDENT)
            continue
        try:
            return read_entry(entry, offered, purse)
        except BaccaratError as error:
            _explain(error)
    return None


def ask_where_to_keep(records: Iterable[RoundRecord]) -> str | None:
    """Ask for the name of a new file and write the records to it; None if the bettor wants none."""
    kept = tuple(records)
    while name := ask(f"{' ' * INDENT}To keep the records, type a name for their file, or just press Enter: "):
        try:
            write_records(name, kept)
        except (OSError, ValueError) as error:  # ValueError: a name with a null character
            show(Text(printable(f"{name}: {getattr(error, 'strerror', None) or error}."), "yellow"), indent=INDENT)
        else:
            return name
    return None


def leaves(entry: str) -> bool:
    """Whether this entry means that the bettor leaves."""
    return entry.strip().lower() in _QUIT


def _explain(error: BaccaratError) -> None:
    """Say what is wrong about an answer, where it was given."""
    text = printable(str(error))
    show(Text(text[:1].upper() + text[1:], "yellow"), indent=INDENT)
