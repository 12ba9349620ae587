"""`pfb house close`: the end of the bets under a pair."""

from ...database import empty_vault, house_signing, open_store
from ...failures import OK
from ...house_view import pair_json, show_pair
from ...options import DatabaseOption, Json, Pair
from ...screen import write_json

EXAMPLES = """\b
Examples:
  pfb house close 5e6f...
  pfb house close 5e6f... --json
  pfb house close 5e6f... && pfb house rotate 5e6f...
"""


def close(*, pair: Pair, database: DatabaseOption, json: Json = False) -> int:
    """Take no more bets under a pair, and reveal nothing.

    What was accepted stays to be dealt. For a pair that something is wrong with: rotate it when you know what. Needs no key.
    """
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    with open_store(database) as store:
        closed = House(store, empty_vault(), **house_signing()).close_pair(pair)
    if json:
        write_json(pair_json(closed))
    else:
        show_pair(closed)
    return OK
