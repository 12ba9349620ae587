"""The verification itself: a replay, held against the seeds, the record and the offer, place by place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..cards import Card
from ..errors import (
    AmountError,
    BaccaratError,
    BetError,
    CardError,
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
    ServerSeedMismatchError,
    SettlementMismatchError,
    Slip,
    UnknownBetError,
    VerificationError,
    describe,
)
from ..records import RoundRecord
from ..rounds import Round, read_nonce, require_seeds
from ..rules.bets import CATALOGUE
from ..rules.pay_table import PayTable
from ..rules.settlement import Settlement, settle
from .guarantees import guarantees_of
from .replaying import read_index, replay
from .slips import cards_seen, client_seed_slips, nonce_slips, replay_slips
from .telling import cards_text, tell_commitment, tell_coup, tell_cut, tell_hand, tell_offer, tell_settlement
from .values import Check, VerifiedRound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..fairness.schemes import Scheme
    from ..fairness.seed_pair import Seeds
    from ..rules.bets import Bet

_OWN_BET: Final = Slip(
    "own_bet", "If it is the operator's own, pass it in `own_bets`, or its pay table as `pay_table`; on the command line, with --bets."
)


def verify_round(
    seeds: Seeds,
    nonce: int | None,
    *,
    index: int | None = None,
    record: RoundRecord | None = None,
    pay_table: PayTable | None = None,
    cards: Iterable[Card] | None = None,
    own_bets: Iterable[Bet] = (),
) -> VerifiedRound:
    """Replay the round of this nonce from revealed seeds, and compare it with its record if there is one.

    `index` is the coup's place in its shoe where the scheme deals shoes. `pay_table` is the offer that the bettor kept: the record must have
    been settled under that very table. It brings the operator's own bets, or `own_bets` do: a record whose pay table offers some cannot be
    verified without them. `cards` are those that the bettor saw, in dealing order: all that the coup used, or the cards of all six positions.

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
        read_index(seeds, index)
        _compare_origin(seeds, nonce, index, record)
    played = replay(seeds, nonce, index)
    checks = [
        *([] if played.commitment is None else [Check("commitment", tell_commitment(played))]),
        Check("cards", f"The seeds and nonce {played.nonce} give {tell_cut(played)}the cards {cards_text(played.cards)}."),
        *([] if cards is None else [_compare_seen(seeds, played, tuple(cards))]),
        Check("coup", f"By the tableau these cards give {tell_coup(played)}."),
    ]
    settlement = None
    if record is not None:
        _compare_cards(seeds, played, record)
        _compare_coup(played, record)
        settlement = _compare_settlement(played, record, pay_table, own_bets)
        checks += [
            Check("record", "The record names this commitment, client seed and nonce, these cards, hands and scores, and this winner."),
            Check("pay_table", f"The record's pay table has the digest {record.pay_table_digest}{tell_offer(pay_table)}."),
            Check("settlement", tell_settlement(settlement)),
        ]
    return VerifiedRound(played, settlement, tuple(checks), guarantees_of(seeds, played, record, settlement, pay_table), record)


def verify_record(
    record: RoundRecord, *, pay_table: PayTable | None = None, scheme: Scheme | None = None, own_bets: Iterable[Bet] = ()
) -> VerifiedRound:
    """Verify a record by the seeds that are revealed in it; otherwise as `verify_round`.

    A record of a scheme that is not this package's own needs that `scheme` as an object. Raises NotRevealedError if its server seed is not
    revealed, and SchemeError if nobody knows its scheme.
    """
    _require_record(record)
    if record.server_seed is None:
        raise NotRevealedError("server seed of the record", "a revealed seed", "none")
    seeds = record.seeds(record.server_seed, scheme)
    return verify_round(seeds, record.nonce, index=record.index, record=record, pay_table=pay_table, own_bets=own_bets)


def diagnose(error: BaccaratError) -> list[Slip]:
    """The likely slips behind an error, best guess first; every guess was tried before it is told. Empty where nothing fits."""
    return list(error.slips) if isinstance(error, BaccaratError) else []


def _require_record(record: object) -> None:
    if not isinstance(record, RoundRecord):
        slips = (Slip("record_text", "RoundRecord.parse_json reads JSON."),) if isinstance(record, (str, bytes)) else ()
        raise RecordError("record", "a RoundRecord", f"a value of type {type(record).__name__}", slips)


def _compare_origin(seeds: Seeds, nonce: int, index: int | None, record: RoundRecord) -> None:
    """What the record says about where the round comes from, against what it is verified with."""
    _compare(SchemeMismatchError, "scheme", seeds.scheme, record.scheme)
    _compare(DecksMismatchError, "decks", seeds.decks, record.decks)
    _compare(SchemeMismatchError, "label", seeds.origin.label, record.label)
    _compare(CommitmentMismatchError, "commitment", seeds.commitment, record.commitment)
    _compare(ChainMismatchError, "chain", seeds.origin.chain, None if record.chain is None else record.chain.chain())
    if record.client_seed != seeds.client_seed:
        slips = tuple(client_seed_slips(seeds.client_seed.text, record.client_seed.text))
        _compare(ClientSeedMismatchError, "client seed", seeds.client_seed, record.client_seed, slips)
    _compare(ClientSeedMismatchError, "client seed in hex", seeds.client_seed.utf8.hex(), record.client_seed_hex)
    if record.server_seed is not None and record.server_seed != seeds.server_seed.reveal():
        raise ServerSeedMismatchError("record, server seed", "the one that was committed to", "another one")
    if record.nonce != nonce:
        _compare(NonceMismatchError, "nonce", nonce, record.nonce, tuple(nonce_slips(nonce, record.nonce)))
    _compare(IndexMismatchError, "index in a shoe", index, record.index)


def _compare_cards(seeds: Seeds, played: Round, record: RoundRecord) -> None:
    if (played.cut, played.cards) == (record.cut, record.cards):
        return
    slips = tuple(replay_slips(seeds, played, record.cards))
    _compare(CutMismatchError, "cut", played.cut, record.cut, slips)
    _compare(CardsMismatchError, "cards", cards_text(played.cards), cards_text(record.cards), slips)


def _compare_seen(seeds: Seeds, played: Round, seen: tuple[Card, ...]) -> Check:
    """The cards that somebody saw against those that were dealt."""
    for card in seen:
        if not isinstance(card, Card):
            slips = (Slip("card_text", "Card.parse reads a card's text."),) if isinstance(card, str) else ()
            raise CardError("card that was seen", "a Card", describe(card), slips)
    if (dealt := cards_seen(played, len(seen))) != seen:
        raise CardsMismatchError("cards that were seen", cards_text(dealt), cards_text(seen) or "none", replay_slips(seeds, played, seen))
    return Check("seen", "They are the cards that you saw.")


def _compare_coup(played: Round, record: RoundRecord) -> None:
    coup = played.coup
    for name, dealt, told in (("player", coup.player, record.player), ("banker", coup.banker, record.banker)):
        _compare(CoupMismatchError, f"{name}'s hand", tell_hand(dealt), tell_hand(told))
    _compare(CoupMismatchError, "natural", coup.natural, record.natural)
    _compare(CoupMismatchError, "winner", coup.winner.value, record.winner.value)


def _compare_settlement(played: Round, record: RoundRecord, offer: PayTable | None, own_bets: Iterable[Bet]) -> Settlement:
    form = record.pay_table
    passed = PayTable(bets=own_bets).bets if own_bets else ()
    known = {bet.name: bet for bet in (*passed, *(() if offer is None else offer.bets))}
    for name in form.side_bets:
        if name not in CATALOGUE and name not in known:
            raise UnknownBetError("bet in the record's pay table", "a bet of the catalogue", f"unknown bet {name!r}", (_OWN_BET,))
    try:
        table = form.pay_table(known.values())
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
