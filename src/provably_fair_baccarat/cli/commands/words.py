"""`pfb words`: the random stream itself, for batteries of statistical tests."""

import os
import stat
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Annotated

import typer

from ...durable import whole_file
from ...fairness.seeds import operating_system_entropy
from ..failures import OK, misused
from ..options import Decks, Entropy, Json, read_count
from ..screen import OUT, progress_bar, show_fields, write_json

if TYPE_CHECKING:
    from ...canonical import Json as JsonValue

EXAMPLES = """\b
Examples:
  pfb words --bytes 1e9 --out words.bin
  pfb words --out - | RNG_test stdin32
  pfb words --out - | dieharder -a -g 200
  pfb words --rounds 1e6 --form draws --out draws.bin
  pfb words --rounds 1e6 --form draws --bound 52 --out draws52.bin
"""

STANDARD_OUTPUT = "-"


def words(
    *,
    out: Annotated[str, typer.Option(metavar="FILE|-", help="The new file; - is standard output, which must be no terminal.")],
    rounds: Annotated[
        int | None, typer.Option(parser=read_count, metavar="N", help="The words of so many rounds, like 1e6.", show_default=False)
    ] = None,
    size: Annotated[
        int | None, typer.Option("--bytes", parser=read_count, metavar="N", help="So many bytes, like 1e9.", show_default=False)
    ] = None,
    form: Annotated[str, typer.Option(metavar="NAME", help="words, draws or cards.")] = "words",
    bound: Annotated[
        int | None,
        typer.Option(parser=read_count, metavar="N", help="With draws: each is a whole number below N, up to 2^32.", show_default=False),
    ] = None,
    decks: Decks = 8,
    pair_rounds: Annotated[int, typer.Option(parser=read_count, metavar="N", help="Rounds from one seed pair before the next.")] = 10**6,
    entropy: Entropy = None,
    json: Json = False,
) -> int:
    """Write the random stream as bytes, for statistical tests.

    It is that of very many rounds, or what is drawn from it. words are 32-bit words, 4 bytes each, big-endian: eight of each round. draws are the seven draws of a round, 2 bytes each, big-endian:
    the cut, and those of the positions; with --bound they are draws of one range, 4 bytes each. cards are six bytes a round, 0 to 51. The
    rounds are those of new seed pairs, and a real round takes the same words by the same functions.

    To standard output, without --rounds or --bytes, there is no end.
    """
    from ...laboratory import ENTROPY_BYTES, stream  # noqa: PLC0415 (loaded by nobody else here)

    if rounds is not None and size is not None:
        raise misused("Give --rounds or --bytes: one follows from the other.")
    key = operating_system_entropy(ENTROPY_BYTES) if entropy is None else entropy
    pieces = stream(form, key, rounds=rounds, decks=decks, pair_rounds=pair_rounds, bound=bound)
    if size is not None:
        pieces = _cut(pieces, size)
    if rounds is None and size is None and (out != STANDARD_OUTPUT or _is_file(sys.stdout)):
        raise misused("A file needs an end: give --rounds or --bytes.")
    if out == STANDARD_OUTPUT:
        return _write_out(pieces)
    told: dict[str, JsonValue] = {"out": out, **_write_file(out, pieces, size), "form": form, "entropy": key.hex()}
    if json:
        write_json(told)
    else:
        show_fields({name: str(value) for name, value in told.items()})
    return OK


def _cut(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """The first so many bytes."""
    for piece in pieces:
        yield piece[:size]
        size -= len(piece)
        if size <= 0:
            return


def _is_file(stream: IO[str]) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False


def _write_out(pieces: Iterator[bytes]) -> int:
    if OUT.is_terminal or sys.stdout.isatty():
        raise misused("Bytes are nothing for a terminal: send them to a file with --out FILE, or to a program with a pipe.")
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
    return OK


def _write_file(name: str, pieces: Iterator[bytes], size: int | None) -> "dict[str, JsonValue]":
    """Write a new file, whole or not at all; what to tell of it."""
    digest, written = sha256(), 0
    with whole_file(name) as made, progress_bar("writing bytes", size) as show_done:
        for piece in pieces:
            made.write(piece)
            digest.update(piece)
            written += len(piece)
            show_done(written)
    return {"bytes": written, "sha256": digest.hexdigest()}
