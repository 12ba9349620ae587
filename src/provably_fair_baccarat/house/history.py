"""From stored rows back to what was published: pairs, acceptances, and the pages of a history.

A round is stored once, as columns. Cards and amounts are the stored ones, so a lost key loses no history; whether they are true is for
`proving`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import ClientSeedError, OwnBetError, PairError, PayTableMismatchError, describe
from ..fairness.chain import Chain
from ..fairness.seeds import ClientSeed, Commitment, ServerSeed
from ..rules.pay_table import PayTable
from .amounts import parse_bets
from .forgotten import stand_ins
from .pairs import Acceptance, PairState, SeedPair
from .recording import Recorder, read_cards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..canonical import Json
    from ..cards import Card
    from ..records import RoundRecord
    from ..rules.bets import Bet
    from .pairs import Currency
    from .rows import PairRow, RoundQuery, RoundRow
    from .store import Store


@dataclass(frozen=True, slots=True)
class RecalledRound:
    """A round as the house keeps it, with everything to show it again. Amounts are whole smallest currency units.

    `record`, `cards` and `balance_after` are None until it is dealt; `cards` are those of its record. A House that may tell rounds without
    their records has `cards` and no `record` where a bet is one that it no longer knows. `balance_after` is what the round itself left:
    after its return, or after its stake if nothing returned. Both balances are None where the money is in the operator's own wallet, which
    alone knows them.
    """

    id: int
    """Counts the rounds of the store in the order they were accepted."""
    acceptance: Acceptance
    record: RoundRecord | None
    cards: tuple[Card, ...] | None
    balance_before: int | None
    balance_after: int | None

    def to_dict(self) -> dict[str, Json]:
        """The round as JSON; amounts are texts."""
        return {
            "id": self.id,
            **self.acceptance.to_dict(),
            "balance_before": None if self.balance_before is None else str(self.balance_before),
            "balance_after": None if self.balance_after is None else str(self.balance_after),
            "record": None if self.record is None else self.record.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some rounds in order, and where the next page begins: pass `next` as `after`; it is None on the last page."""

    rounds: tuple[RecalledRound, ...]
    next: int | None


class PairReader:
    """Reads stored pairs and rounds. `own_bets` are the operator's own bets that stored pay tables may offer.

    A table with another bet is read too: what asks that bet for its answer raises OwnBetError.
    """

    def __init__(self, own_bets: Iterable[Bet] = ()) -> None:
        self._own_bets = tuple({bet.name: bet for bet in own_bets}.values())
        self._pay_table = lru_cache(maxsize=256)(self._read_pay_table)

    def pair(self, row: PairRow) -> SeedPair:
        """A pair from its row. Raises PayTableMismatchError where the stored table isn't that of its digest."""
        return SeedPair(
            row.id,
            row.bettor,
            Commitment(row.commitment),
            row.scheme,
            row.decks,
            self._pay_table(row.pay_table_digest, row.pay_table_form),
            row.cap,
            read_currency(row.currency),
            PairState(row.state),
            None if row.client_seed is None else _client_seed(row.client_seed),
            row.made_by,
            None if row.server_seed is None else ServerSeed(row.server_seed),
            None if row.chain_anchor is None or row.chain_length is None else Chain(row.chain_anchor.hex(), row.chain_length),
            None if row.newest_link is None else ServerSeed(row.newest_link),
            row.next_nonce,
            row.settled,
            row.settled_in_order,
            row.committed_at,
            row.chosen_at,
            row.closed_at,
            row.revealed_at,
        )

    def _read_pay_table(self, digest: str, form: str) -> PayTable:
        table = PayTable.parse_json(form, (*self._own_bets, *stand_ins(form, self._own_bets)))
        if table.digest != digest:
            raise PayTableMismatchError("stored pay table", f"the digest {digest}", table.digest)
        own = [bet for bet in table.bets if bet.name in table.side_bets]
        return PayTable.from_dict(table.to_dict(), own)


def _client_seed(utf8: bytes) -> ClientSeed:
    try:
        return ClientSeed(utf8.decode())
    except UnicodeDecodeError as error:
        raise ClientSeedError("stored client seed", "UTF-8", f"{error.reason} at place {error.start}") from None


def acceptance_of(pair: SeedPair, row: RoundRow, statement: str | None = None) -> Acceptance:
    """What was accepted, with its signed statement if there is one."""
    bets = tuple(parse_bets(row.bets).items())
    return Acceptance(pair.id, pair.bettor, row.nonce, row.key, bets, row.exposure, row.accepted_at, statement)


def recalled(pair: SeedPair, recorder: Recorder, row: RoundRow, *, is_remote: bool, may_lack_record: bool = False) -> RecalledRound:
    """A round as the house keeps it; `is_remote` where its money is in the operator's own wallet.

    Raises OwnBetError for a bet that is not known, unless the round `may_lack_record`.
    """
    record = cards = None
    if row.cards is not None:
        try:
            record = recorder.record(row)
            cards = record.cards
        except OwnBetError:
            if not may_lack_record:
                raise
            cards = read_cards(row.cards)
    balances = (None, None) if is_remote else (row.balance_before, row.balance_after)
    return RecalledRound(row.id, acceptance_of(pair, row), record, cards, *balances)


def find_pair(store: Store, pair_id: str) -> PairRow:
    """A pair by its id. Raises PairError where there is none."""
    row = store.pair(pair_id)
    if row is None:
        raise PairError("seed pair", "one that this house has", describe(pair_id))
    return row


def read_page(store: Store, reader: PairReader, query: RoundQuery, *, may_lack_records: bool = False) -> HistoryPage:
    """A page of as many rounds as the query says, each as its pair is now. Raises OwnBetError unless its rounds `may_lack_records`."""
    rows = store.rounds(replace(query, limit=query.limit + 1))
    shown = rows[: query.limit]
    kept = {pair_id: find_pair(store, pair_id) for pair_id in dict.fromkeys(row.pair_id for row in shown)}
    pairs = {pair_id: reader.pair(of) for pair_id, of in kept.items()}
    recorders = {pair_id: Recorder(of) for pair_id, of in pairs.items()}
    rounds = (
        recalled(
            pairs[row.pair_id],
            recorders[row.pair_id],
            row,
            is_remote=kept[row.pair_id].is_remote,
            may_lack_record=may_lack_records,
        )
        for row in shown
    )
    return HistoryPage(tuple(rounds), shown[-1].id if len(rows) > query.limit else None)


def read_all(store: Store, reader: PairReader, query: RoundQuery) -> Iterator[RecalledRound]:
    """All rounds of a query, page by page."""
    while True:
        page = read_page(store, reader, query)
        yield from page.rounds
        if page.next is None:
            return
        query = replace(query, after=page.next)


def write_currency(currency: Currency | None) -> str:
    """A currency as a store keeps it: `USD/2`, or the empty text where it has no name."""
    return "" if currency is None else f"{currency[0]}/{currency[1]}"


def read_currency(text: str) -> Currency | None:
    """What `write_currency` wrote."""
    code, _, decimals = text.partition("/")
    return (code, int(decimals)) if text else None
