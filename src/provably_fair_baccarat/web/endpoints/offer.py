"""What the house offers, for everybody: its pay table, and the exact odds of every bet."""

from fastapi import APIRouter, Response

from ...canonical import canonical_json
from ...rules.odds import table_odds
from ..answers import PUBLIC, answer
from ..examples import EXAMPLES
from ..operations import answers
from ..shapes import Odds, Offer
from ..teller import Teller
from ..telling import odds_json, offer_json


def add_offer(routes: APIRouter, teller: Teller) -> None:
    """Add the endpoints of what the house offers."""
    counted: dict[tuple[str, int], bytes] = {}

    def count() -> bytes:
        house = teller.house
        offer = (house.pay_table.digest, house.decks)
        if offer not in counted:
            counted.clear()
            counted[offer] = canonical_json(odds_json(house.decks, house.pay_table, table_odds(house.pay_table, house.decks)))
        return counted[offer]

    @routes.get(
        "/offer",
        operation_id="getOffer",
        summary="What new pairs are committed with",
        response_class=Response,
        responses=answers(200, Offer, EXAMPLES.offer, (), is_personal=False),
    )
    async def get_offer() -> Response:
        """Pay table, decks, cap of coups, currency, and the limits of stakes."""
        return answer(offer_json(teller.house), headers=PUBLIC)

    @routes.get(
        "/odds",
        operation_id="getOdds",
        summary="The exact odds of every bet",
        response_class=Response,
        responses=answers(200, Odds, EXAMPLES.odds, (), is_personal=False),
    )
    async def get_odds() -> Response:
        """Counted over a fresh shoe, and never sampled. Each figure is an exact fraction, and the same to twelve decimals."""
        return answer(await teller.ask(count), headers=PUBLIC)
