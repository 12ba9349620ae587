"""The house's values as JSON for the wire; every key is always there, and amounts are text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..records.spelling import currency_form
from ..rules.coup import deal_coup
from ..rules.roads import Scoreboard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..canonical import Json
    from ..errors import BaccaratError
    from ..house import Acceptance, HistoryPage, House, RecalledRound, Rotation, SeedPair, StatementPage
    from ..house.pairs import Currency
    from ..rules.odds import BetOdds
    from ..rules.pay_table import PayTable
    from ..verify import VerifiedRound


def offer_json(house: House) -> dict[str, Json]:
    """What new pairs are committed with."""
    table = house.pay_table
    return {
        "pay_table": table.to_dict(),
        "pay_table_digest": table.digest,
        "bets": list(table.offers),
        "decks": house.decks,
        "cap": house.cap,
        "chain_length": house.chain_length,
        "currency": currency_form(house.currency),
        "limits": house.limits.to_dict(),
    }


def pair_json(pair: SeedPair) -> dict[str, Json]:
    """A pair as its bettor may see it, who knows whose it is."""
    told = pair.to_dict()
    del told["bettor"]
    return told


def signed_pair_json(pair: SeedPair, opening: str | None) -> dict[str, Json]:
    """A pair with its signed opening."""
    return {**pair_json(pair), "statement": opening}


def rotation_json(rotation: Rotation, opening: str | None) -> dict[str, Json]:
    """What a rotation leaves, the next pair with its signed opening."""
    return {"revealed": pair_json(rotation.revealed), "next_pair": signed_pair_json(rotation.next_pair, opening)}


def acceptance_json(acceptance: Acceptance) -> dict[str, Json]:
    """An accepted bet with its signed acceptance."""
    return {**acceptance.to_dict(), "statement": acceptance.statement}


def signed_round_json(kept: RecalledRound, statement: str | None) -> dict[str, Json]:
    """A round with the latest that is signed about it."""
    return {**kept.to_dict(), "statement": statement}


def statements_json(page: StatementPage) -> dict[str, Json]:
    """A page of signed statements."""
    return {"statements": [kept.to_dict() for kept in page.statements], "next": page.next}


def rounds_json(page: HistoryPage) -> dict[str, Json]:
    """A page of rounds."""
    return {"rounds": [kept.to_dict() for kept in page.rounds], "next": page.next}


def roads_json(pair: str | None, latest_first: Iterable[RecalledRound]) -> dict[str, Json]:
    """The scoreboards of these rounds, those that are dealt."""
    cards = [kept.cards for kept in latest_first if kept.cards is not None]
    board = Scoreboard.of(deal_coup(each) for each in reversed(cards))
    return {"pair": pair, "coups": len(cards), **board.to_dict()}


def balance_json(balance: int, currency: Currency | None) -> dict[str, Json]:
    """What a bettor has."""
    return {"balance": str(balance), "currency": currency_form(currency)}


def odds_json(decks: int, pay_table: PayTable, odds: Mapping[str, BetOdds]) -> dict[str, Json]:
    """The odds of every bet of a table."""
    return {"decks": decks, "pay_table_digest": pay_table.digest, "bets": {name: figures.to_dict() for name, figures in odds.items()}}


def verdict_json(verified: VerifiedRound | None, error: BaccaratError | None = None) -> dict[str, Json]:
    """What a verification says: either of the two is there."""
    told: dict[str, Json] = {"round": None, "checks": [], "guarantees": {}} if verified is None else verified.to_dict()
    return {"verified": verified is not None, **told, "error": None if error is None else _difference_json(error)}


def _difference_json(error: BaccaratError) -> dict[str, Json]:
    return {
        "code": error.code,
        "subject": error.subject,
        "expected": error.expected,
        "found": error.found,
        "hint": error.hint,
        "slips": slips_json(error),
    }


def slips_json(error: BaccaratError) -> list[Json]:
    """The likely mistakes behind an error, best guess first."""
    return [{"code": slip.code, "sentence": slip.sentence} for slip in error.slips]
