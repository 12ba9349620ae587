"""A side bet of the operator's own, from the idea to the proof: priced exactly, settled, recorded, and verified by the bettor.

"Flush" wins if the first two cards of both hands are all of one suit. Nothing registers it anywhere: it goes along with the pay table, and
whoever verifies a record of it needs the same few lines.

    python examples/operators_own_bet.py
"""

from __future__ import annotations

from provably_fair_baccarat import (
    Bet,
    Card,
    ClientSeed,
    Coup,
    PayTable,
    RoundRecord,
    Seeds,
    ServerSeed,
    commit,
    play_round,
    settle,
    verify_record,
)
from provably_fair_baccarat.errors import NeedsError, UnknownBetError
from provably_fair_baccarat.rules.odds import bettor_edges, odds


def suits(first: Card, second: Card) -> object:
    """All that the event sees of a hand, so that its odds are counted at once."""
    return first.suit, second.suit


def flush(coup: Coup) -> bool:
    """Whether the first four cards are of one suit."""
    return len({card.suit for card in coup.cards[:4]}) == 1


FLUSH = Bet("flush", flush, needs="suits", kind=suits)


def table_that_pays(multiplier: str) -> PayTable:
    """The classic table with this bet on it."""
    return PayTable(side_bets={"flush": multiplier}, bets=[FLUSH])


def price() -> PayTable:
    """Look for a price: the highest whole multiplier at which the house keeps 5 % or more."""
    multiplier = 2
    while odds("flush", table_that_pays(f"{multiplier + 1}.0")).house_edge >= 0.05:
        multiplier += 1
    table = table_that_pays(f"{multiplier}.0")
    figures = odds("flush", table)
    print(f"Flush comes in {figures.ways['won']:,} of {figures.deals:,} deals.")
    print(f"It pays {multiplier - 1} to one: the house keeps {float(figures.house_edge):.4%}, which is {figures.house_edge} exactly.")
    assert not bettor_edges(table), "no bet of this table loses money"
    return table


def misdeclare() -> None:
    """What happens to a bet that says less about itself than it sees."""
    try:
        odds("flush", PayTable(side_bets={"flush": "60.0"}, bets=[Bet("flush", flush, needs="ranks")]))
    except NeedsError as error:
        print(f"Declared as a bet on ranks, it gets no odds: {error.hint}")


def play(table: PayTable) -> list[RoundRecord]:
    """Deal until a flush comes, with a dollar on it each time, and publish the records."""
    server_seed = ServerSeed.generate()
    seeds = Seeds(server_seed, ClientSeed.generate(commit(server_seed)), commit(server_seed))
    records: list[RoundRecord] = []
    while not records or records[-1].bets["flush"].status == "lost":
        played = play_round(seeds, nonce=len(records))
        settlement = settle(played.coup, {"flush": 100}, table)
        records.append(RoundRecord.from_round(played, settlement, server_seed=server_seed, currency=("USD", 2)))
    print(f"After {len(records)} rounds: {' '.join(map(str, records[-1].cards[:4]))}, {records[-1].totals.returned} cents for 100.")
    return records


def verify(records: list[RoundRecord], table: PayTable) -> None:
    """The bettor's side, who has the records as text and the table with its bet."""
    for record in records:
        verify_record(RoundRecord.parse_json(record.to_json()), pay_table=table)
    print("Every round is verified, with the operator's table.")
    try:
        verify_record(records[0])
    except UnknownBetError:
        print("Without that table nobody can say what flush means, and nobody pretends to.")


if __name__ == "__main__":
    offered = price()
    misdeclare()
    verify(play(offered), offered)
