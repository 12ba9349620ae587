"""Write the bettor's page from its source, which stands in the folder `source` of a checkout.

    python -m provably_fair_baccarat.web.page.writing

puts style and scripts into `page.html`, without the comments, the indentation and the white space that only people need: a paragraph of
the source becomes a line of the page, or a few, and every name stays. The tables and messages that the page has from the package are written
where the source says `/* written: NAME */`, and the hashes of it all into the page's policy. The page is committed as it was written: it
needs no building by whoever uses it, and this module only by whoever changes it, with the extra `test-all`.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...rules.bets import ALIASES, MAIN_BETS, SIDE_BETS
from ...rules.ready_tables import ALL_BETS, PAY_TABLES
from ...rules.tableau import TABLEAU
from . import PAGE_NAME
from .messages import drawings, error_meanings, slip_sentences
from .policy import with_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ...canonical import Json

SOURCE: Final = Path(__file__).with_name("source")
"""The folder of the page's source: `page.html`, and the style and scripts that it names."""

GUIDE: Final = Path(__file__).parents[4] / "docs/how-to/verify-in-the-browser.md"
"""The page of the docs that tells the digest; only a checkout has it."""

IN_PYTHON: Final = ("chain", "own_bet")
"""Slips whose sentences tell what to do in Python; the page has sentences of its own."""

_DIGEST = re.compile(r"(<!-- written: digest -->\n```text\n)[0-9a-f]*(\n```)")
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
_SCRIPT = re.compile(r'<script ([^>]*?) src="([^"]*)"></script>')
_STRICT: Final = '"use strict";'
"""How every script of the source begins: of those that make one script of the page, the first says it for all."""

_WRITTEN = re.compile(r"/\* written: (\w+) \*/")


def write_page(source: Path = SOURCE) -> str:
    """The page that the files of a folder make."""
    shorten_style, shorten_script = _shorteners()
    written = {"tables": f"{{{_members(_tables())}}}", "messages": _members(_messages())}

    def read(name: str) -> str:
        return (source / name).read_text(encoding="utf-8")

    def style(found: re.Match[str]) -> str:
        return f"<style>{by_paragraph(read(found[1]), shorten_style)}</style>"

    def script(found: re.Match[str]) -> str:
        codes = (_WRITTEN.sub(lambda place: written[place[1]], read(name)) for name in found[2].split())
        first, *others = (by_paragraph(code, shorten_script) for code in codes)
        told = "\n".join([first, *(other.removeprefix(_STRICT).lstrip() for other in others)])
        return f"<script {found[1]}>{told}</script>"

    page = "".join(f"{line.strip()}\n" for line in read("page.html").splitlines())
    return with_policy(_SCRIPT.sub(script, _STYLE.sub(style, page)))


def by_paragraph(code: str, shorten: Callable[[str], str]) -> str:
    """Code with each of its paragraphs shortened, and a line end between them: no text, template or comment may go over a blank line.

    rjsmin takes a regular expression right behind `=>` for a division, and a template inside of another one for code: the source has
    neither, and the tests hold the page against it token by token.
    """
    return "\n".join(filter(None, (shorten(paragraph) for paragraph in re.split(r"\n\s*\n", code))))


def _shorteners() -> tuple[Callable[[str], str], Callable[[str], str]]:
    """What takes comments and white space out of a style, and out of a script."""
    try:
        return import_module("rcssmin").cssmin, import_module("rjsmin").jsmin  # both are without types
    except ImportError as error:
        raise ImportError("Writing the page needs an extra: pip install 'provably-fair-baccarat[test-all]'") from error


def _tables() -> dict[str, Json]:
    """The tableau; what each bet pays unless told; other names of bets; the ready tables' digests, and the side bets of those without all."""
    _, *rows = (line.split() for line in TABLEAU.splitlines())
    table: dict[str, Any] = {**ALL_BETS.to_dict()}
    side_bets = {bet.name: {payout: table["side_bets"][bet.name][payout] for payout in bet.payouts} for bet in SIDE_BETS}
    main_bets = {bet.name: dict.fromkeys(bet.payouts, table[f"{bet.name}_multiplier"]) for bet in MAIN_BETS}
    return {
        "tableau": ["".join(cells) for _, *cells in rows],
        "bets": {**main_bets, **side_bets},
        "aliases": dict(ALIASES),
        "payTables": {name: table.digest for name, table in PAY_TABLES.items()},
        "sideBets": {name: list(table.side_bets) for name, table in PAY_TABLES.items() if len(table.side_bets) < len(SIDE_BETS)},
    }


def _messages() -> dict[str, Json]:
    """What errors mean, without the first word of most of their codes; the sentences of slips; what schemes say of their drawing.

    Of slips that are mended in Python the page says something else, and of schemes that draw in one way one speaks for all.
    """
    drawing = drawings()
    others = {name: said for name, said in drawing.items() if said != drawing["pfb1"]}
    return {
        "errors": {code.removeprefix("verification."): meaning for code, meaning in error_meanings().items()},
        "slips": {key: sentence for key, sentence in slip_sentences().items() if key not in IN_PYTHON},
        "drawing": {"pfb1": drawing["pfb1"], **others},
    }


def _members(members: Mapping[str, Json]) -> str:
    """The members of a JavaScript object, a paragraph for each of them."""
    return "\n\n".join(f"{name}: {_literal(value)}," for name, value in members.items())


def _literal(value: Json) -> str:
    """A JSON value as JavaScript that cannot end a script element, with quotes around the names that need them."""
    if isinstance(value, dict):
        return f"{{{','.join(f'{name if name.isidentifier() else _literal(name)}:{_literal(inner)}' for name, inner in value.items())}}}"
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def with_digest(guide: str, page: str) -> str:
    """The guide to the page, with the digest of this page where it tells one."""
    return _DIGEST.sub(lambda found: f"{found[1]}{sha256(page.encode()).hexdigest()}{found[2]}", guide)


def main() -> None:
    """Write the page anew where it stands, and its digest into the guide that tells it."""
    page = write_page()
    Path(__file__).with_name(PAGE_NAME).write_text(page, encoding="utf-8", newline="\n")
    if GUIDE.exists():
        GUIDE.write_text(with_digest(GUIDE.read_text(encoding="utf-8"), page), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
