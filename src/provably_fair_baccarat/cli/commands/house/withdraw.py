"""`pfb house withdraw`: money out of a bettor's account."""

from ...cash import move_cash
from ...options import Amount, Bettor, Currency, DatabaseOption, Json, Key

EXAMPLES = """\b
Examples:
  pfb house withdraw ann 5000 --key "withdrawal 1"
  pfb house withdraw ann 5000 --key "withdrawal 1" --currency USD/2
  pfb house withdraw ann 5000 --key "withdrawal 1" --json
"""


def withdraw(
    *,
    bettor: Bettor,
    amount: Amount,
    key: Key,
    currency: Currency = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Pay money out of a bettor's account, once for each key. There must be so much in it."""
    return move_cash("withdraw", bettor, amount, key, currency=currency, database=database, as_json=json)
