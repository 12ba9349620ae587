"""How an endpoint stands in OpenAPI: what it takes and answers, with an example of each, and the problems that it may answer instead.

FastAPI leaves null members out when it writes OpenAPI, examples too: what is to be sent as it is shown has none.
"""

from __future__ import annotations

from collections import defaultdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from ..errors import (
    BodyError,
    BodySizeError,
    BodyTypeError,
    KeyInFlightError,
    KeyMissingError,
    PairError,
    RequestError,
    StoreError,
    WalletTimeoutError,
)
from ..house.refusals import NEW_KEY
from .answers import JSON
from .bodies import KEY_HEADER
from .examples import KEY
from .problems import PROBLEM, problem_json, status_of
from .shapes import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import BaseModel

    from ..canonical import Json
    from ..errors import BaccaratError

BODY_PROBLEMS: Final = (BodyError, BodySizeError, BodyTypeError)
"""What may be wrong about any body."""

KEY_PROBLEMS: Final = (KeyMissingError, KeyInFlightError)
"""What may be wrong about any key."""

STORE_PROBLEMS: Final = (StoreError,)
"""What may go wrong wherever the database is asked."""

OWN_PAIR: Final = (PairError, RequestError, *STORE_PROBLEMS)
"""What may go wrong wherever a pair of the bettor's own is asked for."""


def answers(
    status: int, shape: type[BaseModel], example: Json, problems: Iterable[type[BaccaratError]], *, is_personal: bool = True
) -> dict[int | str, dict[str, Any]]:
    """The answers of an endpoint: the one that it is for, and its problems by their status."""
    told: dict[int | str, dict[str, Any]] = {
        status: {"model": shape, "description": (shape.__doc__ or "").partition("\n")[0], "content": {JSON: {"example": example}}}
    }
    if is_personal:
        told[401] = {"description": "Nobody is logged in. The backend that mounts the router says so in its own way."}
    return told | problem_answers(problems)


def problem_answers(problems: Iterable[type[BaccaratError]]) -> dict[int | str, dict[str, Any]]:
    """Problems by their status, with an example for each code."""
    by_status: defaultdict[int, list[BaccaratError]] = defaultdict(list)
    asked = tuple(problems)
    for error in asked:
        example = _example(error, is_bet=KeyMissingError in asked)
        by_status[status_of(example)].append(example)
    by_status[500] = by_status.get(500, [])
    return {status: _problem_answer(status, by_status[status]) for status in sorted(by_status)}


def takes(shape: type[BaseModel], examples: Mapping[str, Json]) -> dict[str, Any]:
    """The body of an endpoint that reads it itself."""
    told = {name: {"value": value} for name, value in examples.items()}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": _inlined(shape), "examples": told}}}}


def takes_key() -> dict[str, Any]:
    """The header with the key of a bet."""
    description = "The bettor's own name for this request, 1 to 128 characters. Asked again with it, the answer is the same."
    schema = {"type": "string", "minLength": 1, "maxLength": 128}
    return {
        "parameters": [{"name": KEY_HEADER, "in": "header", "required": True, "description": description, "schema": schema, "example": KEY}]
    }


def _problem_answer(status: int, problems: list[BaccaratError]) -> dict[str, Any]:
    examples = {error.code: {"value": problem_json(error)} for error in problems}
    if not problems:
        examples = {"internal": {"value": problem_json(None)}}
    described = ", ".join(examples)
    return {
        "description": f"{HTTPStatus(status).phrase}: {described}",
        "content": {PROBLEM: {"schema": _inlined(Problem), "examples": examples}},
    }


def _example(error: type[BaccaratError], *, is_bet: bool) -> BaccaratError:
    """An error as OpenAPI shows it. A wallet that gave no answer is asked for a bet again with a new key, and for anything else as before."""
    subject, expected, found = (error.__doc__ or "").partition("\n")[0].rstrip("."), "something else", "this"
    return error(subject, expected, found, (NEW_KEY,) if is_bet and error is WalletTimeoutError else ())


def _inlined(shape: type[BaseModel]) -> dict[str, Any]:
    schema = shape.model_json_schema()
    inlined: dict[str, Any] = _inline(schema, schema)
    return inlined


def _inline(part: Any, whole: Mapping[str, Any]) -> Any:
    """A schema without references, for the places where FastAPI takes none of our models."""
    match part:
        case {"$ref": str(place)}:
            return _inline(whole["$defs"][place.rpartition("/")[2]], whole)
        case {**members}:
            return {key: _inline(value, whole) for key, value in members.items() if key != "$defs"}
        case [*items]:
            return [_inline(each, whole) for each in items]
        case _:
            return part
