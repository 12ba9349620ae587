"""Proofs over what is stored: that a pair's history is complete and true, and that the books add up.

Nothing that can be recomputed is believed. What a stored row says is compared with what follows from the revealed seeds, the pay table and
the order of the transfers, and the first difference is raised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import (
    CardsMismatchError,
    CommitmentMismatchError,
    CutMismatchError,
    HistoryMismatchError,
    LedgerMismatchError,
    LinkMismatchError,
    NotRevealedError,
    SettlementMismatchError,
)
from ..fairness.chain import RevealedChain
from ..fairness.seed_pair import Seeds
from ..rounds import play_round
from ..rules.settlement import settle
from .amounts import parse_bets
from .links import last_place, told_links
from .pairs import PairState
from .rows import RoundQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..fairness.chain import Chain
    from .history import PairReader
    from .pairs import SeedPair
    from .rows import PairRow, RoundRow, TransferRow
    from .store import Store

PAGE = 1000


@dataclass(frozen=True, slots=True)
class VerifiedHistory:
    """What was proved of a revealed pair: that these were all its rounds, dealt and paid as its seeds and pay table say.

    A pair with a seed chain may be in play still. Then these are the rounds that were settled in order; those behind them, up to
    `pair.next_nonce`, are there too, and not proved yet.
    """

    pair: SeedPair
    rounds: int
    staked: int
    returned: int


@dataclass(frozen=True, slots=True)
class BalanceSheet:
    """The books of one currency, added up: what bettors have, what came from outside, and what the house won, or lost if negative.

    `bettors` + `house` = `outside`, always.
    """

    currency: str
    bettors: int
    house: int
    outside: int


def verify_history(store: Store, reader: PairReader, row: PairRow) -> VerifiedHistory:
    """Replay all coups of a revealed pair, or of one with a seed chain as far as they are settled in order: commitment, nonces, cards, money.

    Raises the VerificationError that fits the first difference: NotRevealedError, CommitmentMismatchError, LinkMismatchError,
    HistoryMismatchError for a nonce that is missing, CutMismatchError, CardsMismatchError, SettlementMismatchError or LedgerMismatchError.
    """
    pair = reader.pair(row)
    seeds_of = _seeds_of_pair(pair) if pair.chain is None else _seeds_of_chain(pair, pair.chain)
    if pair.state is PairState.REVEALED:
        _compare_count(pair, "settled coups", pair.next_nonce, pair.settled)
        _compare_count(pair, "coups settled in order", pair.next_nonce, pair.settled_in_order)
    rounds = proved = staked = returned = 0
    transfers = store.transfers_of_pair(row.number)
    for stored in all_rounds(store, row.number):
        if pair.state is not PairState.REVEALED and stored.nonce >= pair.next_nonce:
            break  # accepted since the pair was read
        if stored.nonce != rounds:
            raise HistoryMismatchError(f"rounds of pair {pair.id}", f"nonce {rounds} next", f"nonce {stored.nonce}")
        rounds += 1
        if stored.nonce < pair.settled_in_order:
            _replay(pair, seeds_of(stored.nonce), stored)
            _compare_transfers(pair, stored, *transfers[stored.nonce])
            proved, staked, returned = proved + 1, staked + stored.staked, returned + (stored.returned or 0)
    _compare_count(pair, "rounds", pair.next_nonce, rounds)
    verify_balance(store, pair.bettor, row.currency)
    return VerifiedHistory(pair, proved, staked, returned)


def _seeds_of_pair(pair: SeedPair) -> Callable[[int], Seeds]:
    """The seeds of every nonce of a revealed pair: always the same."""
    if pair.state is not PairState.REVEALED or pair.server_seed is None:
        raise NotRevealedError(f"server seed of pair {pair.id}", "a revealed seed", f"a pair that is {pair.state.value}")
    seeds = Seeds(pair.server_seed, pair.client_seed or "unused", pair.commitment, pair.decks, scheme=pair.scheme)
    return lambda _: seeds


def _seeds_of_chain(pair: SeedPair, chain: Chain) -> Callable[[int], Seeds]:
    """The seeds of each nonce that is settled in order, once one hash after another has led from the newest link to the anchor."""
    committed = chain.commitment(pair.decks)
    if committed != pair.commitment:
        raise CommitmentMismatchError(f"commitment of the seed chain of pair {pair.id}", str(pair.commitment), str(committed))
    links = told_links(pair) if pair.settled_in_order else None
    if pair.server_seed is not None:
        revealed = RevealedChain(chain, pair.server_seed, last_place(chain, pair.next_nonce))
        links = links or revealed
    client_seed = pair.client_seed

    def seeds(nonce: int) -> Seeds:
        if links is None or client_seed is None:
            raise LinkMismatchError(f"links of pair {pair.id}", f"one for nonce {nonce}", "none")
        return Seeds(links.link(nonce), client_seed, pair.commitment, pair.decks, chain=chain)

    return seeds


def verify_balance(store: Store, bettor: str, currency: str) -> int:
    """Add up a bettor's transfers one after another; each must have left the balance that it says. Returns the balance."""
    balance, transfers = store.statement(bettor, currency)
    added = 0
    for transfer in transfers:
        added += transfer.amount if transfer.kind in ("deposit", "return") else -transfer.amount
        if added != transfer.balance or added < 0:
            raise LedgerMismatchError(f"balance after transfer {transfer.id}", f"{added}", f"{transfer.balance}")
    if balance is not None and added != balance:
        raise LedgerMismatchError(f"balance of {bettor!r}", f"{added}", f"{balance}")
    return added


def verify_books(store: Store) -> tuple[BalanceSheet, ...]:
    """Add up every account: postings sum to zero, and no bettor has another balance than its postings. Raises LedgerMismatchError."""
    sheets: dict[str, dict[str, int]] = {}
    for account in store.accounts():
        total = account.credits - account.debits
        if account.kind == "bettor" and (account.balance != total or total < 0):
            raise LedgerMismatchError(f"balance of {account.bettor!r}", f"{total}", f"{account.balance}")
        sheet = sheets.setdefault(account.currency, {"bettor": 0, "house": 0, "outside": 0})
        sheet[account.kind] += total
    for currency, sheet in sheets.items():
        if sum(sheet.values()):
            raise LedgerMismatchError(f"postings in {currency or 'the currency'}", "a sum of zero", f"{sum(sheet.values())}")
    return tuple(BalanceSheet(currency, sheet["bettor"], sheet["house"], -sheet["outside"]) for currency, sheet in sheets.items())


def all_rounds(store: Store, pair: int) -> Iterator[RoundRow]:
    """The rounds of a pair in the order of their nonces, page by page."""
    after: int | None = None
    while page := store.rounds(RoundQuery(PAGE, pair=pair, after=after)):
        yield from page
        after = page[-1].id


def _replay(pair: SeedPair, seeds: Seeds, stored: RoundRow) -> None:
    subject = f"round of nonce {stored.nonce} of pair {pair.id}"
    if stored.place != 0:
        raise HistoryMismatchError(subject, "one coup for each nonce", f"place {stored.place} of a shoe")
    played = play_round(seeds, stored.nonce)
    if stored.cut is None or stored.cards is None:
        raise HistoryMismatchError(subject, "a coup that is dealt and settled", "none")
    if played.cut != stored.cut:
        raise CutMismatchError(f"{subject}, cut", f"{played.cut}", f"{stored.cut}")
    cards = "".join(map(str, played.cards))
    if cards != stored.cards:
        raise CardsMismatchError(f"{subject}, cards", cards, stored.cards)
    settlement = settle(played.coup, parse_bets(stored.bets), pair.pay_table)
    for name, computed, told in (("staked", settlement.staked, stored.staked), ("returned", settlement.returned, stored.returned)):
        if computed != told:
            raise SettlementMismatchError(f"{subject}, {name}", f"{computed}", f"{told}")
    if not settlement.returned <= stored.exposure:
        raise SettlementMismatchError(f"{subject}, exposure", f"at least {settlement.returned}", f"{stored.exposure}")


def _compare_transfers(pair: SeedPair, stored: RoundRow, stake: TransferRow | None, paid: TransferRow | None) -> None:
    """The transfers that a round names are the ones that its stake and return call for."""
    subject = f"round of nonce {stored.nonce} of pair {pair.id}"
    expected: Iterable[tuple[str, str, int | None, TransferRow | None]] = (
        ("stake", "stake", stored.staked, stake),
        ("return", "return", stored.returned or None, paid),
    )
    for name, kind, amount, transfer in expected:
        found = None if transfer is None else (transfer.kind, transfer.amount)
        wanted = None if amount is None else (kind, amount)
        if found != wanted:
            raise LedgerMismatchError(f"{subject}, transfer of the {name}", f"{wanted}", f"{found}")
    if stake is not None and paid is not None and (paid.payer, paid.payee) != (stake.payee, stake.payer):
        raise LedgerMismatchError(f"{subject}, transfer of the return", "one between the same accounts", "others")


def _compare_count(pair: SeedPair, what: str, expected: int, found: int) -> None:
    if expected != found:
        raise HistoryMismatchError(f"{what} of pair {pair.id}", f"{expected}", f"{found}")
