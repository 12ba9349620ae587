"""Verification: replay a round from revealed seeds, compare it with what was claimed, and say what that proves.

The replay is `play_round` itself. Whatever differs raises an error that says what follows from the seeds, what was found instead and which
slip is likely; nothing here ever answers False.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING
from unicodedata import normalize

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
from .fairness.inputs import MAX_DECKS, MAX_NONCE
from .fairness.schemes import SCHEMES
from .fairness.seed_pair import Seeds
from .records import RoundRecord
from .rounds import Round, play_round, play_shoe, read_nonce, require_seeds
from .rules.bets import CATALOGUE
from .rules.pay_table import PayTable
from .rules.settlement import Settlement, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from .cards import Card
    from .fairness.schemes import Scheme
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
    seeds: Seeds, nonce: int | None, *, index: int | None = None, record: RoundRecord | None = None, pay_table: PayTable | None = None
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
        nonce = read_nonce(seeds, nonce)
        _read_index(seeds, index)
        _compare_origin(seeds, nonce, index, record)
    played = _replay(seeds, nonce, index)
    checks = [
        *([] if played.commitment is None else [Check("commitment", _tell_commitment(played))]),
        Check("cards", f"The seeds and nonce {played.nonce} give {_tell_cut(played)}the cards {_text(played.cards)}."),
        Check("coup", f"By the tableau these cards give {_tell(played)}."),
    ]
    settlement = None
    if record is not None:
        _compare_cards(seeds, played, record)
        _compare_coup(played, record)
        settlement = _compare_settlement(played, record, pay_table)
        checks += [
            Check("record", "The record names this commitment, client seed and nonce, these cards, hands and scores, and this winner."),
            Check("pay_table", f"The record's pay table has the digest {record.pay_table_digest}{_kept(pay_table)}."),
            Check("settlement", _tell_settlement(settlement)),
        ]
    return VerifiedRound(played, settlement, tuple(checks), _guarantees(seeds, played, record, settlement, pay_table))


def verify_record(record: RoundRecord, *, pay_table: PayTable | None = None, scheme: Scheme | None = None) -> VerifiedRound:
    """Verify a record by the seeds that are revealed in it; otherwise as `verify_round`.

    A record of a scheme that is not this package's own needs that `scheme` as an object. Raises NotRevealedError if its server seed is not
    revealed, and SchemeError if nobody knows its scheme.
    """
    _require_record(record)
    if record.server_seed is None:
        raise NotRevealedError("server seed of the record", "a revealed seed", "none")
    return verify_round(record.seeds(record.server_seed, scheme), record.nonce, index=record.index, record=record, pay_table=pay_table)


def diagnose(error: BaccaratError) -> list[Slip]:
    """The likely slips behind an error, best guess first; every guess was tried before it is told. Empty where nothing fits."""
    return list(error.slips) if isinstance(error, BaccaratError) else []


def _require_record(record: object) -> None:
    if not isinstance(record, RoundRecord):
        slips = (Slip("record_text", "RoundRecord.parse_json reads JSON."),) if isinstance(record, (str, bytes)) else ()
        raise RecordError("record", "a RoundRecord", f"a value of type {type(record).__name__}", slips)


def _replay(seeds: Seeds, nonce: int | None, index: int | None) -> Round:
    place = _read_index(seeds, index)
    if place is None:
        return play_round(seeds, nonce)
    rounds = play_shoe(seeds, read_nonce(seeds, nonce))
    if place >= len(rounds):
        raise IndexMismatchError("index in a shoe", f"a whole number from 0 to {len(rounds) - 1}", describe(index))
    return rounds[place]


def _read_index(seeds: Seeds, index: int | None) -> int | None:
    """The place in a shoe as it is, and None where there are no shoes. Raises IndexMismatchError for anything else."""
    if not seeds.way.deals_shoes:
        if index is not None:
            raise IndexMismatchError("index in a shoe", f"none, since {seeds.scheme} deals every coup from a fresh shoe", describe(index))
        return None
    if type(index) is not int or index < 0:
        raise IndexMismatchError("index in a shoe", "a whole number from 0", describe(index))
    return index


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
    try:
        table = form.pay_table(own_bets)
    except PayTableError as error:
        raise PayTableMismatchError(f"record, {error.subject}", error.expected, error.found, error.slips) from None
    _compare(PayTableMismatchError, "digest of the pay table", table.digest, record.pay_table_digest)
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


def _nonce_slips(given: int, recorded: int) -> Iterator[Slip]:
    if abs(given - recorded) == 1:
        yield Slip("nonce", f"The nonce is one too {'low' if given < recorded else 'high'}: the record is of nonce {recorded}.")


def _client_seed_slips(given: str, recorded: str) -> Iterator[Slip]:
    if normalize("NFC", given) == normalize("NFC", recorded):
        yield _form_slip("NFC" if recorded == normalize("NFC", recorded) else "NFD")
    elif given.casefold() == recorded.casefold():
        yield Slip("case", "The two differ in upper and lower case.")
    elif given.strip(_INVISIBLE) == recorded.strip(_INVISIBLE):
        yield Slip("trimmed", "The two differ in invisible characters at their ends.")


def _form_slip(form: str) -> Slip:
    characters = "composed characters" if form == "NFC" else "characters taken apart"
    return Slip(form.lower(), f"The client seed is in another Unicode form: the right one is {form}, with {characters}.")


def _client_seed_variants(text: str) -> Iterator[tuple[str, Slip]]:
    """Other texts that people take a client seed for, and what to say if it is the right one."""
    composed, apart = normalize("NFC", text), normalize("NFD", text)
    yield composed, _form_slip("NFC")
    if apart != composed:
        yield apart, _form_slip("NFD")
    yield text.strip(_INVISIBLE), Slip("trimmed", "The right client seed has no invisible characters at its ends.")
    for other in (text.lower(), text.upper(), text.capitalize()):
        yield other, Slip("case", f"The right client seed is {other!r}, in other upper and lower case.")


_INVISIBLE = " \t\r\n\u180e\u200b\u200c\u200d\u2060\ufeff"
"""What programs trim, or leave, at the ends of a text, though nobody sees it."""


def _replay_slips(seeds: Seeds, played: Round, record: RoundRecord) -> Iterator[Slip]:
    """Which other nonce or client seed gives the cards that the record has."""
    nonce, index = played.nonce, played.index

    def fits(other: Seeds, nonce: int) -> bool:
        try:
            return _replay(other, nonce, index).cards == record.cards
        except BaccaratError:
            return False

    for other, word in ((nonce - 1, "high"), (nonce + 1, "low")):
        if seeds.origin.chain is None and 0 <= other <= MAX_NONCE and fits(seeds, other):
            yield Slip("nonce", f"The nonce is one too {word}: these are the cards of nonce {other}.")
    for text, slip in _client_seed_variants(seeds.client_seed.text):
        try:
            variant = _with(seeds, client_seed=text)
        except (SeedError, VerificationError):
            continue
        if text != seeds.client_seed.text and fits(variant, nonce):
            yield slip
            break
    yield from _scheme_slips(seeds, fits, nonce)


def _scheme_slips(seeds: Seeds, fits: Callable[[Seeds, int], bool], nonce: int) -> Iterator[Slip]:
    """Which other scheme gives the cards that the record has, from the same two seeds."""
    for scheme in SCHEMES.values():
        if scheme is seeds.way or scheme.deals_from_chains or scheme.deals_shoes:
            continue
        try:
            other = Seeds.commit(seeds.server_seed.reveal(), seeds.client_seed, scheme=scheme)
        except (SeedError, VerificationError):
            continue
        if fits(other, nonce if scheme.has_nonces else 0):
            yield Slip("scheme", f"These are the cards of another scheme, {scheme.name}.")


def _with(seeds: Seeds, *, client_seed: str) -> Seeds:
    """The same seeds with another client seed."""
    decks = MAX_DECKS if seeds.decks is None else seeds.decks
    return Seeds(seeds.server_seed, client_seed, seeds.commitment, decks, scheme=seeds.way, chain=seeds.origin.chain)


def _guarantees(
    seeds: Seeds, played: Round, record: RoundRecord | None, settlement: Settlement | None, offer: PayTable | None
) -> Mapping[str, Guarantee]:
    guarantees = (
        _seed_guarantee(played),
        _client_seed_guarantee(played, record),
        Guarantee("unbiased_cards", Grade.PROVED if seeds.way.is_unbiased else Grade.UNKNOWN, seeds.way.drawing),
        _settlement_guarantee(settlement, offer),
    )
    return _by_code(guarantees)


def _seed_guarantee(played: Round) -> Guarantee:
    if played.commitment is None:
        sentence = "No commitment was given, so nothing shows that the server seed was fixed before the bet."
        return Guarantee("seed_fixed", Grade.UNKNOWN, sentence)
    return Guarantee(
        "seed_fixed",
        Grade.PROVED,
        f"{_tell_commitment(played)} Once that was published, it could not be exchanged: compare it with the commitment that you were "
        "shown beforehand.",
    )


def _client_seed_guarantee(played: Round, record: RoundRecord | None) -> Guarantee:
    made_by = record.client_seed_made_by if record is not None else None
    operator = " But it was made by the operator's side and not by the bettor." if made_by == "operator" else ""
    if played.commitment is not None and played.client_seed.marks(played.commitment):
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


def _tell_cut(played: Round) -> str:
    return "" if played.cut is None else f"the cut {played.cut} and "


def _tell_hand(hand: Hand | HandForm) -> str:
    return f"{_text(hand.cards)} = {hand.score}"


def _tell_settlement(settlement: Settlement) -> str:
    if not settlement.lines:
        return "There were no bets, and nothing was returned."
    lines = ", ".join(f"{line.stake} on {line.bet} {line.status} and returned {line.returned}" for line in settlement.lines.values())
    return f"In smallest currency units: {lines}."


def _text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))
