"""Answers as bytes: canonical JSON with headers that keep it out of caches, frames and guesses about its type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fastapi import Response

from ..canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..canonical import Json

GUARDED: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""What every answer carries."""

PRIVATE: Final[Mapping[str, str]] = {"Cache-Control": "no-store", **GUARDED}
"""What an answer for one bettor carries."""

PUBLIC: Final[Mapping[str, str]] = {"Cache-Control": "public, max-age=60", **GUARDED}
"""What an answer carries that is the same for everybody."""

JSON: Final = "application/json"


def answer(value: Json | bytes, status: int = 200, *, headers: Mapping[str, str] = PRIVATE) -> Response:
    """An answer of a JSON value, or of bytes that are canonical JSON already."""
    return Response(value if isinstance(value, bytes) else canonical_json(value), status, headers, JSON)
