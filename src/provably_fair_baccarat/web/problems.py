"""Errors as problem details (RFC 9457): a status, and the library's own code, subject, expected, found and slips.

What went wrong on the operator's side is told by its code alone; its text goes to the log. Neither ever has a server seed in it.
"""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from http import HTTPStatus
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, cast

from fastapi import Request, Response
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.routing import APIRoute

from .. import errors
from ..canonical import canonical_json
from ..errors import BaccaratError, RequestError, describe
from .answers import PRIVATE
from .telling import slips_json

if TYPE_CHECKING:
    from ..canonical import Json

PROBLEM: Final = "application/problem+json"

INTERNAL: Final = "internal"
"""The code of a problem that no error of this package stands for."""

STATUSES: Final[Mapping[type[BaccaratError], int]] = {
    errors.KeyMissingError: 400,
    errors.FundsError: 402,
    errors.WalletRefusedError: 402,
    errors.LimitError: 403,
    errors.GuardError: 403,
    errors.GuardFailedError: 503,
    errors.PairError: 404,
    errors.NotFoundError: 404,
    errors.WalletElsewhereError: 404,
    errors.KeyInFlightError: 409,
    errors.PairStateError: 409,
    errors.PairCapError: 409,
    errors.PairNonceError: 409,
    errors.WalletGivenUpError: 409,
    errors.BodySizeError: 413,
    errors.BodyTypeError: 415,
    errors.BodyError: 422,
    errors.KeyConflictError: 422,
    errors.RequestError: 422,
    errors.MoneyError: 422,
    errors.SeedError: 422,
    errors.RecordError: 422,
    errors.StreamLimitError: 429,
    errors.SecretError: 500,
    errors.StoreError: 503,
    errors.SchemaError: 500,
    errors.WalletTimeoutError: 503,
}
"""The status of each error, and of each that is a kind of it and has none of its own; 500 for all others."""

_RETRY_AFTER: Final = {409: "1", 429: "5", 503: "1"}

_LOG: Final = logging.getLogger("provably_fair_baccarat.web")


def status_of(error: BaccaratError) -> int:
    """The status that an error is answered with."""
    return next((STATUSES[cls] for cls in type(error).__mro__ if cls in STATUSES), 500)


def problem_json(error: BaccaratError | None, types: str | None = None) -> dict[str, Json]:
    """An error as problem details; every key is always there. None is an error that is not this package's.

    `types` is what a problem's `type` begins with, before its code; without, the type is `about:blank`.
    """
    status = 500 if error is None else status_of(error)
    code = INTERNAL if error is None else error.code
    told = error if error is not None and status < 500 else None
    hint = _hint_of_503(error) if status == 503 else None
    return {
        "type": "about:blank" if types is None else f"{types}{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": (hint or "The house could not do this.") if told is None else str(told),
        "code": code,
        "subject": None if told is None else told.subject,
        "expected": None if told is None else told.expected,
        "found": None if told is None else told.found,
        "hint": hint if told is None else told.hint,
        "slips": [] if told is None else slips_json(told),
    }


def problem(error: BaccaratError | None, types: str | None = None) -> Response:
    """The answer that an error gets."""
    told = problem_json(error, types)
    status = cast("int", told["status"])
    is_over = isinstance(error, (errors.PairError, errors.WalletGivenUpError))
    retry = {"Retry-After": _RETRY_AFTER[status]} if status in _RETRY_AFTER and not is_over else {}
    return Response(canonical_json(told), status, {**PRIVATE, **retry}, PROBLEM)


def _hint_of_503(error: BaccaratError | None) -> str:
    """What a bettor does about it; a debit that got no answer is given up, and so is its key."""
    given_up = error.hint if isinstance(error, errors.WalletTimeoutError) else None
    return given_up or "Ask again, a bet with the same key: nothing is done twice."


def log_fault(fault: Exception) -> None:
    """Keep what a bettor isn't told: of this package's errors the text, of others only what and where, since anything may be in theirs."""
    if isinstance(fault, BaccaratError):
        _LOG.error("%s: %s", fault.code, fault)
        return
    places = [f"{PurePath(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(fault.__traceback__)]
    _LOG.error("%s at %s", type(fault).__name__, " > ".join(places))


def problem_route(types: str | None) -> type[APIRoute]:
    """The class of routes whose errors are answered as problems. What the backend's own dependencies raise is the backend's."""

    class ProblemRoute(APIRoute):
        def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
            super().__init__(path, _answering(endpoint, types), **options)

        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handle = super().get_route_handler()

            async def refuse_parameters(request: Request) -> Response:
                try:
                    return await handle(request)
                except RequestValidationError as error:
                    return problem(_refusal(error), types)

            return refuse_parameters

    return ProblemRoute


_Endpoint = Callable[..., Coroutine[Any, Any, Response]]


def _answering(endpoint: _Endpoint, types: str | None) -> _Endpoint:
    """An endpoint that answers errors instead of raising them; one that does so already stays as it is."""
    if getattr(endpoint, "answers_errors", False):
        return endpoint

    @wraps(endpoint)
    async def answering(*given: Any, **named: Any) -> Response:
        try:
            return await endpoint(*given, **named)
        except BaccaratError as error:
            if status_of(error) >= 500:
                log_fault(error)
            return problem(error, types)
        except HTTPException:
            raise
        except Exception as fault:  # noqa: BLE001 (whatever it is, a bettor learns no more than that it happened)
            log_fault(fault)
            return problem(None, types)

    answering.__signature__ = inspect.signature(endpoint)  # type: ignore[attr-defined]  # FastAPI reads it
    answering.answers_errors = True  # type: ignore[attr-defined]
    return answering


def _refusal(error: RequestValidationError) -> RequestError:
    """The first thing that is wrong about a request's path, query or headers."""
    detail = error.errors()[0]
    place = ", ".join(str(step) for step in detail["loc"])
    expected = str(detail["msg"]).removeprefix("Input should be ")
    return RequestError(place, expected[:1].lower() + expected[1:], describe(detail.get("input")))
