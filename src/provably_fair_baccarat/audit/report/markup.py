"""Pieces of HTML. Whatever comes from outside goes through `shown`, here and nowhere else."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_UNSEEN: Final = re.compile("[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Control characters, characters that turn the direction of text or cannot be seen, and halves of characters."""

MOST_CHARACTERS: Final = 500

MOST_ROWS: Final = 2000
"""A longer table is cut; the JSON has all of it."""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def shown(text: object) -> Html:
    """Anything as text that a page can show: escaped, with what cannot be seen spelled out, and cut to 500 characters."""
    if isinstance(text, Html):
        return text
    plain = str(text)
    if len(plain) > MOST_CHARACTERS:
        plain = f"{plain[:MOST_CHARACTERS]}... ({len(plain):,} characters)"
    return Html(escape(_UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", plain)))


class Column(NamedTuple):
    """A column of a table: its head, and how its cells are set: "text", "number" or "code"."""

    head: str
    kind: str = "text"


def table(label: str, columns: Sequence[Column], rows: Iterable[Sequence[object]]) -> Html:
    """A table that scrolls by itself where it is wider than the page; the first cell of a row is its head."""
    head = "".join(
        f'<th scope="col" class="{"number" if column.kind == "number" else "text"}">{shown(column.head)}</th>' for column in columns
    )
    body: list[str] = []
    for row in rows:
        first, *rest = row
        cells = [f'<th scope="row" class="{columns[0].kind}">{shown(first)}</th>']
        cells += [f'<td class="{column.kind}">{shown(cell)}</td>' for column, cell in zip(columns[1:], rest, strict=True)]
        body.append(f"<tr>{''.join(cells)}</tr>\n")
    return Html(
        f'<div class="wide" role="region" tabindex="0" aria-label="{shown(label)}"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{''.join(body)}</tbody>\n</table></div>\n"
    )


def section(name: str, title: str, *parts: str) -> Html:
    """A part of the page under its heading."""
    return Html(f'<section id="{name}">\n<h2>{shown(title)}</h2>\n{"".join(parts)}</section>\n')


def paragraph(text: object, kind: str = "") -> Html:
    """A paragraph."""
    return Html(f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{shown(text)}</p>\n")


def listed(items: Iterable[object]) -> Html:
    """A list."""
    return Html(f"<ul>{''.join(f'<li>{shown(item)}</li>' for item in items)}</ul>\n")


def described(pairs: Iterable[tuple[object, object]]) -> Html:
    """Names and what they stand for."""
    return Html(f"<dl>{''.join(f'<div><dt>{shown(name)}</dt><dd>{shown(value)}</dd></div>' for name, value in pairs)}</dl>\n")


def cut(count: int) -> Html:
    """What is said below a table that is cut, of so many rows; nothing below any other."""
    return paragraph(f"The first {MOST_ROWS:,} of {count:,}; report.json has all of them.", "quiet") if count > MOST_ROWS else Html()


def mark(text: str, kind: str) -> Html:
    """A word in the colour of what it says: "good", "doubt" or "bad"."""
    return Html(f'<span class="mark {kind}">{shown(text)}</span>')


def two_lines(first: object, second: object) -> Html:
    """A cell of two lines, the second one small; of one where there is no second."""
    return Html(f"{shown(first)}<small>{shown(second)}</small>" if second else shown(first))
