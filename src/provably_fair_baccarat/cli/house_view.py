"""What people and programs see of a house: pairs, rounds and amounts, as text and as JSON."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from rich.text import Text

from ..records.spelling import currency_form, time_text
from ..rules.coup import deal_coup
from .coup_view import bets_text, card_text, coup_text
from .screen import OUT, show_fields

if TYPE_CHECKING:
    from datetime import datetime

    from ..canonical import Json
    from ..house import CashRow, EventRow, RecalledRound, SeedPair
    from ..house.pairs import Currency
    from ..records import RoundRecord


def amount_text(amount: int, currency: Currency | None) -> str:
    """An amount in smallest units, and in whole ones where the currency is known: `1950 (19.50 USD)`."""
    if currency is None:
        return str(amount)
    code, decimals = currency
    whole, rest = divmod(abs(amount), 10**decimals)
    return f"{amount} ({'-' * (amount < 0)}{whole}{f'.{rest:0{decimals}}' if decimals else ''} {code})"


def time_shown(time: datetime) -> str:
    """A time in UTC, to the second."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def show_pair(pair: SeedPair) -> None:
    """What anyone may know of a pair, a line for each thing."""
    chosen_by = "" if pair.client_seed_made_by is None else f" (made by the {pair.client_seed_made_by})"
    show_fields(
        {
            "pair": pair.id,
            "bettor": pair.bettor,
            "state": pair.state.value,
            "commitment": str(pair.commitment),
            "label": pair.label,
            "anchor": None if pair.chain is None else pair.chain.anchor,
            "length": None if pair.chain is None else str(pair.chain.length),
            "client seed": None if pair.client_seed is None else f"{pair.client_seed.text}{chosen_by}",
            "server seed": None if pair.server_seed is None else pair.server_seed.reveal(),
            "newest link": None if pair.newest_link is None else pair.newest_link.reveal(),
            "rounds": str(pair.next_nonce) if pair.next_nonce else None,
        }
    )


def show_cash(made: CashRow, currency: Currency | None) -> None:
    """A deposit or a withdrawal, and the balance that it left."""
    amounts = {made.kind: amount_text(made.amount, currency), "balance": amount_text(made.balance, currency)}
    show_fields({"bettor": made.bettor, **amounts, "key": made.key, "at": time_shown(made.at)})


def show_record(record: RoundRecord) -> None:
    """The coup of a record as it is called at the table, and its bets."""
    OUT.print(coup_text(deal_coup(record.cards)))
    OUT.print(bets_text(record.bets, str))


def show_round(record: RoundRecord, balance: str) -> None:
    """A round that was just played, and the balance after it."""
    show_fields({"nonce": str(record.nonce), "cut": str(record.cut), "cards": " ".join(card_text(card).plain for card in record.cards)})
    OUT.print()
    show_record(record)
    OUT.print(f"Balance now {balance}.")
    if record.chain is not None:
        OUT.print()
        show_link(record)


def show_link(record: RoundRecord) -> None:
    """Whether a round under a seed chain is proved already, and by which link (protocol step 8)."""
    if record.server_seed is None:
        OUT.print("An earlier round is open still; this one is proved when that is settled.")
        return
    show_fields({"link": record.server_seed})
    hashes = f"{record.nonce + 1} hash{'es' * (record.nonce > 0)}"
    OUT.print(f"It leads to the anchor in {hashes}: this round can be verified now.")


def show_recalled(kept: RecalledRound) -> None:
    """A round as the house keeps it, with its times and what it did to the balance."""
    accepted = kept.acceptance
    head = f"Nonce {accepted.nonce} of pair {accepted.pair}, accepted {time_shown(accepted.accepted_at)}"
    OUT.print(Text(head, "bold"), soft_wrap=True)
    if kept.record is None:
        OUT.print(f"Not dealt yet: {', '.join(f'{name} {stake}' for name, stake in accepted.bets)}.")
        return
    show_record(kept.record)
    if kept.balance_before is not None:
        OUT.print(f"Balance {kept.balance_before} before, {kept.balance_after} after.")


def pair_json(pair: SeedPair) -> dict[str, Json]:
    """A pair as JSON, its id under the name that arguments have for it."""
    told = pair.to_dict()
    return {"pair": told.pop("id"), **told}


def cash_json(made: CashRow, currency: Currency | None) -> dict[str, Json]:
    """A deposit or a withdrawal as JSON; amounts are texts."""
    return {
        "bettor": made.bettor,
        "amount": str(made.amount),
        "key": made.key,
        "balance": str(made.balance),
        "currency": currency_form(currency),
        "at": time_text(made.at),
    }


def event_json(event: EventRow) -> dict[str, Json]:
    """An event as JSON."""
    return {
        "id": event.id,
        "kind": event.kind,
        "pair": event.pair_id,
        "nonce": event.nonce,
        "bets": event.bets,
        "key": event.key,
        "reason": event.reason,
        "at": time_text(event.at),
    }
