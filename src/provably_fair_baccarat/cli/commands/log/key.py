"""`pfb log key`: a log's public key as text."""

from ...failures import OK
from ...options import Json, LogKeyFile, Origin
from ...screen import write_json, write_line

EXAMPLES = """\b
Examples:
  pfb keys new log.key
  pfb log key --origin casino.example/log --log-key-file log.key
  pfb log key --origin casino.example/log --log-key-file log.key --json

\b
Publish it: the log's checkpoints are checked with it. A log keeps its name and its key for ever; pfb log key only tells them.
"""


def key(*, origin: Origin, log_key_file: LogKeyFile, json: Json = False) -> int:
    """Tell a log's public key.

    It is the text that goes into promises, and that everybody checks checkpoints with.
    """
    from ....receipts import read_key_file  # noqa: PLC0415 (signatures are loaded by those who make one)
    from ....receipts.log import NoteKey  # noqa: PLC0415 (logs are loaded by those who look at one)

    text = str(NoteKey(origin, read_key_file(log_key_file)[0].public.raw))
    if json:
        write_json({"log_key": text})
    else:
        write_line(text.encode())
    return OK
