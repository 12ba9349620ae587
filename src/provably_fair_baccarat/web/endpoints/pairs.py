"""Seed pairs: commit, choose, close, rotate and reveal (protocol steps 2 and 9)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from ...errors import PairStateError, RequestError, SeedError, VaultError
from ..answers import PRIVATE, answer
from ..bodies import read_body
from ..examples import EXAMPLES
from ..operations import BODY_PROBLEMS, OWN_PAIR, STORE_PROBLEMS, answers, takes
from ..shapes import ChosenSeed, Pair, Pairs, Rotation, SignedPair
from ..telling import pair_json, rotation_json, signed_pair_json
from . import Desk

PAGE = 100
"""The most pairs on a page."""


def add_pairs(routes: APIRouter, desk: Desk) -> None:
    """Add the endpoints of seed pairs."""
    teller = desk.teller

    @routes.post(
        "/pairs",
        operation_id="openPair",
        summary="Show a commitment",
        status_code=201,
        response_class=Response,
        responses=answers(201, SignedPair, EXAMPLES.pair, (RequestError, *STORE_PROBLEMS))
        | {200: {"model": SignedPair, "description": "The pair that waits for a client seed already."}},
    )
    async def open_pair(request: Request, bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """Commit to a server seed. While a pair waits for its client seed under the present offer, that one is shown again."""
        pair, is_new = await teller.open_pair(bettor)
        place = f"{request.url.path}/{pair.id}"
        told = signed_pair_json(pair, await teller.opening(pair))
        return answer(told, 201 if is_new else 200, headers={**PRIVATE, "Location": place})

    @routes.get(
        "/pairs",
        operation_id="listPairs",
        summary="The bettor's pairs, the latest first",
        response_class=Response,
        responses=answers(200, Pairs, {"pairs": [EXAMPLES.chosen], "next": None}, OWN_PAIR),
    )
    async def list_pairs(
        bettor: Annotated[str, Depends(desk.current_bettor)],
        after: Annotated[str | None, Query(description="`next` of the page before.")] = None,
        limit: Annotated[int, Query(ge=1, le=PAGE)] = 20,
    ) -> Response:
        """A page of pairs."""
        pairs = (await teller.ask(teller.house.pairs, bettor))[::-1]
        if after is not None:
            place = pairs.index(await teller.pair(bettor, after))
            pairs = pairs[place + 1 :]
        following = pairs[limit - 1].id if len(pairs) > limit else None
        return answer({"pairs": [pair_json(pair) for pair in pairs[:limit]], "next": following})

    @routes.get(
        "/pairs/{pair}",
        operation_id="getPair",
        summary="A pair as it is now",
        response_class=Response,
        responses=answers(200, SignedPair, EXAMPLES.active, OWN_PAIR),
    )
    async def get_pair(pair: str, bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """A pair of the bettor's own. One of somebody else's is not there."""
        owned = await teller.pair(bettor, pair)
        return answer(signed_pair_json(owned, await teller.opening(owned)))

    @routes.put(
        "/pairs/{pair}/client-seed",
        operation_id="chooseClientSeed",
        summary="Choose the client seed",
        response_class=Response,
        responses=answers(200, Pair, EXAMPLES.chosen, (*OWN_PAIR, *BODY_PROBLEMS, PairStateError, SeedError)),
        openapi_extra=takes(ChosenSeed, {"the bettor's own": {"client_seed": "lucky 8s"}}),
    )
    async def choose_client_seed(request: Request, pair: str, bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """Fix the client seed, once; from then on bets are taken. The same seed again changes nothing."""
        body = await read_body(request, ChosenSeed)
        return answer(pair_json(await teller.choose(bettor, pair, body.client_seed)))

    @routes.post(
        "/pairs/{pair}/close",
        operation_id="closePair",
        summary="Take no more bets",
        response_class=Response,
        responses=answers(200, Pair, EXAMPLES.closing, OWN_PAIR),
    )
    async def close_pair(pair: str, bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """Close a pair; what is accepted stays to be dealt. Closing it again changes nothing."""
        owned = await teller.pair(bettor, pair)
        return answer(pair_json(await teller.ask(teller.house.close_pair, owned)))

    @routes.post(
        "/pairs/{pair}/rotation",
        operation_id="rotatePair",
        summary="Reveal the server seed, and commit to the next",
        response_class=Response,
        responses=answers(200, Rotation, EXAMPLES.rotation, (*OWN_PAIR, PairStateError, VaultError)),
    )
    async def rotate_pair(pair: str, bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """Close a pair, deal what it has accepted, reveal its server seed, and commit to the next one. Asked again, the answer is the same."""
        owned = await teller.pair(bettor, pair)
        rotation = await teller.ask(teller.house.rotate, owned)
        desk.feed.announce(bettor)
        return answer(rotation_json(rotation, await teller.opening(rotation.next_pair)))
