"""`pfb house recover`: what a crash cut off, finished."""

from typing import TYPE_CHECKING

from ....errors import BaccaratError
from ...database import house_signing, open_store, open_vault
from ...failures import OK
from ...options import BetsOption, DatabaseOption, Json, KeyFile
from ...own_bets import named_bets
from ...screen import OUT, write_json

if TYPE_CHECKING:
    from ....house import House
    from ....house.rows import RoundRow

EXAMPLES = """\b
Examples:
  pfb house recover
  pfb house recover --json
  pfb house recover --database sqlite:///house.db --key-file house.keys
"""


def recover(*, database: DatabaseOption, key_file: KeyFile, bets: BetsOption = None, json: Json = False) -> int:
    """Deal the coups that were accepted and not dealt.

    A crash leaves such coups where a program accepts and deals in two steps. Running it again does nothing. A coup that cannot be dealt is
    an error that says why; it stays for the next time.
    """
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    vault = open_vault(key_file)
    with open_store(database) as store:
        house = House(store, vault, own_bets=named_bets(bets), **house_signing())
        dealt = house.recover().dealt
        for row in store.open_rounds():
            _deal(house, row)
            dealt += 1
        pending = house.pending()
    left = pending.debits + pending.roll_backs + pending.credits
    if json:
        write_json({"dealt": dealt, "pending": {name: getattr(pending, name) for name in ("rounds", "debits", "roll_backs", "credits")}})
    else:
        OUT.print(f"{dealt} accepted coup{'s' * (dealt != 1)} dealt." if dealt else "Nothing was left to deal.")
        if left:
            OUT.print(
                f"{left} transaction{'s' * (left != 1)} of the operator's wallet not finished: only a House with that wallet ends them."
            )
    return OK


def _deal(house: "House", row: "RoundRow") -> None:
    """Deal what recovery left, so that its error comes to light."""
    (kept,) = house.history(after=row.id - 1 or None, limit=1).rounds
    try:
        house.deal(kept.acceptance)
    except BaccaratError as error:
        error.add_note(f"nonce {row.nonce} of pair {row.pair_id}")
        raise
