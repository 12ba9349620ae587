"""`pfb play`: the console game, ten rounds against the house, every one of them provably fair."""

import shlex
from datetime import UTC, datetime
from typing import Annotated, Final

import typer
from rich.text import Text

from ...durable import refuse_existing
from ...fairness.seed_pair import commit
from ...fairness.seeds import ServerSeed
from ...rules.pay_table import PayTable
from ...rules.ready_tables import ALL_BETS, PUNTO_BANCO
from ..coup_view import bets_text, coup_text, dollars
from ..failures import INTERRUPTED, OK
from ..files import write_records
from ..game import CHIP, MOST_CHIPS, PURSE, ROUNDS, chips_allowed, is_over, prices
from ..narration import INDENT, Narration
from ..options import Decks
from ..proof_view import guarantees_view, shell_check, verified_text, verify_command
from ..questions import ask_bets, ask_client_seed, ask_where_to_keep, leaves
from ..screen import OUT, asks_people, own_name, printable
from ..seat import Seat, SettledRound

_PRICES = "\n".join(f"  {name:<20} {price}" for name, price in prices(ALL_BETS).items())

EXAMPLES = f"""\b
Examples:
  pfb play
  pfb play --side-bets
  pfb play --records evening.jsonl

\b
What you type at a round:
  player 5           five chips on the player hand; p 5 is the same
  b 3                three chips on the banker
  player 3 tie 1     two bets, five chips at most in all
  (nothing)          watch this round
  q                  leave; everything you played is verified
  ?                  this list

\b
Side bets, and what they pay to one; with several numbers, one for each of its events, in the order of the catalogue:
{_PRICES}

\b
What each bet keeps of a stake in the long run, some of them a third of it:
  pfb odds --pay-table all_bets
"""


def play(
    *,
    side_bets: Annotated[bool, typer.Option("--side-bets", help="Offer the side bets too, at the prices below.")] = False,
    decks: Decks = 8,
    records: Annotated[str | None, typer.Option(metavar="FILE", help="Write the records to this new file at the end.")] = None,
) -> int:
    """Play ten rounds at the console.

    You have a purse of 50 one-dollar chips. You stake at most 5 chips a round on the player hand, the banker hand or a tie. Player pays 1
    to 1, banker 0.95 to 1, tie 8 to 1, and on a tie the stakes on player and banker come back. The game ends after ten rounds, when you
    leave, or when your purse holds less than one chip. Then the house reveals its server seed and every round is verified. Nothing is kept
    unless you ask for it with --records, or in the end at a terminal.
    """
    if records is not None:
        refuse_existing(records)
    story = Narration()
    server_seed = ServerSeed.generate()
    seat = _sit_down(story, server_seed, decks, ALL_BETS if side_bets else PUNTO_BANCO)
    if seat is None:
        story.show("You leave the table before anything was dealt.")
        return OK
    story.step("Ten rounds")
    _explain_bets(story, seat.pay_table, is_kept=records is not None)
    interrupted = False
    try:
        _play_rounds(story, seat)
    except KeyboardInterrupt:
        interrupted = True
        OUT.print()
    _tell_end(story, seat)
    _tell_proof(story, seat, server_seed)
    if seat.rounds:
        _keep(story, seat, records, can_ask=asks_people() and not interrupted)
    return INTERRUPTED if interrupted else OK


def _sit_down(story: Narration, server_seed: ServerSeed, decks: int, pay_table: PayTable) -> Seat | None:
    """Show the commitment, and only then take the client seed (protocol step 9); None if the bettor leaves."""
    commitment = commit(server_seed, decks)
    story.step("The house commits to its secret server seed")
    story.quote(str(commitment))
    story.show("Keep this commitment: in the end the house reveals the seed, and its hash must be these digits.")
    story.step("You choose a client seed, which goes into every card")
    client_seed = ask_client_seed(story, commitment)
    if client_seed is None or leaves(client_seed.text):
        return None
    return Seat(server_seed, client_seed, PURSE, decks, pay_table)


def _explain_bets(story: Narration, pay_table: PayTable, *, is_kept: bool) -> None:
    story.show(f"You have {dollars(PURSE)} in one-dollar chips and may stake up to {MOST_CHIPS} of them a round, like this: {_ENTRIES}")
    if listed := ", ".join(f"{name} {price}" for name, price in prices(pay_table).items()):
        story.show(Text(f"Side bets, and what they pay to one: {listed}.", "dim"))
        story.show(Text("Several numbers are for several events. What each bet keeps: pfb odds --pay-table all_bets.", "dim"))
    if not is_kept:
        story.show(Text("Nothing is kept unless you say so: with --records FILE, or in the end at a terminal.", "dim"))


_ENTRIES: Final = "player 5, or b 3, or player 3 tie 1. Just Enter watches a round, q leaves, ? tells this again."


def _play_rounds(story: Narration, seat: Seat) -> None:
    while not is_over(len(seat.rounds), seat.purse):
        allowed = chips_allowed(seat.purse)
        OUT.print(Text(f"\n{' ' * INDENT}{_round_text(len(seat.rounds))}, purse {dollars(seat.purse)}", "bold cyan"))
        bets = ask_bets(f"Your bet, up to {allowed} chip{'s' * (allowed > 1)}: ", seat.pay_table.offers, seat.purse, _ENTRIES)
        if bets is None:
            return
        _show_round(story, seat.play(bets, datetime.now(UTC)))


def _round_text(nonce: int) -> str:
    return f"Round {nonce + 1} of {ROUNDS} (nonce {nonce})"


def _show_round(story: Narration, settled: SettledRound) -> None:
    story.show(coup_text(settled.round.coup), bets_text(settled.settlement.lines, dollars), f"Purse {dollars(settled.purse)}")


def _tell_end(story: Narration, seat: Seat) -> None:
    played = len(seat.rounds)
    story.step(f"You leave the table after {played} of {ROUNDS} rounds" if played < ROUNDS else "The ten rounds are over")
    if seat.purse < CHIP:
        story.show("Your purse holds less than one chip.")
    gained = f"{dollars(abs(seat.net))} {'more' if seat.net > 0 else 'less'} than" if seat.net else "as much as"
    story.show(f"Your purse holds {dollars(seat.purse)}, {gained} at the beginning.")


def _tell_proof(story: Narration, seat: Seat, server_seed: ServerSeed) -> None:
    story.step("The house reveals its server seed")
    story.quote(server_seed.reveal())
    story.show("Its hash is the commitment of step 1. See for yourself:")
    story.quote(shell_check(seat.label, server_seed.reveal()))
    verified = seat.verify()
    if not verified:
        story.step("No round was played, so there is nothing to verify")
        return
    story.step("Everything is verified")
    story.show(verified_text(len(verified)), "Each was dealt again from the two seeds: same cards, hands, winner and returns, to the cent.")
    story.show(guarantees_view(verified[0].guarantees))
    story.show("Verify it yourself, here or on the page that pfb page writes; round 1 is nonce 0, and so on:")
    seeds = {"server-seed": server_seed.reveal(), "client-seed": str(seat.client_seed), "commitment": str(seat.commitment)}
    decks = {"decks": seat.label.rpartition(":")[2]} if seat.label != "pfb1:8" else {}
    story.quote(verify_command({**seeds, **decks, "nonce": "0"}))


def _keep(story: Narration, seat: Seat, records: str | None, *, can_ask: bool) -> None:
    """Write the records where the bettor wants them."""
    if records is not None:
        write_records(records, seat.reveal())
    elif can_ask:
        OUT.print()
        records = ask_where_to_keep(seat.reveal())
    if records is not None:
        story.show(f"The records are in {printable(records)}: pfb verify replays them.")
        story.quote(printable(f"{own_name()} verify {shlex.quote(records)}"))
    else:
        story.show(Text("Nothing of this is kept. With --records FILE, pfb play writes the records, and pfb verify replays them.", "dim"))
