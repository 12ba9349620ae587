"""`pfb house rotate`: the end of a pair, its reveal, and the commitment that comes next."""

from ...database import open_store, open_vault, pair_house
from ...failures import OK
from ...house_view import pair_json, show_pair
from ...options import BetsOption, DatabaseOption, Json, KeyFile, Pair
from ...own_bets import named_bets
from ...screen import OUT, write_json

EXAMPLES = """\b
Examples:
  pfb house rotate 5e6f...
  pfb house rotate 5e6f... --json
  pfb house rotate 5e6f... && pfb house verify 5e6f...
"""


def rotate(*, pair: Pair, database: DatabaseOption, key_file: KeyFile, bets: BetsOption = None, json: Json = False) -> int:
    """Close a pair, reveal its server seed, and commit to the next.

    What was accepted is dealt first. The next pair has the same decks, pay table and currency. A pair that was rotated already is shown
    again.
    """
    vault = open_vault(key_file)
    with open_store(database) as store:
        house, known = pair_house(store, vault, pair, named_bets(bets))
        rotation = house.rotate(known)
    if json:
        write_json({"revealed": pair_json(rotation.revealed), "next_pair": pair_json(rotation.next_pair)})
        return OK
    show_pair(rotation.revealed)
    OUT.print("\nThe next pair:")
    show_pair(rotation.next_pair)
    return OK
