"""`pfb log verify`: compute a log anew, and hold checkpoints against it."""

from typing import Annotated

import typer

from ....errors import SplitViewError
from ...failures import OK
from ...options import Json, LogFolder, LogKey, Witnesses
from ...screen import at_work, show, write_json
from ...signed import read_checkpoint_text, read_note_keys

EXAMPLES = """\b
Examples:
  pfb log verify log/ --log-key casino.example/log+0a1b2c3d+AW...
  pfb log verify mirror/ --log-key casino.example/log+0a1b2c3d+AW... --checkpoint mine.txt
  pfb log verify mirror/ --log-key casino.example/log+0a1b2c3d+AW... --witness witness.example/w1+4e5f6a7b+BH... --json

\b
Exit codes: 0 fine, 1 the log contradicts itself or a checkpoint, 2 it cannot be read.
"""


def verify(
    *,
    log: LogFolder,
    log_key: LogKey,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A checkpoint of this log that somebody kept; may be repeated.", show_default=False),
    ] = None,
    witness: Witnesses = None,
    json: Json = False,
) -> int:
    """Compute a log anew from its entries.

    Compares the tiles, the checkpoint and the checkpoints that were kept with the tree that the entries give. A kept checkpoint that is not
    a beginning of this log shows that the log was rewritten, or that there are two of it.
    """
    from ....receipts.log import TileLog, read_checkpoint  # noqa: PLC0415 (logs are loaded by those who look at one)

    (key,), witnesses = read_note_keys([log_key]), read_note_keys(witness or ())
    opened = TileLog(log, key, witnesses)
    with at_work("verifying"):
        opened.verify()
    kept = [read_checkpoint(read_checkpoint_text(name), key, witnesses) for name in checkpoint or ()]
    for each in kept:
        if each.size > opened.checkpoint.size or opened.tree.root(each.size) != each.root:
            found = "another one, or a shorter log"
            raise SplitViewError(f"root of {key.name} at size {each.size}", each.root.hex(), found)
    names = [each.witness.name for each in opened.checkpoint.cosignatures]
    if json:
        write_json(
            {
                "verified": True,
                "origin": key.name,
                "size": opened.checkpoint.size,
                "root": opened.checkpoint.root.hex(),
                "witnesses": names,
                "checkpoints": len(kept),
            }
        )
    else:
        seen = f", cosigned by {', '.join(names)}" if names else ", cosigned by nobody"
        show(f"{key.name}: {opened.checkpoint.size} entries, root {opened.checkpoint.root.hex()}{seen}.")
        show(f"{len(kept)} kept checkpoint{'s' * (len(kept) != 1)} agree{'s' * (len(kept) == 1)} with it.")
    return OK
