"""Witnesses: coups that an event should not be able to tell apart, to find one that looks at more than its bet declares.

The odds of a bet are counted by what it declares, so an event that looks at more would get wrong odds in silence. It is therefore shown
coups that agree on all that is declared and differ in everything else. An answer that differs proves that it looks at more; equal answers
prove nothing, but leave little room. The coups are the same every time.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeVar, get_args

from ...cards import DECK
from ...errors import NeedsError, Slip
from ..bets import CATALOGUE, Bet, Needs
from ..coup import deal_coup
from .counting import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from ...cards import Card
    from ..bets import Kind
    from ..coup import Coup

_T = TypeVar("_T")

_TRIALS: Final = 400
_POOLS: Final = (52, 52, 8, 3, 2, 1)
"""From how many different cards the coups of a trial are dealt, in turn: few of them make pairs and other rare things common."""

_WITNESSES: Final = 5
"""How many coups of each trial agree with each other."""


def require_needs(bet: Bet) -> None:
    """Raise NeedsError if the event of an operator's own bet can be seen to look at more than the bet declares."""
    if CATALOGUE.get(bet.name) is bet:
        return  # the tests have looked
    disagreement = _disagreement(bet)
    if disagreement is not None:
        declared = f"what needs={bet.needs!r} declares" if bet.kind is None else "what its kind tells apart"
        (one, first), (other, second) = disagreement
        found = f"{first!r} for player {_hands(one)}, but {second!r} for player {_hands(other)}"
        raise NeedsError(f"event of bet {bet.name}", f"one that looks only at {declared}", found, _slips(bet))


def _slips(bet: Bet) -> tuple[Slip, ...]:
    """What could be declared instead, each tried before it is told."""
    if bet.kind is not None:
        honest = _disagreement(Bet(bet.name, bet.event, bet.needs, bet.payouts)) is None
        return (Slip("kind", f"Its kind leaves out something: without it, needs={bet.needs!r} would do."),) if honest else ()
    for needs in get_args(Needs):
        if needs != bet.needs and _disagreement(Bet(bet.name, bet.event, needs, bet.payouts)) is None:
            return (Slip("needs", f"Declare needs={needs!r}."),)
    return (
        Slip("needs", "No declaration covers it: third cards can be looked at by their points, and suits in the first two cards only."),
    )


def _disagreement(bet: Bet) -> tuple[tuple[Coup, str], tuple[Coup, str]] | None:
    """Two coups that agree on all that the bet declares, with the different answers that its event gives."""
    seen: dict[Hashable, tuple[Coup, str]] = {}
    for known, coup in _witnesses(bet):
        answer = bet.result(coup)
        first = seen.setdefault(known, (coup, answer))
        if first[1] != answer:
            return first, (coup, answer)
    return None


def _witnesses(bet: Bet) -> Iterator[tuple[Hashable, Coup]]:
    """Coups, each with all that the bet declares to see of it."""
    chance = _Chance()
    if bet.needs == "scores":
        for coup in (deal_coup(chance.choices(DECK, 6)) for _ in range(_TRIALS * _WITNESSES)):
            player, banker = coup.player, coup.banker
            yield (player.score, banker.score, len(player.cards), len(banker.cards)), coup
        return
    alike = _alike_by_points(chance) if bet.needs == "points" else _alike_by_kind(kind_of(bet), chance, by_rank=bet.needs == "ranks")
    for trial in range(_TRIALS):
        cards: Sequence[Card] = chance.choices(chance.choices(DECK, _POOLS[trial % len(_POOLS)]), 6)
        for _ in range(_WITNESSES):
            yield trial, deal_coup(cards)
            cards = alike(cards)


def _alike_by_points(chance: _Chance) -> Callable[[Sequence[Card]], Sequence[Card]]:
    by_points: defaultdict[int, list[Card]] = defaultdict(list)
    for card in DECK:
        by_points[card.points].append(card)
    return lambda cards: [chance.choice(by_points[card.points]) for card in cards]


def _alike_by_kind(kind: Kind, chance: _Chance, *, by_rank: bool) -> Callable[[Sequence[Card]], Sequence[Card]]:
    """From six cards to six others whose first pairs are of the same kinds; of a bet on ranks, cards of one rank are alike besides."""
    pairs = _pairs_by_kind(kind)

    def pair(first: Card, second: Card) -> tuple[Card, Card]:
        first, second = chance.choice(pairs[kind(first, second)])
        return (_of_rank(first, chance), _of_rank(second, chance)) if by_rank else (first, second)

    def alike(cards: Sequence[Card]) -> Sequence[Card]:
        player, banker = pair(cards[0], cards[2]), pair(cards[1], cards[3])
        return (player[0], banker[0], player[1], banker[1], *chance.choices(DECK, 2))

    return alike


def _pairs_by_kind(kind: Kind) -> Mapping[Hashable, Sequence[tuple[Card, Card]]]:
    pairs: defaultdict[Hashable, list[tuple[Card, Card]]] = defaultdict(list)
    for first in DECK:
        for second in DECK:
            pairs[kind(first, second)].append((first, second))
    return dict(pairs)


def _of_rank(card: Card, chance: _Chance) -> Card:
    return chance.choice(DECK[DECK.index(card) % 13 :: 13])


class _Chance:
    """A plain generator of numbers, always with the same ones: Knuth's MMIX multiplier."""

    def __init__(self) -> None:
        self._state = 0

    def choice(self, things: Sequence[_T]) -> _T:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return things[(self._state >> 33) % len(things)]

    def choices(self, things: Sequence[_T], number: int) -> list[_T]:
        return [self.choice(things) for _ in range(number)]


def _hands(coup: Coup) -> str:
    player, banker = (" ".join(map(str, hand.cards)) for hand in (coup.player, coup.banker))
    return f"{player}, banker {banker}"
