"""`pfb deal`: one round, or one shoe, from a server seed, a client seed and a nonce."""

from typing import Annotated

import typer

from ...fairness.schemes import scheme_named
from ...fairness.seed_pair import Seeds
from ...records import RoundRecord
from ...rounds import Round, play_round, play_shoe
from ...rules.ready_tables import PUNTO_BANCO
from ...rules.settlement import Settlement, settle
from ..coup_view import bets_text, cards_text, coup_text
from ..failures import OK, misused
from ..files import read_seed_file
from ..options import Decks, Json, PayTableOption, Scheme, read_bets, read_index, read_nonce
from ..screen import OUT, printable, write_line

EXAMPLES = """\b
Examples:
  pfb deal --seed-file seed.txt --client-seed "lucky 8s" --nonce 0
  pfb deal --seed-file seed.txt --client-seed "lucky 8s" --nonce 1 --bet player=500 --bet tie=100
  pfb deal --seed-file seed.txt --client-seed "lucky 8s" --nonce 1 --bet player=500 --reveal --json > round.jsonl
  pfb deal --seed-file shoe.txt --scheme pfb1-shoe --client-seed "lucky 8s" --nonce 0
"""


def deal(
    *,
    seed_file: Annotated[str, typer.Option(metavar="FILE|-", help="The server seed as `pfb commit` writes it; - is standard input.")],
    client_seed: Annotated[str, typer.Option(metavar="TEXT", help="The bettor's seed, used exactly as it is.")],
    nonce: Annotated[int, typer.Option(parser=read_nonce, metavar="N", help="How many coups, or shoes, came before under the commitment.")],
    decks: Decks = 8,
    scheme: Scheme = "pfb1",
    index: Annotated[
        int | None, typer.Option(parser=read_index, metavar="K", help="With pfb1-shoe, deal only this coup of the shoe, from 0.")
    ] = None,
    bet: Annotated[list[str] | None, typer.Option(metavar="NAME=STAKE", help="A bet, in smallest currency units; may be repeated.")] = None,
    pay_table: PayTableOption = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show the server seed: no further coup may be dealt from it.")] = False,
    json: Json = False,
) -> int:
    """Deal a round and settle its bets.

    With --json, prints the round's record as one line of canonical JSON, which `pfb verify` reads once it is revealed. With the scheme
    pfb1-shoe, deals every coup of the shoe, a line each, unless --index names one. The server seed is shown with --reveal only.
    """
    bets = read_bets(bet)
    if bets and scheme_named(scheme).deals_shoes and index is None:
        raise misused("A bet in a shoe is on one coup: name it with --index.")
    seeds = Seeds.commit(read_seed_file(seed_file), client_seed, decks, scheme=scheme)
    rounds = _deal(seeds, nonce, index)
    settled = [(played, settle(played.coup, bets, pay_table or PUNTO_BANCO)) for played in rounds]
    if json:
        for played, settlement in settled:
            write_line(RoundRecord.from_round(played, settlement, server_seed=seeds.server_seed if reveal else None).to_json())
        return OK
    _show_origin(seeds, rounds[0], reveal=reveal)
    for played, settlement in settled:
        _show_round(played, settlement)
    return OK


def _deal(seeds: Seeds, nonce: int, index: int | None) -> tuple[Round, ...]:
    if not scheme_named(seeds.scheme).deals_shoes:
        if index is not None:
            raise misused(f"{seeds.scheme} deals every coup from a fresh shoe: --index is for pfb1-shoe.")
        return (play_round(seeds, nonce),)
    rounds = play_shoe(seeds, nonce)
    if index is None:
        return rounds
    if not 0 <= index < len(rounds):
        raise misused(f"This shoe has the coups 0 to {len(rounds) - 1}: there is no coup {index}.")
    return (rounds[index],)


def _show_origin(seeds: Seeds, played: Round, *, reveal: bool) -> None:
    lines = {
        "commitment": str(seeds.commitment),
        "server seed": seeds.server_seed.reveal() if reveal else None,
        "label": seeds.origin.label,
        "client seed": printable(seeds.client_seed.text),
        "nonce": str(played.nonce),
        "cut": str(played.cut),
    }
    for name, value in lines.items():
        if value is not None:
            OUT.print(f"{name:<12} {value}", soft_wrap=True)


def _show_round(played: Round, settlement: Settlement) -> None:
    OUT.print()
    if played.index is None:
        OUT.print("cards  ", end="")
    else:
        OUT.print(f"coup {played.index}  ", end="")
    OUT.print(cards_text(played.cards))
    OUT.print(coup_text(played.coup))
    if settlement.lines:
        OUT.print()
        OUT.print(bets_text(settlement.lines, str))
