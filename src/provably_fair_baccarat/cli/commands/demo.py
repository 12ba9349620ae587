"""`pfb demo`: from commitment to verification in one command, for somebody who sees it for the first time."""

import shlex
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated, Final

import typer

from ...canonical import Json as JsonValue
from ...fairness.seed_pair import commit
from ...fairness.seeds import ClientSeed, Commitment, ServerSeed
from ...records import RoundRecord
from ...rules.roads import Scoreboard
from ..coup_view import dollars, rounds_table
from ..failures import OK
from ..files import refuse_existing, write_records
from ..narration import INDENT, Narration
from ..options import Decks, Json
from ..proof_view import guarantees_view, shell_check, verified_text
from ..questions import ask_client_seed, make_client_seed
from ..roads_view import big_road_legend, big_road_view
from ..screen import OUT, asks_people, printable, write_json
from ..seat import Seat

EXAMPLES = """\b
Examples:
  pfb demo
  pfb demo --client-seed "lucky 8s" --rounds 20
  pfb demo --json | jq .server_seed
"""

_PURSE_PER_ROUND: Final = 500
_BETS: Final = ({"player": 500}, {"banker": 500}, {"player": 300, "tie": 100}, {"banker": 500}, {"tie": 100})
"""Sample bets, in cents, taken in turn: none is above what the purse has for one round."""


def demo(
    *,
    rounds: Annotated[int, typer.Option(min=1, max=100, metavar="N", help="How many rounds are dealt.")] = 10,
    client_seed: Annotated[
        ClientSeed | None, typer.Option(parser=ClientSeed, metavar="TEXT", help="Your client seed, any text. Else you are asked for it.")
    ] = None,
    decks: Decks = 8,
    records: Annotated[str | None, typer.Option(metavar="FILE", help="Where the records go; the file must be new.")] = None,
    json: Json = False,
) -> int:
    """Deal ten rounds that you can verify, and see how.

    The house commits to its server seed, you choose a client seed, the rounds are dealt with sample bets, the house reveals its seed, and
    everything is verified. The records are written to a file for `pfb verify`.
    """
    server_seed = ServerSeed.generate()
    commitment = commit(server_seed, decks)
    file = records or f"pfb-demo-{str(commitment)[:8]}.jsonl"
    refuse_existing(file)
    story = None if json else Narration()
    if story:
        _tell_commitment(story, commitment, rounds)
    seat = Seat(server_seed, _take_client_seed(story, client_seed, commitment), _PURSE_PER_ROUND * rounds, decks)
    for bets in islice(cycle(_BETS), rounds):
        seat.play(bets, datetime.now(UTC))
    revealed = seat.reveal()
    verified = seat.verify()
    write_records(file, revealed)
    if story is None:
        write_json(_to_json(seat, revealed, file))
        return OK
    _tell_rounds(story, seat)
    _tell_reveal(story, seat, server_seed)
    story.step("Everything is verified")
    story.show(verified_text(len(verified)), "Each was dealt again from the two seeds: same cards, hands, winner and returns, to the cent.")
    story.show(guarantees_view(verified[0].guarantees))
    if not seat.client_seed.marks(commitment):
        story.show("You saw the commitment first. A random client seed shows that to everyone, since it ends with the commitment's digits.")
    story.step("The big road: a column for each streak of wins")
    board = Scoreboard.of(settled.round.coup for settled in seat.rounds)
    story.show(big_road_view(board, OUT.width - INDENT), big_road_legend())
    _tell_records(story, rounds, file)
    return OK


def _take_client_seed(story: Narration | None, given: ClientSeed | None, commitment: Commitment) -> ClientSeed:
    """The client seed that was given, the one that the bettor types, or a random one that is marked with the commitment."""
    if story is None:
        return given or ClientSeed.generate(commitment)
    story.step("You choose a client seed")
    story.show(
        "Your client seed goes into every card as well. The house did not know it when it committed, so it could not prepare for it."
    )
    if given is not None:
        story.quote(printable(given.text))
        return given
    if asks_people():
        OUT.print()
        if (seed := ask_client_seed(story, commitment)) is not None:
            return seed
    return make_client_seed(story, commitment)


def _tell_commitment(story: Narration, commitment: Commitment, rounds: int) -> None:
    OUT.print("\nProvably fair baccarat: nobody can choose the cards, and you can prove it.", style="bold")
    story.step("The house commits")
    story.show(
        f"The house has made a secret server seed for {rounds} rounds. Before it knows anything of yours, it shows you the seed's "
        "fingerprint, the commitment:"
    )
    story.quote(str(commitment))
    story.show("The secret is fixed from now on, since any other seed has another fingerprint.")


def _tell_rounds(story: Narration, seat: Seat) -> None:
    story.step("The rounds are dealt")
    story.show(
        "Player and banker are the two hands; you bet on them. A card behind a + is a third card. The cards come from both seeds and the "
        "round's number, the nonce."
    )
    story.show(rounds_table(seat.rounds))
    staked = sum(settled.settlement.staked for settled in seat.rounds)
    returned = sum(settled.settlement.returned for settled in seat.rounds)
    start = seat.purse - seat.net
    story.show(f"Purse: {dollars(start)} - {dollars(staked)} staked + {dollars(returned)} returned = {dollars(seat.purse)}.")


def _tell_reveal(story: Narration, seat: Seat, server_seed: ServerSeed) -> None:
    label = seat.label
    story.step("The house reveals its server seed")
    story.quote(server_seed.reveal())
    story.show(f"Its SHA-256 hash, with {label}: in front, is the commitment of step 1. See for yourself, with any tool that you trust:")
    story.quote(shell_check(label, server_seed))


def _tell_records(story: Narration, rounds: int, file: str) -> None:
    story.step("The records are yours")
    story.show(
        f"{printable(file)} holds the {rounds} rounds, one JSON record a line, in {printable(str(Path.cwd()))}. Verify them again whenever "
        "you like, here or with a program of your own. With --commitment and the digits of step 1 you compare them with what you were shown."
    )
    story.quote(printable(f"pfb verify {shlex.quote(file)}"), "bold cyan")


def _to_json(seat: Seat, revealed: tuple[RoundRecord, ...], file: str) -> dict[str, JsonValue]:
    return {
        "label": seat.label,
        "commitment": str(seat.commitment),
        "client_seed": str(seat.client_seed),
        "server_seed": revealed[0].server_seed,
        "rounds": [record.to_dict() for record in revealed],
        "verified": len(revealed),
        "failed": 0,
        "purse": str(seat.purse),
        "records_file": file,
    }
