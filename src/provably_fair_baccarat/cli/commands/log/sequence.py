"""`pfb log sequence`: append what a house has signed to its log."""

from ...database import empty_vault, open_store
from ...failures import OK
from ...options import DatabaseOption, Json, LogFolder, LogKeyFile, Origin
from ...screen import show_fields, write_json

EXAMPLES = """\b
Examples:
  pfb log sequence log/ --origin casino.example/log --log-key-file log.key
  pfb log sequence log/ --origin casino.example/log --log-key-file log.key --database postgresql://log@db.example/house
  while pfb log sequence log/ --origin casino.example/log --log-key-file log.key; do sleep 5; done

\b
One process does this. After a crash it is called again, and nothing is lost or there twice. A SQLite database has one process that
writes: there, let the house's own process call House.sequence.
"""


def sequence(*, log: LogFolder, origin: Origin, log_key_file: LogKeyFile, database: DatabaseOption, json: Json = False) -> int:
    """Append what is signed to the log.

    Takes every statement that is not in it yet, and signs a checkpoint. A web server can publish the folder as it is.
    """
    from ....house import House  # noqa: PLC0415 (the house is loaded by those who open one)
    from ....receipts.log import LogWriter  # noqa: PLC0415 (logs are loaded by those who look at one)

    with open_store(database) as store, LogWriter.from_key_file(log, origin, log_key_file) as writer:
        appended = House(store, empty_vault()).sequence(writer)
        size, root = writer.size, writer.checkpoint.root.hex()
    if json:
        write_json({"appended": appended, "size": size, "root": root})
    else:
        show_fields({"appended": str(appended), "size": str(size), "root": root})
    return OK
