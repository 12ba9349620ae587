"""Every error that this package raises, in one tree.

    BaccaratError                     what every caller may catch
    |-- CardError                     text or values that are not a card
    |-- DealError                     cards that no coup can be dealt from
    |-- RoadError                     coups or text that no scoreboard can show
    |-- MoneyError
    |   |-- PayTableError             a multiplier, stake step or bet that no table can offer
    |   |   `-- NeedsError            an event that looks at more than its bet declares
    |   |-- BetError                  bets that are not a mapping from bet name to stake
    |   |   |-- UnknownBetError       a bet that the pay table does not offer
    |   |   `-- StakeError            a stake that is not a whole number from 1 in steps
    |   |-- AmountError               an amount above 10^38 - 1
    |   `-- OddsError                 a question about odds that has no answer
    |-- SeedError
    |   |-- ServerSeedError           not 32 bytes, or not 64 lower-case hex digits
    |   |-- ClientSeedError           not 1 to 128 bytes of acceptable UTF-8
    |   |-- CommitmentError           not 32 bytes, or not 64 lower-case hex digits
    |   |-- NonceError                not a whole number from 0 to 2^53 - 1
    |   |-- DecksError                not a whole number from 1 to 8
    |   |-- DrawError                 a draw that 32-bit words cannot serve
    |   |-- SchemeError               a scheme nobody knows
    |   |-- ChainError                a length or anchor that no seed chain has
    |   `-- SecretError               a server seed was about to be written somewhere
    |-- KernelError                   a path, thread count or buffer that the kernel cannot work with
    |-- LaboratoryError               a simulation or a stream that nobody can run
    |-- RecordError                   JSON that is not a round record
    |-- VerificationError             the replay and the claim differ
    |   |-- SeedTextError             a seed or commitment in a form that cannot be the right one
    |   |-- CommitmentMismatchError   the server seed is not the one committed to
    |   |-- LinkMismatchError         the link of a seed chain is not the one of this nonce
    |   |-- ChainMismatchError        the record names another chain
    |   |-- NotRevealedError          there is no server seed to replay from
    |   |-- SchemeMismatchError       the record names another scheme or label
    |   |-- DecksMismatchError        the record names another number of decks
    |   |-- ServerSeedMismatchError   the record names another server seed
    |   |-- ClientSeedMismatchError   the record names another client seed
    |   |-- NonceMismatchError        the record names another nonce
    |   |-- IndexMismatchError        the record names another place in a shoe
    |   |-- CutMismatchError          the seeds give another cut
    |   |-- CardsMismatchError        the seeds give other cards
    |   |-- CoupMismatchError         the cards give other hands, scores or another winner
    |   |-- PayTableMismatchError     another pay table than its digest or the offer says
    |   |-- SettlementMismatchError   a bet, return or sum that the pay table does not give
    |   |-- HistoryMismatchError      stored rounds or signed statements that do not fit together
    |   |-- LedgerMismatchError       postings, balances and rounds do not add up
    |   |-- StatementError            a text that is no statement of this signer
    |   |   |-- StatementFormError    not three parts of base64url, or a payload that is not canonical or not complete
    |   |   |-- StatementHeaderError  another algorithm, or a header in another spelling
    |   |   |-- StatementKindError    a statement of another kind
    |   |   |-- UnknownKeyError       a key that is not in the key set
    |   |   |-- KeyTimeError          a statement from outside the time of its key
    |   |   `-- SignatureError        a signature that does not verify
    |   |-- LogError                  something that no honest log would show
    |   |   |-- CheckpointError       text that is no checkpoint of this log
    |   |   |-- InclusionError        a proof that does not lead from the entry to the root
    |   |   |-- ConsistencyError      a proof that does not lead from the old root to the new one
    |   |   |-- SplitViewError        two checkpoints of one log that cannot both be true
    |   |   `-- LogPromiseError       a statement that is not in the log in time
    |   |-- HistoryFileError          a line that no history file has there
    |   |-- LeftOutError              something that the bettor kept is not in a history file
    |   |-- EquivocationError         two signed statements that cannot both be true
    |   `-- BeaconError               a beacon's round that is not the one that was named
    |-- SigningKeyError               a key, key file or key set that nobody can sign or verify with
    |-- LogStoreError                 a log on disk that cannot be read or written
    |-- AuditError                    input that an audit cannot begin with
    |-- HouseError                    what an operator's house refuses or cannot do
    |   |-- RequestError              a name, key, amount or page that no request can have
    |   |-- KeyConflictError          a key that already stands for another request
    |   |-- PairError                 a seed pair that is not there
    |   |   |-- PairStateError        a seed pair in a state that does not allow this
    |   |   |-- PairCapError          a seed pair that has dealt all its coups
    |   |   `-- PairNonceError        another nonce comes next than the caller expects
    |   |-- LimitError                a stake or payout outside the house's limits
    |   |-- GuardError                a guard refused the bet
    |   |   `-- GuardFailedError      a guard that failed to answer
    |   |-- FundsError                an account without enough money
    |   |-- OwnBetError               a bet of an earlier pair that the house was not opened with
    |   |-- BettorEdgeError           a pay table that loses in the long run
    |   |-- VaultError                a sealed server seed that cannot be made or opened
    |   |   |-- VaultKeyError         no such key, or not a key
    |   |   `-- SealError             the wrong key, or a changed byte
    |   |-- StoreError                a database that cannot do what it is asked
    |   |   |-- StoreBusyError        another process writes to the database
    |   |   |-- StoreFullError        no room on the disk
    |   |   |-- StoreReadOnlyError    a database that is open for reading only
    |   |   `-- SchemaError           tables of an older or newer version, or changed ones
    |   `-- WalletError               an operator's own wallet
    |       |-- WalletRefusedError    the wallet says no, for good
    |       |-- WalletGivenUpError    a bet whose debit is given up: it needs a new key
    |       |-- WalletElsewhereError  a balance that only the operator's own wallet knows
    |       |-- WalletConflictError   a transaction id that already stands for another transaction
    |       `-- WalletTimeoutError    no definite answer yet
    `-- WebError                      what a router of the web refuses before it asks the house
        |-- BodyError                 a body that is not the JSON object that was asked for
        |   |-- BodySizeError         a body that is too long
        |   `-- BodyTypeError         a body of another media type than JSON
        |-- KeyMissingError           a bet without an Idempotency-Key
        |-- KeyInFlightError          a key whose first request is not answered yet
        |-- NotFoundError             a round, a key set or a part of a log that is not there
        `-- StreamLimitError          too many live feeds at once

Each class has a stable `code`; programs compare codes, people read the text. Whatever was found is described in the text, except
server seeds: those are only ever told by their length and the kind of their characters.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Slip:
    """A likely mistake behind an error: a stable `code` and a `sentence` that says how to mend it."""

    code: str
    sentence: str

    def __str__(self) -> str:
        return self.sentence


class BaccaratError(Exception):
    """Something this package refuses, said so that it can be mended.

    `subject` names what was wrong, `expected` what it should have been, `found` what it was; `slips` are the likely mistakes, best guess
    first, and `hint` is their text.
    """

    code: ClassVar[str] = "baccarat"

    def __init__(self, subject: str, expected: str, found: str, slips: Iterable[Slip] = ()) -> None:
        self.subject = subject
        self.expected = expected
        self.found = found
        self.slips = tuple(slips)
        super().__init__(subject, expected, found, self.slips)

    @property
    def hint(self) -> str | None:
        """What to try next, or None where nothing better than the error itself can be said."""
        return " ".join(slip.sentence for slip in self.slips) or None

    def __str__(self) -> str:
        text = f"{self.subject}: expected {self.expected}, found {self.found.removesuffix('.')}."
        return f"{text} {self.hint}" if self.slips else text


class CardError(BaccaratError):
    """Text or values that are not a card."""

    code = "card"


class DealError(BaccaratError):
    """Cards that no coup can be dealt from."""

    code = "deal"


class RoadError(BaccaratError):
    """Coups or text that no scoreboard can show."""

    code = "road"


class MoneyError(BaccaratError):
    """Whatever is wrong about bets, stakes, multipliers or amounts."""

    code = "money"


class PayTableError(MoneyError):
    """A multiplier, stake step or bet that no table can offer."""

    code = "money.pay_table"


class NeedsError(PayTableError):
    """An event of an operator's own bet that looks at more than the bet declares, so that its odds would be counted wrongly."""

    code = "money.pay_table.needs"


class BetError(MoneyError):
    """Bets that are not a mapping from bet name to stake."""

    code = "money.bet"


class UnknownBetError(BetError):
    """A bet that the pay table does not offer."""

    code = "money.bet.unknown"


class StakeError(BetError):
    """A stake that is not a whole number of the smallest currency unit, from 1 and in the table's steps."""

    code = "money.bet.stake"


class AmountError(MoneyError):
    """An amount above 10^38 - 1 (protocol step 7)."""

    code = "money.amount"


class OddsError(MoneyError):
    """A question about odds that has no answer, like a confidence of more than 1."""

    code = "money.odds"


class SeedError(BaccaratError):
    """Whatever is wrong about the inputs of a derivation (protocol step 1)."""

    code = "seed"


class ServerSeedError(SeedError):
    """Not 32 bytes, or not 64 lower-case hex digits."""

    code = "seed.server_seed"


class ClientSeedError(SeedError):
    """Not 1 to 128 bytes of UTF-8, or with a code point that protocol step 1 refuses."""

    code = "seed.client_seed"


class CommitmentError(SeedError):
    """Not 32 bytes, or not 64 lower-case hex digits."""

    code = "seed.commitment"


class NonceError(SeedError):
    """Not a whole number from 0 to 2^53 - 1."""

    code = "seed.nonce"


class DecksError(SeedError):
    """Not a whole number from 1 to 8."""

    code = "seed.decks"


class DrawError(SeedError):
    """A draw from so many cards that the words of the stream cannot serve it."""

    code = "seed.draw"


class SchemeError(SeedError):
    """A scheme nobody knows."""

    code = "seed.scheme"


class ChainError(SeedError):
    """A length or anchor that no seed chain has (protocol step 8)."""

    code = "seed.chain"


class SecretError(SeedError):
    """A server seed was about to be written somewhere: only `ServerSeed.reveal()` does that."""

    code = "seed.secret"


class KernelError(BaccaratError):
    """A path, thread count or buffer that the kernel cannot work with."""

    code = "kernel"


class LaboratoryError(BaccaratError):
    """A simulation or a stream that nobody can run: a number of rounds, a form, or entropy of another size."""

    code = "laboratory"


class RecordError(BaccaratError):
    """JSON that is not a round record, or not in its one spelling."""

    code = "record"


class VerificationError(BaccaratError):
    """The replay and the claim differ.

    `expected` is what follows from the seeds (for a commitment: the one that was published), `found` is what was claimed or given.
    """

    code = "verification"


class SeedTextError(VerificationError):
    """A seed or commitment in a form that cannot be the right one."""

    code = "verification.seed_text"


class CommitmentMismatchError(VerificationError):
    """The server seed is not the one that was committed to (protocol step 2)."""

    code = "verification.commitment"


class LinkMismatchError(VerificationError):
    """The link of a seed chain is not the one of this nonce: hashing it does not lead to the anchor (protocol step 8)."""

    code = "verification.link"


class ChainMismatchError(VerificationError):
    """The record names another chain."""

    code = "verification.chain"


class NotRevealedError(VerificationError):
    """There is no server seed to replay from: a seed that is not revealed counts as a failed verification (protocol step 9)."""

    code = "verification.not_revealed"


class SchemeMismatchError(VerificationError):
    """The record names another scheme or label."""

    code = "verification.scheme"


class DecksMismatchError(VerificationError):
    """The record names another number of decks."""

    code = "verification.decks"


class ServerSeedMismatchError(VerificationError):
    """The record names another server seed."""

    code = "verification.server_seed"


class ClientSeedMismatchError(VerificationError):
    """The record names another client seed, or its text and its hex differ."""

    code = "verification.client_seed"


class NonceMismatchError(VerificationError):
    """The record names another nonce."""

    code = "verification.nonce"


class IndexMismatchError(VerificationError):
    """The record names another place in a shoe."""

    code = "verification.index"


class CutMismatchError(VerificationError):
    """The seeds give another cut (protocol step 5.2)."""

    code = "verification.cut"


class CardsMismatchError(VerificationError):
    """The seeds give other cards (protocol step 5.3)."""

    code = "verification.cards"


class CoupMismatchError(VerificationError):
    """The cards give other hands, scores or another winner (protocol step 6)."""

    code = "verification.coup"


class PayTableMismatchError(VerificationError):
    """The record's pay table is not the one that its digest, or the offer that the bettor kept, says."""

    code = "verification.pay_table"


class SettlementMismatchError(VerificationError):
    """A bet's status or return, or a sum, that the pay table does not give (protocol step 7)."""

    code = "verification.settlement"


class HistoryMismatchError(VerificationError):
    """Stored rounds or signed statements that do not fit together."""

    code = "verification.history"


class LedgerMismatchError(VerificationError):
    """Postings, balances and rounds do not add up."""

    code = "verification.ledger"


class StatementError(VerificationError):
    """A text that is no statement of this signer."""

    code = "verification.statement"


class StatementFormError(StatementError):
    """Not three parts of base64url, or a payload that is not in canonical form or not complete."""

    code = "verification.statement.form"


class StatementHeaderError(StatementError):
    """Another algorithm than Ed25519, or a header in another spelling."""

    code = "verification.statement.header"


class StatementKindError(StatementError):
    """A statement of another kind than the one that was asked for."""

    code = "verification.statement.kind"


class UnknownKeyError(StatementError):
    """A statement whose key is not in the key set."""

    code = "verification.statement.unknown_key"


class KeyTimeError(StatementError):
    """A statement from outside the time in which its key signs."""

    code = "verification.statement.key_time"


class SignatureError(StatementError):
    """A signature that does not verify: another key, or a changed byte."""

    code = "verification.statement.signature"


class LogError(VerificationError):
    """Something that no honest log would show."""

    code = "verification.log"


class CheckpointError(LogError):
    """Text that is no signed checkpoint of this log."""

    code = "verification.log.checkpoint"


class InclusionError(LogError):
    """An inclusion proof that does not lead from the entry to the root."""

    code = "verification.log.inclusion"


class ConsistencyError(LogError):
    """A consistency proof that does not lead from the old root to the new one."""

    code = "verification.log.consistency"


class SplitViewError(LogError):
    """Two checkpoints of one log that cannot both be true: the operator shows different logs to different people."""

    code = "verification.log.split_view"


class LogPromiseError(LogError):
    """A statement that is not in the log although its promise ran out."""

    code = "verification.log.promise"


class HistoryFileError(VerificationError):
    """A line that no history file has there: not canonical, out of order, or of another form."""

    code = "verification.history_file"


class LeftOutError(VerificationError):
    """A commitment that the bettor was shown, or a statement that it kept, is not in the history file."""

    code = "verification.left_out"


class EquivocationError(VerificationError):
    """Two signed statements that cannot both be true. Together they convict whoever signed them."""

    code = "verification.equivocation"


class BeaconError(VerificationError):
    """A beacon's round that is not the one that was named, or not what it says it is."""

    code = "verification.beacon"


class SigningKeyError(BaccaratError):
    """A key, key file or key set that nobody can sign or verify with."""

    code = "signing_key"


class LogStoreError(BaccaratError):
    """A log on disk that cannot be read or written, or that was changed."""

    code = "log_store"


class AuditError(BaccaratError):
    """Input that an audit cannot begin with: other columns, another version, or a work directory of another audit."""

    code = "audit"


class HouseError(BaccaratError):
    """Whatever an operator's house refuses or cannot do."""

    code = "house"


class RequestError(HouseError):
    """A name, key, amount or page that no request can have."""

    code = "house.request"


class KeyConflictError(HouseError):
    """An idempotency key that already stands for another request."""

    code = "house.key_conflict"


class PairError(HouseError):
    """A seed pair that is not there."""

    code = "house.pair"


class PairStateError(PairError):
    """A seed pair in a state that does not allow this: states only go from committed to active, closing and revealed."""

    code = "house.pair.state"


class PairCapError(PairError):
    """A seed pair that has dealt all the coups it was committed for."""

    code = "house.pair.cap"


class PairNonceError(PairError):
    """Another nonce comes next than the caller expects."""

    code = "house.pair.nonce"


class LimitError(HouseError):
    """A stake or a payout outside the house's limits."""

    code = "house.limit"


class GuardError(HouseError):
    """A guard refused the bet."""

    code = "house.guard"


class GuardFailedError(GuardError):
    """A guard failed to answer, so that the bet was refused."""

    code = "house.guard.failed"


class FundsError(HouseError):
    """An account without enough money."""

    code = "house.funds"


class OwnBetError(HouseError):
    """A bet of the operator's own that an earlier pair offers, and that the house was not opened with."""

    code = "house.own_bet"


class BettorEdgeError(HouseError):
    """A pay table with a bet that returns more than it takes in the long run."""

    code = "house.bettor_edge"


class VaultError(HouseError):
    """A sealed server seed that cannot be made or opened."""

    code = "house.vault"


class VaultKeyError(VaultError):
    """No such key, or something that is not a key."""

    code = "house.vault.key"


class SealError(VaultError):
    """A sealed server seed that does not open: the wrong key, or a changed byte."""

    code = "house.vault.seal"


class StoreError(HouseError):
    """A database that cannot do what it is asked."""

    code = "house.store"


class StoreBusyError(StoreError):
    """Another process writes to the database."""

    code = "house.store.busy"


class StoreFullError(StoreError):
    """No room for the database to grow."""

    code = "house.store.full"


class StoreReadOnlyError(StoreError):
    """A database that is open for reading only."""

    code = "house.store.read_only"


class SchemaError(StoreError):
    """A database with the tables of an older or newer version, or with changed ones."""

    code = "house.store.schema"


class WalletError(HouseError):
    """Whatever goes wrong with an operator's own wallet."""

    code = "house.wallet"


class WalletRefusedError(WalletError):
    """The wallet refused a transaction, for good."""

    code = "house.wallet.refused"


class WalletGivenUpError(WalletError):
    """A bet whose debit is given up: nothing was taken for it, or it is given back."""

    code = "house.wallet.given_up"


class WalletElsewhereError(WalletError):
    """A balance that only the operator's own wallet knows, and that it doesn't tell the house."""

    code = "house.wallet.elsewhere"


class WalletConflictError(WalletError):
    """A transaction id that already stands for another transaction."""

    code = "house.wallet.conflict"


class WalletTimeoutError(WalletError):
    """The wallet gave no definite answer yet."""

    code = "house.wallet.timeout"


class WebError(BaccaratError):
    """What a router of the web refuses before it asks the house."""

    code = "web"


class BodyError(WebError):
    """A body that is not the JSON object that was asked for."""

    code = "web.body"


class BodySizeError(BodyError):
    """A body that is too long."""

    code = "web.body.size"


class BodyTypeError(BodyError):
    """A body of another media type than JSON."""

    code = "web.body.type"


class KeyMissingError(WebError):
    """A bet without an Idempotency-Key."""

    code = "web.key_missing"


class KeyInFlightError(WebError):
    """An Idempotency-Key whose first request is not answered yet."""

    code = "web.key_in_flight"


class NotFoundError(WebError):
    """A round, a key set or a part of a log that is not there."""

    code = "web.not_found"


class StreamLimitError(WebError):
    """Too many live feeds at once."""

    code = "web.streams"


def describe(value: object) -> str:
    """Tell a value in an error text: its `repr`, cut to what one can read, and its type where that is what is wrong."""
    try:
        return _describe(value)
    except Exception:  # noqa: BLE001 (an input's own broken methods must not hide what is wrong with the input)
        return "a value that cannot be shown"


def nearest(name: object, known: Iterable[str]) -> tuple[Slip, ...]:
    """The slip of a misspelt name, where a known one is near enough."""
    if type(name) is not str or len(name) > _LONGEST_NAME:
        return ()
    return tuple(Slip("misspelt", f"Did you mean {match!r}?") for match in get_close_matches(name, list(known), n=1))


_LONGEST_NAME = 100


def _describe(value: object) -> str:
    if value is None:
        return "None"
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return f"{type(value).__name__} {reprlib.repr(value)}"
    if isinstance(value, int):
        return int.__repr__(value) if -(10**40) < value < 10**40 else f"a whole number of {int.bit_length(value)} bits"
    text = str.__repr__(value[:_LONGEST_NAME])
    return text if len(value) <= 80 else f"{text[:60]}... ({len(value)} characters)"
