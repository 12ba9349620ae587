"""The House: what a casino's backend calls to open seed pairs, take bets, deal, settle, pay, rotate and reveal.

It keeps no state of its own but unsealed seeds at hand: everything that counts is in its store, durable before it is answered. Any number
of threads may use one House.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from ..errors import BaccaratError, FundsError, PairStateError, RequestError, SigningKeyError, WalletError, describe
from ..fairness.chain import read_length
from ..fairness.inputs import MAX_NONCE, parse_decks, parse_nonce
from ..fairness.seeds import ClientSeed, operating_system_entropy
from ..rules.ready_tables import PUNTO_BANCO
from .amounts import read_amount, read_name
from .arguments import read_count, read_currency, read_duration, read_offer, read_pair_id, read_time
from .clock import in_utc, utc_now
from .dealing import Dealer, binding_of
from .desk import BetRequest, Desk
from .export import export_rounds
from .funds import with_other_currencies
from .history import PairReader, acceptance_of, find_pair, read_all, read_page, recalled, write_currency
from .history import read_currency as stored_currency
from .offering import Offer, PairMaker
from .pairs import Acceptance, PairPage, Rotation, SeedPair
from .parts import read_function, read_guards, read_limits, read_own_bets, read_store, read_vault, read_wallet
from .proving import verify_books, verify_history
from .recording import Recorder
from .recovery import Pending, Recovery
from .refusals import reason_of
from .rows import RoundQuery
from .signing import Mouth
from .store import CashOrder
from .telling import ABOUT_PAIR, StatementPage, read_statements, sequence, write_history
from .vault import read_key_id
from .wallet import GIVE_UP_AFTER, RemoteMoney, pause_longer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime, timedelta

    from ..fairness.seeds import Entropy
    from ..receipts import KeySet, LogPromise, Signer
    from ..receipts.log import LogWriter, NoteKey, TileLog
    from ..records import MadeBy, RoundRecord
    from ..rules.bets import Bet
    from ..rules.pay_table import PayTable
    from .clock import Clock
    from .dealing import OpenPair
    from .export import ExportForm
    from .guards import BetGuard
    from .history import HistoryPage, RecalledRound
    from .limits import Limits
    from .pairs import Currency
    from .proving import BalanceSheet, VerifiedHistory
    from .rows import CashKind, CashRow, EventRow, PairRow
    from .store import Store
    from .vault import Vault
    from .wallet import Wallet

MAX_PAGE = 1000
"""The most rounds or events that are read at once."""

MAX_ID = 2**63 - 1
"""The largest id of a round or an event."""

DEFAULT_CAP = 100_000
"""How many coups a pair deals before it must be rotated, unless a House says otherwise."""


class House:
    """An operator's house over a store and a vault.

    New pairs keep `pay_table`, `decks`, `cap` (coups until a rotation is due) and `currency`, whatever a House is opened with later. With
    `chain_length` they deal from seed chains of that many coups, up to a million, so that each coup is proved when it is settled (protocol
    step 8), and the cap is at most that length.
    With `signer` the opening of a new pair is signed, and everything that is said about it from then on; `log_promise` is the promise to
    log it. `limits` and `guards` say which bets are taken, `wallet` is the operator's own wallet where money isn't kept in the store's ledger, and
    `own_bets` are bets of pay tables of earlier pairs. `clock` gives times with a time zone, `entropy` random bytes, `pause` waits between
    requests to the wallet. Raises BettorEdgeError for a table with a bet that the bettor wins in the long run, unless `allow_bettor_edge`, and
    RequestError for a part of another kind or limits of a bet that there is not.
    """

    def __init__(
        self,
        store: Store,
        vault: Vault,
        *,
        pay_table: PayTable = PUNTO_BANCO,
        decks: int = 8,
        limits: Limits | None = None,
        guards: Sequence[BetGuard] = (),
        cap: int = DEFAULT_CAP,
        chain_length: int | None = None,
        currency: Currency | None = None,
        wallet: Wallet | None = None,
        own_bets: Iterable[Bet] = (),
        allow_bettor_edge: bool = False,
        signer: Signer | None = None,
        log_promise: LogPromise | None = None,
        clock: Clock = utc_now,
        entropy: Entropy = operating_system_entropy,
        pause: Callable[[int], None] = pause_longer,
    ) -> None:
        self._store = read_store(store, vault)
        self._vault = read_vault(vault)
        pay_table = read_offer(pay_table, parse_decks(decks), allow_bettor_edge=allow_bettor_edge)
        chain_length = None if chain_length is None else read_length(chain_length)
        most = MAX_NONCE + 1 if signer is None else MAX_NONCE  # nonces begin with 0, and a signed closing tells how many there were
        cap = min(read_count(cap, "cap of coups", most), chain_length or cap)
        self._offer = Offer(pay_table, decks, cap, chain_length, read_currency(currency), is_remote=wallet is not None)
        self._clock = in_utc(read_function(clock, "clock"))
        self._entropy = read_function(entropy, "entropy")
        self._own_bets = tuple({bet.name: bet for bet in (*read_own_bets(own_bets), *pay_table.bets)}.values())
        self._reader = PairReader(self._own_bets)
        self._mouth = None if signer is None else Mouth(signer, log_promise)
        if signer is None and log_promise is not None:
            raise SigningKeyError("signer", "one, as there is a promise to log what it signs", "none")
        self._maker = PairMaker(self._offer, vault, entropy, self._mouth)
        self._dealer = Dealer(store, vault, self._reader, self._clock, mouth=self._mouth)
        self._remote = None if wallet is None else RemoteMoney(store, read_wallet(wallet), self._clock, read_function(pause, "pause"))
        self._limits = read_limits(limits, pay_table, self._own_bets)
        self._desk = Desk(store, self._dealer, self._limits, read_guards(guards), remote=self._remote, clock=self._clock)

    @property
    def pay_table(self) -> PayTable:
        """The pay table of new pairs."""
        return self._offer.pay_table

    @property
    def own_bets(self) -> tuple[Bet, ...]:
        """The bets of the operator's own that this House knows: those of its pay table, and those that it was opened with."""
        return self._own_bets

    @property
    def decks(self) -> int:
        """How many decks the shoes of new pairs are made of."""
        return self._offer.decks

    @property
    def cap(self) -> int:
        """How many coups a new pair deals before it must be rotated."""
        return self._offer.cap

    @property
    def chain_length(self) -> int | None:
        """How many coups the seed chain of a new pair serves, None where new pairs have one server seed for all."""
        return self._offer.chain_length

    @property
    def currency(self) -> Currency | None:
        """The currency of new pairs and of the bettors' accounts."""
        return self._offer.currency

    @property
    def limits(self) -> Limits:
        """Which bets are taken."""
        return self._limits

    @property
    def has_wallet(self) -> bool:
        """Whether the money is in the operator's own wallet, and not in the store's ledger."""
        return self._remote is not None

    # Seed pairs

    def commit(self, bettor: str) -> SeedPair:
        """Make a server seed or a seed chain, seal and store it, and publish its commitment (protocol steps 1, 2 and 8).

        Raises RequestError for the name.
        """
        return self._reader.pair(self._store.add_pair(self._maker.make(read_name(bettor, "bettor")), self._clock()))

    def choose_client_seed(self, pair: SeedPair | str, client_seed: ClientSeed | str | None = None) -> SeedPair:
        """Fix the bettor's client seed, once, after the commitment; from now on bets are taken (protocol step 9).

        None makes one here, which is recorded as made by the operator. Raises ClientSeedError, and PairStateError for a second time.
        """
        row = self._row(pair)
        made_by: MadeBy = "bettor"
        if client_seed is None:
            made_by = "operator"
            client_seed = ClientSeed.generate(self._reader.pair(row).commitment, self._entropy)
        chosen = client_seed if isinstance(client_seed, ClientSeed) else ClientSeed(client_seed)
        return self._reader.pair(self._store.choose_client_seed(row.number, chosen.utf8, made_by, self._clock()))

    def pair(self, pair: SeedPair | str) -> SeedPair:
        """A pair as it is now. Raises PairError where there is none."""
        return self._reader.pair(self._row(pair))

    def pairs(self, bettor: str) -> tuple[SeedPair, ...]:
        """A bettor's pairs in the order they were committed."""
        rows = self._store.pairs(read_name(bettor, "bettor"), write_currency(self._offer.currency))
        return tuple(map(self._reader.pair, rows))

    def open_pairs(self, *, after: SeedPair | str | None = None, limit: int = 100) -> PairPage:
        """A page of all pairs that aren't revealed, in the order they were committed, whosever and in whatever currency they are.

        `after` is the `next` of the page before, `limit` 1 to 1000. Raises PairError or RequestError.
        """
        limit = read_count(limit, "limit of a page", MAX_PAGE)
        rows = self._store.pairs_to_reveal(0 if after is None else self._row(after).number, limit + 1)
        shown = tuple(map(self._reader.pair, rows[:limit]))
        return PairPage(shown, shown[-1].id if len(rows) > limit else None)

    def close_pair(self, pair: SeedPair | str) -> SeedPair:
        """Take no more bets under a pair; what is accepted stays to be dealt."""
        return self._reader.pair(self._close(self._row(pair)))

    def rotate(self, pair: SeedPair | str) -> Rotation:
        """Close a pair, deal what it has accepted, reveal its server seed, and commit to the next one (protocol step 9).

        Of a seed chain, that is the link that the next coup would have had; the links behind it were never used and stay secret.
        Rotating a revealed pair again returns the same rotation. Raises PairStateError for a pair that was revealed without a successor.
        """
        row = self._close(self._row(pair))
        for open_round in self._store.open_rounds(row.number):
            self._desk.settle(open_round)
        if row.state != "revealed":
            secret = self._dealer.revelation(row).reveal_bytes()
            self._dealer.forget(row.id)
            row = self._store.reveal_pair(row.number, secret, self._maker.make(row.bettor), self._clock())
        self._dealer.forget(row.id)
        if row.successor is None:
            raise PairStateError(f"pair {row.id}", "one that was rotated", "one that was revealed without a successor")
        return Rotation(self._reader.pair(row), self.pair(row.successor))

    # Bets

    def accept(self, pair: SeedPair | str, bets: Mapping[str, int], key: str, *, nonce: int | None = None) -> Acceptance:
        """Take a bet: spend the next nonce and the stake, and deal nothing yet. It is durable when this returns.

        `key` is the bettor's own for this request: asked again with it, this returns the same acceptance. `nonce` is the one that the
        caller expects. Raises KeyConflictError where the key stands for another request; PairStateError, PairCapError, PairNonceError,
        LimitError, GuardError, FundsError, a MoneyError or a WalletError for a bet that is refused. A refused bet spends nothing, and is
        recorded.
        """
        opened = self._open(pair)
        row = self._desk.take(opened, BetRequest(pair, bets, key, nonce), is_dealt=False)
        signed = () if opened.signs is None else self._store.signed_statements(row.pair, row.nonce, row.nonce)
        return acceptance_of(opened.pair, row, next((each.text for each in signed if each.kind == "acceptance"), None))

    def deal(self, acceptance: Acceptance) -> RoundRecord:
        """Deal and settle an accepted bet, and pay what it returns; dealing it again returns the same record (protocol steps 3 to 7).

        Under a seed chain the record has the link of its nonce once every coup before it is settled too.
        """
        if not isinstance(acceptance, Acceptance):
            raise RequestError("acceptance", "an Acceptance", describe(acceptance))
        opened = self._open(acceptance.pair)
        row = self._store.round_at(opened.number, parse_nonce(acceptance.nonce))
        if row is None or row.key != acceptance.key:
            raise RequestError("acceptance", "one that this house gave", f"nonce {acceptance.nonce} of pair {acceptance.pair}")
        return opened.recorder.record(self._desk.settle(row))

    def play(self, pair: SeedPair | str, bets: Mapping[str, int], key: str, *, nonce: int | None = None) -> RoundRecord:
        """Take a bet, deal and settle it in one transaction. Otherwise as `accept` and `deal`."""
        opened = self._open(pair)
        return opened.recorder.record(self._desk.take(opened, BetRequest(pair, bets, key, nonce), is_dealt=True))

    def play_many(self, requests: Iterable[BetRequest]) -> list[RoundRecord | BaccaratError]:
        """Play many bets: an answer for each, in order, a record or the refusal of it. A refusal spoils no other."""
        return self._desk.play_many(requests)

    def recover(self, *, after: timedelta = GIVE_UP_AFTER) -> Recovery:
        """Finish what a crash or a time-out cut off: deal accepted coups, end the wallet's transactions. Tells what it did, and what is left.

        Call it when a House is opened, and every minute after that where there is a wallet: any number of processes may. What can't be
        finished now is recorded, and stays for the next time. A debit that the wallet has not answered is given up once it was begun
        `after` ago, by the House's clock: 0 is for whoever knows that nobody is betting, as it gives up bets that are just being taken.
        A coup is dealt however new it is: whoever accepted it a moment ago, and deals it too, gets the same record.
        Raises RequestError for less than 0.
        """
        after = read_duration(after, "after")
        dealt = 0
        for row in self._store.open_rounds():
            try:
                self._desk.settle(row)
                dealt += 1
            except BaccaratError as error:
                self._store.record_event("error", row.pair, self._clock(), bets=row.bets, key=row.key, reason=reason_of(error))
        credited, rolled_back = (0, 0) if self._remote is None else self._remote.recover(after)
        return Recovery(dealt, credited, rolled_back, self.pending())

    def pending(self) -> Pending:
        """How many rounds and transactions of the wallet are not finished, and since when: for a health check, or a metric."""
        return Pending.of(self._store.open_rounds(), self._store.unfinished_legs())

    # What is signed

    @property
    def key_set(self) -> KeySet:
        """The signer's public keys, to be published. Raises SigningKeyError for a House without a signer."""
        if self._mouth is None:
            raise SigningKeyError("signer", "a House with one", "a House without one")
        return self._mouth.signer.key_set

    def statements(self, pair: SeedPair | str, nonce: int | None = None) -> tuple[str, ...]:
        """What is signed about a pair: its opening and its closing; or about one nonce, its acceptance and its receipt.

        Empty where nothing is. Raises PairError and NonceError.
        """
        number, place = self._row(pair).number, ABOUT_PAIR if nonce is None else parse_nonce(nonce)
        return tuple(statement.text for statement in self._store.signed_statements(number, place, place))

    def statement_page(self, pair: SeedPair | str, *, after: int | None = None, limit: int = 100) -> StatementPage:
        """What is signed about a pair, its opening and its closing, and then coup by coup; a page is of at most so many coups.

        `after` is the `next` of the page before, `limit` 1 to 1000. Raises PairError, NonceError, RequestError.
        """
        limit = read_count(limit, "limit of a page", MAX_PAGE)
        return read_statements(self._store, self._row(pair), None if after is None else parse_nonce(after), limit)

    def sequence(self, log: LogWriter, limit: int = MAX_ID) -> int:
        """Append what is signed and not in the log yet, each once and in order, at most so many. Returns how many statements.

        What is signed while it runs may be left for the next call. One process does this for a database, again and again: all that it needs
        after a crash is to be called again. Raises LogStoreError for the log of another database.
        """
        return sequence(self._store, log, read_count(limit, "limit", MAX_ID))

    def prove(
        self, bettor: str, *, log: TileLog | None = None, keys: KeySet | None = None, witnesses: Iterable[NoteKey] = ()
    ) -> Iterator[bytes]:
        """The lines of a bettor's history file: everything that is signed about the bettor's pairs in the House's currency.

        `log` is the log that it is in, `witnesses` the keys of those who cosign it, `keys` the operator's key set where the House has no
        signer. Raises RequestError, SigningKeyError, and LogStoreError for a log that can't be read.
        """
        name, currency = read_name(bettor, "bettor"), write_currency(self._offer.currency)
        return write_history(
            self._store,
            self._store.pairs(name, currency),
            self.key_set if keys is None else keys,
            bettor=name,
            currency=self._offer.currency,
            made_at=self._clock(),
            log=log,
            witnesses=witnesses,
        )

    # Money

    def deposit(self, bettor: str, amount: int, key: str) -> CashRow:
        """Put money into a bettor's account, once for each key. Raises AmountError, KeyConflictError, RequestError."""
        return self._move_cash("deposit", bettor, amount, key)

    def withdraw(self, bettor: str, amount: int, key: str) -> CashRow:
        """Pay money out of a bettor's account, once for each key. Raises FundsError, AmountError, KeyConflictError, RequestError."""
        return self._move_cash("withdrawal", bettor, amount, key)

    def balance(self, bettor: str) -> int:
        """What a bettor has, in whole smallest currency units; 0 where nobody of that name was seen.

        Where the money is in the operator's own wallet, that is asked, if it has a method `balance`. Raises WalletElsewhereError if it has
        none, WalletTimeoutError if it gives no answer.
        """
        name, currency = read_name(bettor, "bettor"), write_currency(self._offer.currency)
        return (self._store.balance(name, currency) or 0) if self._remote is None else self._remote.balance(name, currency)

    def currencies(self, bettor: str) -> tuple[Currency | None, ...]:
        """The currencies in which the store's ledger has an account of a bettor. Raises RequestError."""
        return tuple(map(stored_currency, self._store.currencies(read_name(bettor, "bettor"))))

    # History

    def round_at(self, pair: SeedPair | str, nonce: int) -> RecalledRound | None:
        """The round of a pair that has this nonce, or None where no bet has spent it. Raises PairError and NonceError."""
        kept = self._row(pair)
        row = self._store.round_at(kept.number, parse_nonce(nonce))
        if row is None:
            return None
        known = self._reader.pair(kept)
        return recalled(known, Recorder(known), row, is_remote=kept.is_remote)

    def recall(self, bettor: str, n: int = 10) -> tuple[RecalledRound, ...]:
        """A bettor's last n rounds in the House's currency, the latest first. Raises RequestError."""
        name, limit = read_name(bettor, "bettor"), read_count(n, "rounds to recall", MAX_PAGE)
        return self.history(bettor=name, limit=limit, is_latest_first=True).rounds

    def history(
        self,
        *,
        pair: SeedPair | str | None = None,
        bettor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        after: int | None = None,
        limit: int = 100,
        is_latest_first: bool = False,
        may_lack_records: bool = False,
    ) -> HistoryPage:
        """A page of rounds in the order they were accepted: of a pair, a bettor or all, accepted from `since` on and before `until`.

        `after` is the `next` of the page before, `limit` 1 to 1000. A bettor's rounds are those in the House's currency. Raises PairError or
        RequestError, a VerificationError for a stored round that can't be right, and OwnBetError for one with a bet that this House no
        longer knows; with `may_lack_records` that one has no record, and the others are told all the same.
        """
        limit = read_count(limit, "limit of a page", MAX_PAGE)
        number = None if pair is None else self._row(pair).number
        name = None if bettor is None else read_name(bettor, "bettor")
        since, until = read_time(since, "since"), read_time(until, "until")
        after = None if after is None else read_count(after, "after", MAX_ID)
        currency = write_currency(self._offer.currency)
        query = RoundQuery(limit, number, name, currency, since, until, after, is_latest_first)
        return read_page(self._store, self._reader, query, may_lack_records=may_lack_records)

    def events(self, pair: SeedPair | str | None = None, *, after: int = 0, limit: int = MAX_PAGE) -> list[EventRow]:
        """Refusals, commits, reveals, errors and the like, in order, of a pair or of all, behind an event's id."""
        number = None if pair is None else self._row(pair).number
        after = 0 if after == 0 else read_count(after, "after", MAX_ID)
        return self._store.events(number, after=after, limit=read_count(limit, "limit", MAX_PAGE))

    def export(self, form: ExportForm = "jsonl", *, pair: SeedPair | str | None = None, bettor: str | None = None) -> Iterator[bytes]:
        """Dealt rounds of a pair, a bettor or all as lines of canonical JSON or CSV, in UTF-8.

        Raises RequestError for another form or a name that is none, PairError for a pair that is not there.
        """
        number = None if pair is None else self._row(pair).number
        name = None if bettor is None else read_name(bettor, "bettor")
        query = RoundQuery(MAX_PAGE, number, name, write_currency(self._offer.currency))
        return export_rounds(read_all(self._store, self._reader, query), form)

    def verify_history(self, pair: SeedPair | str) -> VerifiedHistory:
        """Replay all coups of a revealed pair: commitment, nonces, cards and money. Raises the VerificationError that fits.

        A pair with a seed chain need not be revealed: all coups that are settled in order are replayed.
        """
        return verify_history(self._store, self._reader, self._row(pair))

    def verify_books(self) -> tuple[BalanceSheet, ...]:
        """Add up all postings and balances. Raises LedgerMismatchError where they don't fit."""
        return verify_books(self._store)

    def reseal(self, key_id: str, limit: int = MAX_PAGE) -> int:
        """Seal secrets that are under an old key anew under the vault's, at most so many. Returns how many there were."""
        limit = read_count(limit, "limit", MAX_PAGE)
        rows = self._store.pairs_sealed_under(read_key_id(key_id), limit) if key_id != self._vault.key_id else []
        for row in rows:
            self._store.reseal_pair(row.number, row.sealed, self._vault.reseal(row.sealed, binding_of(row)), self._clock())
        return len(rows)

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What the methods above have in common

    def _row(self, pair: SeedPair | str) -> PairRow:
        return find_pair(self._store, read_pair_id(pair))

    def _open(self, pair: SeedPair | str) -> OpenPair:
        return self._dealer.open(read_pair_id(pair))

    def _close(self, row: PairRow) -> PairRow:
        pair = self._reader.pair(row)
        return self._store.close_pair(row.number, self._clock(), self._dealer.signs_of(row, pair, Recorder(pair)))

    def _move_cash(self, kind: CashKind, bettor: str, amount: int, key: str) -> CashRow:
        if self._remote is not None:
            raise WalletError(kind, "a House whose ledger keeps the money", "one with an operator's own wallet")
        name, key = read_name(bettor, "bettor"), read_name(key, "key")
        order = CashOrder(
            kind, name, write_currency(self._offer.currency), read_amount(amount, f"amount of the {kind}"), key, self._clock()
        )
        try:
            return self._store.move_cash(order)
        except FundsError as refusal:
            raise with_other_currencies(self._store, refusal, name, self._offer.currency) from None
