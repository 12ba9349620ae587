"""The smallest casino backend on a House: the money, the seed pairs and the rounds are in one SQLite file, durable whenever a call returns.

Every request has a key of the caller's own. A request that got no answer, because a connection broke or a process died, is made again with
the same key: it happens once, and the answer is the same.

    python examples/house_backend.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from provably_fair_baccarat import PUNTO_BANCO, ClientSeed, verify_record
from provably_fair_baccarat.errors import HouseError
from provably_fair_baccarat.house import House, Limits, SqliteStore, Vault, add_key


def main() -> None:
    """Open a house in a temporary folder and let Ada play; a real one stays where it is."""
    with TemporaryDirectory() as folder:
        keys = Path(folder) / "house.keys"  # it seals the server seeds: a real one lives apart from the database
        add_key(keys, "first")
        store = SqliteStore(Path(folder) / "house.db")
        with House(store, Vault.from_key_file(keys), limits=Limits(max_stake=5_000), currency=("USD", 2)) as house:
            house.recover()  # deals what a crash left accepted and not dealt: nothing here
            play(house)


def play(house: House) -> None:
    """A bettor's session, from the deposit to the proof."""
    house.deposit("ada", 10_000, key="deposit 1")
    house.deposit("ada", 10_000, key="deposit 1")  # a retry: the money comes once
    print(f"Ada has {house.balance('ada')} cents.")

    pair = house.commit("ada")
    print(f"She sees the commitment {pair.commitment}, and chooses her client seed after it.")
    pair = house.choose_client_seed(pair, ClientSeed.generate(pair.commitment))

    for number, bets in enumerate(({"player": 500}, {"banker": 1_000, "tie": 100}, {"banker": 250}), start=1):
        record = house.play(pair, bets, key=f"bet {number}")
        assert house.play(pair, bets, key=f"bet {number}") == record, "a retry is the same round"
        print(f"Nonce {record.nonce}: {record.winner.value} wins, {record.totals.returned} cents returned.")
    print(f"Each bet was asked twice and played once: Ada has {house.balance('ada')} cents.")
    try:
        house.play(pair, {"tie": 9_000}, key="bet 4")
    except HouseError as error:
        print(f"A bet that is refused spends nothing ({error.code}).")

    rotation = house.rotate(pair)
    history = house.verify_history(pair)
    print(f"The house reveals its server seed, and all {history.rounds} rounds and the money are as they must be.")
    for recalled in house.recall("ada"):
        assert recalled.record is not None, "what is accepted is dealt"
        verified = verify_record(recalled.record, pay_table=PUNTO_BANCO)
        assert verified.round.commitment == pair.commitment, "Ada compares with what she was shown"
    print(f"Ada verifies them too, and sees the next commitment {rotation.next_pair.commitment}.")


if __name__ == "__main__":
    main()
