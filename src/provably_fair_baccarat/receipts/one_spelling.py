"""Reading canonical JSON (RFC 8785) fast: what is parsed is written again, and must be the same bytes.

That alone refuses white space, another order, a key twice and another escape; a number with a point or an exponent is refused as it is read.
Whoever reads still looks at every value.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from ..canonical import canonical_json

if TYPE_CHECKING:
    from ..errors import BaccaratError


def _refuse_fraction(digits: str) -> NoReturn:
    raise ValueError(digits)


_parse = json.JSONDecoder(parse_float=_refuse_fraction).decode


def read_canonical(data: bytes, subject: str, error: type[BaccaratError]) -> Any:
    """A JSON value from its canonical form. Raises `error` for other bytes."""
    try:
        value = _parse(data.decode())
        is_canonical = canonical_json(value) == data
    except (ValueError, RecursionError):
        raise error(subject, "RFC 8785 canonical JSON", "something else") from None
    if not is_canonical:
        raise error(subject, "RFC 8785 canonical JSON", "another spelling, or a key twice")
    return value
