"""Bodies of requests: bounded, JSON in one spelling, and nothing but what was asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import BaseModel, ValidationError

from ..canonical import MAX_BYTES, parse_json
from ..errors import BodyError, BodySizeError, BodyTypeError, KeyMissingError, Slip, describe, nearest
from ..fairness.hex_form import describe_secret
from .answers import JSON

if TYPE_CHECKING:
    from fastapi import Request
    from pydantic_core import ErrorDetails

_Shape = TypeVar("_Shape", bound=BaseModel)

KEY_HEADER: Final = "Idempotency-Key"


async def read_body(request: Request, shape: type[_Shape]) -> _Shape:
    """Read a body of at most 64 KiB into its shape. Raises BodyTypeError, BodySizeError, or BodyError, which never repeats a server seed."""
    given = request.headers.get("content-type", "none")
    if given.partition(";")[0].strip().lower() != JSON:
        raise BodyTypeError("content type of the body", JSON, describe(given))
    value = parse_json(await _read(request), subject="body", error=BodyError)
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        refusal = _refusal(error.errors(include_url=False)[0], shape)
    raise refusal  # out here, where it does not carry along the error above, which repeats the body


def read_key(request: Request) -> str:
    """The key that a bet is asked with. Raises KeyMissingError; what is no key is for the house to refuse."""
    key = request.headers.get(KEY_HEADER)
    if not key:
        raise KeyMissingError(
            "request", f"a header {KEY_HEADER} with a key of the bettor's own, so that asking again does nothing twice", "none"
        )
    return key


async def _read(request: Request) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_BYTES:
            raise BodySizeError("body", f"at most {MAX_BYTES:,} bytes", "more")
        parts.append(part)
    return b"".join(parts)


def _refusal(detail: ErrorDetails, shape: type[BaseModel]) -> BodyError:
    """One of pydantic's findings as an error of ours."""
    path = ".".join(str(step) for step in detail["loc"])
    subject = f"body, {path}" if path else "body"
    kind, given = detail["type"], detail["input"]
    if kind == "missing":
        return BodyError(subject, "this key", "no such key")
    if kind == "extra_forbidden":
        key = str(detail["loc"][-1])
        return BodyError("body", f"no keys but {', '.join(shape.model_fields)}", describe(key), nearest(key, shape.model_fields))
    expected = detail["msg"].removeprefix("Input should be ")
    found = describe_secret(given) if path.startswith("server_seed") else describe(given)
    return BodyError(subject, expected[:1].lower() + expected[1:], found, _slips_of_stake(given) if path.startswith("bets.") else ())


def _slips_of_stake(given: object) -> tuple[Slip, ...]:
    if type(given) is int:
        return (Slip("amount_as_number", 'Amounts are text: "500".'),)
    if isinstance(given, float) or (isinstance(given, str) and re.fullmatch(r"[0-9]+[.,][0-9]+", given, re.ASCII)):
        return (Slip("amount_decimals", 'Amounts are whole smallest units, as text: 5.00 dollars are "500".'),)
    return ()
