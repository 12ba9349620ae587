"""How single values are spelled on the wire, and what every object has in common.

Amounts are text on the wire, in whole smallest currency units: no JSON number can lose a digit of them.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from ...fairness.inputs import MAX_NONCE

Amount: TypeAlias = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,37})$", examples=["975"])]
Stake: TypeAlias = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,37}$", examples=["500"])]
Statement: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$")]
Net: TypeAlias = Annotated[str, Field(pattern=r"^(0|-?[1-9][0-9]{0,37})$")]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PairId: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Name: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Multiplier: TypeAlias = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,5}\.[0-9]{1,6}$")]
Payout: TypeAlias = Annotated[str, Field(pattern=r"^(push|[1-9][0-9]{0,5}\.[0-9]{1,6})$")]
Card: TypeAlias = Annotated[str, Field(pattern=r"^[A23456789TJQK][shdc]$")]
Time: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$")]
Fraction: TypeAlias = Annotated[str, Field(pattern=r"^-?[0-9]+(/[1-9][0-9]*)?$")]
Decimal: TypeAlias = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
Nonce: TypeAlias = Annotated[int, Field(ge=0, le=MAX_NONCE)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Hand: TypeAlias = Literal["player", "banker"]
Winner: TypeAlias = Literal["player", "banker", "tie"]
MadeBy: TypeAlias = Literal["bettor", "operator"]
Grade: TypeAlias = Literal["proved", "claimed", "unknown"]


class Shape(BaseModel):
    """An object with these keys, all of them and no others."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", hide_input_in_errors=True)
