"""Bets: play, or accept now and deal later. Each has a key of the bettor's own, and happens once (protocol steps 3 to 7 and 9)."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from ...canonical import Json
from ...errors import (
    FundsError,
    GuardError,
    GuardFailedError,
    KeyConflictError,
    LimitError,
    MoneyError,
    NotFoundError,
    PairCapError,
    PairNonceError,
    PairStateError,
    SeedError,
    StakeError,
    UnknownBetError,
    VaultError,
    WalletGivenUpError,
    WalletRefusedError,
    WalletTimeoutError,
)
from ...fairness.inputs import MAX_NONCE
from ..answers import PRIVATE, answer
from ..bodies import read_body, read_key
from ..examples import BETS, EXAMPLES
from ..operations import BODY_PROBLEMS, KEY_PROBLEMS, OWN_PAIR, answers, takes, takes_key
from ..shapes import Bets, Record, SignedAcceptance
from ..telling import acceptance_json
from . import Desk

_BET_PROBLEMS = (
    *OWN_PAIR,
    *BODY_PROBLEMS,
    *KEY_PROBLEMS,
    KeyConflictError,
    FundsError,
    WalletRefusedError,
    LimitError,
    GuardError,
    GuardFailedError,
    PairStateError,
    PairCapError,
    PairNonceError,
    WalletGivenUpError,
    MoneyError,
    UnknownBetError,
    StakeError,
    WalletTimeoutError,
    VaultError,
)
_BETS: Mapping[str, Json] = {
    "two bets": {"bets": {name: str(stake) for name, stake in BETS.items()}},
    "only as nonce 14": {"bets": {"player": "100"}, "nonce": 14},
}


def add_bets(routes: APIRouter, desk: Desk) -> None:
    """Add the endpoints of bets."""
    teller, feed = desk.teller, desk.feed

    @routes.post(
        "/pairs/{pair}/rounds",
        operation_id="playRound",
        summary="Bet, deal and settle",
        status_code=201,
        response_class=Response,
        responses=answers(201, Record, EXAMPLES.record.to_dict(), _BET_PROBLEMS),
        openapi_extra=takes(Bets, _BETS) | takes_key(),
    )
    async def play_round(request: Request, pair: str, bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """Take a bet, deal the coup and settle it, all or nothing, on the disk before this answers. The answer is the record in canonical JSON."""
        key = read_key(request)
        body = await read_body(request, Bets)
        record = await teller.play(bettor, pair, _stakes(body), key, body.nonce)
        feed.announce(bettor)
        return answer(record.to_json(), 201, headers={**PRIVATE, "Location": f"{request.url.path}/{record.nonce}"})

    @routes.post(
        "/pairs/{pair}/acceptances",
        operation_id="acceptBet",
        summary="Bet, and deal nothing yet",
        status_code=201,
        response_class=Response,
        responses=answers(201, SignedAcceptance, EXAMPLES.acceptance, _BET_PROBLEMS),
        openapi_extra=takes(Bets, _BETS) | takes_key(),
    )
    async def accept_bet(request: Request, pair: str, bettor: Annotated[str, Depends(desk.current_bettor)]) -> Response:
        """Take a bet: spend its nonce and its stake. What is accepted will be dealt; whoever signs says so here."""
        key = read_key(request)
        body = await read_body(request, Bets)
        acceptance = await teller.accept(bettor, pair, _stakes(body), key, body.nonce)
        return answer(acceptance_json(acceptance), 201)

    @routes.post(
        "/pairs/{pair}/rounds/{nonce}/deal",
        operation_id="dealRound",
        summary="Deal what was accepted",
        response_class=Response,
        responses=answers(200, Record, EXAMPLES.record.to_dict(), (*OWN_PAIR, NotFoundError, SeedError, VaultError)),
    )
    async def deal_round(
        pair: str, nonce: Annotated[int, Path(ge=0, le=MAX_NONCE)], bettor: Annotated[str, Depends(desk.current_bettor)]
    ) -> Response:
        """Deal and settle an accepted bet. Dealing it again returns the same record."""
        record = await teller.deal(bettor, pair, nonce)
        feed.announce(bettor)
        return answer(record.to_json())


def _stakes(body: Bets) -> dict[str, int]:
    return {name: int(stake) for name, stake in body.bets.items()}
