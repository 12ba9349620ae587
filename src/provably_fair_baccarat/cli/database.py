"""The house's database and its vault, as a command line names them: by a URL and a key file.

No module of the house is loaded before one of them is opened. A URL may hold a password, so it is never repeated in a text.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

from ..errors import SchemaError, Slip, StoreError, WalletError, describe
from ..fairness.seeds import operating_system_entropy
from .failures import misused

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..house import House, PostgresStore, SeedPair, SqliteStore, Vault
    from ..house.pairs import Currency
    from ..receipts import LogPromise, Signer
    from ..rules.bets import Bet

    AnyStore = SqliteStore | PostgresStore

SIGNING_KEYS: Final = "PFB_SIGNING_KEYS"
"""The environment's name for the key file that a house signs with."""

LOG_PROMISE: Final = "PFB_LOG_PROMISE"
"""The environment's name for the log that a house promises its statements to: within how many seconds, a space, and the log's key."""

_SQLITE: Final = "sqlite:///"
_POSTGRES: Final = ("postgresql://", "postgres://")
_MIGRATE = Slip("not_migrated", "pfb db migrate brings it up to date.")


@dataclass(frozen=True, slots=True)
class Database:
    """A house's database: a SQLite file by its path, or a PostgreSQL database by its URL."""

    is_file: bool
    where: str = field(repr=False)

    @classmethod
    def parse(cls, url: str) -> Database:
        """Read `sqlite:///` and a path, `sqlite:////` and an absolute one, or `postgresql://` and what libpq makes of the rest."""
        if url.startswith(_POSTGRES):
            return cls(is_file=False, where=url)
        path = url.removeprefix(_SQLITE)
        if path != url and path not in ("", ":memory:"):
            return cls(is_file=True, where=path)
        scheme = re.match(r"[a-z][a-z0-9+.-]*(?=://)", url, re.ASCII)
        found = "text without a scheme" if scheme is None else describe(f"{scheme[0]}://...")
        raise misused(f"A database is sqlite:///path/to/house.db or postgresql://user@host/name, not {found}.")

    def store_type(self) -> type[SqliteStore | PostgresStore]:
        """The kind of store that it needs. Raises a usage error that names the extra where that is not installed."""
        if self.is_file:
            from ..house import SqliteStore  # noqa: PLC0415 (the house is loaded by those who open one)

            return SqliteStore
        try:
            from ..house import PostgresStore  # noqa: PLC0415 (the house is loaded by those who open one)
        except ImportError as missing:
            raise misused(str(missing)) from None
        return PostgresStore

    def require_file(self) -> None:
        """Raise StoreError if this is a SQLite file that is not there, or a folder: only `pfb db migrate` makes a file."""
        if self.is_file and not Path(self.where).exists():
            raise StoreError(f"database {self.where}", "a file that exists", "none", (Slip("no_database", "pfb db migrate makes it."),))
        if self.is_file and Path(self.where).is_dir():
            raise StoreError(f"database {self.where}", "a file", "a folder")

    def require_current(self) -> None:
        """Raise SchemaError unless all migrations are applied, and StoreError for a file that is not there. Nothing is changed."""
        self.require_file()
        missing = [step for step in self.store_type().migration_status(self.where) if not step.is_applied]
        if missing:
            raise SchemaError("schema of the database", "all migrations", f"{len(missing)} that are not applied", (_MIGRATE,))


@contextmanager
def open_store(database: Database, *, is_read_only: bool = False) -> Generator[AnyStore]:
    """Open a database whose tables are there and up to date, and close it at the end."""
    database.require_current()
    with database.store_type()(database.where, is_read_only=is_read_only) as store:
        yield store


@contextmanager
def reading_house(database: Database, currency: Currency | None = None, *, own_bets: tuple[Bet, ...] = ()) -> Generator[House]:
    """A house that only reads, so that it needs no key and can look at a file that another process writes to."""
    from ..house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    with open_store(database, is_read_only=True) as store:
        yield House(store, empty_vault(), currency=currency, own_bets=own_bets)


def is_in_wallet(store: AnyStore, bettor: str, currency: Currency | None) -> bool:
    """Whether the money under a bettor's latest pair is in an operator's own wallet, which the command line has not."""
    from ..house.history import write_currency  # noqa: PLC0415 (the house is loaded by those who open one)

    rows = store.pairs(bettor, write_currency(currency))
    return bool(rows) and rows[-1].is_remote


def pair_house(store: AnyStore, vault: Vault, pair: str, own_bets: tuple[Bet, ...] = ()) -> tuple[House, SeedPair]:
    """A house that offers what it offered when it committed to this pair, and the pair: a pair that follows will be like it.

    Raises WalletError for a pair whose money is in the operator's own wallet, which the command line has not.
    """
    from ..house import House  # noqa: PLC0415 (the house is loaded by those who open one)

    signing = house_signing()
    known = House(store, vault, own_bets=own_bets).pair(pair)
    row = store.pair(known.id)
    if row is not None and row.is_remote:
        raise WalletError(f"pair {known.id}", "one whose money is in the house's own ledger", "one of an operator's wallet")
    offer = House(
        store,
        vault,
        pay_table=known.pay_table,
        decks=known.decks,
        cap=known.cap,
        chain_length=None if known.chain is None else known.chain.length,
        currency=known.currency,
        **signing,
        allow_bettor_edge=True,  # whoever committed to the pair has allowed it
    )
    return offer, known


class Signing(TypedDict):
    """What a house signs with, and which log it promises that to."""

    signer: Signer | None
    log_promise: LogPromise | None


def house_signing() -> Signing:
    """The keys of the file that PFB_SIGNING_KEYS names, and the promise of PFB_LOG_PROMISE. Raises SigningKeyError."""
    name, promise = os.environ.get(SIGNING_KEYS), os.environ.get(LOG_PROMISE)
    if not name:
        return Signing(signer=None, log_promise=None)
    from ..receipts import Signer  # noqa: PLC0415 (signatures are loaded by those who make one)

    return Signing(signer=Signer.from_key_file(name), log_promise=_read_promise(promise) if promise else None)


def _read_promise(text: str) -> LogPromise:
    """A promise as `SECONDS LOG_KEY`. Raises a usage error, and SigningKeyError for what is no key of a log."""
    from ..receipts import LogPromise  # noqa: PLC0415 (signatures are loaded by those who make one)
    from ..receipts.log import NoteKey  # noqa: PLC0415
    from ..receipts.statements import MAX_DELAY  # noqa: PLC0415

    seconds, _, key = text.partition(" ")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", seconds, re.ASCII) or int(seconds) > MAX_DELAY:
        raise misused(f"{LOG_PROMISE} is a number of seconds up to {MAX_DELAY:,}, a space, and a log's key, not {describe(text)}.")
    log = NoteKey.parse(key)
    if log.role != "log":
        raise misused(f"{LOG_PROMISE} has the key of a log, and {log.name} is a witness.")
    return LogPromise(key=str(log), maximum_delay=int(seconds))


def open_vault(key_file: str) -> Vault:
    """The vault with the keys of a file. Raises VaultKeyError."""
    from ..house import Vault  # noqa: PLC0415 (the house is loaded by those who open one)

    return Vault.from_key_file(key_file)


def empty_vault() -> Vault:
    """A vault that opens nothing: its only key is made at random and goes with it. For what needs no secret, and for houses of a moment."""
    from ..house import Vault  # noqa: PLC0415 (the house is loaded by those who open one)

    return Vault({"momentary": operating_system_entropy(32)}.__getitem__, "momentary")
