"""Records of a pair's rounds, rebuilt from what is stored: always the same bytes, but for the server seed once that is revealed.

Everything in a record that is the same for all rounds of a pair is made and validated once, with the first one. What differs from round to
round comes out of the tableau and the settlement in the types that a record has, so it is put in place as it is: a record that is validated
as a whole takes longer than its round. A test holds both ways together.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel

from ..cards import DECK, Card
from ..errors import CardError, LedgerMismatchError, describe
from ..fairness.schemes import scheme_named
from ..fairness.seed_pair import Origin
from ..records import BetForm, HandForm, RoundRecord, TotalsForm
from ..rounds import Round
from ..rules.coup import deal_coup
from ..rules.settlement import settle
from .amounts import parse_bets
from .links import told_links

if TYPE_CHECKING:
    from ..fairness.chain import SeedChain
    from ..rules.coup import Coup
    from ..rules.settlement import Settlement
    from .pairs import SeedPair
    from .rows import RoundRow

_Form = TypeVar("_Form", bound=BaseModel)

_CARDS: Final = {str(card): card for card in DECK}


class Recorder:
    """Writes the records of one pair, as it is now: with its server seed if that is revealed.

    Of a seed chain, a record has the link of its nonce if the stored row says that every coup up to it is settled, whatever was settled
    meanwhile. `links` are those of the chain, where they are at hand; otherwise they follow from the pair's newest.
    """

    def __init__(self, pair: SeedPair, links: SeedChain | None = None) -> None:
        self._pair = pair
        self._links = links
        self._first: dict[str, Any] | None = None

    def record(self, row: RoundRow) -> RoundRecord:
        """The record of a dealt round.

        Raises LedgerMismatchError where the stored return isn't what the stored cards and bets come to under the pair's table.
        """
        if row.cards is None or row.cut is None:
            raise LedgerMismatchError(self._subject(row), "a coup that is dealt", "none")
        cards = read_cards(row.cards)
        coup = deal_coup(cards)
        settlement = settle(coup, parse_bets(row.bets), self._pair.pay_table)
        staked, returned = settlement.staked, settlement.returned
        if (staked, returned) != (row.staked, row.returned):
            expected = f"{staked} staked and {returned} returned"
            raise LedgerMismatchError(self._subject(row), expected, f"{row.staked} and {row.returned}")
        if self._first is None:
            self._first = dict(self._validated(row, row.cut, cards, coup, settlement))
        return _filled(
            RoundRecord,
            self._first
            | {
                "server_seed": self._first["server_seed"] if self._pair.chain is None else self._link(row),
                "nonce": row.nonce,
                "cut": row.cut,
                "cards": cards,
                "player": _filled(HandForm, {"cards": coup.player.cards, "score": coup.player.score}),
                "banker": _filled(HandForm, {"cards": coup.banker.cards, "score": coup.banker.score}),
                "natural": coup.natural,
                "winner": coup.winner,
                "bets": MappingProxyType(
                    {
                        name: _filled(BetForm, {"stake": line.stake, "status": line.status, "returned": line.returned})
                        for name, line in settlement.lines.items()
                    }
                ),
                "totals": _filled(TotalsForm, {"staked": staked, "returned": returned, "net": returned - staked}),
                "accepted_at": row.accepted_at,
                "settled_at": row.settled_at,
            },
        )

    def _validated(self, row: RoundRow, cut: int, cards: tuple[Card, ...], coup: Coup, settlement: Settlement) -> RoundRecord:
        pair = self._pair
        if pair.client_seed is None:
            raise LedgerMismatchError(self._subject(row), "a pair whose client seed is chosen", "one without")
        label = scheme_named(pair.scheme).label(pair.decks)
        origin = Origin(pair.scheme, label, pair.decks, pair.commitment, pair.client_seed, pair.chain)
        return RoundRecord.from_round(
            Round(origin, row.nonce, cut, cards, coup),
            settlement,
            server_seed=pair.server_seed if pair.chain is None else None,  # each round of a chain has its own
            client_seed_made_by=pair.client_seed_made_by,
            currency=pair.currency,
            accepted_at=row.accepted_at,
            settled_at=row.settled_at,
        )

    def _link(self, row: RoundRow) -> str | None:
        """The link of a round's nonce, if it is due: when every coup up to it is settled (protocol step 8)."""
        settled = row.settled_in_order if self._links is not None else min(row.settled_in_order, self._pair.settled_in_order)
        if row.nonce >= settled:
            return None
        links = told_links(self._pair) if self._links is None else self._links
        return links.link(row.nonce).server_seed.reveal()

    def _subject(self, row: RoundRow) -> str:
        return f"round of nonce {row.nonce} of pair {self._pair.id}"


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards as a store keeps them, like `AsKh`. Raises CardError."""
    try:
        return tuple([_CARDS[text[place : place + 2]] for place in range(0, len(text), 2)])
    except KeyError as error:
        raise CardError("stored cards", "texts of cards, like AsKh", describe(error.args[0])) from None


def _filled(form: type[_Form], parts: dict[str, Any]) -> _Form:
    """A form of parts that are known to be right: what `model_construct` makes, without its search for defaults and aliases."""
    filled = form.__new__(form)
    _set_parts(filled, parts)
    _set_names(filled, _NAMES[form])
    _set_extra(filled, None)
    _set_private(filled, None)
    return filled


_NAMES: Final[dict[type[BaseModel], set[str]]] = {form: set(form.model_fields) for form in (RoundRecord, HandForm, BetForm, TotalsForm)}
"""The names that a form says were given: all of them, in one set for all forms, as pydantic shares it when it validates a form again."""

# What pydantic keeps in a model, and how it is put there although the model never changes.
_set_parts: Final = vars(BaseModel)["__dict__"].__set__
_set_names: Final = vars(BaseModel)["__pydantic_fields_set__"].__set__
_set_extra: Final = vars(BaseModel)["__pydantic_extra__"].__set__
_set_private: Final = vars(BaseModel)["__pydantic_private__"].__set__
