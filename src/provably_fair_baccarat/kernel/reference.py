"""The Python path: the functions of `fairness` and `rules`, writing what the native kernel writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..fairness.inputs import parse_nonce
from ..fairness.schemes.pfb1 import python_coup_source
from ..rules.coup import deal_coup
from .layout import BANKER_DREW, CARD_INDEX, NATURAL, PLAYER_DREW, RECORD, WINNERS

if TYPE_CHECKING:
    from ..fairness.schemes import Derived, Source
    from ..fairness.seeds import ClientSeed, ServerSeed

LABELS: Final = ("pfb1", "pfb1-chain")
"""The ways of dealing coups, as labels begin with them."""


def python_source(server_seed: ServerSeed, label: str, client_seed: ClientSeed, decks: int) -> Source:
    """The scheme's own source of coups, which takes nonces as strictly as the kernel."""
    coup = python_coup_source(server_seed, label, client_seed, decks)

    def checked(nonce: int) -> Derived:
        return coup(parse_nonce(nonce))

    return checked


def derive_in_python(source: Source, nonces: range | memoryview, records: memoryview | None) -> tuple[int, int, int]:
    """Derive and deal the coup of every nonce, write records if they are wanted, and return who won how often."""
    wins = [0, 0, 0]
    for place, nonce in enumerate(nonces):
        cut, cards = source(nonce)
        coup = deal_coup(cards)
        winner = WINNERS.index(coup.winner)
        wins[winner] += 1
        if records is not None:
            player, banker = coup.player, coup.banker
            flags = PLAYER_DREW * (len(player.cards) == 3) + BANKER_DREW * (len(banker.cards) == 3) + NATURAL * coup.natural
            indices = [CARD_INDEX[card] for card in cards]
            RECORD.pack_into(records, RECORD.size * place, cut, *indices, winner, player.score, banker.score, flags)
    return wins[0], wins[1], wins[2]
