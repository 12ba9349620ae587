"""The shapes of what is asked: bodies are read by them."""

from typing import Annotated, Any

from pydantic import Field

from ...fairness.inputs import MAX_DECKS
from .pairs import ChainClaim
from .texts import Name, Nonce, Shape, Stake


class Bets(Shape):
    """Bets on the next coup."""

    bets: Annotated[dict[Name, Stake], Field(min_length=1, max_length=64, description="Stakes by the names of bets.")]
    nonce: Annotated[Nonce | None, Field(description="Refuse the bet unless this nonce comes next.")] = None


class ChosenSeed(Shape):
    """The bettor's client seed; null lets the operator make one, which is recorded as the operator's."""

    client_seed: Annotated[str, Field(min_length=1, max_length=128)] | None


class Claim(Shape):
    """A round to verify: from its seeds, from its record, or both. What is left out is taken from the record."""

    server_seed: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    client_seed: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    commitment: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    nonce: Nonce | None = None
    index: Annotated[int, Field(ge=0, le=52 * MAX_DECKS)] | None = None
    decks: Annotated[int, Field(ge=1, le=MAX_DECKS)] | None = None
    scheme: Annotated[str, Field(min_length=1, max_length=32)] | None = None
    chain: ChainClaim | None = None
    record: dict[str, Any] | None = None
    pay_table: Annotated[dict[str, Any] | None, Field(description="The offer that the bettor kept, as a record has it.")] = None
