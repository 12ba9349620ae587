"""`pfb prove`: a bettor's whole history in one file."""

from typing import Annotated

import typer

from ...durable import refuse_existing
from ..database import reading_house
from ..failures import OK, misused
from ..files import write_lines_to
from ..options import Bettor, Currency, DatabaseOption, Json, LogFolderOption, LogKeyOption, Witnesses
from ..screen import at_work, show_fields, write_json
from ..signed import read_key_set, read_note_keys

EXAMPLES = """\b
Examples:
  pfb prove ann --keys jwks.json --out ann.jsonl
  pfb prove ann --keys jwks.json --log log/ --log-key casino.example/log+0a1b2c3d+AW... --out ann.jsonl
  pfb prove ann --keys jwks.json --out ann.jsonl && pfb verify ann.jsonl
"""


def prove(
    *,
    bettor: Bettor,
    keys: Annotated[
        str, typer.Option(metavar="FILE", help="The operator's public keys, as pfb keys jwks prints them.", show_default=False)
    ],
    out: Annotated[str, typer.Option(metavar="FILE", help="The new file.", show_default=False)],
    log: LogFolderOption = None,
    log_key: LogKeyOption = None,
    witness: Witnesses = None,
    currency: Currency = None,
    database: DatabaseOption,
    json: Json = False,
) -> int:
    """Write a bettor's whole signed history into one file.

    It has everything that is signed about the bettor's rounds, the revealed seeds, and the proofs of the log. Anybody can check it offline with pfb verify. It has the bettor's name, bets and client seeds in it: it is for the bettor.
    """
    from ...receipts.log import TileLog  # noqa: PLC0415 (logs are loaded by those who look at one)

    if (log is None) != (log_key is None):
        raise misused("A log has both --log and --log-key.")
    refuse_existing(out)
    witnesses = read_note_keys(witness or ())
    opened = None if log is None or log_key is None else TileLog(log, read_note_keys([log_key])[0], witnesses)
    with reading_house(database, currency) as house, at_work("proving"):
        count = write_lines_to(out, house.prove(bettor, log=opened, keys=read_key_set(keys), witnesses=witnesses))
    if json:
        write_json({"file": out, "lines": count})
    else:
        show_fields({"file": out, "lines": str(count)})
    return OK
