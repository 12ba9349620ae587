"""Write the bettor's page from its source, which stands in the folder `source` of a checkout.

    python -m provably_fair_baccarat.web.page.writing

puts style and scripts into `page.html`, without the comments, the indentation and the white space that only people need: every paragraph
of the source becomes one line of the page, and every name stays. The tables and messages that the page has from the package are written
where the source says `/* written: NAME */`, and the hashes of it all into the page's policy. The page is committed as it was written: it
needs no building by whoever uses it, and this module only by whoever changes it, with the extra `test-all`.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

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

_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
_SCRIPT = re.compile(r'<script ([^>]*?) src="([^"]*)"></script>')
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
        code = _WRITTEN.sub(lambda place: written[place[1]], read(found[2]))
        return f"<script {found[1]}>{by_paragraph(code, shorten_script)}</script>"

    page = "".join(f"{line.strip()}\n" for line in read("page.html").splitlines())
    return with_policy(_SCRIPT.sub(script, _STYLE.sub(style, page)))


def by_paragraph(code: str, shorten: Callable[[str], str]) -> str:
    """Code with each of its paragraphs shortened to a line: no text, template or comment in it may go over a blank line.

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
    _, *rows = (line.split() for line in TABLEAU.splitlines())
    usual = {**{bet.name: {} for bet in MAIN_BETS}, **ALL_BETS.to_dict()["side_bets"]}  # type: ignore[dict-item]  # it is a mapping
    return {
        "tableau": ["".join(cells) for _, *cells in rows],
        "bets": {bet.name: {"payouts": list(bet.payouts), "usual": usual[bet.name]} for bet in (*MAIN_BETS, *SIDE_BETS)},
        "aliases": dict(ALIASES),
        "usual": {bet.name: str(getattr(ALL_BETS, f"{bet.name}_multiplier")) for bet in MAIN_BETS},
        "payTables": {name: table.digest for name, table in PAY_TABLES.items()},
        "sideBets": {name: list(table.side_bets) for name, table in PAY_TABLES.items() if table.side_bets},
    }


def _messages() -> dict[str, Json]:
    return {"errors": dict(error_meanings()), "slips": dict(slip_sentences()), "drawing": dict(drawings())}


def _members(members: Mapping[str, Json]) -> str:
    """The members of a JavaScript object, a paragraph for each of them."""
    return "\n\n".join(f"{name}: {_literal(value)}," for name, value in members.items())


def _literal(value: Json) -> str:
    """A JSON value as JavaScript that cannot end a script element."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def main() -> None:
    """Write the page anew where it stands."""
    Path(__file__).with_name(PAGE_NAME).write_text(write_page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
