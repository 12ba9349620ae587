"""Verification for everybody: stateless, from what the request brings. Of the house it knows the operator's own bets, and nothing else."""

from fastapi import APIRouter, Request, Response

from ...canonical import Json
from ...errors import BodyError, MoneyError, RecordError, SeedError, VerificationError
from ...fairness.chain import Chain
from ...records import RoundRecord
from ...rules.bets import Bet
from ...rules.pay_table import PayTable
from ...verify import VerifiedRound
from ...verify.known import Known
from ..answers import answer
from ..bodies import read_body
from ..examples import EXAMPLES
from ..operations import BODY_PROBLEMS, answers, takes
from ..shapes import Claim, Verdict
from ..teller import Teller
from ..telling import verdict_json

MAX_LINKS = 20_000
"""The highest nonce of a seed chain that is verified here: each costs a hash. The command line verifies any."""


def add_proofs(routes: APIRouter, teller: Teller) -> None:
    """Add the endpoint that verifies."""

    @routes.post(
        "/verify",
        operation_id="verifyRound",
        summary="Verify a round",
        response_class=Response,
        responses=answers(200, Verdict, EXAMPLES.verdict, (*BODY_PROBLEMS, RecordError, SeedError, MoneyError), is_personal=False),
        openapi_extra=takes(Claim, {"from its seeds": EXAMPLES.claim}),
    )
    async def verify(request: Request) -> Response:
        """Deal a round again from its seeds, and compare it with its record if there is one. What differs is in the answer, not in the status."""
        claim = await read_body(request, Claim)
        return answer(await teller.ask(_verdict, claim, teller.house.own_bets))


def _verdict(claim: Claim, own_bets: tuple[Bet, ...]) -> Json:
    try:
        return verdict_json(_verify(claim, own_bets))
    except VerificationError as error:
        return verdict_json(None, error)


def _verify(claim: Claim, own_bets: tuple[Bet, ...]) -> VerifiedRound:
    record = None if claim.record is None else RoundRecord.model_validate(claim.record)
    offer = None if claim.pay_table is None else PayTable.from_dict(claim.pay_table, own_bets)
    known = Known(
        server_seed=claim.server_seed,
        client_seed=claim.client_seed,
        commitment=claim.commitment,
        nonce=claim.nonce,
        index=claim.index,
        decks=claim.decks,
        scheme=claim.scheme,
        chain=None if claim.chain is None else Chain(claim.chain.anchor, claim.chain.length),
    )
    if record is None:
        needed = known.needed()
        if missing := [name for name, value in needed.items() if value is None]:
            raise BodyError("body", f"a record, or all of {', '.join(needed)}", f"no {', '.join(missing)}")
    _bound(known, record)
    return known.verify(record, pay_table=offer, own_bets=own_bets)


def _bound(known: Known, record: RoundRecord | None) -> None:
    """Raise BodyError where so many hashes would lead to a chain's anchor that others had to wait."""
    is_chain = known.chain is not None or (record is not None and record.chain is not None)
    nonce = record.nonce if known.nonce is None and record is not None else known.nonce
    if is_chain and nonce is not None and nonce > MAX_LINKS:
        raise BodyError("body, nonce", f"at most {MAX_LINKS} with a seed chain, since each costs a hash here", f"{nonce}")
