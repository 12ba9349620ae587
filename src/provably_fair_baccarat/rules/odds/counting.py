"""Counting: in how many ordered six-card deals of a shoe something happens, in whole numbers and without sampling.

Every function here is pure: it asks the tableau each time and keeps nothing. What a bet may look at decides how much is counted.

- *scores*, *points*: a card is its points. Hands of two are pairs of points, a sequence weighs its product of remaining counts, and the
  third cards follow the tableau. What ends after four or five cards is weighed with all that the unused positions could hold.
- *ranks*, *suits*: the first four cards decide. Both hands' pairs of cards are grouped into kinds, and one example stands for all
  pairs of a kind.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ...cards import DECK, Card
from ...frozen import open_twin
from ..bets import LOST, PUSHED, WON
from ..coup import Coup, Hand, deal_coup
from ..tableau import banker_draws, player_draws

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from ..bets import Bet, Kind
    from .shoe import Shoe


class CoupClass(NamedTuple):
    """All that `scores` bets see of a coup: both hands' scores, 0 to 9, and numbers of cards, 2 or 3."""

    player_score: int
    banker_score: int
    player_cards: int
    banker_cards: int


class Counted(NamedTuple):
    """In how many ordered six-card deals a class of coups comes up, and one coup of the class."""

    ways: int
    example: Coup


class PointHand(NamedTuple):
    """A hand by its points: the points of the first two cards, the score, the number of cards, and an example."""

    first: tuple[int, int]
    score: int
    size: int
    hand: Hand


WeightedCoups: TypeAlias = "Iterator[tuple[Coup, int]]"
"""Coups, and in how many ordered six-card deals something that a bet can't tell from them comes up."""


def count_classes(shoe: Shoe) -> dict[CoupClass, Counted]:
    """Count every class of coups that the shoe can deal; the ways sum to `shoe.deals`."""
    ways_of: defaultdict[tuple[int, int, int, int], int] = defaultdict(int)
    examples: dict[tuple[int, int, int, int], tuple[Hand, Hand]] = {}
    for player, banker, ways in point_deals(shoe):
        key = (player.score, banker.score, player.size, banker.size)
        if key not in examples:
            examples[key] = player.hand, banker.hand
        ways_of[key] += ways
    return {CoupClass(*key): Counted(ways, coup_of(*examples[key])) for key, ways in sorted(ways_of.items())}


def point_deals(shoe: Shoe, *, ordered: bool = False) -> Iterator[tuple[PointHand, PointHand, int]]:
    """Every way that a coup can go by its points, as the player's hand, the banker's, and in how many ordered six-card deals.

    The first two cards of a hand are taken in either order at once; with `ordered`, each order by itself (protocol step 6).
    """
    two_cards, _ = _point_hands()
    hands = [(hand, 1 if ordered or a == b else 2) for (a, b), hand in two_cards.items() if ordered or a <= b]
    left = list(shoe.points)
    taken = 0 if shoe.replaced else 1
    for player, player_orders in hands:
        a, b = player.first
        player_ways = player_orders * left[a]
        left[a] -= taken
        player_ways *= left[b]
        left[b] -= taken
        for banker, banker_orders in hands if player_ways else ():
            c, d = banker.first
            ways = player_ways * banker_orders * left[c]
            left[c] -= taken
            ways *= left[d]
            left[d] -= taken
            if ways:
                yield from _third_cards(player, banker, ways, left, taken)
            left[c] += taken
            left[d] += taken
        left[a] += taken
        left[b] += taken


def _third_cards(
    player: PointHand, banker: PointHand, ways: int, left: list[int], taken: int
) -> Iterator[tuple[PointHand, PointHand, int]]:
    """How a coup can go on after four cards, of which there are so many ways (protocol steps 6.1 to 6.4).

    `left` is how many cards there are of each number of points; a card takes 1 from it, or 0 where it comes back.
    """
    undealt = sum(left)
    if player.score >= 8 or banker.score >= 8:
        yield player, banker, ways * undealt * (undealt - taken)
    elif player_draws(player.score):
        _, three_cards = _point_hands()
        for third, drawn in enumerate(three_cards[player.first]):
            if drawn_ways := ways * left[third]:
                left[third] -= taken
                for last, count in _banker_hands(banker, third, left):
                    yield drawn, last, drawn_ways * count
                left[third] += taken
    else:
        for last, count in _banker_hands(banker, None, left):
            yield player, last, ways * count * (undealt - taken)


def _banker_hands(banker: PointHand, player_third: int | None, left: list[int]) -> Iterator[tuple[PointHand, int]]:
    """The banker's hand after the player's third card, if any, and how many cards can be in the next position for it."""
    if banker_draws(banker.score, player_third):
        _, three_cards = _point_hands()
        for hand, count in zip(three_cards[banker.first], left, strict=True):
            if count:
                yield hand, count
    else:
        yield banker, sum(left)


def opening_coups(shoe: Shoe, kind: Kind, *, by_rank: bool) -> WeightedCoups:
    """Every pair of kinds that the first four cards can make, as a coup that starts so, and in how many ordered six-card deals.

    With `by_rank`, cards that differ only in suit are one. The coups are dealt to their end with third cards that mean nothing: only the
    first four cards may be looked at.
    """
    counts = zip(DECK, shoe.ranks, strict=False) if by_rank else zip(DECK, shoe.counts, strict=True)
    hands: dict[tuple[Card, Card], tuple[int, Hand, Hand]] = {}
    draws: dict[tuple[int, int], tuple[bool, bool]] = {}
    for player, banker, ways in _kind_pairs([(card, count) for card, count in counts if count], kind, shoe):
        for pair in (player, banker):
            if pair not in hands:
                two, three = Hand(pair), Hand((*pair, _THIRD))
                hands[pair] = two.score, two, three
        player_score, player_two, player_three = hands[player]
        banker_score, banker_two, banker_three = hands[banker]
        scores = player_score, banker_score
        if scores not in draws:
            coup = deal_coup((player[0], banker[0], player[1], banker[1], _THIRD, _THIRD))
            draws[scores] = len(coup.player.cards) == 3, len(coup.banker.cards) == 3
        player_drew, banker_drew = draws[scores]
        yield coup_of(player_three if player_drew else player_two, banker_three if banker_drew else banker_two), ways


def _kind_pairs(counts: Sequence[tuple[Card, int]], kind: Kind, shoe: Shoe) -> Iterator[tuple[tuple[Card, Card], tuple[Card, Card], int]]:
    """Every two kinds of hands, by an example of each, and in how many ordered six-card deals the player and the banker get them.

    A banker's pair (x, y) weighs n(x) n(y), or n(x) (n(x) - 1) if x = y, where n counts what the player's cards i and j have left. Summed
    over a kind, that is a quadratic form, so what i and j change of it is the linear part at i and at j and the few terms that hold both;
    no sum has to be taken again for each hand of the player.
    """
    taken = 0 if shoe.replaced else 1
    number_of: dict[Hashable, int] = {}
    numbers: dict[tuple[Card, Card], int] = {}
    members: list[list[tuple[Card, Card, int]]] = []
    touched: dict[Card, defaultdict[int, int]] = {card: defaultdict(int) for card, _ in counts}
    for (first, n), (second, m) in product(counts, repeat=2):
        number = numbers[first, second] = number_of.setdefault(kind(first, second), len(members))
        if number == len(members):
            members.append([])
        same = first is second
        members[number].append((first, second, n * (m - taken) if same else n * m))
        touched[first][number] += m - same
        touched[second][number] += n - same
    totals = [sum(ways for _, _, ways in pairs) for pairs in members]
    examples = [pairs[0][:2] for pairs in members]
    unused = (shoe.cards - 4 * taken) * (shoe.cards - 5 * taken)
    for player, pairs in enumerate(members):
        row = [totals[player] * total for total in totals]
        if taken:
            held: defaultdict[Card, int] = defaultdict(int)
            for first, second, ways in pairs:
                held[first] += ways
                held[second] += ways
                row[numbers[first, second]] += ways
                row[numbers[second, first]] += ways
            for card, ways in held.items():
                for number, change in touched[card].items():
                    row[number] -= ways * change
        for banker, ways in enumerate(row):
            if ways:
                yield examples[player], examples[banker], ways * unused


def rank_kind(first: Card, second: Card) -> Hashable:
    """All that a `ranks` bet may look at."""
    return first.rank, second.rank


def card_kind(first: Card, second: Card) -> Hashable:
    """All that a `suits` bet may look at."""
    return first, second


def kind_of(bet: Bet) -> Kind:
    """What a `ranks` or `suits` bet looks at in a hand: the bet's own kind, or else all that it may."""
    return bet.kind or (rank_kind if bet.needs == "ranks" else card_kind)


def coup_of(player: Hand, banker: Hand) -> Coup:
    """The coup of two hands that the tableau has just been followed to, which is not looked up again."""
    coup = _OpenCoup()
    coup.player = player
    coup.banker = banker
    coup.__class__ = Coup
    return coup  # type: ignore[no-any-return]  # it is a Coup since the line above


def weighted_coups(bet: Bet, shoe: Shoe, classes: Mapping[CoupClass, Counted] | None = None) -> WeightedCoups:
    """Coups that stand for everything that a bet can tell apart; the ways sum to `shoe.deals`.

    `classes` are the shoe's, where they are counted already. A `scores` bet has a few hundred coups, a `points` bet some 340,000, a `ranks`
    bet 28,561 and a `suits` bet 52^4, which take seconds; with a kind of its own, either has the square of the number of its kinds.
    """
    if bet.needs == "scores":
        return ((counted.example, counted.ways) for counted in (classes or count_classes(shoe)).values())
    if bet.needs == "points":
        return ((coup_of(player.hand, banker.hand), ways) for player, banker, ways in point_deals(shoe, ordered=True))
    return opening_coups(shoe, kind_of(bet), by_rank=bet.needs == "ranks")


def count_answers(bet: Bet, coups: Iterable[tuple[Coup, int]]) -> dict[str, int]:
    """In how many ordered six-card deals the bet's event gives each of its answers.

    The bet's payouts come first, then `PUSHED` and `LOST`; what never happens counts 0. Raises PayTableError if the event answers with
    anything else.
    """
    event = bet.event
    ways_of = dict.fromkeys((*bet.payouts, PUSHED, LOST), 0)
    for coup, ways in coups:
        answer = event(coup)
        if answer is False:
            answer = LOST
        elif answer is True and WON in ways_of:
            answer = WON
        elif type(answer) is not str or answer not in ways_of:
            answer = bet.read(answer)
        ways_of[answer] += ways
    return ways_of


_OpenCoup = open_twin(Coup)

_CARD_OF_POINTS = (DECK[9], *DECK[:9])
_THIRD = _CARD_OF_POINTS[0]


@cache
def _point_hands() -> tuple[dict[tuple[int, int], PointHand], dict[tuple[int, int], tuple[PointHand, ...]]]:
    """Examples of all hands of two cards by their points, and of three, by the points of the first two and then of the third."""
    two_cards: dict[tuple[int, int], PointHand] = {}
    three_cards: dict[tuple[int, int], tuple[PointHand, ...]] = {}
    for a, b in product(range(10), repeat=2):
        cards = _CARD_OF_POINTS[a], _CARD_OF_POINTS[b]
        two_cards[a, b] = PointHand((a, b), (a + b) % 10, 2, Hand(cards))
        three_cards[a, b] = tuple(PointHand((a, b), (a + b + third.points) % 10, 3, Hand((*cards, third))) for third in _CARD_OF_POINTS)
    return two_cards, three_cards
