"""Verification: replay a round from revealed seeds, compare it with what was claimed, and say what that proves.

The replay is `play_round` itself. Whatever differs raises an error that says what follows from the seeds, what was found instead and which
slip is likely; nothing here ever answers False.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING
from unicodedata import normalize

from .canonical import canonical_json
from .errors import (
    AmountError,
    BaccaratError,
    BetError,
    CardsMismatchError,
    ChainMismatchError,
    ClientSeedMismatchError,
    CommitmentMismatchError,
    CoupMismatchError,
    CutMismatchError,
    DecksMismatchError,
    IndexMismatchError,
    NonceMismatchError,
    NotRevealedError,
    PayTableError,
    PayTableMismatchError,
    RecordError,
    SchemeMismatchError,
    SeedError,
    ServerSeedMismatchError,
    SettlementMismatchError,
    Slip,
    UnknownBetError,
    VerificationError,
    describe,
)
from .fairness.inputs import MAX_NONCE
from .fairness.schemes import scheme_named
from .fairness.seed_pair import Seeds
from .records import RoundRecord
from .rounds import Round, play_round, play_shoe, require_seeds
from .rules.bets import CATALOGUE
from .rules.pay_table import PayTable
from .rules.settlement import Settlement, settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .cards import Card
    from .records import HandForm
    from .rules.coup import Hand


class Grade(Enum):
    """How far a guarantee holds for one round."""

    PROVED = "proved"
    CLAIMED = "claimed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was recomputed and found right, in a sentence for the bettor."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Something a bettor wants to be sure of, how sure it is for this round, and why, in a sentence for the bettor."""

    code: str
    grade: Grade
    sentence: str


@dataclass(frozen=True, slots=True)
class VerifiedRound:
    """What a verification proved: the round, every check that passed, and the guarantees by their code."""

    round: Round
    settlement: Settlement | None
    """The settlement that the record claims, recomputed; None without a record."""
    checks: tuple[Check, ...]
    guarantees: Mapping[str, Guarantee]

    def __hash__(self) -> int:
        return hash((self.round, self.settlement, self.checks))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.round, self.settlement, self.checks, tuple(self.guarantees.values()))


def _restore(played: Round, settlement: Settlement | None, checks: tuple[Check, ...], guarantees: tuple[Guarantee, ...]) -> VerifiedRound:
    return VerifiedRound(played, settlement, checks, _by_code(guarantees))


def _by_code(guarantees: tuple[Guarantee, ...]) -> Mapping[str, Guarantee]:
    return MappingProxyType({guarantee.code: guarantee for guarantee in guarantees})


def verify_round(
    seeds: Seeds, nonce: int, *, index: int | None = None, record: RoundRecord | None = None, pay_table: PayTable | None = None
) -> VerifiedRound:
    """Replay the round of this nonce from revealed seeds, and compare it with its record if there is one.

    `index` is the coup's place in its shoe where the scheme deals shoes. `pay_table` is the offer that the bettor kept: the record must have
    been settled under that very table, and it brings the operator's own bets, without which a record that has some cannot be verified.

    Returns what was proved. Raises a VerificationError for whatever differs, with `code`, `expected` (what follows from the seeds), `found`
    and `hint`; UnknownBetError for a bet of the operator's own without its table; and for what is no input at all NonceError, RecordError
    or PayTableError.
    """
    require_seeds(seeds)
    if pay_table is not None and not isinstance(pay_table, PayTable):
        raise PayTableError("pay table", "a PayTable", describe(pay_table))
    if pay_table is not None and record is None:
        raise RecordError("record", "one to compare with the pay table that was offered", "none")
    if record is not None:
        _require_record(record)
        _compare_origin(seeds, nonce, index, record)
    played = _replay(seeds, nonce, index)
    checks = [
        Check("commitment", _tell_commitment(played)),
        Check("cards", f"The seeds and nonce {nonce} give the cut {played.cut} and the cards {_text(played.cards)}."),
        Check("coup", f"By the tableau these cards give {_tell(played)}."),
    ]
    settlement = None
    if record is not None:
        _compare_cards(seeds, played, record)
        _compare_coup(played, record)
        settlement = _compare_settlement(played, record, pay_table)
        checks += [
            Check("record", "The record names these seeds, this nonce, these cards, hands, scores and this winner."),
            Check("pay_table", f"The record's pay table has the digest {record.pay_table_digest}{_kept(pay_table)}."),
            Check("settlement", _tell_settlement(settlement)),
        ]
    return VerifiedRound(played, settlement, tuple(checks), _guarantees(played, record, settlement, pay_table))


def verify_record(record: RoundRecord, *, pay_table: PayTable | None = None) -> VerifiedRound:
    """Verify a record by the seeds that are revealed in it; otherwise as `verify_round`.

    Raises NotRevealedError if its server seed is not revealed, and SchemeError if nobody knows its scheme.
    """
    _require_record(record)
    if record.server_seed is None:
        raise NotRevealedError("server seed of the record", "a revealed seed", "none")
    chain = None if record.chain is None else record.chain.chain()
    seeds = Seeds(record.server_seed, record.client_seed, record.commitment, record.decks, scheme=record.scheme, chain=chain)
    return verify_round(seeds, record.nonce, index=record.index, record=record, pay_table=pay_table)


def diagnose(error: BaccaratError) -> list[Slip]:
    """The likely slips behind an error, best guess first; every guess was tried before it is told. Empty where nothing fits."""
    return list(error.slips) if isinstance(error, BaccaratError) else []


def _require_record(record: object) -> None:
    if not isinstance(record, RoundRecord):
        slips = (Slip("record_text", "RoundRecord.parse_json reads JSON."),) if isinstance(record, (str, bytes)) else ()
        raise RecordError("record", "a RoundRecord", f"a value of type {type(record).__name__}", slips)


def _replay(seeds: Seeds, nonce: int, index: int | None) -> Round:
    if not scheme_named(seeds.scheme).deals_shoes:
        if index is not None:
            raise IndexMismatchError("index in a shoe", f"none, since {seeds.scheme} deals every coup from a fresh shoe", describe(index))
        return play_round(seeds, nonce)
    rounds = play_shoe(seeds, nonce)
    if type(index) is not int or not 0 <= index < len(rounds):
        raise IndexMismatchError("index in a shoe", f"a whole number from 0 to {len(rounds) - 1}", describe(index))
    return rounds[index]


def _compare_origin(seeds: Seeds, nonce: int, index: int | None, record: RoundRecord) -> None:
    """What the record says about where the round comes from, against what it is verified with."""
    _compare(SchemeMismatchError, "scheme", seeds.scheme, record.scheme)
    _compare(DecksMismatchError, "decks", seeds.decks, record.decks)
    _compare(SchemeMismatchError, "label", seeds.origin.label, record.label)
    _compare(CommitmentMismatchError, "commitment", seeds.commitment, record.commitment)
    _compare(ChainMismatchError, "chain", seeds.origin.chain, None if record.chain is None else record.chain.chain())
    if record.client_seed != seeds.client_seed:
        slips = tuple(_client_seed_slips(seeds.client_seed.text, record.client_seed.text))
        _compare(ClientSeedMismatchError, "client seed", seeds.client_seed, record.client_seed, slips)
    _compare(ClientSeedMismatchError, "client seed in hex", seeds.client_seed.utf8.hex(), record.client_seed_hex)
    if record.server_seed is not None and record.server_seed != seeds.server_seed.reveal():
        raise ServerSeedMismatchError("record, server seed", "the one that was committed to", "another one")
    if record.nonce != nonce:
        _compare(NonceMismatchError, "nonce", nonce, record.nonce, tuple(_nonce_slips(nonce, record.nonce)))
    _compare(IndexMismatchError, "index in a shoe", index, record.index)


def _compare_cards(seeds: Seeds, played: Round, record: RoundRecord) -> None:
    if (played.cut, played.cards) == (record.cut, record.cards):
        return
    slips = tuple(_replay_slips(seeds, played, record))
    _compare(CutMismatchError, "cut", played.cut, record.cut, slips)
    _compare(CardsMismatchError, "cards", _text(played.cards), _text(record.cards), slips)


def _compare_coup(played: Round, record: RoundRecord) -> None:
    coup = played.coup
    for name, dealt, told in (("player", coup.player, record.player), ("banker", coup.banker, record.banker)):
        _compare(CoupMismatchError, f"{name}'s hand", _tell_hand(dealt), _tell_hand(told))
    _compare(CoupMismatchError, "natural", coup.natural, record.natural)
    _compare(CoupMismatchError, "winner", coup.winner.value, record.winner.value)


def _compare_settlement(played: Round, record: RoundRecord, offer: PayTable | None) -> Settlement:
    form = record.pay_table
    own_bets = offer.bets if offer is not None else ()
    for name in form.side_bets:
        if name not in CATALOGUE and all(bet.name != name for bet in own_bets):
            slip = Slip("own_bet", "If it is the operator's own, pass the pay table that has it as `pay_table`.")
            raise UnknownBetError("bet in the record's pay table", "a bet of the catalogue", f"unknown bet {name!r}", (slip,))
    _compare(PayTableMismatchError, "digest of the pay table", _digest(form.model_dump(mode="json")), record.pay_table_digest)
    try:
        table = form.pay_table(own_bets)
    except PayTableError as error:
        raise PayTableMismatchError(f"record, {error.subject}", error.expected, error.found, error.slips) from None
    _compare(PayTableMismatchError, "pay table in its one spelling", table.digest, record.pay_table_digest)
    if offer is not None:
        slips = (Slip("other_offer", "The record was settled under another pay table than the one that was offered."),)
        _compare(PayTableMismatchError, "digest of the pay table that was offered", offer.digest, record.pay_table_digest, slips)
    try:
        settlement = settle(played.coup, {name: bet.stake for name, bet in record.bets.items()}, table)
    except (BetError, AmountError) as error:
        raise SettlementMismatchError(f"record, {error.subject}", error.expected, error.found, error.slips) from None
    for name, line in settlement.lines.items():
        _compare(SettlementMismatchError, f"status of the bet on {name}", line.status, record.bets[name].status)
        _compare(SettlementMismatchError, f"return of the bet on {name}", line.returned, record.bets[name].returned)
    for name in ("staked", "returned", "net"):
        _compare(SettlementMismatchError, f"sum {name}", getattr(settlement, name), getattr(record.totals, name))
    return settlement


def _compare(mismatch: type[VerificationError], subject: str, expected: object, found: object, slips: Iterable[Slip] = ()) -> None:
    if expected != found:
        raise mismatch(f"record, {subject}", str(expected), str(found), slips)


def _digest(form: Mapping[str, object]) -> str:
    return sha256(canonical_json(form)).hexdigest()  # type: ignore[arg-type]  # a dumped model is JSON


def _nonce_slips(given: int, recorded: int) -> Iterator[Slip]:
    if abs(given - recorded) == 1:
        yield Slip("nonce", f"The nonce is one too {'low' if given < recorded else 'high'}: the record is of nonce {recorded}.")


def _client_seed_slips(given: str, recorded: str) -> Iterator[Slip]:
    for code, text, sentence in _client_seed_variants(given):
        if text == recorded:
            yield Slip(code, sentence)
    for code, text, _ in _client_seed_variants(recorded):
        if text == given and code in ("trimmed", "case"):
            yield Slip(
                code,
                "The client seed that was given has lost characters at its ends."
                if code == "trimmed"
                else "Its letters have lost their case.",
            )


def _client_seed_variants(text: str) -> Iterator[tuple[str, str, str]]:
    """Other texts that people take a client seed for: the slip's code, the text, and what to say if it is the right one."""
    yield "nfc", normalize("NFC", text), "The client seed is in another Unicode form: the right one is NFC, with composed characters."
    yield "nfd", normalize("NFD", text), "The client seed is in another Unicode form: the right one is NFD, with characters taken apart."
    yield "trimmed", text.strip(_INVISIBLE), "The right client seed has no invisible characters at its ends."
    yield "case", text.lower(), "The right client seed is in lower case."


_INVISIBLE = " \t\r\n\u180e\u200b\u200c\u200d\u2060\ufeff"
"""What programs trim, or leave, at the ends of a text, though nobody sees it."""


def _replay_slips(seeds: Seeds, played: Round, record: RoundRecord) -> Iterator[Slip]:
    """Which other nonce or client seed gives the cards that the record has."""
    nonce, index = played.nonce, played.index

    def fits(other: Seeds, nonce: int) -> bool:
        try:
            round_ = _replay(other, nonce, index)
        except BaccaratError:
            return False
        return (round_.cut, round_.cards) == (record.cut, record.cards)

    if nonce > 0 and fits(seeds, nonce - 1):
        yield Slip("nonce", f"The nonce is one too high: these are the cards of nonce {nonce - 1}.")
    if nonce < MAX_NONCE and fits(seeds, nonce + 1):
        yield Slip("nonce", f"The nonce is one too low: these are the cards of nonce {nonce + 1}.")
    for code, text, sentence in _client_seed_variants(seeds.client_seed.text):
        try:
            other = Seeds(seeds.server_seed, text, seeds.commitment, seeds.decks, scheme=seeds.scheme)
        except (SeedError, VerificationError):
            continue
        if text != seeds.client_seed.text and fits(other, nonce):
            yield Slip(code, sentence)


def _guarantees(
    played: Round, record: RoundRecord | None, settlement: Settlement | None, offer: PayTable | None
) -> Mapping[str, Guarantee]:
    guarantees = (
        Guarantee("seed_fixed", Grade.PROVED, f"{_tell_commitment(played)} Once that was published, it could not be exchanged."),
        _client_seed_guarantee(played, record),
        Guarantee(
            "unbiased_cards",
            Grade.PROVED,
            "The cut and the cards were drawn from the hash of both seeds without bias: the way of drawing favours no card.",
        ),
        _settlement_guarantee(settlement, offer),
    )
    return _by_code(guarantees)


def _client_seed_guarantee(played: Round, record: RoundRecord | None) -> Guarantee:
    made_by = record.client_seed_made_by if record is not None else None
    operator = " But it was made by the operator's side and not by the bettor." if made_by == "operator" else ""
    if played.client_seed.marks(played.commitment):
        sentence = "The client seed ends with the first digits of the commitment, so it was made after the commitment."
        return Guarantee("client_seed_after_commitment", Grade.PROVED, sentence + operator)
    if made_by == "bettor":
        sentence = "The record says that the bettor made the client seed; nothing in it shows that this was after the commitment."
        return Guarantee("client_seed_after_commitment", Grade.CLAIMED, sentence)
    sentence = "Nothing in this round shows that the client seed was chosen after the commitment was published."
    return Guarantee("client_seed_after_commitment", Grade.UNKNOWN, sentence + operator)


def _settlement_guarantee(settlement: Settlement | None, offer: PayTable | None) -> Guarantee:
    if settlement is None:
        return Guarantee("settlement_exact", Grade.UNKNOWN, "No record was given, so no bets and returns were verified.")
    table = "the pay table that was offered" if offer is not None else "the record's own pay table; compare that with the offer you kept"
    return Guarantee("settlement_exact", Grade.PROVED, f"Every return is exact to the last unit under {table}.")


def _tell_commitment(played: Round) -> str:
    if (chain := played.origin.chain) is None:
        return f"The server seed is the one that was committed to as {played.commitment}."
    hashes = f"{played.nonce + 1} hash{'es' * (played.nonce > 0)}"
    return f"The server seed leads in {hashes} to {chain.anchor}, the anchor of the chain that was committed to as {played.commitment}."


def _kept(offer: PayTable | None) -> str:
    return ", and it is the one that was offered" if offer is not None else ""


def _tell(played: Round) -> str:
    coup = played.coup
    winner = "a tie" if coup.winner.value == "tie" else f"a win for the {coup.winner.value}"
    return f"player {_tell_hand(coup.player)}, banker {_tell_hand(coup.banker)}: {winner}{', by a natural' if coup.natural else ''}"


def _tell_hand(hand: Hand | HandForm) -> str:
    return f"{_text(hand.cards)} = {hand.score}"


def _tell_settlement(settlement: Settlement) -> str:
    if not settlement.lines:
        return "There were no bets, and nothing was returned."
    lines = ", ".join(f"{line.stake} on {line.bet} {line.status} and returned {line.returned}" for line in settlement.lines.values())
    return f"In smallest currency units: {lines}."


def _text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))
