"""`pfb house deposit`: money for a bettor's account."""

from ...cash import move_cash
from ...options import Amount, Bettor, Currency, DatabaseOption, Json, Key

EXAMPLES = """\b
Examples:
  pfb house deposit ann 100000 --key "deposit 1"
  pfb house deposit ann 100000 --key "deposit 1" --currency USD/2
  pfb house deposit ann 100000 --key "deposit 1" --json
"""


def deposit(
    *,
    bettor: Bettor,
    amount: Amount,
    key: Key,
    currency: Currency = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Put money into a bettor's account, once for each key."""
    return move_cash("deposit", bettor, amount, key, currency=currency, database=database, as_json=json)
