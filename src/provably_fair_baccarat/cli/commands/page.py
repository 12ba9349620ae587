"""`pfb page`: the verifier for bettors, as one HTML file."""

import sys
from hashlib import sha256
from typing import Annotated

import typer

from ...durable import whole_file
from ...web.page import read_page
from ..failures import OK, misused
from ..files import STANDARD_INPUT
from ..options import Json
from ..screen import OUT, printable, write_json

EXAMPLES = """\b
Examples:
  pfb page verifier.html
  pfb page --force verifier.html
  pfb page - > verifier.html
"""


def page(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The new file; - is standard output.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: Json = False,
) -> int:
    """Write the page with which anybody verifies in a browser.

    It is one file that works from a disk and without a network: open it, send it, or put it on any server. Shows its SHA-256, so that it
    can be compared.
    """
    content = read_page()
    digest = sha256(content).hexdigest()
    if file == STANDARD_INPUT:
        if json:
            raise misused("Standard output gets the page: name a FILE with --json.")
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return OK
    try:
        with whole_file(file, replaces=force) as stream:
            stream.write(content)
    except FileExistsError:
        raise misused(f"{file} is there already: --force replaces it.") from None
    if json:
        write_json({"file": file, "bytes": len(content), "sha256": digest})
    else:
        OUT.print(f"page     {printable(file)}\nsha256   {digest}", soft_wrap=True)
    return OK
