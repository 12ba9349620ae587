"""The coups of a batch, held against their seeds and against themselves: cut, cards, hands, scores and winner.

Where the claimed cards are others than those of the seeds, hands, scores and winner are held against the cards as they were claimed, so that
each finding tells something of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ..cards import DECK
from ..errors import BaccaratError
from ..rounds import play_round
from ..verify.slips import replay_slips
from .columns import places_of, rows_differ
from .coups import deal_coups
from .dealt import UNUSED
from .origins import REPLAYED, seeds_of
from .rows import COUPS, SHOE, WINNERS

if TYPE_CHECKING:
    from ..cards import Card
    from .coups import Coups
    from .dealt import Bytes, Flags, Numbers
    from .told import Told

DIAGNOSED: Final = 20
"""How many differing rounds of a batch are looked at for the likely slip."""


def compare_cards(told: Told) -> Coups:
    """Cut and cards against the seeds (protocol step 5). Returns the coups that the claimed cards give."""
    rows, origins = told.rows, told.origins
    replayed = origins.state == REPLAYED
    derived = origins.coups.cards
    cut_differs = replayed & (rows.cut != origins.cut)
    cards_differ = replayed & rows_differ(rows.cards.view(np.uint16), derived.view(np.uint16))
    told.tell("cut", cut_differs, lambda row: str(int(origins.cut[row])), lambda row: str(int(rows.cut[row])))
    told.tell("cards", cards_differ, lambda row: _text(derived[row]), lambda row: _text(rows.cards[row]))
    if cards_differ.any():
        _diagnose(told, np.flatnonzero(cards_differ))
    others = told.is_readable & (cards_differ | ~replayed)
    places = places_of(others)
    if not places:
        return origins.coups
    coups = origins.coups.replaced(places, deal_coups(rows.cards[places]))
    told.tell(
        "cards",
        others & (rows.way == SHOE) & (rows.used != coups.used),
        lambda row: f"{coups.used[row]} cards, as the tableau says",
        lambda row: f"{rows.used[row]}",
    )
    return coups


def _text(cards: Bytes) -> str:
    return " ".join(str(card) for card in _cards(cards))


def _cards(numbers: Bytes) -> tuple[Card, ...]:
    places: list[int] = numbers.tolist()
    return tuple(DECK[place] for place in places if place < len(DECK))


def _diagnose(told: Told, differing: Numbers) -> None:
    """Name the likely slip behind the first differing rounds."""
    rows, origins = told.rows, told.origins
    hints: dict[int, str] = {}
    for row in differing[:DIAGNOSED].tolist():
        if rows.way[row] != COUPS:
            continue
        try:
            seeds = seeds_of(rows, origins.keys, origins.key, row)
            slips = list(replay_slips(seeds, play_round(seeds, int(rows.nonce[row])), _cards(rows.cards[row])))
        except BaccaratError:  # pragma: no cover (these seeds were just replayed)
            continue
        if slips:
            hints[int(rows.place[row])] = " ".join(slip.sentence for slip in slips)
    told.findings = [
        replace(finding, hint=hints[finding.row])
        if finding.code in ("cut", "cards") and finding.row is not None and finding.row in hints
        else finding
        for finding in told.findings
    ]


def compare_coups(told: Told, coups: Coups) -> None:
    """Hands, scores, natural and winner against the cards (protocol step 6)."""
    rows, readable = told.rows, told.is_readable
    if rows.player_cards is not None or rows.banker_cards is not None:
        for name, dealt, given in zip(("player", "banker"), coups.hands(), (rows.player_cards, rows.banker_cards), strict=True):
            if given is not None:
                differs = readable & rows_differ(given, dealt) & (given[:, 0] != UNUSED)
                _tell_hands(told, name, differs, dealt, given)
    _tell_scores(told, "player", coups.player_score, rows.player_score)
    _tell_scores(told, "banker", coups.banker_score, rows.banker_score)
    natural = coups.natural
    told.tell(
        "natural",
        readable & (rows.natural != natural) & (rows.natural >= 0),
        lambda row: str(bool(natural[row])).lower(),
        lambda row: str(bool(rows.natural[row])).lower(),
    )
    told.tell(
        "winner",
        readable & (rows.winner != coups.winner),
        lambda row: WINNERS[int(coups.winner[row])],
        lambda row: WINNERS[int(rows.winner[row])],
    )


def _tell_scores(told: Told, name: str, dealt: Bytes, claimed: Bytes) -> None:
    differs = told.is_readable & (claimed != dealt) & (claimed != 255)
    told.tell("score", differs, lambda row: f"{name} {int(dealt[row])}", lambda row: f"{name} {int(claimed[row])}")


def _tell_hands(told: Told, name: str, differs: Flags, dealt: Bytes, given: Bytes) -> None:
    told.tell("hands", differs, lambda row: f"{name} {_text(dealt[row])}", lambda row: f"{name} {_text(given[row])}")
