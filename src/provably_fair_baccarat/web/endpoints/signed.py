"""What is signed for a bettor: statements as they are kept, and one file that proves a whole history."""

import threading
from collections.abc import AsyncGenerator, Iterator
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ...errors import LogStoreError, RequestError, StreamLimitError
from ...fairness.inputs import MAX_NONCE
from ...receipts.log import TileLog
from ..answers import PRIVATE, answer
from ..examples import EXAMPLES
from ..operations import OWN_PAIR, STORE_PROBLEMS, answers, problem_answers
from ..shapes import Statements
from ..teller import Teller
from ..telling import statements_json
from . import Desk
from .published import Keys, Log, present_keys, present_log

PAGE = 200
"""Of how many coups a page has the statements at most."""

JSON_LINES = "application/jsonl"

LINES = 64
"""How many lines of a history file are sent at once."""

FILES = 4
"""How many history files are made or sent at once; each holds a thread while it is made."""


def add_statements(routes: APIRouter, desk: Desk) -> None:
    """Add the endpoint of a pair's statements."""
    teller = desk.teller

    @routes.get(
        "/pairs/{pair}/statements",
        operation_id="listStatements",
        summary="What is signed about a pair",
        response_class=Response,
        responses=answers(200, Statements, EXAMPLES.statements, OWN_PAIR),
    )
    async def list_statements(
        pair: str,
        bettor: Annotated[str, Depends(desk.current_bettor)],
        after: Annotated[int | None, Query(ge=0, le=MAX_NONCE, description="`next` of the page before.")] = None,
        limit: Annotated[int, Query(ge=1, le=PAGE, description="Of how many coups.")] = 50,
    ) -> Response:
        """Opening and closing, then acceptance and receipt of each nonce, as they were signed. Empty where the house does not sign."""
        owned = await teller.pair(bettor, pair)
        page = await teller.ask(teller.house.statement_page, owned, after=after, limit=limit)
        return answer(statements_json(page))


def add_history_file(routes: APIRouter, desk: Desk, keys: Keys, log: Log | None) -> None:
    """Add the endpoint of the history file, with the proofs of a log if there is one."""
    teller, counter = desk.teller, _Counter()

    @routes.get(
        "/history-file",
        operation_id="getHistoryFile",
        summary="The bettor's whole history, proved",
        response_class=Response,
        responses={
            200: {
                "description": "JSON lines: keys, statements, reveals and proofs, to be verified without the house.",
                "content": {JSON_LINES: {"schema": {"type": "string"}}},
            },
            401: {"description": "Nobody is logged in. The backend that mounts the router says so in its own way."},
            **problem_answers((RequestError, StreamLimitError, LogStoreError, *STORE_PROBLEMS)),
        },
    )
    async def get_history_file(bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """Everything that is signed about the bettor's pairs in the house's currency, in one file."""
        counter.enter(bettor)
        try:
            first, rest = await teller.ask(_begin, teller, bettor, keys, log)
        except BaseException:
            counter.leave(bettor)
            raise
        return _File(_chunks(teller, first, rest), counter, bettor)


def _begin(teller: Teller, bettor: str, keys: Keys, log: Log | None) -> tuple[bytes, Iterator[bytes]]:
    """The first line of a history file, which is known when all others are, and the others."""
    opened = None if log is None else present_log(log)
    grown = None if opened is None else TileLog(opened.folder, opened.key, opened.witnesses)  # since it was opened
    witnesses = () if opened is None else opened.witnesses
    lines = teller.house.prove(bettor, log=grown, keys=present_keys(keys), witnesses=witnesses)
    return next(lines), lines


async def _chunks(teller: Teller, first: bytes, rest: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
    chunk = first
    while chunk:
        yield chunk
        chunk = await teller.ask(lambda: b"".join(islice(rest, LINES)))


class _Counter:
    """Counts the files that are made or sent: one for a bettor, and so many in all."""

    def __init__(self) -> None:
        self._bettors: set[str] = set()
        self._gate = threading.Lock()

    def enter(self, bettor: str) -> None:
        """Begin a bettor's file. Raises StreamLimitError."""
        with self._gate:
            if bettor in self._bettors:
                raise StreamLimitError("history files of a bettor", "one at once", "one more")
            if len(self._bettors) >= FILES:
                raise StreamLimitError("history files", f"at most {FILES} at once", "one more")
            self._bettors.add(bettor)

    def leave(self, bettor: str) -> None:
        """End it, however it ended."""
        with self._gate:
            self._bettors.discard(bettor)


class _File(StreamingResponse):
    """A history file on its way; its place is free again when it ends, however it ends."""

    def __init__(self, chunks: AsyncGenerator[bytes, None], counter: _Counter, bettor: str) -> None:
        headers = {**PRIVATE, "Content-Disposition": 'attachment; filename="history.jsonl"'}
        super().__init__(chunks, headers=headers, media_type=JSON_LINES)
        self._counter = counter
        self._bettor = bettor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._counter.leave(self._bettor)
