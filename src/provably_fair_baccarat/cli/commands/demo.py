"""`pfb demo`: from commitment to verification in one command, for somebody who sees it for the first time."""

import shlex
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ...canonical import Json as JsonValue
from ...durable import refuse_existing
from ...fairness.seeds import ClientSeed, Commitment
from ...records import RoundRecord
from ...rules.coup import deal_coup
from ...rules.ready_tables import PUNTO_BANCO
from ...rules.roads import Scoreboard
from ...verify import verify_record
from ..coup_view import dollars, rounds_table
from ..database import empty_vault
from ..failures import OK
from ..files import copy_new, write_records
from ..narration import INDENT, Narration
from ..options import Decks, Json
from ..proof_view import guarantees_view, shell_check, verified_text
from ..questions import ask_client_seed, make_client_seed
from ..roads_view import big_road_legend, big_road_view
from ..screen import OUT, asks_people, own_name, printable, write_json

if TYPE_CHECKING:
    from ...house import House, SeedPair

EXAMPLES = """\b
Examples:
  pfb demo
  pfb demo --client-seed "lucky 8s" --rounds 20
  pfb demo --json | jq .server_seed
"""

_BETTOR: Final = "you"
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
    records: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where the records go, and beside them the house's books; the file must be new.")
    ] = None,
    json: Json = False,
) -> int:
    """Deal ten rounds that you can verify, and see how.

    The house commits to its server seed, you choose a client seed, the rounds are dealt with sample bets, the house reveals its seed, and
    everything is verified. The records are written to a file for `pfb verify`, and the house's books to a SQLite file for `pfb house`.
    """
    from ...house import House, SqliteStore  # noqa: PLC0415 (the house is loaded by those who open one)

    story = None if json else Narration()
    purse = _PURSE_PER_ROUND * rounds
    with TemporaryDirectory(prefix="pfb-demo-") as folder:  # so that nothing is left of a demo that is interrupted
        books = Path(folder) / "house.db"
        with House(SqliteStore(books), empty_vault(), decks=decks, currency=("USD", 2)) as house:
            pair = house.commit(_BETTOR)
            file = records or f"pfb-demo-{str(pair.commitment)[:8]}.jsonl"
            database = f"{file.removesuffix('.jsonl')}.db"
            for name in (file, database):
                refuse_existing(name)
            if story:
                _tell_commitment(story, pair.commitment, rounds)
            house.choose_client_seed(pair, _take_client_seed(story, client_seed, pair.commitment))
            revealed, dealt = _play(house, pair, rounds, purse)
            house.verify_history(revealed)
            left = house.balance(_BETTOR)
        verified = tuple(verify_record(record, pay_table=PUNTO_BANCO) for record in dealt)
        write_records(file, dealt)
        copy_new(books, database)
    if story is None:
        write_json(_to_json(revealed, dealt, left, file, database))
        return OK
    _tell_rounds(story, dealt, purse, left)
    _tell_reveal(story, revealed.label, str(dealt[0].server_seed))
    story.step("Everything is verified")
    story.show(verified_text(len(verified)), "Each was dealt again from the two seeds: same cards, hands, winner and returns, to the cent.")
    story.show(guarantees_view(verified[0].guarantees))
    if not dealt[0].client_seed.marks(pair.commitment):
        story.show("You saw the commitment first. A random client seed shows that to everyone, since it ends with the commitment's digits.")
    story.step("The big road: a column for each streak of wins")
    board = Scoreboard.of(deal_coup(record.cards) for record in dealt)
    story.show(big_road_view(board, OUT.width - INDENT), big_road_legend())
    _tell_records(story, rounds, file)
    _tell_books(story, revealed.id, database)
    return OK


def _play(house: "House", pair: "SeedPair", rounds: int, purse: int) -> "tuple[SeedPair, tuple[RoundRecord, ...]]":
    """Fill the purse, play the sample bets and rotate: the revealed pair and its records."""
    house.deposit(_BETTOR, purse, key="purse")
    for number, bets in enumerate(islice(cycle(_BETS), rounds), start=1):
        house.play(pair, bets, key=f"bet {number}")
    revealed = house.rotate(pair).revealed
    kept = house.history(pair=revealed, limit=rounds).rounds
    return revealed, tuple(each.record for each in kept if each.record is not None)


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


def _tell_rounds(story: Narration, records: tuple[RoundRecord, ...], purse: int, left: int) -> None:
    story.step("The rounds are dealt")
    story.show(
        "Player and banker are the two hands; you bet on them. A card behind a + is a third card. The cards come from both seeds and the "
        "round's number, the nonce."
    )
    story.show(rounds_table(records))
    staked = sum(record.totals.staked for record in records)
    returned = sum(record.totals.returned for record in records)
    story.show(f"Purse: {dollars(purse)} - {dollars(staked)} staked + {dollars(returned)} returned = {dollars(left)}.")


def _tell_reveal(story: Narration, label: str, server_seed: str) -> None:
    story.step("The house reveals its server seed")
    story.quote(server_seed)
    story.show(f"Its SHA-256 hash, with {label}: in front, is the commitment of step 1. See for yourself, with any tool that you trust:")
    story.quote(shell_check(label, server_seed))


def _tell_records(story: Narration, rounds: int, file: str) -> None:
    story.step("The records are yours")
    story.show(
        f"{printable(file)} holds the {rounds} rounds, one JSON record a line, in {printable(str(Path.cwd()))}. Verify them again whenever "
        "you like, here or with a program of your own. With --commitment and the digits of step 1 you compare them with what you were shown."
    )
    story.quote(printable(f"{own_name()} verify {shlex.quote(file)}"), "bold cyan")


def _tell_books(story: Narration, pair: str, database: str) -> None:
    story.show(f"The house's own books are in {printable(database)}, a SQLite file. This replays them and adds up the money:")
    story.quote(printable(f"{own_name()} house verify {pair} --database {shlex.quote(f'sqlite:///{database}')}"))


def _to_json(pair: "SeedPair", records: tuple[RoundRecord, ...], purse: int, file: str, database: str) -> dict[str, JsonValue]:
    return {
        "label": pair.label,
        "commitment": str(pair.commitment),
        "client_seed": str(records[0].client_seed),
        "server_seed": records[0].server_seed,
        "pair": pair.id,
        "rounds": [record.to_dict() for record in records],
        "verified": len(records),
        "failed": 0,
        "purse": str(purse),
        "records_file": file,
        "database": f"sqlite:///{database}",
    }
