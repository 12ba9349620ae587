"""What happened: history, single rounds, scoreboards, the balance, and the live feed."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Response

from ...errors import NotFoundError, RequestError, StreamLimitError, WalletElsewhereError, WalletTimeoutError, describe
from ...fairness.inputs import MAX_NONCE
from ..answers import answer
from ..examples import EXAMPLES
from ..feed import EVENT_STREAM, ROADS
from ..operations import OWN_PAIR, STORE_PROBLEMS, answers, problem_answers
from ..shapes import Balance, Roads, Rounds, SignedRound
from ..telling import balance_json, roads_json, rounds_json, signed_round_json
from . import Desk

PAGE = 200
"""The most rounds on a page."""

MAX_ID = 2**63 - 1

TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$"
"""A time in UTC, as answers have it."""

After = Annotated[int | None, Query(ge=1, le=MAX_ID, description="`next` of the page before.")]
Limit = Annotated[int, Query(ge=1, le=PAGE)]
Order = Annotated[Literal["latest", "oldest"], Query(description="Which rounds come first.")]
Coups = Annotated[int, Query(ge=1, le=1000, description="How many of the latest coups to show.")]


def add_past(routes: APIRouter, desk: Desk) -> None:
    """Add the endpoints of what happened."""
    teller = desk.teller

    @routes.get(
        "/rounds",
        operation_id="listRounds",
        summary="The bettor's rounds",
        response_class=Response,
        responses=answers(200, Rounds, EXAMPLES.rounds, (RequestError, *STORE_PROBLEMS)),
    )
    async def list_rounds(
        *,
        bettor: Annotated[str, Depends(desk.current_bettor)],
        after: After = None,
        limit: Limit = 50,
        order: Order = "latest",
        since: Annotated[str | None, Query(pattern=TIME, description="Only rounds accepted from then on.")] = None,
        until: Annotated[str | None, Query(pattern=TIME, description="Only rounds accepted before then.")] = None,
    ) -> Response:
        """A page of the bettor's rounds under all pairs."""
        page = await teller.history(
            bettor=bettor,
            since=_read_time(since, "since"),
            until=_read_time(until, "until"),
            after=after,
            limit=limit,
            is_latest_first=order == "latest",
        )
        return answer(rounds_json(page))

    @routes.get(
        "/pairs/{pair}/rounds",
        operation_id="listPairRounds",
        summary="The rounds of a pair",
        response_class=Response,
        responses=answers(200, Rounds, EXAMPLES.rounds, OWN_PAIR),
    )
    async def list_pair_rounds(
        pair: str,
        bettor: Annotated[str, Depends(desk.current_bettor)],
        after: After = None,
        limit: Limit = 50,
        order: Order = "oldest",
    ) -> Response:
        """A page of a pair's rounds, in the order of their nonces unless told."""
        owned = await teller.pair(bettor, pair)
        page = await teller.history(pair=owned, after=after, limit=limit, is_latest_first=order == "latest")
        return answer(rounds_json(page))

    @routes.get(
        "/pairs/{pair}/rounds/{nonce}",
        operation_id="getRound",
        summary="One round",
        response_class=Response,
        responses=answers(200, SignedRound, EXAMPLES.round, (*OWN_PAIR, NotFoundError)),
    )
    async def get_round(
        pair: str, nonce: Annotated[int, Path(ge=0, le=MAX_NONCE)], bettor: Annotated[str, Depends(desk.current_bettor)]
    ) -> Response:
        """The round of a nonce; its record has the server seed once that is revealed. A house that signs hands out the receipt here."""
        kept = await teller.round(bettor, pair, nonce)
        return answer(signed_round_json(kept, await teller.latest_said(pair, nonce)))

    @routes.get(
        "/roads",
        operation_id="getRoads",
        summary="The scoreboards",
        response_class=Response,
        responses=answers(200, Roads, EXAMPLES.roads, OWN_PAIR),
    )
    async def get_roads(
        bettor: Annotated[str, Depends(desk.current_bettor)],
        pair: Annotated[str | None, Query(description="The pair, or else that of the latest round.")] = None,
        coups: Coups = ROADS,
    ) -> Response:
        """Bead plate, big road and derived roads of the latest coups under one pair."""
        if pair is None:
            latest = (await teller.history(bettor=bettor, limit=1, is_latest_first=True)).rounds
            if not latest:
                return answer(roads_json(None, ()))
            pair = latest[0].acceptance.pair
        owned = await teller.pair(bettor, pair)
        page = await teller.history(pair=owned, limit=coups, is_latest_first=True)
        return answer(roads_json(owned.id, page.rounds))

    @routes.get(
        "/balance",
        operation_id="getBalance",
        summary="What the bettor has",
        response_class=Response,
        responses=answers(200, Balance, EXAMPLES.balance, (RequestError, WalletElsewhereError, WalletTimeoutError, *STORE_PROBLEMS)),
    )
    async def get_balance(bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """The balance, in smallest currency units; 404 where only a wallet knows it that doesn't tell, 503 where it gives no answer now."""
        return answer(balance_json(await teller.ask(teller.house.balance, bettor), teller.house.currency))

    @routes.get(
        "/events",
        operation_id="followRounds",
        summary="The bettor's rounds as they happen",
        response_class=Response,
        responses={
            200: {
                "description": "Server-sent events: `round` with a round as history shows it, then `roads` with the scoreboards of its pair.",
                "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
            },
            401: {"description": "Nobody is logged in. The backend that mounts the router says so in its own way."},
            **problem_answers((RequestError, StreamLimitError, *STORE_PROBLEMS)),
        },
    )
    async def follow_rounds(
        bettor: Annotated[str, Depends(desk.current_bettor)],
        last_event_id: Annotated[int | None, Header(ge=0, le=MAX_ID)] = None,
        after: Annotated[
            int | None, Query(ge=0, le=MAX_ID, description="The id of the last round that is known, for a first connection.")
        ] = None,
    ) -> Response:
        """Follow from a round's id on, or from now. Who connects again with the last event's id misses nothing."""
        return desk.feed.follow(teller, bettor, after if last_event_id is None else last_event_id)


def _read_time(text: str | None, name: str) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise RequestError(f"query, {name}", "a time in UTC like 2026-11-29T12:00:00.25Z", describe(text)) from None
