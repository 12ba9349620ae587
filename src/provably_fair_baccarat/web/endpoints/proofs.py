"""Verification for everybody: stateless, from what the request brings. Of the house it knows the operator's own bets, and nothing else."""

from typing import TypeVar

from fastapi import APIRouter, Request, Response

from ...canonical import Json
from ...errors import BodyError, MoneyError, RecordError, SeedError, VerificationError
from ...fairness.chain import Chain
from ...fairness.inputs import MAX_DECKS
from ...fairness.schemes import scheme_named
from ...fairness.schemes.pfb1 import PFB1
from ...fairness.seed_pair import Seeds
from ...records import RoundRecord
from ...rules.bets import Bet
from ...rules.pay_table import PayTable
from ...verify import VerifiedRound, verify_record, verify_round
from ..answers import answer
from ..bodies import read_body
from ..examples import EXAMPLES
from ..operations import BODY_PROBLEMS, answers, takes
from ..shapes import Claim, Verdict
from ..teller import Teller
from ..telling import verdict_json

MAX_LINKS = 20_000
"""The highest nonce of a seed chain that is verified here: each costs a hash. The command line verifies any."""

_Kept = TypeVar("_Kept")
_Recorded = TypeVar("_Recorded")


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
    chain = None if claim.chain is None else Chain(claim.chain.anchor, claim.chain.length)
    if record is None:
        return _verify_seeds(claim, offer, chain)
    server_seed = _first(claim.server_seed, record.server_seed)
    if server_seed is None:
        return verify_record(record, pay_table=offer, own_bets=own_bets)  # which says that it isn't revealed
    chain = _first(chain, None if record.chain is None else record.chain.chain())
    nonce = _first(claim.nonce, record.nonce)
    _bound(chain, nonce)
    seeds = Seeds(
        server_seed,
        _first(claim.client_seed, record.client_seed),
        _first(claim.commitment, record.commitment),
        _first(claim.decks, record.decks) or MAX_DECKS,
        scheme=_first(claim.scheme, record.scheme),
        chain=chain,
    )
    return verify_round(seeds, nonce, index=_first(claim.index, record.index), record=record, pay_table=offer, own_bets=own_bets)


def _verify_seeds(claim: Claim, offer: PayTable | None, chain: Chain | None) -> VerifiedRound:
    scheme = scheme_named(_first(claim.scheme, PFB1.name))
    needed: dict[str, object] = {"server_seed": claim.server_seed, "client_seed": claim.client_seed}
    if scheme.needs_commitment:
        needed["commitment"] = claim.commitment
    if scheme.has_nonces:
        needed["nonce"] = claim.nonce
    if claim.server_seed is None or claim.client_seed is None or None in needed.values():
        missing = ", ".join(name for name, value in needed.items() if value is None)
        raise BodyError("body", f"a record, or all of {', '.join(needed)}", f"no {missing}")
    _bound(chain, claim.nonce)
    seeds = Seeds(claim.server_seed, claim.client_seed, claim.commitment, _first(claim.decks, MAX_DECKS), scheme=scheme.name, chain=chain)
    return verify_round(seeds, claim.nonce, index=claim.index, pay_table=offer)


def _bound(chain: Chain | None, nonce: int | None) -> None:
    if chain is not None and nonce is not None and nonce > MAX_LINKS:
        raise BodyError("body, nonce", f"at most {MAX_LINKS} with a seed chain, since each costs a hash here", f"{nonce}")


def _first(kept: _Kept | None, otherwise: _Recorded) -> _Kept | _Recorded:
    return otherwise if kept is None else kept
