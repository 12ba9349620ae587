"""A house's database as a table of rounds, with the seeds that it has revealed and the bets that it has refused.

What is stored is taken as it is. A store keeps no status and no return of a single bet, only sums: these are held against the cards.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from ..cards import DECK
from ..errors import BaccaratError
from ..house.amounts import parse_bets
from ..house.rows import RoundQuery
from ..rules.coup import deal_coup
from ..rules.pay_table import PayTable
from ..rules.settlement import settle
from .arrow import pa
from .databases import POSTGRES, SQLITE, shown_database
from .findings import Finding
from .pieces import Piece
from .schema import REFUSALS, SEEDS, field_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from pyarrow import Table

    from ..house.rows import PairRow, RoundRow
    from ..house.store import Store
    from ..rules.bets import Bet
    from .pieces import Read

_PAGE: Final = 4096
_CARDS: Final = {str(card): card for card in DECK}
_SETTLED_BET: Final = re.compile(r"[a-z][a-z0-9_]{0,63}:[1-9][0-9]{0,37}")


@contextmanager
def reading_store(url: str) -> Generator[Store]:
    """A house's database, open for reading only; by its URL, or the path of a SQLite file."""
    if url.startswith(POSTGRES):
        from ..house.postgres import PostgresStore  # noqa: PLC0415 (an extra, needed here alone)

        with PostgresStore(url, is_read_only=True) as store:
            yield store
        return
    from ..house.sqlite import SqliteStore  # noqa: PLC0415 (loaded by those who audit a file)

    with SqliteStore(url.removeprefix(SQLITE), is_read_only=True) as store:
        yield store


def house_pieces(url: str, own_bets: Iterable[Bet] = ()) -> Iterator[Piece]:
    """The rounds that were dealt, in the order they were accepted, page by page. `own_bets` are the operator's own."""
    name, known = shown_database(url), tuple({bet.name: bet for bet in own_bets}.values())
    with reading_store(url) as store:
        pairs: dict[str, PairRow | None] = {}
        after, first_row = None, 1
        while page := store.rounds(RoundQuery(_PAGE, after=after)):
            for row in page:
                if row.pair_id not in pairs:
                    pairs[row.pair_id] = store.pair(row.pair_id)
            read = _reading(tuple(page), {row.pair_id: pairs[row.pair_id] for row in page}, known, name, first_row)
            yield Piece(name, first_row, len(page), read.copy)
            after, first_row = page[-1].id, first_row + len(page)


def _reading(
    page: tuple[RoundRow, ...], pairs: Mapping[str, PairRow | None], own_bets: tuple[Bet, ...], name: str, first_row: int
) -> list[Read]:
    rows: list[dict[str, Any]] = []
    told: list[Read] = []
    for number, row in enumerate(page, first_row):
        pair = pairs[row.pair_id]
        try:
            if pair is None or row.cards is None:
                told.append(Finding("unreadable", "a round that is dealt", "one that is not", name, number, nonce=row.nonce))
            else:
                rows.append({**_row(row, pair, own_bets), "row": number})
        except BaccaratError as error:
            told.append(Finding("unreadable", error.expected, error.found, name, number, nonce=row.nonce))
    if rows:
        told.append(pa.record_batch([_column(column, [row[column] for row in rows]) for column in rows[0]], names=list(rows[0])))
    return told


def _column(name: str, values: list[Any]) -> Any:
    if name in ("commitment", "server_seed", "chain_anchor"):
        return pa.array(values, pa.binary(32))
    return pa.array(values, pa.binary()) if name == "client_seed" else pa.array(values)


def _row(row: RoundRow, pair: PairRow, own_bets: tuple[Bet, ...]) -> dict[str, Any]:
    """A stored round, with what its stored cards make of each bet."""
    text = row.cards or ""
    cards = [_CARDS[text[place : place + 2]] for place in range(0, len(text), 2) if text[place : place + 2] in _CARDS]
    table = PayTable.parse_json(pair.pay_table_form, own_bets)
    settlement = settle(deal_coup(cards), parse_bets(row.bets), table)
    return {
        "scheme": pair.scheme,
        "decks": pair.decks,
        "commitment": pair.commitment,
        "server_seed": None if pair.chain_anchor is not None else pair.server_seed,  # links follow from the newest one
        "client_seed": pair.client_seed,
        "nonce": row.nonce,
        "chain_anchor": pair.chain_anchor,
        "chain_length": pair.chain_length,
        "cut": row.cut,
        "cards": text,
        "winner": deal_coup(cards).winner.value,
        "bets": [
            {"bet": line.bet, "stake": str(line.stake), "status": line.status, "returned": str(line.returned)}
            for line in settlement.lines.values()
        ],
        "staked": str(row.staked),
        "returned": None if row.returned is None else str(row.returned),
        "pay_table": pair.pay_table_form,
        "pay_table_digest": pair.pay_table_digest,
        "currency": pair.currency.partition("/")[0] or None,
        "accepted_at": row.accepted_at,
        "settled_at": row.settled_at,
        "revealed_at": pair.revealed_at,
    }


def house_seeds(url: str) -> Table:
    """Every pair of a house that was chosen for: its server seed, or a chain's newest link, if it is revealed, and how many coups it accepted."""
    with reading_store(url) as store:
        pairs = [pair for pair in _pairs(store) if pair.client_seed is not None]
    columns = {
        "commitment": [pair.commitment for pair in pairs],
        "server_seed": [pair.newest_link if pair.chain_anchor is not None else pair.server_seed for pair in pairs],
        "client_seed": [pair.client_seed for pair in pairs],
        "coups": [pair.next_nonce for pair in pairs],
        "revealed_at": [pair.revealed_at for pair in pairs],
    }
    table: Table = pa.table([pa.array(columns[name], field_of(SEEDS, name).type) for name in SEEDS.names], schema=SEEDS)
    return table


def _pairs(store: Store) -> Iterable[PairRow]:
    for account in store.accounts():
        if account.kind == "bettor":
            yield from store.pairs(account.bettor, account.currency)


def house_refusals(url: str) -> Table:
    """The bets that a house has refused; those that were no bets at all are left out."""
    rows: list[dict[str, Any]] = []
    with reading_store(url) as store:
        commitments = {pair.id: pair.commitment for pair in _pairs(store)}
        after = 0
        while events := store.events(after=after, limit=_PAGE):
            after = events[-1].id
            for event in events:
                if event.kind != "refused" or event.pair_id not in commitments or event.nonce is None:
                    continue
                bets = [part.split(":") for part in event.bets.split(" ") if _SETTLED_BET.fullmatch(part)]
                rows.append(
                    {
                        "commitment": commitments[event.pair_id],
                        "nonce": event.nonce,
                        "bets": [{"bet": name, "stake": int(stake)} for name, stake in bets],
                        "reason": event.reason,
                        "refused_at": event.at,
                    }
                )
    table: Table = pa.Table.from_pylist(rows, schema=REFUSALS)
    return table
