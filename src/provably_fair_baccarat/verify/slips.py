"""The likely slips behind a record that differs from its replay. Each guess is replayed before it is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import normalize

from ..errors import BaccaratError, SeedError, Slip, VerificationError
from ..fairness.inputs import MAX_DECKS, MAX_NONCE
from ..fairness.schemes import SCHEMES
from ..fairness.seed_pair import Seeds
from .replaying import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..cards import Card
    from ..rounds import Round


def nonce_slips(given: int, recorded: int) -> Iterator[Slip]:
    """The slip of a nonce that is one off."""
    if abs(given - recorded) == 1:
        yield Slip("nonce", f"The nonce is one too {'low' if given < recorded else 'high'}: the record is of nonce {recorded}.")


def client_seed_slips(given: str, recorded: str) -> Iterator[Slip]:
    """What may have happened to a client seed that is not the record's."""
    if normalize("NFC", given) == normalize("NFC", recorded):
        yield _form_slip("NFC" if recorded == normalize("NFC", recorded) else "NFD")
    elif given.casefold() == recorded.casefold():
        yield Slip("case", "The two differ in upper and lower case.")
    elif given.strip(_INVISIBLE) == recorded.strip(_INVISIBLE):
        yield Slip("trimmed", "The two differ in invisible characters at their ends.")
    elif given == recorded.encode().hex():
        yield _HEX


_HEX = Slip("hex_text", "It is the hex of the client seed: give the text itself.")


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
    if _HEX_DIGITS.fullmatch(text):
        yield bytes.fromhex(text).decode(errors="replace"), _HEX


_HEX_DIGITS = re.compile(r"(?:[0-9a-f]{2})+", re.ASCII)


_INVISIBLE = " \t\r\n\u180e\u200b\u200c\u200d\u2060\ufeff"
"""What programs trim, or leave, at the ends of a text, though nobody sees it."""


def cards_seen(played: Round, count: int) -> tuple[Card, ...]:
    """The cards that somebody saw who saw so many of them: those of all positions, or else the ones that the coup used."""
    used = len(played.coup.player.cards) + len(played.coup.banker.cards)
    return played.cards if count == len(played.cards) else played.cards[:used]


def replay_slips(seeds: Seeds, played: Round, cards: tuple[Card, ...]) -> Iterator[Slip]:
    """Which other nonce or client seed gives the cards that were claimed or seen."""
    nonce, index = played.nonce, played.index

    def fits(other: Seeds, nonce: int) -> bool:
        try:
            return cards_seen(replay(other, nonce, index), len(cards)) == cards
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
