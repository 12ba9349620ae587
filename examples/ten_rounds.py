"""Ten rounds with a purse of 50 one-dollar chips, five of them on the player hand every time.

A win pays even money and a tie pushes, so after the first round the purse holds 55, 45 or still 50 chips. The house commits before the bettor
chooses, and in the end it reveals its seed and every round is verified.

    python examples/ten_rounds.py
"""

from __future__ import annotations

from provably_fair_baccarat import ClientSeed, Coup, PayTable, RoundRecord, Seeds, ServerSeed, commit, play_round, settle, verify_record

ROUNDS = 10
PURSE = 50  # one-dollar chips, the smallest unit here
STAKE = 5
EVEN_MONEY = PayTable(player_multiplier="2.0")


def main() -> None:
    """Commit, play, reveal and verify."""
    server_seed = ServerSeed.generate()
    commitment = commit(server_seed)
    print(f"The house commits to its server seed: {commitment}")

    client_seed = ClientSeed.generate(commitment)  # the bettor's own, made after the commitment was shown
    print(f"The bettor chooses a client seed:     {client_seed}\n")
    seeds = Seeds(server_seed, client_seed, commitment)

    purse = PURSE
    records: list[RoundRecord] = []
    for nonce in range(ROUNDS):
        stake = min(STAKE, purse)
        if stake < 1:
            print("The purse holds less than one chip.")
            break
        played = play_round(seeds, nonce)
        settlement = settle(played.coup, {"player": stake}, EVEN_MONEY)
        purse += settlement.net
        records.append(RoundRecord.from_round(played, settlement, client_seed_made_by="bettor"))
        print(f"Round {nonce + 1:>2}: {tell(played.coup)} The purse holds {purse} chips.")

    print(f"\nThe house reveals its server seed:    {server_seed.reveal()}")
    for record in records:
        verify_record(record.reveal(server_seed), pay_table=EVEN_MONEY)  # raises an error if anything differs
    print(f"{len(records)} rounds verified.")


def tell(coup: Coup) -> str:
    """A coup in words: both hands, the third cards, who won, and whether by a natural."""
    hands = (("player", coup.player), ("banker", coup.banker))
    told = [f"{name} {' '.join(card.symbol for card in hand.cards[:2])}" for name, hand in hands]
    drawn = [f"{name} draws {hand.cards[2].symbol}" for name, hand in hands if len(hand.cards) == 3]
    score = f"{coup.player.score} to {coup.banker.score}"
    winner = f"a tie, {score}" if coup.winner.value == "tie" else f"{coup.winner.value} wins, {score}"
    return f"{', '.join([*told, *drawn])}: {winner}{', by a natural' if coup.natural else ''}."


if __name__ == "__main__":
    main()
