"""What people and programs see of a house: pairs, rounds and amounts, as text and as JSON."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from rich.text import Text

from ..fairness.schemes import scheme_named
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
    whole, rest = divmod(amount, 10**decimals)
    return f"{amount} ({whole}{f'.{rest:0{decimals}}' if decimals else ''} {code})"


def time_text(time: datetime) -> str:
    """A time in UTC, to the second."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def label_of(pair: SeedPair) -> str:
    """The text that begins everything that is hashed for a pair (protocol step 1)."""
    return scheme_named(pair.scheme).label(pair.decks)


def show_pair(pair: SeedPair) -> None:
    """What anyone may know of a pair, a line for each thing."""
    chosen_by = "" if pair.client_seed_made_by is None else f" (made by the {pair.client_seed_made_by})"
    show_fields(
        {
            "pair": pair.id,
            "bettor": pair.bettor,
            "state": pair.state.value,
            "commitment": str(pair.commitment),
            "label": label_of(pair),
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
    show_fields({"bettor": made.bettor, **amounts, "key": made.key, "at": time_text(made.at)})


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
    head = f"Nonce {accepted.nonce} of pair {accepted.pair}, accepted {time_text(accepted.accepted_at)}"
    OUT.print(Text(head, "bold"), soft_wrap=True)
    if kept.record is None:
        OUT.print(f"Not dealt yet: {', '.join(f'{name} {stake}' for name, stake in accepted.bets)}.")
        return
    show_record(kept.record)
    OUT.print(f"Balance {kept.balance_before} before, {kept.balance_after} after.")


def pair_json(pair: SeedPair) -> dict[str, Json]:
    """A pair as JSON; every key is always there."""
    return {
        "pair": pair.id,
        "bettor": pair.bettor,
        "state": pair.state.value,
        "commitment": str(pair.commitment),
        "label": label_of(pair),
        "scheme": pair.scheme,
        "decks": pair.decks,
        "pay_table_digest": pair.pay_table.digest,
        "cap": pair.cap,
        "currency": currency_json(pair.currency),
        "client_seed": None if pair.client_seed is None else pair.client_seed.text,
        "client_seed_made_by": pair.client_seed_made_by,
        "server_seed": None if pair.server_seed is None else pair.server_seed.reveal(),
        "chain": None if pair.chain is None else {"anchor": pair.chain.anchor, "length": pair.chain.length},
        "newest_link": None if pair.newest_link is None else pair.newest_link.reveal(),
        "next_nonce": pair.next_nonce,
        "settled": pair.settled,
        "settled_in_order": pair.settled_in_order,
        "committed_at": time_json(pair.committed_at),
        "chosen_at": time_json(pair.chosen_at),
        "closed_at": time_json(pair.closed_at),
        "revealed_at": time_json(pair.revealed_at),
    }


def cash_json(made: CashRow, currency: Currency | None) -> dict[str, Json]:
    """A deposit or a withdrawal as JSON; amounts are texts."""
    return {
        "bettor": made.bettor,
        "amount": str(made.amount),
        "key": made.key,
        "balance": str(made.balance),
        "currency": currency_json(currency),
        "at": time_json(made.at),
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
        "at": time_json(event.at),
    }


def recalled_json(kept: RecalledRound) -> dict[str, Json]:
    """A round as the house keeps it, as JSON; amounts are texts."""
    accepted = kept.acceptance
    return {
        "id": kept.id,
        "pair": accepted.pair,
        "nonce": accepted.nonce,
        "key": accepted.key,
        "bets": {name: str(stake) for name, stake in accepted.bets},
        "exposure": str(accepted.exposure),
        "accepted_at": time_json(accepted.accepted_at),
        "balance_before": str(kept.balance_before),
        "balance_after": None if kept.balance_after is None else str(kept.balance_after),
        "record": None if kept.record is None else kept.record.to_dict(),
    }


def currency_json(currency: Currency | None) -> Json:
    """A currency as records have it."""
    return None if currency is None else {"code": currency[0], "decimals": currency[1]}


def time_json(time: datetime | None) -> str | None:
    """A time in the spelling of a record: RFC 3339 in UTC, with the shortest fraction."""
    if time is None:
        return None
    text = time.astimezone(UTC).replace(tzinfo=None).isoformat()
    return f"{text.rstrip('0') if '.' in text else text}Z"
