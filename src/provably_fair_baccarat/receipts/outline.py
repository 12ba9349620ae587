"""Canonical JSON with gaps: what many statements have in common, once, and around what differs from one to the next.

Bytes that are read by an outline are its own, value by value, and no others: so they are canonical where their values are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..canonical import Json

_GAP: Final = re.compile(r'"\\u0000([a-z_]+)"')


def gap(name: str) -> str:
    """What stands in an outline's value for what differs. No text of a statement has a control character, so none looks like it."""
    return f"\0{name}"


class Outline:
    """The canonical JSON of a value, with its gaps."""

    __slots__ = ("_form", "_names", "_pieces")

    def __init__(self, value: Json) -> None:
        text = canonical_json(value).decode()
        self._form = _GAP.sub(r"%(\1)s", text.replace("%", "%%"))
        self._names = _GAP.findall(text)
        self._pieces = [piece.encode() for piece in _GAP.split(text)[::2]]

    def fill(self, values: Mapping[str, object]) -> bytes:
        """The JSON with every gap filled by the text of its value, which is canonical JSON itself."""
        return (self._form % values).encode()

    def read(self, data: bytes) -> dict[str, bytes] | None:
        """What fills the gaps in bytes that have this outline, and None for others. Whoever reads looks at every value.

        Where the outline's own bytes stand in a value too, the first of them count.
        """
        first, *pieces = self._pieces
        if not data.startswith(first):
            return None
        values: dict[str, bytes] = {}
        rest = data[len(first) :]
        for name, piece in zip(self._names, pieces, strict=True):
            values[name], found, rest = rest.partition(piece)
            if not found:
                return None
        return None if rest else values
