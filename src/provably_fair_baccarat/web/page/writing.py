"""Write the tables and messages of the package into the bettor's page, and the hashes of its scripts and style into its policy.

    python -m provably_fair_baccarat.web.page.writing

rewrites the page in place. Only what stands between `/* written: NAME */` and `/* end of written: NAME */`, and the content of the policy,
changes; everything else in the page is its own. Who edits the page runs this afterwards: a browser runs no script whose hash is wrong.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...rules.bets import ALIASES, MAIN_BETS, SIDE_BETS
from ...rules.ready_tables import ALL_BETS, PAY_TABLES
from ...rules.tableau import TABLEAU
from . import PAGE_NAME
from .messages import drawings, error_meanings, slip_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...canonical import Json

_POLICY: Final = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types worker"
)
_META = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")[^"]*(")')


def write_page(text: str) -> str:
    """The page with its tables, messages and policy written anew. What is written already stays as it is."""
    for name, code in (("tables", _object(_tables())), ("messages", _members(_messages()))):
        begin, end = f"/* written: {name} */", f"/* end of written: {name} */"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}{code}{end}{after}"
    return _META.sub(lambda found: f"{found[1]}{policy_of(text)}{found[2]}", text)


def policy_of(text: str) -> str:
    """The Content-Security-Policy under which this page's own scripts and style run, and nothing else."""
    scripts, styles = (
        " ".join(f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in _inner(text, tag))
        for tag in ("script", "style")
    )
    return _POLICY.format(scripts=scripts, styles=styles)


def _inner(text: str, tag: str) -> list[str]:
    """What stands in each element of that name, as a browser hashes it."""
    return re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", text, re.DOTALL)


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


def _messages() -> dict[str, dict[str, str]]:
    return {"errors": error_meanings(), "slips": slip_sentences(), "drawing": drawings()}


def _object(members: Mapping[str, Json]) -> str:
    """A JavaScript object, a line for each entry of its members."""
    return f" {{{_members(members, 2)}}} "


def _members(members: Mapping[str, Json], indent: int = 2) -> str:
    lines = ["\n"]
    for name, value in members.items():
        if isinstance(value, dict):
            lines.append(f"{' ' * indent}{name}: {{\n")
            lines += [f"{' ' * (indent + 2)}{_literal(key)}: {_literal(inner)},\n" for key, inner in value.items()]
            lines.append(f"{' ' * indent}}},\n")
        else:
            lines.append(f"{' ' * indent}{name}: {_literal(value)},\n")
    return "".join([*lines, " " * indent])


def _literal(value: Json) -> str:
    """A JSON value as JavaScript that cannot end a script element."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def main() -> None:
    """Rewrite the page where it stands."""
    path = Path(__file__).with_name(PAGE_NAME)
    path.write_text(write_page(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
